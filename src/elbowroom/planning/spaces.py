"""What a planner must know of states: how to draw them, how far they are apart, what lies between."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core

if TYPE_CHECKING:
    from elbowroom._types import StateLike
    from elbowroom.motion import Motion

Floats = NDArray[np.float64]


class Space(ABC):
    """A box of states. A state is an array; its *key* is what nearest neighbours are found by.

    Examples
    --------
    >>> import elbowroom as er
    >>> space = er.planning.RigidSpace([0, 0, 0], [1, 1, 1])
    >>> isinstance(space, er.planning.Space), space.shape, space.low.tolist()
    (True, (4, 4), [0.0, 0.0, 0.0])
    """

    #: Shape of a state.
    shape: tuple[int, ...]
    #: Least and greatest values of what is drawn from an interval.
    low: Floats
    high: Floats

    @property
    @abstractmethod
    def numbers(self) -> int:
        """Uniform random numbers that a state is made from."""

    @property
    @abstractmethod
    def extent(self) -> float:
        """No two states are farther apart."""

    @abstractmethod
    def drawn(self, uniform: Floats) -> tuple[Floats, Floats]:
        """States (n, ...) made from uniform numbers (n, numbers), and their keys (n, k)."""

    @abstractmethod
    def keys(self, states: Floats) -> Floats:
        """Keys (n, k) of states (n, ...)."""

    @abstractmethod
    def index(self) -> _core.PointTree:
        """An empty tree of keys, for nearest neighbours by the metric of this space."""

    @abstractmethod
    def checked(self, value: StateLike, name: str) -> Floats:
        """A state, as it was given: a ValueError names it and says what is wrong with it."""

    @abstractmethod
    def contains(self, state: Floats) -> bool:
        """Is the state inside the box?"""

    @abstractmethod
    def between(self, a: Floats, b: Floats, times: Floats) -> Floats:
        """States (n, ...) on the way from one to another at times (n,) from 0 to 1."""

    @abstractmethod
    def motion(self, a: StateLike, b: StateLike) -> Motion | Floats:
        """The motion from one state to another, as `elbowroom.check` takes it."""

    def state(self, value: StateLike, name: str) -> Floats:
        """A state inside the box, or a ValueError that names it."""
        state = np.array(self.checked(value, name))
        if not self.contains(state):
            raise ValueError(f"{name} is outside the space, {self._outside(state)}")
        return state

    def sample(self, rng: np.random.Generator, n: int | None = None) -> Floats:
        """A state at random, uniform over the space, or n of them.

        State i is made from the i-th run of numbers of the generator, however many are drawn at a time.
        """
        count = 1 if n is None else _arrays.count(n, "n", 1)
        states, _ = self.drawn(rng.random((count, self.numbers)))
        return states[0] if n is None else states

    def distances(self, a: Floats, b: Floats) -> Floats:
        """Distances (n,) of states (n, ...) from states (n, ...)."""
        return self._ruler.distances(self.keys(a), self.keys(b))

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled and copied: all but the ruler, which is made again."""
        return {name: value for name, value in vars(self).items() if name != "_ruler"}

    @cached_property
    def _ruler(self) -> _core.PointTree:
        """A tree without points, which knows distances all the same."""
        return self.index()

    def distance(self, a: StateLike, b: StateLike) -> float:
        """How far two states are apart."""
        return float(self.distances(self.checked(a, "a")[None], self.checked(b, "b")[None])[0])

    def interpolate(self, a: StateLike, b: StateLike, t: ArrayLike) -> Floats:
        """The state at time t from 0 to 1 on the way from a to b; for times (n,), n states."""
        times = _arrays.numbers(t, "t")
        found = self.between(self.checked(a, "a"), self.checked(b, "b"), times.reshape(-1))
        return found[0] if times.ndim == 0 else found

    @abstractmethod
    def _outside(self, state: Floats) -> str:
        """Where a state leaves the box."""


def checked_space(space: Any) -> Space:
    """The space itself, or a ValueError that says what was given in its place."""
    if isinstance(space, Space):
        return space
    hint = "; a checker comes by its name, checker=" if hasattr(space, "free") else ""
    raise ValueError(f"space must be a RigidSpace or a JointSpace, got {type(space).__name__}{hint}")


def checked_box(low: ArrayLike, high: ArrayLike, count: int | None) -> tuple[Floats, Floats]:
    """Two arrays of so many numbers, the first nowhere above the second."""
    least, most = (np.atleast_1d(_arrays.numbers(x, name)) for x, name in ((low, "low"), (high, "high")))
    for array, name in ((least, "low"), (most, "high")):
        if array.shape != (count or least.size,):
            raise ValueError(f"{name} must have shape ({count or least.size},), got {array.shape}")
    if (least > most).any():
        where = int(np.argmax(least > most))
        raise ValueError(f"low must not exceed high: {least[where]} and {most[where]} at index {where}")
    return least, most


def beyond(values: Floats, low: Floats, high: Floats) -> tuple[int, str]:
    """The first value outside its interval, and what is wrong with it."""
    where = int(np.argmax((values < low) | (values > high)))
    return where, f"{values[where]:.6g} is not between {low[where]:.6g} and {high[where]:.6g}"
