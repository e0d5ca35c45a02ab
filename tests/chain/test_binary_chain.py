"""What is the binary ChainTree's alone: its rules for skipping, its counts, its exact undo."""

from __future__ import annotations

import contextlib
import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from chain_makers import FAST, MAKERS, VOLUMES, coil, hairpin, rng_of, rod, serpentine, unequal
from chain_oracle import Twin, random_move, wander
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom import _core

KINDS = ("obb", "rss", "capsule", "sphere")
BINARY = [name for name in VOLUMES if name not in FAST]
SEARCHES = [("pieces", True), ("paper", False), ("paper", True)]  # all but what every chain is tested with
every_kind = pytest.mark.parametrize("volume", KINDS)
every_binary_tree = pytest.mark.parametrize("tree", BINARY)


# Verdicts, however the tree is searched.


@every_kind
@pytest.mark.parametrize(("skip", "nearest_first"), SEARCHES)
def test_no_way_to_search_changes_a_verdict(volume: str, skip: str, nearest_first: bool) -> None:
    seen = {"free": 0, "collision": 0, "in doubt": 0}
    for maker in ("coil", "serpentine", "rows", "layers", "tolerant"):
        for n in (2, 5, 16, 17, 100):
            rng = rng_of("search", maker, n)
            twin = Twin.of(MAKERS[maker](rng, n), volume=volume, skip=skip)
            twin.chain.nearest_first = nearest_first
            wander(twin, rng, 6, gentle=True)
            wander(twin, rng, 6)
            assert twin.chain.nearest_first is nearest_first
            seen = {key: seen[key] + count for key, count in twin.seen.items()}
    assert seen["free"] > 100 and seen["collision"] > 50 > seen["in doubt"]


@every_binary_tree
def test_points_among_the_balls(tree: str) -> None:
    for n in (2, 3, 17, 33):
        rng = rng_of("points", n)
        recipe = unequal(rng, n)
        some = replace(recipe, radii=np.where(rng.random(n) < 0.3, 0.0, recipe.radii))
        wander(Twin.of(some, **VOLUMES[tree]), rng, 20)


@every_kind
@pytest.mark.parametrize("n", [4, 17, 100, 2000])
def test_long_rows_touch_and_a_hair_less_does_not(volume: str, n: int) -> None:
    touching = hairpin(None, n)
    assert touching.chain(volume=volume).collides()
    assert not replace(touching, radii=np.full(n, 1.0 - 1e-9)).chain(volume=volume).collides()
    far_off = np.arange(n)[:, None] * np.array([2.0, 0.0, 0.0]) + 1e5 / 7
    assert er.Chain(far_off, 1.0, volume=volume, exclude=0).collides()


def test_a_touch_at_the_far_ends_of_two_strands_is_seen_and_so_is_a_hair() -> None:
    strand = np.arange(40_000)[:, None] * np.array([2.1, 0.0, 0.0])
    back = strand[::-1] + np.array([0.0, 50.0, 0.0])
    back[-1] = strand[0] + [0.0, 2.0, 0.0]
    assert er.Chain(np.concatenate([strand, back]), 1.0, volume="obb").collides()
    back[-1] += [0.0, 1e-8, 0.0]
    assert not er.Chain(np.concatenate([strand, back]), 1.0, volume="obb").collides()


@every_kind
def test_points_collide_where_they_coincide(volume: str) -> None:
    path = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])
    assert er.Chain(path, 0.0, volume=volume).collides()
    lifted = path + np.arange(5)[:, None] * np.array([0.0, 0.0, 1e-6])
    assert not er.Chain(lifted, 0.0, volume=volume).collides()


@every_kind
@pytest.mark.parametrize("exclude", [0, 1, 2, 29, 40])
def test_neighbours_that_overlap_are_excluded_up_to_the_whole_chain(volume: str, exclude: int) -> None:
    overlapping = replace(rod(None, 30), radii=np.full(30, 0.6), exclude=exclude)  # centres are 1 apart
    assert overlapping.chain(volume=volume).collides() is (exclude == 0)


# The work.


def test_tests_are_counted_one_by_one() -> None:
    apart = er.Chain([[0, 0, 0], [2.5, 0, 0], [5, 0, 0]], 1.0, volume="obb")
    assert not apart.collides()
    assert counts(apart) == (1, 0)  # links 0 and 1 against link 2
    folded = er.Chain([[0, 0, 0], [2.5, 0, 0], [1, 0, 0]], 1.0, volume="obb")
    assert folded.collides()
    assert counts(folded) == (2, 1)  # then link 0 against link 2
    two = er.Chain(np.zeros((2, 3)), 1.0, volume="obb")
    assert not two.collides()
    assert counts(two) == (0, 0)
    together = er.Chain(np.zeros((2, 3)), 1.0, volume="obb", exclude=0)
    assert together.collides()
    assert counts(together) == (1, 1)


def counts(chain: er.Chain) -> tuple[int, int]:
    return chain.counters.volume_tests, chain.counters.leaf_tests


def run(steps: int, nearest_first: bool = False, **settings: Any) -> tuple[int, list[bool]]:
    """Random torsions of the compact chain, undone where they collide: the volume tests and the verdicts."""
    rng = rng_of("run")
    chain = serpentine(None, 300).chain(volume="obb", **settings)
    chain.nearest_first = nearest_first
    verdicts, tests = [chain.collides()], 0
    for _ in range(steps):
        chain.rotate(int(rng.integers(299)), float(rng.uniform(-0.17, 0.17)))
        verdicts.append(chain.collides())
        tests += chain.counters.volume_tests
        if verdicts[-1]:
            chain.undo()
    assert 10 < sum(verdicts) < steps / 2
    return tests, verdicts


@pytest.mark.parametrize("nearest_first", [False, True])
def test_pieces_that_did_not_bend_are_passed_over(nearest_first: bool) -> None:
    pieces, verdicts = run(600, nearest_first, skip="pieces")
    paper, as_paper = run(600, nearest_first, skip="paper")
    assert verdicts == as_paper
    assert pieces < 0.7 * paper


def test_searching_from_the_changed_joint_is_another_order_of_tests() -> None:
    from_the_root, verdicts = run(600)
    from_the_joint, as_verdicts = run(600, nearest_first=True)
    assert verdicts == as_verdicts
    assert from_the_joint != from_the_root


def test_shrinking_saves_tests_and_changes_no_verdict() -> None:
    tight, verdicts = run(600, shrink=True)
    loose, as_loose = run(600, shrink=False)
    assert verdicts == as_loose
    assert tight < 0.95 * loose


def test_a_change_near_an_end_is_almost_free() -> None:
    chain = serpentine(None, 1000).chain(volume="obb")
    assert not chain.collides()
    chain.rotate(997, 0.1)
    assert not chain.collides()
    assert chain.counters.volume_tests < 60


def test_an_undone_change_is_forgotten_by_the_next_test() -> None:
    chain = serpentine(None, 200).chain(volume="obb")
    assert not chain.collides()
    chain.rotate(100, 3.0)
    assert chain.collides()
    chain.undo()
    assert not chain.collides()
    assert counts(chain) == (0, 0)  # the state is known to be free


# Joints, kept and brought back to the last bit.


def state(chain: er.Chain) -> tuple[bytes, ...]:
    """The joints, the places that follow from them and the volumes of two levels of the tree."""
    volumes = [np.concatenate([hull_numbers(box) for box in chain.boxes(level)]) for level in (0, 2)]
    return tuple(array.tobytes() for array in (chain._joints(), chain.positions(), *volumes))


def hull_numbers(volume: Any) -> np.ndarray:
    names = ("centre", "half", "axes", "start", "end", "radius")
    return np.concatenate([np.ravel(getattr(volume, name)) for name in names if hasattr(volume, name)])


@every_binary_tree
def test_undo_brings_back_every_bit(tree: str) -> None:
    for n in (2, 3, 16, 17, 100):
        rng = rng_of("bits", n)
        twin = Twin.of(coil(rng, n), **VOLUMES[tree])
        states = []
        for _ in range(20):
            states.append(state(twin.chain))
            twin.make(random_move(rng, twin.slow))
        assert len(set(states)) > 10
        for before in reversed(states):
            twin.undo()
            assert state(twin.chain) == before
        with pytest.raises(RuntimeError, match="nothing to undo"):
            twin.chain.undo()
        twin.chain.validate()


def test_a_long_history_forgets_its_beginning_and_stays_right() -> None:
    chain = rod(None, 5).chain(volume="obb")
    for k in range(140_000):
        chain.rotate(k % 4, 0.001)
    undone = 0
    with contextlib.suppress(RuntimeError):
        for undone in range(140_001):  # noqa: B007
            chain.undo()
    assert 65_536 <= undone < 140_000
    chain.validate()
    assert chain.nbytes < 50e6


@every_binary_tree
def test_a_copy_has_the_same_joints_to_the_last_bit(tree: str) -> None:
    rng = rng_of("carried over")
    twin = Twin.of(coil(rng, 77), **VOLUMES[tree])
    for _ in range(10):
        twin.make(random_move(rng, twin.slow))
    other = copy.deepcopy(twin.chain)
    assert state(other) == state(twin.chain)
    assert other.collides() == twin.check_verdict()
    other.validate()


def test_the_validator_sees_a_joint_that_is_no_rotation() -> None:
    positions, none = rod(None, 9).positions, np.zeros((0, 2), np.int32)
    joints = er.Chain(positions, 0.4, volume="obb")._joints()
    joints[4, :, :3] *= 3.0  # less would be made a rotation
    spoilt = _core.Chain(positions, np.full(9, 0.4), 1, none, "obb", False, True, joints)
    assert "joint 4" in spoilt._fault()


def test_a_joint_without_an_axis_says_so_and_nothing_changes() -> None:
    chain = er.Chain([[0, 0, 0], [3, 0, 0], [3, 0, 0], [6, 0, 0]], 0.5, volume="obb")
    before = state(chain)
    with pytest.raises(ValueError, match="joint 1 has no axis: links 1 and 2"):
        chain.rotate(1, 0.5)
    with pytest.raises(ValueError, match="joint 1 has no axis"):
        chain.change({0: 0.1, 1: 0.2})
    assert state(chain) == before
    with pytest.raises(RuntimeError, match="nothing to undo"):
        chain.undo()
    chain.turn(1, Rotation.from_euler("z", 0.5))
    chain.validate()


@every_kind
def test_many_torsions_do_not_wear_the_chain_out(volume: str) -> None:
    chain, rng = serpentine(None, 64).chain(volume=volume), rng_of("worn")
    joints, angles = rng.integers(63, size=30_000).tolist(), rng.normal(size=30_000).tolist()
    for joint, angle in zip(joints, angles, strict=True):
        chain.rotate(joint, angle)
    bonds = np.linalg.norm(np.diff(chain.positions(), axis=0), axis=1)
    assert np.abs(bonds - 4.0).max() < 1e-12
    chain.validate()
