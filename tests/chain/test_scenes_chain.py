"""Chains of the scenes: bonds, clearances, density and the properties that the paper's figures claim."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.spatial import cKDTree

from elbowroom import scenes

Array = NDArray[np.float64]


def bonds(positions: Array) -> Array:
    return np.linalg.norm(np.diff(positions, axis=0), axis=1)


def clearance(positions: Array, exclude: int, reach: float) -> float:
    """Least distance of links that are more than `exclude` apart along the chain, if below `reach`."""
    pairs = cKDTree(positions).query_pairs(reach, output_type="ndarray")
    pairs = pairs[pairs[:, 1] - pairs[:, 0] > exclude]
    return float(np.linalg.norm(positions[pairs[:, 0]] - positions[pairs[:, 1]], axis=1).min(initial=reach))


def turned(fold: scenes.Fold) -> Array:
    """Positions after the fold's torsion, by Rodrigues' formula."""
    start, axis = fold.positions[fold.joint], np.diff(fold.positions[fold.joint : fold.joint + 2], axis=0)[0]
    axis = axis / np.linalg.norm(axis)
    beyond = fold.positions[fold.joint + 1 :] - start
    along = np.outer(beyond @ axis, axis)
    spun = np.cos(fold.angle) * (beyond - along) + np.sin(fold.angle) * np.cross(axis, beyond)
    return np.concatenate([fold.positions[: fold.joint + 1], start + along + spun])


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 27, 1000, 1001, 2500])
def test_serpentine_fills_a_cube_one_step_at_a_time(n: int) -> None:
    positions = scenes.serpentine(n)
    side = int(np.ceil(round(n ** (1 / 3), 9)))
    assert positions.shape == (n, 3)
    assert bonds(positions) == pytest.approx(4.0)
    assert len(np.unique(positions, axis=0)) == n
    assert positions.min() == 0.0 and positions.max() <= 4.0 * (side - 1)
    assert scenes.serpentine(n, spacing=2.5) == pytest.approx(positions * 2.5 / 4)


def test_rod_is_straight() -> None:
    assert scenes.rod(3, spacing=2.0).tolist() == [[0, 0, 0], [2, 0, 0], [4, 0, 0]]


@pytest.mark.parametrize("n", [1, 2, 16, 17, 100, 3000])
@pytest.mark.parametrize(("bond", "diameter"), [(1.0, 1.0), (4.0, 2.0), (0.6, 1.0)])
def test_coil_avoids_itself(n: int, bond: float, diameter: float) -> None:
    positions = scenes.coil(n, bond, diameter, seed=n)
    assert positions.shape == (n, 3)
    assert bonds(positions) == pytest.approx(bond)
    assert clearance(positions, 1, 2 * diameter) > diameter


@pytest.mark.statistics
def test_coils_spread_like_self_avoiding_walks() -> None:
    """The radius of gyration grows as n**0.588, not as the n**0.5 of a walk that may cross itself."""
    sizes, radii = [128, 2048], []
    for n in sizes:
        coils = [scenes.coil(n, seed=seed) for seed in range(24)]
        radii.append(np.mean([((coil - coil.mean(axis=0)) ** 2).sum(axis=1).mean() for coil in coils]))
    exponent = 0.5 * np.log(radii[1] / radii[0]) / np.log(sizes[1] / sizes[0])
    assert 0.53 < exponent < 0.65


def test_coil_refuses_bonds_that_leave_no_room() -> None:
    with pytest.raises(ValueError, match=r"bond must be at least 0\.6 diameter"):
        scenes.coil(100, bond=0.5, diameter=1.0)


@pytest.mark.parametrize("n", [1, 3, 4, 10, 57, 171, 2000])
def test_backbone_is_like_a_protein(n: int) -> None:
    positions = scenes.backbone(n)
    assert positions.shape == (n, 3)
    assert bonds(positions) == pytest.approx(1.5)
    # The distance of atoms two apart says that the bonds meet at 111 degrees.
    two_apart = np.linalg.norm(positions[2:] - positions[:-2], axis=1)
    assert two_apart == pytest.approx(3.0 * np.sin(np.radians(55.5)))
    assert clearance(positions, 3, 5.0) > 2.5
    density_radius = (3 * 47.0 * max(n, 8) / (4 * np.pi)) ** (1 / 3)
    assert np.linalg.norm(positions, axis=1).max() <= density_radius


@pytest.mark.parametrize("make", [scenes.coil, scenes.backbone])
def test_seeds_make_the_difference(make: object) -> None:
    assert callable(make)
    assert np.array_equal(make(60, seed=1), make(60, seed=1))
    assert not np.array_equal(make(60, seed=1), make(60, seed=2))


@pytest.mark.parametrize("n", [4, 10, 200])
def test_figure_4_one_joint_makes_all_boxes_overlap(n: int) -> None:
    fold = scenes.worst_spatial(n)
    half = n // 2
    after = turned(fold)
    assert clearance(fold.positions, 0, 5.0) > 2.0
    assert clearance(after, 0, 5.0) > 2.0
    for positions, overlapping in ((fold.positions, 0), (after, half * (half - 1) // 2)):
        ends = np.stack([positions[:half], positions[half:][::-1]], axis=1)
        low, high = ends.min(axis=1) - 1, ends.max(axis=1) + 1
        meet = (low[:, None] <= high).all(axis=2) & (high[:, None] >= low).all(axis=2)
        assert int(np.triu(meet, 1).sum()) == overlapping


@pytest.mark.parametrize("n", [4, 20, 300])
def test_figure_5_every_ball_all_but_touches_its_neighbours(n: int) -> None:
    fold = scenes.tangent_rows(n)
    distances, _ = cKDTree(fold.positions).query(fold.positions, k=3)
    assert distances[:, 1:] == pytest.approx(2.002)
    after = turned(fold)
    assert clearance(after, 0, 5.0) > 2.0
    assert np.abs(after - fold.positions).max() < 1e-3
    with pytest.raises(ValueError, match="n must be even"):
        scenes.tangent_rows(n + 1)


@pytest.mark.parametrize("d", [8, 16, 24])
def test_lemma_7_units_are_free_and_their_hulls_share_a_point(d: int) -> None:
    fold = scenes.lemma7(d)
    positions, copies = fold.positions, d // 8
    assert len(positions) == 3 * d * copies**2
    assert clearance(positions, 0, 5.0) == pytest.approx(2.002)
    assert bonds(positions).max() == pytest.approx(2.002 * np.sqrt(2), abs=1e-9) or copies == 1
    assert clearance(turned(fold), 0, 5.0) > 2.0
    for unit in positions.reshape(copies**2, 3 * d, 3):
        assert holds(unit, 1.001 * np.array([2 * (d - 1), d - 1, (d - 1) / 4]))


def holds(points: Array, target: Array) -> bool:
    """Is the target in the convex hull of balls of radius 1 about the points?"""
    count = len(points)
    # Weights of the points, and a slack along each axis that stays within a ball of radius 1.
    rows = np.hstack([np.vstack([points.T, np.ones(count)]), np.vstack([np.eye(3), np.zeros(3)])])
    limits = [(0, None)] * count + [(-0.57, 0.57)] * 3
    found = linprog(np.zeros(count + 3), A_eq=rows, b_eq=np.append(target, 1.0), bounds=limits)
    return bool(found.status == 0)


@pytest.mark.parametrize("d", [0, 4, 12, -8])
def test_lemma_7_wants_a_multiple_of_8(d: int) -> None:
    with pytest.raises(ValueError, match="d must be a positive multiple of 8"):
        scenes.lemma7(d)
