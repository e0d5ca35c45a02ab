"""Adenylate kinase opening: 98 frames of a simulation, as heavy atoms and as a backbone.

The frames come from a file (.npz with xyz (frames, atoms, 3) in angstrom, name, resid and resname of heavy
atoms) or from the package MDAnalysisTests, whose PSF and DCD they are.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.spatial import cKDTree

from benchmarks.common import Array
from benchmarks.necklace.data import Motion, Pairs

BOND = (
    2.0  # angstrom: heavy atoms of one or of adjacent residues that are nearer in the first frame are bonded
)
APART = 3  # bonds: so near along the molecule, atoms may touch
HEAVY, BACKBONE = 1.2, 1.0  # radii, angstrom: no contact in any frame, at most 0.02 and 0.16 from one
MAIN_CHAIN = ("N", "CA", "C")


class Trajectory(NamedTuple):
    """Heavy atoms of one molecule in motion."""

    xyz: Array
    name: NDArray[np.str_]
    resid: NDArray[np.int64]


def load(path: Path | None) -> Trajectory:
    """From the file, or where there is none from MDAnalysisTests; ImportError where that is not installed."""
    if path is None:
        return _from_mdanalysis()
    with np.load(path, allow_pickle=False) as held:
        return Trajectory(held["xyz"].astype(float), held["name"], held["resid"].astype(np.int64))


def _from_mdanalysis() -> Trajectory:
    files: Any = import_module("MDAnalysisTests.datafiles")
    made: Any = import_module("MDAnalysis").Universe
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        universe = made(files.PSF, files.DCD)
        heavy = universe.select_atoms("not name H*")
        xyz = np.array([heavy.positions for _ in universe.trajectory], dtype=float)
    return Trajectory(xyz, np.array(heavy.names, dtype=str), np.array(heavy.resids, dtype=np.int64))


def heavy_atoms(trajectory: Trajectory) -> Motion:
    """All of them; those up to three bonds apart may touch."""
    near = within_bonds(bonds(trajectory), len(trajectory.name), APART)
    return Motion(list(trajectory.xyz), HEAVY, near)


def backbone(trajectory: Trajectory) -> Motion:
    """N, CA and C of each residue, in sequence; neighbours may touch."""
    chosen = np.isin(trajectory.name, MAIN_CHAIN)
    return Motion(list(np.ascontiguousarray(trajectory.xyz[:, chosen])), BACKBONE)


def bonds(trajectory: Trajectory) -> Pairs:
    """By distance in the first frame."""
    pairs = cKDTree(trajectory.xyz[0]).query_pairs(BOND, output_type="ndarray")
    residues = trajectory.resid[pairs]
    return np.asarray(pairs[np.abs(residues[:, 0] - residues[:, 1]) <= 1], dtype=np.int64)


def within_bonds(pairs: Pairs, atoms: int, most: int) -> Pairs:
    """Pairs of atoms joined by at most so many bonds, the first of each pair the lower one, sorted."""
    first, second = np.concatenate([pairs, pairs[:, ::-1]]).T
    step = coo_array((np.ones(len(first), dtype=np.int64), (first, second)), shape=(atoms, atoms)).tocsr()
    reached = step
    for _ in range(most - 1):
        reached = reached @ step + step
    rows, columns = reached.nonzero()
    below = np.stack([rows, columns], axis=1)[rows < columns]
    return np.asarray(below[np.lexsort(below.T[::-1])], dtype=np.int64)
