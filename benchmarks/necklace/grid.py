"""A hash grid in numba, made anew for each frame: the best one that we could write.

Cells are twice as wide as the reach, so that whatever is within reach of a bead lies in eight of them (four
in the plane). Beads go in one by one, each compared with those that are in already. Narrower cells, 27 a
bead, took 1.6 to 3.4 times as long, and beads sorted by cell 1.1 to 3 times.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.chain.grids import bucket
from benchmarks.common import Array
from benchmarks.necklace.data import Motion
from benchmarks.necklace.seekers import Found, Seeker

Numbers = NDArray[np.int32]
Table = tuple[Numbers, Numbers, int]  # head of each bucket, next bead in it, layers of cells looked at
Rules = tuple[int, Numbers, Numbers]  # so near along the sequence beads may touch, and these partners of each


def table(motion: Motion) -> Table:
    """Buckets: a power of two, at least four for each bead."""
    heads = np.empty(1 << (4 * motion.beads - 1).bit_length(), dtype=np.int32)
    return heads, np.empty(motion.beads, dtype=np.int32), 1 if motion.flat else 2


def rules(motion: Motion) -> Rules:
    """Neighbours, or for each bead the higher ones that it may touch, one bead after the other."""
    if motion.bonded is None:
        return 1, np.zeros(motion.beads + 1, dtype=np.int32), np.empty(0, dtype=np.int32)
    starts = np.searchsorted(motion.bonded[:, 0], np.arange(motion.beads + 1))
    return 0, starts.astype(np.int32), motion.bonded[:, 1].astype(np.int32)


@njit(cache=True)
def partners(low: int, high: int, starts: Numbers, others: Numbers) -> bool:
    for k in range(starts[low], starts[low + 1]):  # noqa: SIM110 (numba has no any() of a generator)
        if others[k] == high:
            return True
    return False


@njit(cache=True, fastmath=True)
def _nearest(
    points: Array, reach: float, first_will_do: bool, table: Table, rules: Rules
) -> tuple[float, int, int]:
    """Squared distance and numbers of the closest pair within reach; (-1, -1) where there is none."""
    head, after, layers = table
    apart, starts, others = rules
    mask, scale = len(head) - 1, 0.5 / reach
    best, one, other = reach * reach, -1, -1
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
                        if i - j > apart and square <= best and not partners(j, i, starts, others):
                            best, one, other = square, j, i
                            if first_will_do:
                                return best, one, other
                        j = after[j]
        h = bucket(math.floor(x * scale), math.floor(y * scale), math.floor(z * scale), mask)
        after[i], head[h] = head[h], i
    return best, one, other


class Grid(Seeker):
    """Nothing is kept from frame to frame but the last answer and the memory."""

    def __init__(self, motion: Motion) -> None:
        super().__init__(motion)
        self.table, self.rules = table(motion), rules(motion)

    def within(self, reach: float, first_will_do: bool = False) -> Found | None:
        square, one, other = _nearest(self.points, reach, first_will_do, self.table, self.rules)
        return None if one < 0 else (math.sqrt(square), one, other)

    def collides(self) -> bool:
        return self.within(self.contact, True) is not None
