"""How long a planner may go on: so many nodes, attempts or seconds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from elbowroom import _arrays, _core

#: Attempts for each node that is asked for, after which a tree is given up if nothing else limits it.
PATIENCE = 1000
#: A stretch of attempts is to take about so many seconds: the clock is looked at in between.
STRETCH = 0.01


@dataclass
class Limits:
    """What was allowed, and what was spent of it so far."""

    nodes: int | None
    attempts: int | None
    seconds: float | None
    made: int = 0
    spent: float = 0.0

    @classmethod
    def checked(cls, nodes: int | None, attempts: int | None, seconds: float | None) -> Limits:
        """From the arguments of these names; nodes alone would be no limit where nothing can be reached."""
        most = None if nodes is None else _arrays.count(nodes, "nodes", 1, _core.limits.largest_int)
        tries = None if attempts is None else _arrays.count(attempts, "attempts", 0)
        if most is not None and attempts is seconds is None:
            tries = PATIENCE * most
        return cls(most, tries, None if seconds is None else _arrays.length(seconds, "seconds"))

    def stretches(self) -> Iterator[int]:
        """How many attempts to make before the next look at the clock, as long as there are any left.

        Whoever makes them adds them to `made`. Only when a planner stops depends on the clock, never what it
        does until then.
        """
        begin, size = perf_counter(), 8
        while True:
            left = size if self.attempts is None else min(size, self.attempts - self.made)
            before = perf_counter()
            if left <= 0 or (self.seconds is not None and before - begin >= self.seconds):
                break
            yield left
            self.spent = perf_counter() - begin
            took = perf_counter() - before
            size = (
                min(2 * size, 4096) if took < STRETCH else max(size // 2, 1) if took > 2 * STRETCH else size
            )
        self.spent = perf_counter() - begin
