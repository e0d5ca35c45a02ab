"""Trajectories and topologies for tests, written by MDAnalysis or by hand."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import MDAnalysis
import numpy as np
from peptide import Row, peptide

MASSES = {"H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999, "S": 32.06}
#: No rings, so that all bonds are those by which the peptide was built.
SEQUENCE = ["ALA", "LEU", "SER", "LYS", "GLY", "CYS", "MET", "ASP", "VAL", "THR"]
SIDES = {
    "ALA": "",
    "LEU": "CB-CG CG-CD1 CG-CD2",
    "SER": "CB-OG",
    "LYS": "CB-CG CG-CD CD-CE CE-NZ",
    "GLY": "",
    "CYS": "CB-SG",
    "MET": "CB-CG CG-SD SD-CE",
    "ASP": "CB-CG CG-OD1 CG-OD2",
    "VAL": "CB-CG1 CB-CG2",
    "THR": "CB-OG1 CB-CG2",
}

Bond = tuple[int, int]


def peptide_bonds(rows: Sequence[Row]) -> list[Bond]:
    """The bonds of a peptide of the residues above, by the numbers of its rows."""
    at = {(row.number, row.name): k for k, row in enumerate(rows)}
    bonds = [(at[k, "C"], at[k + 1, "N"]) for k in range(1, rows[-1].number)]
    for number, residue in sorted({(row.number, row.residue) for row in rows}):
        names = f"N-CA CA-C C-O C-OXT CA-CB {SIDES[residue]}"
        ends = [tuple((number, end) for end in bond.split("-")) for bond in names.split()]
        bonds += [(at[a], at[b]) for a, b in ends if a in at and b in at]
    return bonds


def places(rows: Iterable[Row]) -> np.ndarray:
    return np.array([row.position for row in rows])


def shaken(count: int, amount: float = 0.05) -> tuple[list[Row], np.ndarray]:
    """A peptide, and frames in which its atoms have moved a little."""
    rows = peptide(SEQUENCE)
    steps = np.random.default_rng(3).normal(size=(count, len(rows), 3)) * amount
    return rows, places(rows) + steps


def psf_text(names: Sequence[str], masses: Sequence[float], bonds: Sequence[Bond]) -> str:
    """A PSF file of atoms that are residues of their own."""
    lines = ["PSF", "", "       1 !NTITLE", " REMARKS made", "", f"{len(names):8d} !NATOM"]
    for k, (name, mass) in enumerate(zip(names, masses, strict=True), 1):
        lines.append(f"{k:8d} MAIN {k:<4d} UNK  {name:4s} {name:4s} {0.0:10.6f} {mass:13.4f} {0:11d}")
    lines += ["", f"{len(bonds):8d} !NBOND: bonds"]
    ends = [f"{i + 1:8d}{j + 1:8d}" for i, j in bonds]
    lines += ["".join(ends[k : k + 4]) for k in range(0, len(ends), 4)]
    for section in ("NTHETA", "NPHI", "NIMPHI", "NDON", "NACC", "NNB"):
        lines += ["", f"{0:8d} !{section}", ""]
    return "\n".join(lines) + "\n"


def write_frames(file: Path, frames: Any, box: Any = None, **names: Sequence[Any]) -> Path:
    """Frames (k, n, 3) in the format of the name of the file, by MDAnalysis; one box for all, or one each."""
    frames = np.asarray(frames, np.float32)
    boxes = [box] * len(frames) if box is None or np.ndim(box) == 1 else list(box)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        universe = MDAnalysis.Universe.empty(frames.shape[1], trajectory=True)
        for name, values in names.items():
            universe.add_TopologyAttr(name, list(values))
        with MDAnalysis.Writer(str(file), n_atoms=frames.shape[1], multiframe=True) as writer:
            for frame, sides in zip(frames, boxes, strict=True):
                universe.atoms.positions = frame
                universe.dimensions = sides
                writer.write(universe.atoms)
    return file
