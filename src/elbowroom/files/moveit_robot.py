"""Robots in scenes of MoveIt: the obstacles as links that never move; configurations from requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from elbowroom.articulated import Articulated
from elbowroom.body import Body
from elbowroom.files.moveit import Request, Scene
from elbowroom.links import Joint, Link
from elbowroom.pose import Pose

__all__ = ["among", "configuration", "ends", "furnished", "standing_frames"]

Floats = NDArray[np.float64]


def furnished(robot: Articulated, scene: Scene) -> Articulated:
    """The robot with the scene about it: one body, which to ask about itself is to ask about both.

    Every object becomes a link of its name, after the links of the robot: an obstacle is fixed to the
    world, what the robot holds is fixed to the link that holds it. Objects of the scene are not compared with
    each other, nor what is held with the links that it may touch, nor pairs that the scene allows to touch.

    Raises
    ------
    ValueError
        If an object has the name of a link, or is held by a link that the robot lacks.
    """
    skeleton, own = robot._skeleton, set(robot.link_names)
    standing = [Link(name, [placed]) for name, placed in zip(scene.names, scene.obstacles, strict=True)]
    held = [Link(each.name, [(each.body, each.pose)]) for each in scene.attached]
    for link in (*standing, *held):
        if link.name in own:
            raise ValueError(f"{scene.file}: object '{link.name}' has the name of a link of the robot")
    unknown = [each for each in scene.attached if each.link not in own]
    if unknown:
        where = f"'{unknown[0].name}' is attached to '{unknown[0].link}'"
        raise ValueError(f"{scene.file}: {where}, but the robot has no such link")
    grips = [Joint(f"grip of {each.name}", "fixed", each.link, each.name) for each in scene.attached]
    links, joints = [*skeleton.links, *standing, *held], [*skeleton.joints, *grips]
    names = {link.name for link in links}
    pairs = {frozenset(pair) for pair in robot.names(robot.excluded)} | _apart(scene)
    exclude = [tuple(pair) for pair in pairs if len(pair) == 2 and pair <= names]
    return Articulated(links, joints, refit=robot.refit, exclude=exclude)


def among(robot: Articulated, scene: Scene) -> tuple[Articulated, Scene]:
    """The robot with what it holds, and the scene that is left: the obstacles around it.

    Together they are what `furnished` makes one body of; obstacles of their own are checked much faster. An
    object that some links may touch and others not stays with the robot.
    """
    links = {*robot.link_names, *(each.name for each in scene.attached)}
    special = {b if a in links else a for a, b in scene.allowed if (a in links) != (b in links)}
    placed = list(zip(scene.names, scene.obstacles, strict=True))
    inside = [one for one in placed if one[0] in special]
    around = [one for one in placed if one[0] not in special]

    def part(chosen: list[tuple[str, tuple[Body, Pose]]]) -> Scene:
        return replace(
            scene, names=tuple(name for name, _ in chosen), obstacles=tuple(body for _, body in chosen)
        )

    return furnished(robot, part(inside)), replace(part(around), attached=(), allowed=())


def _apart(scene: Scene) -> set[frozenset[str]]:
    """Pairs of names that are not compared because of the scene."""
    pairs: Iterable[tuple[str, str]] = [*combinations(scene.names, 2), *scene.allowed]
    touching = [(each.name, link) for each in scene.attached for link in (each.link, *each.touching)]
    return {frozenset(pair) for pair in (*pairs, *touching)}


def standing_frames(robot: Articulated) -> dict[str, Pose]:
    """The links that no joint can move, by name, and where they are: frames that objects of scenes are in."""
    above = {joint.child: joint for joint in robot._skeleton.joints}
    twin = robot.__copy__()
    twin.move(robot.zero())
    standing: dict[str, Pose] = {}
    for name, pose in zip(robot.link_names, twin.link_poses(), strict=True):  # parents come first
        joint = above.get(name)
        if joint is None or (joint.kind == "fixed" and (joint.parent is None or joint.parent in standing)):
            standing[name] = Pose.from_matrix(pose)
    return standing


def configuration(robot: Articulated, values: Mapping[str, float], base: Floats | None = None) -> Floats:
    """A configuration (dof,) from values by name: the base, or zero, where no value is given.

    Values of joints that the robot does not have, or that are fixed in it, are passed over: scenes tell those
    of every joint of the robot that they were made with.
    """
    out = (robot.zero() if base is None else base).copy()
    for name, value in values.items():
        if name in robot.joint_names:
            place = robot.index(name)
            if place.stop - place.start != 1:
                raise ValueError(f"joint '{name}' takes {place.stop - place.start} values, not one")
            out[place] = value
    return out


def ends(robot: Articulated, request: Request, scene: Scene | None = None) -> tuple[Floats, Floats]:
    """Start and first goal of a request; joints that it does not name are as in the scene, or at zero."""
    base = configuration(robot, (scene.joints or {}) if scene is not None else {})
    start = configuration(robot, request.start, base)
    if not request.goals or not request.goals[0]:
        raise ValueError(f"{request.file}: it has no goal that gives values of joints")
    known = [name for name in request.goals[0] if name in robot.joint_names]
    if not known:
        raise ValueError(
            f"{request.file}: its goal names no joint of the robot: {', '.join(request.goals[0])}"
        )
    return start, configuration(robot, request.goals[0], start)
