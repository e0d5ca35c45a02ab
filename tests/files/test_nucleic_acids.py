"""Strands of DNA and RNA as chains: their links and side balls, bonds, torsions by name, and moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peptide import Row, pdb_text, peptide, shifted, without
from strand import ALPHA, BETA, CHI, DELTA, EPSILON, GAMMA, ZETA, strand

import elbowroom as er
from elbowroom.sampling.proteins import default_joints

Load = Callable[..., er.Chain]
NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "chi")
DNA, RNA = ("DA", "DC", "DG", "DT"), ("A", "C", "G", "U")


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def read(rows: Iterable[Row] | str, **options: Any) -> er.Chain:
        path = tmp_path / "made.pdb"
        path.write_text(rows if isinstance(rows, str) else pdb_text(rows))
        return er.Chain.from_pdb(path, **({"atoms": "all", "scale": 0.4} | options))

    return read


def apart(chain: er.Chain) -> np.ndarray:
    places = chain.positions(side=True)
    return np.linalg.norm(places[:, None] - places[None], axis=2)


@pytest.mark.parametrize("sequence", [DNA, RNA])
def test_bonds_are_those_by_distance(load: Load, sequence: tuple[str, ...]) -> None:
    chain = load(strand(sequence))
    assert chain.bonds is not None and chain.labels is not None
    by_distance = np.argwhere(np.triu(apart(chain) < 1.9, 1))
    assert sorted(map(sorted, chain.bonds.tolist())) == by_distance.tolist()
    assert [label.split("/")[2] for label in chain.labels[:6]] == ["O5'", "C5'", "C4'", "C3'", "O3'", "P"]
    assert len(chain) == 5 + 6 * 3 and not chain.collides()
    assert len(load(strand(sequence), atoms="backbone")) == len(chain)


def test_names_of_atoms_and_residues_of_older_files(load: Load) -> None:
    text = pdb_text(strand(DNA))
    old = text.replace(" OP1", " O1P").replace(" OP2", " O2P").replace("'", "*").replace(" C7 ", " C5M")
    for short, long in zip(DNA, ("ADE", "CYT", "GUA", "THY"), strict=True):
        old = old.replace(f" {short} ", f"{long} ")
    new, found = load(text), load(old)
    assert np.array_equal(new.positions(side=True), found.positions(side=True))
    assert np.array_equal(new.excluded, found.excluded)


def test_torsions_have_their_angles_and_can_be_set(load: Load) -> None:
    chain = load(strand([*DNA, "U"]))
    found = np.degrees(chain.torsion_angles(*NAMES))
    expected = np.tile([ALPHA, BETA, GAMMA, DELTA, EPSILON, ZETA, CHI], (5, 1))
    expected[0, :2] = expected[-1, 4:6] = np.nan
    assert found == pytest.approx(expected, abs=0.5, nan_ok=True)
    before = chain.positions(side=True)
    for name in NAMES:
        torsion = chain.torsion("A", 3, name)
        torsion.angle = 1.0
        now = chain.torsion_angles(*NAMES)
        assert math.isclose(now[2, NAMES.index(name)], 1.0, abs_tol=1e-9)
        now[2, NAMES.index(name)] = math.radians(expected[2, NAMES.index(name)])
        assert np.degrees(now) == pytest.approx(expected, abs=0.5, nan_ok=True), name
        chain.undo()
    assert chain.positions(side=True) == pytest.approx(before, abs=1e-9)
    chain.torsion("A", 2, "chi").angle = 2.0
    moved = np.abs(chain.positions(side=True) - before).max(axis=1) > 1e-6
    assert chain.labels is not None
    assert {label.split("/")[2] for label, yes in zip(chain.labels, moved, strict=True) if yes} == {
        *("C2", "N3", "C4", "C5", "C6", "O2", "N4")
    }
    assert chain.rotamers("A", 4) == ()


def test_sampling_keeps_bonds_angles_and_rings(load: Load) -> None:
    """Atoms that two bonds join stay as far apart as they are, and so do those of a sugar and of a base."""
    start = load(strand([*DNA, *RNA]))
    assert start.bonds is not None and start.labels is not None
    atoms = [label.split("/")[2] for label in start.labels]
    axes = {(atoms[j], atoms[j + 1]) for j in default_joints(start).tolist()}
    assert axes == {("P", "O5'"), ("O5'", "C5'"), ("C5'", "C4'"), ("C3'", "O3'"), ("O3'", "P")}
    joined = np.zeros((len(atoms), len(atoms)), int)
    joined[tuple(start.bonds.T)] = 1
    joined += joined.T
    near = (joined + joined @ joined) > 0
    run = er.sampling.sample(start, steps=4000, seed=2, observables=["chi", "zeta:A/3"])
    assert set(run.tallies) == {"torsion", "rebridge", "side"}
    assert min(accepted for _, _, accepted in run.tallies.values()) > 100
    assert np.abs(apart(run.chain) - apart(start))[near].max() < 1e-9
    assert np.abs(apart(run.chain) - apart(start)).max() > 1.0
    assert run.observables["chi:A/3"][-1] == pytest.approx(run.chain.torsion("A", 3, "chi").angle)
    loop = load(strand(DNA * 2))
    loop.turn_loop("A", 3, 6, {(4, "beta"): math.radians(BETA) + 0.2})
    assert np.abs(loop.positions()[-6:] - load(strand(DNA * 2)).positions()[-6:]).max() < 1e-6


def test_a_strand_is_written_and_read_again(load: Load, tmp_path: Path) -> None:
    chain = load(strand(DNA))
    chain.write(tmp_path / "again.pdb")
    again = er.Chain.from_pdb(tmp_path / "again.pdb", atoms="all")
    assert again.labels == chain.labels
    assert again.positions(side=True) == pytest.approx(chain.positions(side=True), abs=1e-3)
    assert np.array_equal(again.excluded, chain.excluded)


def test_a_protein_comes_first(load: Load) -> None:
    rows = [*strand(DNA), *shifted(peptide(["ALA"] * 3), (0, 0, 50), chain="B")]
    assert load(rows).residues[0] == "B/ALA 1"
    assert load(rows, chain="A").residues[0] == "A/DA 1"


WRONG: dict[str, tuple[Callable[[Load], object], str]] = {
    "ca": (lambda load: load(strand(DNA), atoms="ca"), "chain 'A' is a nucleic acid, which has no CA"),
    "several": (
        lambda load: load([*strand(DNA), *shifted(strand(DNA), (0, 0, 50), chain="B")]),
        "has several chains of nucleic acid, choose one with the option chain: 'A', 'B'",
    ),
    "atom": (lambda load: load(without(strand(DNA), (3, "P"))), "residue DG 3: no atom P"),
    "gap": (
        lambda load: load([row for row in strand(DNA) if row.number != 2]),
        "residue DA 1: the chain is broken after it, with no bond to DG 3",
    ),
    "phi": (lambda load: load(strand(DNA)).torsion("A", 2, "phi"), "^name: A/DC 2 has no phi: .* nucleotide"),
    "first": (
        lambda load: load(strand(DNA)).torsion("A", 1, "alpha"),
        "^name: A/DA 1 has no alpha: no residue is bound to its P",
    ),
    "last": (
        lambda load: load(strand(DNA)).torsion("A", 4, "zeta"),
        "^name: A/DT 4 has no zeta: no residue is bound to its O3'",
    ),
    "chi": (lambda load: load(strand(DNA), atoms="backbone").torsion("A", 2, "chi"), "atom O4' was not read"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named(load: Load, case: str) -> None:
    call, message = WRONG[case]
    with pytest.raises(ValueError, match=message):
        call(load)


def test_models_of_repeated_strands_are_told_apart(load: Load) -> None:
    twice = [*strand(DNA), *shifted(strand(DNA), (0, 0, 50))]
    with pytest.raises(ValueError, match=r"several chains of nucleic acid.*'A-1', 'A-2'"):
        load(twice)
    assert load(twice, chain="A-2").residues[0] == "A-2/DA 1"
