"""The query phase: two guests are connected, and shortest ways tried until all motions of one hold."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from itertools import pairwise
from time import perf_counter
from types import TracebackType

import numpy as np

from .prm_local import Known, LocalPlanner
from .prm_net import GOAL, START, Net
from .rigid_space import RigidSpace
from .spaces import Floats, Space


class Search:
    """Looks for a way between two states, again and again while the roadmap grows.

    Edges of the shortest way that are only assumed free are tested, those that are only tested are proved;
    what does not hold is taken out of the roadmap, and the shortest way is looked for again.
    """

    def __init__(self, net: Net, local: LocalPlanner, start: Floats, goal: Floats) -> None:
        self.net, self.local = net, local
        self.ends = {START: start, GOAL: goal}
        self.keys = {guest: net.key(state) for guest, state in self.ends.items()}
        self.tried: dict[int, set[int]] = {START: set(), GOAL: set()}
        self.way: list[int] = []
        self.removed = self.repaired = 0
        self.deadline = math.inf
        self.late = False

    def __enter__(self) -> Search:
        for guest, state in self.ends.items():
            self.net.invite(guest, state)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for guest in self.ends:
            self.net.dismiss(guest)

    def run(self, most: int, radius: float, lazy: bool) -> bool:
        """Connect both ends with what is near and look for a way; is there one?"""
        straight = self.net.space.distances(self.ends[START][None], self.ends[GOAL][None])
        if straight[0] <= radius:
            self._connect(START, GOAL, float(straight[0]), lazy)
        for guest, key in self.keys.items():
            for node, distance in self.net.near(key, most, radius):
                self._connect(guest, node, distance, lazy)
        ahead, self.late = self._ahead(), False
        self.way = shortest(self.net, ahead)
        while self.way and not self._holds():
            self.way = [] if self.late else shortest(self.net, ahead)
        return bool(self.way)

    def why(self) -> str:
        """Why no way was found."""
        if self.late:
            return "the time is over"
        if not len(self.net):
            return "the straight motion is not free, and the roadmap has no nodes"
        for guest, name in ((START, "start"), (GOAL, "goal")):
            if not self.net.links[guest]:
                return f"the {name} cannot be connected to the roadmap"
        return "the start and the goal are in different components of the roadmap"

    def states(self) -> list[Floats]:
        """Those of the way, from the start to the goal."""
        return [self.net.states[number] for number in self.way]

    def _connect(self, guest: int, node: int, distance: float, lazy: bool) -> None:
        """Try a motion, unless it was tried."""
        if node in self.tried[guest]:
            return
        self.tried[guest].add(node)
        a, b = self.net.states[guest], self.net.states[node]
        if lazy:
            self.net.join(guest, node, distance, Known.ASSUMED)
        elif self.local.free(a, b):
            self.net.join(guest, node, distance, self.local.tested)

    def _holds(self) -> bool:
        """Make sure of all motions of the way; those that do not hold are taken out.

        First all are tested, which is cheaper, and only then proved. None is left for later because another
        has failed: it would most likely be on the next way too, and a search takes longer than most tests.
        """
        for wanted in (Known.TESTED, self.local.enough):
            doubtful = [(a, b) for a, b in pairwise(self.way) if self.net.links[a][b].known < wanted]
            failed = [edge for edge in doubtful if not self._sure(*edge, wanted)]
            for edge in failed:
                self.net.cut(*edge)
            if failed or self.late:
                return False
        return True

    def _sure(self, a: int, b: int, wanted: Known) -> bool:
        """Learn more of an edge; False if it does not hold. Nothing is learned when the time is over."""
        self.late = self.late or perf_counter() >= self.deadline
        if self.late:
            return True
        ends = self.net.states[a], self.net.states[b]
        if wanted is Known.PROVED:
            holds = self.local.proves(*ends)
            self.repaired += not holds
        else:
            holds = self.local.free(*ends)
            self.removed += not holds
        if holds:
            self.net.learn(a, b, max(wanted, self.local.tested))
        return holds

    def _ahead(self) -> dict[int, float]:
        """How far it is at least from every state to the goal."""
        numbers = list(self.net.states)
        if not triangle_holds(self.net.space):
            return dict.fromkeys(numbers, 0.0)
        states = np.array(list(self.net.states.values()))
        goals = np.ascontiguousarray(np.broadcast_to(self.ends[GOAL], states.shape))
        return dict(zip(numbers, self.net.space.distances(states, goals).tolist(), strict=True))


def triangle_holds(space: Space) -> bool:
    """Is no way shorter than the distance of its ends? The volumes of hourglasses can be."""
    return not (isinstance(space, RigidSpace) and space.metric == "hourglass")


def shortest(net: Net, ahead: dict[int, float]) -> list[int]:
    """The numbers on the shortest way from the start to the goal, by A*; none if there is none."""
    cost, before, done = {START: 0.0}, {START: START}, set()
    heap = [(ahead[START], START)]
    while heap:
        _, at = heappop(heap)
        if at == GOAL:
            return _back(before)
        if at in done:
            continue
        done.add(at)
        for to, edge in net.links[at].items():
            new = cost[at] + edge.length
            if new < cost.get(to, math.inf):
                cost[to], before[to] = new, at
                heappush(heap, (new + ahead[to], to))
    return []


def _back(before: dict[int, int]) -> list[int]:
    way = [GOAL]
    while way[-1] != START:
        way.append(before[way[-1]])
    return way[::-1]
