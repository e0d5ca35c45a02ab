"""Capsules about the bones of a skeleton, and which of them need not be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.budget import Budget
from elbowroom.files.bvh_text import Node
from elbowroom.group import Group
from elbowroom.pose import Pose
from elbowroom.questions import within
from elbowroom.shapes import Capsule

Floats = NDArray[np.float64]

#: A bone is as thick as these tell for what it carries, its own length and that of the longest way beyond
#: it: `SLENDER` times that or, if less, `STOUT` times the geometric mean of that and the skeleton's height.
SLENDER, STOUT = 0.2, 0.045
#: Bones shorter than this part of the skeleton's height are none, and so are gaps.
NO_LENGTH = 1e-6
#: For n bones that all touch there are n^2 pairs to exclude. The search for them ends after so many tests,
#: and some for each bone.
MOST_TESTS, TESTS_A_BONE = 1_000_000, 100


class Bone(NamedTuple):
    """From a joint to the node `end`, a child or an end site; `offset` in the joint's frame."""

    joint: int
    end: int
    offset: Floats
    length: float


def places(nodes: list[Node]) -> Floats:
    """Where the nodes are in the rest pose: no rotation anywhere."""
    out = np.zeros((len(nodes), 3))
    for i, node in enumerate(nodes):
        out[i] = _offset(node) + (out[node.parent] if node.parent >= 0 else 0)
    return out


def height_of(rest: Floats) -> float:
    """The longest side of the box about the rest pose."""
    return float((rest.max(axis=0) - rest.min(axis=0)).max())


def bones_of(nodes: list[Node], height: float) -> list[Bone]:
    """The bones that have a length."""
    every = [Bone(n.parent, i, _offset(n), float(np.linalg.norm(_offset(n)))) for i, n in enumerate(nodes)]
    return [bone for bone in every if bone.joint >= 0 and bone.length > NO_LENGTH * height]


def radii_of(
    nodes: list[Node], bones: list[Bone], height: float, radii: Any, factor: float = 1.0
) -> list[float]:
    """A radius for each bone: as given, or by the rule; then times the factor."""
    return [factor * radius for radius in _given_radii(nodes, bones, height, radii)]


def _given_radii(nodes: list[Node], bones: list[Bone], height: float, radii: Any) -> list[float]:
    if radii is not None and not isinstance(radii, Mapping):
        return [_arrays.size(radii, "radii")] * len(bones)
    given = {name: _arrays.size(r, f"radii[{name!r}]") for name, r in (radii or {}).items()}
    known = {nodes[bone.joint].name for bone in bones}
    unknown = [name for name in given if name not in known]
    if unknown:
        begins = [nodes[joint].name for joint in sorted({bone.joint for bone in bones})]
        raise ValueError(
            f"radii names {_arrays.shown(unknown[0])}, but no bone begins at a joint of that name; "
            f"bones begin at {', '.join(begins) or 'no joint'}"
        )
    beyond = _beyond(nodes)
    by_rule = [_radius(bone.length + beyond[bone.end], height) for bone in bones]
    return [given.get(nodes[bone.joint].name, r) for bone, r in zip(bones, by_rule, strict=True)]


def _radius(carried: float, height: float) -> float:
    return min(SLENDER * carried, STOUT * float(np.sqrt(carried * height)))


def _beyond(nodes: list[Node]) -> list[float]:
    """From each node, the length of the longest way down to an end."""
    out = [0.0] * len(nodes)
    for i in range(len(nodes) - 1, -1, -1):  # children come after their parents
        node = nodes[i]
        if node.parent >= 0:
            out[node.parent] = max(out[node.parent], out[i] + float(np.linalg.norm(_offset(node))))
    return out


def capsule(bone: Bone, radius: float) -> tuple[Capsule, Pose]:
    """The capsule about a bone, in the frame of its joint."""
    x, y, z = bone.offset / bone.length * (1 if bone.offset[2] >= 0 else -1)
    turn = np.array([1 + z, -y, x, 0])  # takes the z axis to the bone or, if that is nearer, to its reverse
    return Capsule(radius, bone.length), Pose(turn / np.linalg.norm(turn), 0.5 * bone.offset)


def touching(bones: list[Bone], radii: list[float], rest: Floats, height: float) -> NDArray[np.int64]:
    """Pairs (k, 2) of joints whose capsules touch in the rest pose."""
    if not bones:
        return np.empty((0, 2), np.int64)
    placed = [capsule(bone, radius) for bone, radius in zip(bones, radii, strict=True)]
    shifts = [Pose(translation=rest[bone.joint]) for bone in bones]
    whole = Group([(body, shift @ pose) for (body, pose), shift in zip(placed, shifts, strict=True)])
    near = within(
        whole, whole, NO_LENGTH * height, budget=Budget(tests=MOST_TESTS + TESTS_A_BONE * len(bones))
    )
    if near.status == "out of budget":
        raise ValueError(
            f"more than {len(near) // 2:,} pairs of its bones touch in the rest pose, too many to exclude:"
            " give smaller radii, or a smaller radius_scale"
        )
    pairs = np.array([bone.joint for bone in bones])[near.indices]
    return np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)


def _offset(node: Node) -> Floats:
    assert node.offset is not None  # the parser saw to it
    return node.offset
