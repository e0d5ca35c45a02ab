"""Recorded motion from BVH files, as the links, joints and configurations of an articulated body."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from elbowroom import _arrays
from elbowroom.body import Body, read_only
from elbowroom.files.bones import Bone, bones_of, capsule, height_of, places, radii_of, touching
from elbowroom.files.bvh_text import BvhText, Node, parse_bvh
from elbowroom.files.opening import blaming, read_bytes
from elbowroom.links import Joint, Link
from elbowroom.pose import Pose

Floats = NDArray[np.float64]

#: A joint that strays from its offset by less than this part of the skeleton's height stays where it is.
STRAY = 1e-5


@dataclass(frozen=True, eq=False)
class BvhParts:
    """A recorded motion as an articulated body takes it.

    Attributes
    ----------
    links, joints
        In the order of the file; a link has the name of the joint that moves it.
    motion
        (frames, dof) configurations: 7 numbers (x, y, z, w, qx, qy, qz) for a free joint, 4 (w, x, y, z) for
        a spherical one, in the order of the joints. From frame to frame a quaternion keeps to its side, so
        that it can be interpolated.
    frame_time
        Seconds from frame to frame.
    exclude
        Pairs of names of links that are not to be compared.
    """

    links: list[Link]
    joints: list[Joint]
    motion: Floats
    frame_time: float
    exclude: list[tuple[str, str]]


def read_bvh(
    path: str | os.PathLike[str],
    *,
    radii: float | Mapping[str, float] | None = None,
    radius_scale: float = 1.0,
) -> BvhParts:
    """Reads a skeleton and its motion from a BVH file, compressed by gzip or not.

    A root is a free joint, any other a spherical one. Rotations are composed in the order in which their
    channels are listed, in degrees. Position channels take the place of the offset: a joint within the
    skeleton that has them is free too, unless they repeat its offset, to 1e-5 of the skeleton's height, or
    are 0 throughout.

    From each joint a capsule reaches to each of its children and end sites; a bone without length has none.
    A bone is as thick as what it carries asks for: if its own length and the longest way beyond it add up
    to c, and the longest side of the box about the rest pose is h, the radius is 0.045 sqrt(c h), at most
    0.2 c. In a man of 1.75 m that is 6.5 cm for a thigh, 6 for the spine, 5 for a shin and an upper arm, 3
    for a forearm and 1 for a finger; chest and head are wider, which a skeleton does not tell.

    Links that touch in the rest pose, in which no joint is turned, are in `exclude`: those whose bones meet,
    be it that bones without length lie between, and those that are near enough for their radii. More than
    about 200,000 such pairs are refused: long chains of short bones need `radii`.

    Parameters
    ----------
    path
        Name of the file.
    radii
        A radius for all bones, or for those that begin at the joints named; the others keep that of the rule.
    radius_scale
        Factor on all radii, those given too.

    Raises
    ------
    ValueError
        If the file is not BVH or is cut short, has no frames, lines with too few or too many values, or
        numbers that are not finite. The message names the line.
    """
    content, file = read_bytes(path), os.fspath(path)
    factor = _arrays.length(radius_scale, "radius_scale")
    with blaming(file, "radii"):
        return _parts(parse_bvh(content.decode("utf-8-sig", errors="replace")), radii, factor)


def _parts(text: BvhText, radii: float | Mapping[str, float] | None, factor: float) -> BvhParts:
    rest = places(text.nodes)
    height = height_of(rest)
    bones = bones_of(text.nodes, height)
    thick = radii_of(text.nodes, bones, height, radii, factor)
    pairs = touching(bones, thick, rest, height).tolist()
    joints, motion = _moving(text, STRAY * height)
    return BvhParts(
        links=_links(text.nodes, bones, thick),
        joints=joints,
        motion=read_only(motion),
        frame_time=text.frame_time,
        exclude=[(text.nodes[i].name, text.nodes[j].name) for i, j in pairs],
    )


def _links(nodes: list[Node], bones: list[Bone], radii: list[float]) -> list[Link]:
    shapes: dict[int, list[tuple[Body, Pose]]] = {i: [] for i, node in enumerate(nodes) if node.name}
    for bone, radius in zip(bones, radii, strict=True):
        shapes[bone.joint].append(capsule(bone, radius))
    return [Link(nodes[i].name, items) for i, items in shapes.items()]


def _moving(text: BvhText, stray: float) -> tuple[list[Joint], Floats]:
    """The joints, and their values in all frames side by side."""
    joints: list[Joint] = []
    columns: list[Floats] = []
    first = 0
    for node in text.nodes:
        if not node.name:
            continue
        values = text.values[:, first : first + len(node.channels)]
        first += len(node.channels)
        place = _place(node, values, stray)
        joints.append(_joint(node, text.nodes, place is not None))
        columns += [_turn(node, values)] if place is None else [place, _turn(node, values)]
    return joints, np.concatenate(columns, axis=1)


def _joint(node: Node, nodes: list[Node], free: bool) -> Joint:
    parent = nodes[node.parent].name if node.parent >= 0 else None
    if free:
        return Joint(node.name, "free", parent, node.name)
    return Joint(node.name, "spherical", parent, node.name, Pose(translation=node.offset))


def _place(node: Node, values: Floats, stray: float) -> Floats | None:
    """Positions (frames, 3) of a joint in its parent, or None if it stays at its offset."""
    own = {name: values[:, k] for k, name in enumerate(node.channels) if name.endswith("position")}
    offset = np.asarray(node.offset)
    place = np.tile(offset, (len(values), 1))
    for name, column in own.items():
        place[:, "xyz".index(name[0])] = column
    still = np.abs(place - offset).max() <= stray or not any(column.any() for column in own.values())
    return None if still and node.parent >= 0 else place


def _turn(node: Node, values: Floats) -> Floats:
    """Quaternions (frames, 4), the real part first."""
    turn = Rotation.from_quat(np.tile([0.0, 0.0, 0.0, 1.0], (len(values), 1)))
    for k, name in enumerate(node.channels):
        if name.endswith("rotation"):
            turn = turn * Rotation.from_euler(name[0], values[:, k : k + 1], degrees=True)
    q: Floats = turn.as_quat()[:, [3, 0, 1, 2]]
    back = (q[1:] * q[:-1]).sum(axis=1) < 0
    q[1:] *= np.where(np.cumsum(back) % 2 == 1, -1.0, 1.0)[:, None]
    return q
