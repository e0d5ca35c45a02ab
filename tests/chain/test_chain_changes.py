"""The kinds of changes of a chain, what they do to poses and side balls, and what they leave alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chain_makers import (
    FAST,
    MAKERS,
    VOLUMES,
    Recipe,
    coil,
    protein,
    rng_of,
    serpentine,
    tangle,
)
from chain_oracle import (
    Twin,
    about_axis,
    random_move,
)
from scipy.spatial.transform import Rotation

import elbowroom as er

every_volume = pytest.mark.parametrize("volume", VOLUMES)
fast_volumes = pytest.mark.parametrize("volume", FAST)


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
