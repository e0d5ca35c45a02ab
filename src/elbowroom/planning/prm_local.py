"""What a roadmap asks about states and motions: of its checker, and of an exact one for what it returns."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from .branches import Checker, fitting
from .prm_checks import Discrete
from .spaces import Floats, Space, checked_space


class Known(IntEnum):
    """What is known of a motion that is not known to collide."""

    ASSUMED = 0
    TESTED = 1
    PROVED = 2


class LocalPlanner:
    """Tests motions by the checker of a roadmap, proves them by an exact one, and counts both."""

    def __init__(self, space: Any, checker: Any, exact: Any) -> None:
        self.space: Space = checked_space(space)
        self.checker = checker
        self.sampled: Discrete | None = checker if isinstance(checker, Discrete) else None
        self.exact: Checker | None = checked_exact(checker, exact)
        if self.exact is not None:
            fitting(self.space, self.exact)
        self.motions = self.proofs = self.checks = self.unfinished = 0

    @property
    def tested(self) -> Known:
        """What is known of a motion that passed the checker."""
        return Known.TESTED if self.sampled is not None else Known.PROVED

    @property
    def enough(self) -> Known:
        """What must be known of the motions of a path."""
        return Known.TESTED if self.exact is None else Known.PROVED

    @property
    def judge(self) -> Any:
        """Who is asked about states that were given."""
        return self if self.exact is None else self.exact

    def valid(self, state: Floats) -> bool:
        """Does a state pass the checker?"""
        before = self._counted()
        passes = bool(self.checker.valid(state))
        self._count(before)
        return passes

    def free(self, a: Floats, b: Floats) -> bool:
        """Does a motion pass the checker?"""
        self.motions += 1
        if self.sampled is None:
            return bool(self.checker.free(a, b))
        before = self._counted()
        passes = self.sampled.free_between(self.space, a, b)
        self._count(before)
        return passes

    def proves(self, a: Floats, b: Floats) -> bool:
        """Is a motion proved free?"""
        assert self.exact is not None
        self.proofs += 1
        return self.exact.free(a, b)

    def _counted(self) -> tuple[int, int]:
        return (0, 0) if self.sampled is None else (self.sampled.checks, self.sampled.unfinished)

    def _count(self, before: tuple[int, int]) -> None:
        """Add what was asked since; the checker itself may serve others, and be reset."""
        checks, unfinished = self._counted()
        self.checks += checks - before[0]
        self.unfinished += unfinished - before[1]


def checked_exact(checker: Any, exact: Any) -> Checker | None:
    """Who proves motions; nobody if that was said. A ValueError names what does not fit."""
    given = type(checker).__name__
    if not isinstance(checker, Discrete):
        if not _answers(checker):
            kinds = "an er.MotionChecker, a Discrete or a Budgeted"
            raise ValueError(f"checker must be {kinds}, got {given}")
        if exact is not None:
            raise ValueError(f"exact must be left out: the checker, a {given}, is exact itself")
        return checker  # type: ignore[no-any-return]
    if exact is False:
        return None
    if exact is None:
        raise ValueError(
            f"exact must be given with a {given}: an er.MotionChecker that proves paths before they are "
            "returned, or False for paths that are not proved"
        )
    if not _answers(exact):
        raise ValueError(f"exact must be an er.MotionChecker or False, got {type(exact).__name__}")
    return exact  # type: ignore[no-any-return]


def _answers(checker: Any) -> bool:
    """Can it be asked what planners ask of an `er.MotionChecker`?"""
    return all(callable(getattr(checker, name, None)) for name in ("free", "valid"))
