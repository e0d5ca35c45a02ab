"""Two trees that grow towards each other [KuffnerLaValle2000]_."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from elbowroom import _arrays
from elbowroom._progress import Progress

from .branches import Branches, Checker, checked_step, draws, fitting, free_state
from .in_use import InUse, alone
from .limits import Limits
from .path import Path
from .rrt import ATTEMPTS
from .spaces import Floats, Space
from .tree import Tree

if TYPE_CHECKING:
    from elbowroom._types import StateLike


class RRTConnect:
    """A tree from the start and one from the goal, which reach for each other [KuffnerLaValle2000]_.

    In turn, one tree is extended by a step towards a random state, and the other goes towards the new state
    as far as it can. The motion straight from start to goal is tried first. The same seed gives the same
    path.

    Parameters
    ----------
    space
        `RigidSpace` or `JointSpace`: where the states are, and what nearest means.
    checker
        An `er.MotionChecker`, which says whether motions are free.
    start, goal
        The two ends of the path.
    seed
        Of the random numbers.
    step
        The longest motion that is tried, in the distance of the space. None: a tenth of the space's extent;
        `math.inf`: the whole way to a state.

    Examples
    --------
    >>> import elbowroom as er
    >>> wall = er.Group([(er.Box([1, 10, 4]), er.Pose(translation=[0, 0, z])) for z in (-3.0, 3.0)])
    >>> checker = er.MotionChecker(er.Box([3, 0.5, 0.5]), wall)
    >>> space = er.planning.RigidSpace([-5, -5, -5], [5, 5, 5])
    >>> left, right = er.Pose(translation=[-4, 0, 3]), er.Pose(translation=[4, 0, -3])
    >>> path = er.planning.RRTConnect(space, checker, start=left, goal=right).solve()
    >>> path.found, path.certificate.free
    (True, True)
    >>> path.shortened().length <= path.length
    True
    """

    def __init__(
        self,
        space: Space,
        checker: Checker,
        *,
        start: StateLike,
        goal: StateLike,
        seed: int = 0,
        step: float | None = None,
    ) -> None:
        fitting(space, checker)
        self.space, self.checker = space, checker
        self.start = free_state(space, checker, start, "start")
        self.goal = free_state(space, checker, goal, "goal")
        self.seed = _arrays.count(seed, "seed", 0)
        self.step = checked_step(0.1 * space.extent or None if step is None else step)
        self._in_use = InUse()
        self._sides = [Branches(space, self.start), Branches(space, self.goal)]
        self._draws = draws(space, np.random.default_rng(self.seed))
        self._turn, self._made, self._seconds = 0, 0, 0.0
        self._met: tuple[int, int] | None = None
        self._straight_tried = False

    def __repr__(self) -> str:
        one, other = map(len, self._sides)
        return f"<RRTConnect: trees of {one:,} and {other:,} nodes, seed {self.seed}, in {self.space!r}>"

    @alone
    def solve(
        self, *, attempts: int | None = None, seconds: float | None = None, progress: bool | None = None
    ) -> Path:
        """Look for a path, found or not, within so many more attempts (random states) or seconds.

        If no limit is given it makes 100,000 attempts. The search goes on where it was left. `progress`: show
        a bar; None: if it takes longer than two seconds on a terminal.
        """
        if attempts is seconds is None:
            attempts = ATTEMPTS
        limits = Limits.checked(None, attempts, seconds)
        with Progress(progress, "attempts", attempts) as tell:
            for count in limits.stretches():
                limits.made += self._try(count)
                if self._met is not None:
                    break
                tell(limits.made, f", {len(self._sides[0]) + len(self._sides[1]):,} nodes")
        self._made += limits.made
        self._seconds += limits.spent
        return self._path()

    def _try(self, count: int) -> int:
        """So many attempts, fewer if the trees meet."""
        if not self._straight_tried:
            self._straight_tried = True
            if self.checker.free(self.start, self.goal):
                self._met = 0, 0
        made = 0
        while self._met is None and made < count:
            made += 1
            self._attempt(*next(self._draws))
        return made

    def _attempt(self, key: list[float], state: Floats) -> None:
        """Extend one tree, connect the other to it, and change their parts."""
        one, other = self._sides[self._turn], self._sides[1 - self._turn]
        new = self._extend(one, key, state)
        if new >= 0:
            reached = self._connect(other, one.states[new])
            if reached >= 0:
                self._met = (new, reached) if self._turn == 0 else (reached, new)
        self._turn = 1 - self._turn

    def _extend(self, side: Branches, key: list[float], state: Floats) -> int:
        """The number of the new node, or -1."""
        at, key, new = side.toward(key, state, self.step)
        return side.add(key, new, at) if self.checker.free(side.states[at], new) else -1

    def _connect(self, side: Branches, state: Floats) -> int:
        """Go towards a state step by step; the number of the node from which it can be reached, or -1."""
        at, steps = side.steps(side.key(state), state, self.step)
        for key, new in steps:
            if not self.checker.free(side.states[at], new):
                return -1
            if new is not state:
                at = side.add(key, new, at)
        return at

    def _path(self) -> Path:
        trees = tuple(Tree(self.space, *side.arrays(), self._made, self._seconds) for side in self._sides)
        states: list[Floats] = []
        if self._met is not None:
            first, last = (side.way(number) for side, number in zip(self._sides, self._met, strict=True))
            states = first + last[::-1]
        return Path(
            np.array(states).reshape(-1, *self.space.shape),
            self.checker,
            found=self._met is not None,
            space=self.space,
            trees=trees,
            attempts=self._made,
            seconds=self._seconds,
        )
