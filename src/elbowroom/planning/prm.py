"""Probabilistic roadmaps [Kavraki1996]_, with motions checked exactly, by samples, or on a budget."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from elbowroom import _arrays, _core
from elbowroom._progress import Progress

from .branches import draws, free_state
from .in_use import InUse, alone
from .limits import Limits
from .prm_local import Known, LocalPlanner
from .prm_net import Net
from .prm_search import Search
from .roadmap import Roadmap, RoadmapWork
from .roadmap_path import RoadmapPath
from .spaces import Space

if TYPE_CHECKING:
    from typing import Literal

    from elbowroom._types import StateLike

    from .branches import Checker
    from .prm_checks import Discrete

#: Random states that `solve` draws if nothing else limits it.
ATTEMPTS = 10_000
#: `solve` looks for a path again after so many more states, and after a quarter more.
PORTION = 32


class PRM:
    """A probabilistic roadmap [Kavraki1996]_, as [Lin2006]_ uses it, for many questions in one space.

    `grow` learns: states are drawn at random, and each that is free is connected with its neighbours by
    motions that pass the checker. `query` asks: a start and a goal are connected with the roadmap, and the
    shortest way is taken. `solve` does both in turn until there is a path. The same seed gives the same
    roadmap, however it is grown.

    A path is returned only if all its motions are proved free. If the checker looks at samples alone, the
    motions of a path are checked again, exactly; an edge that is not free is taken out of the roadmap, and
    the next shortest way is tried.

    Parameters
    ----------
    space
        `RigidSpace` or `JointSpace`: where the states are, and what near means.
    checker
        An `er.MotionChecker`, which proves whole motions; or a `Discrete` or `Budgeted`, which look at
        configurations along them.
    exact
        With the latter two, the `er.MotionChecker` by which paths are proved; False: paths are returned as
        they are found, not proved.
    neighbours
        With how many of the nearest states a new one is connected, if that can be done.
    radius
        The longest motion that is tried, in the distance of the space; None: any.
    lazy
        Assume motions free, and test those of the shortest way alone, when one is asked for
        [BohlinKavraki2000]_. The paths are the same, unless a memory has a say. It pays where a test takes
        longer than a search of the roadmap, of which it makes many.
    seed
        Of the random numbers.

    Examples
    --------
    >>> import elbowroom as er
    >>> rod = er.Box([3, 0.5, 0.5])
    >>> wall = er.Group([(er.Box([1, 10, 4]), er.Pose(translation=[0, 0, z])) for z in (-3.0, 3.0)])
    >>> space = er.planning.RigidSpace([-5, -5, -5], [5, 5, 5], metric="weighted", weight=1.5)
    >>> left, right = er.Pose(translation=[-4, 0, 3]), er.Pose(translation=[4, 0, -3])
    >>> prm = er.planning.PRM(space, er.MotionChecker(rod, wall), seed=2)
    >>> roadmap = prm.grow(nodes=200)
    >>> path = prm.solve(left, right)
    >>> path.found, path.certificate.free
    (True, True)

    By samples half a unit apart, and then exactly:

    >>> samples = er.planning.Discrete(lambda pose: er.collide(rod, wall, pose), 0.5)
    >>> prm = er.planning.PRM(space, samples, exact=er.MotionChecker(rod, wall), lazy=True, seed=2)
    >>> path = prm.solve(left, right)
    >>> path.found, path.proved
    (True, True)
    """

    def __init__(
        self,
        space: Space,
        checker: Checker | Discrete,
        *,
        exact: Checker | Literal[False] | None = None,
        neighbours: int = 10,
        radius: float | None = None,
        lazy: bool = False,
        seed: int = 0,
    ) -> None:
        self._local = LocalPlanner(space, checker, exact)
        self.space, self.checker, self.exact = space, checker, self._local.exact
        self.neighbours = _arrays.count(neighbours, "neighbours", 1, _core.limits.largest_int)
        self.radius = math.inf if radius is None else _arrays.length(radius, "radius")
        if self.radius == 0:
            raise ValueError("radius must be larger than 0")
        self.lazy = _arrays.flag(lazy, "lazy")
        self.seed = _arrays.count(seed, "seed", 0)
        self._in_use = InUse()
        self._net = Net(space)
        self._draws = draws(space, np.random.default_rng(self.seed))
        self._drawn = self._removed = self._repaired = 0
        self._seconds = 0.0
        self._seen: tuple[int, Roadmap] | None = None

    def __repr__(self) -> str:
        nodes, edges = len(self._net), self._net.edge_count()
        counts = f"{nodes:,} node{'' if nodes == 1 else 's'}, {edges:,} edge{'' if edges == 1 else 's'}"
        return f"<PRM: {counts}, {'lazy, ' if self.lazy else ''}seed {self.seed}, in {self.space!r}>"

    @property
    @alone
    def roadmap(self) -> Roadmap:
        """What was learned so far."""
        if self._seen is None or self._seen[0] != self._net.version:
            self._seen = self._net.version, Roadmap._of(self._net)
        return replace(self._seen[1], work=self._work())

    @alone
    def grow(
        self,
        nodes: int | None = None,
        *,
        attempts: int | None = None,
        seconds: float | None = None,
        progress: bool | None = None,
    ) -> Roadmap:
        """Learn until the roadmap has so many nodes, or so many more states are drawn or seconds are over.

        A roadmap goes on growing where it was left. If nothing is given it grows to 500 nodes.

        Parameters
        ----------
        nodes, attempts, seconds
            Limits; the first that is reached ends it. With nodes alone it also ends after a thousand states
            were drawn for each: perhaps there is no room for them.
        progress
            Show a bar; None: if it takes longer than two seconds on a terminal.
        """
        if nodes is attempts is seconds is None:
            nodes = 500
        limits = Limits.checked(nodes, attempts, seconds)
        with Progress(progress, "nodes" if nodes else "attempts", nodes or attempts) as tell:
            for count in limits.stretches():
                if self._full(limits):
                    break
                limits.made += self._learn(count, limits)
                tell(len(self._net) if nodes else limits.made)
        self._seconds += limits.spent
        return self.roadmap

    @alone
    def query(self, start: StateLike, goal: StateLike, *, seconds: float | None = None) -> RoadmapPath:
        """A path on the roadmap as it is, found or not; `seconds` end the search.

        The two states do not become part of the roadmap. Edges that are found to collide are taken out of it.
        """
        return self._answer(start, goal, Limits.checked(None, 0, seconds), False)

    @alone
    def solve(
        self,
        start: StateLike,
        goal: StateLike,
        *,
        nodes: int | None = None,
        attempts: int | None = None,
        seconds: float | None = None,
        progress: bool | None = None,
    ) -> RoadmapPath:
        """A path on the roadmap, which grows until there is one: found or not, within the limits.

        Limits are as for `grow`; if none is given 10,000 states are drawn.
        """
        if nodes is attempts is seconds is None:
            attempts = ATTEMPTS
        return self._answer(start, goal, Limits.checked(nodes, attempts, seconds), progress)

    def _answer(
        self, start: StateLike, goal: StateLike, limits: Limits, progress: bool | None
    ) -> RoadmapPath:
        ends = [
            free_state(self.space, self._local.judge, s, n) for s, n in ((start, "start"), (goal, "goal"))
        ]
        begin, search = perf_counter(), Search(self._net, self._local, *ends)
        if limits.seconds is not None:
            search.deadline = begin + limits.seconds
        with search:
            self._seek(search, limits, progress)
            reason = "" if search.way else search.why()
            states = search.states()
        self._removed += search.removed
        self._repaired += search.repaired
        self._seconds += perf_counter() - begin
        proved = self._local.exact is not None
        return RoadmapPath(states, self._local.exact, self.roadmap, proved=proved, reason=reason)

    def _seek(self, search: Search, limits: Limits, progress: bool | None) -> None:
        """Look for a way, and grow until there is one. When to look does not depend on the clock."""
        found, looked = self._look(search), self._drawn
        with Progress(progress, "attempts", limits.attempts) as tell:
            for count in limits.stretches():
                if found or self._full(limits):
                    break
                due = looked + max(PORTION, looked // 4)
                limits.made += self._learn(min(count, due - self._drawn), limits)
                if self._drawn == due:
                    found, looked = self._look(search), self._drawn
                tell(limits.made, f", {len(self._net):,} nodes")
        if not found and self._drawn > looked:
            self._look(search)

    def _look(self, search: Search) -> bool:
        return search.run(self.neighbours, self.radius, self.lazy)

    def _full(self, limits: Limits) -> bool:
        return limits.nodes is not None and len(self._net) >= limits.nodes

    def _learn(self, count: int, limits: Limits) -> int:
        """Draw so many states, fewer if there are nodes enough; connect those that are free."""
        made = 0
        for key, state in islice(self._draws, count):
            made, self._drawn = made + 1, self._drawn + 1
            if self._local.valid(state):
                near = self._net.near(key, self.neighbours, self.radius)
                number = self._net.add(key, state)
                for other, distance in near:
                    self._connect(other, number, distance)
                if self._full(limits):
                    break
        return made

    def _connect(self, a: int, b: int, distance: float) -> None:
        states = self._net.states
        if self.lazy:
            self._net.join(a, b, distance, Known.ASSUMED)
        elif self._local.free(states[a], states[b]):
            self._net.join(a, b, distance, self._local.tested)

    def _work(self) -> RoadmapWork:
        local, repairs = self._local, (self._removed, self._local.proofs, self._repaired)
        return RoadmapWork(
            self._drawn, local.motions, local.checks, local.unfinished, *repairs, self._seconds
        )
