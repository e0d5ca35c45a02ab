"""Where two surfaces cut each other: the segments in which their triangles meet."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

Array = NDArray[np.float64]


def curves(a: er.Mesh, b: er.Mesh, pose_a: er.Pose, pose_b: er.Pose, most: int | None = None) -> Array:
    """Segments (n, 2, 3) in the world, in which triangles of two meshes meet.

    Triangles that lie in one plane have no such segment. With `most`, so many pairs of triangles are taken.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom.pictures.intersections import curves
    >>> torus = er.Mesh(*er.scenes.torus())
    >>> aside = er.Pose(translation=[0.5, 0, 0])
    >>> curves(torus, torus, er.Pose(), aside).shape[1:]
    (2, 3)
    """
    pairs = np.asarray(er.collide(a, b, pose_a, pose_b, every=True).pairs)
    if most is not None and len(pairs) > most:
        pairs = pairs[np.linspace(0, len(pairs) - 1, most).astype(int)]
    first = pose_a.apply(a.vertices)[a.faces[pairs[:, 0]]]
    second = pose_b.apply(b.vertices)[b.faces[pairs[:, 1]]]
    return triangle_segments(first, second)


def triangle_segments(first: Array, second: Array) -> Array:
    """Of pairs of triangles (n, 3, 3): the segments of those that cut each other."""
    normal_1, normal_2 = (np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]) for t in (first, second))
    along = np.cross(normal_1, normal_2)
    length = np.linalg.norm(along, axis=1)
    scale = np.linalg.norm(normal_1, axis=1) * np.linalg.norm(normal_2, axis=1)
    kept = length > 1e-9 * scale
    along = along[kept] / length[kept, None]
    low_1, high_1, origin = _span(first[kept], second[kept, 0], normal_2[kept], along)
    low_2, high_2, other = _span(second[kept], first[kept, 0], normal_1[kept], along)
    shift = np.einsum("nd,nd->n", other - origin, along)
    low, high = np.maximum(low_1, low_2 + shift), np.minimum(high_1, high_2 + shift)
    cut = high > low
    ends = [origin[cut] + where[cut, None] * along[cut] for where in (low, high)]
    return np.stack(ends, axis=1)


def _span(triangles: Array, point: Array, normal: Array, along: Array) -> tuple[Array, Array, Array]:
    """From where to where a plane cuts triangles, along a direction, from an origin on the plane.

    Where it does not, the first is greater than the second.
    """
    heights = np.einsum("nkd,nd->nk", triangles - point[:, None], normal)
    low, high = np.full(len(triangles), np.inf), np.full(len(triangles), -np.inf)
    origin = triangles[:, 0].copy()
    set_already = np.zeros(len(triangles), bool)
    for k in range(3):
        a, b = k, (k + 1) % 3
        crossed = (heights[:, a] >= 0) != (heights[:, b] >= 0)
        share = np.divide(heights[:, a], heights[:, a] - heights[:, b], where=crossed, out=np.zeros(len(low)))
        place = triangles[:, a] + share[:, None] * (triangles[:, b] - triangles[:, a])
        fresh = crossed & ~set_already
        origin[fresh] = place[fresh]
        set_already |= crossed
        at = np.einsum("nd,nd->n", place - origin, along)
        low = np.where(crossed, np.minimum(low, at), low)
        high = np.where(crossed, np.maximum(high, at), high)
    return low, high, origin
