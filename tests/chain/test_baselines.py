"""The baselines: the verdicts of all pairs, by methods that know nothing of a ChainTree."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest
from chain_makers import MAKERS, Recipe, hairpin, rng_of, serpentine
from chain_oracle import Move, SlowChain, Twin, random_move
from scipy.spatial.transform import Rotation

from elbowroom import baselines

ALL: tuple[Any, ...] = (baselines.Grid, baselines.OneObbTree, baselines.KObbTree)
SHAPES = [
    name for name in MAKERS if name not in ("branched", "bonded", "tolerant")
]  # no side balls, no allowed pairs


def twin_of(kind: Any, recipe: Recipe) -> Twin:
    return Twin(kind(recipe.positions, recipe.radii, exclude=recipe.exclude), SlowChain(recipe))


def some_move(rng: np.random.Generator, slow: SlowChain, gentle: bool = False) -> Move:
    """A change of those that the baselines know."""
    move = random_move(rng, slow, gentle)
    while move[0] == "move":
        move = random_move(rng, slow, gentle)
    return move


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("maker", SHAPES)
def test_verdicts_are_those_of_all_pairs(kind: Any, maker: str) -> None:
    seen = 0
    for n in (2, 3, 5, 16, 17, 100):
        rng = rng_of("baselines", maker, n)
        twin = twin_of(kind, MAKERS[maker](rng, n))
        for step in range(12):
            twin.make(some_move(rng, twin.slow, gentle=step % 2 == 0))
            apart = twin.chain.positions() - twin.slow.positions()
            assert np.abs(apart).max() <= twin.slow.doubt
            if twin.check_verdict() and rng.random() < 0.7:
                twin.undo()
                twin.check_verdict()
        seen += twin.seen["free"] + twin.seen["collision"]
    assert seen > 60


@pytest.mark.parametrize("kind", ALL)
def test_undo_brings_back_every_bit_and_then_there_is_nothing(kind: Any) -> None:
    rng = rng_of("bits")
    twin = twin_of(kind, serpentine(None, 40))
    states = []
    for _ in range(10):
        states.append(twin.chain.positions())
        twin.make(some_move(rng, twin.slow))
    for state in reversed(states):
        twin.undo()
        assert np.array_equal(twin.chain.positions(), state)
    with pytest.raises(RuntimeError, match="no change to undo"):
        twin.chain.undo()


@pytest.mark.parametrize("kind", ALL)
def test_touching_is_a_collision_and_a_hair_apart_is_not(kind: Any) -> None:
    rows = hairpin(None, 50).positions
    assert kind(rows, 1.0).collides()
    assert not kind(rows, 1.0 - 1e-9).collides()
    assert kind(rows[:25], 1.0, exclude=0).collides()
    assert not kind(rows[:25], 1.0).collides()
    assert kind([[0, 0, 0], [1, 0, 0], [0, 0, 0]], 0.0).collides()
    assert not kind([[0, 0, 0], [1, 0, 0], [0, 1e-6, 0]], 0.0).collides()


@pytest.mark.parametrize("kind", ALL)
def test_undoing_past_the_free_state_finds_the_old_collision(kind: Any) -> None:
    chain = kind(hairpin(None, 40).positions, 1.0)
    assert chain.collides()
    chain.turn(19, Rotation.from_euler("z", -np.pi / 2))
    assert not chain.collides()
    chain.undo()
    assert chain.collides()


def test_the_grid_takes_balls_of_all_sizes() -> None:
    rng, seen = rng_of("all sizes"), set()
    for _ in range(40):
        recipe = Recipe(rng.normal(size=(60, 3)) * 30, 10 ** rng.uniform(-3, 0.8, 60))
        seen.add(twin_of(baselines.Grid, recipe).check_verdict())
    assert seen == {False, True}


def test_one_tree_looks_at_every_link_and_k_trees_do_not() -> None:
    chains = {kind: kind(serpentine(None, 200).positions, 1.0) for kind in ALL}
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
    rng, recipe = rng_of("a run"), serpentine(None, 64)
    other, chain = kind(recipe.positions, recipe.radii), recipe.chain(volume="obb")
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
