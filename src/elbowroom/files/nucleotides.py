"""Nucleotides: their names, the bonds of the standard ones, and which bond the base turns about."""

from __future__ import annotations

from dataclasses import replace

from elbowroom.files.residues import Residue

#: The links of a strand; the first residue often begins with O5'.
STRAND = ("P", "O5'", "C5'", "C4'", "C3'", "O3'")
#: Sugar and phosphate as chains of bonds, and the base of each nucleotide.
SUGAR = "P-O5'-C5'-C4'-C3'-O3' P-OP1 P-OP2 P-OP3 C4'-O4'-C1'-C2'-C3' C2'-O2'"
BASES = {
    "A": "C1'-N9-C8-N7-C5-C6-N1-C2-N3-C4-N9 C4-C5 C6-N6",
    "C": "C1'-N1-C2-N3-C4-C5-C6-N1 C2-O2 C4-N4",
    "G": "C1'-N9-C8-N7-C5-C6-N1-C2-N3-C4-N9 C4-C5 C6-O6 C2-N2",
    "T": "C1'-N1-C2-N3-C4-C5-C6-N1 C2-O2 C4-O4 C5-C7",
    "U": "C1'-N1-C2-N3-C4-C5-C6-N1 C2-O2 C4-O4",
}
#: Base of each name: of PDB, of CHARMM, and of Amber, which names the first and the last residue.
BASE_OF = {
    f"{kind}{base}{end}": base for base in BASES for kind in ("", "D", "R") for end in ("", "3", "5", "N")
} | {"ADE": "A", "CYT": "C", "GUA": "G", "THY": "T", "URA": "U"}
#: Names of atoms in older files.
RENAMED = {"O1P": "OP1", "O2P": "OP2", "O3P": "OP3", "C5M": "C7"}
#: The atoms that chi ends at, behind N9 of purines and N1 of pyrimidines.
CHI_ENDS = {"N9": "C4", "N1": "C2"}


def with_present_names(residue: Residue) -> Residue:
    """With the names that atoms have in the files of today: C1' for C1*, OP1 for O1P."""
    names = {name: name.replace("*", "'") for name in residue.atoms}
    renamed = {RENAMED.get(names[name], names[name]): atom for name, atom in residue.atoms.items()}
    return replace(residue, atoms={name: replace(atom, name=name) for name, atom in renamed.items()})


def base_atom(residue: Residue) -> str | None:
    """The atom of the base that the sugar is bound to: N9, or N1."""
    return next((name for name in CHI_ENDS if name in residue.atoms and "C1'" in residue.atoms), None)
