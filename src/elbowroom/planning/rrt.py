"""Rapidly-exploring random trees [LaValle1998]_."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from elbowroom import _arrays
from elbowroom._progress import Progress

from .branches import Branches, Checker, checked_step, draws, fitting, free_state
from .in_use import InUse, alone
from .limits import Limits
from .path import Path
from .records import Record, calls_of
from .spaces import Floats, Space
from .tree import Tree

if TYPE_CHECKING:
    from elbowroom._types import StateLike

#: Numbers of attempts that `solve` makes if nothing else limits it.
ATTEMPTS = 100_000


class RRT:
    """A rapidly-exploring random tree [LaValle1998]_, as in the experiment of [He2014]_.

    Again and again a state is drawn at random, the nearest state of the tree is found, and if the motion from
    there is proved free the new state is added. The same seed gives the same tree.

    Parameters
    ----------
    space
        `RigidSpace` or `JointSpace`: where the states are, and what nearest means.
    checker
        An `er.MotionChecker`, which says whether motions are free.
    start
        The root of the tree.
    goal
        What `solve` looks for.
    seed
        Of the random numbers.
    step
        The longest motion that is tried, in the distance of the space, towards the state that was drawn.
        None: the whole way to it, as in [He2014]_.
    goal_bias
        How often `solve` tries the goal instead of a random state.
    goal_tolerance
        How near to the goal a path of `solve` may end; 0: at the goal itself.

    Examples
    --------
    >>> import elbowroom as er
    >>> wall = er.Group([(er.Box([1, 10, 4]), er.Pose(translation=[0, 0, z])) for z in (-3.0, 3.0)])
    >>> checker = er.MotionChecker(er.Box([3, 0.5, 0.5]), wall)
    >>> space = er.planning.RigidSpace([-5, -5, -5], [5, 5, 5])
    >>> left, right = er.Pose(translation=[-4, 0, 3]), er.Pose(translation=[4, 0, -3])
    >>> rrt = er.planning.RRT(space, checker, start=left, goal=right, seed=3)
    >>> path = rrt.solve()
    >>> path.found, path.certificate.free
    (True, True)
    """

    def __init__(
        self,
        space: Space,
        checker: Checker,
        *,
        start: StateLike,
        goal: StateLike | None = None,
        seed: int = 0,
        step: float | None = None,
        goal_bias: float = 0.05,
        goal_tolerance: float = 0.0,
    ) -> None:
        fitting(space, checker)
        self.space, self.checker = space, checker
        self.start = free_state(space, checker, start, "start")
        self.goal = None if goal is None else free_state(space, checker, goal, "goal")
        self.seed = _arrays.count(seed, "seed", 0)
        self.step = checked_step(step)
        self.goal_bias = _arrays.number(goal_bias, "goal_bias")
        if not 0.0 <= self.goal_bias <= 1.0:
            raise ValueError(f"goal_bias must be from 0 to 1, got {self.goal_bias}")
        self.goal_tolerance = _arrays.length(goal_tolerance, "goal_tolerance")
        self._in_use = InUse()
        self._branches = Branches(space, self.start)
        self._draws = draws(space, np.random.default_rng(self.seed))
        self._coin = np.random.default_rng([self.seed, 1])
        self._made, self._seconds = 0, 0.0
        self._record = Record()

    def __repr__(self) -> str:
        nodes = len(self._branches)
        return f"<RRT: {nodes:,} node{'' if nodes == 1 else 's'}, seed {self.seed}, in {self.space!r}>"

    @alone
    def grow(
        self,
        nodes: int | None = None,
        *,
        attempts: int | None = None,
        seconds: float | None = None,
        progress: bool | None = None,
        record: bool = False,
    ) -> Tree:
        """Grow the tree until it has so many nodes, or so many more attempts or seconds are over.

        A tree goes on growing where it was left. If nothing is given it grows to 10,000 nodes.

        Parameters
        ----------
        nodes, attempts, seconds
            Limits; the first that is reached ends it. With nodes alone it also ends after a thousand attempts
            for each: perhaps there is no room for them.
        progress
            Show a bar; None: if it takes longer than two seconds on a terminal.
        record
            Keep what was tried, and how many distances each attempt took, in `Tree.tried`.
        """
        if nodes is attempts is seconds is None:
            nodes = 10_000
        limits = Limits.checked(nodes, attempts, seconds)
        with Progress(progress, "nodes" if nodes else "attempts", nodes or attempts) as tell:
            for count in limits.stretches():
                if nodes is not None and len(self._branches) >= nodes:
                    break
                many = self._connect if self.step is None and not record else self._try
                limits.made += many(count, limits.nodes, record)
                tell(len(self._branches) if nodes else limits.made)
        return self._tree(limits)

    @alone
    def solve(
        self,
        *,
        nodes: int | None = None,
        attempts: int | None = None,
        seconds: float | None = None,
        progress: bool | None = None,
    ) -> Path:
        """Grow the tree until it reaches the goal: a path, found or not, within the limits.

        If no limit is given it makes 100,000 attempts.
        """
        if self.goal is None:
            raise ValueError("goal must be given to RRT before it can be solved for")
        if nodes is attempts is seconds is None:
            attempts = ATTEMPTS
        limits = Limits.checked(nodes, attempts, seconds)
        seeker = _Seeker(self)
        with Progress(progress, "attempts", attempts) as tell:
            for count in limits.stretches():
                if seeker.reached >= 0 or (nodes is not None and len(self._branches) >= nodes):
                    break
                limits.made += seeker.seek(count)
                tell(limits.made, f", {len(self._branches):,} nodes")
        tree = self._tree(limits)
        found = seeker.reached >= 0
        states = tree.way(seeker.reached) if found else np.empty((0, *self.space.shape))
        return Path(
            states,
            self.checker,
            found=found,
            space=self.space,
            trees=(tree,),
            attempts=limits.made,
            seconds=limits.spent,
        )

    def _connect(self, count: int, most: int | None, _: bool) -> int:
        """The paper's loop: whole motions to random states. How many attempts were made."""
        branches, free = self._branches, self.checker.free
        states, parents = branches.states, branches.parents
        nearest, insert = branches.index.nearest, branches.index.insert
        made = 0
        for key, state in islice(self._draws, count):
            made += 1
            at = nearest(key)
            if free(states[at], state):
                insert(key)
                states.append(state)
                parents.append(at)
                if len(states) == most:
                    break
        self._made += made
        return made

    def _try(self, count: int, most: int | None, record: bool) -> int:
        """The same with steps, or with a record."""
        made = 0
        for key, state in islice(self._draws, count):
            made += 1
            self._extend(key, state, record)
            if len(self._branches) == most:
                break
        return made

    def _extend(self, key: list[float], state: Floats, record: bool = False) -> int:
        """One attempt to come nearer to a state: the number of the new node, or -1."""
        branches = self._branches
        at, key, goal = branches.toward(key, state, self.step)
        before = calls_of(self.checker) if record else 0
        free = self.checker.free(branches.states[at], goal)
        self._made += 1
        if record:
            self._record.add(at, goal, free, calls_of(self.checker) - before)
        if not free:
            return -1
        return branches.add(key, goal, at)

    def _tree(self, limits: Limits) -> Tree:
        self._seconds += limits.spent
        states, parents = self._branches.arrays()
        tried = self._record.attempts(self.space, states) if len(self._record) == self._made > 0 else None
        return Tree(self.space, states, parents, self._made, self._seconds, tried)


class _Seeker:
    """Looks for the goal with a tree; where the way to it was blocked is not tried twice."""

    def __init__(self, rrt: RRT) -> None:
        self.rrt, self.reached = rrt, -1
        assert rrt.goal is not None
        self.goal: Floats = rrt.goal
        self.key = rrt._branches.key(self.goal)
        self.blocked: set[int] = set()
        self._look(*rrt._branches.index.nearest_and_distance(self.key))

    def seek(self, count: int) -> int:
        """So many attempts, fewer if the goal is reached."""
        rrt = self.rrt
        for made, toss in enumerate(rrt._coin.random(count).tolist(), 1):
            at = rrt._branches.index.nearest(self.key) if toss < rrt.goal_bias else -1
            if at >= 0 and at not in self.blocked:
                new = rrt._extend(self.key, self.goal)
                if new < 0:
                    self.blocked.add(at)
            else:
                new = rrt._extend(*next(rrt._draws))
            if new >= 0:
                self._look(new, rrt.space.distance(rrt._branches.states[new], self.goal))
            if self.reached >= 0:
                return made
        return count

    def _look(self, number: int, distance: float) -> None:
        """Is this state the goal, or near enough?"""
        tolerance = self.rrt.goal_tolerance
        near = distance <= tolerance and tolerance > 0
        if near or (distance == 0 and np.array_equal(self.rrt._branches.states[number], self.goal)):
            self.reached = number
