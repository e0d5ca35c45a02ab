"""Molecules that are split across the faces of a periodic box: an error that says so."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom.files.residues import PEPTIDE_BOND, Residue, bonded_in_sequence

#: No atom of a residue is so far from its first one, in angstrom.
LARGEST_RESIDUE = 12.0
ADVICE = "make molecules whole first: atoms.unwrap() of MDAnalysis, or gmx trjconv -pbc whole"


def refuse_split(residues: Sequence[Residue], structure: Any) -> None:
    """ValueError if a residue, or the bond between two, reaches across the box."""
    cell = structure.cell
    if min(cell.a, cell.b, cell.c) <= 1.0:  # 1 x 1 x 1 is how files say that there is none
        return
    to_fractions = np.array(cell.frac.mat.tolist())
    to_lengths = np.array(cell.orth.mat.tolist())
    for residue in residues:
        names = list(residue.atoms)
        apart = np.array([residue.atoms[name].position for name in names])
        if not len(apart):
            continue
        apart = apart - apart[0]
        beyond = (np.abs(apart @ to_fractions.T) > 0.5).any(axis=1)
        far = beyond & (np.linalg.norm(apart, axis=1) > LARGEST_RESIDUE)
        if far.any():
            other = names[int(np.argmax(far))]
            raise ValueError(
                f"{residue.where}: it is split across the periodic box, with atoms {names[0]} and {other}"
                f" at opposite faces; {ADVICE}"
            )
    for a, b in pairwise(residues):
        if not bonded_in_sequence(a, b) and _bonded_across(a, b, to_fractions, to_lengths):
            raise ValueError(
                f"{a.where}: the chain is split across the periodic box after it,"
                f" before {b.name} {b.number}; "
                f"{ADVICE}"
            )


def _bonded_across(
    a: Residue, b: Residue, to_fractions: NDArray[np.float64], to_lengths: NDArray[np.float64]
) -> bool:
    if "C" not in a.atoms or "N" not in b.atoms:
        return False
    step = to_fractions @ (b.atoms["N"].position - a.atoms["C"].position)
    return bool(np.linalg.norm(to_lengths @ (step - np.round(step))) <= PEPTIDE_BOND)
