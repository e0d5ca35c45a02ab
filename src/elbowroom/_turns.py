"""Which of two ways to take, by what they took before."""

from __future__ import annotations


class Turns:
    """Which of two ways to take next: the one that took less of late, the other at every 64th step."""

    def __init__(self) -> None:
        self.taken = [0, 0]
        self._mean = [0.0, 0.0]

    def note(self, way: int, seconds: float) -> None:
        """How long a way took the last time."""
        mean = self._mean[way]
        self._mean[way] = 0.75 * mean + 0.25 * seconds if mean else seconds

    def take(self) -> int:
        """The way to take now: 0 or 1."""
        way = int(self._mean[1] < self._mean[0])
        if 0 in self.taken:
            way = self.taken.index(0)
        elif sum(self.taken) % 64 == 0:
            way = 1 - way
        self.taken[way] += 1
        return way
