"""Rings, and other chains with bonds across them: no move tears a bond."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peptide import HELIX, pdb_text, peptide

import elbowroom as er
from elbowroom.sampling import Move, ring, sample


def bond_lengths(chain: er.Chain) -> np.ndarray:
    places = chain.positions(side=True)
    assert chain.bonds is not None
    return np.linalg.norm(places[chain.bonds[:, 0]] - places[chain.bonds[:, 1]], axis=1)


def test_chords_of_an_ideal_ring_have_their_mean_squares() -> None:
    """Of n bonds that point anywhere but close, k in a row span k (n - k) / (n - 1) on average."""
    n, seen = 8, []
    start = ring(n, radius=0.0)

    def look(state: er.sampling.State) -> None:
        places = state.chain.positions()
        apart = np.linalg.norm(places[:, None] - places[None], axis=2) ** 2
        seen.append([np.mean([apart[i, (i + k) % n] for i in range(n)]) for k in range(2, n // 2 + 1)])

    run = sample(start, steps=80_000, callback=look, callback_every=20, seed=2)
    assert run.acceptance == {"crankshaft": 1.0}
    assert bond_lengths(run.chain) == pytest.approx(np.ones(n), abs=1e-9)
    found = np.array(seen)
    k = np.arange(2, n // 2 + 1)
    errors = found.reshape(40, -1, len(k)).mean(axis=1).std(axis=0, ddof=1) / np.sqrt(40)
    assert (errors < 0.02).all()
    assert (np.abs(found.mean(axis=0) - k * (n - k) / (n - 1)) < 4.5 * errors).all()
    # Not with the ends apart, where they span k; so the test tells.
    assert (np.abs(k - k * (n - k) / (n - 1)) > 10 * errors).all()


def test_rings_stay_closed_and_free() -> None:
    start = ring(40, radius=0.4)
    start.set_energy(er.energies.LennardJones(0.5, 0.8, cutoff=2.0))
    moves = {"crankshaft": 1.0, "rebridge": Move(size=0.2)}

    def look(state: er.sampling.State) -> None:
        assert not er.self_collide(state.chain) and state.chain.validate() is None

    run = sample(start, moves, steps=8000, temperature=1.0, burn_in=1000, callback=look, callback_every=200)
    assert min(accepted for _, _, accepted in run.tallies.values()) > 200
    assert bond_lengths(run.chain) == pytest.approx(bond_lengths(start), abs=1e-9)
    other = er.Chain(
        ring(12, radius=0.4).positions() + np.array([0, 0, 3.0]),
        0.4,
        bonds=ring(12).bonds,
        exclude=("bonds", 1),
    )
    both = sample([ring(12, radius=0.4), other], steps=500)
    assert all(bond_lengths(chain) == pytest.approx(np.ones(12), abs=1e-9) for chain in both.chains)


def crosslinked() -> er.Chain:
    """A straight chain of 30 with a bond from link 5 to link 12, however long."""
    places = np.arange(30)[:, None] * [1.0, 0.0, 0.0] + np.sin(np.arange(30))[:, None] * [0, 1.0, 0]
    along = [(i, i + 1) for i in range(29)]
    return er.Chain(places, 0.2, bonds=[*along, (5, 12)])


def test_joints_within_a_crosslink_do_not_turn() -> None:
    start = crosslinked()
    for kind in ("pivot", "torsion"):
        run = sample(start, {kind: 1.0}, steps=2000)
        assert bond_lengths(run.chain) == pytest.approx(bond_lengths(start), abs=1e-9)
        assert run.tallies[kind][2] > 100


def test_a_cyclic_peptide_is_rebridged(tmp_path: Path) -> None:
    """Six bonds at least lie between two residues that a rebridging leaves."""
    path = tmp_path / "ring.pdb"
    path.write_text(pdb_text(peptide(["GLY"] * 12, HELIX)))
    found = er.Chain.from_pdb(path, scale=0.3)
    assert found.bonds is not None
    chain = er.Chain(
        found.positions(), found.radii, bonds=[*found.bonds.tolist(), (0, len(found) - 1)], exclude="bonds"
    )
    chain.labels = found.labels
    run = sample(chain, steps=3000)
    assert set(run.tallies) == {"rebridge"} and run.tallies["rebridge"][2] > 300
    assert bond_lengths(run.chain) == pytest.approx(bond_lengths(chain), abs=1e-8)


REFUSED: dict[str, tuple[Callable[[], er.Chain], dict[str, Any], str]] = {
    "pivot": (lambda: ring(20), {"pivot": 1.0}, r"^moves\['pivot'\]: .* a ring has crankshaft and rebridge"),
    "joint": (
        crosslinked,
        {"torsion": Move(joints=[8])},
        r"torsion.*joint 8 would tear the bond from link 5 to link 12",
    ),
    "crankshaft": (
        crosslinked,
        {"crankshaft": 1.0},
        "a crankshaft would tear the bond from link 5 to link 12",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_moves_that_tear_are_refused(case: str) -> None:
    make, moves, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        sample(make(), moves, steps=10)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"links": 2}, "^links"),
        ({"links": 9, "spacing": 0.0}, "^spacing must be larger"),
        ({"links": 9, "radius": 1.0}, "^radius must be less"),
    ],
)
def test_rings_that_cannot_be_made(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ring(**given)
