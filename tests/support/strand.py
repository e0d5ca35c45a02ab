"""Strands of nucleic acid in ideal geometry, as rows of a PDB file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from peptide import Row, place

#: Degrees, as in the B form of DNA.
ALPHA, BETA, GAMMA, DELTA, EPSILON, ZETA, CHI = -60.0, 175.0, 50.0, 130.0, 175.0, -95.0, -110.0
#: atom: the three it is placed by, the length of the bond, the angle and the dihedral.
PYRIMIDINE = {
    "C2": ("O4' C1' N1", 1.38, 118, CHI),
    "C6": ("O4' C1' N1", 1.38, 122, CHI + 180),
    "N3": ("C1' N1 C2", 1.37, 120, 180),
    "C4": ("N1 C2 N3", 1.37, 120, 0),
    "C5": ("C2 N3 C4", 1.40, 120, 0),
    "O2": ("C1' N1 C2", 1.23, 120, 0),
}
PURINE = {
    "C4": ("O4' C1' N9", 1.38, 126, CHI),
    "C8": ("O4' C1' N9", 1.37, 127, CHI + 180),
    "N7": ("C1' N9 C8", 1.31, 113, 180),
    "C5": ("C1' N9 C4", 1.38, 106, 180),
    "N3": ("C1' N9 C4", 1.34, 127, 0),
    "C2": ("N9 C4 N3", 1.33, 112, 180),
    "N1": ("C4 N3 C2", 1.34, 128, 0),
    "C6": ("N3 C2 N1", 1.37, 119, 0),
}
FURTHER = {
    "A": {"N6": ("C2 N1 C6", 1.33, 119, 180)},
    "C": {"N4": ("C2 N3 C4", 1.33, 120, 180)},
    "G": {"O6": ("C2 N1 C6", 1.23, 119, 180), "N2": ("C4 N3 C2", 1.34, 116, 180)},
    "T": {"O4": ("C2 N3 C4", 1.23, 120, 180), "C7": ("N3 C4 C5", 1.50, 120, 180)},
    "U": {"O4": ("C2 N3 C4", 1.23, 120, 180)},
}


def strand(sequence: Sequence[str], chain: str = "A") -> list[Row]:
    """All heavy atoms of nucleotides such as "DA" and "U"; the first has no phosphate."""
    rows: list[Row] = []
    before: dict[str, np.ndarray] = {}
    for number, name in enumerate(sequence, 1):
        before = _nucleotide(name, before)
        rows += [
            Row(atom, name, number, tuple(at.tolist()), chain=chain, element=atom[0])
            for atom, at in before.items()
        ]
    return rows


def _nucleotide(name: str, before: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    atoms: dict[str, np.ndarray] = {}

    def put(atom: str, by: str, length: float, angle: float, dihedral: float) -> None:
        atoms[atom] = place(*(atoms[one] for one in by.split()), length, angle, dihedral)

    if before:
        c4, c3, o3 = (before[atom] for atom in ("C4'", "C3'", "O3'"))
        atoms["P"] = place(c4, c3, o3, 1.61, 119.7, EPSILON)
        atoms["O5'"] = place(c3, o3, atoms["P"], 1.59, 104.0, ZETA)
        atoms["C5'"] = place(o3, atoms["P"], atoms["O5'"], 1.44, 120.9, ALPHA)
        for atom, turn in (("OP1", 120.0), ("OP2", -120.0)):
            put(atom, "C5' O5' P", 1.48, 109.0, ALPHA + turn)
        put("C4'", "P O5' C5'", 1.51, 109.4, BETA)
    else:
        atoms |= {"O5'": np.zeros(3), "C5'": np.array([1.44, 0.0, 0.0])}
        atoms["C4'"] = place(np.array([0.0, 1.0, 0.0]), atoms["O5'"], atoms["C5'"], 1.51, 109.4, 0.0)
    put("C3'", "O5' C5' C4'", 1.53, 115.7, GAMMA)
    put("O3'", "C5' C4' C3'", 1.43, 111.9, DELTA)
    put("O4'", "O5' C5' C4'", 1.45, 109.4, GAMMA - 120)
    put("C1'", "C3' C4' O4'", 1.42, 109.7, -10)
    put("C2'", "C4' O4' C1'", 1.53, 106.0, -10)
    base = name[-1]
    first, ring = ("N9", PURINE) if base in "AG" else ("N1", PYRIMIDINE)
    put(first, "C4' O4' C1'", 1.47, 108.5, -130)
    if name == base:
        put("O2'", "O4' C1' C2'", 1.41, 111.0, -100)
    for atom, (by, *numbers) in (ring | FURTHER[base]).items():
        put(atom, by, *numbers)
    return atoms
