"""What a planner tried, one motion after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .spaces import Floats, Space

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Attempts:
    """The motions that were tried, in order.

    Attributes
    ----------
    nearest
        (a,): the node that each began at.
    goals
        (a, ...): the states that were to be reached.
    connected
        (a,): was the motion free?
    distance_calls
        (a,): distances that each took, as the checker counts them.
    lengths
        (a,): how far apart the two states were by the metric of the space.

    Examples
    --------
    >>> import elbowroom as er
    >>> checker = er.MotionChecker(er.Sphere(0.5), er.Box([1, 4, 4]))
    >>> space = er.planning.RigidSpace([-5, -5, -5], [5, 5, 5])
    >>> rrt = er.planning.RRT(space, checker, start=er.Pose(translation=[-3, 0, 0]), seed=1)
    >>> tree = rrt.grow(nodes=50, record=True)
    >>> len(tree), int(tree.tried.connected.sum())
    (50, 49)
    """

    nearest: Numbers
    goals: Floats
    connected: NDArray[np.bool_]
    distance_calls: Numbers
    lengths: Floats

    def __len__(self) -> int:
        return len(self.nearest)


class Record:
    """What was tried, while it is."""

    def __init__(self) -> None:
        self._nearest: list[int] = []
        self._goals: list[Floats] = []
        self._free: list[bool] = []
        self._calls: list[int] = []

    def __len__(self) -> int:
        return len(self._free)

    def add(self, nearest: int, goal: Floats, free: bool, calls: int) -> None:
        """One more motion, and the distances it took."""
        self._nearest.append(nearest)
        self._goals.append(goal)
        self._free.append(free)
        self._calls.append(calls)

    def attempts(self, space: Space, states: Floats) -> Attempts:
        """All of them; `states` are those of the tree."""
        nearest = np.array(self._nearest, np.int64)
        goals = np.array(self._goals).reshape(-1, *space.shape)
        lengths = space.distances(states[nearest], goals)
        return Attempts(nearest, goals, np.array(self._free, bool), np.array(self._calls, np.int64), lengths)


def calls_of(checker: Any) -> int:
    """Distances that a checker has taken so far."""
    return int(checker.counters.distance_calls)
