"""How far two poses are apart, in three ways, each with its tree for nearest neighbours.

* "position": the distance of the positions, as [He2014]_ has it in its experiment;
* "weighted": that plus a weight times the angle between the rotations [Kuffner2004]_;
* "hourglass": the volume of the hourglass that the points of a moving body stay in, which [He2014]_ suggests
  in its conclusion. It is zero for pure translations, and for any motion across its axis, however long; so a
  state is often "nearest" to one far away, and all of them must be looked at. In the paper's own experiment
  the tree of 10,000 nodes took 167,000 attempts by this metric and 19,400 by position. A weight (an area)
  times the distance of the positions can be added to it, which mends that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core

Floats = NDArray[np.float64]
Metric = Literal["position", "weighted", "hourglass"]


@dataclass(frozen=True)
class PoseMetric:
    """A metric of poses by name, with its weight and the radius of the body where it needs them."""

    name: Metric = "position"
    weight: float = 0.0
    radius: float = 0.0

    @classmethod
    def checked(cls, name: str, weight: float | None, radius: float | None) -> PoseMetric:
        """From what was given; a radius is also the natural weight of angles, so it stands in for that."""
        _arrays.choice(name, "metric", get_args(Metric))
        if name == "hourglass" and radius is None:
            raise ValueError('radius must be given for metric="hourglass": that of the body about its origin')
        if name == "weighted" and weight is None and radius is None:
            raise ValueError('weight must be given for metric="weighted": a length for each radian')
        r = 0.0 if radius is None else _arrays.length(radius, "radius")
        default = r if name == "weighted" else 0.0
        w = default if weight is None else _arrays.length(weight, "weight")
        return cls(name, w, r)  # type: ignore[arg-type]

    @property
    def turning(self) -> bool:
        """Does it look at rotations?"""
        return self.name != "position"

    def index(self) -> _core.PointTree:
        """An empty tree for nearest neighbours."""
        if self.name == "weighted":
            return _core.PointTree.of_poses(self.weight)
        if self.name == "hourglass":
            return _core.PointTree.of_hourglasses(self.radius, self.weight)
        return _core.PointTree(3)

    @property
    def scale(self) -> float:
        """What the tree wants quaternions multiplied by."""
        return 2.0 * self.weight if self.name == "weighted" else 1.0

    def largest(self, apart: float) -> float:
        """The largest distance of poses whose positions are at most so far apart."""
        if self.name == "hourglass":
            return 2.0 * np.pi / 3.0 * (np.pi * self.radius) ** 2 * apart + self.weight * apart
        return apart + (self.weight * np.pi if self.turning else 0.0)

    def keys(self, poses: Floats) -> Floats:
        """What the tree knows poses (n, 4, 4) by: positions (n, 3), or with quaternions (n, 7)."""
        if self.turning:
            return _core.pose_keys(np.ascontiguousarray(poses), self.scale)
        return np.ascontiguousarray(poses[:, :3, 3])
