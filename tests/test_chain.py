"""Chains: every verdict, position and pose after every change, against a chain kept the slow way."""

from __future__ import annotations

import contextlib
import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from chain_makers import (
    COMBINATIONS,
    FAST,
    MAKERS,
    VOLUMES,
    Recipe,
    coil,
    layers,
    protein,
    rng_of,
    serpentine,
    tangle,
)
from chain_oracle import (
    SPECIAL_ANGLES,
    Move,
    SlowChain,
    Twin,
    about_axis,
    random_move,
    random_rotation,
    touching_angle,
    wander,
)
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from scipy.spatial.transform import Rotation

import elbowroom as er

LENGTHS = (2, 3, 5, 15, 16, 17, 31, 33, 128, 129, 300)
FEWER_LENGTHS = (2, 3, 5, 17, 33, 64, 129)
every_volume = pytest.mark.parametrize("volume", VOLUMES)
fast_volumes = pytest.mark.parametrize("volume", FAST)


# Verdicts and positions.


@pytest.mark.parametrize(("maker", "volume"), COMBINATIONS)
def test_every_answer_is_that_of_the_slow_chain(maker: str, volume: str) -> None:
    seen = {"free": 0, "collision": 0, "in doubt": 0}
    for n in LENGTHS if volume == "auto" else FEWER_LENGTHS:
        rng = rng_of(maker, n)  # the same chain and changes for every volume
        twin = Twin.of(MAKERS[maker](rng, n), **VOLUMES[volume])
        twin.chain.validate()
        twin.check_verdict()
        wander(twin, rng, 7, gentle=True)
        wander(twin, rng, 7)
        seen = {key: seen[key] + count for key, count in twin.seen.items()}
    assert seen["in doubt"] <= 0.1 * sum(seen.values())
    assert seen["free"] > 0
    assert seen["collision"] > 0 or maker == "points"


@pytest.mark.parametrize("n", [6, 7, 8, 9, 63, 64, 65, 100, 255, 256, 257, 511, 513, 1000])
def test_any_number_of_links_will_do(n: int) -> None:
    for make in (coil, serpentine):
        rng = rng_of("lengths", n)
        twin = Twin.of(make(rng, n))
        wander(twin, rng, 6, gentle=True)
        assert len(twin.chain) == n


@every_volume
def test_a_move_that_collides_is_undone_and_the_next_verdict_is_right(volume: str) -> None:
    """The loop of a sampler, over the compact chain, in which most large moves collide."""
    rng = rng_of("sampler")
    twin = Twin.of(serpentine(rng, 216), **VOLUMES[volume])
    for _ in range(100):
        twin.make(("rotate", (int(rng.integers(215)), float(rng.uniform(-1.0, 1.0)))))
        if twin.check_verdict():
            twin.undo()
            assert not twin.chain.collides()
    twin.check_positions()
    assert twin.seen["free"] > 20 and twin.seen["collision"] > 20


@every_volume
def test_chains_that_collide_from_the_start(volume: str) -> None:
    """Changes far from the overlap leave it there, and a change that parts it frees the chain."""
    rng = rng_of("colliding", volume)
    twin = Twin.of(tangle(rng, 60), **VOLUMES[volume])
    assert twin.check_verdict()
    for _ in range(60):
        twin.make(random_move(rng, twin.slow, gentle=True))
        twin.check_verdict()
    straight = np.stack([np.arange(40.0), np.zeros(40), np.zeros(40)], axis=1)
    folded = straight.copy()
    folded[20:] = [19.0, 0.5, 0.0] - straight[:20]
    twin = Twin.of(Recipe(folded, np.full(40, 0.3)), **VOLUMES[volume])
    assert twin.check_verdict(), "one half lies upon the other"
    twin.make(("turn", (5, np.eye(3))))
    assert twin.check_verdict(), "nothing was moved"
    twin.make(("turn", (19, about_axis(np.array([0.0, 0.0, 1.0]), np.pi))))
    assert not twin.check_verdict(), "unfolded"
    twin.undo()
    assert twin.check_verdict()
    twin.make(("turn", (30, about_axis(np.array([0.0, 0.0, 1.0]), 1.0))))
    assert twin.check_verdict(), "links 20 to 30 still lie upon the others"


@every_volume
@pytest.mark.parametrize("angle", SPECIAL_ANGLES)
def test_special_angles_at_both_ends_and_in_the_middle(volume: str, angle: float) -> None:
    for make in (protein, layers):
        twin = Twin.of(make(rng_of("angles"), 90), **VOLUMES[volume])
        for joint in (0, 44, 88, 0, 88, 44):
            twin.make(("rotate", (joint, angle)))
            twin.check_verdict()
            twin.check_positions()
            twin.make(("turn", (joint, about_axis(np.array([1.0, 2.0, -1.0]), angle))))
            twin.check_verdict()
            twin.chain.validate()
        twin.make(("change", ({0: angle, 88: -angle, 44: angle, 45: 1.0},)))
        twin.check_verdict()
        twin.check_positions()


def test_a_turn_of_nothing_keeps_the_verdict() -> None:
    for make, verdict in ((serpentine, False), (tangle, True)):
        twin = Twin.of(make(rng_of("nothing"), 50))
        moves: list[Move] = [("rotate", (7, 0.0)), ("turn", (7, np.eye(3))), ("move", (7, np.eye(4)))]
        for move in [*moves, ("change", ({},))]:
            twin.make(move)
            assert twin.chain.collides() is verdict
            assert np.abs(twin.chain.positions() - twin.slow.positions()).max() <= 1e-14 * twin.slow.size


@pytest.mark.parametrize("scale", [2.0**-60, 2.0**-20, 1.0, 2.0**20])
@every_volume
def test_touching_counts_as_a_collision(volume: str, scale: float) -> None:
    """On the dyadic grid the balls touch to the last bit; a hair less radius and they do not."""
    corner = np.array([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [0, 4, 0], [0, 6, 0]], dtype=float) * scale
    hair = 1.0 - 2.0**-30
    for radii, verdict in ((1.0, True), (hair, False)):
        chain = er.Chain(corner, radii * scale, **VOLUMES[volume])
        assert chain.collides() is verdict
        chain.rotate(4, 1.0)
        chain.rotate(3, 0.5)
        assert chain.collides() is verdict
        chain.undo()
        assert chain.collides() is verdict
        assert er.Chain(corner, radii * scale, exclude=3, **VOLUMES[volume]).collides() is False


def colliding_torsion(rng: np.random.Generator, slow: SlowChain) -> tuple[int, float] | None:
    """A torsion that makes the free chain collide, if a few tries find one."""
    for _ in range(300 if not slow.collides() else 0):
        joint, angle = int(rng.integers(slow.links - 1)), float(rng.uniform(-3.0, 3.0))
        slow.rotate(joint, angle)
        collides = slow.collides()
        slow.undo()
        if collides:
            return joint, angle
    return None


@every_volume
@pytest.mark.parametrize("maker", ["coil", "serpentine", "protein", "zigzag", "unequal", "huge"])
def test_a_hair_before_touching_is_free_and_a_hair_after_is_not(maker: str, volume: str) -> None:
    """Torsions chosen so that the first balls to touch are within 1e-3 to 1e-12 of it."""
    rng, judged = rng_of("hair", maker), 0
    for n in (9, 40, 100):
        twin = Twin.of(MAKERS[maker](rng, n), **VOLUMES[volume])
        found = colliding_torsion(rng, twin.slow)
        if found is None:
            continue
        joint, hit = found
        angle = touching_angle(twin.slow, joint, hit, twin.slow.clearance)
        for hair in (sign * 10.0**-k for k in range(3, 13) for sign in (-1, 1)):
            twin.make(("rotate", (joint, angle + hair)))
            clearance = twin.slow.clearance()
            if abs(clearance) > 1e-12 * twin.slow.size:  # one change alone: that is all that rounding can do
                assert twin.chain.collides() == (clearance < 0.0), clearance / twin.slow.size
                judged += 1
            twin.undo()
    assert judged >= 12


# Undo.


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
    assert True in verdicts and False in verdicts
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


# Poses.


@every_volume
def test_poses_between_links(volume: str) -> None:
    rng = rng_of("poses", volume)
    for n in (2, 17, 100):
        twin = Twin.of(coil(rng, n), **VOLUMES[volume])
        for _ in range(12):
            twin.make(random_move(rng, twin.slow))
            for i, j in rng.integers(0, n, (6, 2)).tolist():
                twin.check_pose(i, j)
                there, back = twin.chain.pose(i, j).matrix, twin.chain.pose(j, i).matrix
                assert np.abs(there @ back - np.eye(4)).max() <= 1e-12 * max(twin.slow.size, 1.0)
            twin.check_pose(0, n - 1)
            assert np.abs(twin.chain.pose(n - 1, n - 1).matrix - np.eye(4)).max() <= 1e-15


def test_positions_are_poses_seen_from_link_0() -> None:
    rng = rng_of("seen")
    twin = Twin.of(protein(rng, 40))
    for _ in range(10):
        twin.make(random_move(rng, twin.slow))
    seen = [twin.chain.pose(0, j).translation for j in range(40)]
    assert np.abs(np.array(seen) + twin.chain.positions()[0] - twin.chain.positions()).max() <= 1e-12 * 60


# The kinds of changes.


def test_rotations_in_every_form() -> None:
    twist = Rotation.from_rotvec([0.3, -0.2, 0.5])
    x, y, z, w = twist.as_quat()
    ends = []
    for form in (twist.as_matrix(), twist, np.array([w, x, y, z])):
        chain = coil(rng_of("forms"), 20).chain()
        chain.turn(6, form)
        ends.append(chain.positions())
    assert ends[1] == pytest.approx(ends[0], abs=1e-13) and ends[2] == pytest.approx(ends[0], abs=1e-13)


def test_poses_in_every_form() -> None:
    rotation, shift = about_axis(np.array([1.0, 1.0, 0.0]), 0.4), np.array([0.1, 0.2, 0.3])
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation, shift
    ends = []
    for form in (matrix, er.Pose(rotation, shift), (rotation, shift)):
        chain = coil(rng_of("forms"), 20).chain()
        chain.move(6, form)
        ends.append(chain.positions())
    assert ends[1] == pytest.approx(ends[0], abs=1e-13) and ends[2] == pytest.approx(ends[0], abs=1e-13)
    expected = coil(rng_of("forms"), 20).positions
    assert np.array_equal(ends[0][:7], expected[:7])
    assert ends[0][7:] == pytest.approx(expected[7:] @ rotation.T + shift, abs=1e-13)


def test_a_torsion_follows_the_right_hand_rule() -> None:
    chain = er.Chain([[0, 1, 0], [0, 0, 0], [1, 0, 0], [1, 1, 0]], 0.1)
    chain.rotate(1, np.pi / 2)
    assert chain.positions()[3] == pytest.approx([1.0, 0.0, 1.0], abs=1e-15)
    assert chain.pose(1, 2).rotation[:, 1] == pytest.approx([0.0, 0.0, 1.0], abs=1e-15)


@every_volume
def test_several_joints_at_once_are_the_same_as_one_after_another(volume: str) -> None:
    rng = rng_of("several", volume)
    recipe = protein(rng, 150)
    together, single = recipe.chain(**VOLUMES[volume]), recipe.chain(**VOLUMES[volume])
    for count in (1, 2, 7, 40, 149):
        joints = rng.permutation(149)[:count].tolist()
        angles = rng.normal(size=count).tolist()
        before = together.positions()
        together.change(dict(zip(joints, angles, strict=True)))
        for joint, angle in zip(joints, angles, strict=True):
            single.rotate(joint, angle)
        assert together.positions() == pytest.approx(single.positions(), abs=1e-10)
        assert together.collides() == single.collides()
        together.validate()
        together.undo()
        assert together.positions() == pytest.approx(before, abs=1e-11), "one update, one undo"
        together.change(dict(zip(joints, angles, strict=True)))


def test_link_0_never_moves_and_links_before_the_joint_stay() -> None:
    rng = rng_of("stay")
    twin = Twin.of(coil(rng, 80))
    for _ in range(50):
        before, (name, arguments) = twin.chain.positions(), random_move(rng, twin.slow)
        twin.make((name, arguments))
        first = min(arguments[0]) if name == "change" else arguments[0]
        after = twin.chain.positions()
        assert np.abs(after[: first + 1] - before[: first + 1]).max() <= 1e-12 * twin.slow.size
        assert np.array_equal(after[0], before[0])


# Many torsions in one call.


@every_volume
@pytest.mark.parametrize("stay", [False, True])
@pytest.mark.parametrize("make", [serpentine, coil, tangle])
def test_many_torsions_are_the_same_as_single_ones(volume: str, stay: bool, make: Any) -> None:
    rng = rng_of("try", volume, stay)
    recipe = make(rng, 125)
    many, single = recipe.chain(**VOLUMES[volume]), recipe.chain(**VOLUMES[volume])
    joints, angles = rng.integers(0, 124, 80), rng.normal(size=80) * 0.3
    free = many.try_torsions(joints, angles, stay=stay)
    expected = []
    for joint, angle in zip(joints.tolist(), angles.tolist(), strict=True):
        single.rotate(joint, angle)
        expected.append(not single.collides())
        if stay or not expected[-1]:
            single.undo()
    assert free.dtype == bool and free.tolist() == expected
    assert many.positions() == pytest.approx(single.positions(), abs=1e-9)
    assert many.collides() == single.collides()
    many.validate()


def test_no_torsions_to_try() -> None:
    chain = coil(rng_of("none"), 10).chain()
    assert chain.try_torsions([], []).shape == (0,)


# Side balls.


@fast_volumes
def test_side_balls_move_with_their_link_and_by_their_torsions(volume: str) -> None:
    rng = rng_of("side", volume)
    twin = Twin.of(MAKERS["branched"](rng, 64), **VOLUMES[volume])
    for _ in range(80):
        torsion = int(rng.integers(len(twin.slow.torsions)))
        twin.make(("rotate_side", (torsion, float(rng.choice([rng.normal(), 0.0, np.pi, 1e6])))))
        if rng.random() < 0.5:
            twin.make(("rotate", (int(rng.integers(63)), float(rng.normal() * 0.1))))
        if twin.check_verdict():
            twin.undo()
        twin.chain.validate()
        twin.check_positions()
    assert twin.seen["free"] > 5


def test_only_side_balls_can_collide() -> None:
    """Two far links, each with a long arm; a torsion brings the arms together."""
    far = Recipe(np.array([[0.0, 0, 0], [5, 0, 0], [10, 0, 0]]), np.full(3, 0.1))
    balls = er.SideBalls(
        [0, 0, 2, 2],
        [[0, 0, 1], [4, 0, 1], [10, 0, 1], [14, 0, 1]],
        [0.1, 1.1, 0.1, 1.1],
        torsions=[(0, 3, [4]), (2, 5, [6])],
    )
    chain = er.Chain(far.positions, far.radii, side=balls)
    assert not chain.collides()
    chain.rotate_side(1, np.pi)
    assert chain.positions(side=True)[6] == pytest.approx([6.0, 0.0, 1.0], abs=1e-14)
    assert chain.collides(), "4 + 1.1 and 6 - 1.1"
    chain.rotate_side(0, np.pi)
    assert not chain.collides()
    chain.undo()
    assert chain.collides()
    chain.undo()
    assert not chain.collides()


# Copies, threads, time.


def pickled(chain: Any) -> Any:
    return pickle.loads(pickle.dumps(chain))


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
        for what in ("exclude", "volume", "children", "shrink", "skip", "labels"):
            assert getattr(twin, what) == getattr(chain, what)
        assert np.array_equal(twin.radii, chain.radii) and twin.nbytes > 0
        assert chain.side is None or np.array_equal(twin.side.owner, chain.side.owner)


def test_what_a_chain_says_of_itself() -> None:
    chain = protein(rng_of("repr"), 33).chain()
    assert "Chain" in repr(chain) and "33" in repr(chain)
    assert len(chain) == 33 and chain.exclude == 3 and chain.radii.shape == (33,)
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


# Any sequence of calls at all.


JOINTS, ANGLES = st.integers(0, 10**6), st.floats(-4.0, 4.0) | st.sampled_from(SPECIAL_ANGLES)


class AnyCalls(RuleBasedStateMachine):
    """Hypothesis chooses the chain, the volume and the calls, and shortens what fails."""

    @initialize(
        makes=st.sampled_from(COMBINATIONS),
        n=st.integers(2, 40),
        seed=st.integers(0, 99),
    )
    def begin(self, makes: tuple[str, str], n: int, seed: int) -> None:
        maker, volume = makes
        self.twin = Twin.of(MAKERS[maker](np.random.default_rng(seed), n), **VOLUMES[volume])
        self.n = n

    @rule(joint=JOINTS, angle=ANGLES)
    def rotate(self, joint: int, angle: float) -> None:
        self.twin.make(("rotate", (joint % (self.n - 1), angle)))

    @rule(joint=JOINTS, angle=ANGLES, axis=st.tuples(*(st.integers(-3, 3),) * 3).filter(any))
    def turn(self, joint: int, angle: float, axis: tuple[int, int, int]) -> None:
        self.twin.make(("turn", (joint % (self.n - 1), about_axis(np.array(axis, dtype=float), angle))))

    @rule(joint=JOINTS, seed=st.integers(0, 99))
    def move(self, joint: int, seed: int) -> None:
        rng, pose = np.random.default_rng(seed), np.eye(4)
        pose[:3, :3], pose[:3, 3] = random_rotation(rng, np.pi), rng.normal(size=3) * self.twin.slow.size
        self.twin.make(("move", (joint % (self.n - 1), pose)))

    @rule(changes=st.dictionaries(JOINTS, ANGLES, max_size=6))
    def change(self, changes: dict[int, float]) -> None:
        self.twin.make(("change", ({joint % (self.n - 1): angle for joint, angle in changes.items()},)))

    @rule(torsion=JOINTS, angle=ANGLES)
    @precondition(lambda self: self.twin.slow.torsions)
    def rotate_side(self, torsion: int, angle: float) -> None:
        self.twin.make(("rotate_side", (torsion % len(self.twin.slow.torsions), angle)))

    @rule(times=st.integers(1, 5))
    def undo(self, times: int) -> None:
        self.twin.undo(min(times, len(self.twin.slow.history)))

    @rule()
    def collides(self) -> None:
        self.twin.check_verdict()

    @rule()
    def free_or_undo(self) -> None:
        while self.twin.check_verdict() and self.twin.slow.history:
            self.twin.undo()

    @rule()
    def self_distance(self) -> None:
        slow = self.twin.slow
        if np.isfinite(slow.self_distance()):
            assert abs(er.self_distance(self.twin.chain).value - slow.self_distance()) <= slow.doubt

    @rule(share=st.floats(0.0, 1.0))
    def self_within(self, share: float) -> None:
        reach, gaps, doubt = share * self.twin.slow.size, self.twin.slow.gaps(), self.twin.slow.doubt
        found = len(er.self_within(self.twin.chain, reach))
        assert (gaps <= reach - doubt).sum() <= found <= (gaps <= reach + doubt).sum()

    @rule(i=JOINTS, j=JOINTS)
    def pose(self, i: int, j: int) -> None:
        self.twin.check_pose(i % self.n, j % self.n)

    @rule(how=st.sampled_from([copy.copy, copy.deepcopy, pickled]))
    def go_on_with_a_copy(self, how: Callable[[Any], Any]) -> None:
        self.twin.chain = how(self.twin.chain)
        self.twin.slow.history.clear()  # a copy begins anew

    @invariant()
    def all_is_well(self) -> None:
        if hasattr(self, "twin"):
            self.twin.chain.validate()
            self.twin.check_positions()


AnyCalls.TestCase.settings = settings(max_examples=60, stateful_step_count=30)
TestAnyCalls = AnyCalls.TestCase


@pytest.mark.parametrize("volume", VOLUMES)
def test_a_bond_made_of_rounding_has_no_axis(volume: str) -> None:
    rng = rng_of("bond of rounding")
    points = rng.normal(size=(20, 3))
    points[17] = points[16]
    rotation = Rotation.random(random_state=3).as_matrix()
    chain = er.Chain(points, 0.0, **VOLUMES[volume])
    chain.move(16, er.Pose(rotation, points[16] - rotation @ points[16]))
    with pytest.raises(ValueError, match="axis"):
        chain.rotate(16, 1.0)
