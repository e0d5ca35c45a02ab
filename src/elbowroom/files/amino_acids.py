"""What belongs to an amino acid: which residues are some, and the elements of their atoms."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

#: Elements that amino acids have, modified ones included. Others in a file are names in the wrong columns: in
#: the files of CHARMM the CA of a residue looks like calcium, CD like cadmium, HG like mercury.
ELEMENTS = frozenset(("H", "D", "B", "C", "N", "O", "F", "Si", "P", "S", "Cl", "As", "Se", "Br", "Te", "I"))
#: Longest bond C-N between two residues; a peptide bond has 1.33 angstrom.
PEPTIDE_BOND = 2.0
#: Nucleotides by the names of CHARMM and Amber, which gemmi does not know.
NUCLEOTIDES = frozenset(
    (
        "ADE",
        "CYT",
        "GUA",
        "THY",
        "URA",
        *("DA", "DC", "DG", "DT"),
        *("A", "C", "G", "U", "RA", "RC", "RG", "RU"),
    )
)
STANDARD = (
    *("ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS", "ILE"),
    *("LEU", "LYS", "MET", "PHE", "PRO", "SER", "THR", "TRP", "TYR", "VAL"),
)
#: Names that force fields give to states of protonation; those of four letters are of GROMOS and OPLS, and
#: Amber's of the first and the last residue.
SYNONYMS = {
    **dict.fromkeys(("HID", "HIE", "HIP", "HSD", "HSE", "HSP"), "HIS"),
    **dict.fromkeys(("HISA", "HISB", "HISH", "HISD", "HISE", "HISP", "HIS1", "HIS2"), "HIS"),
    **dict.fromkeys(("CYX", "CYM", "CYSH", "CYS1", "CYS2", "CYSX"), "CYS"),
    **{"ASH": "ASP", "GLH": "GLU", "LYN": "LYS"},
    **{"ARGN": "ARG", "ASPH": "ASP", "GLUH": "GLU", "LYSH": "LYS"},
}
SYNONYMS |= {
    f"{end}{name}": SYNONYMS.get(name, name)
    for end in "NC"
    for name in (*STANDARD, *[short for short in SYNONYMS if len(short) == 3])
}
#: Waters by the names of GROMACS, CHARMM and Amber.
WATERS = frozenset(("SOL", "TIP", "TIP3", "TIP4", "TIP5", "TP3M", "SPC", "SPCE"))


@cache
def _tabulated(name: str) -> Any:
    from elbowroom.files.structures import gemmi

    return gemmi().find_tabulated_residue(name)


def is_amino_acid(residue: Any) -> bool:
    """By its name, or else by its atoms: a carbon CA alone, or with N and C."""
    if _tabulated(SYNONYMS.get(residue.name, residue.name)).is_amino_acid():
        return True
    names = {atom.name for atom in residue}
    return names >= {"N", "CA", "C"} or (names == {"CA"} and residue[0].element.name == "C")


def is_nucleotide(name: str) -> bool:
    """By the name of the residue."""
    return name in NUCLEOTIDES or name.rstrip("35") in NUCLEOTIDES or bool(_tabulated(name).is_nucleic_acid())


def is_water(name: str) -> bool:
    """By the name of the residue."""
    return name in WATERS or bool(_tabulated(name).is_water())


def element_of(atom: Any) -> str:
    """The element of an atom of an amino acid: as the file says, unless that is its name in wrong columns."""
    stated = str(atom.element.name)
    letters = re.sub("[^A-Za-z]", "", atom.name).capitalize()
    if stated in ELEMENTS or (stated != "X" and not letters.startswith(stated)):
        return stated
    return letters[:1] if letters[:1] in ELEMENTS else stated
