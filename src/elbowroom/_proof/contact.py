"""Is a claimed contact one? Part of the independent check of motion certificates.

At the time of contact the two parts that are named must come within rounding of the clearance that was asked
for. The core is not asked: `hull_distance` is Wolfe's algorithm for the point of least norm in a convex
hull, here the hull of all differences between a point of one piece and a point of the other, in integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from elbowroom._proof.frames import Floats, Integers
from elbowroom._proof.pieces import Flock
from elbowroom._proof.scene import Claim, Scene

#: A contact may be off by this part of the coordinates.
ROUNDED_CONTACT = 1e-10


def check_contact(scene: Scene, claim: Claim) -> None:
    """Raises ValueError unless the two parts of `pair` touch at the time of contact."""
    assert claim.first_contact is not None
    at = float(claim.first_contact[1])
    if claim.pair is None:
        raise ValueError(f"first_contact: at the time {at:.9g} no parts are named that touch")
    i, j = (int(number) for number in claim.pair)
    whose = "the body itself" if claim.obstacle is None else f"obstacle {claim.obstacle}"
    told = f"first_contact: at the time {at:.9g} part {i} of the body and part {j} of {whose}"
    world = _World(scene, at)
    nearest = np.inf
    for a, b in _named(scene, i, j, claim.obstacle):
        for p, q in world.near(a, b, claim.clearance_asked + world.doubt):
            gap = world.gap(p, q)
            if gap <= scene.clearance_of(p, q, claim.clearance_asked) + world.doubt:
                return
            nearest = min(nearest, gap)
    far = f"{nearest:.9g} apart" if nearest < np.inf else "not near each other, or are never compared"
    raise ValueError(f"{told} are {far}: this is no contact")


class _World:
    """All pieces at one time."""

    def __init__(self, scene: Scene, time: float) -> None:
        self.pieces = scene.pieces
        turned, placed = scene.frames.poses(np.array([scene.frames.stretch_at(time)]), np.array([time]))
        self.turned, self.placed = turned[:, 0], placed[:, 0]
        self.leaf = np.empty(len(self.pieces.reach), np.int64)
        leaves = np.flatnonzero(self.pieces.piece >= 0)
        self.leaf[self.pieces.piece[leaves]] = leaves
        frame = self.pieces.frame[self.leaf]
        inside = self.pieces.centre[self.leaf]
        self.centre = np.einsum("pij,pj->pi", self.turned[frame], inside) + self.placed[frame]
        self.size = self.pieces.size[self.leaf]
        scale = (np.linalg.norm(self.centre, axis=1) + self.size).max() + np.linalg.norm(scene.centre)
        self.doubt = ROUNDED_CONTACT * float(scale)

    def near(self, a: Integers, b: Integers, reach: float) -> Iterator[tuple[int, int]]:
        """Pairs of pieces whose balls are within reach, those that overlap the most first."""
        for piece in a.tolist():
            away = np.linalg.norm(self.centre[b] - self.centre[piece], axis=1)
            gap = away - self.size[b] - self.size[piece]
            order = np.argsort(gap)
            yield from ((piece, int(b[k])) for k in order[gap[order] <= reach])

    def points(self, piece: int) -> Floats:
        """The corners of a piece in the world."""
        first, last = self.pieces.hulls.first[piece : piece + 2]
        frame = self.pieces.frame[self.leaf[piece]]
        points: Floats = self.pieces.hulls.points[first:last] @ self.turned[frame].T + self.placed[frame]
        return points

    def gap(self, a: int, b: int) -> float:
        """The distance of two pieces, negative where their radii overlap."""
        radii = float(self.pieces.hulls.radius[[a, b]].sum())
        return hull_distance(self.points(a), self.points(b)) - radii


def _named(scene: Scene, i: int, j: int, obstacle: int | None) -> Iterator[tuple[Integers, Integers]]:
    """Pieces of the two parts that are named, from all flocks that are compared."""
    for a, b in scene.pairs:
        if obstacle is not None:
            sides = [(_those(a, i, -1), _those(b, j, obstacle))]
        else:
            sides = [(_those(a, i, -1), _those(b, j, -1)), (_those(a, j, -1), _those(b, i, -1))]
        for some, others in sides:
            p, q = (side.reshape(-1) for side in np.meshgrid(some, others, indexing="ij"))
            keep = scene.compared(np.minimum(p, q), np.maximum(p, q))
            if keep.all() and len(keep):
                yield some, others


def _those(flock: Flock, number: int, obstacle: int) -> Integers:
    """The pieces of a flock that are part `number` of the body or of an obstacle."""
    mine = (flock.names.number == number) & (flock.names.obstacle == obstacle)
    return flock.first + np.flatnonzero(mine)


def hull_distance(a: Floats, b: Floats) -> float:
    """The distance of the hulls of two sets of points, 0 where they overlap; exact but for its last digits.

    The coordinates are converted to integers, so that no step rounds. In floats, rounding can tilt the plane
    through corners of a thin piece so far that the search ends at a point that is not the nearest.
    """
    first, second, unit = _whole(a, b)
    corners = [first[0] - second[0]]
    while True:
        nearest = _nearest(corners)
        x, corners = nearest.point, nearest.corners
        further = first[(first @ x).argmin()] - second[(second @ x).argmax()]
        if nearest.weight * (x @ further) >= x @ x:  # no point of the hull has a smaller norm
            return math.hypot(*(float(Fraction(k, nearest.weight * unit)) for k in x))
        corners.append(further)


def _whole(*clouds: Floats) -> tuple[Any, Any, int]:
    """Two sets of points in integers, and how many of these are one unit of length."""
    ratios = [[k.as_integer_ratio() for k in cloud.reshape(-1).tolist()] for cloud in clouds]
    unit = max(below for part in ratios for _, below in part)  # all are powers of two
    first, second = (
        np.array([above * (unit // below) for above, below in part], object).reshape(-1, 3) for part in ratios
    )
    return first, second, unit


class _Nearest(NamedTuple):
    """The point of least norm of a simplex is point / weight; the corners are those that it lies between."""

    square: Fraction
    point: Any
    weight: int
    corners: list[Any]


def _nearest(corners: list[Any]) -> _Nearest:
    """It is the point of least norm in the plane through some of the corners, and lies between them."""
    found = []
    for count in range(1, len(corners) + 1):
        for some in combinations(corners, count):
            shares = _shares(some)
            if min(shares) > 0:
                point = sum(share * corner for share, corner in zip(shares, some, strict=True))
                weight = sum(shares)
                found.append(_Nearest(Fraction(point @ point, weight * weight), point, weight, list(some)))
    return min(found, key=lambda nearest: nearest.square)


def _shares(c: Sequence[Any]) -> list[Any]:
    """Weights of corners whose sum is the point of least norm in the plane through them, or a multiple."""
    if len(c) == 1:
        return [1]
    if len(c) == 2:
        return [c[1] @ (c[1] - c[0]), c[0] @ (c[0] - c[1])]
    if len(c) == 3:
        normal = np.cross(c[1] - c[0], c[2] - c[0])
        return [np.cross(c[k - 2], c[k - 1]) @ normal for k in range(3)]
    volumes = [(-1) ** k * (np.cross(c[k - 3], c[k - 2]) @ c[k - 1]) for k in range(4)]
    return volumes if sum(volumes) > 0 else [-volume for volume in volumes]
