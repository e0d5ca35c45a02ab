"""What may turn in a protein if nothing is said: joints, side torsions and moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peptide import HELIX, SHEET, Row, moved, pdb_text, peptide, place_of, renamed, without

import elbowroom as er
from elbowroom.sampling.proteins import default_joints, default_moves, default_torsions

Load = Callable[..., er.Chain]

#: Longer than any bond here, and shorter than what two bonds span.
BOND = 2.25


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def read(rows: Iterable[Row], **options: Any) -> er.Chain:
        path = tmp_path / "made.pdb"
        path.write_text(pdb_text(rows))
        return er.Chain.from_pdb(path, **options)

    return read


def bridged(gap: int) -> list[Row]:
    """A helix of GLY with cysteines at 2 and 2 + gap, the sulfurs between them put 2.05 apart."""
    names = ["GLY"] * (gap + 4)
    names[1] = names[1 + gap] = "CYS"
    rows = peptide(names, HELIX)
    ends = [place_of(rows, number, "CB") for number in (2, 2 + gap)]
    way = ends[1] - ends[0]
    share = 0.5 * (1 - 2.05 / float(np.linalg.norm(way)))
    rows = moved(rows, 2, "SG", ends[0] + share * way)
    return moved(rows, 2 + gap, "SG", ends[1] - share * way)


def ring(residues: int) -> list[Row]:
    """A cyclic backbone: all atoms on a circle, 1.4 apart."""
    count = 3 * residues
    angle = 2 * np.pi * np.arange(count) / count
    radius = 0.7 / np.sin(np.pi / count)
    circle = radius * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(count)])
    names = ("N", "CA", "C")
    return [Row(names[k % 3], "GLY", k // 3 + 1, (x, y, z)) for k, (x, y, z) in enumerate(circle.tolist())]


def bonds(chain: er.Chain) -> np.ndarray:
    """Pairs of atoms that are bonded, by their distances."""
    places = chain.positions(side=True)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    return np.argwhere(np.triu(apart < BOND, 1))


def torn(chain: er.Chain, turn: Callable[[], None]) -> bool:
    """Does a turn change the length of a bond?"""
    pairs = bonds(chain)
    before, _ = chain.positions(side=True), turn()
    after = chain.positions(side=True)
    a, b = (np.linalg.norm(p[pairs[:, 0]] - p[pairs[:, 1]], axis=1) for p in (before, after))
    chain.undo()
    return bool((np.abs(a - b) > 1e-9).any())


# Joints.


def test_phi_and_psi_turn_and_omega_does_not(load: Load) -> None:
    chain = load(peptide(["ALA", "GLY", "SER", "ALA"]))
    # Joint 3 i is phi, 3 i + 1 psi; about the first phi and the last psi of a backbone nothing turns.
    assert default_joints(chain).tolist() == [1, 3, 4, 6, 7, 9]
    assert default_joints(chain).dtype == np.int64


def test_the_last_psi_turns_the_oxygens_if_they_are_there(load: Load) -> None:
    chain = load(peptide(["ALA", "GLY", "SER", "ALA"]), atoms="all")
    assert default_joints(chain).tolist() == [1, 3, 4, 6, 7, 9, 10]


def test_the_first_phi_turns_if_something_hangs_on_nitrogen(load: Load) -> None:
    rows = peptide(["ALA", "GLY", "SER", "ALA"])
    methyl = Row("CN", "ALA", 1, tuple(np.add(place_of(rows, 1, "N"), [-0.8, -0.9, 0.7]).tolist()))
    chain = load([rows[0], methyl, *rows[1:]], atoms="all")
    assert 0 in default_joints(chain)


@pytest.mark.parametrize("atoms", ["backbone", "all"])
@pytest.mark.parametrize("name", ["PRO", "HYP", "DPR"])
def test_phi_of_proline_and_its_kin_does_not_turn(load: Load, atoms: str, name: str) -> None:
    rows = peptide(["ALA", "GLY", "PRO", "ALA", "PRO", "GLY"])
    rows = [renamed([row], residue=name)[0] if row.residue == "PRO" else row for row in rows]
    joints = default_joints(load(rows, atoms=atoms)).tolist()
    assert 6 not in joints and 12 not in joints
    assert {3, 7, 9, 13} <= set(joints)


def test_joints_across_a_break_do_not_turn(load: Load) -> None:
    rows = without(peptide(["ALA"] * 8), (4, "*"))
    for atoms, gap in (("backbone", 8), ("all", 8), ("ca", 2)):
        chain = load(rows, atoms=atoms, breaks="bridge")
        assert chain.breaks == (gap,)
        assert gap not in default_joints(chain)
        assert gap - 1 in default_joints(chain)


def test_all_joints_of_a_chain_of_ca_atoms_turn_but_the_ends(load: Load) -> None:
    chain = load(peptide(["ALA", "PRO", "GLY", "PRO", "ALA"]), atoms="ca")
    assert default_joints(chain).tolist() == [1, 2]


def test_joints_inside_a_disulfide_ring_do_not_turn(load: Load) -> None:
    chain = load(bridged(4), atoms="all", scale=0.5)
    ca = [3 * 1 + 1, 3 * 5 + 1]
    inside = [joint for joint in default_joints(chain).tolist() if ca[0] <= joint < ca[1]]
    assert inside == []
    assert {1, 3, ca[1], ca[1] + 2} <= set(default_joints(chain).tolist())


def test_neighbouring_cysteines_may_be_bridged_too(load: Load) -> None:
    chain = load(bridged(1), atoms="all", scale=0.5)
    assert not {4, 6} & set(default_joints(chain).tolist())
    assert {3, 7} <= set(default_joints(chain).tolist())


def test_no_single_joint_of_a_cyclic_peptide_turns(load: Load) -> None:
    chain = load(ring(8))
    assert len(default_joints(chain)) == 0
    assert default_moves(chain) == {"rebridge": 0.5}


@pytest.mark.parametrize("options", [{}, {"atoms": "all"}])
def test_no_default_joint_tears_a_bond_and_every_other_does_or_turns_nothing(
    load: Load, options: dict[str, Any]
) -> None:
    chain = load(bridged(4), scale=0.5, **options)
    joints = set(default_joints(chain).tolist())
    for joint in range(len(chain) - 1):
        tears = torn(chain, lambda joint=joint: chain.rotate(joint, 0.4))  # type: ignore[misc]
        if joint in joints:
            assert not tears
        elif joint % 3 != 2 and 0 < joint < len(chain) - 2:
            assert tears


def test_other_chains_turn_at_all_joints_with_an_axis() -> None:
    chain = er.Chain([[0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0]], 0.1)
    assert default_joints(chain).tolist() == [0, 2, 3]


def test_joints_are_told_by_the_labels_and_not_by_the_file(load: Load) -> None:
    chain = load(peptide(["ALA", "GLY", "SER", "ALA"]))
    chain.labels = [f"bead {k}" for k in range(len(chain))]
    assert default_joints(chain).tolist() == list(range(1, len(chain) - 2))


# Side torsions.


def test_all_side_torsions_turn_but_those_of_a_bridge(load: Load) -> None:
    rows = peptide(["GLY", "LYS", "CYS", "LEU"])
    chain = load(rows, atoms="all")
    assert chain.side is not None
    assert default_torsions(chain).tolist() == list(range(len(chain.side.torsions))) == list(range(7))
    chain = load(bridged(4), atoms="all", scale=0.5)
    assert chain.side is not None and len(chain.side.torsions) > 0
    assert default_torsions(chain).tolist() == []
    assert all(torn(chain, lambda k=k: chain.rotate_side(k, 0.4)) for k in range(len(chain.side.torsions)))  # type: ignore[misc]


def test_joints_and_torsions_that_tear_a_bond_are_refused(load: Load) -> None:
    chain = load(bridged(4), atoms="all", scale=0.5)
    bond = "would tear the bond from A/CYS 2/SG to A/CYS 6/SG"
    inside = er.sampling.Move(joints=[7])
    for kind in ("torsion", "pivot"):
        with pytest.raises(ValueError, match=rf"moves\['{kind}'\].joints: joint 7 {bond}"):
            er.sampling.sample(chain, {kind: inside}, steps=1)
    with pytest.raises(ValueError, match=rf"moves\['side'\].torsions: torsion 1 {bond}"):
        er.sampling.sample(chain, {"side": er.sampling.Move(torsions=[1])}, steps=1)


def test_backbones_have_no_side_torsions(load: Load) -> None:
    assert default_torsions(load(peptide(["LYS", "LYS"]))).tolist() == []


def test_pairs_that_may_touch_are_no_bonds_where_there_is_no_protein() -> None:
    side = ([1, 1], [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0]], 0.1, [(1, 4, [5])])
    chain = er.Chain([[k, 0, 0] for k in range(4)], 0.1, side=side, exclude=(1, [[1, 3]]))
    assert default_torsions(chain).tolist() == [0]
    assert default_joints(chain).tolist() == [0, 1, 2]


# Moves.


def test_polymers_pivot() -> None:
    assert default_moves(er.Chain(er.scenes.coil(20), 0.4)) == {"pivot": 1.0}


def test_proteins_make_the_moves_that_they_can(load: Load) -> None:
    names = ["LYS"] * 5
    assert default_moves(load(peptide(names), atoms="all")) == {"torsion": 1.0, "rebridge": 0.5, "side": 1.0}
    assert default_moves(load(peptide(names))) == {"torsion": 1.0, "rebridge": 0.5}
    assert default_moves(load(peptide(["GLY"] * 3), atoms="all")) == {"torsion": 1.0}
    assert default_moves(load(peptide(names, SHEET), atoms="ca")) == {"torsion": 1.0}
