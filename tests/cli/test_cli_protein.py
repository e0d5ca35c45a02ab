"""`elbowroom check` of a protein: clashes by the names of the atoms, exit statuses, one-line errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from peptide import Row, moved, pdb_text, peptide, place_of, shifted

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


# Complexes, models, radii, and the clash score.


@pytest.fixture
def complex_of(tmp_path: Path) -> Callable[[float], Path]:
    """Two copies of a peptide, chains A and B, so far apart."""

    def made(apart: float) -> Path:
        rows = peptide(SEQUENCE)
        file = tmp_path / "complex.pdb"
        file.write_text(pdb_text([*rows, *shifted(rows, (0.0, 0.0, apart), chain="B")]))
        return file

    return made


def between(rows: list[Row], other: list[Row], scale: float, over: float = 0.0) -> int:
    """How many pairs overlap by more, by all pairs."""
    radii = {"C": 1.70, "N": 1.55, "O": 1.52, "S": 1.80}
    count = 0
    for a in rows:
        for b in other:
            apart = float(np.linalg.norm(np.round(a.position, 3) - np.round(b.position, 3)))
            polar = a.symbol in "NO" and b.symbol in "NO" and apart >= 2.5 and over > 0
            count += scale * (radii[a.symbol] + radii[b.symbol]) - apart > over and not polar
    return count


@pytest.mark.parametrize(("apart", "scale"), [(12.0, 0.7), (4.0, 0.7), (4.0, 1.0)])
def test_a_complex_is_checked_between_its_chains(
    ask: Ask, complex_of: Callable[[float], Path], apart: float, scale: float, tmp_path: Path
) -> None:
    rows = peptide(SEQUENCE)
    report = tmp_path / "facts.json"
    file = complex_of(apart)
    status, out, _ = ask(
        "check", file, "--between", "A", "B", "--scale", scale, "--json", report, "--distance"
    )
    count = between(rows, shifted(rows, (0.0, 0.0, apart)), scale)
    facts = json.loads(report.read_text())
    assert (status, len(facts["clashes"])) == (int(count > 0), count)
    assert f"{2 * len(rows)} atoms of complex.pdb, between A and B" in out
    names = {name[0] for clash in facts["clashes"] for name in clash["atoms"]}
    assert names == ({"A", "B"} if count else set())
    alone = json.loads(ask("check", file, "--chain", "A", "--json", "-")[1])["clash_score"]
    across = between(rows, shifted(rows, (0.0, 0.0, apart)), 1.0, over=0.4)
    assert facts["clash_score"]["overlaps"] == 2 * alone["overlaps"] + across
    assert facts["clash_score"]["value"] == 1000 * facts["clash_score"]["overlaps"] / (2 * len(rows))
    assert f"clash score: {facts['clash_score']['value']:.3g} (" in out
    if not count:
        places = [
            np.round([row.position for row in each], 3) for each in (rows, shifted(rows, (0, 0, apart)))
        ]
        assert (
            facts["nearest"]["distance"] < np.linalg.norm(places[0][:, None] - places[1][None], axis=2).min()
        )


def test_groups_of_chains(ask: Ask, tmp_path: Path) -> None:
    rows = peptide(SEQUENCE)
    shifts = {"A": 0.0, "B": 12.0, "C": 14.0}
    parts = [shifted(rows, (0.0, 0.0, apart), chain=name) for name, apart in shifts.items()]
    file = tmp_path / "three.pdb"
    file.write_text(pdb_text([row for part in parts for row in part]))
    assert ask("check", file, "--between", "A", "B")[0] == 0
    assert ask("check", file, "--between", "A,B", "C")[0] == 1
    assert ask("check", file, "--between", "A", "B,C")[0] == 0


def test_a_disulfide_bridge_between_chains_is_no_clash(ask: Ask, tmp_path: Path) -> None:
    rows = peptide(["ALA", "CYS", "ALA"])
    way = place_of(rows, 2, "SG") - place_of(rows, 2, "CB")
    apart = way / np.linalg.norm(way) * 2.05
    mirrored = [
        replace(row, position=tuple((2 * place_of(rows, 2, "SG") + apart - row.position).tolist()), chain="B")
        for row in rows
    ]
    file = tmp_path / "bridge.pdb"
    file.write_text(pdb_text([*rows, *mirrored]))
    status, out, _ = ask("check", file, "--between", "A", "B", "--distance")
    assert status == 0, out
    assert "SG and B/CYS 2/SG" not in out
    other = [replace(row, residue="SER", name=row.name.replace("SG", "OG")) for row in mirrored]
    file.write_text(
        pdb_text([*rows, *(replace(row, element="S") if row.name == "OG" else row for row in other)])
    )
    assert ask("check", file, "--between", "A", "B")[0] == 1  # no bond is known that would join them


def test_models_are_chosen(ask: Ask, native: Path, clashing: Path, tmp_path: Path) -> None:
    bodies = [path.read_text().replace("END\n", "") for path in (native, clashing)]
    both = tmp_path / "both.pdb"
    both.write_text("".join(f"MODEL {k:8d}\n{body}ENDMDL\n" for k, body in enumerate(bodies, 1)))
    assert [ask("check", both, "--model", k)[0] for k in (1, 2)] == [0, 1]
    assert (
        ask("check", both, "--model", 3)[2]
        == f"elbowroom: --model: 3 is not in {both}, which has models 1 to 2\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--between", "A", "X"], "--between: chain 'X' is not in "),
        (["--between", "A", "A"], "--between: chain 'A' occurs twice"),
        (["--between", "A", ","], "--between: ',' names no chain"),
        (["--between", "A", "B", "--chain", "A"], "--chain: not supported with --between"),
        (["--scale", "-1"], "--scale: must be finite, not negative"),
        (["--hydrogens", "--atoms", "ca"], "--hydrogens: are side balls"),
    ],
)
def test_wrong_options_of_complexes(
    ask: Ask, complex_of: Callable[[float], Path], options: list[str], message: str
) -> None:
    status, _, err = ask(
        "check", complex_of(12.0), *options, *([] if "--between" in options else ["--chain", "A"])
    )
    assert status == 2
    assert message in err
