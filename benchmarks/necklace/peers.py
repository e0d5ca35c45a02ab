"""The libraries beside us: SciPy's k-d tree and vesin, each made anew for every frame."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from benchmarks.common import Array
from benchmarks.necklace.data import Motion
from benchmarks.necklace.seekers import Excluded, Found, Seeker


class KdTree(Seeker):
    """scipy.spatial.cKDTree: made with the settings with which a frame took least, then query_pairs.

    Four nearest neighbours of each bead take twice as long as the pairs within a good reach, and so does
    counting the pairs in contact.
    """

    def __init__(self, motion: Motion) -> None:
        super().__init__(motion)
        self.excluded = Excluded(motion)

    def move(self, points: Array) -> None:
        self.points = points
        self.tree = cKDTree(points, leafsize=16, balanced_tree=False, compact_nodes=False)

    def within(self, reach: float) -> Found | None:
        pairs = self.tree.query_pairs(reach, output_type="ndarray")
        pairs = pairs[self.excluded.counting(pairs[:, 0], pairs[:, 1])]
        if not len(pairs):
            return None
        between = self.points[pairs[:, 0]] - self.points[pairs[:, 1]]
        squares = np.einsum("ij,ij->i", between, between)
        least = int(squares.argmin())
        return float(np.sqrt(squares[least])), int(pairs[least, 0]), int(pairs[least, 1])


class Vesin(Seeker):
    """vesin.NeighborList: each pair once, with distances, one thread, arrays that are views of its own."""

    def __init__(self, motion: Motion) -> None:
        super().__init__(motion)
        self.excluded = Excluded(motion)
        self.made: Any = import_module("vesin").NeighborList
        self.finder, self.box = self.made(cutoff=self.contact, full_list=False, n_threads=1), np.zeros((3, 3))

    def within(self, reach: float) -> Found | None:
        if self.finder.cutoff != reach:
            self.finder = self.made(cutoff=reach, full_list=False, n_threads=1)
        first, second, distances = self.finder.compute(
            self.points, self.box, periodic=False, quantities="ijd", copy=False
        )
        counting = np.flatnonzero(self.excluded.counting(first.astype(np.int64), second.astype(np.int64)))
        if not len(counting):
            return None
        least = counting[distances[counting].argmin()]
        return float(distances[least]), int(first[least]), int(second[least])
