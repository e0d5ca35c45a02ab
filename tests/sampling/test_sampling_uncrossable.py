"""Sampling with uncrossable=True: no bond passes through another, and knots stay what they are."""

from __future__ import annotations

from pathlib import Path

import knots
import numpy as np
import pytest
from bond_crossings import Turned

import elbowroom as er
from elbowroom.sampling import Move, sample


def thin(seed: int, links: int = 24) -> er.Chain:
    """Many bonds in a small space, and hardly any width."""
    return er.Chain(np.random.default_rng(seed).uniform(-1.0, 1.0, (links, 3)), 1e-3)


MOVES = {
    "torsion": Move(joints=range(18)),
    "pivot": Move(joints=range(18)),
    "small pivot": Move(joints=range(18), size=0.3),
    "crankshaft": Move(shortest=5),
}


@pytest.mark.parametrize("name", MOVES)
def test_just_the_moves_in_which_bonds_cross_are_refused(name: str) -> None:
    """One move with and without: the same random numbers, so that it is the same move."""
    kind, crossed, kept = name.split()[-1], 0, 0
    for seed in range(24):
        chain, moves = thin(seed), {kind: MOVES[name]}
        free = sample(chain, moves, steps=1, seed=seed)
        held = sample(chain, moves, steps=1, seed=seed, uncrossable=True)
        if free.tallies[kind][2] == 0:
            continue
        way = Turned.between(chain.positions(), free.chain.positions())
        if held.tallies[kind][2]:
            assert np.array_equal(held.chain.positions(), free.chain.positions())
            assert not way.crosses(), f"seed {seed}"
            kept += 1
        else:
            nearest, step = way.nearest()
            assert way.crosses() or nearest < step, f"seed {seed}: nothing comes near"
            assert held.crossings[kind] == 1
            assert np.allclose(held.chain.positions(), chain.positions(), atol=1e-12)
            crossed += 1
    assert crossed > 5 and (kept > 2 or "small" not in name)


def ring(points: np.ndarray, radius: float = 0.01) -> er.Chain:
    """A closed chain: its last link is where the first one is, and crankshafts move neither."""
    last = len(points) - 1
    return er.Chain(points, radius, exclude=(1, [(0, last), (0, last - 1), (1, last)]))


RINGS = {
    "trefoil": (knots.trefoil(48), knots.TREFOIL),
    "figure eight": (knots.figure_eight(60), knots.EIGHT),
}
CRANKSHAFT = {"crankshaft": Move(size=1.0)}


@pytest.mark.parametrize("name", RINGS)
def test_a_knot_stays_and_without_is_lost(name: str) -> None:
    points, invariant = RINGS[name]
    seen: dict[bool, set[tuple[int, int]]] = {True: set(), False: set()}
    for held in (True, False):
        run = sample(
            ring(points),
            CRANKSHAFT,
            steps=10_000,
            seed=3,
            callback=lambda state, held=held: seen[held].add(knots.alexander(state.chain.positions())),
            callback_every=500,
            uncrossable=held,
        )
        moved = run.chain.positions() - points
        assert np.linalg.norm(moved, axis=1).max() > 0.5
        assert run.acceptance["crankshaft"] > 0.05
    assert seen[True] == {invariant}
    assert seen[False] - {invariant}


@pytest.mark.statistics
def test_a_knot_stays_for_a_million_moves() -> None:
    seen = set()
    sample(
        ring(RINGS["trefoil"][0]),
        CRANKSHAFT,
        steps=1_000_000,
        seed=1,
        callback=lambda state: seen.add(knots.alexander(state.chain.positions())),
        callback_every=5_000,
        uncrossable=True,
    )
    assert seen == {knots.TREFOIL}


def test_crossings_are_counted_beside_collisions() -> None:
    run = sample(thin(1), {"torsion": 1.0, "pivot": 1.0}, steps=400, seed=2, uncrossable=True)
    for move, (tried, collided, accepted) in run.tallies.items():
        assert run.crossings[move] == tried - collided - accepted > 0
    assert "crossing" in run.summary()
    plain = sample(thin(1), {"torsion": 1.0}, steps=100, seed=2)
    assert plain.crossings == {} and "crossing" not in plain.summary()


def test_moves_that_turn_no_bond_against_another_are_never_refused() -> None:
    run = sample(thin(1), {"translation": 1.0, "rotation": 1.0}, steps=100, seed=2, uncrossable=True)
    assert run.acceptance == {"translation": 1.0, "rotation": 1.0}


def test_rebridging_is_refused_by_name() -> None:
    chain = er.Chain(er.scenes.coil(30), 0.4)
    with pytest.raises(ValueError, match=r"moves\['rebridge'\].*uncrossable"):
        sample(chain, {"rebridge": 1.0, "pivot": 1.0}, steps=10, uncrossable=True)


def test_a_run_goes_on_from_a_checkpoint_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    asked = {"moves": {"torsion": 1.0}, "every": 50, "checkpoint": 100, "seed": 5, "uncrossable": True}
    sample(thin(4), steps=300, out=tmp_path / "two", **asked)
    sample(thin(4), steps=600, out=tmp_path / "two", resume=True, **asked)
    whole = sample(thin(4), steps=600, out=tmp_path / "one", **asked)
    two = er.sampling.Run.load(tmp_path / "two")
    assert two.crossings == whole.crossings and two.tallies == whole.tallies
    assert np.array_equal(two.observables["end_to_end"], whole.observables["end_to_end"])
    with pytest.raises(ValueError, match="uncrossable"):
        sample(thin(4), steps=700, out=tmp_path / "two", resume=True, **(asked | {"uncrossable": False}))


def test_with_obstacles_and_temperatures() -> None:
    wall = (er.Box([20, 20, 1]), er.Pose(translation=[0, 0, 30]))
    attraction = er.energies.LennardJones(0.1, 0.3, cutoff=0.8)
    run = sample(
        thin(7),
        {"pivot": 1.0, "crankshaft": 1.0},
        attraction,
        temperature=[1.0, 2.0],
        obstacles=wall,
        steps=300,
        seed=1,
        uncrossable=True,
    )
    assert np.shape(run.crossings["pivot"]) == (2,) and sum(run.crossings["pivot"]) > 0


def test_bonds_that_are_not_watched_are_refused() -> None:
    chain = er.Chain([[float(x), 0.0, 0.0] for x in range(5)], 0.3)
    other = er.Chain([[float(x), 9.0, 0.0] for x in range(5)], 0.3)
    with pytest.raises(ValueError, match="uncrossable=True is for one chain"):
        er.sampling.sample([chain, other], steps=10, uncrossable=True)
    with pytest.raises(ValueError, match="uncrossable=True is for open chains"):
        er.sampling.sample(er.sampling.ring(20, radius=0.3), steps=10, uncrossable=True)
