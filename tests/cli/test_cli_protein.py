"""`elbowroom check` of a protein: clashes by the names of the atoms, exit statuses, one-line errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from peptide import moved, pdb_text, peptide, place_of

SEQUENCE = ["ALA", "LEU", "SER", "PHE", "GLY", "LYS", "ALA"]
Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def native(tmp_path: Path) -> Path:
    file = tmp_path / "native.pdb"
    file.write_text(pdb_text(peptide(SEQUENCE)))
    return file


@pytest.fixture
def clashing(tmp_path: Path) -> Path:
    """The end of the lysine put on the side chain of the leucine."""
    rows = peptide(SEQUENCE)
    file = tmp_path / "clashing.pdb"
    file.write_text(pdb_text(moved(rows, 6, "NZ", place_of(rows, 2, "CD1") + np.array([0.5, 0, 0]))))
    return file


@pytest.mark.parametrize("atoms", ["all", "backbone", "ca"])
def test_a_native_peptide_is_free(ask: Ask, native: Path, atoms: str) -> None:
    status, out, err = ask("check", native, "--atoms", atoms)
    assert (status, err) == (0, "")
    assert out.startswith("free: no clash among ")
    assert "native.pdb" in out


def test_a_clash_is_named(ask: Ask, clashing: Path, tmp_path: Path) -> None:
    report = tmp_path / "clashes.json"
    status, out, _ = ask("check", clashing, "--json", report)
    assert status == 1
    assert out.startswith("collision: ")
    assert "LEU 2/CD1" in out and "LYS 6/NZ" in out
    facts = json.loads(report.read_text())
    assert facts["verdict"] == "collision"
    depths = [clash["depth"] for clash in facts["clashes"]]
    assert max(depths) == pytest.approx(0.6 * (1.70 + 1.55) - 0.5, abs=2e-3)  # PDB keeps three digits


def test_the_backbone_alone_knows_nothing_of_side_chains(ask: Ask, clashing: Path) -> None:
    assert ask("check", clashing, "--atoms", "backbone")[0] == 0


def test_the_nearest_atoms_are_told(ask: Ask, native: Path) -> None:
    status, out, _ = ask("check", native, "--distance")
    assert status == 0
    assert "\n  closest: " in out and "between their surfaces" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{native}", "other.stl"], "against itself"),
        (["{native}", "--chain", "Z"], "Z"),
        (["nowhere.cif"], "nowhere.cif"),
        (["mesh.obj"], "no such file 'mesh.obj'"),
    ],
)
def test_a_wrong_argument_is_one_line(ask: Ask, native: Path, arguments: list[str], words: str) -> None:
    status, out, err = ask("check", *(a.format(native=native) for a in arguments))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and words in err


def test_the_same_clashes_are_found_by_number_of_bonds(ask: Ask, tmp_path: Path) -> None:
    """With --exclude the file is read as a trajectory; bonds are those of templates there, too."""
    rows, near = peptide(SEQUENCE), np.array([0.5, 0, 0])
    clashes = {
        "far.pdb": moved(rows, 6, "NZ", place_of(rows, 2, "CD1") + near),
        "own.pdb": moved(rows, 4, "CZ", place_of(rows, 4, "O") + near),
        "next.pdb": moved(rows, 2, "CD2", place_of(rows, 3, "O") + near),
        "none.pdb": rows,
    }
    for name, atoms in clashes.items():
        (tmp_path / name).write_text(pdb_text(atoms))
        status, out, _ = ask("check", tmp_path / name, "--json", "-")
        other, text, _ = ask("check", tmp_path / name, "--exclude", "3", "--json", "-")
        found = {frozenset(clash["atoms"]) for clash in json.loads(out)["clashes"]}
        assert found == {frozenset(clash["beads"]) for clash in json.loads(text)["intervals"]}
        assert status == other == (len(found) > 0) == (name != "none.pdb")
