"""Side chains: which link each atom turns with, and the torsions chi about their bonds.

The axes are those of IUPAC-IUB [IUPAC1970]_, of the residue itself or, if it is a modified one, of the one it
comes from. What turns about an axis is told by the bonds, so that additions such as phosphates come along.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from elbowroom.files.residues import Atom, Residue
from elbowroom.files.structures import gemmi

BACKBONE = ("N", "CA", "C")
CARBONYL = ("O", "OXT")
#: Atoms are bonded if they are nearer than so many times the sum of their covalent radii.
BOND_STRETCH = 1.25

#: The atoms along the side chain: chi1 turns about the first two, chi2 about the second and third, and so on.
CHI_AXES = {
    "ARG": "CA CB CG CD NE",
    "ASN": "CA CB CG",
    "ASP": "CA CB CG",
    "CYS": "CA CB",
    "GLN": "CA CB CG CD",
    "GLU": "CA CB CG CD",
    "HIS": "CA CB CG",
    "ILE": "CA CB CG1",
    "LEU": "CA CB CG",
    "LYS": "CA CB CG CD CE",
    "MET": "CA CB CG SD",
    "MSE": "CA CB CG SE",
    "PHE": "CA CB CG",
    "PYL": "CA CB CG CD CE",
    "SEC": "CA CB",
    "SER": "CA CB",
    "THR": "CA CB",
    "TRP": "CA CB CG",
    "TYR": "CA CB CG",
    "VAL": "CA CB",
}
#: Names that force fields give to states of protonation.
SYNONYMS = {
    **dict.fromkeys(("HID", "HIE", "HIP", "HSD", "HSE", "HSP"), "HIS"),
    **dict.fromkeys(("CYX", "CYM"), "CYS"),
    **{"ASH": "ASP", "GLH": "GLU", "LYN": "LYS"},
}

Bonds = dict[str, set[str]]
Floats = NDArray[np.float64]


def bonds_of(residue: Residue) -> Bonds:
    """The neighbours of each atom by name: all that are near enough, and what it takes to hold the rest.

    A stretched bond, or an atom that is not in the file, would else leave the atoms beyond it behind.
    """
    atoms = list(residue.atoms.values())
    stretch = _stretches(atoms)
    near = stretch < BOND_STRETCH
    np.fill_diagonal(near, False)
    bonds = {
        atom.name: {atoms[k].name for k in np.flatnonzero(row)} for atom, row in zip(atoms, near, strict=True)
    }
    while len(held := _reached("CA", bonds, stop=set())) < len(atoms):
        _hold_nearest(bonds, atoms, held, stretch)
    return bonds


def _hold_nearest(bonds: Bonds, atoms: Sequence[Atom], held: set[str], stretch: Floats) -> None:
    """Add the bond that needs the least stretching; side chains hang on CA, and on nothing else behind it."""
    inside = np.array([atom.name in held for atom in atoms])
    behind = np.array([atom.name in ("N", "C", *CARBONYL) for atom in atoms])
    misled = behind[:, None] != behind[None]
    misled[[atom.name == "CA" for atom in atoms]] = False
    across = np.where(inside[:, None] & ~inside[None] & ~misled, stretch, np.inf)
    i, j = divmod(int(across.argmin()), len(atoms))
    bonds[atoms[i].name].add(atoms[j].name)
    bonds[atoms[j].name].add(atoms[i].name)


def _stretches(atoms: Sequence[Atom]) -> Floats:
    """Distances as shares of what a bond would measure."""
    positions = np.array([atom.position for atom in atoms])
    radii = np.array([atom.covalent for atom in atoms])
    distances = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    shares: Floats = distances / (radii[:, None] + radii[None])
    return shares


def owners(residue: Residue, bonds: Bonds) -> dict[str, str]:
    """The backbone atom that each other atom turns with: CA, unless it hangs on C or N alone."""
    found = dict.fromkeys((name for name in CARBONYL if name in residue.atoms), "C")
    for name in residue.atoms:
        if name not in BACKBONE and name not in found:
            piece = _reached(name, bonds, stop={*BACKBONE, *CARBONYL})
            found |= dict.fromkeys(piece, _held_by(piece, bonds))
    return {name: found[name] for name in residue.atoms if name in found}


def _held_by(piece: set[str], bonds: Bonds) -> str:
    touched = set().union(*(bonds[name] for name in piece))
    return next((link for link in ("CA", "C", "N") if link in touched), "CA")


def _reached(start: str, bonds: Bonds, stop: set[str]) -> set[str]:
    """The atoms that bonds lead to from here without passing those to stop at."""
    reached, open_ends = {start}, [start]
    while open_ends:
        new = bonds[open_ends.pop()] - reached - stop
        reached |= new
        open_ends += new
    return reached


def torsions(residue: Residue, bonds: Bonds) -> list[tuple[str, str, list[str]]]:
    """Axis and moving atoms of chi1, chi2, ... as far as the atoms are there; none about a bond in a ring."""
    path = CHI_AXES.get(parent(residue.name), "").split()
    found = []
    for a, b in pairwise(path):
        if a not in residue.atoms or b not in residue.atoms:
            break
        cut = {name: ends - {a} if name == b else ends for name, ends in bonds.items()}
        beyond = _reached(b, cut, stop=set())
        if a not in beyond and len(beyond) > 1:
            found.append((a, b, [name for name in residue.atoms if name in beyond and name != b]))
    return found


def parent(name: str) -> str:
    """The residue whose axes one has: its own name, or the standard one that it is a form of."""
    name = SYNONYMS.get(name, name)
    if name in CHI_AXES:
        return name
    letter = gemmi().find_tabulated_residue(name).one_letter_code.upper()
    return str(gemmi().expand_one_letter(letter, gemmi().ResidueKind.AA) or "") if letter.strip() else ""
