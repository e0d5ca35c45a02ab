"""Chains that were found by attack: sizes at the edge of single precision, far-flung balls, odd uses."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom import scenes


@pytest.mark.parametrize("size", [1e-23, 3e-22, 1e-21, 1e-20, 1e-19, 1e-12])
def test_squares_of_tiny_lengths_do_not_vanish(size: float) -> None:
    touching = np.array([[0, 0, 0], [5, 5, 5], [0.16019814156, -0.81804711377, 0.55220963871]])
    chain = er.Chain(touching * size, 0.5 * size)
    assert chain.collides()
    assert er.self_distance(chain).value == 0
    assert len(er.self_within(chain, 0.0)) == 1


def test_a_leaf_of_side_balls_that_came_from_far_away() -> None:
    rng = np.random.default_rng(5)
    links = np.c_[np.arange(60) * 3.0, np.zeros((60, 2))]
    owner = np.full(40, 15)
    far = 1e10
    for _ in range(40):
        near = links[rng.integers(30, 50)] + rng.normal(size=3)
        axis = links[15] + np.array([0.5 * far, 0, 0])
        turned = 2 * axis - (near + rng.normal(size=(40, 3)) * 2)  # a half turn about z brings them near
        turned[:, 2] = near[2] + rng.normal(size=40)
        ends = np.array([axis, axis + np.array([0, 0, 1.0])])
        positions = np.vstack([turned[:-2], ends])
        side = er.SideBalls(owner, positions, np.full(40, 0.5), [(60 + 38, 60 + 39, range(60, 98))])
        chain = er.Chain(links, 0.5, side=side)
        chain.turn(7, Rotation.random(random_state=1).as_matrix())
        chain.rotate_side(0, np.pi)
        x, radii = chain.positions(side=True), np.full(100, 0.5)
        link = np.r_[np.arange(60), owner]
        gaps = np.linalg.norm(x[:, None] - x[None], axis=-1) - radii[:, None] - radii[None]
        tested = np.abs(link[:, None] - link[None]) > 1
        if gaps[tested].min() < -1e-3:
            assert chain.collides()
            assert er.self_collide(chain)


def test_answers_far_from_the_origin_agree() -> None:
    points = np.c_[np.arange(40) * 4.0, np.zeros((40, 2))] + 1e12
    a, b = er.Chain(points, 1.0), er.Chain(points + np.array([0, 2.0078125, 0]), 1.0)
    free = not er.collide(a, b)
    assert free == (er.distance(a, b).value > 0) == (len(er.within(a, b, 0.0)) == 0)
    assert er.distance(a, b).value == 0.0078125
    ball = er.distance(a, er.Sphere(1), pose_b=er.Pose(translation=points[20] + [0, 2.5, 0]))
    assert ball.value == pytest.approx(0.5, abs=1e-3)  # the pose itself has no more digits


def test_chains_that_differ_in_one_ball_have_an_order() -> None:
    rng = np.random.default_rng(2)
    points = np.cumsum(rng.normal(size=(41, 3)), axis=0)
    other = points.copy()
    other[7] += 0.3
    a, b = er.Chain(points, 0.4), er.Chain(other, 0.4)
    pair, swapped = er.collide(a, b).pairs, er.collide(b, a).pairs
    np.testing.assert_array_equal(pair, swapped[:, ::-1])
    thick = np.full(41, 0.4)
    thick[20] = 0.5
    c = er.Chain(points, thick)
    np.testing.assert_array_equal(er.collide(a, c).pairs, er.collide(c, a).pairs[:, ::-1])


def test_a_side_torsion_about_rounding_is_refused() -> None:
    links = np.c_[np.arange(20.0), np.zeros((20, 2))]
    side = er.SideBalls([18, 18], [[17.0, 0, 0], [18.0, 1, 0]], [0.1, 0.1], [(17, 20, [21])])
    chain = er.Chain(links, 0.1, side=side)
    with pytest.raises(ValueError, match="axis"):
        chain.rotate_side(0, 1.0)
    chain.rotate(3, 0.4)
    chain.turn(9, Rotation.from_euler("xyz", [0.3, 0.2, 0.1]).as_matrix())
    with pytest.raises(ValueError, match="axis"):
        chain.rotate_side(0, 1.0)


def test_coincident_balls_have_an_infinite_energy_and_no_nan() -> None:
    chain = er.Chain([[0, 0, 0], [1, 0, 0], [0, 0, 0]], 0.1)
    chain.set_energy(er.energies.LennardJones(1.0, 1.0, 3.0))
    assert chain.energy() == np.inf


@pytest.mark.parametrize("links", [2, 16, 17, 129])
@pytest.mark.parametrize("level", [0, 1, 2, 50])
def test_boxes_of_any_level_hold_the_chain(links: int, level: int) -> None:
    chain = er.Chain(scenes.serpentine(links), 1.0)
    held = [er.volumes.contains(box, chain.positions(), 1.0, tolerance=1e-3) for box in chain.boxes(level)]
    assert np.any(held, axis=0).all()


@pytest.mark.parametrize("volume", ["auto", "obb"])
def test_threads_may_ask_but_not_change_at_once(volume: str) -> None:
    chain = er.Chain(scenes.serpentine(3000), 1.0, volume=volume)
    other = er.Chain(scenes.serpentine(500), 1.0)
    nearest = er.self_distance(chain).value
    with ThreadPoolExecutor(4) as pool:
        asked = list(pool.map(lambda _: er.self_distance(chain).value, range(20)))
        pairs = list(pool.map(lambda _: len(er.collide(chain, other, every=True).pairs), range(8)))
    assert set(asked) == {nearest}
    assert len(set(pairs)) == 1


def test_two_series_of_changes_at_once_are_refused() -> None:
    chain = er.Chain(scenes.serpentine(2000), 1.0)
    joints, angles = np.arange(1000).repeat(40) % 1900, np.full(40_000, 1e-3)
    begun, refused = threading.Barrier(2), []

    def work() -> Any:
        begun.wait()
        try:
            chain.try_torsions(joints, angles, stay=True)
        except RuntimeError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) <= 1
    assert all("another thread" in reason for reason in refused)
    chain.validate()


@pytest.mark.parametrize("volume", ["auto", "obb"])
def test_torsions_that_cannot_be_made_change_nothing(volume: str) -> None:
    points = np.cumsum(np.random.default_rng(3).normal(size=(30, 3)), axis=0)
    points[21] = points[20]
    chain = er.Chain(points, 0.0, volume=volume)
    before = chain.positions()
    with pytest.raises(ValueError, match="axis"):
        chain.try_torsions([3, 20], [0.5, 0.5])
    np.testing.assert_array_equal(chain.positions(), before)


def test_counters_are_those_of_the_last_question() -> None:
    links = np.c_[np.arange(200) * 3.0, np.zeros((200, 2))]
    side = er.SideBalls([100] * 2, [[300.0, 1, 0], [300.0, 2, 0]], [0.5, 0.5], [(100, 200, [201])])
    chain = er.Chain(links, 1.0, side=side)
    assert not chain.collides()
    seen = []
    for _ in range(4):
        chain.rotate_side(0, 0.1)
        chain.collides()
        seen.append(chain.counters.pairs_visited)
    assert len(set(seen)) == 1


def test_a_long_history_of_many_joints_is_bounded() -> None:
    chain = er.Chain(scenes.rod(5000), 1.0)
    everything = dict.fromkeys(range(4998), 1e-5)
    for _ in range(60):
        chain.change(everything)
    back = 0
    while True:
        try:
            chain.undo()
        except RuntimeError:
            break
        back += 1
    assert 10 <= back < 60
    chain.validate()


def test_a_lever_far_longer_than_its_leaf_is_a_good_tree() -> None:
    rng = np.random.default_rng(8)
    points = np.cumsum(rng.normal(size=(200, 3)), axis=0)
    points[40] += [7e5, 0, 0]
    chain = er.Chain(points, 0.1)
    for _ in range(300):
        chain.rotate(int(rng.integers(0, 199)), float(rng.uniform(-3, 3)))
    chain.validate()


def test_short_bonds_beside_long_ones_have_an_axis() -> None:
    points = np.zeros((40, 3))
    points[:, 0] = np.arange(40) * 1e-9
    points[::2, 1] = 1e-9
    points[39] = [1e6, 0, 0]
    chain = er.Chain(points, 1e-12)
    chain.rotate(10, 0.5)
    assert not np.array_equal(chain.positions(), points)
