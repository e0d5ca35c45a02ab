"""What the peers share: which pairs count, and how the closest pair is found by asking for near ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import Array
from benchmarks.necklace.data import Motion

Question = Literal["collide", "distance"]
Found = tuple[float, int, int]  # distance of the centres, and the two beads
Answer = tuple[float, tuple[int, int]]  # gap, and the two beads
WIDER = 1.05  # the first reach, over the distance of the last frame's closest pair


class Contestant(Protocol):
    """One necklace; it is told where its beads are, then asked."""

    def move(self, points: Array) -> None: ...

    def collides(self) -> bool: ...

    def closest(self) -> Answer: ...


class Seeker:
    """Finds the closest pair by asking for all within a reach that is likely to hold few.

    That is a little more than the distance of the last closest pair when it was found, or what it is now if
    that is less. A pair that is known to be there bounds the answer, so the second attempt must find one.
    """

    def __init__(self, motion: Motion) -> None:
        self.contact = motion.contact
        self.points = motion.frames[0]
        self.last: Found | None = None

    def move(self, points: Array) -> None:
        self.points = points

    def within(self, reach: float) -> Found | None:
        """The closest pair that may not touch, if one is within reach."""
        raise NotImplementedError

    def collides(self) -> bool:
        return self.within(self.contact) is not None

    def closest(self) -> Answer:
        found = next(found for reach in self.reaches() if (found := self.within(reach)) is not None)
        self.last = found
        distance, one, other = found
        return distance - self.contact, (one, other)

    def reaches(self) -> Iterator[float]:
        """What to try in turn; the last one, or one of those without end, will do."""
        if self.last is None:
            yield from (1.1 * self.contact * 1.5**k for k in count())
            return
        then, one, other = self.last
        now = float(np.linalg.norm(self.points[one] - self.points[other]))
        if WIDER * then < now:
            yield WIDER * then
        yield now * (1 + 1e-9)


class Excluded:
    """Takes pairs that may touch out of an array of pairs."""

    def __init__(self, motion: Motion) -> None:
        self.allowed: NDArray[np.bool_] | None = None
        if motion.bonded is not None:
            self.allowed = np.zeros((motion.beads, motion.beads), dtype=bool)
            self.allowed[motion.bonded[:, 0], motion.bonded[:, 1]] = True
            self.allowed |= self.allowed.T

    def counting(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of the pairs may not touch."""
        if self.allowed is None:
            return np.asarray(np.abs(first - second) > 1)
        return ~self.allowed[first, second]
