"""Hulls about the shapes of articulated bodies, for a quick test before the exact one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elbowroom.body import Body
from elbowroom.shapes import _hull_points

#: Points and a radius.
Hull = tuple[NDArray[np.float64], float]

#: Hulls of shapes with more corners than this are not tried before their triangles.
LARGEST_HULL = 2048


class Hulls:
    """Hulls of bodies, for a quick test before the exact one; a body that is used twice is looked at once."""

    def __init__(self) -> None:
        self._known: dict[int, Hull] = {}

    def of(self, body: Body) -> Hull:
        """Points whose hull, rounded by a radius, holds the body; none if that would gain nothing."""
        if id(body) not in self._known:
            self._known[id(body)] = self._make(body)
        return self._known[id(body)]

    def _make(self, body: Body) -> Hull:
        points = np.ascontiguousarray(_hull_points(body._points) if len(body) > 1 else body._points)
        if len(points) <= 2 or len(points) > LARGEST_HULL:
            points = np.empty((0, 3))
        return points, float(body._radius.max())
