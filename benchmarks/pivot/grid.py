"""A plain pivot, O(n) an accepted move, over a hash table of cells, in numba: the best that we could write.

Only the shorter side of the chain turns, the same relative motion as turning the other by the inverse. Its
balls are turned and looked up one by one from the pivot outwards, and the first that touches ends the test,
as Madras and Sokal (1988) do it; nothing is changed but by an accepted move. The table is kept between moves,
so that balls which stay are never hashed again. Cells are two balls wide: eight can hold what touches a ball.

Rotations are given in the frame of the chain's beginning. Where the beginning itself was turned, the balls
lie in another frame; `frame` leads from the former to the latter.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.chain.grids import Cells, Links, link, turned, unlink
from benchmarks.chain.tuned import would_touch
from benchmarks.common import Array

Lists = tuple[Links, ...]


@njit(cache=True)
def _seen_from(frame: Array, rotation: Array, inverse: bool) -> tuple[float, ...]:
    """The rotation, or its inverse, in the frame of the balls, row by row."""
    r = frame @ rotation @ frame.T
    if inverse:
        r = r.T
    return r[0, 0], r[0, 1], r[0, 2], r[1, 0], r[1, 1], r[1, 2], r[2, 0], r[2, 1], r[2, 2]


@njit(cache=True)
def _fits(
    points: Array, ahead: Array, lists: Lists, cells: Cells, joint: int, later: bool, r: tuple[float, ...]
) -> bool:
    """May the later or the earlier side turn about the link? `ahead` gets where its balls come to lie."""
    side, way = (len(points) - 1 - joint, 1) if later else (joint, -1)
    low, high = (joint, len(points)) if later else (0, joint + 1)
    for k in range(1, side + 1):
        i = joint + way * k
        place = turned(points, i, joint, r)
        if would_touch(points, place, lists, cells, low, high):
            return False
        ahead[i, 0], ahead[i, 1], ahead[i, 2] = place
    return True


@njit(cache=True)
def _pivot(
    points: Array,
    ahead: Array,
    lists: Lists,
    cells: Cells,
    frame: Array,
    joints: NDArray[np.int64],
    rotations: Array,
) -> NDArray[np.bool_]:
    """Pivots one after the other, carried out where free: True where one collides."""
    hits = np.empty(len(joints), np.bool_)
    for k in range(len(joints)):
        joint = joints[k]
        later = len(points) - 1 - joint <= joint
        r = _seen_from(frame, rotations[k], not later)
        hits[k] = not _fits(points, ahead, lists, cells, joint, later, r)
        if hits[k]:
            continue
        low, high = (joint + 1, len(points)) if later else (0, joint)
        unlink(lists, low, high)
        points[low:high] = ahead[low:high]
        link(points, lists, cells, low, high)
        if not later:
            frame[:] = frame @ rotations[k].T
    return hits


class PivotGrid:
    """A chain of balls of one radius, neighbours exempt; `pivot` is one call for many moves."""

    def __init__(self, positions: Array, radius: float) -> None:
        count = len(positions)
        self.points, self.ahead = positions.copy(), positions.copy()
        head = np.full(1 << (2 * count - 1).bit_length(), -1, dtype=np.int32)
        after, before, cell = np.empty((3, count), dtype=np.int32)
        self.lists = (head, after, before, cell)
        self.cells = (0.25 / radius, (2.0 * radius) ** 2, len(head) - 1)
        self.frame = np.eye(3)
        link(self.points, self.lists, self.cells, 0, count)

    def pivot(self, joints: NDArray[np.int64], rotations: Array) -> NDArray[np.bool_]:
        """For each k all beyond link joints[k] turns about it by rotations[k]: True where that collides."""
        given: NDArray[np.bool_] = _pivot(
            self.points, self.ahead, self.lists, self.cells, self.frame, joints, rotations
        )
        return given

    def positions(self) -> Array:
        """The centres in the frame in which rotations are given, link 0 at the origin."""
        placed: Array = (self.points - self.points[0]) @ self.frame
        return placed
