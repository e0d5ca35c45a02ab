"""Knots: rings that are knotted, and an invariant that tells some knots from others.

The Alexander polynomial of a closed polygon, at -1 and at a third root of unity, where it is known up to its
sign, and so its size: 1 and 1 without a knot, 3 and 2 of a trefoil, 5 and 4 of a figure eight.
"""

from __future__ import annotations

import numpy as np

ROOT = np.exp(2j * np.pi / 3)
UNKNOT, TREFOIL, EIGHT = (1, 1), (3, 2), (5, 4)


def trefoil(bonds: int) -> np.ndarray:
    """(bonds + 1, 3): a ring whose last point is the first."""
    t = np.linspace(0.0, 2.0 * np.pi, bonds + 1)
    points = np.stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)], axis=1)
    points[-1] = points[0]
    return points


def figure_eight(bonds: int) -> np.ndarray:
    """The same of a figure eight."""
    t = np.linspace(0.0, 2.0 * np.pi, bonds + 1)
    wide = 2.0 + np.cos(2 * t)
    points = np.stack([wide * np.cos(3 * t), wide * np.sin(3 * t), np.sin(4 * t)], axis=1)
    points[-1] = points[0]
    return points


def alexander(ring: np.ndarray, seed: int = 0) -> tuple[int, int]:
    """The sizes of the polynomial at -1 and at a third root of unity, of points that end where they begin."""
    found = crossings(ring, seed)
    if len(found) < 3:
        return UNKNOT
    return tuple(round(abs(determinant(found, t))) for t in (-1.0, ROOT))  # type: ignore[return-value]


def crossings(ring: np.ndarray, seed: int = 0) -> list[tuple[float, float, int]]:
    """(where below, where above, sign) of all places where the ring crosses itself in a projection.

    A place is the number of an edge and the share of it; they are sorted by the place below.
    """
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    seen = ring @ turn.T
    start, way = seen[:-1], np.diff(seen, axis=0)
    i, j = np.triu_indices(len(start), 2)
    across = way[i, 0] * way[j, 1] - way[i, 1] * way[j, 0]
    apart = start[j] - start[i]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (apart[:, 0] * way[j, 1] - apart[:, 1] * way[j, 0]) / across
        t = (apart[:, 0] * way[i, 1] - apart[:, 1] * way[i, 0]) / across
    hit = np.flatnonzero((s > 0) & (s < 1) & (t > 0) & (t < 1))
    found = []
    for k in hit:
        height_i, height_j = start[i[k], 2] + s[k] * way[i[k], 2], start[j[k], 2] + t[k] * way[j[k], 2]
        places = (float(i[k] + s[k]), float(j[k] + t[k]))
        above_is_i = int(height_i > height_j)
        sign = int(np.sign(across[k])) * (1 if above_is_i else -1)
        found.append((places[above_is_i], places[1 - above_is_i], sign))
    return sorted(found)


def determinant(found: list[tuple[float, float, int]], t: complex) -> complex:
    """Of the matrix with a row for each crossing and a column for each arc, without the last of both."""
    below = np.array([place for place, _, _ in found])
    count = len(found)
    matrix = np.zeros((count, count), complex)
    for row, (_, above, sign) in enumerate(found):
        over = int(np.searchsorted(below, above)) % count  # arc k ends at crossing k
        comes, goes = row, (row + 1) % count
        matrix[row, over] += 1 - t
        matrix[row, comes] += -1 if sign > 0 else t
        matrix[row, goes] += t if sign > 0 else -1
    return complex(np.linalg.det(matrix[:-1, :-1]))
