"""A cell list in numba: the neighbour list that a user without a library writes."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.common import Array

Numbers = NDArray[np.int64]
MOST_CELLS = 4_000_000
PAIRS_A_POINT = 300  # more than that many within reach are not foreseen


@njit(cache=True)
def _fill(points: Array, reach: float, head: Numbers, after: Numbers, out: Numbers) -> int:
    """Points go in one by one, each paired with those in the 27 cells about it; -1: too many cells."""
    low, shape = np.empty(3), np.empty(3, np.int64)
    for k in range(3):
        low[k] = points[:, k].min()
        shape[k] = int((points[:, k].max() - low[k]) / reach) + 1
    if shape[0] * shape[1] * shape[2] > len(head):
        return -1
    head[: shape[0] * shape[1] * shape[2]] = -1
    found, square, scale = 0, reach * reach, 1.0 / reach
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        cx, cy, cz = int((x - low[0]) * scale), int((y - low[1]) * scale), int((z - low[2]) * scale)
        for ax in range(max(cx - 1, 0), min(cx + 2, shape[0])):
            for ay in range(max(cy - 1, 0), min(cy + 2, shape[1])):
                for az in range(max(cz - 1, 0), min(cz + 2, shape[2])):
                    j = head[(ax * shape[1] + ay) * shape[2] + az]
                    while j >= 0:
                        u, v, w = x - points[j, 0], y - points[j, 1], z - points[j, 2]
                        if u * u + v * v + w * w <= square:
                            out[found, 0], out[found, 1] = j, i
                            found += 1
                        j = after[j]
        cell = (cx * shape[1] + cy) * shape[2] + cz
        after[i], head[cell] = head[cell], i
    return found


class CellList:
    """Made anew for each query, in memory that is kept."""

    def __init__(self, count: int, reach: float) -> None:
        self.reach = reach
        self.head, self.after = np.empty(MOST_CELLS, np.int64), np.empty(count, np.int64)
        self.out = np.empty((PAIRS_A_POINT * count, 2), np.int64)

    def pairs(self, points: Array) -> Numbers:
        found = _fill(points, self.reach, self.head, self.after, self.out)
        if found < 0:
            raise ValueError(f"more than {MOST_CELLS} cells")
        return self.out[:found]
