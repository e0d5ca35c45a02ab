"""The binary ChainTree against a slow chain that moves every link and compares every pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from slow_chain import (
    SCENES,
    SIZES,
    VOLUMES,
    SlowChain,
    binary_chain,
    hairpin,
    random_change,
    serpentine,
    settled,
    straight,
    walk,
    whole,
)

from elbowroom import _core

# What is asked of every chain


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("scene", SCENES)
def test_links_go_where_the_slow_chain_puts_them(scene: str, n: int) -> None:
    rng = np.random.default_rng(n)
    start = SCENES[scene](n) + np.array([3.0, -2.0, 7.0])
    fast, slow = binary_chain(start), SlowChain(start)
    for _ in range(12):
        random_change(rng, fast, slow, 0.7)
        assert np.allclose(fast.positions(), slow.places, atol=1e-11 * n)
        i, j = (int(k) for k in rng.integers(n, size=2))
        seen = slow.turns[i].T @ (slow.places[j] - slow.places[i])
        assert np.allclose(fast.pose(i, j).translation, seen, atol=1e-11 * n)
        assert np.allclose(fast.pose(i, j).rotation, slow.turns[i].T @ slow.turns[j])
    assert (fast.positions()[0] == start[0]).all()
    whole(fast)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("skip", ["paper", "pieces"])
@pytest.mark.parametrize("nearest_first", [False, True])
def test_verdicts_are_those_of_all_pairs(volume: str, skip: str, nearest_first: bool, n: int) -> None:
    seen = set()
    for seed, (scene, make) in enumerate(SCENES.items()):
        rng = np.random.default_rng([n, seed])
        radii = rng.uniform(0.5, 1.2, n) if scene == "walk" else 0.97
        allowed = [(0, n - 1)] if seed % 2 else []
        fast = binary_chain(
            make(n), radii, volume=volume, skip=skip, nearest_first=nearest_first, allowed=allowed
        )
        slow = SlowChain(make(n), radii, allowed=allowed)
        verdicts = []
        for step in range(25):
            random_change(rng, fast, slow, 0.1 if step % 2 else 0.6)
            if settled(slow):
                verdicts.append(slow.collides())
                assert fast.collides() == verdicts[-1], (scene, step)
            if verdicts and verdicts[-1] and rng.uniform() < 0.7:
                assert fast.undo()
                slow.undo()
                assert not settled(slow) or fast.collides() == slow.collides()
        whole(fast)
        seen |= set(verdicts)
    assert seen == {False, True} or n < 16


@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("shrink", [False, True])
@pytest.mark.parametrize("n", [2, 3, 5, 17, 33])
def test_the_tree_is_whole_after_every_update(volume: str, shrink: bool, n: int) -> None:
    rng = np.random.default_rng(n)
    radii = np.where(rng.uniform(size=n) < 0.3, 0.0, rng.uniform(0.1, 2.0, n))
    fast = binary_chain(walk(n), radii, volume=volume, shrink=shrink)
    slow = SlowChain(walk(n), radii)
    for _ in range(30):
        random_change(rng, fast, slow, 1.0)
        whole(fast)
        if rng.uniform() < 0.4:
            assert fast.undo()
            slow.undo()
            whole(fast)
        assert not settled(slow) or fast.collides() == slow.collides()


def test_the_validator_sees_a_joint_that_is_no_rotation() -> None:
    rotation = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    joints = binary_chain(straight(9)).joints
    joints[4, :, :3] = rotation * 1.001
    chain = binary_chain(straight(9))
    chain.bend(joints)
    assert "joint 4" in chain.fault()


# Undo


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("shrink", [False, True])
def test_undo_brings_back_every_bit(n: int, shrink: bool) -> None:
    rng = np.random.default_rng(n)
    fast, slow = binary_chain(walk(n), shrink=shrink), SlowChain(walk(n))
    states = []
    for _ in range(20):
        states.append((fast.joints, fast.positions(), [box_of(b) for b in fast.boxes(1)]))
        random_change(rng, fast, slow, 1.0)
    for joints, positions, boxes in reversed(states):
        assert fast.undo()
        assert (fast.joints == joints).all()
        assert (fast.positions() == positions).all()
        assert [box_of(b) for b in fast.boxes(1)] == boxes
    assert not fast.undo()
    whole(fast)


def box_of(box: Any) -> tuple[bytes, ...]:
    return box.centre.tobytes(), box.half.tobytes(), box.axes.tobytes()


def test_a_long_history_forgets_its_beginning_and_stays_right() -> None:
    chain = binary_chain(straight(5))
    for k in range(140_000):
        chain.rotate(k % 4, 0.001)
    undone = 0
    while chain.undo():
        undone += 1
    assert 65_536 <= undone < 140_000
    whole(chain)
    assert chain.nbytes < 50e6


def test_an_undone_change_is_forgotten_by_the_next_test() -> None:
    chain = binary_chain(serpentine(200))
    assert not chain.collides()
    chain.rotate(100, 3.0)
    assert chain.collides()
    assert chain.undo()
    assert not chain.collides()
    assert chain.counters.volume_tests == 0  # the state is known to be free


@pytest.mark.parametrize("skip", ["paper", "pieces"])
def test_undoing_past_the_free_state_finds_the_old_collision(skip: str) -> None:
    chain = binary_chain(hairpin(40), skip=skip)
    assert chain.collides()
    chain.turn(19, Rotation.from_euler("z", -np.pi / 2).as_matrix())
    assert not chain.collides()
    assert chain.undo()
    assert chain.collides()


# The work


def test_tests_are_counted_one_by_one() -> None:
    apart = binary_chain(straight(3))
    assert not apart.collides()
    assert (apart.counters.volume_tests, apart.counters.leaf_tests) == (1, 0)  # links 0 and 1 against link 2
    folded = binary_chain(np.array([[0.0, 0, 0], [2.5, 0, 0], [1.0, 0, 0]]))
    assert folded.collides()
    assert (folded.counters.volume_tests, folded.counters.leaf_tests) == (2, 1)  # then link 0 against link 2
    two = binary_chain(np.zeros((2, 3)))
    assert not two.collides()
    assert two.counters.volume_tests == 0
    together = binary_chain(np.zeros((2, 3)), exclude=0)
    assert together.collides()
    assert (together.counters.volume_tests, together.counters.leaf_tests) == (1, 1)


def run(steps: int, **settings: Any) -> tuple[int, list[bool]]:
    """Random torsions of the compact chain, undone where they collide: the volume tests and the verdicts."""
    rng = np.random.default_rng(3)
    chain = binary_chain(serpentine(300), **settings)
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
    pieces, verdicts = run(600, skip="pieces", nearest_first=nearest_first)
    paper, as_paper = run(600, skip="paper", nearest_first=nearest_first)
    assert verdicts == as_paper
    assert pieces < 0.7 * paper


def test_shrinking_saves_tests_and_changes_no_verdict() -> None:
    tight, verdicts = run(600, shrink=True)
    loose, as_loose = run(600, shrink=False)
    assert verdicts == as_loose
    assert tight < 0.95 * loose


def test_a_change_near_an_end_is_almost_free() -> None:
    chain = binary_chain(serpentine(1000))
    assert not chain.collides()
    chain.rotate(997, 0.1)
    assert not chain.collides()
    assert chain.counters.volume_tests < 60


def test_changes_add_up_until_the_chain_is_free() -> None:
    chain = binary_chain(straight(64))
    assert not chain.collides()
    chain.turn(20, Rotation.from_euler("z", np.pi).as_matrix())  # folds the rest back onto the first links
    chain.turn(50, Rotation.from_euler("z", 0.3).as_matrix())
    assert chain.collides()
    chain.turn(40, Rotation.from_euler("z", 0.3).as_matrix())
    assert chain.collides()
    chain.turn(20, Rotation.from_euler("z", np.pi).as_matrix())
    assert not chain.collides()


# Touching, excluding, degenerate chains


@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("n", [4, 17, 100, 2000])
def test_touching_is_a_collision_and_a_hair_apart_is_not(volume: str, n: int) -> None:
    assert binary_chain(hairpin(n), volume=volume).collides()
    assert not binary_chain(hairpin(n), 1.0 - 1e-9, volume=volume, exclude=1).collides()
    touching = binary_chain(straight(n) * 0.8 + 1e5 / 7, volume=volume, exclude=0)
    assert touching.collides()


def test_a_touch_far_along_a_long_chain_is_seen_and_a_hair_is_too() -> None:
    """Two strands of 40,000 links meet at their far ends only."""
    strand = straight(40_000) * 0.84
    back = strand[::-1] + np.array([0.0, 50.0, 0.0])
    back[-1] = strand[0] + [0.0, 2.0, 0.0]
    positions = np.concatenate([strand, back])
    assert binary_chain(positions).collides()
    back[-1] += [0.0, 1e-8, 0.0]
    assert not binary_chain(np.concatenate([strand, back])).collides()


def test_excluded_and_allowed_pairs_may_overlap() -> None:
    close = straight(30) * 0.5  # 1.25 apart
    assert binary_chain(close, exclude=0).collides()
    for exclude in (0, 1, 2, 40):
        found = binary_chain(close, 0.7, exclude=exclude).collides()
        assert found == (exclude == 0)
    both = [(0, 29), (28, 1)]
    ring = np.stack([np.cos(np.arange(30) * 2 * np.pi / 29), np.sin(np.arange(30) * 2 * np.pi / 29)], 1)
    positions = np.column_stack([ring * 10, np.zeros(30)])
    assert binary_chain(positions, 1.0).collides()  # the last link lies on the first
    assert not binary_chain(positions, 1.0, allowed=both).collides()
    assert binary_chain(positions, 1.0, allowed=both[1:]).collides()


def test_points_collide_where_they_coincide() -> None:
    path = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])
    assert binary_chain(path, 0.0).collides()
    assert not binary_chain(path + np.arange(5)[:, None] * [0, 0, 1e-6], 0.0).collides()


def test_a_joint_without_an_axis_says_so_and_nothing_changes() -> None:
    chain = binary_chain(np.array([[0.0, 0, 0], [3, 0, 0], [3, 0, 0], [6, 0, 0]]), 0.5)
    before = chain.joints
    with pytest.raises(ValueError, match="joint 1 has no axis: links 1 and 2"):
        chain.rotate(1, 0.5)
    with pytest.raises(ValueError, match="joint 1 has no axis"):
        chain.change(np.array([0, 1], np.int32), np.array([0.1, 0.2]))
    assert (chain.joints == before).all()
    assert not chain.undo()
    chain.turn(1, Rotation.from_euler("z", 0.5).as_matrix())
    whole(chain)


@pytest.mark.parametrize("joint", [-1, 4, 2**31 - 1])
def test_a_joint_that_is_not_there_is_refused(joint: int) -> None:
    chain = binary_chain(straight(5))
    for change in (lambda: chain.rotate(joint, 0.1), lambda: chain.turn(joint, np.eye(3))):
        with pytest.raises(ValueError, match="joint must be at least 0 and at most 3"):
            change()


def test_starting_in_collision_is_left_by_changes() -> None:
    chain = binary_chain(hairpin(40), 1.0)
    assert chain.collides()
    chain.turn(0, Rotation.from_euler("x", 0.2).as_matrix())
    assert chain.collides()
    chain.turn(19, Rotation.from_euler("z", np.pi).as_matrix())  # opens the hairpin
    slow = SlowChain(chain.positions(), 1.0)
    assert chain.collides() == slow.collides()
    lifted = np.eye(4)
    lifted[:3, 3] = [9.0, 9.0, 9.0]
    chain.move(19, _core.Pose(lifted))
    assert not chain.collides()
    chain.rotate(20, 0.01)
    assert not chain.collides()


def test_many_small_turns_do_not_wear_the_chain_out() -> None:
    chain = binary_chain(serpentine(64))
    rng = np.random.default_rng(0)
    for joint, angle in zip(rng.integers(63, size=30_000), rng.normal(size=30_000), strict=True):
        chain.rotate(int(joint), float(angle))
    bonds = np.linalg.norm(np.diff(chain.positions(), axis=0), axis=1)
    assert np.abs(bonds - 4).max() < 1e-12
    whole(chain)


def test_all_joints_at_once() -> None:
    n = 300
    rng = np.random.default_rng(1)
    fast, slow = binary_chain(walk(n)), SlowChain(walk(n))
    joints, angles = np.arange(n - 1, dtype=np.int32)[::-1].copy(), rng.normal(size=n - 1)
    fast.change(joints, angles)
    slow.change(joints[::-1], angles[::-1])
    assert np.allclose(fast.positions(), slow.places, atol=1e-9)
    whole(fast)


def test_joints_carry_a_chain_over() -> None:
    rng = np.random.default_rng(5)
    one, other, slow = binary_chain(walk(77)), binary_chain(walk(77)), SlowChain(walk(77))
    for _ in range(10):
        random_change(rng, one, slow, 1.0)
    other.bend(one.joints)
    assert (other.positions() == one.positions()).all()
    assert other.collides() == one.collides()
    assert not other.undo()
    whole(other)
