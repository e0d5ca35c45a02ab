"""Convex shapes: sphere, capsule, box, hull and half-space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays
from elbowroom.body import UNBOUNDED, Body, read_only

_CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


class _Shape(Body):
    """A body of a single convex primitive."""

    def _set(self, points: NDArray[np.float64], radius: float) -> None:
        super().__init__(points, np.array([0, len(points)], np.int32), np.array([radius]), 8)


class Sphere(_Shape):
    """A ball about the origin.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.distance(er.Sphere(1), er.Sphere(2), pose_b=er.Pose(translation=[5, 0, 0])).value
    2.0
    """

    def __init__(self, radius: float) -> None:
        self.radius = _arrays.size(radius, "radius")
        self._set(np.zeros((1, 3)), self.radius)

    def __reduce__(self) -> tuple[Any, ...]:
        return Sphere, (self.radius,)

    def __repr__(self) -> str:
        return f"Sphere(radius={self.radius:g})"


class Capsule(_Shape):
    """All points within `radius` of a segment of the given length along z, centred at the origin.

    `length` is the distance between the centres of the two caps; the whole is `length + 2 * radius` long.

    Examples
    --------
    >>> import elbowroom as er
    >>> pill = er.Capsule(radius=0.5, length=2)
    >>> bool(er.collide(pill, er.Sphere(1), pose_b=er.Pose(translation=[0, 0, 2.5])))
    True
    """

    def __init__(self, radius: float, length: float) -> None:
        self.radius = _arrays.size(radius, "radius")
        self.length = _arrays.size(length, "length")
        half = 0.5 * self.length
        self._set(np.array([[0, 0, -half], [0, 0, half]]), self.radius)

    def __reduce__(self) -> tuple[Any, ...]:
        return Capsule, (self.radius, self.length)

    def __repr__(self) -> str:
        return f"Capsule(radius={self.radius:g}, length={self.length:g})"


class Box(_Shape):
    """A box along the axes, centred at the origin; `extents` are its full side lengths (one number: a cube).

    Examples
    --------
    >>> import elbowroom as er
    >>> aside = er.Pose(translation=[1.25, 0, 0])
    >>> contacts = er.collide(er.Box([2, 2, 2]), er.Box(1), pose_b=aside, depth=True).contacts
    >>> float(contacts.depths[0]), float(contacts.normals[0, 0])
    (0.25, 1.0)
    """

    def __init__(self, extents: ArrayLike) -> None:
        self.extents = read_only(_arrays.extents(extents, "extents"))
        self._set(_CORNERS * self.extents, 0.0)

    def __reduce__(self) -> tuple[Any, ...]:
        return Box, (self.extents,)

    def __repr__(self) -> str:
        return f"Box(extents={self.extents.tolist()})"


class Convex(_Shape):
    """The convex hull of points (n, 3), which may lie in a plane, on a line or in one place.

    Points inside the hull are dropped; `points` are those that were kept.

    Examples
    --------
    >>> import elbowroom as er
    >>> roof = er.Convex([[-1, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 1]])
    >>> round(er.distance(roof, er.Sphere(0.5), pose_b=er.Pose(translation=[0, 0, 3])).value, 12)
    1.5
    """

    def __init__(self, points: ArrayLike) -> None:
        self.points = read_only(_hull_points(_arrays.points(points, "points")))
        self._set(self.points, 0.0)

    def __reduce__(self) -> tuple[Any, ...]:
        return Convex, (self.points,)

    def __repr__(self) -> str:
        return f"Convex({len(self.points)} points)"


class HalfSpace(_Shape):
    """All points x with `normal @ x <= offset`: a floor, a wall, or any plane with all that lies behind it.

    `normal` points out of it, and may have any length but zero. The attributes are scaled so that
    `normal` has unit length; `offset` is then how far the plane is from the origin, along the normal.

    It is unbounded: `bounds` are infinite but along an axis that the normal lies on.

    Examples
    --------
    >>> import elbowroom as er
    >>> floor = er.HalfSpace([0, 0, 1], -2)  # all z <= -2
    >>> er.distance(floor, er.Sphere(0.5)).value
    1.5
    >>> low = er.Pose(translation=[7, 0, -1.25])
    >>> contacts = er.collide(floor, er.Box(2), pose_b=low, depth=True).contacts
    >>> float(contacts.depths[0]), contacts.normals[0].tolist()
    (0.25, [0.0, 0.0, 1.0])
    """

    def __init__(self, normal: ArrayLike, offset: float = 0.0) -> None:
        given, unit = _arrays.vector(normal, "normal"), np.array(_arrays.direction(normal, "normal"))
        length = float(given @ unit)
        if abs(length - 1) <= 1e-15:  # as its own attributes give it, to the last bit
            unit, length = given, 1.0
        self.normal = read_only(unit + 0.0)  # no negative zeros
        self.offset = _arrays.number(offset, "offset") / length
        if not abs(self.offset) <= _arrays.LARGEST:
            raise ValueError(
                f"offset must be at most {_arrays.LARGEST:g} for a normal of unit length, got {self.offset:g}"
            )
        self._set(np.stack([self.offset * self.normal, self.normal]), UNBOUNDED)

    @property
    def bounds(self) -> NDArray[np.float64]:
        """The axis-aligned box in the body's frame: [[low], [high]]."""
        low, high = np.full(3, -np.inf), np.full(3, np.inf)
        axis = int(np.abs(self.normal).argmax())
        if np.count_nonzero(self.normal) == 1:
            (high if self.normal[axis] > 0 else low)[axis] = self.offset * self.normal[axis]
        return np.stack([low, high])

    def __reduce__(self) -> tuple[Any, ...]:
        return HalfSpace, (self.normal, self.offset)

    def __repr__(self) -> str:
        return f"HalfSpace(normal={[float(f'{x:g}') for x in self.normal]}, offset={self.offset:g})"


def _hull_points(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The points without repetitions and, where there are many, without those inside the hull.

    Qhull finds the corners; a flat or nearly flat set, of which it may lose some, is kept whole, which is
    slower and just as right.
    """
    points = _once(points)
    if len(points) <= 8:
        return points
    centred = points - points.mean(axis=0)
    spread = np.linalg.svd(centred, compute_uv=False)
    if spread[2] < 1e-6 * spread[0]:
        return points
    from scipy.spatial import ConvexHull, QhullError

    try:
        corners: NDArray[np.intp] = ConvexHull(centred / spread[0]).vertices
    except QhullError:
        return points
    return points[np.sort(corners)]


def _once(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The points in lexicographic order, without repetitions: as np.unique, but much faster."""
    if len(points) == 0:
        return points
    points = points[np.lexsort(points.T[::-1])]
    new = (points[1:] != points[:-1]).any(axis=1)
    kept: NDArray[np.float64] = points[np.concatenate([[True], new])]
    return kept
