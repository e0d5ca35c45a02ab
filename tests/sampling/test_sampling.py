"""Sampling of chains: what a run does and measures, and that it does the same however it is cut up."""

from __future__ import annotations

import copy
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bars import check_bar
from peptide import HELIX, pdb_text, peptide
from sampling_makers import (
    ATTRACTION,
    RADIUS,
    assert_same,
    beads,
    bond_angles,
    bonds,
    branched,
    measured,
    torsion_angles,
)
from stopping import heeding_ctrl_c, sent_soon

import elbowroom as er
from elbowroom.sampling import folder, sample
from elbowroom.sampling._walk import loop as _loop
from elbowroom.sampling.moves import proposals

ALL = {"pivot": 1.0, "torsion": 1.0, "crankshaft": 1.0, "rebridge": 1.0}
WARM = {"energy": ATTRACTION, "temperature": 2.0}
GEOMETRY = ("end_to_end", "radius_of_gyration", "hydrodynamic_radius", "contacts")


# What a run tells.


def test_there_is_a_row_after_every_so_many_steps() -> None:
    run = sample(beads(), steps=1000, every=30)
    assert run.steps_at.tolist() == list(range(30, 991, 30))
    assert {name: values.shape for name, values in run.observables.items()} == {
        "end_to_end": (33,),
        "radius_of_gyration": (33,),
    }
    assert (run.steps, run.every, run.seed, run.folder) == (1000, 30, 0, None)
    assert len(sample(beads(), steps=5000).steps_at) == 1000
    assert len(sample(beads(), steps=50).steps_at) == 50


@pytest.mark.parametrize("make", [beads, branched])
def test_observables_are_what_the_chain_is_measured_to_be(make: Any) -> None:
    seen = []

    def look(state: er.sampling.State) -> None:
        slow = measured(state.chain, reach=0.3)
        fresh = er.Chain(state.chain.positions(), state.chain.radii, side=state.chain.side)
        fresh.set_energy(ATTRACTION)
        expected = slow | {"energy": state.chain.energy() if fresh.side is not None else fresh.energy()}
        assert state.observables == pytest.approx(expected, rel=1e-9, abs=1e-9)
        seen.append(state.step)

    chosen = ALL | ({"side": 1.0} if make is branched else {})
    run = sample(
        make(), chosen, steps=600, every=20, observables=GEOMETRY, contact_reach=0.3, **WARM, callback=look
    )
    assert seen == run.steps_at.tolist()
    assert list(run.observables) == [*GEOMETRY, "energy"]
    assert len(set(run.observables["contacts"].tolist())) > 3


def test_the_energy_of_a_chain_is_used_as_one_that_is_given() -> None:
    chain = beads()
    chain.set_energy(ATTRACTION)
    assert_same(sample(chain, steps=300, temperature=2.0), sample(beads(), steps=300, **WARM))


def test_the_chain_that_is_given_stays_as_it_is_and_the_result_is_free() -> None:
    chain = beads()
    before = chain.positions().tobytes()
    run = sample(chain, ALL, steps=500, **WARM)
    assert chain.positions().tobytes() == before
    with pytest.raises(RuntimeError, match="no energy"):
        chain.energy()
    assert not run.chain.collides() and not er.self_collide(er.Chain(run.chain.positions(), RADIUS))
    assert np.abs(run.chain.positions() - chain.positions()).max() > 1.0
    run.chain.validate()


def test_every_step_is_one_move_and_weights_say_which() -> None:
    run = sample(beads(), {"pivot": 1.0, "torsion": 3.0, "crankshaft": 0.0}, steps=4000)
    assert list(run.tallies) == ["pivot", "torsion"]
    tried = {name: tally[0] for name, tally in run.tallies.items()}
    assert sum(tried.values()) == 4000
    assert tried["pivot"] == pytest.approx(1000, abs=5 * np.sqrt(4000 * 3 / 16))
    for name, (tries, collided, accepted) in run.tallies.items():
        assert tries == collided + accepted and run.acceptance[name] == accepted / tries
        assert 0 < accepted < tries


# Moves change what they should, and nothing else.


def test_torsions_keep_bonds_and_angles() -> None:
    chain = beads()
    after = sample(chain, {"torsion": 1.0}, steps=300).chain
    assert np.linalg.norm(bonds(after), axis=1) == pytest.approx(np.linalg.norm(bonds(chain), axis=1))
    assert bond_angles(after) == pytest.approx(bond_angles(chain))
    assert (np.abs(torsion_angles(after) - torsion_angles(chain)) > 1e-6).all()


def test_pivots_keep_the_lengths_of_bonds_alone() -> None:
    chain = beads()
    after = sample(chain, {"pivot": 1.0}, steps=1000).chain
    assert np.linalg.norm(bonds(after), axis=1) == pytest.approx(np.linalg.norm(bonds(chain), axis=1))
    assert (np.abs(bond_angles(after) - bond_angles(chain)) > 1e-6).all()


@pytest.mark.parametrize("kind", ["torsion", "pivot"])
def test_only_chosen_joints_turn(kind: str) -> None:
    chain = beads()
    after = sample(chain, {kind: er.sampling.Move(joints=[10, 20])}, steps=300).chain
    still = 10 if kind == "pivot" else 11
    assert after.positions()[: still + 1] == pytest.approx(chain.positions()[: still + 1])
    assert np.abs(after.positions()[still + 1 :] - chain.positions()[still + 1 :]).max() > 0.1
    changed = np.abs(torsion_angles(after) - torsion_angles(chain)) > 1e-9
    if kind == "torsion":
        assert np.flatnonzero(changed).tolist() == [9, 19]


def test_small_pivots_are_small() -> None:
    chain = beads()
    run = sample(chain, {"pivot": er.sampling.Move(size=0.01, joints=[20])}, steps=1)
    turned = np.arccos((bonds(run.chain)[20] * bonds(chain)[20]).sum() / (bonds(chain)[20] ** 2).sum())
    assert 0 < turned <= 0.01


def test_crankshafts_leave_the_ends_where_they_are() -> None:
    chain = beads()
    move = er.sampling.Move(shortest=3, longest=5)
    after = sample(chain, {"crankshaft": move}, steps=1000).chain
    moved = np.linalg.norm(after.positions() - chain.positions(), axis=1) > 1e-6
    assert not moved[[0, -1]].any() and moved[1:-1].all()
    once = sample(chain, {"crankshaft": move}, steps=1, seed=3).chain
    changed = np.linalg.norm(once.positions() - chain.positions(), axis=1) > 1e-9
    assert np.flatnonzero(changed).size in (0, 2, 3, 4)


def test_rebridging_moves_a_stretch_and_keeps_bonds_angles_and_all_beyond() -> None:
    chain = beads()
    run = sample(chain, {"rebridge": er.sampling.Move(joints=range(10, 17))}, steps=500)
    assert run.tallies["rebridge"][2] > 20
    moved = np.linalg.norm(run.chain.positions() - chain.positions(), axis=1) > 1e-6
    assert np.flatnonzero(moved).tolist() == [12, 13, 14, 15]
    assert bond_angles(run.chain) == pytest.approx(bond_angles(chain), abs=1e-6)
    assert (np.abs(torsion_angles(run.chain) - torsion_angles(chain)) > 1e-6).sum() == 7


def test_side_moves_turn_the_chosen_side_balls_alone() -> None:
    chain = branched()
    after = sample(chain, {"side": er.sampling.Move(torsions=[3, 5])}, steps=100).chain
    moved = np.linalg.norm(after.positions(side=True) - chain.positions(side=True), axis=1) > 1e-6
    assert np.flatnonzero(moved).tolist() == [30 + 7, 30 + 11]


def test_a_protein_turns_about_phi_psi_and_side_chains(tmp_path: Path) -> None:
    file = tmp_path / "helix.pdb"
    file.write_text(pdb_text(peptide(["ALA", "LEU", "PRO", "SER", "LYS", "GLY", "VAL", "PHE"], HELIX)))
    chain = er.Chain.from_pdb(file, atoms="all")
    run = sample(chain, steps=2000, seed=1)
    assert list(run.tallies) == ["torsion", "rebridge", "side"]
    assert run.sizes == {"torsion": 0.1, "rebridge": 0.1, "side": np.pi}
    changed = np.abs(torsion_angles(run.chain) - torsion_angles(chain)) > 1e-6  # of joints 1, 2, ...
    expected = [joint for joint in range(1, 22) if joint % 3 != 2 and joint != 6]  # 6 is phi of proline
    assert (np.flatnonzero(changed) + 1).tolist() == expected
    assert bond_angles(run.chain) == pytest.approx(bond_angles(chain), abs=1e-6)


def test_default_joints_of_beads_are_all_that_change_the_shape() -> None:
    made = {p.kind: p for p in proposals({"torsion": 1, "pivot": 1, "crankshaft": 1}, beads(50))}
    assert made["torsion"].at.tolist() == list(range(1, 48))
    assert made["pivot"].at.tolist() == list(range(49)) and made["pivot"].size < 0
    assert (made["crankshaft"].shortest, made["crankshaft"].longest) == (2, 30)
    assert proposals({"crankshaft": 1}, beads(8))[0].longest == 7
    assert proposals(None, beads())[0].kind == "pivot"


# Burn-in.


def test_a_burn_in_sets_sizes_and_is_not_counted() -> None:
    moves = {"torsion": er.sampling.Move(size=0.001), "crankshaft": 1.0, "pivot": 1.0}
    given: dict[str, Any] = {"energy": ATTRACTION, "temperature": 1.0, "steps": 4000, "every": 4}
    cold = sample(beads(), moves, **given)
    assert cold.sizes == {"torsion": 0.001, "crankshaft": np.pi, "pivot": None}
    assert cold.acceptance["torsion"] > 0.9 and cold.acceptance["crankshaft"] < 0.25
    warm = sample(beads(), moves, burn_in=3000, **given)
    assert (warm.steps, warm.burn_in, len(warm.steps_at)) == (4000, 3000, 1000)
    assert sum(tally[0] for tally in warm.tallies.values()) == 4000
    assert warm.sizes["pivot"] is None
    for name in ("torsion", "crankshaft"):
        assert warm.acceptance[name] == pytest.approx(0.4, abs=0.2)


def test_sizes_stay_once_the_burn_in_is_over() -> None:
    sizes = []
    for steps in (50, 2000):
        sizes.append(sample(beads(), {"crankshaft": 1.0}, steps=steps, burn_in=500).sizes)
    assert sizes[0] == sizes[1] != {"crankshaft": np.pi}


# The same run, however it is cut up and looked at.


def look_at(state: er.sampling.State) -> None:
    chain = state.chain
    chain.positions(), chain.collides(), copy.copy(chain), er.self_distance(chain), er.self_within(chain, 0.5)


@pytest.mark.parametrize("more", [{}, WARM], ids=["hard core", "energy"])
def test_how_a_run_is_cut_up_and_looked_at_makes_no_difference(
    more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ran(**options: Any) -> er.sampling.Run:
        return sample(beads(), ALL, steps=2000, every=40, burn_in=100, **more, **options)

    whole = ran()
    assert_same(whole, ran())
    assert_same(whole, ran(callback=look_at, callback_every=7))
    assert_same(whole, ran(callback=look_at, callback_every=300, threads=3, progress=False))
    often = sample(beads(), ALL, steps=2000, every=10, checkpoint=40, burn_in=100, **more)
    for name, values in whole.observables.items():
        assert values.tobytes() == often.observables[name][3::4].tobytes()
    monkeypatch.setattr(_loop, "STRIDE", 0.0)  # every step on its own
    assert_same(whole, ran())
    assert sample(beads(), ALL, steps=2000, seed=1, **more).chain.positions() != pytest.approx(
        whole.chain.positions()
    )


@pytest.mark.parametrize("more", [{}, WARM], ids=["hard core", "energy"])
def test_a_folder_makes_no_difference(more: dict[str, Any], tmp_path: Path) -> None:
    whole = sample(beads(), ALL, steps=1000, checkpoint=250, **more)
    written = sample(beads(), ALL, steps=1000, checkpoint=250, frames=7, out=tmp_path / "run", **more)
    assert_same(whole, written)
    assert written.folder == tmp_path / "run"


@pytest.mark.parametrize("more", [{}, WARM], ids=["hard core", "energy"])
def test_a_run_goes_on_where_it_was_and_may_grow(
    more: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "PATIENCE", 0.0)  # every checkpoint is written

    def ran(**options: Any) -> er.sampling.Run:
        return sample(beads(), ALL, burn_in=100, seed=5, **more, **options)

    class Enough(Exception):
        pass

    def fail(state: er.sampling.State) -> None:
        if state.step == 777:
            raise Enough

    whole = ran(steps=2000, every=10, checkpoint=90)
    with pytest.raises(Enough):
        ran(steps=1000, every=10, checkpoint=90, out=tmp_path, callback=fail, callback_every=777)
    assert er.sampling.Run.load(tmp_path).steps == 720
    assert ran(steps=1000, out=tmp_path, resume=True).steps == 1000
    grown = ran(steps=2000, out=tmp_path, resume=True)
    assert_same(whole, grown)
    assert_same(whole, ran(steps=2000, out=tmp_path, resume=True))  # there is nothing left to do
    assert (grown.every, grown.about["asked"]["checkpoint"]) == (10, 90)


# Callbacks.


def test_a_callback_sees_the_latest_row_and_can_end_the_run() -> None:
    seen: list[er.sampling.State] = []

    def look(state: er.sampling.State) -> bool:
        seen.append(state)
        return state.step >= 500

    run = sample(beads(), ALL, steps=1000, every=40, callback=look, callback_every=100, **WARM)
    assert [state.step for state in seen] == [100, 200, 300, 400, 500]
    assert (run.steps, run.asked) == (500, 1000)
    rows = {step: i for i, step in enumerate(run.steps_at.tolist())}
    for state in seen:
        row = rows[state.step // 40 * 40]
        assert state.observables == {name: values[row] for name, values in run.observables.items()}
        assert state.temperatures == (2.0,) and state.chain is state.chains[0] and len(state.chain) == 40
    assert seen[-1].acceptance == run.acceptance
    assert run.steps_at[-1] == 480
    early: list[er.sampling.State] = []
    sample(beads(), steps=100, every=50, callback=early.append, callback_every=25)
    assert early[0].observables == {} and set(early[1].observables) == {"end_to_end", "radius_of_gyration"}


def test_it_can_be_interrupted() -> None:
    with heeding_ctrl_c(), pytest.raises(KeyboardInterrupt), sent_soon(signal.SIGINT):
        sample(beads(1000), steps=10**12, every=10**9)


# The bar.


def test_a_bar_is_shown_on_a_terminal_if_it_is_asked_for_or_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(asked: bool | None) -> None:
        sample(beads(), steps=3000, burn_in=100, progress=asked)

    check_bar(
        monkeypatch, capsys, work, ("steps per second", "steps of burn-in", "3000", "% accepted", "left")
    )


def test_rates_and_times_are_told_shortly() -> None:
    from elbowroom.sampling._walk.progress import _told

    tallies = np.array([[[100, 50, 40]], [[100, 60, 20]]])
    assert _told(2_500_000, 7_500_000, 2.0, tallies) == ", 1.25 M steps per second, 30 % accepted, 0:06 left"
    assert _told(900, 3_600_000, 1.0, tallies) == ", 900 steps per second, 30 % accepted, 1:06:40 left"
    assert _told(12_300, 738_000, 1.0, 0 * tallies) == ", 12.3 k steps per second, 1:00 left"


# What is needed.


def test_without_a_folder_nothing_needs_pyarrow_and_nothing_is_imported_early() -> None:
    script = """
import sys
for name in ("pyarrow", "dask", "distributed", "duckdb", "gemmi", "MDAnalysis"):
    sys.modules[name] = None
import elbowroom as er
assert "elbowroom.sampling" not in sys.modules
chain = er.Chain(er.scenes.coil(20), 0.45)
print(er.sampling.sample(chain, steps=50).steps)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("50\n", "")
