"""Where a rigid body may be: positions in a box, all rotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom.motion import Motion

from .metrics import Metric, PoseMetric
from .rotations import matrices, uniform_quaternions
from .spaces import Space, beyond, checked_box

if TYPE_CHECKING:
    from elbowroom._types import StateLike

Floats = NDArray[np.float64]


class RigidSpace(Space):
    """Poses of a rigid body, its position in a box and its rotation any.

    A state is a (4, 4) matrix; an `er.Pose` or (rotation, translation) is taken too. Between two states the
    body moves as `er.Motion` says: straight, and turning about a fixed axis. Positions are drawn uniformly
    from the box, and rotations uniformly from all rotations [Shoemake1992]_.

    Parameters
    ----------
    low, high
        Corners of the box of positions: three numbers each.
    metric
        What nearest means. "position": the distance of the positions, as in the experiment of [He2014]_.
        "weighted": that plus `weight` times the angle between the rotations [Kuffner2004]_. "hourglass": the
        volume of the hourglass that the body's points stay in on the way ([He2014]_, Eq. 15 and conclusion),
        plus `weight` times the distance of the positions. The volume alone is zero for pure translations and
        for motions across the axis, however long they are: a weight, the area that the body pushes through,
        makes it a better guide, and the search for the nearest much faster.
    weight
        A length for "weighted", `radius` if it is not given; an area for "hourglass", 0 if it is not given.
    radius
        How far the body reaches from the origin of its frame, as `er.Motion.radius` tells.

    Examples
    --------
    >>> import elbowroom as er
    >>> space = er.planning.RigidSpace([0, 0, 0], [10, 10, 10], metric="weighted", weight=2.0)
    >>> a, b = er.Pose(), er.Pose([0.5**0.5, 0, 0, 0.5**0.5], [3, 4, 0])
    >>> round(space.distance(a, b), 6)  # 5 and two quarter turns
    8.141593
    >>> space.interpolate(a, b, 0.5)[:3, 3].tolist()
    [1.5, 2.0, 0.0]
    """

    shape = (4, 4)

    def __init__(
        self,
        low: ArrayLike,
        high: ArrayLike,
        *,
        metric: Metric = "position",
        weight: float | None = None,
        radius: float | None = None,
    ) -> None:
        self.low, self.high = checked_box(low, high, 3)
        self._metric = PoseMetric.checked(metric, weight, radius)

    @property
    def metric(self) -> Metric:
        """What nearest means."""
        return self._metric.name

    @property
    def weight(self) -> float:
        """Of an angle, for "weighted"; of the distance of positions, for "hourglass"."""
        return self._metric.weight

    @property
    def radius(self) -> float:
        """Of the body, as given."""
        return self._metric.radius

    @property
    def numbers(self) -> int:
        """Uniform random numbers that a state is made from: three for the position, three to turn."""
        return 6

    @property
    def extent(self) -> float:
        """No two states are farther apart: opposite corners of the box, half a turn."""
        return self._metric.largest(float(np.linalg.norm(self.high - self.low)))

    def drawn(self, uniform: Floats) -> tuple[Floats, Floats]:
        """Poses (n, 4, 4) made from uniform numbers (n, 6), and their keys."""
        places = self.low + (self.high - self.low) * uniform[:, :3]
        turns = uniform_quaternions(uniform[:, 3:])
        poses = np.zeros((len(uniform), 4, 4))
        poses[:, :3, :3], poses[:, :3, 3], poses[:, 3, 3] = matrices(turns), places, 1.0
        return poses, np.hstack([places, self._metric.scale * turns]) if self._metric.turning else places

    def keys(self, states: Floats) -> Floats:
        """Positions (n, 3), with quaternions (n, 7) where the metric looks at rotations."""
        return self._metric.keys(states)

    def index(self) -> _core.PointTree:
        """An empty tree of keys, for nearest neighbours by the metric."""
        return self._metric.index()

    def checked(self, value: StateLike, name: str) -> Floats:
        """A pose (4, 4)."""
        return _arrays.pose(value, name)

    def contains(self, state: Floats) -> bool:
        """Is the position inside the box?"""
        return bool(((state[:3, 3] >= self.low) & (state[:3, 3] <= self.high)).all())

    def between(self, a: Floats, b: Floats, times: Floats) -> Floats:
        """Poses (n, 4, 4) on the way from one to another at times (n,)."""
        return _core.Motion(a, b)._at(times)

    def motion(self, a: StateLike, b: StateLike) -> Motion:
        """The motion from one pose to another."""
        return Motion(a, b)

    def _outside(self, state: Floats) -> str:
        where, what = beyond(state[:3, 3], self.low, self.high)
        return f"whose box ends there: {'xyz'[where]} = {what}"

    def __repr__(self) -> str:
        told = f", weight={self.weight}" if self.metric != "position" else ""
        told += f", radius={self.radius}" if self.metric == "hourglass" else ""
        return f"RigidSpace({self.low.tolist()}, {self.high.tolist()}, metric={self.metric!r}{told})"
