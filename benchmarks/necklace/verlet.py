"""A Verlet list in numba: all pairs within reach and a skin, kept until a bead has moved through the skin.

Two beads can have come nearer by as much as the two that moved farthest have moved. The list is made by the
cells of `grid`, pairs that may touch are left out of it, and the skin is tried out beforehand (`tuned`).
With buckets the pairs are also sorted by their distance when the list was made, and a frame looks only at
those that can have become the closest: more than users do, and what our own list does.
"""

from __future__ import annotations

import math
from time import thread_time

import numpy as np
from numba import njit

from benchmarks.chain.grids import bucket
from benchmarks.common import Array
from benchmarks.necklace.data import Motion
from benchmarks.necklace.grid import Numbers, Rules, Table, partners, rules, table
from benchmarks.necklace.seekers import Answer, Found, Question, Seeker

Buckets = tuple[Numbers, Numbers, Numbers, Array]  # both beads of each pair; starts of buckets, lower edges
SKINS = (0.05, 0.15, 0.3, 0.6, 1.0, 1.5, 2.5)  # over the contact distance
TRIAL = 0.1  # seconds in which a skin is tried out
BUCKETS = 64


@njit(cache=True, fastmath=True)
def _list(
    points: Array, cut: float, table: Table, rules: Rules, ones: Numbers, others: Numbers, squares: Array
) -> int:
    """All pairs nearer than `cut` that may not touch; how many there are, room for them or not."""
    head, after, layers = table
    apart, starts, partner = rules
    mask, scale, count = len(head) - 1, 0.5 / cut, 0
    head[:] = -1
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        cx, cy = math.floor(x * scale - 0.5), math.floor(y * scale - 0.5)
        cz = math.floor(z * scale - 0.5) if layers == 2 else 0
        for dz in range(layers):
            for dx in range(2):
                for dy in range(2):
                    j = head[bucket(cx + dx, cy + dy, cz + dz, mask)]
                    while j >= 0:
                        u, v, w = x - points[j, 0], y - points[j, 1], z - points[j, 2]
                        square = u * u + v * v + w * w
                        if i - j > apart and square < cut * cut and not partners(j, i, starts, partner):
                            if count < len(ones):
                                ones[count], others[count], squares[count] = j, i, square
                            count += 1
                        j = after[j]
        h = bucket(math.floor(x * scale), math.floor(y * scale), math.floor(z * scale), mask)
        after[i], head[h] = head[h], i
    return count


@njit(cache=True)
def _sort(ones: Numbers, others: Numbers, squares: Array, cut: float, buckets: int) -> Buckets:
    """Pairs in buckets by distance."""
    low = math.sqrt(squares.min()) if len(squares) else 0.0
    scale, which = buckets / (cut - low), np.empty(len(squares), np.int32)
    starts = np.zeros(buckets + 1, np.int32)
    for k in range(len(squares)):
        which[k] = min(int((math.sqrt(squares[k]) - low) * scale), buckets - 1)
        starts[which[k] + 1] += 1
    starts = np.cumsum(starts).astype(np.int32)
    free, first, second = starts.copy(), np.empty_like(ones), np.empty_like(others)
    for k in range(len(squares)):
        to = free[which[k]]
        free[which[k]] += 1
        first[to], second[to] = ones[k], others[k]
    edges = (low + np.arange(buckets) / scale) * (1 - 1e-12)
    return first, second, starts, edges


@njit(cache=True, fastmath=True)
def _moved(points: Array, since: Array) -> float:
    """How much nearer two beads can have come: the two largest displacements."""
    most = second = 0.0
    for i in range(len(points)):
        x, y, z = points[i, 0] - since[i, 0], points[i, 1] - since[i, 1], points[i, 2] - since[i, 2]
        square = x * x + y * y + z * z
        if square > second:
            if square > most:
                most, second = square, most
            else:
                second = square
    return math.sqrt(most) + math.sqrt(second)


@njit(cache=True, fastmath=True)
def _least(
    points: Array,
    pairs: Buckets,
    best: float,
    moved: float,
    first_will_do: bool,
) -> tuple[float, int]:
    """The shortest distance among the pairs that is at most `best`, and its place in the list or -1."""
    ones, others, starts, edges = pairs
    square, place = best * best, -1
    for b in range(len(edges)):
        if edges[b] > math.sqrt(square) + moved:
            break
        for k in range(starts[b], starts[b + 1]):
            i, j = ones[k], others[k]
            x, y, z = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1], points[i, 2] - points[j, 2]
            apart = x * x + y * y + z * z
            if apart <= square:
                square, place = apart, k
                if first_will_do:
                    return math.sqrt(square), place
    return math.sqrt(square), place


class VerletList(Seeker):
    """Asked one kind of question only: the list reaches as far as that needs."""

    buckets = 1

    def __init__(self, motion: Motion, skin: float) -> None:
        super().__init__(motion)
        self.table, self.rules, self.skin = table(motion), rules(motion), skin
        self.raw = self._room(2 * motion.beads)
        self.since, self.cut = motion.frames[0], 0.0  # nothing is within 0: the first question makes a list

    @staticmethod
    def _room(pairs: int) -> tuple[Numbers, Numbers, Array]:
        return np.empty(pairs, dtype=np.int32), np.empty(pairs, dtype=np.int32), np.empty(pairs)

    def make(self, reach: float) -> None:
        self.cut, self.since = reach + self.skin, self.points.copy()
        count = _list(self.points, self.cut, self.table, self.rules, *self.raw)
        if count > len(self.raw[0]):
            self.raw = self._room(2 * count)
            count = _list(self.points, self.cut, self.table, self.rules, *self.raw)
        ones, others, squares = self.raw[0][:count], self.raw[1][:count], self.raw[2][:count]
        self.pairs: Buckets = ones, others, np.array([0, count], dtype=np.int32), np.zeros(1)
        if self.buckets > 1:
            self.pairs = _sort(ones, others, squares, self.cut, self.buckets)

    def within(self, reach: float) -> Found | None:
        """From a list made now."""
        self.make(reach)
        return self._look(reach, 0.0)

    def _look(self, reach: float, moved: float, first_will_do: bool = False) -> Found | None:
        distance, place = _least(self.points, self.pairs, reach, moved, first_will_do)
        return None if place < 0 else (distance, int(self.pairs[0][place]), int(self.pairs[1][place]))

    def collides(self) -> bool:
        moved = _moved(self.points, self.since) if self.cut else math.inf
        if self.contact > self.cut - moved:
            self.make(self.contact)
            moved = 0.0
        return self._look(self.contact, moved, True) is not None

    def closest(self) -> Answer:
        if self.last is not None:
            moved = _moved(self.points, self.since)
            found = self._look(self.cut - moved, moved) if moved < self.cut else None
            if found is not None:
                self.last = found
                return found[0] - self.contact, found[1:]
        return super().closest()


class SortedList(VerletList):
    """The same with buckets."""

    buckets = BUCKETS


def tuned(kind: type[VerletList], motion: Motion, question: Question) -> float:
    """The skin with which a new list is fastest over the first frames of the motion."""
    skins = [skin * motion.contact for skin in SKINS]
    return min(skins, key=lambda skin: _trial(kind(motion, skin), motion, question))


def _trial(made: VerletList, motion: Motion, question: Question) -> float:
    """Seconds a frame; those of the processor, which other work on the machine does not lengthen."""
    start, frames = thread_time(), 0
    for points in motion.spatial:
        made.move(points)
        _ = made.collides() if question == "collide" else made.closest()
        frames += 1
        if thread_time() - start > TRIAL:
            break
    return (thread_time() - start) / frames
