"""Protein chains from files: links, side balls, torsions, radii, and which links may overlap."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from peptide import (
    HELIX,
    SHEET,
    SIDE_CHAINS,
    Read,
    Row,
    backbone,
    cif_text,
    moved,
    pdb_text,
    peptide,
    place,
    place_of,
    reader,
    renamed,
    without,
)

import elbowroom as er
from elbowroom.files import ChainAtoms


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return reader(tmp_path)


def named(atoms: ChainAtoms) -> dict[str, np.ndarray]:
    """Positions by label."""
    sides = [] if atoms.side is None else [atoms.side.positions]
    return dict(zip(atoms.labels, np.concatenate([atoms.positions, *sides]), strict=True))


def owners(atoms: ChainAtoms) -> dict[str, int]:
    """The link of each label."""
    side = [] if atoms.side is None else atoms.side.owner.tolist()
    return dict(zip(atoms.labels, [*range(len(atoms.positions)), *side], strict=True))


def radii(atoms: ChainAtoms) -> dict[str, float]:
    """The radius of each label."""
    side = [] if atoms.side is None else atoms.side.radii.tolist()
    return dict(zip(atoms.labels, [*atoms.radii.tolist(), *side], strict=True))


def label(row: Row) -> str:
    return f"{row.chain}/{row.residue} {row.number}{row.insertion}/{row.name}"


def dihedral(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float:
    axis = (c - b) / np.linalg.norm(c - b)
    first, second = (v - (v @ axis) * axis for v in (a - b, d - c))
    return float(np.degrees(np.arctan2(np.cross(first, second) @ axis, first @ second)))


# Links.


def test_the_backbone_has_three_links_a_residue_and_its_torsions_at_their_joints(read: Read) -> None:
    atoms = read(peptide(["ALA", "GLY", "SER"], HELIX))
    assert atoms.labels[:4] == ("A/ALA 1/N", "A/ALA 1/CA", "A/ALA 1/C", "A/GLY 2/N")
    assert atoms.positions == pytest.approx(backbone(3, *HELIX).reshape(-1, 3), abs=6e-4)
    assert (atoms.side, atoms.breaks) == (None, ())
    assert atoms.excluded.tolist() == [[i, j] for i in range(9) for j in range(i + 1, min(i + 4, 9))]
    assert atoms.bonds.tolist() == [[i, i + 1] for i in range(8)]
    for residue, torsion, expected in ((1, 0, -60.0), (1, 1, -45.0), (0, 2, 180.0)):
        joint = 3 * residue + torsion
        turned = dihedral(*atoms.positions[joint - 1 : joint + 3])
        assert (turned - expected + 180) % 360 - 180 == pytest.approx(0.0, abs=0.2)


def test_one_link_a_residue(read: Read) -> None:
    atoms = read(peptide(["ALA", "GLY", "SER"]), atoms="ca")
    assert atoms.labels == ("A/ALA 1/CA", "A/GLY 2/CA", "A/SER 3/CA")
    assert atoms.positions == pytest.approx(backbone(3, *SHEET)[:, 1], abs=6e-4)
    assert (atoms.excluded.tolist(), atoms.side) == ([[0, 1], [1, 2]], None)
    assert atoms.radii.tolist() == pytest.approx([1.02] * 3)


def test_all_heavy_atoms_are_read_and_turn_with_their_links(read: Read) -> None:
    rows = peptide(list(SIDE_CHAINS))
    hydrogen = Row("HA", "GLY", 1, (0.0, 0.0, 9.0), element="H")
    atoms = read([*rows, hydrogen], atoms="all")
    places, links = named(atoms), owners(atoms)
    beside = [label(row) for row in rows if row.name not in ("N", "CA", "C")]
    assert list(atoms.labels[len(atoms.positions) :]) == beside
    for row in rows:
        assert places[label(row)] == pytest.approx(row.position, abs=6e-4)
        owner = row.name if row.name in ("N", "CA", "C") else "C" if row.name in ("O", "OXT") else "CA"
        assert atoms.labels[links[label(row)]] == f"A/{row.residue} {row.number}/{owner}"


def test_what_hangs_on_nitrogen_turns_with_it(read: Read) -> None:
    rows = peptide(["ALA", "ALA"])
    n, ca, c = (place_of(rows, 1, name) for name in ("N", "CA", "C"))
    methyl = replace(rows[0], name="CN", element="C", position=tuple(place(c, ca, n, 1.46, 120.0, 90.0)))
    atoms = read([*rows[:1], methyl, *rows[1:]], atoms="all")
    assert owners(atoms)["A/ALA 1/CN"] == owners(atoms)["A/ALA 1/N"]


def test_arrays_cannot_be_written_to(read: Read) -> None:
    atoms = read(peptide(["ALA", "ALA"]), atoms="all")
    assert atoms.side is not None
    for array in (atoms.positions, atoms.radii, atoms.excluded, *atoms.side[:3]):
        assert not array.flags.writeable


# Torsions of side chains: axis and what turns, written out.

CHI = {
    "ARG": "CA-CB CG CD NE CZ NH1 NH2; CB-CG CD NE CZ NH1 NH2; CG-CD NE CZ NH1 NH2; CD-NE CZ NH1 NH2",
    "ASN": "CA-CB CG OD1 ND2; CB-CG OD1 ND2",
    "ASP": "CA-CB CG OD1 OD2; CB-CG OD1 OD2",
    "CYS": "CA-CB SG",
    "GLN": "CA-CB CG CD OE1 NE2; CB-CG CD OE1 NE2; CG-CD OE1 NE2",
    "GLU": "CA-CB CG CD OE1 OE2; CB-CG CD OE1 OE2; CG-CD OE1 OE2",
    "HIS": "CA-CB CG ND1 CD2 CE1 NE2; CB-CG ND1 CD2 CE1 NE2",
    "ILE": "CA-CB CG1 CG2 CD1; CB-CG1 CD1",
    "LEU": "CA-CB CG CD1 CD2; CB-CG CD1 CD2",
    "LYS": "CA-CB CG CD CE NZ; CB-CG CD CE NZ; CG-CD CE NZ; CD-CE NZ",
    "MET": "CA-CB CG SD CE; CB-CG SD CE; CG-SD CE",
    "MSE": "CA-CB CG SE CE; CB-CG SE CE; CG-SE CE",
    "PHE": "CA-CB CG CD1 CD2 CE1 CE2 CZ; CB-CG CD1 CD2 CE1 CE2 CZ",
    "SEP": "CA-CB OG P O1P O2P O3P",
    "SER": "CA-CB OG",
    "THR": "CA-CB OG1 CG2",
    "TRP": "CA-CB CG CD1 CD2 NE1 CE2 CE3 CZ2 CZ3 CH2; CB-CG CD1 CD2 NE1 CE2 CE3 CZ2 CZ3 CH2",
    "TYR": "CA-CB CG CD1 CD2 CE1 CE2 CZ OH; CB-CG CD1 CD2 CE1 CE2 CZ OH",
    "VAL": "CA-CB CG1 CG2",
    "ALA": "",
    "GLY": "",
    "PRO": "",
}


def chi(atoms: ChainAtoms, residue: str) -> str:
    """The torsions of a residue in the words above."""
    assert atoms.side is not None
    short = [label.rsplit("/", 1) for label in atoms.labels]
    return "; ".join(
        f"{short[a][1]}-{short[b][1]} {' '.join(short[m][1] for m in moving)}"
        for a, b, moving in atoms.side.torsions
        if short[a][0] == residue
    )


@pytest.mark.parametrize("name", SIDE_CHAINS)
def test_side_chains_have_their_torsions(read: Read, name: str) -> None:
    rows = renamed(peptide(["ALA", name, "ALA"]), hetero=name in ("MSE", "SEP"))
    assert chi(read(rows, atoms="all"), f"A/{name} 2") == CHI[name]


@pytest.mark.parametrize(
    ("made_of", "name", "torsions"),
    [
        ("HIS", "HIE", CHI["HIS"]),
        ("CYS", "CYX", CHI["CYS"]),
        ("LYS", "MLZ", CHI["LYS"]),
        ("SER", "DSN", CHI["SER"]),
        ("PRO", "PCA", ""),  # comes from glutamate, but its CD closes a ring
        ("SER", "XYZ", ""),  # comes from nothing known
    ],
)
def test_other_names_have_the_torsions_of_what_they_come_from(
    read: Read, made_of: str, name: str, torsions: str
) -> None:
    rows = [
        replace(row, residue=name) if row.number == 2 else row for row in peptide(["ALA", made_of, "ALA"])
    ]
    assert chi(read(rows, atoms="all"), f"A/{name} 2") == torsions


def test_missing_side_atoms_end_the_torsions_and_leave_nothing_behind(read: Read) -> None:
    rows = peptide(["ALA", "LYS", "ALA"])
    assert (
        chi(read(without(rows, (2, "CE")), atoms="all"), "A/LYS 2") == "CA-CB CG CD NZ; CB-CG CD NZ; CG-CD NZ"
    )
    assert chi(read(without(rows, (2, "CG")), atoms="all"), "A/LYS 2") == "CA-CB CD CE NZ"
    assert chi(read(without(rows, (2, "CB")), atoms="all"), "A/LYS 2") == ""
    ending = without(rows, (2, "CE"), (2, "NZ"))
    assert chi(read(ending, atoms="all"), "A/LYS 2") == "CA-CB CG CD; CB-CG CD"


# Radii, and what may overlap.


def test_radii_are_those_of_bondi_times_the_scale(read: Read) -> None:
    rows = peptide(["MSE", "CYS", "SEP"])
    bondi = {"C": 1.70, "N": 1.55, "O": 1.52, "S": 1.80, "P": 1.80, "SE": 1.90}
    for scale in (0.5, 1.0, 0.0):
        expected = {label(row): scale * bondi[row.symbol] for row in rows}
        assert radii(read(rows, atoms="all", scale=scale)) == pytest.approx(expected)
    assert read(rows).radii[:2].tolist() == pytest.approx([0.6 * 1.55, 0.6 * 1.7])


def names_of(atoms: ChainAtoms) -> set[tuple[str, str]]:
    """The excluded pairs by labels."""
    return {tuple(sorted((atoms.labels[i], atoms.labels[j]))) for i, j in atoms.excluded.tolist()}


def within(rows: list[Row], bonds: int, more: list[tuple[int, int]] | None = None) -> set[tuple[str, str]]:
    """Labels of atoms that at most so many bonds join; bonded ones are within 2.1 angstrom."""
    points = np.array([row.position for row in rows])
    number = np.array([row.number for row in rows])
    bonded = np.linalg.norm(points[:, None] - points[None], axis=2) < 2.1
    bonded &= np.abs(number[:, None] - number) <= 1
    for i, j in more or []:
        bonded[i, j] = bonded[j, i] = True
    reached = np.linalg.matrix_power(bonded.astype(int), bonds)  # an atom is its own neighbour
    pairs = combinations(range(len(rows)), 2)
    return {tuple(sorted((label(rows[i]), label(rows[j])))) for i, j in pairs if reached[i, j]}


@pytest.mark.parametrize("kind", ["all", "backbone", "ca"])
@pytest.mark.parametrize("bonds", [1, 2, 3, 4])
def test_atoms_that_few_bonds_join_are_excluded_and_no_others(read: Read, kind: str, bonds: int) -> None:
    rows = peptide(list(SIDE_CHAINS))
    for exclude in [("bonds", bonds), "bonds"] if bonds == 3 else [("bonds", bonds)]:
        atoms = read(rows, atoms=kind, exclude=exclude)
        here = set(atoms.labels)
        assert names_of(atoms) == {pair for pair in within(rows, bonds) if here.issuperset(pair)}


def test_bonds_go_by_templates_where_atoms_are_too_near_or_missing(read: Read) -> None:
    """OD1 of an asparagine beside its N is not bonded to it; a CG that is left out still has bonds."""
    rows = peptide(["ALA", "ASN", "LYS", "ALA"])
    near = moved(rows, 2, "OD1", np.add(place_of(rows, 2, "N"), [0.0, 0.0, 1.3]))
    assert names_of(read(near, atoms="all")) == within(rows, 3)
    gone = without(rows, (3, "CG"))
    here = {label(row) for row in gone}
    assert names_of(read(gone, atoms="all")) == {pair for pair in within(rows, 3) if here.issuperset(pair)}


def test_bonds_of_a_modified_residue_go_by_distance(read: Read) -> None:
    rows = peptide(["ALA", "SEP", "ALA"])
    assert names_of(read(rows, atoms="all")) == within(rows, 3)


def test_a_side_chain_that_meets_its_own_backbone_clashes(read: Read, tmp_path: Path) -> None:
    rows = peptide(["ALA", "GLU", "ALA"])
    read(moved(rows, 2, "OE2", np.add(place_of(rows, 2, "O"), [0.3, 0.0, 0.0])), atoms="all")
    chain = er.Chain.from_pdb(tmp_path / "made.pdb", atoms="all")
    labels = chain.labels or []
    found = {(labels[i], labels[j]) for i, j in er.self_collide(chain, every=True).pairs.tolist()}
    assert ("A/GLU 2/O", "A/GLU 2/OE2") in found


def test_nothing_is_bonded_across_a_gap(read: Read) -> None:
    rows = without(peptide(["ALA"] * 6), (3, "*"))
    for kind in ("all", "backbone", "ca"):
        atoms = read(rows, atoms=kind, breaks="bridge")
        here = set(atoms.labels)
        assert names_of(atoms) == {pair for pair in within(rows, 3) if here.issuperset(pair)}


def bridged(distance: float, *, between: tuple[int, int] = (1, 6)) -> list[Row]:
    """A peptide with two cysteines, whose sulfurs are put so far apart."""
    i, j = between
    rows = peptide(["CYS" if k in between else "ALA" for k in range(1, 8)])
    return moved(rows, j, "SG", np.add(place_of(rows, i, "SG"), [0.0, 0.0, -distance]))


def number_of(rows: list[Row], number: int, name: str) -> int:
    return next(k for k, row in enumerate(rows) if (row.number, row.name) == (number, name))


def joining(rows: list[Row], one: tuple[int, str], other: tuple[int, str]) -> set[tuple[str, str]]:
    """Pairs that at most three bonds join if these atoms are bonded, too."""
    return within(rows, 3, [(number_of(rows, *one), number_of(rows, *other))])


@pytest.mark.parametrize("between", [(1, 6), (3, 4)])
def test_a_disulfide_bridge_is_a_bond(read: Read, between: tuple[int, int]) -> None:
    sulfurs = [(number, "SG") for number in between]
    rows = peptide(["CYS" if k in between else "ALA" for k in range(1, 8)])
    assert names_of(read(bridged(2.45, between=between), atoms="all")) == joining(rows, *sulfurs)
    assert names_of(read(bridged(2.55, between=between), atoms="all")) == within(rows, 3)


def linked(number: int, name: str, other: int, other_name: str) -> str:
    """A LINK record between two atoms of residues of alanine or lysine."""
    ends = [f"{x:^4} {'LYS' if k == 2 else 'ALA'} A{k:4d} " for k, x in ((number, name), (other, other_name))]
    return f"LINK        {ends[0]}{' ' * 15}{ends[1]}{' ' * 4}1555   1555  1.35\n"


@pytest.mark.parametrize("to", ["C", "CB"])
@pytest.mark.parametrize("record", ["LINK", "CONECT", "CONECT back"])
def test_bonds_listed_in_the_file_are_bonds(read: Read, to: str, record: str) -> None:
    """A bond from NZ of lysine 2 to C or CB of alanine 7."""
    rows = peptide(["ALA", "LYS", "ALA", "ALA", "ALA", "ALA", "ALA"])
    joined = moved(rows, 2, "NZ", np.add(place_of(rows, 7, to), [0.0, 0.0, 1.35]))
    ends = number_of(rows, 2, "NZ") + 1, number_of(rows, 7, to) + 1
    texts = {
        "LINK": linked(2, "NZ", 7, to) + pdb_text(joined),
        "CONECT": pdb_text(joined).replace("END\n", f"CONECT{ends[0]:5d}{ends[1]:5d}\nEND\n"),
        "CONECT back": pdb_text(joined).replace("END\n", f"CONECT{ends[1]:5d}{ends[0]:5d}\nEND\n"),
    }
    assert names_of(read(texts[record], atoms="all")) == joining(rows, (2, "NZ"), (7, to))
    assert names_of(read(pdb_text(joined), atoms="all")) == within(rows, 3)


@pytest.mark.parametrize("kind", ["covale", "hydrog"])
def test_covalent_bonds_listed_in_mmcif_are_bonds(read: Read, kind: str) -> None:
    rows = peptide(["ALA", "LYS", "ALA", "ALA", "ALA", "ALA", "ALA"])
    joined = moved(rows, 2, "NZ", np.add(place_of(rows, 7, "C"), [0.0, 0.0, 1.35]))
    entries = {"id": "bond", "conn_type_id": kind}
    for end, residue, number, atom in (("ptnr1", "LYS", 2, "NZ"), ("ptnr2", "ALA", 7, "C")):
        entries |= {f"{end}_label_asym_id": "xA", f"{end}_auth_asym_id": "A", f"{end}_label_atom_id": atom}
        entries |= {f"{end}_label_comp_id": residue, f"{end}_auth_comp_id": residue}
        entries |= {f"{end}_label_seq_id": str(number), f"{end}_auth_seq_id": str(number)}
    listed = "".join(f"_struct_conn.{key} {value}\n" for key, value in entries.items())
    expected = joining(rows, (2, "NZ"), (7, "C")) if kind == "covale" else within(rows, 3)
    assert names_of(read(cif_text(joined) + listed, atoms="all")) == expected


def test_listed_bonds_that_are_no_cross_links_are_passed_over(read: Read) -> None:
    rows = peptide(["ALA", "LYS", "ALA", "ALA", "ALA", "ALA", "ALA"])
    to_a_symmetry_mate, along_the_chain = linked(2, "NZ", 7, "C"), linked(2, "C", 3, "N")
    for listed in (to_a_symmetry_mate, along_the_chain):
        assert names_of(read(listed + pdb_text(rows), atoms="all")) == within(rows, 3)


def test_a_cyclic_peptide_is_closed(read: Read) -> None:
    n = 18
    angles = 2 * np.pi * np.arange(n) / n
    ring = 0.7 / np.sin(np.pi / n) * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    rows = [Row(("N", "CA", "C")[k % 3], "GLY", k // 3 + 1, tuple(p)) for k, p in enumerate(ring)]
    around = [[i, j] for i in range(n) for j in range(i + 1, n) if j - i <= 3 or i + n - j <= 3]
    assert read(rows).excluded.tolist() == around
    assert len(around) == 3 * n
    assert len(read(without(rows, (6, "*"))).excluded) == 3 * (n - 3) - 6
    assert [0, 5] in read(rows, atoms="ca").excluded.tolist()


# As chains.


@pytest.mark.parametrize("kind", ["backbone", "ca", "all"])
def test_a_helix_makes_a_chain_that_is_free(read: Read, tmp_path: Path, kind: str) -> None:
    atoms = read(peptide(["ALA", "LEU", "SER", "LYS"] * 5, HELIX), atoms=kind)
    chain = er.Chain.from_pdb(tmp_path / "made.pdb", atoms=kind)
    assert chain.labels == list(atoms.labels)
    assert chain.positions(side=True) == pytest.approx(np.array(list(named(atoms).values())), abs=1e-12)
    assert not chain.collides()


def test_torsions_keep_the_length_of_every_bond(read: Read, tmp_path: Path) -> None:
    sequence = [residue for name in SIDE_CHAINS if name != "PRO" for residue in (name, "GLY")]
    atoms = read(peptide(sequence), atoms="all")
    chain = er.Chain.from_pdb(tmp_path / "made.pdb", atoms="all")
    before = chain.positions(side=True)
    i, j = np.nonzero(np.linalg.norm(before[:, None] - before[None], axis=2) < 2.1)
    assert len(i) > len(before)
    for joint in range(len(chain) - 1):
        chain.rotate(joint, 0.1 * (joint + 1))
    assert atoms.side is not None
    for torsion in range(len(atoms.side.torsions)):
        chain.rotate_side(torsion, 1.0 + 0.1 * torsion)
    after = chain.positions(side=True)
    lengths = [np.linalg.norm(points[i] - points[j], axis=1) for points in (before, after)]
    assert lengths[1] == pytest.approx(lengths[0], abs=1e-9)
    assert np.abs(after - before)[atoms.side.torsions[-1][2]].min() > 0.1
