"""Files of protein chains: formats, models, chains, conformers and gaps, and what is refused by name."""

from __future__ import annotations

import gzip
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peptide import Read, Row, cif_text, moved, pdb_text, peptide, place_of, reader, renamed, shifted, without

from elbowroom.files import ChainAtoms, read_chain

ALANINES = peptide(["ALA"] * 4)
WATER = Row("O", "HOH", 901, (30.0, 0.0, 0.0), hetero=True)
CALCIUM = Row("CA", "CA", 902, (40.0, 0.0, 0.0), hetero=True, element="CA")
DNA = [Row(name, "DA", 1, (50.0 + k, 0.0, 0.0), chain="D") for k, name in enumerate(("P", "C1'", "N9"))]
ENZYME = [*ALANINES, *shifted(ALANINES, [0, 0, 20], chain="B"), *DNA, WATER, CALCIUM]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return reader(tmp_path)


def residues(atoms: ChainAtoms) -> list[str]:
    """Labels without the atoms, each once."""
    return list(dict.fromkeys(label.rsplit("/", 1)[0] for label in atoms.labels))


def same(a: ChainAtoms, b: ChainAtoms) -> bool:
    assert a.side is not None and b.side is not None
    arrays = (
        np.array_equal(x, y)
        for x, y in zip([a.positions, *a.side[:3]], [b.positions, *b.side[:3]], strict=True)
    )
    return all(arrays) and a.labels == b.labels and a.side.torsions == b.side.torsions


# Formats.


def test_pdb_and_mmcif_say_the_same_compressed_or_not_under_any_name(tmp_path: Path) -> None:
    rows = [*peptide(["MSE", "LEU", "PRO", "CYS"]), WATER]
    rows = [
        replace(row, insertion="B" if row.number == 2 else "", hetero=row.residue == "MSE") for row in rows
    ]
    found = []
    for name, text in (
        ("a.pdb", pdb_text(rows)),
        ("a.cif", cif_text(rows)),
        ("b", "\ufeff# made\n\n" + cif_text(rows).replace("data_", "DATA_")),
    ):
        (tmp_path / name).write_text(text)
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
        found += [
            read_chain(tmp_path / name, atoms="all"),
            read_chain(str(tmp_path / f"{name}.gz"), atoms="all"),
        ]
    assert residues(found[0]) == ["A/MSE 1", "A/LEU 2B", "A/PRO 3", "A/CYS 4"]
    assert all(same(found[0], other) for other in found[1:])


def test_windows_line_ends_and_lines_without_an_element(read: Read) -> None:
    text = pdb_text(ALANINES)
    bare = "".join(line[:60] + "\r\n" for line in text.splitlines())
    assert same(read(bare, atoms="all"), read(text, atoms="all"))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "neither PDB nor mmCIF"),
        (b"solid cube\nfacet normal 0 0 1\n", "neither PDB nor mmCIF"),
        (bytes(range(256)) * 4, "neither PDB nor mmCIF"),
        (
            pdb_text(ALANINES)[:-100].replace("1.460", "  one").encode(),
            "line 2 has 'one' for a coordinate",
        ),
        (pdb_text(ALANINES)[:40].encode(), "line 1 has .* for a coordinate"),
        (b"data_empty\n_cell.length_a 1\n", "mmCIF without atoms"),
        (
            cif_text(ALANINES).replace("_atom_site.Cartn_z\n", "").encode(),
            "cannot be read: .*Wrong number of values",
        ),
        (gzip.compress(pdb_text(ALANINES).encode())[:-30], "damaged gzip"),
        (b"\x1f\x8bnonsense", "damaged gzip"),
    ],
)
def test_a_file_that_is_none_is_refused_by_name(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "broken.pdb"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"broken.pdb: .*{complaint}"):
        read_chain(path)


def test_a_missing_file_and_a_folder_are_no_files(tmp_path: Path) -> None:
    for path in (tmp_path / "none.pdb", tmp_path):
        with pytest.raises(FileNotFoundError, match=re.escape(f"'{path}': no such file")):
            read_chain(path)
    with pytest.raises(TypeError, match="path must be a file name, got int"):
        read_chain(3)  # type: ignore[arg-type]


def test_coordinates_that_are_no_numbers_are_refused_by_name(read: Read) -> None:
    second = f"{ALANINES[1].position[0]:.3f}"
    with pytest.raises(
        ValueError, match=r"made\.pdb: chain 'A', residue ALA 1: atom CA has coordinates that are no"
    ):
        read(cif_text(ALANINES).replace(f" {second} ", " ? ", 1))
    with pytest.raises(ValueError, match="residue ALA 1: atom CA has coordinates that are not numbers"):
        read(pdb_text(ALANINES).replace(f"{second:>8}", "     nan", 1))


def test_without_gemmi_the_error_says_what_to_install(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gemmi", None)
    with pytest.raises(ImportError, match=r"gemmi.*pip install elbowroom\[protein\]"):
        read(ALANINES)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"atoms": "CA"}, "atoms must be 'backbone' or 'ca' or 'all', got 'CA'"),
        ({"atoms": None}, "atoms must be"),
        ({"breaks": "cut"}, "breaks must be 'error' or 'bridge', got 'cut'"),
        ({"missing": 1}, "missing must be 'error' or 'drop', got 1"),
        ({"scale": -0.1}, "scale must be finite, not negative"),
        ({"scale": "0.7"}, "scale must be a number"),
        ({"exclude": "bond"}, r'exclude must be "bonds" or \("bonds", k\)'),
        ({"exclude": 3}, r'exclude must be "bonds" or \("bonds", k\), got 3'),
        ({"exclude": ("bonds", -1)}, r"exclude\[1\] must be at least 0"),
        ({"chain": 1}, "chain must be the name of a chain, got 1"),
        ({"model": 0.5}, "model must be a whole number"),
    ],
)
def test_options_are_checked(read: Read, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read(ALANINES, **options)


# Models and chains.


@pytest.mark.parametrize("text", [pdb_text, cif_text])
def test_a_model_is_chosen_by_its_number(read: Read, text: Any) -> None:
    content = text(ALANINES, shifted(ALANINES, [7, 0, 0]), shifted(ALANINES, [9, 0, 0]))
    for options, shift in (
        ({}, 0.0),
        ({"model": 1}, 0.0),
        ({"model": 2}, 7.0),
        ({"model": np.int64(3)}, 9.0),
    ):
        assert read(content, **options).positions[0] == pytest.approx([shift, 0.0, 0.0])
    with pytest.raises(ValueError, match=r"model 4 is not in .*made.pdb, which has models 1 to 3"):
        read(content, model=4)
    with pytest.raises(ValueError, match="which has model 1 alone"):
        read(text(ALANINES), model=2)
    with pytest.raises(ValueError, match="which has models 1, 3"):
        read(pdb_text(ALANINES, ALANINES).replace("MODEL        2", "MODEL        3"), model=2)


@pytest.mark.parametrize("text", [pdb_text, cif_text])
def test_one_of_several_protein_chains_must_be_named(read: Read, text: Any) -> None:
    with pytest.raises(
        ValueError, match=r"made\.pdb: has several protein chains, choose one with the option chain: 'A', 'B'"
    ):
        read(text(ENZYME))
    assert read(text(ENZYME), chain="B").labels[0] == "B/ALA 1/N"
    with pytest.raises(ValueError, match=r"chain 'C' is not in .*made.pdb, which has 'A', 'B', 'D'"):
        read(text(ENZYME), chain="C")
    assert read(text([*ALANINES, *DNA, WATER])).labels[0] == "A/ALA 1/N"


def test_what_is_no_protein_is_refused_by_name(read: Read) -> None:
    with pytest.raises(ValueError, match=r"made\.pdb: chain 'D', residue DA 1: no atom O5' and no C5'"):
        read(ENZYME, chain="D")
    with pytest.raises(
        ValueError, match=r"has no chain of a protein or a nucleic acid \(chain 'A': only water, CA\)"
    ):
        read([WATER, CALCIUM])
    with pytest.raises(ValueError, match=r"chain 'A' is neither protein nor nucleic acid: only water, CA"):
        read([WATER, CALCIUM], chain="A")


def test_a_chain_without_a_name(read: Read) -> None:
    atoms = read(renamed(ALANINES, chain=" "))
    assert atoms.labels[0] == "/ALA 1/N"
    assert read(renamed(ALANINES, chain=" "), chain="").labels == atoms.labels


# Which residues belong to the chain.


def test_water_ligands_caps_and_ions_are_left_out(read: Read) -> None:
    free = shifted(renamed(peptide(["GLU"]), number=903, hetero=True), [60, 0, 0])
    cap = [
        Row("C", "ACE", 0, (-1.0, 0.9, 0.0), hetero=True),
        Row("CH3", "ACE", 0, (-2.0, 1.9, 0.0), hetero=True),
    ]
    amide = Row("N", "NH2", 5, tuple(place_of(ALANINES, 4, "OXT")), hetero=True)
    sugar = Row("C1", "NAG", 904, (70.0, 0.0, 0.0), hetero=True)
    rows = [WATER, *cap, *without(ALANINES, (4, "OXT")), amide, *free, CALCIUM, sugar]
    rows.append(replace(CALCIUM, number=905, hetero=False))
    assert residues(read(rows, atoms="all")) == [f"A/ALA {k}" for k in range(1, 5)]


@pytest.mark.parametrize("at", [1, 3, 4])
@pytest.mark.parametrize("name", ["MSE", "DAL", "XYZ"])
def test_modified_residues_belong_to_the_chain_wherever_they_are(read: Read, at: int, name: str) -> None:
    rows = [replace(row, residue=name, hetero=True) if row.number == at else row for row in ALANINES]
    for text in (pdb_text([*rows, WATER]), cif_text([*rows, WATER]), pdb_text([WATER, *rows])):
        assert residues(read(text))[at - 1] == f"A/{name} {at}"
        assert len(read(text).positions) == 12


def test_a_modified_residue_between_gaps_is_no_ligand(read: Read) -> None:
    rows = [replace(row, hetero=row.number == 3) for row in peptide(["ALA", "ALA", "MSE", "ALA", "ALA"])]
    atoms = read(without(rows, (2, "*"), (4, "*")), breaks="bridge")
    assert (residues(atoms), atoms.breaks) == (["A/ALA 1", "A/MSE 3", "A/ALA 5"], (2, 5))


def test_insertion_codes_make_residues_of_their_own(read: Read) -> None:
    rows = [
        replace(row, number=12, insertion=" AB"[row.number - 1].strip())
        for row in without(ALANINES, (4, "*"))
    ]
    for text in (pdb_text(rows), cif_text(rows)):
        assert residues(read(text)) == ["A/ALA 12", "A/ALA 12A", "A/ALA 12B"]


def test_a_residue_that_is_there_twice_is_refused(read: Read) -> None:
    with pytest.raises(ValueError, match=r"has several protein chains, .*: 'A-1', 'A-2'"):
        read([*ALANINES, *shifted([row for row in ALANINES if row.number == 2], [0, 0, 20])])
    with pytest.raises(ValueError, match="chain 'A' has residue number 2 twice, as ALA and GLY"):
        read([*ALANINES[:10], *renamed(ALANINES[5:10], residue="GLY"), *ALANINES[10:]])


# Alternate locations.


def conformers(occupancies: dict[str, float], atoms: str = "N CA C O CB") -> list[Row]:
    """Alanines, the second with each of these letters, moved by 0.1 a letter, but for the atoms not named."""
    rows = []
    for row in ALANINES:
        if row.number != 2 or row.name not in atoms.split():
            rows.append(row)
            continue
        for k, (letter, occupancy) in enumerate(occupancies.items()):
            rows += shifted([row], [0, 0, 0.1 * (k + 1)], altloc=letter, occupancy=occupancy)
    return rows


@pytest.mark.parametrize(
    ("occupancies", "shift"),
    [
        ({"A": 0.4, "B": 0.6}, 0.2),
        ({"A": 0.6, "B": 0.4}, 0.1),
        ({"B": 0.5, "A": 0.5}, 0.2),
        ({"C": 0.3, "B": 0.4, "A": 0.3}, 0.2),
    ],
)
@pytest.mark.parametrize("text", [pdb_text, cif_text])
def test_the_most_occupied_conformer_is_taken(
    read: Read, occupancies: dict[str, float], shift: float, text: Any
) -> None:
    plain, found = read(ALANINES), read(text(conformers(occupancies)))
    assert found.labels == plain.labels
    moved_by = (found.positions - plain.positions)[:, 2]
    assert moved_by == pytest.approx([0.0] * 3 + [shift] * 3 + [0.0] * 6, abs=2e-3)


def test_a_residue_keeps_to_one_letter(read: Read) -> None:
    """CA alone is better occupied at B, but A has the higher mean; C is at B only, and taken there."""
    rows = conformers({"A": 0.7, "B": 0.3}, "N CA C O CB")
    rows = [replace(row, occupancy=0.9) if (row.name, row.altloc) == ("CA", "B") else row for row in rows]
    rows = [row for row in rows if (row.name, row.altloc) != ("C", "A")]
    shift = (read(rows).positions - read(ALANINES).positions)[3:6, 2]
    assert shift == pytest.approx([0.1, 0.1, 0.2], abs=2e-3)


def test_two_residues_in_one_place(read: Read) -> None:
    rows = conformers({"A": 0.4, "B": 0.6})
    rows = [replace(row, residue="SER") if row.altloc == "B" else row for row in rows]
    ordered = sorted(rows, key=lambda row: (row.number, row.altloc))
    assert residues(read(ordered))[1] == "A/SER 2"
    less = [replace(row, occupancy=0.1) if row.altloc == "B" else row for row in ordered]
    assert residues(read(less)) == [f"A/ALA {k}" for k in range(1, 5)]


# Gaps and missing atoms.


@pytest.mark.parametrize(("kind", "joints"), [("backbone", (5,)), ("all", (5,)), ("ca", (1,))])
def test_a_gap_is_refused_or_bridged(read: Read, kind: str, joints: tuple[int, ...]) -> None:
    rows = without(ALANINES, (3, "*"))
    with pytest.raises(
        ValueError, match=r"'A', residue ALA 2: the chain is broken after it, with no bond to ALA 4"
    ):
        read(rows, atoms=kind)
    bridged = read(rows, atoms=kind, breaks="bridge")
    assert (bridged.breaks, residues(bridged)) == (joints, ["A/ALA 1", "A/ALA 2", "A/ALA 4"])


def test_a_second_molecule_under_the_same_name_is_a_gap(read: Read) -> None:
    more = shifted([replace(row, number=row.number + 4) for row in ALANINES], [0, 0, 20])
    first, second = pdb_text(ALANINES).removesuffix("END\n"), pdb_text(more)
    for text in (f"{first}TER\n{second}", f"{first}TER\n{second}TER\n", first + second):
        with pytest.raises(ValueError, match=r"broken after it, with no bond to ALA 5 \(gaps in all: 1;"):
            read(text)
        assert read(text, breaks="bridge").breaks == (11,)


def test_a_residue_without_a_backbone_atom_is_refused_or_dropped(read: Read) -> None:
    with pytest.raises(
        ValueError, match=r"made.pdb: chain 'A', residue ALA 3: no atom N and no C \(missing='drop'"
    ):
        read(without(ALANINES, (3, "N"), (3, "C")))
    last = without(ALANINES, (4, "C"))
    assert residues(read(last, missing="drop")) == ["A/ALA 1", "A/ALA 2", "A/ALA 3"]
    inside = without(ALANINES, (3, "CA"))
    with pytest.raises(ValueError, match="residue ALA 2: the chain is broken after it"):
        read(inside, missing="drop")
    assert read(inside, missing="drop", breaks="bridge").breaks == (5,)
    assert len(read(without(ALANINES, (3, "N")), atoms="ca").positions) == 4


def test_a_file_of_ca_atoms_alone(read: Read) -> None:
    trace = [row for row in ALANINES if row.name == "CA"]
    assert len(read(trace, atoms="ca").positions) == 4
    assert len(read(renamed(trace, residue="XYZ"), atoms="ca").positions) == 4
    assert read(without(trace, (2, "*")), atoms="ca", breaks="bridge").breaks == (0,)
    for kind in ("backbone", "all"):
        with pytest.raises(
            ValueError, match=r"chain 'A' has CA atoms but no backbone \(atoms='ca' reads those\)"
        ):
            read(trace, atoms=kind, missing="drop")


def test_a_chain_needs_two_links(read: Read) -> None:
    assert len(read(peptide(["ALA"])).positions) == 3
    with pytest.raises(ValueError, match="chain 'A' has too few residues, 1: at least two links"):
        read(peptide(["ALA"]), atoms="ca")
    with pytest.raises(ValueError, match="chain 'A' has too few residues, 0"):
        read(without(ALANINES, *((k, "CA") for k in range(1, 5))), missing="drop")


def test_atoms_that_cannot_be_links_are_refused_by_name(read: Read) -> None:
    with pytest.raises(ValueError, match="residue ALA 2, atom N is in the same place as A/ALA 2/CA"):
        read(moved(ALANINES, 2, "CA", place_of(ALANINES, 2, "N")))
    rows = [replace(row, element="ZN") if (row.number, row.name) == (3, "CB") else row for row in ALANINES]
    with pytest.raises(
        ValueError, match="residue ALA 3, atom CB: its element 'Zn' has no van der Waals radius"
    ):
        read(rows, atoms="all")
    assert len(read(rows).positions) == 12
