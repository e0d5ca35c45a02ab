"""Bounding volumes, as the trees use them: fit, merge, lower bound of the distance, containment.

``fit`` makes a volume of a given class and ``contains`` says what lies in one. Each class has
``merge(other)``, ``separation(other)`` and ``cost``.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core

__all__ = ["Aabb", "Capsule", "Obb", "Rss", "Sphere", "contains", "fit"]

Sphere = _core.SphereVolume
Capsule = _core.CapsuleVolume
Aabb = _core.AabbVolume
Obb = _core.ObbVolume
Rss = _core.RssVolume

_KINDS = (Sphere, Capsule, Aabb, Obb, Rss)
V = TypeVar("V", Sphere, Capsule, Aabb, Obb, Rss)


def fit(kind: type[V], points: ArrayLike, radii: ArrayLike | None = None) -> V:
    """A volume of the given kind that holds the balls with these centres and radii.

    Examples
    --------
    >>> from elbowroom import volumes
    >>> box = volumes.fit(volumes.Aabb, [[0, 0, 0], [1, 2, 3]])
    >>> box.high.tolist()
    [1.0, 2.0, 3.0]
    """
    if not any(kind is known for known in _KINDS):
        names = ", ".join(known.__name__ for known in _KINDS)
        raise ValueError(f"kind must be one of {names}, got {_arrays.shown(kind)}")
    centres = _arrays.points(points, "points")
    return kind._fit(centres, _arrays.radii(radii, len(centres), "radii"))


def contains(
    volume: Sphere | Capsule | Aabb | Obb | Rss,
    points: ArrayLike,
    radii: ArrayLike | None = None,
    *,
    tolerance: float = 0.0,
) -> NDArray[np.bool_]:
    """Which of the balls lie in the volume, or stick out by no more than the tolerance.

    Examples
    --------
    >>> from elbowroom import volumes
    >>> ball = volumes.fit(volumes.Sphere, [[0, 0, 0], [2, 0, 0]])
    >>> volumes.contains(ball, [[1, 0, 0], [1, 0.5, 0], [1, 2, 0]]).tolist()
    [True, True, False]
    """
    if not isinstance(volume, _KINDS):
        raise ValueError(f"volume must be a bounding volume, got {type(volume).__name__}")
    centres = _arrays.points(points, "points")
    excess: NDArray[np.float64] = volume._excess(centres, _arrays.radii(radii, len(centres), "radii"))
    return excess <= _arrays.number(tolerance, "tolerance")
