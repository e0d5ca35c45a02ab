"""Cutting the corners of a path by motions that are proved free."""

from __future__ import annotations

import numpy as np

from .branches import Checker
from .spaces import Floats, Space


class Shortening:
    """The states of a path while it is made shorter. Every motion in it has been proved free."""

    def __init__(self, space: Space, checker: Checker, states: list[Floats]) -> None:
        self.space, self.checker, self.states = space, checker, states

    def run(self, attempts: int, rng: np.random.Generator) -> None:
        """Leave out needless states, then cut corners at random, then leave out states again."""
        self.leave_out()
        for draw in rng.random((attempts, 2)).tolist():
            if len(self.states) < 3:
                return
            self.cut(*sorted(draw))
        self.leave_out()

    def leave_out(self) -> None:
        """Go from each state straight to the last one that can be reached, if that is no longer."""
        at = 0
        while at < len(self.states) - 2:
            for to in range(len(self.states) - 1, at + 1, -1):
                if self._replaces(at, [], to):
                    break
            at += 1

    def cut(self, first: float, last: float) -> None:
        """Try the motion between two points of the path, given as shares of its length."""
        steps = self._lengths(self.states)
        along = np.concatenate([[0.0], np.cumsum(steps)])
        if along[-1] == 0:
            return
        (i, a), (j, b) = (self._point(along, share * float(along[-1])) for share in (first, last))
        if j > i:
            self._replaces(i, [a, b], j + 1)

    def _point(self, along: Floats, length: float) -> tuple[int, Floats]:
        """The motion on which the path has that length behind it, and the state there."""
        i = min(int(np.searchsorted(along, length, "right")) - 1, len(self.states) - 2)
        step = float(along[i + 1] - along[i])
        time = (length - float(along[i])) / step if step > 0 else 0.0
        found = self.space.between(self.states[i], self.states[i + 1], np.array([min(time, 1.0)]))
        return i, np.ascontiguousarray(found[0])

    def _replaces(self, first: int, middle: list[Floats], last: int) -> bool:
        """Puts other states between two of the path, if that makes it no longer and all motions are free.

        With the same length it must be fewer states. The motions to and from the new states are parts of ones
        that were free; they are checked all the same, as the new states are rounded.
        """
        new = [self.states[first], *middle, self.states[last]]
        gain = self._lengths(self.states[first : last + 1]).sum() - self._lengths(new).sum()
        if gain < 0 or (middle and gain <= 1e-9 * abs(self._lengths(new).sum())):
            return False
        order = sorted(range(len(new) - 1), key=lambda k: k != len(middle) // 2)
        if not all(self.checker.free(new[k], new[k + 1]) for k in order):
            return False
        self.states[first + 1 : last] = middle
        return True

    def _lengths(self, states: list[Floats]) -> Floats:
        rows = np.array(states)
        return self.space.distances(rows[:-1], rows[1:])
