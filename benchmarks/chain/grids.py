"""Hash grids over the balls of a chain, in numba: what a user without a library writes.

Two kinds, each with the calls of er.Chain (rotate, collides, undo). All balls have one radius, and a cell
is as wide as a ball, so that whatever touches a ball lies in the 27 cells about its centre. Bonded balls
must be farther apart than they are wide: no pair is left out of the test.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.common import Array

Links = NDArray[np.int32]
Cells = tuple[float, float, int]  # one over the width of a cell, its square, a mask of the number of buckets
Sides = tuple[int, int, float]


@njit(cache=True)
def rotation(points: Array, joint: int, angle: float) -> tuple[float, ...]:
    """The rotation about the bond from ball `joint` to the next, row by row."""
    x = points[joint + 1, 0] - points[joint, 0]
    y = points[joint + 1, 1] - points[joint, 1]
    z = points[joint + 1, 2] - points[joint, 2]
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    c, s = math.cos(angle), math.sin(angle)
    t = 1.0 - c
    first = (t * x * x + c, t * x * y - s * z, t * x * z + s * y)
    second = (t * x * y + s * z, t * y * y + c, t * y * z - s * x)
    third = (t * x * z - s * y, t * y * z + s * x, t * z * z + c)
    return first + second + third


@njit(cache=True)
def turned(points: Array, i: int, pivot: int, r: tuple[float, ...]) -> tuple[float, float, float]:
    """Where ball i comes to lie when it is turned about the centre of ball `pivot`."""
    ox, oy, oz = points[pivot, 0], points[pivot, 1], points[pivot, 2]
    x, y, z = points[i, 0] - ox, points[i, 1] - oy, points[i, 2] - oz
    return (
        r[0] * x + r[1] * y + r[2] * z + ox,
        r[3] * x + r[4] * y + r[5] * z + oy,
        r[6] * x + r[7] * y + r[8] * z + oz,
    )


@njit(cache=True)
def _turn(points: Array, saved: Array, joint: int, angle: float, low: int, high: int) -> None:
    """Turn balls low to high - 1 about the bond, their old places kept in `saved`."""
    r = rotation(points, joint, angle)
    for i in range(low, high):
        saved[i, 0], saved[i, 1], saved[i, 2] = points[i, 0], points[i, 1], points[i, 2]
        points[i, 0], points[i, 1], points[i, 2] = turned(points, i, joint + 1, r)


@njit(cache=True)
def bucket(x: int, y: int, z: int, mask: int) -> int:
    """Mask is a number of its own all the way down: taken from len(head) it costs a tenth of the time."""
    mixed = x * 73856093 ^ y * 19349663 ^ z * 83492791
    return (mixed ^ (mixed >> 15)) & mask


@njit(cache=True)
def _cell(points: Array, i: int, cells: Cells) -> int:
    scale, _, mask = cells
    x, y, z = points[i, 0] * scale, points[i, 1] * scale, points[i, 2] * scale
    return bucket(math.floor(x), math.floor(y), math.floor(z), mask)


@njit(cache=True)
def _touches(points: Array, i: int, head: Links, after: Links, cells: Cells) -> bool:
    """Does ball i touch one that is in the grid? The 27 cells about it are looked at."""
    x, y, z = points[i, 0], points[i, 1], points[i, 2]
    scale, square, mask = cells
    cx, cy, cz = math.floor(x * scale), math.floor(y * scale), math.floor(z * scale)
    for dx in range(-1, 2):
        for dy in range(-1, 2):
            for dz in range(-1, 2):
                j = head[bucket(cx + dx, cy + dy, cz + dz, mask)]
                while j >= 0:
                    u, v, w = x - points[j, 0], y - points[j, 1], z - points[j, 2]
                    if u * u + v * v + w * w <= square:
                        return True
                    j = after[j]
    return False


@njit(cache=True)
def _anew(points: Array, head: Links, after: Links, cells: Cells) -> bool:
    """Put balls into an empty grid one by one, each tested with those that are in it already."""
    head[:] = -1
    for i in range(len(points)):
        if _touches(points, i, head, after, cells):
            return True
        h = _cell(points, i, cells)
        after[i], head[h] = head[h], i
    return False


@njit(cache=True)
def link(points: Array, lists: tuple[Links, ...], cells: Cells, low: int, high: int) -> None:
    """Put balls low to high - 1 into the grid; lists are head, after, before and the cell of each ball."""
    head, after, before, cell = lists
    for i in range(low, high):
        h = _cell(points, i, cells)
        cell[i], before[i], after[i] = h, -1, head[h]
        if head[h] >= 0:
            before[head[h]] = i
        head[h] = i


@njit(cache=True)
def unlink(lists: tuple[Links, ...], low: int, high: int) -> None:
    head, after, before, cell = lists
    for i in range(low, high):
        if before[i] >= 0:
            after[before[i]] = after[i]
        else:
            head[cell[i]] = after[i]
        if after[i] >= 0:
            before[after[i]] = before[i]


@njit(cache=True)
def _any_touch(points: Array, head: Links, after: Links, cells: Cells, low: int, high: int) -> bool:
    """Balls low to high - 1, which are not in the grid, against those that are."""
    for i in range(low, high):  # noqa: SIM110 (numba has no any() of a generator)
        if _touches(points, i, head, after, cells):
            return True
    return False


def _table(count: int) -> Links:
    """Heads of the lists: a power of two, at least two for each ball."""
    return np.full(1 << (2 * count - 1).bit_length(), -1, dtype=np.int32)


def _cells(radius: float, balls: int, head: Links) -> Cells:
    """Cells so many balls wide."""
    return 0.5 / (balls * radius), (2.0 * radius) ** 2, len(head) - 1


class PaperGrid:
    """The Grid of Lotan, Schwarzer, Halperin and Latombe: everything hashed anew for each test."""

    def __init__(self, positions: Array, radius: float) -> None:
        self.points, self.saved = positions.copy(), positions.copy()
        self.head, self.after = _table(len(positions)), np.empty(len(positions), dtype=np.int32)
        self.cells = _cells(radius, 1, self.head)
        self.low = len(positions)

    def rotate(self, joint: int, angle: float) -> None:
        self.low = joint + 2
        _turn(self.points, self.saved, joint, angle, self.low, len(self.points))

    def collides(self) -> bool:
        return bool(_anew(self.points, self.head, self.after, self.cells))

    def undo(self) -> None:
        self.points[self.low :] = self.saved[self.low :]


class PersistentGrid:
    """A careful user's grid: kept between steps; only the shorter side of the chain moves and is tested.

    Turning the one side by -angle is the same relative motion as turning the other by angle.
    """

    balls = 1  # width of a cell

    def __init__(self, positions: Array, radius: float) -> None:
        count = len(positions)
        self.points, self.saved = positions.copy(), positions.copy()
        after, before, cell = np.empty((3, count), dtype=np.int32)
        self.lists = (_table(count), after, before, cell)
        self.cells = _cells(radius, self.balls, self.lists[0])
        self.low = self.high = 0  # the balls that are out of the grid
        link(self.points, self.lists, self.cells, 0, count)

    def shorter(self, joint: int, angle: float) -> Sides:
        """Balls low to high - 1 are to move, and by which angle."""
        count = len(self.points)
        return (joint + 2, count, angle) if count - joint - 2 <= joint else (0, joint, -angle)

    def rotate(self, joint: int, angle: float) -> None:
        link(self.points, self.lists, self.cells, self.low, self.high)
        self.low, self.high, angle = self.shorter(joint, angle)
        unlink(self.lists, self.low, self.high)
        _turn(self.points, self.saved, joint, angle, self.low, self.high)

    def collides(self) -> bool:
        return bool(_any_touch(self.points, *self.lists[:2], self.cells, self.low, self.high))

    def undo(self) -> None:
        self.points[self.low : self.high] = self.saved[self.low : self.high]
