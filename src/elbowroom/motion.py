"""Motions: how a rigid body goes from one pose to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom.body import Body
from elbowroom.pose import Pose

if TYPE_CHECKING:
    from elbowroom._types import PoseLike


class Motion(_core.Motion):
    """A straight motion of a rigid body: the translation linear, the rotation about a fixed axis.

    Time runs from 0 to 1. The rotation takes the short way round, by an angle up to and including pi; at pi
    both ways are as short, and one is taken. With arrays (n, 4, 4) of poses it holds n motions, which
    `er.check` proves on all cores.

    Parameters
    ----------
    start, goal
        Poses: an er.Pose, a (4, 4) matrix or (rotation, translation); or arrays (n, 4, 4) of them.

    Examples
    --------
    >>> import elbowroom as er
    >>> motion = er.Motion(er.Pose(), er.Pose([0.5**0.5, 0, 0, 0.5**0.5], [2, 0, 0]))
    >>> round(motion.angle, 6), motion.axis.round(9).tolist()
    (1.570796, [0.0, 0.0, 1.0])
    >>> motion.at(0.5).translation.tolist()
    [1.0, 0.0, 0.0]
    >>> round(motion.standard_bound(radius=1.0), 6)  # no point of a body of radius 1 goes farther
    3.570796

    References
    ----------
    [He2014]_, Eqs. 5 to 7.
    """

    def __init__(
        self, start: PoseLike | Sequence[Pose] | None, goal: PoseLike | Sequence[Pose] | None
    ) -> None:
        super().__init__(_given(start, "start"), _given(goal, "goal"))

    @property
    def start(self) -> Pose:
        """The pose at time 0."""
        return self.at(0.0)

    @property
    def goal(self) -> Pose:
        """The pose at time 1."""
        return self.at(1.0)

    @property
    def translation(self) -> NDArray[np.float64]:
        """(3,): how far the origin of the body moves."""
        self._need_one()
        return self._translation

    @property
    def axis(self) -> NDArray[np.float64]:
        """(3,): the unit axis of rotation in the world; of no meaning if the angle is 0."""
        self._need_one()
        return self._axis

    @property
    def angle(self) -> float:
        """By how much it turns, from 0 to pi."""
        self._need_one()
        return self._angle

    @overload
    def at(self, t: float) -> Pose: ...
    @overload
    def at(self, t: Sequence[float] | NDArray[np.generic]) -> NDArray[np.float64]: ...
    def at(self, t: ArrayLike) -> Pose | NDArray[np.float64]:
        """The pose at a time from 0 to 1; the poses (n, 4, 4) at an array of times."""
        self._need_one()
        if np.ndim(t) == 0:
            time = _arrays.share(t, "t")
            return Pose.from_matrix(self._at(np.array([time]))[0])
        times = _arrays.numbers(t, "t")
        if times.size and not (times.min() >= 0 and times.max() <= 1):
            raise ValueError("t must be from 0 to 1")
        return self._at(times)

    def radius(self, body: Body, about: Literal["origin", "axis"] = "origin") -> float:
        """How far the body reaches from the origin of its frame (Eq. 12), or from the axis of this rotation.

        Either may stand for r in the bounds below; about the axis it is the smaller.
        """
        self._need_one()
        if not isinstance(body, _core.RigidBody):
            raise ValueError(f"body must be a rigid body, got {type(body).__name__}")
        return self._radius(body, _arrays.choice(about, "about", ("origin", "axis")) == 1)

    def standard_bound(self, radius: float, tau: float = 1.0, *, chord: bool = False) -> float:
        """No point of a body moves farther than this within the time tau (Eq. 17).

        `chord` takes the chord of the turn, 2 r sin(tau angle / 2), in place of the arc r tau angle.
        """
        self._need_one()
        r, time = _arrays.length(radius, "radius"), _arrays.share(tau, "tau")
        along = float(self._translation @ self._axis)
        across = float(np.linalg.norm(self._translation - along * self._axis))
        turned = 2 * r * np.sin(min(time * self._angle, np.pi) / 2) if chord else r * time * self._angle
        return float(np.hypot(time * across + turned, time * along))

    def hourglass(self, radius: float, *, tau: float = 1.0, chord: bool = False) -> NDArray[np.float64]:
        """The linear map (3, 3) that takes the hourglass into a ball (Eqs. 20 to 23).

        In the time s a point of a body of this radius moves by a u with |T u| <= |s|; so a distance d
        between the mapped body and the mapped obstacles proves the time d before and after free. If hardly
        anything moves along the axis, where the paper's map breaks down, the ellipse about a stadium is used.

        `chord` uses the chord of the turn within `tau`: then |T u| <= tau for all times up to tau.
        """
        self._need_one()
        r, time = _arrays.length(radius, "radius"), _arrays.share(tau, "tau")
        if chord and self._angle > 0 and time > 0:
            r *= float(2 * np.sin(min(time * self._angle, np.pi) / 2) / (time * self._angle))
        if not (self._translation.any() or r * self._angle > 0):
            raise ValueError("the hourglass of a motion that moves nothing is a point: there is no map")
        return self._hourglass(r)

    def hourglass_volume(self, radius: float) -> float:
        """The volume of the hourglass of the whole motion about its middle, H(1) of Eq. 15.

        The paper suggests it as a metric for planners: the smaller, the likelier the motion is free.
        """
        self._need_one()
        r = _arrays.length(radius, "radius")
        along = abs(float(self._translation @ self._axis))
        return float(2 / 3 * np.pi * (r * self._angle) ** 2 * along)

    def part(self, t0: float, t1: float) -> Motion:
        """What happens from t0 to t1, as a motion of its own; backwards if t1 is the smaller."""
        out = Motion(None, None)
        out._take_part(self, _arrays.share(t0, "t0"), _arrays.share(t1, "t1"))
        return out

    def reversed(self) -> Motion:
        """The same way back, also where the angle is pi and both ways round are as short."""
        return self.part(1.0, 0.0)

    def __len__(self) -> int:
        if not self._many:
            raise TypeError("a single Motion has no length: one of arrays of poses has")
        return self._count

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, i: int) -> Motion:
        n = len(self)
        k = i + n if i < 0 else i
        if not 0 <= k < n:
            raise IndexError(f"there are {n} motions, and none with number {i}")
        out = Motion(None, None)
        out._take(self, k)
        return out

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Motion):
            return NotImplemented
        mine, others = self._state(), other._state()
        return self._many == other._many and all(
            np.array_equal(x, y) for x, y in zip(mine, others, strict=True)
        )

    def __hash__(self) -> int:
        return hash(tuple((x + 0.0).tobytes() for x in self._state()))

    def _state(self) -> tuple[NDArray[np.float64], ...]:
        return self._at_all(0.0), self._at_all(1.0), self._axes(), self._angles()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._many, *self._state())

    def __repr__(self) -> str:
        if self._many:
            return f"<Motion: {self._count} motions>"
        length = float(np.linalg.norm(self._translation))
        return f"<Motion: translation {length:.6g}, rotation {self._angle:.6g} rad>"

    def _need_one(self) -> None:
        if self._many:
            raise ValueError(f"this holds {self._count} motions: take one, as motion[0]")


def _given(pose: Any, name: str) -> Any:
    """A pose as the core takes it; errors name the argument."""
    return pose if pose is None or isinstance(pose, _core.Pose) else _arrays.poses(pose, name)


def _restored(
    many: bool,
    starts: NDArray[np.float64],
    goals: NDArray[np.float64],
    axes: NDArray[np.float64],
    angles: NDArray[np.float64],
) -> Motion:
    motion = Motion(starts if many else starts[0], goals if many else goals[0])
    # A half turn goes either way, and only the axis tells which. All else follows from start and goal.
    own_axes, own_angles = motion._axes(), motion._angles()
    axes, angles = _arrays.numbers(axes, "axes"), _arrays.numbers(angles, "angles")
    same = axes.shape == own_axes.shape and angles.shape == own_angles.shape
    if same:
        off = np.minimum(np.abs(axes - own_axes), np.abs(axes + own_axes)).max(axis=1)
        near = np.abs(angles - own_angles) + np.abs(np.linalg.norm(axes, axis=1) - 1) < 1e-6
        same = bool((near & (off * own_angles < 1e-6)).all())
    if not same:
        raise ValueError("axes and angles of a saved motion do not lead from start to goal")
    motion._set_axis(np.ascontiguousarray(axes), np.ascontiguousarray(angles))
    return motion
