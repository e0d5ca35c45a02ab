"""Side chains: which link each atom turns with, and the torsions chi about their bonds.

The axes are those of IUPAC-IUB [IUPAC1970]_, of the residue itself or, if it is a modified one, of the one it
comes from. What turns about an axis is told by the bonds, so that additions such as phosphates come along.
"""

from __future__ import annotations

from itertools import pairwise

from elbowroom.files.amino_acids import SYNONYMS, is_nucleotide
from elbowroom.files.nucleotides import STRAND, base_atom
from elbowroom.files.residue_bonds import BACKBONE, CARBONYL, Bonds, reached
from elbowroom.files.residues import Residue
from elbowroom.files.structures import gemmi

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


def owners(residue: Residue, bonds: Bonds) -> dict[str, str]:
    """The backbone atom that each other atom turns with: CA, unless it hangs on C or N alone.

    Of a nucleotide the phosphate turns with P, sugar and base with C4'.
    """
    if residue.is_nucleotide:
        pieces = {name: reached(name, bonds, stop={*STRAND}) for name in residue.atoms if name not in STRAND}
        touched = {name: set().union(*(bonds[each] for each in piece)) for name, piece in pieces.items()}
        return {
            name: next((link for link in STRAND if link in ends), "C4'") for name, ends in touched.items()
        }
    found = dict.fromkeys((name for name in CARBONYL if name in residue.atoms), "C")
    for name in residue.atoms:
        if name not in BACKBONE and name not in found:
            piece = reached(name, bonds, stop={*BACKBONE, *CARBONYL})
            found |= dict.fromkeys(piece, _held_by(piece, bonds))
    return {name: found[name] for name in residue.atoms if name in found}


def _held_by(piece: set[str], bonds: Bonds) -> str:
    touched = set().union(*(bonds[name] for name in piece))
    return next((link for link in ("CA", "C", "N") if link in touched), "CA")


def torsions(residue: Residue, bonds: Bonds) -> list[tuple[str, str, list[str]]]:
    """Axis and moving atoms of chi1, chi2, ... as far as the atoms are there; none about a bond in a ring."""
    path = CHI_AXES.get(parent(residue.name), "").split()
    if residue.is_nucleotide:
        base = base_atom(residue)
        path = [] if base is None else ["C1'", base]
    found = []
    for a, b in pairwise(path):
        if a not in residue.atoms or b not in residue.atoms:
            break
        cut = {name: ends - {a} if name == b else ends for name, ends in bonds.items()}
        beyond = reached(b, cut, stop=set())
        if a not in beyond and len(beyond) > 1:
            found.append((a, b, [name for name in residue.atoms if name in beyond and name != b]))
    return found


def parent(name: str) -> str:
    """The residue whose axes one has: its own name, or the standard one that it is a form of, or ""."""
    if is_nucleotide(name):
        return ""  # its letter may be that of an amino acid
    name = SYNONYMS.get(name, name)
    if name in CHI_AXES:
        return name
    letter = gemmi().find_tabulated_residue(name).one_letter_code.upper()
    return str(gemmi().expand_one_letter(letter, gemmi().ResidueKind.AA) or "") if letter.strip() else ""
