"""Van der Waals radii of atoms, and the share of them that leaves native proteins free of clashes."""

from __future__ import annotations

#: In angstrom, from table I of Bondi [Bondi1964]_; hydrogens are never read.
VAN_DER_WAALS = {
    "C": 1.70,
    "N": 1.55,
    "O": 1.52,
    "F": 1.47,
    "Si": 2.10,
    "P": 1.80,
    "S": 1.80,
    "Cl": 1.75,
    "As": 1.85,
    "Se": 1.90,
    "Br": 1.85,
    "Te": 2.06,
    "I": 1.98,
}

#: Share of the radii at which 28 native chains from 23 files of the Protein Data Bank are free of clashes.
#: Atoms more than three bonds apart are there at least so many times the sum of their radii from each other:
#: 0.616 if all heavy atoms are read (LEU 311/O and ALA 312/CB of 1ANF), 0.82 in the
#: backbone, 1.02 from CA to CA.
RADIUS_SCALE = 0.6


def radius_of(element: str, where: str) -> float:
    """The radius by Bondi, or a ValueError that names the atom."""
    if element not in VAN_DER_WAALS:
        raise ValueError(f"{where}: its element {element!r} has no van der Waals radius in Bondi's table")
    return VAN_DER_WAALS[element]
