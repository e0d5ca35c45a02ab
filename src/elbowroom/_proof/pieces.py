"""Convex pieces that go with frames, and balls about many of them at once.

Part of the independent check of motion certificates. A piece is the hull of a few points, rounded by a
radius: a primitive of a rigid body, a ball of a chain, a bond. A half-space is cut to a box that is larger
than what any other piece ever reaches. The points of a piece are fixed in its frame. Pieces of
one kind in one frame, a flock, have a tree of balls over them: what is proved for a ball holds for all
within it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom._proof.frames import Floats, Integers
from elbowroom.body import UNBOUNDED

#: Children of a node of the trees.
WIDTH = 8
#: What a piece may be, for messages.
KINDS = ("primitive", "link", "ball", "bond")


class Hulls(NamedTuple):
    """Points one hull after the other: hull i has points first[i] to first[i + 1]."""

    points: Floats
    first: Integers
    radius: Floats

    def moved(self, matrix: Floats) -> Hulls:
        """The hulls in another frame."""
        points, normals = self.points @ matrix[:3, :3].T + matrix[:3, 3], self._half_spaces[1]
        points[normals] = self.points[normals] @ matrix[:3, :3].T
        return self._replace(points=points)

    @property
    def _half_spaces(self) -> tuple[Integers, Integers]:
        """The hulls that are half-spaces, and where their normals are among the points."""
        which = np.flatnonzero(self.radius == UNBOUNDED)
        return which, self.first[which] + 1

    def farthest(self) -> float:
        """How far any point is from the origin of the frame; half-spaces do not count."""
        bounded = np.repeat(self.radius != UNBOUNDED, np.diff(self.first))
        radius = np.repeat(self.radius, np.diff(self.first))
        return float((np.linalg.norm(self.points, axis=1) + radius)[bounded].max(initial=0.0))

    def cut(self, reach: float) -> Hulls:
        """With half-spaces as boxes that are the same within `reach` of the origin, and at least as deep."""
        which, normals = self._half_spaces
        if not len(which):
            return self
        parts = np.split(self.points, self.first[1:-1])
        for hull, normal in zip(which.tolist(), self.points[normals], strict=True):
            height = np.clip(parts[hull][0] @ normal, -2 * reach, 2 * reach)
            across = np.linalg.svd(normal[None])[2][1:] * (4 * reach)
            corners = [height * normal + s * across[0] + t * across[1] for s in (-1, 1) for t in (-1, 1)]
            parts[hull] = np.concatenate([corners, corners - 8 * reach * normal])
        radius = np.where(self.radius == UNBOUNDED, 0.0, self.radius)
        return Hulls(
            np.concatenate(parts), np.concatenate([[0], np.cumsum([len(part) for part in parts])]), radius
        )


def joined(parts: list[Hulls]) -> Hulls:
    """Several lists of hulls as one."""
    counts = np.concatenate([np.diff(part.first) for part in parts])
    return Hulls(
        np.concatenate([part.points for part in parts]),
        np.concatenate([[0], np.cumsum(counts)]),
        np.concatenate([part.radius for part in parts]),
    )


def balls(centres: Floats, radius: Floats) -> Hulls:
    """Every ball is the hull of its centre, rounded."""
    return Hulls(centres, np.arange(len(centres) + 1), radius)


def segments(starts: Floats, ends: Floats) -> Hulls:
    """Every segment is the hull of its ends, without a radius."""
    points = np.stack([starts, ends], axis=1).reshape(-1, 3)
    return Hulls(points, 2 * np.arange(len(starts) + 1), np.zeros(len(starts)))


class Names(NamedTuple):
    """Whose a piece is: obstacle -1 is the body itself; the number is that of its kind."""

    obstacle: Integers
    number: Integers
    kind: Integers


@dataclass
class Flock:
    """Pieces of one frame under one tree; its root and the first of its pieces are set with the tree."""

    frame: int
    hulls: Hulls
    names: Names
    root: int = -1
    first: int = -1

    def __post_init__(self) -> None:
        self.count = len(self.hulls.radius)


@dataclass
class Pieces:
    """All pieces of a scene, and the nodes of all trees; leaves are single pieces."""

    flocks: list[Flock]
    hulls: Hulls = field(init=False)
    names: Names = field(init=False)
    reach: Floats = field(init=False)  # of each piece: how far its points are from the origin of its frame
    centre: Floats = field(init=False)  # of each node, in its frame
    away: Floats = field(init=False)  # of each node: how far its centre is from the origin of its frame
    size: Floats = field(init=False)  # of the ball of each node
    frame: Integers = field(init=False)  # of each node
    piece: Integers = field(init=False)  # of each node; -1 above the leaves
    begin: Integers = field(init=False)  # of each node: the first child, and one past the last
    end: Integers = field(init=False)

    def __post_init__(self) -> None:
        self.hulls = joined([flock.hulls for flock in self.flocks])
        columns = zip(*(flock.names for flock in self.flocks), strict=True)
        self.names = Names(*(np.concatenate(column) for column in columns))
        first = self.hulls.first[:-1]
        self.reach = np.maximum.reduceat(np.linalg.norm(self.hulls.points, axis=1), first)
        self._plant()

    def _plant(self) -> None:
        """The trees of all flocks, one after the other."""
        low = np.minimum.reduceat(self.hulls.points, self.hulls.first[:-1])
        high = np.maximum.reduceat(self.hulls.points, self.hulls.first[:-1])
        centre, pieces, nodes, made = 0.5 * (low + high), 0, 0, []
        away = np.linalg.norm(
            self.hulls.points - np.repeat(centre, np.diff(self.hulls.first), axis=0), axis=1
        )
        size = np.maximum.reduceat(away, self.hulls.first[:-1]) + self.hulls.radius
        for flock in self.flocks:
            mine = slice(pieces, pieces + flock.count)
            tree = _tree(centre[mine], size[mine], pieces, nodes)
            flock.first, pieces, nodes = pieces, pieces + flock.count, nodes + len(tree.size)
            made.append(tree)
            flock.root = nodes - 1
        self.centre, self.size, self.piece, self.begin, self.end = (
            np.concatenate(column) for column in zip(*made, strict=True)
        )
        self.away = np.linalg.norm(self.centre, axis=1)
        self.frame = np.repeat([f.frame for f in self.flocks], [len(tree.size) for tree in made])

    def children(self, nodes: Integers) -> tuple[Integers, Integers]:
        """The children of all these nodes, and the place among the nodes that each child belongs to."""
        return ranges(self.begin[nodes], self.end[nodes])

    def corners(self, pieces: Integers) -> tuple[Integers, Integers]:
        """The same for pieces and their points."""
        return ranges(self.hulls.first[pieces], self.hulls.first[pieces + 1])

    def tell(self, piece: int) -> str:
        """Which piece this is, in words."""
        obstacle, number, kind = (int(column[piece]) for column in self.names)
        return f"{KINDS[kind]} {number} of {'the body' if obstacle < 0 else f'obstacle {obstacle}'}"


def ranges(begin: Integers, end: Integers) -> tuple[Integers, Integers]:
    """All numbers from begin[i] to end[i] - 1, for every i, and the i that each comes from."""
    counts = end - begin
    owner = np.repeat(np.arange(len(counts)), counts)
    return np.arange(len(owner)) + np.repeat(begin - np.cumsum(counts) + counts, counts), owner


class _Tree(NamedTuple):
    centre: Floats
    size: Floats
    piece: Integers
    begin: Integers
    end: Integers


def _tree(centre: Floats, size: Floats, first_piece: int, first_node: int) -> _Tree:
    """Balls about eight neighbours at a time, until there is one; leaves come first and the root last."""
    order = np.argsort(_along_a_curve(centre), kind="stable")
    level = _Tree(centre[order], size[order], order + first_piece, *np.zeros((2, len(order)), np.int64))
    levels, below = [level], first_node
    while len(level.size) > 1:
        begin = np.arange(0, len(level.size), WIDTH)
        end = np.minimum(begin + WIDTH, len(level.size))
        middle, radius = _balls_about(level, begin, end)
        level = _Tree(middle, radius, np.full(len(begin), -1), below + begin, below + end)
        below += len(levels[-1].size)
        levels.append(level)
    return _Tree(*(np.concatenate(column) for column in zip(*levels, strict=True)))


def _balls_about(level: _Tree, begin: Integers, end: Integers) -> tuple[Floats, Floats]:
    """A ball about the balls from begin to end, for each."""
    low = np.minimum.reduceat(level.centre, begin)
    middle = 0.5 * (low + np.maximum.reduceat(level.centre, begin))
    away = np.linalg.norm(level.centre - np.repeat(middle, end - begin, axis=0), axis=1)
    return middle, np.maximum.reduceat(away + level.size, begin)


def _along_a_curve(points: Floats) -> NDArray[np.uint64]:
    """Numbers that are near for points that are near: their coordinates, bit by bit in turn (Morton)."""
    low, extent = points.min(axis=0), float(np.ptp(points, axis=0).max())
    grid = ((points - low) * (1023.0 / extent if extent > 0 else 0.0)).astype(np.uint64)
    code = np.zeros(len(points), np.uint64)
    for bit in range(10):
        for axis in range(3):
            one = (grid[:, axis] >> np.uint64(bit)) & np.uint64(1)
            code |= one << np.uint64(3 * bit + axis)
    return code
