"""The libraries beside us: each answers all pairs of points within reach, as an array of indices."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from benchmarks.common import Array


class KdTree:
    """scipy.spatial.cKDTree made anew for each query, with the settings that are made fastest."""

    def __init__(self, count: int, reach: float) -> None:
        self.reach = reach

    def pairs(self, points: Array) -> Any:
        tree = cKDTree(points, balanced_tree=False, compact_nodes=False)
        return tree.query_pairs(self.reach, output_type="ndarray")


class Vesin:
    """vesin.NeighborList: each pair once, one thread, arrays that are views of its own."""

    def __init__(self, count: int, reach: float) -> None:
        made: Any = import_module("vesin").NeighborList
        self.finder = made(cutoff=reach, full_list=False, n_threads=1)
        self.box = np.zeros((3, 3))

    def pairs(self, points: Array) -> Any:
        return self.finder.compute(points, self.box, periodic=False, quantities="P", copy=False)[0]


class MDAnalysis:
    """MDAnalysis.lib.distances.self_capped_distance, which chooses its method; it works in float32."""

    def __init__(self, count: int, reach: float) -> None:
        self.reach = reach
        self.find: Any = import_module("MDAnalysis.lib.distances").self_capped_distance

    def pairs(self, points: Array) -> Any:
        return self.find(points.astype(np.float32), self.reach, return_distances=False)
