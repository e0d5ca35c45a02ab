"""Chains: every verdict, position and pose after every change, against a chain kept the slow way."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from chain_makers import (
    COMBINATIONS,
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
    pickled,
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
