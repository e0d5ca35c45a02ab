"""Exact checks for the planners of OMPL, the Open Motion Planning Library.

A planner of OMPL asks whether a state is valid, and whether the motion between two states is. OMPL itself
answers the second by looking at states along the motion, and what lies between two of them goes unseen. Here
a `MotionChecker` answers both, so that every motion a planner accepts is proved free.

Between two states of `SE3StateSpace` OMPL moves the position linearly and the rotation by slerp, along the
shorter way: that is `er.Motion`. States of `RealVectorStateSpace` are configurations of an articulated body.

>>> import elbowroom as er
>>> from elbowroom.planning import ompl
>>> checker = er.MotionChecker(er.Sphere(0.5), er.Box([1, 4, 4]))
>>> left, right = er.Pose(translation=[-3, 0, 0]), er.Pose(translation=[3, 0, 0])
>>> setup = ompl.setup(checker, [-5, -5, -5], [5, 5, 5], start=left, goal=right)
>>> path = ompl.solve(setup, seconds=10)
>>> path.found, path.certificate.free
(True, True)

Random numbers are OMPL's own: `ompl.util.RNG.setSeed` of the package ompl makes runs repeatable, and must be
called before anything else of OMPL is used. OMPL holds the interpreter while it plans; an interrupt from the
keyboard gets through. Its counts of motions (`getValidMotionCount`) stay zero; `checker.counters` counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from elbowroom import _arrays
from elbowroom.articulated import Articulated

from ._ompl_states import (
    State,
    along,
    base,
    from_ompl,
    geometric,
    half_a_turn,
    ompl_space,
    reader,
    space_of,
    to_ompl,
    util,
)
from .branches import checked_checker, free_state
from .path import Path

if TYPE_CHECKING:
    from elbowroom._types import StateLike
    from elbowroom.motion_checker import MotionChecker

__all__ = ["MotionValidator", "StateValidityChecker", "from_ompl", "setup", "solve", "to_ompl"]

#: Objects of OMPL, which tells no types.
SpaceInformation = Any
SimpleSetup = Any


class StateValidityChecker(base.StateValidityChecker):  # type: ignore[misc]
    """Tells OMPL whether the body touches nothing in a state.

    Parameters
    ----------
    si
        OMPL's SpaceInformation, over SE3StateSpace, or RealVectorStateSpace for an articulated body.
    checker
        Knows the body and the obstacles.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom.planning import ompl
    >>> checker = er.MotionChecker(er.Sphere(0.5), er.Box([1, 4, 4]))
    >>> setup = ompl.setup(checker, [-5, -5, -5], [5, 5, 5])
    >>> si = setup.getSpaceInformation()
    >>> valid = ompl.StateValidityChecker(si, checker)
    >>> valid.isValid(ompl.to_ompl(si.getStateSpace(), er.Pose(translation=[3, 0, 0])))
    True
    """

    def __init__(self, si: SpaceInformation, checker: MotionChecker) -> None:
        super().__init__(si)
        self.checker = checker
        self._read = reader(si.getStateSpace(), checker.body)

    def isValid(self, state: State) -> bool:
        """Is there no contact in this state?"""
        return bool(self.checker.valid(self._read(state)))


class MotionValidator(base.MotionValidator):  # type: ignore[misc]
    """Proves for OMPL that the motion from one state to another is free.

    OMPL's C++ offers a second question, how far a motion that fails is free; it does not reach Python. The
    planners that ask it get the verdict only, and go on with that.

    Parameters
    ----------
    si
        OMPL's SpaceInformation, over SE3StateSpace, or RealVectorStateSpace for an articulated body. It is
        not kept: it holds the validator, and the two would keep each other alive for ever.
    checker
        Knows the body and the obstacles.

    Attributes
    ----------
    asked
        How many motions OMPL asked about.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom.planning import ompl
    >>> checker = er.MotionChecker(er.Sphere(0.5), er.Box([1, 4, 4]))
    >>> si = ompl.setup(checker, [-5, -5, -5], [5, 5, 5]).getSpaceInformation()
    >>> left, right = (ompl.to_ompl(si.getStateSpace(), er.Pose(translation=[x, 0, 0])) for x in (-3, 3))
    >>> validator = ompl.MotionValidator(si, checker)
    >>> validator.checkMotion(left, right), validator.asked
    (False, 1)
    """

    def __init__(self, si: SpaceInformation, checker: MotionChecker) -> None:
        super().__init__(si)
        self.checker, self.asked = checker, 0
        self._space = si.getStateSpace()
        self._read = reader(self._space, checker.body)
        self._turns = not isinstance(checker.body, Articulated)
        self._middle = self._space.allocState()

    def checkMotion(self, first: State, second: State) -> bool:
        """Is the motion proved free, both ends included?"""
        read, free = self._read, self.checker.free
        self.asked += 1
        if self._turns and half_a_turn(first, second):
            self._space.interpolate(first, second, 0.5, self._middle)
            middle = read(self._middle)
            return bool(free(read(first), middle) and free(middle, read(second)))
        return bool(free(read(first), read(second)))


def setup(
    checker: MotionChecker,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    *,
    start: StateLike | None = None,
    goal: StateLike | None = None,
    planner: str = "RRTConnect",
    step: float | None = None,
) -> SimpleSetup:
    """An `ompl.geometric.SimpleSetup` with exact checks of states and motions.

    Parameters
    ----------
    checker
        Knows the body and the obstacles. An articulated body is planned for in RealVectorStateSpace, any
        other as a rigid body in SE3StateSpace.
    low, high
        Bounds of the position, three numbers each; of an articulated body bounds of the configuration, and
        its own limits where they are left out.
    start, goal
        Poses or configurations; they can also be set later, on what is returned.
    planner
        Name of a class of `ompl.geometric`.
    step
        How far the planner goes at once (`setRange`), for those that have such a range; none: OMPL's choice.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom.planning import ompl
    >>> checker = er.MotionChecker(er.Sphere(0.5), er.Box([1, 4, 4]))
    >>> setup = ompl.setup(checker, [-5, -5, -5], [5, 5, 5], planner="RRT", step=2.0)
    >>> setup.getPlanner().getName()
    'RRT'
    """
    if not hasattr(checked_checker(checker), "body"):
        raise ValueError(f"checker must be an er.MotionChecker, got {type(checker).__name__}")
    space = space_of(checker.body, low, high)
    made = geometric.SimpleSetup(ompl_space(space))
    si = made.getSpaceInformation()
    made.setStateValidityChecker(StateValidityChecker(si, checker))
    si.setMotionValidator(MotionValidator(si, checker))
    made.setPlanner(_planner(si, planner, step))
    if start is not None:
        made.setStartState(to_ompl(made.getStateSpace(), free_state(space, checker, start, "start")))
    if goal is not None:
        made.setGoalState(to_ompl(made.getStateSpace(), free_state(space, checker, goal, "goal")))
    return made


def solve(setup: SimpleSetup, seconds: float = 10.0, *, simplify: bool = False) -> Path:
    """Let OMPL plan for at most so long; the path is found if it leads to the goal.

    The path is checked once more as a whole when its `certificate` is asked for. What OMPL would print is
    left out.

    Parameters
    ----------
    setup
        As `setup` makes it, with start and goal.
    seconds
        Time for planning.
    simplify
        Shorten the path by OMPL's own means afterwards; the motions of the new one are proved free too.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom.planning import ompl
    >>> checker = er.MotionChecker(er.Sphere(0.5), er.Box([1, 4, 4]))
    >>> ends = er.Pose(translation=[-3, 0, 0]), er.Pose(translation=[3, 0, 0])
    >>> setup = ompl.setup(checker, [-5, -5, -5], [5, 5, 5], start=ends[0], goal=ends[1])
    >>> path = ompl.solve(setup, seconds=10, simplify=True)
    >>> path.found, path.certificate.free
    (True, True)
    """
    if not isinstance(setup, geometric.SimpleSetup):
        raise ValueError(f"setup must be a SimpleSetup of OMPL, got {type(setup).__name__}")
    validator = setup.getSpaceInformation().getMotionValidator()
    if not isinstance(validator, MotionValidator):
        raise ValueError("setup must have a MotionValidator of elbowroom.planning.ompl")
    if setup.getGoal() is None or not setup.getProblemDefinition().getStartStateCount():
        raise ValueError("setup must have a start and a goal")
    begin, checked = perf_counter(), validator.asked
    with _silence():
        status = setup.solve(_arrays.length(seconds, "seconds")).getStatus()
        found = status == base.PlannerStatus.EXACT_SOLUTION
        if found and simplify:
            setup.simplifySolution()
    theirs = setup.getStateSpace()
    bounds = theirs.getBounds()
    space = space_of(validator.checker.body, bounds.low, bounds.high)
    states = along(setup.getSolutionPath(), theirs) if found else np.empty((0, *space.shape))
    return Path(
        states,
        validator.checker,
        found=found,
        space=space,
        attempts=validator.asked - checked,
        seconds=perf_counter() - begin,
    )


def _planner(si: SpaceInformation, name: str, step: float | None) -> Any:
    kind = getattr(geometric, name, None) if isinstance(name, str) else None
    if not isinstance(kind, type) or not issubclass(kind, base.Planner):
        known = [one for one, thing in vars(geometric).items() if _plans(thing)]
        raise ValueError(f"planner must be one of {', '.join(sorted(known))}, got {name!r:.80}")
    made = kind(si)
    if step is not None:
        if not hasattr(made, "setRange"):
            raise ValueError(f"step must be left alone: {name} has no range")
        made.setRange(_arrays.length(step, "step"))
    return made


def _plans(thing: Any) -> bool:
    return isinstance(thing, type) and issubclass(thing, base.Planner)


@contextmanager
def _silence() -> Iterator[None]:
    before = util.getLogLevel()
    util.setLogLevel(util.LOG_NONE)
    try:
        yield
    finally:
        util.setLogLevel(before)
