"""Hulls about the shapes of articulated bodies, for a quick test before the exact one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elbowroom.body import Body
from elbowroom.mesh import Mesh
from elbowroom.shapes import _hull_points

#: Points and a radius.
Hull = tuple[NDArray[np.float64], float]

#: Hulls of shapes with more corners than this are not tried before their triangles.
LARGEST_HULL = 2048


def hull_of(body: Body) -> Hull:
    """Points whose hull, rounded by a radius, holds the body; none if that would gain nothing.

    Kept with the body, and made again when a mesh was moved.
    """
    kept: Hull | None = vars(body).get("_hull")
    if kept is None:
        kept = vars(body)["_hull"] = _make(body)
    return kept


def _make(body: Body) -> Hull:
    if len(body) == 1:
        points = np.ascontiguousarray(body._points)
    else:  # a mesh has every corner several times
        corners = _used_vertices(body) if isinstance(body, Mesh) else body._points
        points = np.ascontiguousarray(_hull_points(corners))
    if len(points) <= 2 or len(points) > LARGEST_HULL:
        points = np.empty((0, 3))
    return points, float(body._radius.max())


def _used_vertices(mesh: Mesh) -> NDArray[np.float64]:
    used = np.zeros(len(mesh.vertices), np.bool_)
    used[mesh.faces] = True
    return mesh.vertices[used]
