"""A protein-like backbone that makes random torsions and does not run into itself."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from benchmarks.chain.peers import Points
from benchmarks.common import Array
from elbowroom import scenes

CLASH, BONDS = 2.5, 3  # atoms more than so many bonds apart are to stay that far from each other
LARGEST_ANGLE = math.radians(5.0)


@dataclass(frozen=True)
class Walk:
    """Where the atoms start, and for each step the torsion, whether it was kept, and where it put them."""

    start: Array
    joints: list[int]
    angles: list[float]
    kept: list[bool]
    positions: Array


def make_walk(count: int, steps: int, seed: int = 3) -> Walk:
    """Random torsions of a backbone; those that make atoms clash are not kept."""
    start = np.ascontiguousarray(scenes.backbone(count), dtype=float)
    if clashes(start):
        raise RuntimeError("the backbone clashes before it moves")
    rng = np.random.default_rng(seed)
    joints = rng.integers(0, count - 2, steps).tolist()
    angles = rng.uniform(-LARGEST_ANGLE, LARGEST_ANGLE, steps).tolist()
    chain, kept, positions = Points(start, 0.0), [], []
    for joint, angle in zip(joints, angles, strict=True):
        chain.rotate(joint, angle)
        positions.append(chain.points.copy())
        kept.append(not clashes(chain.points))
        if not kept[-1]:
            chain.undo()
    return Walk(start, joints, angles, kept, np.array(positions))


def clashes(points: Array) -> bool:
    """Are two atoms too near each other that are not close along the chain?"""
    pairs = cKDTree(points).query_pairs(CLASH, output_type="ndarray")
    return bool((np.abs(pairs[:, 1] - pairs[:, 0]) > BONDS).any())
