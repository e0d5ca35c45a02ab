"""The baselines: the verdicts of all pairs, by methods that know nothing of a ChainTree."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from slow_chain import SCENES, SIZES, SlowChain, binary_chain, hairpin, serpentine, settled, straight

from elbowroom import baselines

ALL: tuple[Any, ...] = (baselines.Grid, baselines.OneObbTree, baselines.KObbTree)


def random_change(rng: np.random.Generator, fast: Any, slow: SlowChain, size: float) -> None:
    joint = int(rng.integers(len(fast) - 1))
    kind = rng.integers(3)
    if kind == 0:
        angle = float(rng.normal() * size)
        fast.rotate(joint, angle), slow.rotate(joint, angle)
    elif kind == 1:
        turn = Rotation.from_rotvec(rng.normal(size=3) * size)
        fast.turn(joint, turn), slow.turn(joint, turn)
    else:
        joints = rng.choice(len(fast) - 1, min(3, len(fast) - 1), replace=False)
        angles = rng.normal(size=len(joints)) * size
        fast.change(dict(zip(joints.tolist(), angles.tolist(), strict=True))), slow.change(joints, angles)


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("n", SIZES)
def test_verdicts_are_those_of_all_pairs(kind: Any, n: int) -> None:
    seen = set()
    for seed, (scene, make) in enumerate(SCENES.items()):
        rng = np.random.default_rng([n, seed])
        radii = rng.uniform(0.5, 1.2, n) if scene == "walk" else 0.97
        exclude = 2 if seed == 2 else 1
        fast, slow = kind(make(n), radii, exclude=exclude), SlowChain(make(n), radii, exclude)
        for step in range(15):
            random_change(rng, fast, slow, 0.1 if step % 2 else 0.6)
            assert np.allclose(fast.positions(), slow.places, atol=1e-9)
            if settled(slow):
                seen.add(slow.collides())
                assert fast.collides() == slow.collides(), (scene, step)
            if slow.collides() and rng.uniform() < 0.7:
                fast.undo(), slow.undo()
                assert not settled(slow) or fast.collides() == slow.collides()
    assert seen == {False, True} or n < 16


@pytest.mark.parametrize("kind", ALL)
def test_undo_brings_back_every_bit_and_then_there_is_nothing(kind: Any) -> None:
    rng = np.random.default_rng(1)
    fast, slow = kind(serpentine(40), 1.0), SlowChain(serpentine(40))
    states = []
    for _ in range(10):
        states.append(fast.positions())
        random_change(rng, fast, slow, 1.0)
    for state in reversed(states):
        fast.undo()
        assert (fast.positions() == state).all()
    with pytest.raises(RuntimeError, match="no change to undo"):
        fast.undo()


@pytest.mark.parametrize("kind", ALL)
def test_touching_is_a_collision_and_a_hair_apart_is_not(kind: Any) -> None:
    assert kind(hairpin(50), 1.0).collides()
    assert not kind(hairpin(50), 1.0 - 1e-9).collides()
    assert kind(straight(20) * 0.8, 1.0, exclude=0).collides()
    assert kind([[0, 0, 0], [1, 0, 0], [0, 0, 0]], 0.0).collides()
    assert not kind([[0, 0, 0], [1, 0, 0], [0, 1e-6, 0]], 0.0).collides()


@pytest.mark.parametrize("kind", ALL)
def test_undoing_past_the_free_state_finds_the_old_collision(kind: Any) -> None:
    chain = kind(hairpin(40), 1.0)
    assert chain.collides()
    chain.turn(19, Rotation.from_euler("z", -np.pi / 2))
    assert not chain.collides()
    chain.undo()
    assert chain.collides()


def test_the_grid_takes_balls_of_all_sizes() -> None:
    rng = np.random.default_rng(8)
    for _ in range(40):
        positions, radii = rng.normal(size=(60, 3)) * 30, 10 ** rng.uniform(-3, 0.8, 60)
        assert baselines.Grid(positions, radii).collides() == SlowChain(positions, radii).collides()


def test_one_tree_looks_at_every_link_and_k_trees_do_not() -> None:
    chains = {kind: kind(serpentine(200), 1.0) for kind in ALL}
    for chain in chains.values():
        assert not chain.collides()
        chain.rotate(100, 1e-4)
        assert not chain.collides()
    one, k = chains[baselines.OneObbTree].counters, chains[baselines.KObbTree].counters
    assert one.leaf_tests >= 200
    assert k.leaf_tests < 20
    assert k.volume_tests < one.volume_tests / 10
    assert chains[baselines.Grid].counters.volume_tests == 0


@pytest.mark.parametrize("kind", ALL)
def test_a_run_ends_as_that_of_the_binary_chain_does(kind: Any) -> None:
    rng = np.random.default_rng(4)
    other, chain = kind(serpentine(64), 1.0), binary_chain(serpentine(64))
    verdicts = [other.collides(), chain.collides()]
    for _ in range(60):
        joint, angle = int(rng.integers(63)), float(rng.uniform(-0.5, 0.5))
        other.rotate(joint, angle), chain.rotate(joint, angle)
        verdicts.append(chain.collides())
        assert other.collides() == verdicts[-1]
        if verdicts[-1]:
            other.undo(), chain.undo()
    assert 0 < sum(verdicts) < 40
    assert np.allclose(other.positions(), chain.positions(), atol=1e-10)


@pytest.mark.parametrize("kind", ALL)
def test_wrong_arguments_are_named_and_nothing_changes(kind: Any) -> None:
    chain = kind([[0, 0, 0], [3, 0, 0], [3, 0, 0], [6, 0, 0]], 1.0)
    before = chain.positions()
    for wrong, name in (
        (lambda: chain.rotate(3, 0.1), "joint"),
        (lambda: chain.rotate(-1, 0.1), "joint"),
        (lambda: chain.rotate(0, float("nan")), "angle"),
        (lambda: chain.turn(0, np.ones((3, 3))), "rotation"),
        (lambda: chain.change({0: 0.1, 9: 0.1}), "joint"),
        (lambda: chain.change({0: 0.1, 1: 0.1}), "joint 1 has no axis"),
    ):
        with pytest.raises(ValueError, match=name):
            wrong()
    with pytest.raises(TypeError, match="angles"):
        chain.change([0, 1])
    assert (chain.positions() == before).all()
    assert len(chain) == 4
    assert repr(chain) == f"{kind.__name__}(4 links)"
    for positions, radii, name in (
        ([[0, 0, 0]], 1, "positions"),
        ([[0, 0, 0], [1, 0, 0]], [1, 1, 1], "radii"),
        ([[0, 0, 0], [1, 0, 0]], -1, "radii"),
    ):
        with pytest.raises(ValueError, match=name):
            kind(positions, radii)


def test_the_examples_are_true() -> None:
    failed, tried = doctest.testmod(baselines)
    assert failed == 0 and tried > 10
