"""Slow and obvious answers in a periodic box: every image of every ball within many cells."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: Cells on either side along each edge.
CELLS = 2


def nearest_gaps(
    edges: Floats,
    x: Floats,
    rx: Floats,
    y: Floats | None = None,
    ry: Floats | None = None,
    cells: int = CELLS,
) -> Floats:
    """(n, m): the gap of the nearest images of each two balls, 0 if they overlap."""
    y, ry = (x, rx) if y is None or ry is None else (y, ry)
    inverse = np.linalg.inv(edges)
    a, b = ((p @ inverse - np.floor(p @ inverse)) @ edges for p in (x, y))
    between = b[None] - a[:, None]
    least = np.full(between.shape[:2], np.inf)
    for cell in product(range(-cells, cells + 1), repeat=3):
        moved = between + np.array(cell) @ edges
        least = np.minimum(least, np.einsum("ijk,ijk->ij", moved, moved))
    return np.maximum(np.sqrt(least) - rx[:, None] - ry[None], 0)


def random_box(rng: np.random.Generator) -> tuple[Floats, int]:
    """Edges of a cell: a cuboid, skewed a little or much, thin, or any; and cells that the oracle needs."""
    sides = rng.uniform(5, 20, 3)
    kind = rng.integers(5)
    if kind == 0:
        return np.diag(sides), 2
    if kind == 1:
        return np.tril(rng.uniform(-0.5, 0.5, (3, 3)), -1) * sides + np.diag(sides), 2
    if kind == 2:  # another basis of a nice lattice
        other = np.eye(3)
        other[np.tril_indices(3, -1)] = rng.integers(-2, 3, 3)
        return np.asarray(other @ np.diag(sides)), 7
    if kind == 3:
        return np.diag([sides[0] / 8, sides[1], sides[2]]), 2
    edges = rng.normal(size=(3, 3)) * 10
    while abs(np.linalg.det(edges)) < 0.3 * np.prod(np.linalg.norm(edges, axis=1)):  # not flat
        edges = rng.normal(size=(3, 3)) * 10
    return edges if np.linalg.det(edges) > 0 else edges[[1, 0, 2]], 6


def as_pairs(indices: Any) -> set[tuple[int, int]]:
    """Pairs as a set."""
    return {(int(i), int(j)) for i, j in indices}
