"""Necklaces of the scenes: bonds, clearances, shapes and motions, and what the lemmas claim of them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

import elbowroom as er
from elbowroom import scenes

Array = NDArray[np.float64]


def bonds(positions: Array) -> Array:
    return np.linalg.norm(np.diff(positions, axis=0), axis=1)


def clearance(positions: Array, apart: int = 1, reach: float = 5.0) -> float:
    """Least distance of beads that are more than `apart` apart in the sequence, if below `reach`."""
    pairs = cKDTree(positions).query_pairs(reach, output_type="ndarray")
    pairs = pairs[np.abs(pairs[:, 1] - pairs[:, 0]) > apart]
    return float(np.linalg.norm(positions[pairs[:, 0]] - positions[pairs[:, 1]], axis=1).min(initial=reach))


# Curves.


@pytest.mark.parametrize(("n", "line", "gap"), [(63, 9, 1), (90, 12, 2), (1, 9, 1), (40, 1, 1), (50, 4, 5)])
def test_a_grill_goes_to_and_fro_in_steps_of_one(n: int, line: int, gap: int) -> None:
    positions = scenes.grill(n, line, gap)
    assert positions.shape == (n, 2)
    assert bonds(positions) == pytest.approx(1.0)
    assert len(np.unique(positions, axis=0)) == n
    assert set(positions[:, 0]) <= set(range(line))


def test_a_grill_of_63_cages_has_seven_lines_of_twelve() -> None:
    positions = scenes.grill(90, 12, gap=2)
    assert [int((positions[:, 1] == y).sum()) for y in range(13)] == [12, 1] * 6 + [12]
    assert len(er.Necklace(positions, 0.1, cages="wrapped").cage_ranges()) == 63


@pytest.mark.parametrize("wrong", [(0, 9, 1), (63, 0, 1), (63, 9, 0)])
def test_a_grill_wants_beads_lines_and_gaps(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="n, line and gap must be at least 1"):
        scenes.grill(*wrong)


def test_a_spline_is_smooth_and_even() -> None:
    positions = scenes.spline(401)
    assert positions[[0, 200, 400]] == pytest.approx(np.array([[0, 0], [2, 0], [4, 0]]), abs=1e-12)
    assert np.ptp(bonds(positions)) < 0.01 * bonds(positions).mean()
    headings = np.unwrap(np.arctan2(*np.diff(positions, axis=0).T[::-1]))
    assert np.abs(np.diff(headings)).max() < 0.002
    assert positions[:, 1].max() == pytest.approx(0.05) and positions[:, 1].min() == pytest.approx(-0.05)


def test_a_helix_keeps_radius_and_height() -> None:
    for n, turns in ((100, 10.0), (1_600, 40.0)):
        positions = scenes.helix(n, turns)
        assert np.hypot(*positions.T[:2]) == pytest.approx(1.0)
        assert (positions[0, 2], positions[-1, 2]) == (0.0, 4.0)
        turned = np.unwrap(np.arctan2(positions[:, 1], positions[:, 0]))
        assert turned[-1] - turned[0] == pytest.approx(2 * np.pi * turns)


# The line that rolls up.


@pytest.fixture(scope="module")
def spiral() -> Array:
    return scenes.spiral()


def test_a_spiral_begins_as_a_straight_line(spiral: Array) -> None:
    assert spiral.shape == (100, 500, 2)
    assert np.array_equal(spiral[0], np.stack([np.arange(500.0), np.zeros(500)], axis=1))


def test_a_spiral_keeps_its_bonds_and_never_meets_itself(spiral: Array) -> None:
    for frame in spiral:
        assert bonds(frame) == pytest.approx(1.0)
        assert clearance(frame) > 1.1


def test_a_spiral_ends_with_ten_turns_at_one_distance(spiral: Array) -> None:
    centre = spiral[-1].mean(axis=0)
    from_centre = spiral[-1] - centre
    turned = np.unwrap(np.arctan2(from_centre[50:, 1], from_centre[50:, 0]))
    radius = np.linalg.norm(from_centre[50:], axis=1)
    pitch = 2 * np.pi * np.polyfit(turned, radius, 1)[0]
    assert pitch == pytest.approx(1.59, abs=0.03)
    headings = np.unwrap(np.arctan2(*np.diff(spiral[-1], axis=0).T[::-1]))
    assert headings[-1] - headings[0] == pytest.approx(2 * np.pi * 10, rel=0.05)


def test_more_frames_are_the_same_motion() -> None:
    assert scenes.spiral(60, 9)[::2] == pytest.approx(scenes.spiral(60, 5), abs=1e-12)
    assert scenes.spiral(1, 2).tolist() == [[[0.0, 0.0]]] * 2
    with pytest.raises(ValueError, match="n and frames must be at least 1"):
        scenes.spiral(0)


# Constructions.


@pytest.mark.parametrize(
    ("n", "dimension"), [(1, 2), (16, 2), (17, 2), (1000, 2), (27, 3), (28, 3), (1000, 3)]
)
def test_a_grid_is_traced_line_by_line(n: int, dimension: int) -> None:
    positions = scenes.grid_necklace(n, dimension)
    assert positions.shape == (n, dimension)
    assert bonds(positions) == pytest.approx(1.0)
    assert len(np.unique(positions, axis=0)) == n
    side = next(k for k in range(1, n + 2) if k**dimension >= n)
    assert positions.min() == 0 and positions.max() <= side - 1
    first = positions[: min(side, n), 0]
    assert first.tolist() == list(range(len(first)))


def test_a_grid_has_two_or_three_dimensions() -> None:
    with pytest.raises(ValueError, match="dimension 2 or 3"):
        scenes.grid_necklace(16, 4)


@pytest.mark.parametrize("k", range(1, 11))
def test_lemma_4_3_is_reached(k: int) -> None:
    points = scenes.sqrt_log(k)
    assert len(points) == 2**k
    assert np.linalg.norm(points, axis=1) == pytest.approx(1.0)
    layered = er.Necklace(points, 0.0, cages="layered")
    assert layered.cage_balls(0)[0, -1] == pytest.approx(math.sqrt(k), rel=1e-12)
    # Balls about 2**l points have radius l / sqrt(k), for every l of the tree.
    for level in range(1, k):
        assert layered.cage_balls(level)[:, -1] == pytest.approx((k - level) / math.sqrt(k), rel=1e-12)


def test_lemma_4_3_wants_two_points() -> None:
    with pytest.raises(ValueError, match="k must be at least 1"):
        scenes.sqrt_log(0)


# Proteins.


def test_a_hairpin_trembles_and_keeps_its_bonds() -> None:
    frames = scenes.hairpin(60)
    assert frames.shape == (60, 51, 3)
    for frame in frames:
        assert bonds(frame) == pytest.approx(bonds(frames[0]))
        assert clearance(frame, 3) > 2.5
    moved = np.linalg.norm(np.diff(frames, axis=0), axis=2)
    assert 0.005 < moved.mean() < 0.2 and moved.max() < 1.0


def test_the_strands_of_a_hairpin_stay_side_by_side() -> None:
    carbons = scenes.hairpin()[:, 1::3]
    for k in range(7):
        apart = np.linalg.norm(carbons[:, 6 - k] - carbons[:, 9 + k], axis=1)
        assert apart.min() > 3.0 and apart.max() < 10.0


def test_seeds_make_the_difference() -> None:
    assert np.array_equal(scenes.hairpin(5, seed=1), scenes.hairpin(5, seed=1))
    assert not np.array_equal(scenes.hairpin(5, seed=1), scenes.hairpin(5, seed=2))
    assert np.array_equal(scenes.long_coil(100, seed=1), scenes.long_coil(100, seed=1))
    assert not np.array_equal(scenes.long_coil(100, seed=1), scenes.long_coil(100, seed=2))


@pytest.mark.parametrize(("n", "make"), [(1380, scenes.horseshoe), (1089, scenes.barrel), (1, scenes.barrel)])
def test_made_up_proteins_have_bonds_and_room(n: int, make: object) -> None:
    assert callable(make)
    positions = make(n)
    assert positions.shape == (n, 3)
    if n > 1:
        assert bonds(positions).min() > 1.0 and bonds(positions).max() < 2.1
        assert bonds(positions).mean() == pytest.approx(1.45, abs=0.05)
        assert clearance(positions, 3) > 2.1


def test_a_horseshoe_is_open_and_a_barrel_is_round() -> None:
    shoe, barrel = scenes.horseshoe(), scenes.barrel()
    assert np.hypot(*shoe.T[:2]).min() > 10.0  # a hole in the middle
    angles = np.unwrap(np.arctan2(shoe[:, 1], shoe[:, 0]))
    assert 4.5 < np.ptp(angles) < 5.9  # most of the way around
    extents = np.ptp(barrel, axis=0)
    assert extents.max() < 1.5 * extents.min()


# Coils and Brownian motion.


@pytest.mark.parametrize("n", [1, 2, 3, 4, 50, 5_000])
@pytest.mark.parametrize(("bond", "diameter"), [(1.0, 1.0), (0.6, 1.0), (3.0, 1.0)])
def test_a_long_coil_avoids_itself(n: int, bond: float, diameter: float) -> None:
    positions = scenes.long_coil(n, bond, diameter)
    assert positions.shape == (n, 3)
    assert bonds(positions) == pytest.approx(bond)
    assert clearance(positions, 1, 2 * diameter) > diameter * (1 - 1e-9)


def test_a_long_coil_is_coiled() -> None:
    positions = scenes.long_coil(20_000)
    assert np.linalg.norm(positions[-1] - positions[0]) < 0.2 * len(positions)
    with pytest.raises(ValueError, match="bond must be above half the diameter"):
        scenes.long_coil(10, bond=0.5)


@pytest.mark.parametrize("dimension", [2, 3])
def test_brownian_frames_are_free_and_all_beads_move(dimension: int) -> None:
    start = scenes.grid_necklace(144 if dimension == 2 else 125, dimension)
    frames = list(scenes.brownian(start, 30, 0.05, diameter=0.8, longest=1.2))
    assert len(frames) == 30
    for before, after in pairwise([start, *frames]):
        assert clearance(after, 1, 2.0) > 0.8
        assert bonds(after).max() <= 1.2
        assert (after != before).any(axis=1).mean() > 0.5
    first = next(scenes.brownian(start, 1, 0.05, diameter=0.8, longest=1.2))
    assert np.array_equal(first, frames[0])
    assert np.std((frames[0] - start)[frames[0] != start]) == pytest.approx(0.05, rel=0.15)


def test_brownian_motion_wants_a_free_start() -> None:
    with pytest.raises(ValueError, match="no neighbours overlap"):
        next(scenes.brownian(scenes.grid_necklace(16, 2), 1, 0.01, diameter=1.5))
