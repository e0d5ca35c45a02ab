"""Chains over time: undo, copies and pickles, threads, drift."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from chain_makers import (
    FAST,
    MAKERS,
    VOLUMES,
    coil,
    protein,
    rng_of,
    serpentine,
)
from chain_oracle import (
    SlowChain,
    Twin,
    pickled,
    random_move,
    random_rotation,
    wander,
)

import elbowroom as er

every_volume = pytest.mark.parametrize("volume", VOLUMES)


# Undo.


@every_volume
def test_a_change_of_no_joint_can_be_taken_back(volume: str) -> None:
    chain = er.Chain(serpentine(np.random.default_rng(1), 40).positions, 0.4, **VOLUMES[volume])
    chain.rotate(20, 0.5)
    turned = chain.positions()
    chain.change({})
    chain.collides()
    chain.undo()
    assert np.array_equal(chain.positions(), turned)
    chain.undo()
    assert not np.allclose(chain.positions(), turned)
    with pytest.raises(RuntimeError, match="nothing to undo"):
        chain.undo()


@every_volume
def test_undo_many_times_leads_back_through_every_state(volume: str) -> None:
    rng = rng_of("undo", volume)
    maker = "branched" if volume in FAST else "coil"
    twin = Twin.of(MAKERS[maker](rng, 45), **VOLUMES[volume])
    start, verdicts = twin.chain.positions(side=True), [twin.check_verdict()]
    for k in range(60):
        twin.make(random_move(rng, twin.slow))
        if k % 3:
            twin.check_verdict()
        verdicts.append(twin.slow.collides())
    assert {True, False} <= set(verdicts)  # with one verdict alone, nothing would have been told apart
    for k in range(60):
        twin.undo()
        twin.chain.validate()
        twin.check_positions()
        if k % 2:
            twin.check_verdict()
    assert np.abs(twin.chain.positions(side=True) - start).max() <= 1e-12 * twin.slow.size
    with pytest.raises(RuntimeError, match="undo"):
        twin.chain.undo()
    twin.make(("rotate", (3, 0.1)))
    twin.check_verdict()


@every_volume
def test_undo_after_a_free_verdict_and_before_any(volume: str) -> None:
    rng = rng_of("undo free", volume)
    twin = Twin.of(coil(rng, 100), **VOLUMES[volume])
    for k in range(40):
        for _ in range(int(rng.integers(1, 4))):
            twin.make(random_move(rng, twin.slow, gentle=True))
        if k % 2:
            twin.check_verdict()
        twin.undo(int(rng.integers(0, min(4, len(twin.slow.history) + 1))))
        twin.check_verdict()
        twin.check_positions()


def test_a_rejected_change_leaves_no_trace() -> None:
    """Free, changed, tested, undone, as samplers do most of the time: positions and poses keep their bits."""
    twin, rng = Twin.of(serpentine(None, 70)), rng_of("more bits")
    for _ in range(30):
        twin.make(random_move(rng, twin.slow, gentle=True))
        if twin.check_verdict():
            twin.undo()
        before = twin.chain.positions().tobytes(), twin.chain.pose(3, 60).matrix.tobytes()
        for _ in range(3):
            twin.make(("rotate", (int(rng.integers(69)), float(rng.normal()))))
            twin.check_verdict()
            twin.undo()
        assert (twin.chain.positions().tobytes(), twin.chain.pose(3, 60).matrix.tobytes()) == before


def test_undo_does_not_drift() -> None:
    twin, rng = Twin.of(protein(rng_of("back"), 70)), rng_of("and forth")
    start = twin.chain.positions()
    for _ in range(3000):
        joint, angle = int(rng.integers(69)), float(rng.normal())
        twin.chain.rotate(joint, angle)
        twin.chain.pose(0, 69)
        twin.chain.undo()
    assert np.abs(twin.chain.positions() - start).max() <= 1e-11 * twin.slow.size


def test_undo_goes_back_a_thousand_changes_and_says_where_it_ends() -> None:
    twin, rng = Twin.of(coil(rng_of("far back"), 20)), rng_of("way back")
    for _ in range(1500):
        twin.make(("rotate", (int(rng.integers(19)), float(rng.normal()))))
        if rng.random() < 0.1:
            twin.check_verdict()
    for _ in range(1000):
        twin.undo()
    twin.check_positions()
    twin.check_verdict()
    left = 0
    with contextlib.suppress(RuntimeError):
        for left in range(501):  # noqa: B007
            twin.chain.undo()
    assert left <= 500, "more was undone than was done"
    twin.chain.validate()


# Copies, threads, time.


@every_volume
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_copies_go_on_equally_and_independently(volume: str, copied: Callable[[Any], Any]) -> None:
    rng = rng_of("copies")
    maker = "branched" if volume in FAST else "serpentine"
    twin = Twin.of(MAKERS[maker](rng, 60), **VOLUMES[volume])
    wander(twin, rng, 10, gentle=True)
    twin.make(random_move(rng, twin.slow, gentle=True))
    other = copied(twin.chain)
    assert len(other) == 60 and type(other) is type(twin.chain)
    frozen, doubt = other.positions(side=True), twin.slow.doubt
    assert np.abs(frozen - twin.chain.positions(side=True)).max() <= 1e-14 * twin.slow.size
    moves = [random_move(rng, twin.slow, gentle=True) for _ in range(10)]
    verdicts = []
    for move in moves:
        twin.make(move)
        verdicts.append(twin.check_verdict())
    assert np.array_equal(other.positions(side=True), frozen), "changes of the chain are none of the copy"
    for (name, arguments), verdict in zip(moves, verdicts, strict=True):
        getattr(other, name)(*arguments)
        assert other.collides() == verdict
    other.validate()
    assert np.abs(other.positions(side=True) - twin.chain.positions(side=True)).max() <= doubt
    after, copied_again = other.positions(side=True), copied(other)
    copied_again.rotate(20, 1.0)
    assert np.array_equal(other.positions(side=True), after), "nor those of the copy of the chain"
    assert np.abs(copied_again.pose(0, 59).rotation - other.pose(0, 59).rotation).max() > 0.01
    with pytest.raises(RuntimeError, match="undo"):
        copied(other).undo()  # a copy begins anew


def test_the_properties_survive_a_pickle() -> None:
    recipe = replace(MAKERS["branched"](rng_of("properties"), 30), exclude=2, allowed=[(1, 20)])
    for name, options in VOLUMES.items():
        chain = (recipe if name in FAST else replace(recipe, side=None)).chain(**options)
        twin = pickled(chain)
        for what in ("excluded_gap", "volume", "children", "shrink", "skip", "labels"):
            assert getattr(twin, what) == getattr(chain, what)
        assert np.array_equal(twin.radii, chain.radii) and twin.nbytes > 0
        assert chain.side is None or np.array_equal(twin.side.owner, chain.side.owner)


def test_what_a_chain_says_of_itself() -> None:
    chain = protein(rng_of("repr"), 33).chain()
    assert "Chain" in repr(chain) and "33" in repr(chain)
    assert len(chain) == 33 and chain.excluded_gap == 3 and chain.radii.shape == (33,)
    assert chain.nbytes > 33 * 8 * 4 and chain.labels is None
    with pytest.raises(ValueError, match="read-only"):
        chain.radii[0] = 1.0
    there = chain.positions()
    there[:] = 7.0
    assert not np.array_equal(chain.positions(), there), "positions are the caller's own"


def test_two_threads_asking_the_same_chain() -> None:
    chain = coil(rng_of("threads"), 400).chain()
    chain.rotate(200, 0.01)
    alone = [er.self_distance(chain).value for _ in range(50)]
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(lambda: [er.self_distance(chain).value for _ in range(50)]) for _ in range(2)]
        assert [a.result() for a in asked] == [alone, alone]


def test_bond_lengths_do_not_drift() -> None:
    """A hundred thousand changes of every kind that leaves bonds alone."""
    recipe = protein(rng_of("drift"), 50)
    chain, rng = recipe.chain(), rng_of("drifting")
    joints, angles = rng.integers(0, 49, 100_000).tolist(), rng.normal(size=100_000).tolist()
    turns = [random_rotation(rng, np.pi) for _ in range(500)]
    for k, (joint, angle) in enumerate(zip(joints, angles, strict=True)):
        if k % 4:
            chain.rotate(joint, angle)
        else:
            chain.turn(joint, turns[k % 500])
    bonds = [np.linalg.norm(np.diff(p, axis=0), axis=1) for p in (recipe.positions, chain.positions())]
    assert np.abs(bonds[1] / bonds[0] - 1.0).max() <= 1e-12
    turned = chain.pose(0, 49).rotation
    assert np.abs(turned @ turned.T - np.eye(3)).max() <= 1e-12
    chain.validate()
    fresh = replace(recipe, positions=chain.positions())
    assert chain.collides() == SlowChain(fresh).collides()
