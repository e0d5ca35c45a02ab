"""Ideal peptides, and the text of PDB and mmCIF files with them in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from elbowroom.files import ChainAtoms, read_chain

Read = Callable[..., ChainAtoms]

#: What hangs on CB, as atom/parent:angle:dihedral, of 111 and 180 degrees where they are left out.
SIDE_CHAINS = {
    "GLY": "",
    "ALA": "",
    "ARG": "CG/CB CD/CG NE/CD CZ/NE:124 NH1/CZ:120:0 NH2/CZ:120:180",
    "ASN": "CG/CB OD1/CG:120:-20 ND2/CG:116:160",
    "ASP": "CG/CB OD1/CG:118:0 OD2/CG:118:180",
    "CYS": "SG/CB",
    "GLN": "CG/CB CD/CG OE1/CD:120:-20 NE2/CD:116:160",
    "GLU": "CG/CB CD/CG OE1/CD:118:0 OE2/CD:118:180",
    "HIS": "CG/CB ND1/CG:126:90 CD2/CG:126:270 CE1/ND1:108:180 NE2/CD2:108:180",
    "ILE": "CG1/CB CG2/CB:111:-60 CD1/CG1",
    "LEU": "CG/CB CD1/CG:111:60 CD2/CG:111:180",
    "LYS": "CG/CB CD/CG CE/CD NZ/CE",
    "MET": "CG/CB SD/CG CE/SD:100",
    "MSE": "CG/CB SE/CG CE/SE:100",
    "PHE": "CG/CB CD1/CG:120:90 CD2/CG:120:270 CE1/CD1:120:180 CE2/CD2:120:180 CZ/CE1:120:0",
    "PRO": "CG/CB:104:30 CD/CG:104:-36",
    "SEP": "OG/CB P/OG:120 O1P/P:109:60 O2P/P:109:180 O3P/P:109:-60",
    "SER": "OG/CB",
    "THR": "OG1/CB CG2/CB:111:60",
    "TRP": "CG/CB CD1/CG:126:90 CD2/CG:126:270 NE1/CD1:109:180 CE2/CD2:108:180 CE3/CD2:132:0 "
    "CZ2/CE2:122:180 CZ3/CE3:119:180 CH2/CZ2:118:0",
    "TYR": "CG/CB CD1/CG:120:90 CD2/CG:120:270 CE1/CD1:120:180 CE2/CD2:120:180 CZ/CE1:120:0 OH/CZ:120:180",
    "VAL": "CG1/CB CG2/CB:111:-60",
}
RINGS = ("HIS", "PHE", "TRP", "TYR")
BONDS = {"C": 1.52, "N": 1.46, "O": 1.42, "S": 1.81, "P": 1.60, "SE": 1.95}
HELIX, SHEET = (-60.0, -45.0), (-120.0, 130.0)


@dataclass(frozen=True)
class Row:
    """An atom as files have it."""

    name: str
    residue: str
    number: int
    position: tuple[float, float, float]
    chain: str = "A"
    insertion: str = ""
    altloc: str = ""
    occupancy: float = 1.0
    hetero: bool = False
    element: str = ""

    @property
    def symbol(self) -> str:
        return self.element or ("SE" if self.name == "SE" else self.name[0])


def place(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, length: float, angle: float, dihedral: float
) -> np.ndarray:
    """The point d with that length c-d, angle b-c-d and dihedral a-b-c-d."""
    axis = (c - b) / np.linalg.norm(c - b)
    side = np.cross(b - a, axis)
    side /= np.linalg.norm(side)
    theta, phi = np.radians([angle, dihedral])
    local = length * np.array([-np.cos(theta), np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi)])
    return c + local @ np.array([axis, np.cross(side, axis), side])


def backbone(count: int, phi: float, psi: float, omega: float = 180.0, angle: float = 111.0) -> np.ndarray:
    """(count, 3, 3): N, CA and C of each residue; `angle` is that of N-CA-C."""
    points = [np.zeros(3), np.array([1.46, 0.0, 0.0])]
    points.append(place(np.array([0.0, 1.0, 0.0]), *points, 1.525, angle, 0.0))
    while len(points) < 3 * count:
        for length, bend, turn in ((1.33, 116.6, psi), (1.46, 121.7, omega), (1.525, angle, phi)):
            points.append(place(*points[-3:], length, bend, turn))
    return np.array(points).reshape(-1, 3, 3)


def peptide(sequence: Sequence[str], torsions: tuple[float, float] = SHEET, **rest: float) -> list[Row]:
    """All heavy atoms of a peptide of these residues, numbered from 1; the last has OXT."""
    rows = []
    links = backbone(len(sequence), *torsions, **rest)
    for number, (name, (n, ca, c)) in enumerate(zip(sequence, links, strict=True), 1):
        atoms = {"N": n, "CA": ca, "C": c, "O": place(n, ca, c, 1.23, 120.5, torsions[1] + 180.0)}
        if number == len(sequence):
            atoms["OXT"] = place(n, ca, c, 1.25, 118.0, torsions[1])
        add_side_chain(name, atoms)
        rows += [Row(atom, name, number, (x, y, z)) for atom, (x, y, z) in atoms.items()]
    return rows


def add_side_chain(name: str, atoms: dict[str, np.ndarray]) -> None:
    parents = {"CA": "N", "N": "C"}
    entries = "" if name == "GLY" else f"CB/CA:110:-122 {SIDE_CHAINS[name]}"
    for entry in entries.split():
        bond, *numbers = entry.split(":")
        atom, parent = bond.split("/")
        angle, dihedral = (float(x) for x in (*numbers, *("111", "180")[len(numbers) :]))
        parents[atom] = parent
        before = [atoms[x] for x in (parents[parents[parent]], parents[parent], parent)]
        atoms[atom] = place(*before, bond_length(name, atom, parent), angle, dihedral)


def bond_length(residue: str, atom: str, parent: str) -> float:
    if residue in RINGS and parent not in ("CA", "CB"):
        return 1.38
    heavier = atom if parent.startswith("C") else parent
    return BONDS["SE" if heavier == "SE" else heavier[0]]


def renamed(rows: Iterable[Row], **changes: object) -> list[Row]:
    """The same atoms with other entries."""
    return [replace(row, **changes) for row in rows]  # type: ignore[arg-type]


def shifted(rows: Iterable[Row], by: Sequence[float], **changes: object) -> list[Row]:
    """The same atoms elsewhere, with other entries."""
    moved = [replace(row, position=tuple(np.add(row.position, by).tolist())) for row in rows]
    return renamed(moved, **changes)


def pdb_line(serial: int, row: Row) -> str:
    kind = "HETATM" if row.hetero else "ATOM  "
    name = row.name if len(row.symbol) == 2 or len(row.name) == 4 else " " + row.name
    place = "".join(f"{x:8.3f}" for x in row.position)
    return (
        f"{kind}{serial:5d} {name:<4}{row.altloc or ' '}{row.residue:>3} {row.chain:1}{row.number:4d}"
        f"{row.insertion or ' '}   {place}{row.occupancy:6.2f}{0.0:6.2f}          {row.symbol:>2}\n"
    )


def pdb_text(*models: Iterable[Row]) -> str:
    """A PDB file; MODEL records if there are several."""
    texts = ["".join(pdb_line(k, row) for k, row in enumerate(rows, 1)) for rows in models]
    if len(texts) == 1:
        return texts[0] + "END\n"
    return "".join(f"MODEL {k:8d}\n{text}ENDMDL\n" for k, text in enumerate(texts, 1)) + "END\n"


CIF_COLUMNS = (
    "group_PDB id type_symbol label_atom_id label_alt_id label_comp_id label_asym_id label_seq_id "
    "Cartn_x Cartn_y Cartn_z occupancy auth_seq_id auth_asym_id pdbx_PDB_ins_code pdbx_PDB_model_num"
)


def cif_text(*models: Iterable[Row]) -> str:
    """An mmCIF file with nothing but atoms; the labels of its chains are not those of the author."""
    lines = ["data_made", "loop_", *(f"_atom_site.{column}" for column in CIF_COLUMNS.split())]
    for model, rows in enumerate(models, 1):
        for serial, row in enumerate(rows, 1):
            values = ["HETATM" if row.hetero else "ATOM", serial, row.symbol, row.name, row.altloc or "."]
            values += [row.residue, f"x{row.chain}", "." if row.hetero else row.number]
            values += [f"{x:.3f}" for x in row.position]
            values += [f"{row.occupancy:.2f}", row.number, row.chain, row.insertion or "?", model]
            lines.append(" ".join(map(str, values)))
    return "\n".join(lines) + "\n"


def without(rows: Iterable[Row], *atoms: tuple[int, str]) -> list[Row]:
    """All but the atoms of these residue numbers and names; the name "*" stands for any."""
    return [row for row in rows if not {(row.number, row.name), (row.number, "*")} & set(atoms)]


def place_of(rows: Iterable[Row], number: int, name: str) -> np.ndarray:
    """Where an atom is."""
    return np.array(next(row.position for row in rows if (row.number, row.name) == (number, name)))


def moved(rows: Iterable[Row], number: int, name: str, to: Iterable[float]) -> list[Row]:
    """The same atoms, one of them elsewhere."""
    x, y, z = to
    return [
        replace(row, position=(x, y, z)) if (row.number, row.name) == (number, name) else row for row in rows
    ]


def reader(folder: Path) -> Read:
    """A function that writes a text, or atoms as a PDB file, and reads the chain in it."""

    def written(content: str | Iterable[Row], **options: Any) -> ChainAtoms:
        path = folder / "made.pdb"
        path.write_text(content if isinstance(content, str) else pdb_text(content))
        return read_chain(path, **options)

    return written
