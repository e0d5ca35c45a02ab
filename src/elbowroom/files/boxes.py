"""Molecules that are split across the faces of a periodic box are made whole."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom.files.residues import PEPTIDE_BOND, Residue, bonded_in_sequence

Floats = NDArray[np.float64]

#: No atom of a residue is so far from its first one, in angstrom.
LARGEST_RESIDUE = 12.0


def made_whole(residues: Sequence[Residue], structure: Any) -> list[Residue]:
    """The residues of a chain with all atoms near each other, and each bonded residue near the one before.

    A warning says how many were moved.
    """
    cell = structure.cell
    if min(cell.a, cell.b, cell.c) <= 1.0:  # 1 x 1 x 1 is how files say that there is none
        return list(residues)
    edges = np.array(cell.orth.mat.tolist()).T
    out: list[Residue] = []
    moved = []
    for residue in residues:
        found = _gathered(residue, edges)
        if out and not bonded_in_sequence(out[-1], found):
            found = _beside(out[-1], found, edges)
        if found is not residue:
            moved.append(residue)
        out.append(found)
    if moved:
        warnings.warn(
            f"{moved[0].where}: it is split across the periodic box, or from the residue before;"
            f" residues that were moved by edges of the box to make the chain whole: {len(moved)}",
            UserWarning,
            stacklevel=2,
        )
    return out


def _gathered(residue: Residue, edges: Floats) -> Residue:
    """Atoms far from the first one, across half of the box, are moved to where they are nearest to it."""
    if not residue.atoms:
        return residue
    apart = np.array([atom.position for atom in residue.atoms.values()])
    apart -= apart[0]
    far = np.linalg.norm(apart, axis=1) > LARGEST_RESIDUE
    far &= (np.abs(apart @ np.linalg.inv(edges)) > 0.5).any(axis=1)
    if not far.any():
        return residue
    steps = {name: _to_nearest(step, edges) for name, step in zip(residue.atoms, apart, strict=True)}
    return _moved(residue, steps)


def _beside(before: Residue, residue: Residue, edges: Floats) -> Residue:
    """The image that is bonded to the residue before, if there is one."""
    end, start = before.ends[1], residue.ends[0]
    if end not in before.atoms or start not in residue.atoms:
        return residue
    apart = residue.atoms[start].position - before.atoms[end].position
    step = _to_nearest(apart, edges)
    if np.linalg.norm(apart + step) > PEPTIDE_BOND:
        return residue
    return _moved(residue, dict.fromkeys(residue.atoms, step))


def _to_nearest(apart: Floats, edges: Floats) -> Floats:
    """The sum of edges that makes a step as short as possible, in boxes that are not very skewed."""
    whole = -np.round(apart @ np.linalg.inv(edges))
    steps = (whole + np.array(list(product((-1, 0, 1), repeat=3)))) @ edges
    nearest: Floats = steps[np.linalg.norm(apart + steps, axis=1).argmin()]
    return nearest


def _moved(residue: Residue, steps: dict[str, Floats]) -> Residue:
    atoms = residue.atoms.items()
    places = {name: replace(atom, position=atom.position + steps[name]) for name, atom in atoms}
    return replace(residue, atoms=places)
