"""er.check of torsions decides where bonds pass through each other, and keeps bonds clear of each other."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from chain_makers import rng_of
from motion_bending_makers import TWISTED, TorsionScene, gate, torsion_scene

import elbowroom as er

LOOKS = 400


def single(rng: np.random.Generator, maker: str, n: int) -> TorsionScene:
    """One joint turns; most of what touches is bonds."""
    angle = float(rng.uniform(-1.0, 1.0) * rng.choice([0.03, 0.5, 3.0, 7.0]))
    return TorsionScene(torsion_scene(rng, maker, n).recipe, {int(rng.integers(0, n - 1)): angle})


def first_crossing(scene: TorsionScene) -> float:
    """By sampling, the time refined by halving; infinite if there is none."""
    out = np.inf
    for i, j, near in scene.path.crossings(LOOKS):
        low, high = near - 1 / LOOKS, near + 1 / LOOKS
        for _ in range(50):
            side = [volume(scene, i, j, t) for t in (low, 0.5 * (low + high))]
            low, high = (low, 0.5 * (low + high)) if side[0] * side[1] < 0 else (0.5 * (low + high), high)
        out = min(out, low)
    return out


def volume(scene: TorsionScene, i: int, j: int, time: float) -> float:
    a, b, c, d = scene.path.positions(np.array([time]))[0][[i, i + 1, j, j + 1]]
    return float(np.linalg.det(np.stack([b - a, c - a, d - a])))


@pytest.mark.parametrize("maker", TWISTED)
def test_one_torsion_is_decided_and_proved(maker: str) -> None:
    for seed in range(4):
        rng = rng_of("single", maker, seed)
        scene = single(rng, maker, int(rng.integers(5, 25)))
        found = er.check(scene.recipe.chain(), scene.torsions)
        assert found.free is not None and found.proved, scene.code()
        found.verify(tolerance=1e-6 if found.free is False else None)
        end = 1.0 if found.free else found.first_contact[0]
        assert first_crossing(scene) >= end, scene.code()


@pytest.mark.parametrize("maker", ["compact", "coil", "kinked", "huge"])
def test_a_second_joint_that_does_not_turn_changes_nothing(maker: str) -> None:
    """Then the parts are swept, as with several torsions: another method for the same motion."""
    for seed in range(6):
        scene = single(rng_of("both", maker, seed), maker, 14)
        chain, joint = scene.recipe.chain(), next(iter(scene.torsions))
        one = er.check(chain, scene.torsions)
        two = er.check(chain, scene.torsions | {(joint + 1) % 13: 0.0})
        assert one.free == two.free, scene.code()
        if one.free is False:
            assert one.contact_time == pytest.approx(two.contact_time, abs=2e-6)


def curled(rng: np.random.Generator, n: int) -> np.ndarray:
    """A random walk whose steps remember the last one, more or less."""
    steps = rng.normal(size=(n, 3))
    for k in range(1, n):
        steps[k] += rng.choice([0.0, 1.0]) * steps[k - 1]
        steps[k] /= np.linalg.norm(steps[k])
    return np.cumsum(steps, axis=0)


@pytest.mark.parametrize("n", [150, 900])
def test_long_chains_by_their_tree_and_by_sweeping(n: int) -> None:
    """Several levels of the tree, with side balls and without."""
    for seed in range(3):
        rng = rng_of("long", n, seed)
        places, owners = curled(rng, n), rng.integers(0, n, n // 2)
        side = (owners, places[owners] + 0.3 * rng.normal(size=(n // 2, 3)), np.full(n // 2, 0.02))
        kept = er.Chain(places, 0.01, exclude=3, side=side if seed % 2 else None)
        chain = er.Chain(places, 0.01, exclude=(3, er.self_within(kept, 0.02).indices), side=kept.side)
        joint, angle = int(rng.integers(0, n - 2)), float(rng.choice([0.003, 0.03, 0.3]))
        clearance = float(rng.choice([0.0, 0.01]))
        one = er.check(chain, {joint: angle}, clearance=clearance)
        two = er.check(chain, {joint: angle, joint + 1: 0.0}, clearance=clearance)
        assert one.free is not None and one.free == two.free
        if one.free is False:
            before, at = two.first_contact
            assert before - 1e-9 <= one.contact_time <= at + 2e-6


def test_several_torsions_are_decided() -> None:
    seen = 0
    for seed in range(10):
        scene = torsion_scene(rng_of("several", seed), "compact", 9)
        found = er.check(scene.recipe.chain(), scene.torsions)
        assert found.free is not None, scene.code()
        found.verify()
        crossing = first_crossing(scene)
        seen += crossing < np.inf
        assert crossing >= (1.0 if found.free else found.first_contact[0]), scene.code()
    assert seen > 3


def test_the_contact_of_two_bonds_is_told() -> None:
    scene = gate()
    found = er.check(scene.recipe.chain(), scene.torsions)
    assert found.free is False and found.pair == (0, 3) and found.obstacle is None
    before, at = found.first_contact
    assert at == pytest.approx(0.5, abs=1e-12) and at - 1e-6 <= before < at
    assert found.points[0] == pytest.approx(found.points[1], abs=1e-12)
    assert found.points[0] == pytest.approx([2.0, 0.0, 1.0], abs=1e-12)
    assert found.status == "settled" and found.verify(tolerance=1e-6)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("short", [1e-2, 1e-6, 1e-9])
def test_a_bond_that_just_misses_and_one_that_just_does_not(short: float, size: float) -> None:
    """The first bond of the gate ends a little before, or behind, where the other comes past."""
    scene = gate()
    for misses in (True, False):
        positions = scene.recipe.positions * size
        positions[0, 2] = (1.0 - short if misses else 1.0 + short) * size
        chain = er.Chain(positions, 1e-12 * size, exclude=3)
        found = er.check(chain, scene.torsions)
        assert found.free is misses
        found.verify()


def test_bonds_in_one_plane_meet_or_do_not() -> None:
    """The volume of all pairs is zero all the time."""
    flat = np.array([[3.0, 0.0, 0.0], [1.0, 0, 0], [0, 0, -1], [0, 0, -0.5], [1.4, -1.4, 0], [2, -2, 0]])
    chain = er.Chain(flat, 0.01, exclude=5)
    found = er.check(chain, {2: np.pi / 2})
    assert found.free is False and found.contact_time == pytest.approx(0.5, abs=1e-6)
    assert er.check(chain, {2: np.pi / 5}).free is True
    assert er.check(chain, {2: -np.pi}).free is True


def test_bonds_keep_the_clearance_where_their_links_are_compared() -> None:
    scene = gate()
    recipe = scene.recipe
    chain = er.Chain(recipe.positions, 0.001)
    short = {2: 0.45}  # ends before the crossing
    gap = scene.path.gap(np.array([1]), np.array([0.45]))[0]
    assert er.check(chain, short, clearance=0.9 * gap).free is True
    near = er.check(chain, short, clearance=1.1 * gap)
    assert near.free is False and near.pair == (0, 3) and 0.5 < near.contact_time < 1.0
    near.verify()
    assert np.linalg.norm(near.points[0] - near.points[1]) == pytest.approx(1.1 * gap, rel=1e-9)
    both = er.check(chain, short | {0: 0.0}, clearance=1.1 * gap)
    assert both.free is False and both.contact_time == pytest.approx(near.contact_time, abs=1e-5)
    both.verify()
    excluded = er.Chain(recipe.positions, 0.001, exclude=(1, [(1, 4)]))  # links of these two bonds
    for torsions in (short, short | {0: 0.0}):
        free = er.check(excluded, torsions, clearance=1.1 * gap)
        assert free.free is True and free.verify()
        assert er.check(excluded, scene.torsions, clearance=1e-3).free is False


@pytest.mark.parametrize("maker", ["compact", "coil", "protein", "points"])
def test_checks_with_a_clearance_are_proved(maker: str) -> None:
    for seed in range(5):
        rng = rng_of("clear", maker, seed)
        scene = single(rng, maker, int(rng.integers(5, 20)))
        found = er.check(scene.recipe.chain(), scene.torsions, clearance=0.01 * scene.size)
        assert found.free is not None, scene.code()
        found.verify()


def test_a_break_is_no_bond() -> None:
    scene = gate()
    chain = scene.recipe.chain()
    chain.breaks = (0,)
    assert er.check(chain, scene.torsions).free is True
    assert er.check(chain, scene.torsions | {1: 0.0}).free is True


def test_the_certificate_keeps_the_chain_as_it_was() -> None:
    scene = gate()
    chain = scene.recipe.chain()
    found = er.check(chain, scene.torsions)
    chain.rotate(1, 1.0)
    assert np.array_equal(found.body.positions(), scene.recipe.positions)
    found.verify(scene.recipe.chain(), scene.torsions, None, clearance=0.0)
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found) and again.verify()


def test_the_work_grows_slower_than_the_chain() -> None:
    def work(links: int) -> Any:
        chain = er.Chain(er.scenes.coil(links), 0.4)
        assert not chain.collides()  # or it would be tested against itself first
        found = er.check(chain, {links // 2: 1e-3})
        assert found.free is True
        return found.counters.volume_tests + found.counters.leaf_tests

    assert work(30_000) < 8 * work(1_000)


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(40))
def test_any_torsions_are_decided(seed: int) -> None:
    for maker in TWISTED:
        rng = rng_of("any", maker, seed)
        scene = single(rng, maker, int(rng.integers(5, 60)))
        clearance = float(rng.choice([0.0, 0.0, 1e-3, 0.02])) * scene.size
        found = er.check(scene.recipe.chain(), scene.torsions, clearance=clearance)
        assert found.free is not None, scene.code()
        found.verify()
        assert first_crossing(scene) >= (1.0 if found.free else found.first_contact[0]), scene.code()
