"""A tree of states while it grows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.articulated import Articulated

from .spaces import Floats, Space, checked_space

if TYPE_CHECKING:
    from elbowroom._types import StateLike

#: Random states are drawn so many at a time.
BLOCK = 512
Draw = tuple[list[float], Floats]


class Checker(Protocol):
    """What planners ask of an `er.MotionChecker`."""

    def free(self, start: StateLike, goal: StateLike, /) -> bool:
        """Is the motion between two states proved free?"""

    def valid(self, state: StateLike, /) -> bool:
        """Is the state free?"""


class Branches:
    """States, the number of each one's parent, and an index of them all."""

    def __init__(self, space: Space, root: Floats) -> None:
        self.space = space
        self.states: list[Floats] = [root]
        self.parents: list[int] = [-1]
        self.index = space.index()
        self.index.insert(self.key(root))

    def key(self, state: Floats) -> list[float]:
        """What the index knows a state by."""
        key: list[float] = self.space.keys(state[None])[0].tolist()
        return key

    def add(self, key: list[float], state: Floats, parent: int) -> int:
        """The number of the new state."""
        self.states.append(state)
        self.parents.append(parent)
        return self.index.insert(key)

    def toward(self, key: list[float], state: Floats, step: float | None) -> tuple[int, list[float], Floats]:
        """The nearest node, and the state itself with its key, or what is at most a step from the node."""
        if step is None:
            return self.index.nearest(key), key, state
        at, distance = self.index.nearest_and_distance(key)
        if distance <= step:
            return at, key, state
        new = self.space.between(self.states[at], state, np.array([step / distance]))[0]
        return at, self.key(new), new

    def steps(self, key: list[float], state: Floats, step: float | None) -> tuple[int, list[Draw]]:
        """The nearest node, and the states that lead from it to a state, a step from each to the next."""
        at, distance = self.index.nearest_and_distance(key)
        count = 1 if step is None else max(math.ceil(distance / step), 1)
        if count == 1 or step is None:
            return at, [(key, state)]
        between = self.space.between(self.states[at], state, (step / distance) * np.arange(1.0, count))
        return at, [*zip(self.space.keys(between).tolist(), between, strict=True), (key, state)]

    def way(self, number: int) -> list[Floats]:
        """The states from the root to this one."""
        back = []
        while number >= 0:
            back.append(self.states[number])
            number = self.parents[number]
        return back[::-1]

    def arrays(self) -> tuple[Floats, NDArray[np.int32]]:
        """All states (n, ...) and their parents (n,)."""
        states = np.concatenate(self.states).reshape(-1, *self.space.shape)
        return states, np.array(self.parents, np.int32)

    def __len__(self) -> int:
        return len(self.states)


def draws(space: Space, rng: np.random.Generator) -> Iterator[Draw]:
    """Random states without end, each with its key."""
    while True:
        states, keys = space.drawn(rng.random((BLOCK, space.numbers)))
        yield from zip(keys.tolist(), states, strict=True)


def free_state(space: Space, checker: Checker, value: StateLike, name: str) -> Floats:
    """A state inside the space that is not in collision, or a ValueError that names it."""
    state = space.state(value, name)
    if not checker.valid(state):
        raise ValueError(f"{name} is in collision")
    return state


def checked_step(step: float | None) -> float | None:
    """A length above zero; None, as far as need be, if it is infinite or none."""
    if step is None or step == math.inf:
        return None
    if _arrays.length(step, "step") == 0:
        raise ValueError("step must be larger than 0")
    return float(step)


def checked_checker(checker: Any) -> Any:
    """The checker itself, or a ValueError: it must answer what planners ask."""
    if not all(callable(getattr(checker, name, None)) for name in ("free", "valid")):
        raise ValueError(f"checker must be an er.MotionChecker, got {type(checker).__name__}")
    return checker


def fitting(space: Any, checker: Any) -> None:
    """A ValueError if the space or the checker is none, or the space not one of the checker's body."""
    checked_space(space)
    asked = checked_checker(checker)
    body = getattr(asked, "body", None)
    dof = getattr(space, "dof", None)
    if isinstance(body, Articulated) and dof != body.dof:
        wanted = f"a JointSpace of {body.dof} values, as the checker's body has"
        raise ValueError(f"space must be {wanted}, got {space!r}")
    if body is not None and not isinstance(body, Articulated) and dof is not None:
        raise ValueError(f"space must be a RigidSpace: the checker's body, a {type(body).__name__}, is rigid")
