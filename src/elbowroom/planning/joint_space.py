"""Where the joints of an articulated body may be: configurations within limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom.articulated import Articulated

from .rotations import turned, uniform_quaternions
from .spaces import Space, beyond, checked_box

if TYPE_CHECKING:
    from elbowroom._types import StateLike

Floats = NDArray[np.float64]


class JointSpace(Space):
    """Configurations of an articulated body, each value between two limits.

    A state is an array (dof,). Between two states all values change at constant rates, as `er.check` takes
    paths of articulated bodies; a joint that could go round and round does not: its values are numbers.
    Nearest is by Euclidean distance of the weighted values.

    Parameters
    ----------
    low, high
        Least and greatest values, one of each for every value of a configuration.
    weights
        How much each value counts, or one number for all; none: 1, and 2 for parts of quaternions, whose
        distance is then about the angle.
    turns
        Where in a configuration unit quaternions begin, those of spherical and free joints. They are drawn
        uniformly from all rotations and turn at a constant rate, and their limits are not looked at.
    names
        Names of the values, for files and messages.

    Examples
    --------
    >>> import elbowroom as er
    >>> space = er.planning.JointSpace([-1, -1], [1, 3], weights=[1, 2])
    >>> space.distance([0, 0], [3, 2])
    5.0
    >>> space.interpolate([0, 0], [1, 2], [0.25, 0.5]).tolist()
    [[0.25, 0.5], [0.5, 1.0]]
    """

    def __init__(
        self,
        low: ArrayLike,
        high: ArrayLike,
        *,
        weights: ArrayLike | None = None,
        turns: Sequence[int] = (),
        names: Sequence[str] | None = None,
    ) -> None:
        self.low, self.high = checked_box(low, high, None)
        self.shape = self.low.shape
        self.turns = tuple(_arrays.count(t, "turns", 0, self.dof - 4) for t in _arrays.listed(turns, "turns"))
        quaternion = np.zeros(self.dof, bool)
        for first in self.turns:
            if quaternion[first : first + 4].any():
                raise ValueError(f"turns has quaternions that overlap, at {first}")
            quaternion[first : first + 4] = True
        self._plain = np.flatnonzero(~quaternion)
        self.weights = self._weights(weights, quaternion)
        given = [f"q{i}" for i in range(self.dof)] if names is None else _arrays.listed(names, "names")
        self.names = tuple(given)
        if len(self.names) != self.dof:
            raise ValueError(f"names must have {self.dof} names, got {len(self.names)}")
        if not all(isinstance(name, str) for name in self.names):
            raise ValueError(f"names must be texts, got {_arrays.shown(given)}")

    @classmethod
    def of(
        cls,
        body: Articulated,
        *,
        low: ArrayLike | None = None,
        high: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> JointSpace:
        """The space of a body's configurations, within its own limits where `low` and `high` are not given.

        Revolute joints without limits are searched from -pi to pi. Prismatic and free joints without limits
        must be given some.

        Examples
        --------
        >>> import elbowroom as er
        >>> bar = [(er.Capsule(0.1, 0.8), er.Pose(translation=[0, 0, 0.5]))]
        >>> arm = er.Articulated(
        ...     [er.Link("upper", bar), er.Link("lower", bar)],
        ...     [er.Joint("elbow", "revolute", "upper", "lower", er.Pose(translation=[0, 0, 1]), (0, 1, 0))],
        ... )
        >>> er.planning.JointSpace.of(arm)
        <JointSpace: elbow from -3.14159 to 3.14159>
        """
        if not isinstance(body, Articulated):
            raise ValueError(f"body must be an Articulated, got {type(body).__name__}")
        own = body.limits
        turns = [
            place.stop - 4 for place in map(body.index, body.joint_names) if place.stop - place.start >= 4
        ]
        names = tuple(name for name in body.joint_names for _ in range(*body.index(name).indices(body.dof)))
        least = _limits(body, own[:, 0], -np.pi) if low is None else low
        most = _limits(body, own[:, 1], np.pi) if high is None else high
        return cls(least, most, weights=weights, turns=turns, names=names)

    @property
    def dof(self) -> int:
        """The length of a configuration."""
        return len(self.low)

    @property
    def numbers(self) -> int:
        """Uniform random numbers that a state is made from: one for a value, three for a rotation."""
        return self.dof - len(self.turns)

    @property
    def extent(self) -> float:
        """No two states are farther apart: opposite limits, and rotations by half a turn."""
        plain = self._plain
        squares = (self.weights * (self.high - self.low))[plain] ** 2
        chords = [2.0 * self.weights[first] ** 2 for first in self.turns]
        return float(np.sqrt(squares.sum() + sum(chords)))

    def drawn(self, uniform: Floats) -> tuple[Floats, Floats]:
        """Configurations (n, dof) made from uniform numbers (n, numbers), and their keys."""
        states = np.empty((len(uniform), self.dof))
        plain = self._plain
        states[:, plain] = self.low[plain] + (self.high - self.low)[plain] * uniform[:, : len(plain)]
        for k, first in enumerate(self.turns):
            at = len(plain) + 3 * k
            states[:, first : first + 4] = uniform_quaternions(uniform[:, at : at + 3])
        return states, self.keys(states)

    def keys(self, states: Floats) -> Floats:
        """Weighted values, those of quaternions last (n, dof)."""
        weighted = states * self.weights
        if not self.turns:
            return weighted
        parts = [weighted[:, first : first + 4] for first in self.turns]
        return np.hstack([weighted[:, self._plain], *parts])

    def index(self) -> _core.PointTree:
        """An empty tree of keys, for nearest neighbours."""
        return _core.PointTree(len(self._plain), len(self.turns))

    def checked(self, value: StateLike, name: str) -> Floats:
        """A configuration (dof,) with unit quaternions."""
        array = _arrays.configurations(value, self.dof, name)
        if array.ndim != 1:
            raise ValueError(f"{name} must be one configuration, of shape ({self.dof},), got {array.shape}")
        for first in self.turns:
            _arrays.unit_quaternions(array[first : first + 4], f"{name}: the quaternion at {first}")
        return array

    def distance(self, a: StateLike, b: StateLike) -> float:
        """How far two states are apart."""
        found = None if self.turns else self._ruler.weighted_distance(a, b, self.weights)
        return super().distance(a, b) if found is None else found

    def contains(self, state: Floats) -> bool:
        """Is every value within its limits?"""
        inside = (state >= self.low) & (state <= self.high)
        return bool(inside[self._plain].all())

    def between(self, a: Floats, b: Floats, times: Floats) -> Floats:
        """Configurations (n, dof) on the way from one to another at times (n,)."""
        t = times[:, None]
        out = (1.0 - t) * a + t * b
        for first in self.turns:
            place = slice(first, first + 4)
            out[:, place] = turned(a[place], b[place], times)
        return out

    def motion(self, a: StateLike, b: StateLike) -> Floats:
        """The two configurations (2, dof): a path, straight between them."""
        return np.stack([self.checked(a, "a"), self.checked(b, "b")])

    def _weights(self, given: ArrayLike | None, quaternion: NDArray[np.bool_]) -> Floats:
        if given is None:
            return np.where(quaternion, 2.0, 1.0)
        weights = _arrays.radii(given, self.dof, "weights")
        for first in self.turns:
            if np.ptp(weights[first : first + 4]) > 0:
                raise ValueError(f"weights must be equal within the quaternion at {first}")
        return weights

    def _outside(self, state: Floats) -> str:
        plain = self._plain
        where, what = beyond(state[plain], self.low[plain], self.high[plain])
        return f"which has limits: {self.names[int(plain[where])]} = {what}"

    def __repr__(self) -> str:
        if self.dof > 3:
            return f"<JointSpace: {self.dof} values>"
        told = zip(self.names, self.low.tolist(), self.high.tolist(), strict=True)
        return f"<JointSpace: {', '.join(f'{name} from {a:.6g} to {b:.6g}' for name, a, b in told)}>"


def _limits(body: Articulated, own: Floats, turn: float) -> Floats:
    """Finite limits: joints of one value turn, those of positions are refused."""
    out = own.copy()
    for joint in body._skeleton.moving:
        place = body.index(joint.name)
        if np.isfinite(own[place]).all():
            continue
        if joint.kind != "revolute":
            raise ValueError(f"joint '{joint.name}' is {joint.kind} without limits: give low and high")
        out[place] = turn
    return out
