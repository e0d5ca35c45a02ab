"""A roadmap while it grows: states, the motions between them, and guests that come for a query."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .prm_local import Known
from .spaces import Floats, Space

#: Numbers of the two states that a query brings, which are not in the roadmap.
START, GOAL = -1, -2
#: The search for the nearest looks so much farther than it had to the last time.
SLACK = 1.2

Near = list[tuple[int, float]]


@dataclass(slots=True)
class Edge:
    """A motion between two states, the same in both directions."""

    length: float
    known: Known


class Net:
    """States by their numbers, and the edges of each."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.states: dict[int, Floats] = {}
        self.links: dict[int, dict[int, Edge]] = {}
        self.index = space.index()
        self.version = 0  # changes with the roadmap, not with guests
        self._reach = math.inf

    def __len__(self) -> int:
        return len(self.index)

    def key(self, state: Floats) -> list[float]:
        """What the index knows a state by."""
        key: list[float] = self.space.keys(state[None])[0].tolist()
        return key

    def add(self, key: list[float], state: Floats) -> int:
        """The number of the new state."""
        number: int = self.index.insert(key)
        self.version += 1
        self.states[number], self.links[number] = state, {}
        return number

    def invite(self, number: int, state: Floats) -> None:
        """A state for a while, which nobody finds as a neighbour."""
        self.states[number], self.links[number] = state, {}

    def dismiss(self, number: int) -> None:
        """Without a guest, and the edges to it."""
        for other in self.links.pop(number):
            del self.links[other][number]
        del self.states[number]

    def join(self, a: int, b: int, length: float, known: Known) -> None:
        """An edge between two states."""
        self.links[a][b] = self.links[b][a] = Edge(length, known)
        self._changed(a, b)

    def cut(self, a: int, b: int) -> None:
        """Without the edge between two states."""
        del self.links[a][b], self.links[b][a]
        self._changed(a, b)

    def learn(self, a: int, b: int, known: Known) -> None:
        """More is known of an edge."""
        self.links[a][b].known = known
        self._changed(a, b)

    def _changed(self, a: int, b: int) -> None:
        self.version += a >= 0 and b >= 0

    def near(self, key: list[float], most: int, radius: float) -> Near:
        """At most so many states within a radius and their distances, nearest first."""
        if not len(self):
            return []
        numbers, distances = self._around(key, most, radius)
        order = np.lexsort((numbers, distances))[:most]
        if len(order) == most:
            self._reach = SLACK * float(distances[order[-1]])
        return list(zip(numbers[order].tolist(), distances[order].tolist(), strict=True))

    def _around(self, key: list[float], most: int, radius: float) -> tuple[NDArray[np.int32], Floats]:
        """All within some reach that holds as many as are wanted, if there are as many."""
        reach = min(self._reach, radius) if len(self) > most else radius
        while True:
            numbers, distances = self.index.within(key, reach)
            if len(numbers) >= most or reach >= radius:
                return numbers, distances
            reach = min(2.0 * reach, radius) if 0 < reach < self.space.extent else radius

    def edges(self) -> Iterator[tuple[int, int, Edge]]:
        """Every edge of the roadmap once, without those of guests."""
        for a in range(len(self)):
            for b, edge in self.links[a].items():
                if a < b:
                    yield a, b, edge

    def edge_count(self) -> int:
        """How many there are, without those of guests."""
        guests = [len(self.links[guest]) for guest in (START, GOAL) if guest in self.links]
        between = GOAL in self.links.get(START, {})
        return sum(map(len, self.links.values())) // 2 - sum(guests) + between

    def rows(self) -> Floats:
        """The states (n, ...) of the roadmap."""
        return np.array([self.states[i] for i in range(len(self))]).reshape(-1, *self.space.shape)
