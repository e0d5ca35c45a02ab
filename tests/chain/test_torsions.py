"""Torsions of proteins by name, against the angles that the peptides were built with."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peptide import HELIX, SHEET, Row, pdb_text, peptide, renamed, shifted, without

import elbowroom as er
from elbowroom._rotamers import DEGREES
from elbowroom.torsions import CHI

Load = Callable[..., er.Chain]

#: Every residue with a side chain that turns, and what its chi are built with.
SEQUENCE = (*DEGREES, "MSE", "SEP", "GLY", "PRO", "ALA")


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def read(rows: list[Row], **options: Any) -> er.Chain:
        path = tmp_path / "made.pdb"
        path.write_text(pdb_text(rows))
        return er.Chain.from_pdb(path, **options)

    return read


def apart(a: Any, b: Any) -> float:
    """The largest difference of angles."""
    return float(np.abs((np.asarray(a) - b + np.pi) % (2 * np.pi) - np.pi).max())


def test_backbone_angles_are_those_of_the_builder(load: Load) -> None:
    chain = load(peptide(["ALA"] * 6, HELIX, omega=170.0))
    found = np.degrees(chain.torsion_angles("phi", "psi", "omega"))
    assert np.isnan(found[0, 0])
    assert np.isnan(found[-1, 1:]).all()
    assert np.abs(found[1:, 0] - HELIX[0]).max() < 0.2
    assert np.abs(found[:-1, 1] - HELIX[1]).max() < 0.2
    assert np.abs(found[:-1, 2] - 170.0).max() < 0.2
    assert chain.residues == [f"A/ALA {k}" for k in range(1, 7)]


@pytest.mark.parametrize("atoms", ["backbone", "all"])
def test_every_torsion_is_set(load: Load, atoms: str) -> None:
    """To an angle of any size, by the joint or the side torsion that it names, and undone."""
    chain, rng = load(peptide(SEQUENCE, SHEET), atoms=atoms), np.random.default_rng(3)
    names = ("phi", "psi", "omega", *(CHI if atoms == "all" else ()))
    before = chain.torsion_angles(*names)
    chis = sum(len(next(iter(known.values()))) for known in DEGREES.values()) + 3 + 1  # MSE and SEP
    assert np.isfinite(before[:, 3:]).sum() == (chis if atoms == "all" else 0)
    for k, j in np.argwhere(np.isfinite(before)).tolist():
        torsion = chain.torsion("A", k + 1, names[j])
        assert apart(torsion.angle, before[k, j]) < 1e-12
        torsion.angle = wanted = float(rng.uniform(-7, 7))
        now = chain.torsion_angles(*names)
        assert apart(now[k, j], wanted) < 1e-9
        now[k, j] = before[k, j]
        assert apart(now[np.isfinite(now)], before[np.isfinite(before)]) < 1e-9  # no other has changed
        chain.undo()
    assert (chain.torsion("A", 2, "phi").joint, chain.torsion("A", 2, "psi").joint) == (3, 4)


def test_degrees_and_names(load: Load) -> None:
    torsion = load(peptide(["ALA", "LEU", "ALA"]), atoms="all").torsion("A", "2", "chi1")
    torsion.degrees = -65
    assert math.isclose(torsion.angle, math.radians(-65))
    assert torsion.atoms == tuple(f"A/LEU 2/{atom}" for atom in ("N", "CA", "CB", "CG"))
    assert repr(torsion) == "<Torsion: chi1 of A/LEU 2, -65.0 degrees, side torsion 0>"


def test_rotamers_are_set(load: Load) -> None:
    chain = load(peptide(list(DEGREES)), atoms="all")
    for k, residue in enumerate(DEGREES, 1):
        for rotamer in chain.rotamers("A", k):
            before = chain.positions(side=True)
            chain.set_rotamer("A", k, rotamer.name)
            chain.undo()  # it is one change
            assert np.abs(chain.positions(side=True) - before).max() < 1e-12
            chain.set_rotamer("A", k, rotamer.name)
            assert chain.validate() is None
            found = chain.torsion_angles(*CHI[: len(rotamer.angles)])[k - 1]
            assert apart(found, rotamer.angles) < 1e-9, (residue, rotamer.name)
    chain.set_rotamer("A", 2, [0.5])
    assert math.isclose(chain.torsion("A", 2, "chi1").angle, 0.5)
    assert load(peptide(["GLY", "ALA"]), atoms="all").rotamers("A", 1) == ()


@pytest.mark.parametrize("change", [0.3, -1.5])
def test_a_loop_is_closed(load: Load, change: float) -> None:
    chain = load(peptide(["ALA"] * 20, HELIX), atoms="all")
    before = chain.positions(side=True)
    wanted = chain.torsion("A", 9, "phi").angle + change
    chain.turn_loop("A", 6, 13, {(9, "phi"): wanted})
    after = chain.positions(side=True)
    assert apart(chain.torsion("A", 9, "phi").angle, wanted) < 1e-9
    residue = np.array([int(label.split("/")[1].split()[1]) for label in chain.labels or []])
    outside = (residue < 6) | (residue > 13)
    assert np.abs(after - before)[outside].max() < 1e-9
    assert np.abs(after - before)[~outside].max() > 0.1
    assert apart(chain.torsion_angles("omega")[:-1], math.pi) < 2e-3
    chain.undo()
    assert np.abs(chain.positions(side=True) - before).max() < 1e-9


def test_a_stretch_has_its_free_joints(load: Load) -> None:
    chain = load(peptide(["ALA", "ALA", "PRO", "ALA", "ALA", "ALA"]), atoms="all")
    assert chain.joints("A", 2, 4).tolist() == [3, 4, 7, 9, 10]  # 6 is phi of proline


WRONG: dict[str, tuple[Callable[[er.Chain], object], str]] = {
    "chain": (lambda c: c.torsion("B", 2, "phi"), "^chain: must be 'A'.*got 'B'"),
    "no residue": (lambda c: c.torsion("A", 31, "phi"), "^residue: 31 is not in chain 'A', .*ALA 1 to GLY 9"),
    "no number": (lambda c: c.torsion("A", 2.0, "phi"), "^residue must be a number"),  # type: ignore[arg-type]
    "no name": (lambda c: c.torsion("A", 2, "fi"), "^name must be one of 'phi'.* got 'fi'"),
    "first": (lambda c: c.torsion("A", 1, "phi"), "^name: A/ALA 1 has no phi: no residue is bound to its N"),
    "last": (lambda c: c.torsion("A", 9, "omega"), "^name: A/GLY 9 has no omega"),
    "break": (lambda c: c.torsion("A", 4, "psi"), "^name: A/ALA 4 has no psi: no residue is bound"),
    "ring": (lambda c: c.torsion("A", 3, "chi1"), "^name: A/PRO 3 has no chi1"),
    "too many": (lambda c: c.torsion("A", 2, "chi3"), "^name: A/LEU 2 has no chi3: .*only chi1 to chi2"),
    "atom": (lambda c: c.torsion("A", 8, "chi2"), "^name: A/LEU 8 has no chi2: atom CD1 was not read"),
    "rotamer": (lambda c: c.set_rotamer("A", 2, "xx"), "^rotamer: A/LEU 2 has no 'xx'; it has mt, tp"),
    "angles": (lambda c: c.set_rotamer("A", 2, [0, 0, 0]), "^name: A/LEU 2 has no chi3"),
    "short loop": (
        lambda c: c.turn_loop("A", 6, 7, {(7, "phi"): 0.0}),
        "^last: the loop A 6 to 7 has 3 other",
    ),
    "beyond": (lambda c: c.turn_loop("A", 2, 4, {(6, "phi"): 0.0}), "^torsions: phi of A/ALA 6 is not in"),
    "order": (lambda c: c.joints("A", 4, 2), "^first: A/ALA 4 comes after A/LEU 2"),
}


@pytest.mark.parametrize("case", WRONG)
def test_errors_name_residue_and_atom(load: Load, case: str) -> None:
    head = peptide(["ALA", "LEU", "PRO", "ALA"])
    tail = peptide(["ALA", "ALA", "ALA", "LEU", "GLY"])
    rows = without(head, (4, "OXT")) + shifted([*renumbered(tail, 4)], (30, 0, 0))
    chain = load(without(rows, (8, "CD1")), atoms="all", breaks="bridge")
    before = chain.positions(side=True)
    call, message = WRONG[case]
    with pytest.raises(ValueError, match=message):
        call(chain)
    assert np.array_equal(chain.positions(side=True), before)


def renumbered(rows: list[Row], by: int) -> list[Row]:
    """The same with other numbers."""
    return [renamed([row], number=row.number + by)[0] for row in rows]


@pytest.mark.parametrize("atoms", ["ca", None])
def test_chains_without_torsions_say_so(load: Load, atoms: str | None) -> None:
    chain = (
        er.Chain([[0, 0, 0], [1, 0, 0]], 0.3) if atoms is None else load(peptide(["ALA"] * 3), atoms=atoms)
    )
    with pytest.raises(ValueError, match="no protein" if atoms is None else "read it with atoms='backbone'"):
        chain.torsion("A", 2, "phi")


def test_a_copy_and_new_labels_are_followed(load: Load) -> None:
    chain = load(peptide(["ALA"] * 3))
    chain.torsion("A", 2, "phi").angle = 1.0
    assert math.isclose(copy.copy(chain).torsion("A", 2, "phi").angle, 1.0)
    chain.labels = [label.replace("A/", "B/") for label in chain.labels or []]
    assert math.isclose(chain.torsion("B", 2, "phi").angle, 1.0)
