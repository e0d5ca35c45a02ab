"""Bonds within residues: from templates of the standard ones, by distance for all other atoms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from elbowroom.files.amino_acids import SYNONYMS
from elbowroom.files.nucleotides import BASE_OF, BASES, SUGAR
from elbowroom.files.residues import Atom, Residue

#: Atoms are bonded if they are nearer than so many times the sum of their covalent radii.
BOND_STRETCH = 1.25

BACKBONE = ("N", "CA", "C")
CARBONYL = ("O", "OXT")

#: The heavy atoms of standard residues as chains of bonds; those of the backbone are in all of them.
SIDE_CHAINS = {
    "ALA": "CA-CB",
    "ARG": "CA-CB-CG-CD-NE-CZ-NH1 CZ-NH2",
    "ASN": "CA-CB-CG-OD1 CG-ND2",
    "ASP": "CA-CB-CG-OD1 CG-OD2",
    "CYS": "CA-CB-SG",
    "GLN": "CA-CB-CG-CD-OE1 CD-NE2",
    "GLU": "CA-CB-CG-CD-OE1 CD-OE2",
    "GLY": "",
    "HIS": "CA-CB-CG-ND1-CE1-NE2-CD2-CG",
    "ILE": "CA-CB-CG1-CD1 CB-CG2",
    "LEU": "CA-CB-CG-CD1 CG-CD2",
    "LYS": "CA-CB-CG-CD-CE-NZ",
    "MET": "CA-CB-CG-SD-CE",
    "MSE": "CA-CB-CG-SE-CE",
    "PHE": "CA-CB-CG-CD1-CE1-CZ-CE2-CD2-CG",
    "PRO": "CA-CB-CG-CD-N",
    "SER": "CA-CB-OG",
    "THR": "CA-CB-OG1 CB-CG2",
    "TRP": "CA-CB-CG-CD1-NE1-CE2-CD2-CG CD2-CE3-CZ3-CH2-CZ2-CE2",
    "TYR": "CA-CB-CG-CD1-CE1-CZ-CE2-CD2-CG CZ-OH",
    "VAL": "CA-CB-CG1 CB-CG2",
}

Bonds = dict[str, set[str]]
Floats = NDArray[np.float64]


def bonds_of(residue: Residue) -> Bonds:
    """The neighbours of each atom by name: those that are known, and what it takes to hold the rest.

    A stretched bond, or an atom that is not in the file, would else leave the atoms beyond it behind.
    """
    atoms = list(residue.atoms.values())
    stretch, known = _stretches(atoms), template(residue.name)
    near = stretch < BOND_STRETCH
    np.fill_diagonal(near, False)
    bonds = {
        atom.name: {
            other.name
            for other, close in zip(atoms, row, strict=True)
            if (other.name in known[atom.name] if {atom.name, other.name} <= known.keys() else close)
        }
        for atom, row in zip(atoms, near, strict=True)
    }
    root = "C4'" if residue.is_nucleotide else "CA"
    while len(held := reached(root, bonds, stop=set())) < len(atoms):
        _hold_nearest(bonds, atoms, held, stretch)
    return bonds


def bonded_names(residue: Residue, bonds: Bonds) -> Iterator[tuple[str, str]]:
    """The bonds of a residue by names, over atoms that the file leaves out too if a template knows them.

    `bonds` are those of `bonds_of`. What it has added to hold atoms of the template is left out.
    """
    known = template(residue.name)
    yield from ((a, b) for a, ends in known.items() for b in ends if a < b)
    yield from (
        (a, b) for a, ends in bonds.items() for b in ends if a < b and not (a in known and b in known)
    )


@cache
def template(residue: str) -> Bonds:
    """The neighbours of each heavy atom of a standard residue of that name; nothing for others."""
    name = SYNONYMS.get(residue, residue)
    if name in SIDE_CHAINS:
        paths = f"N-CA-C-O C-OXT {SIDE_CHAINS[name]}"
    elif name in BASE_OF:
        paths = f"{SUGAR} {BASES[BASE_OF[name]]}"
    else:
        return {}
    bonds: Bonds = {}
    for path in paths.split():
        for a, b in pairwise(path.split("-")):
            bonds.setdefault(a, set()).add(b)
            bonds.setdefault(b, set()).add(a)
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


def reached(start: str, bonds: Bonds, stop: set[str]) -> set[str]:
    """The atoms that bonds lead to from here without passing those to stop at."""
    found, open_ends = {start}, [start]
    while open_ends:
        new = bonds[open_ends.pop()] - found - stop
        found |= new
        open_ends += new
    return found
