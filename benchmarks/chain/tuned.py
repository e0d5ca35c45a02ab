"""The best hash grid that we could write for this workload, in numba."""

from __future__ import annotations

import math

from numba import njit

from benchmarks.chain.grids import Cells, Links, PersistentGrid, Sides, bucket, link, rotation, turned, unlink
from benchmarks.common import Array


@njit(cache=True)
def would_touch(
    points: Array,
    place: tuple[float, float, float],
    lists: tuple[Links, ...],
    cells: Cells,
    low: int,
    high: int,
) -> bool:
    """Would a ball at `place` touch one that stays? Balls low to high - 1 do not; eight cells can hold it."""
    (x, y, z), (scale, square, mask) = place, cells
    cx, cy, cz = math.floor(x * scale - 0.5), math.floor(y * scale - 0.5), math.floor(z * scale - 0.5)
    for dx in range(2):
        for dy in range(2):
            for dz in range(2):
                j = lists[0][bucket(cx + dx, cy + dy, cz + dz, mask)]
                while j >= 0:
                    u, v, w = x - points[j, 0], y - points[j, 1], z - points[j, 2]
                    if u * u + v * v + w * w <= square and not low <= j < high:
                        return True
                    j = lists[1][j]
    return False


@njit(cache=True)
def _foresee(
    points: Array, ahead: Array, lists: tuple[Links, ...], cells: Cells, joint: int, move: Sides
) -> bool:
    """Would the balls touch others if they were turned? Nearest to the joint first, nothing is changed."""
    low, high, angle = move
    r = rotation(points, joint, angle)
    for k in range(high - low):
        i = low + k if low > joint else high - 1 - k
        place = turned(points, i, joint + 1, r)
        if would_touch(points, place, lists, cells, low, high):
            return True
        ahead[i, 0], ahead[i, 1], ahead[i, 2] = place
    return False


class TunedGrid(PersistentGrid):
    """Cells of two balls, of which a test looks at eight instead of 27.

    The test turns ball by ball, nearest to the joint first, and stops at the first touch; the grid changes
    only when the next move shows that this one was accepted. A rejected move costs no update and no undo.
    """

    balls = 2
    move: tuple[int, Sides] | None = None

    def rotate(self, joint: int, angle: float) -> None:
        if self.move is not None:
            low, high, _ = self.move[1]
            unlink(self.lists, low, high)
            self.points[low:high] = self.saved[low:high]
            link(self.points, self.lists, self.cells, low, high)
        self.move = joint, self.shorter(joint, angle)

    def collides(self) -> bool:
        if self.move is None:
            return False
        joint, move = self.move
        return bool(_foresee(self.points, self.saved, self.lists, self.cells, joint, move))

    def undo(self) -> None:
        self.move = None
