"""Planning scenes and requests of MoveIt, as MotionBenchMaker and robowflex write them, in YAML.

A scene becomes obstacles, one for each collision object: boxes and spheres as they are, cylinders and cones
as the prism or pyramid of 32 sides about them, which at its edges is 0.49 % farther out, so that what is free
of it is free of the round body; meshes as their surfaces. An object of several shapes is a group. A request
becomes values of joints by name. `read_scene` and `read_request` take a file, also one in a tar archive,
which is named as if it were a folder; `read_problems` takes a whole folder or archive.

>>> import pathlib, tempfile
>>> from elbowroom.files.moveit import read_scene
>>> text = '''world:
...   collision_objects:
...     - id: can
...       primitives: [{type: cylinder, dimensions: [0.12, 0.03]}]
...       primitive_poses: [{position: [0.5, 0, 0.2], orientation: [0, 0, 0, 1]}]'''
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder, "scene.yaml")
...     _ = path.write_text(text)
...     scene = read_scene(path)
>>> scene.names, scene.obstacles[0][1].translation.tolist()
(('can',), [0.5, 0.0, 0.2])
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from elbowroom.body import Body
from elbowroom.files.moveit_files import problem_files, read_text
from elbowroom.files.moveit_rules import allowed_pairs, refuse_unread
from elbowroom.files.moveit_shapes import Shapes
from elbowroom.files.moveit_yaml import Fields, fields, items, number, parse, pose, text
from elbowroom.files.opening import blaming
from elbowroom.files.urdf_meshes import Packages
from elbowroom.pose import Pose

__all__ = ["Attached", "Problem", "Request", "Scene", "read_problems", "read_request", "read_scene"]

File: TypeAlias = str | os.PathLike[str]
Values: TypeAlias = dict[str, float]
Frames: TypeAlias = Mapping[str, Pose]


@dataclass(frozen=True, eq=False)
class Attached:
    """What a robot holds: a body at a pose in a link, and the links that it may touch."""

    name: str
    link: str
    body: Body
    pose: Pose
    touching: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Scene:
    """The obstacles around a robot.

    Attributes
    ----------
    names, obstacles
        Name, and body with pose in the world, of every collision object that has a shape.
    attached
        Objects that the robot holds.
    allowed
        Pairs of names, of links and objects, that may touch: the allowed collision matrix.
    joints
        Values of joints by name, of the state that was saved with the scene.
    """

    file: str
    names: tuple[str, ...]
    obstacles: tuple[tuple[Body, Pose], ...]
    attached: tuple[Attached, ...] = ()
    allowed: tuple[tuple[str, str], ...] = ()
    joints: Mapping[str, float] | None = None


@dataclass(frozen=True, eq=False)
class Request:
    """From where to where: values of joints by name; of several goals, any will do."""

    file: str
    group: str | None
    start: Mapping[str, float]
    goals: tuple[Mapping[str, float], ...]


@dataclass(frozen=True, eq=False)
class Problem:
    """A scene and a request that belong together, and where they are."""

    name: str
    scene: Scene
    request: Request


def read_scene(path: File, *, packages: Packages = None, frames: Frames | None = None) -> Scene:
    """Reads a planning scene.

    Parameters
    ----------
    path
        Name of the file, compressed by gzip or not, also of one within a tar archive.
    packages
        Where meshes of `package://name/...` are, as for URDF files.
    frames
        Poses in the world of frames that objects are in; "world" and those that the file itself tells need
        not be given.

    Raises
    ------
    ValueError
        If it is no scene, or has what cannot be read: planes, octrees, frames that nobody knows, a robot that
        stands elsewhere. The message names the object.
    """
    with blaming(path):
        return _scene(parse(read_text(path), os.fspath(path)), os.fspath(path), packages, frames)


def read_request(path: File) -> Request:
    """Reads a motion plan request, of which the start and the goals must be given by values of joints."""
    with blaming(path):
        return _request(parse(read_text(path), os.fspath(path)), os.fspath(path))


def read_problems(
    path: File, *, packages: Packages = None, frames: Frames | None = None
) -> Iterator[Problem]:
    """Reads the problems in a folder or a tar archive and below, one after the other, sorted by name.

    A problem is scene*.yaml and request*.yaml in one folder, with the same in place of the stars.
    """
    for name, files in problem_files(path).items():
        (scene, its), (request, whose) = files["scene"], files["request"]
        with blaming(scene):
            held = _scene(_parsed(its, scene), scene, packages, frames)
        with blaming(request):
            asked = _request(_parsed(whose, request), request)
        yield Problem(name, held, asked)


def _parsed(content: bytes | Path, file: str) -> Fields:
    return parse(content if isinstance(content, bytes) else read_text(content), file)


def _scene(held: Fields, file: str, packages: Packages, frames: Frames | None) -> Scene:
    world = fields(held.get("world"), f"{file}: world")
    if "world" not in held and "robot_state" not in held:
        raise ValueError(f"{file}: not a planning scene: it has no world")
    refuse_unread(held, world, file)
    state = fields(held.get("robot_state"), f"{file}: robot_state")
    shapes, known = Shapes(Path(file), packages), _frames(held, file) | dict(frames or {})
    placed: dict[str, tuple[Body, Pose]] = {}
    for each in items(world.get("collision_objects"), f"{file}: collision_objects"):
        name, one = _object(each, shapes, known, file)
        if name in placed:
            raise ValueError(f"{file}: there are two objects '{name}'")
        if one is not None:
            placed[name] = one
    return Scene(
        file,
        tuple(placed),
        tuple(placed.values()),
        _all_attached(state, shapes, file),
        allowed_pairs(held, file),
        _joints(state, f"{file}: robot_state"),
    )


def _object(value: Any, shapes: Shapes, frames: Frames, file: str) -> tuple[str, tuple[Body, Pose] | None]:
    held = fields(value, f"{file}: a collision object")
    name = text(held.get("id"), f"{file}: id of a collision object")
    what = f"{file}: object '{name}'"
    frame = str(fields(held.get("header"), f"{what}: header").get("frame_id") or "world").lstrip("/")
    if frame not in frames:
        known = ", ".join(frames)
        raise ValueError(f"{what} is in frame '{frame}', whose pose is unknown; known frames: {known}")
    found = shapes.of(held, what)
    return name, None if found is None else (found[0], frames[frame] @ found[1])


def _frames(held: Fields, file: str) -> dict[str, Pose]:
    """Frames that stand still, by name."""
    out = {"world": Pose()}
    for each in items(held.get("fixed_frame_transforms"), f"{file}: fixed_frame_transforms"):
        one = fields(each, f"{file}: fixed_frame_transforms")
        name = text(one.get("child_frame_id"), f"{file}: child_frame_id")
        out[name] = pose(one.get("transform"), f"{file}: frame '{name}'", "translation", "rotation")
    return out


def _all_attached(state: Fields, shapes: Shapes, file: str) -> tuple[Attached, ...]:
    found = []
    for each in items(state.get("attached_collision_objects"), f"{file}: attached_collision_objects"):
        held = fields(each, f"{file}: an attached object")
        link = text(held.get("link_name"), f"{file}: link_name of an attached object")
        # Its frame is its link, unless it says so itself, and no other can be read: others move.
        name, placed = _object(held.get("object"), shapes, {link: Pose(), "world": Pose()}, file)
        touching = tuple(map(str, items(held.get("touch_links"), f"{file}: touch_links of '{name}'")))
        if placed is not None:
            found.append(Attached(name, link, *placed, touching))
    return tuple(found)


def _joints(state: Fields, what: str) -> Values:
    """Values by name from a state of a robot."""
    joints = fields(state.get("joint_state"), f"{what}: joint_state")
    names, values = items(joints.get("name"), what), items(joints.get("position"), what)
    if len(names) != len(values):
        raise ValueError(f"{what}: there are {len(names)} names of joints, but {len(values)} positions")
    base = fields(state.get("multi_dof_joint_state"), f"{what}: multi_dof_joint_state")
    for each in items(base.get("transforms"), f"{what}: transforms"):
        if pose(each, f"{what}: transforms", "translation", "rotation") != Pose():
            raise ValueError(f"{what}: the robot is not at the origin, which is not supported")
    return {str(n): number(x, f"{what}: joint '{n}'") for n, x in zip(names, values, strict=True)}


def _request(held: Fields, file: str) -> Request:
    if "goal_constraints" not in held and "start_state" not in held:
        raise ValueError(f"{file}: not a request: it has neither start_state nor goal_constraints")
    start = _joints(fields(held.get("start_state"), f"{file}: start_state"), f"{file}: start_state")
    goals = [
        _goal(fields(each, f"{file}: goal_constraints"), f"{file}: goal_constraints[{k}]")
        for k, each in enumerate(items(held.get("goal_constraints"), f"{file}: goal_constraints"))
    ]
    group = held.get("group_name")
    return Request(file, None if group is None else str(group), start, tuple(goals))


def _goal(held: Fields, what: str) -> Values:
    others = [name for name, value in held.items() if name.endswith("_constraints") and value]
    others = [name for name in others if name != "joint_constraints"]
    if others:
        raise ValueError(f"{what} has {others[0]}: goals are read that give values of joints alone")
    out: Values = {}
    for each in items(held.get("joint_constraints"), f"{what}: joint_constraints"):
        one = fields(each, f"{what}: joint_constraints")
        name = text(one.get("joint_name"), f"{what}: joint_name")
        out[name] = number(one.get("position"), f"{what}: joint '{name}'")
    return out
