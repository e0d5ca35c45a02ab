"""Brute force in NumPy, slow and obvious: what the self-test holds the core's answers against.

Triangles that do not meet are nearest at a corner of one and some point of the other, or where two edges are;
those that do meet are 0 apart there, or have an edge of one that passes through the inside of the other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def gaps(a: Array, b: Array, radii_a: float | Array, radii_b: float | Array) -> Array:
    """Between every ball of a and every ball of b: (n, m), negative where they overlap."""
    between = np.linalg.norm(a[:, None] - b[None, :], axis=2)
    return np.asarray(between - np.reshape(radii_a, (-1, 1)) - np.reshape(radii_b, (1, -1)))


def own_gaps(points: Array, radius: float, apart: int = 2) -> Array:
    """Between balls of one sequence, those at least so many places apart; infinite for all others."""
    found = gaps(points, points, radius, radius)
    place = np.arange(len(points))
    return np.where(place[None, :] - place[:, None] >= apart, found, np.inf)


def moved(points: Array, pose: Array) -> Array:
    """By a 4x4 matrix."""
    return np.asarray(points @ pose[:3, :3].T + pose[:3, 3])


def triangle_distance(a: Array, b: Array) -> float:
    """Least distance of two sets of triangles (n, 3, 3) and (m, 3, 3): 0 if any two meet."""
    a, b = np.repeat(a, len(b), axis=0), np.tile(b, (len(a), 1, 1))
    if _pierced(a, b).any() or _pierced(b, a).any():
        return 0.0
    corners = [min(_to_triangle(a[:, k], b).min(), _to_triangle(b[:, k], a).min()) for k in range(3)]
    sides = [_segments(a[:, i], a[:, i - 1], b[:, j], b[:, j - 1]).min() for i in range(3) for j in range(3)]
    return float(min(corners + sides))


def _segments(p: Array, p_end: Array, q: Array, q_end: Array) -> Array:
    """Distances of segments, row by row: at the nearest points of their lines, or at an end of either."""
    u, v, w = p_end - p, q_end - q, p - q
    uu, uv, vv, uw, vw = (np.einsum("ij,ij->i", *two) for two in ((u, u), (u, v), (v, v), (u, w), (v, w)))
    across = uu * vv - uv * uv
    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.nan_to_num(np.clip((uv * vw - vv * uw) / across, 0, 1), nan=0.0)
    ends = [_to_segment(p, q, v), _to_segment(p_end, q, v), _to_segment(q, p, u), _to_segment(q_end, p, u)]
    return np.asarray(np.minimum.reduce([*ends, _to_segment(p + s[:, None] * u, q, v)]))


def _to_segment(point: Array, start: Array, along: Array) -> Array:
    """Distances of points from segments, row by row."""
    share = np.einsum("ij,ij->i", point - start, along) / np.einsum("ij,ij->i", along, along)
    return np.asarray(np.linalg.norm(point - start - np.clip(share, 0, 1)[:, None] * along, axis=1))


def _to_triangle(point: Array, triangle: Array) -> Array:
    """Distances of points from triangles, row by row: straight down if that is inside, else from an edge."""
    corner = [triangle[:, k] for k in range(3)]
    normal = np.cross(corner[1] - corner[0], corner[2] - corner[0])
    side = [
        np.einsum("ij,ij->i", np.cross(corner[(k + 1) % 3] - corner[k], point - corner[k]), normal)
        for k in range(3)
    ]
    height = np.abs(np.einsum("ij,ij->i", point - corner[0], normal)) / np.linalg.norm(normal, axis=1)
    edge = np.minimum.reduce(
        [_to_segment(point, corner[k], corner[(k + 1) % 3] - corner[k]) for k in range(3)]
    )
    return np.asarray(np.where((np.array(side) >= 0).all(axis=0), height, edge))


def _pierced(a: Array, b: Array) -> NDArray[np.bool_]:
    """Whether an edge of a passes through the inside of b, row by row, told by the signs of volumes."""
    found = np.zeros(len(a), bool)
    for k in range(3):
        p, q = a[:, k], a[:, k - 1]
        across = _volume(p, *b.swapaxes(0, 1)) * _volume(q, *b.swapaxes(0, 1)) < 0
        around = [_volume(p, q, b[:, i], b[:, (i + 1) % 3]) for i in range(3)]
        found |= across & ((np.array(around) > 0).all(axis=0) | (np.array(around) < 0).all(axis=0))
    return found


def _volume(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Signed, six times that of the tetrahedron, row by row."""
    return np.asarray(np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a))
