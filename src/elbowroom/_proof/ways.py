"""Points that go straight from one frame to the next, as the check of bead motions sees them.

Part of the independent check of motion certificates. Positions are floats as they were given. Differences at
a time are computed in floats, where rounding does not matter, and in fractions, where it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Exact = list[Fraction]

#: Floats are off by this part of the lengths and coordinates involved, or by less.
ROUNDED = 1e-13


@dataclass(frozen=True)
class Ways:
    """Of each bead the start and the end (n, 3), the latter moved by `cells` (n, 3) edges of the box."""

    start: Floats
    end: Floats
    cells: Integers
    edges: Floats  # (3, 3); zero without a box

    @classmethod
    def of(cls, start: Floats, end: Floats, box: Floats | None) -> Ways:
        """In a periodic box each bead goes to the nearest image of its end."""
        if box is None:
            return cls(start, end, np.zeros(start.shape, np.int64), np.zeros((3, 3)))
        return cls(start, end, to_shortest(end - start, box), box)

    @property
    def farthest(self) -> float:
        """No coordinate is larger."""
        cells = np.abs(self.cells).max(initial=0) + 4
        largest = max(np.abs(self.start).max(), np.abs(self.end).max())
        return float(largest + cells * np.abs(self.edges).sum())

    def at(self, t: float) -> Floats:
        """All beads at a time."""
        return self.start * (1 - t) + (self.end + self.cells @ self.edges) * t

    def apart(self, i: Integers, j: Integers, shift: Integers, t: Floats) -> Floats:
        """(k, 3): from bead i to bead j, moved by so many edges, at times (k,)."""
        start = self.start[j] - self.start[i]
        end = self.end[j] - self.end[i] + (self.cells[j] - self.cells[i]) @ self.edges
        along: Floats = start * (1 - t)[:, None] + end * t[:, None] + shift @ self.edges
        return along

    def exactly(self, i: int, j: int, shift: Integers, t: Fraction) -> Exact:
        """The same of one pair, in fractions."""
        start = self._exact(self.start[j], self.start[i], shift)
        end = self._exact(self.end[j], self.end[i], shift + self.cells[j] - self.cells[i])
        return [a * (1 - t) + b * t for a, b in zip(start, end, strict=True)]

    def _exact(self, to: Floats, from_: Floats, shift: Integers) -> Exact:
        edges = [[Fraction(x) for x in row] for row in self.edges.tolist()]
        return [
            Fraction(float(to[k]))
            - Fraction(float(from_[k]))
            + sum((int(n) * edges[e][k] for e, n in enumerate(shift)), Fraction(0))
            for k in range(3)
        ]


def to_shortest(vectors: Floats, box: Floats) -> Integers:
    """(n, 3): how many edges take each vector to its shortest image."""
    first = -np.round(vectors @ np.linalg.inv(box)).astype(np.int64)
    around = np.array(list(product(range(-2, 3), repeat=3)))
    best, length = first, np.full(len(vectors), np.inf)
    for shift in around:
        tried = first + shift
        size = np.linalg.norm(vectors + tried @ box, axis=1)
        nearer = size < length
        best, length = np.where(nearer[:, None], tried, best), np.where(nearer, size, length)
    return best


def near(centres: Floats, radii: Floats, edges: Floats) -> Iterator[tuple[Integers, Integers, Integers]]:
    """Pairs of different balls that may overlap: i, j and the edges (k, 3) that move j.

    In a box every two images are given once.
    """
    reach = float(2 * radii.max() * (1 + 1e-9) + ROUNDED * np.abs(centres).max())
    if not edges.any():
        pairs = cKDTree(centres).query_pairs(reach, output_type="ndarray").astype(np.int64).reshape(-1, 2)
        yield from _touching(centres, radii, pairs[:, 0], pairs[:, 1], np.zeros(3, np.int64), edges)
        return
    inverse = np.linalg.inv(edges)
    cells = -np.floor(centres @ inverse).astype(np.int64)
    inside = centres + cells @ edges
    tree = cKDTree(inside)
    most = np.ceil(reach * np.linalg.norm(inverse, axis=0)).astype(int) + 1  # widths of the cell
    for shift in product(*(range(-m, m + 1) for m in most)):
        if shift < (0, 0, 0):
            continue
        lists = tree.query_ball_point(inside + np.array(shift) @ edges, reach)
        j = np.repeat(np.arange(len(inside)), [len(one) for one in lists])
        i = np.array([k for one in lists for k in one], np.int64)
        keep = i < j if shift == (0, 0, 0) else i != j
        i, j = i[keep], j[keep]
        for some, others, moved in _touching(inside, radii, i, j, np.array(shift), edges):
            yield some, others, moved + cells[others] - cells[some]


def _touching(
    centres: Floats, radii: Floats, i: Integers, j: Integers, shift: Integers, edges: Floats
) -> Iterator[tuple[Integers, Integers, Integers]]:
    for first in range(0, len(i), 1 << 18):
        a, b = i[first : first + (1 << 18)], j[first : first + (1 << 18)]
        away = np.linalg.norm(centres[b] + shift @ edges - centres[a], axis=1)
        limit = (radii[a] + radii[b]) * (1 + 1e-9) + ROUNDED * (np.abs(centres).max() + np.abs(edges).sum())
        keep = away <= limit
        yield a[keep], b[keep], np.tile(shift, (int(keep.sum()), 1))
