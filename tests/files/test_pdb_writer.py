"""Chains as PDB files: what MDAnalysis, and our own reader, make of them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import MDAnalysis
import numpy as np
import pytest
from peptide import moved, pdb_text, peptide, place_of, shifted
from sampling_makers import beads, branched

import elbowroom as er
from elbowroom.files.dcd import DcdWriter
from elbowroom.files.pdb_writer import element_of, file_order, write_pdb

SEQUENCE = ["ALA", "LEU", "MSE", "SER", "TRP", "PRO", "CYS", "GLY"]


def read(path: Path, *more: Path) -> Any:
    """As MDAnalysis has it; it has nothing to complain of but itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        return MDAnalysis.Universe(str(path), *map(str, more), to_guess=())


def written(chain: er.Chain, folder: Path) -> Any:
    write_pdb(folder / "chain.pdb", chain)
    return read(folder / "chain.pdb")


def bonds(universe: Any) -> list[list[int]]:
    return sorted(sorted(pair) for pair in universe.bonds.indices.tolist())


def protein(folder: Path, rows: Any = None, **reading: Any) -> er.Chain:
    path = folder / "made.pdb"
    path.write_text(pdb_text(peptide(SEQUENCE) if rows is None else rows))
    return er.Chain.from_pdb(path, **reading)


# Beads.


def test_beads_are_residues_with_bonds_and_radii(tmp_path: Path) -> None:
    chain = er.Chain(er.scenes.coil(50), np.linspace(0.3, 0.45, 50))
    seen = written(chain, tmp_path)
    assert np.abs(seen.atoms.positions - chain.positions()).max() < 6e-4
    assert seen.residues.resids.tolist() == list(range(1, 51))
    assert set(seen.atoms.names) == set(seen.atoms.elements) == {"C"}
    assert set(seen.residues.resnames) == {"BEA"} and set(seen.atoms.record_types) == {"HETATM"}
    assert seen.atoms.tempfactors == pytest.approx(chain.radii, abs=6e-4)
    assert bonds(seen) == [[k, k + 1] for k in range(49)]


def test_side_balls_follow_their_links_and_are_bound_to_them(tmp_path: Path) -> None:
    chain = branched(12)
    seen = written(chain, tmp_path)
    balls = chain.positions(side=True)
    by_link = [[balls[k], balls[12 + 2 * k], balls[13 + 2 * k]] for k in range(12)]
    assert np.abs(seen.atoms.positions - np.concatenate(by_link)).max() < 6e-4
    assert seen.residues.resids.tolist() == list(range(1, 13))
    assert seen.atoms.names.tolist() == ["C", "C1", "C2"] * 12
    hanging = [[3 * k, 3 * k + j] for k in range(12) for j in (1, 2)]
    assert bonds(seen) == sorted([*hanging, *([3 * k, 3 * k + 3] for k in range(11))])


def test_many_side_balls_on_one_link_have_all_their_bonds(tmp_path: Path) -> None:
    away = np.random.default_rng(0).normal(size=(11, 3))
    chain = er.Chain([[0, 0, 0], [9, 0, 0]], 0.1, side=(np.zeros(11, int), away, np.full(11, 0.1)))
    seen = written(chain, tmp_path)
    assert bonds(seen) == [[0, k] for k in range(1, 13)]
    assert len(set(seen.atoms.names[:12])) == 12


def test_chains_of_more_than_99_999_beads_are_read(tmp_path: Path) -> None:
    count = 100_040
    chain = er.Chain(np.arange(3.0 * count).reshape(-1, 3) / 100, 0.001)
    seen = written(chain, tmp_path)
    assert seen.atoms.ids.tolist() == seen.atoms.resids.tolist() == list(range(1, count + 1))
    assert not hasattr(seen, "bonds")  # readers know no letters in CONECT records
    assert np.abs(seen.atoms.positions - chain.positions()).max() < 6e-4


@pytest.mark.parametrize(
    ("scale", "error"), [(1.0, 5e-4), (3e3, 5e-3), (3e4, 5e-2), (3e6, 0.5), (3e12, 5e11)]
)
def test_large_numbers_keep_to_their_columns(tmp_path: Path, scale: float, error: float) -> None:
    chain = er.Chain(scale * np.array([[0.9, -0.9, 0.01], [-0.3, 0.2, 0.9]]), 0.3 * scale)
    seen = written(chain, tmp_path)
    assert np.abs(seen.atoms.positions - chain.positions()).max() <= error * 1.001 + 1e-7 * scale
    assert seen.atoms.tempfactors == pytest.approx(chain.radii, rel=0.06)
    assert {len(line) for line in (tmp_path / "chain.pdb").read_text().splitlines()[2:4]} == {78}


def test_labels_that_name_no_atoms_are_those_of_beads(tmp_path: Path) -> None:
    chain = beads(5)
    chain.labels = [f"bead {k}" for k in range(5)]
    assert set(written(chain, tmp_path).residues.resnames) == {"BEA"}


# Proteins.


@pytest.mark.parametrize(("kind", "names"), [("all", ""), ("backbone", "N CA C"), ("ca", "CA")])
def test_atoms_of_proteins_keep_the_names_places_and_order_of_their_file(
    tmp_path: Path, kind: str, names: str
) -> None:
    seen = written(protein(tmp_path, atoms=kind), tmp_path)
    rows = [row for row in peptide(SEQUENCE) if not names or row.name in names.split()]
    atoms = zip(seen.atoms.chainIDs, seen.atoms.resnames, seen.atoms.resids, seen.atoms.names, strict=True)
    assert list(atoms) == [(row.chain, row.residue, row.number, row.name) for row in rows]
    assert np.abs(seen.atoms.positions - [row.position for row in rows]).max() < 2e-3
    assert set(seen.atoms.record_types) == {"ATOM"} and not hasattr(seen, "bonds")
    assert seen.residues.resnames.tolist() == SEQUENCE


def test_residues_are_whole_for_those_who_ask_for_their_torsions(tmp_path: Path) -> None:
    serine = written(protein(tmp_path, atoms="all"), tmp_path).residues[3]
    assert serine.phi_selection().names.tolist() == ["C", "N", "CA", "C"]
    assert serine.chi1_selection().names.tolist() == ["N", "CA", "CB", "OG"]


def test_elements_and_radii_of_a_protein(tmp_path: Path) -> None:
    chain = protein(tmp_path, atoms="all")
    seen = written(chain, tmp_path)
    assert chain.side is not None
    radii = np.concatenate([chain.radii, chain.side.radii])[file_order(chain)]
    assert seen.atoms.tempfactors == pytest.approx(radii, abs=6e-4)
    selenium = seen.select_atoms("name SE")
    assert selenium.elements.tolist() == ["Se"] and selenium.resnames.tolist() == ["MSE"]
    others = seen.select_atoms("not name SE")
    assert others.elements.tolist() == [name[0] for name in others.names]


def test_bonds_across_the_chain_are_written(tmp_path: Path) -> None:
    """An isopeptide bond from NZ of lysine 2 to CB of alanine 7, which no reader could know of."""
    rows = peptide(["ALA", "LYS", "ALA", "ALA", "ALA", "ALA", "ALA"])
    rows = moved(rows, 2, "NZ", np.add(place_of(rows, 7, "CB"), [0.0, 0.0, 1.35]))
    ends = [
        1 + next(k for k, r in enumerate(rows) if (r.number, r.name) == at) for at in ((2, "NZ"), (7, "CB"))
    ]
    text = pdb_text(rows).replace("END\n", f"CONECT{ends[0]:5d}{ends[1]:5d}\nEND\n")
    (tmp_path / "made.pdb").write_text(text)
    chain = er.Chain.from_pdb(tmp_path / "made.pdb", atoms="all")
    write_pdb(tmp_path / "again.pdb", chain)
    again = er.Chain.from_pdb(tmp_path / "again.pdb", atoms="all")
    assert np.array_equal(again.bonds, chain.bonds) and np.array_equal(again.excluded, chain.excluded)
    assert text.count("CONECT") == 1 and (tmp_path / "again.pdb").read_text().count("CONECT") == 2


def test_our_own_reader_makes_the_same_chain_of_it(tmp_path: Path) -> None:
    chain = protein(tmp_path, atoms="all")
    write_pdb(tmp_path / "again.pdb", chain)
    again = er.Chain.from_pdb(tmp_path / "again.pdb", atoms="all")
    assert again.labels == chain.labels and np.array_equal(again.excluded, chain.excluded)
    assert np.abs(again.positions(side=True) - chain.positions(side=True)).max() < 6e-4
    assert again.side is not None and chain.side is not None
    assert again.side.torsions == chain.side.torsions
    assert again.radii.tolist() == chain.radii.tolist()


def test_frames_fit_the_topology(tmp_path: Path) -> None:
    chain = protein(tmp_path, atoms="all")
    write_pdb(tmp_path / "chain.pdb", chain)
    chain.rotate(4, 1.0)
    with DcdWriter.create(tmp_path / "chain.dcd", atoms=len(chain.positions(side=True))) as writer:
        writer.append(chain.positions(side=True)[file_order(chain)])
    seen = read(tmp_path / "chain.pdb", tmp_path / "chain.dcd")
    assert chain.labels is not None
    last = chain.labels.index("A/GLY 8/OXT")
    place = seen.select_atoms("resid 8 and name OXT").positions[0]
    assert place == pytest.approx(chain.positions(side=True)[last], abs=1e-4)


def test_insertion_codes_and_numbers_of_all_kinds(tmp_path: Path) -> None:
    rows = peptide(["ALA", "GLY", "SER", "ALA"])
    numbers = {1: (-12, ""), 2: (-12, "B"), 3: (7, ""), 4: (9999, "Z")}
    rows = [replace(row, number=numbers[row.number][0], insertion=numbers[row.number][1]) for row in rows]
    chain = protein(tmp_path, rows)
    seen = written(chain, tmp_path).residues
    told = list(zip(seen.resids.tolist(), seen.icodes.tolist(), strict=True))
    assert told == [(-12, ""), (-12, "B"), (7, ""), (9999, "Z")]


@pytest.mark.parametrize(
    ("label", "chain", "residue", "number", "segment"),
    [
        ("A/LEU 12/CA", "A", "LEU", 12, "A"),
        ("heavy/LEU 12/CA", "h", "LEU", 12, "heav"),
        ("/DLEU 12/CA", "A", "DLEU", 12, "A"),
        ("A/A1B2C 12/CA", "A", "A1B", 12, "A"),
        ("A/LEU 12345/CA", "A", "LEU", 2345, "A"),
        ("a/b/LEU 3/CA", "a", "LEU", 3, "a/b"),
    ],
)
def test_names_that_have_no_room_are_shortened(
    tmp_path: Path, label: str, chain: str, residue: str, number: int, segment: str
) -> None:
    two = er.Chain([[0, 0, 0], [3.8, 0, 0]], 1.0)
    two.labels = [label, label]
    first = written(two, tmp_path).atoms[0]
    assert (first.chainID, first.resname, first.resid, first.segid) == (chain, residue, number, segment)
    assert (first.name, first.element) == ("CA", "C")


@pytest.mark.parametrize(
    ("atom", "element"),
    [("CA", "C"), ("CD1", "C"), ("NE2", "N"), ("OXT", "O"), ("SG", "S"), ("SE", "Se"), ("P", "P"),
     ("O1P", "O"), ("CL", "Cl"), ("BR1", "Br"), ("I", "I"), ("F2", "F"), ("1CB", "C"),
     ("HG11", "C"), ("??", "C")],
)  # fmt: skip
def test_elements_by_name(atom: str, element: str) -> None:
    assert element_of(atom) == element


def test_a_second_molecule_nearby_changes_nothing(tmp_path: Path) -> None:
    rows = peptide(SEQUENCE)
    chain = protein(tmp_path, [*rows, *shifted(rows, (30.0, 0.0, 0.0), chain="B")], chain="B", atoms="all")
    assert set(written(chain, tmp_path).atoms.chainIDs) == {"B"}
