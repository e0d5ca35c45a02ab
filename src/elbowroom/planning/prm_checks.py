"""Motions looked at in single configurations, as [Lin2006]_ has it: in full, or each on a budget."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.budget import Budget, Memory

from .spaces import Floats, Space

if TYPE_CHECKING:
    from elbowroom._core import Collision

#: States between two others are made so many at a time: a collision is often found early.
BLOCK = 64
#: Tests that no question needs. A question without a budget might not tell a memory what it saw.
IN_FULL = Budget(tests=2**62)
UNFINISHED = "out of budget"


class Discrete:
    """Asks about configurations along a motion, and takes the motion for free if all of them are.

    What happens between two of them is not seen; a `PRM` proves its paths with an exact checker before it
    returns them. The middle of a motion is asked about first, then the middles of its halves, and so on; its
    ends are not: a planner has asked about them before.

    Parameters
    ----------
    ask
        What is called with a state, a (4, 4) pose or a configuration, and answers with an `er.Collision`, or
        True if there is one. An answer that ran out of budget proves nothing and counts as a collision.
    resolution
        How far apart the configurations may be, in the distance of the space. By the metric "position" of a
        `RigidSpace` a turn has no length; "weighted" sees it.

    Attributes
    ----------
    checks, hits, unfinished
        How many configurations were asked about, collided, and ran out of budget.

    Examples
    --------
    >>> import elbowroom as er
    >>> post = er.Box([1, 1, 1])
    >>> coarse = er.planning.Discrete(lambda pose: er.collide(er.Sphere(0.1), post, pose), 4.0)
    >>> space = er.planning.RigidSpace([-9, -9, -9], [9, 9, 9])
    >>> left, right = (er.Pose(translation=[x, 0, 0]).matrix for x in (-2.0, 4.0))
    >>> coarse.free_between(space, left, right)  # it looked at x = 1 alone
    True
    >>> coarse
    <Discrete: resolution 4, 1 check, 0 collisions>
    """

    def __init__(self, ask: Callable[..., Collision | bool], resolution: float) -> None:
        if not callable(ask):
            raise ValueError(f"ask must be callable with a state, got {type(ask).__name__}")
        self.ask = ask
        self.resolution = _arrays.length(resolution, "resolution")
        if self.resolution == 0:
            raise ValueError("resolution must be larger than 0")
        self.reset_counters()

    def reset_counters(self) -> None:
        """Count from zero again."""
        self.checks = self.hits = self.unfinished = 0

    def valid(self, state: Floats) -> bool:
        """Is there no collision at a state?"""
        answer = self._answered(self.ask(state))
        return not answer and getattr(answer, "status", "") != UNFINISHED

    def free_between(self, space: Space, a: Floats, b: Floats) -> bool:
        """Are all states free that are asked about on the way from one to another?"""
        parts = self._parts(space, a, b)
        return all(map(self.valid, _states(space, a, b, coarse_to_fine(parts) / parts)))

    def _parts(self, space: Space, a: Floats, b: Floats) -> int:
        """How many steps of at most the resolution lead from one state to another."""
        distance = float(space.distances(a[None], b[None])[0])
        return max(math.ceil(distance / self.resolution), 1)

    def _answered(self, answer: Any) -> Any:
        """The answer, counted; anything that is none is refused, as nothing would pass for free."""
        if not isinstance(answer, (bool, np.bool_)) and not hasattr(answer, "status"):
            raise ValueError(f"ask must answer with an er.Collision or a bool, got {type(answer).__name__}")
        self.checks += 1
        self.hits += bool(answer)
        self.unfinished += not answer and getattr(answer, "status", "") == UNFINISHED
        return answer

    def _told(self) -> str:
        checks, hits = (
            f"{n:,} {what}{'' if n == 1 else 's'}"
            for n, what in ((self.checks, "check"), (self.hits, "collision"))
        )
        return f"resolution {self.resolution:.6g}, {checks}, {hits}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._told()}>"


class Budgeted(Discrete):
    """Asks about configurations along a motion, each on a budget, with a memory from one to the next.

    An answer that ran out of budget counts as free if its confidence is at least `accept`: so a motion may
    pass that is not free, and a `PRM` proves its paths with an exact checker before it returns them. The
    configurations are asked about in their order, both ends too, as a memory is of what lies near.

    Parameters
    ----------
    ask
        What is called as ask(state, budget=..., memory=...) and answers with an `er.Collision`; for the
        truth, as ask(state).
    resolution
        How far apart the configurations may be, in the distance of the space.
    budget
        An `er.Budget` for each of them.
    memory
        An `er.Memory`; None: one of its own.
    accept
        The least confidence, from 0 to 1, by which an unfinished answer counts as free.
    first_in_full
        Ask about single states and about the first of every motion without a limit: the confidence in what
        follows then begins at 1. False: on the budget as well, and the memory goes on from one motion to the
        next, wherever that begins.
    record_truth
        Also ask about every unfinished configuration without a limit, and keep the answer in `truths`. What
        counts as free does not depend on it.

    Attributes
    ----------
    checks, hits, unfinished, accepted
        How many configurations were asked about, collided, ran out of budget, and of these counted as free.

    Examples
    --------
    >>> import elbowroom as er
    >>> coil = er.Mesh(*er.scenes.spring())
    >>> checks = er.planning.Budgeted(
    ...     lambda pose, **how: er.collide(coil, coil, pose_b=pose, **how), 0.1, er.Budget(tests=500)
    ... )
    >>> space = er.planning.RigidSpace([-9, -9, -9], [9, 9, 9])
    >>> checks.free_between(space, *er.scenes.spring_path(100)[[0, 5]])
    True
    >>> checks
    <Budgeted: resolution 0.1, 9 checks, 0 collisions, 0 unfinished>
    """

    def __init__(
        self,
        ask: Callable[..., Collision | bool],
        resolution: float,
        budget: Budget,
        *,
        memory: Memory | None = None,
        accept: float = 0.9,
        first_in_full: bool = True,
        record_truth: bool = False,
    ) -> None:
        super().__init__(ask, resolution)
        if not isinstance(budget, Budget):
            raise ValueError(f"budget must be an er.Budget, got {type(budget).__name__}")
        if memory is not None and not isinstance(memory, Memory):
            raise ValueError(f"memory must be an er.Memory, got {type(memory).__name__}")
        self.budget, self.memory = budget, Memory() if memory is None else memory
        self.accept = _arrays.share(accept, "accept")
        self.first_in_full = _arrays.flag(first_in_full, "first_in_full")
        self.record_truth = _arrays.flag(record_truth, "record_truth")

    def reset_counters(self) -> None:
        """Count from zero again, and forget the confidences; the memory keeps what it knows."""
        super().reset_counters()
        self.accepted = 0
        self._confidences: list[float] = []
        self._truths: list[bool] = []

    @property
    def confidences(self) -> Floats:
        """(unfinished,): the confidence of every unfinished answer, in their order."""
        return np.array(self._confidences)

    @property
    def truths(self) -> NDArray[np.bool_]:
        """(unfinished,): whether there was a collision in truth; record_truth=True keeps that."""
        if not self.record_truth:
            raise ValueError("truths were not recorded: make Budgeted with record_truth=True")
        return np.array(self._truths, bool)

    def valid(self, state: Floats) -> bool:
        """Does a state count as free?"""
        return self._passes(state, IN_FULL if self.first_in_full else self.budget)

    def free_between(self, space: Space, a: Floats, b: Floats) -> bool:
        """Do all states count as free that are asked about from one to another?"""
        parts = self._parts(space, a, b)
        states = _states(space, a, b, np.arange(1, parts + 1) / parts)
        return self.valid(a) and all(self._passes(state, self.budget) for state in states)

    def _passes(self, state: Floats, budget: Budget) -> bool:
        answer = self._answered(self.ask(state, budget=budget, memory=self.memory))
        if isinstance(answer, (bool, np.bool_)):
            raise ValueError("ask must answer with an er.Collision: a bool has no confidence")
        if answer or answer.status != UNFINISHED:
            return not answer
        self._confidences.append(float(answer.confidence))
        if self.record_truth:
            self._truths.append(bool(self.ask(state)))
        passes = self._confidences[-1] >= self.accept
        self.accepted += passes
        return passes

    def _told(self) -> str:
        taken = f", {self.accepted:,} of them accepted" if self.unfinished else ""
        return f"{super()._told()}, {self.unfinished:,} unfinished{taken}"


def coarse_to_fine(parts: int) -> NDArray[np.int64]:
    """The numbers from 1 to parts - 1, such as are far apart first: by their bits read backwards."""
    numbers = np.arange(1, parts)
    backwards, bits = np.zeros_like(numbers), max(parts - 1, 1).bit_length()
    for bit in range(bits):
        backwards |= ((numbers >> bit) & 1) << (bits - 1 - bit)
    return numbers[np.argsort(backwards)]


def _states(space: Space, a: Floats, b: Floats, times: Floats) -> Iterator[Floats]:
    for first in range(0, len(times), BLOCK):
        yield from space.between(a, b, times[first : first + BLOCK])
