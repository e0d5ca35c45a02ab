"""Scenes of motions: hooks of every width, where a tree begins, and the motion past a plate."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes

Array = NDArray[np.float64]


def corners(legs: list[tuple[Array, Array]]) -> Array:
    """All corners of the boxes."""
    signs = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
    return np.concatenate([centre + signs * extents for extents, centre in legs])


def group(legs: list[tuple[Array, Array]]) -> er.Group:
    return er.Group([(er.Box(extents), er.Pose(translation=centre)) for extents, centre in legs])


# Hooks.


@pytest.mark.parametrize("width", [0.05, 0.4, 1.0])
def test_legs_are_five_long_and_as_wide_as_asked(width: float) -> None:
    legs = scenes.thin_hook(width)
    assert [sorted(extents.tolist()) for extents, _ in legs] == [[width, width, 5.0]] * 2
    points = corners(legs)
    assert points.max(axis=0) == pytest.approx([5.0, 5.0, width / 2])
    assert points.min(axis=0) == pytest.approx([-width / 2] * 3)


def test_a_hook_of_half_a_unit_is_the_old_one() -> None:
    for ours, old in zip(scenes.thin_hook(0.5), scenes.hook(), strict=True):
        assert np.array_equal(ours[0], old[0]) and np.array_equal(ours[1], old[1])
    assert np.array_equal(scenes.thin_hook()[0][0], scenes.thin_hook(0.4)[0][0])


@pytest.mark.parametrize("width", [0.2, 0.4, 0.8])
def test_the_origin_may_be_the_middle_of_the_smallest_ball(width: float) -> None:
    points = corners(scenes.thin_hook(width, origin="ball"))
    radius = np.linalg.norm(points, axis=1).max()
    steps = 0.01 * np.random.default_rng(3).normal(size=(200, 3))
    others = np.linalg.norm(points[None] - steps[:, None], axis=2).max(axis=1)
    assert (others > radius).all()
    assert radius < 0.8 * np.linalg.norm(corners(scenes.thin_hook(width)), axis=1).max()


def test_segments_are_the_hook_without_width() -> None:
    legs = scenes.hook_segments()
    assert np.linalg.norm(legs[:, 1] - legs[:, 0], axis=1) == pytest.approx([5.0, 5.0])
    assert not legs[:, 0].any() and legs[0, 1] @ legs[1, 1] == 0
    thin = group(scenes.thin_hook(1e-6))
    lines = er.Group([er.Convex(ends) for ends in legs])
    obstacle, pose = er.Sphere(1.0), er.Pose(translation=[3.0, 4.0, 2.0])
    assert er.distance(lines, obstacle, pose_b=pose).value == pytest.approx(
        er.distance(thin, obstacle, pose_b=pose).value, abs=2e-6
    )
    middle = scenes.hook_segments(origin="ball")
    assert np.linalg.norm(middle.reshape(-1, 3), axis=1) == pytest.approx(np.full(4, np.sqrt(12.5)))


def test_an_origin_that_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="origin must be 'corner' or 'ball', got 'middle'"):
        scenes.thin_hook(origin="middle")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="origin must be"):
        scenes.hook_segments(origin="top")  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [7, 8, 101])
def test_a_tree_begins_free_in_the_middle_of_the_world(seed: int) -> None:
    root = scenes.hook_root()
    assert root[:3, 3].tolist() == [50.0, 50.0, 50.0] and np.array_equal(root[:3, :3], np.eye(3))
    obstacles = er.Group([er.Convex(four) for four in scenes.tetrahedra(seed)])
    assert er.MotionChecker(group(scenes.thin_hook()), obstacles).valid(root)


# Past a plate.


def calls(passage: scenes.Passage, method: str, width: float = 0.5) -> int:
    plate = (er.Box(passage.extents), er.Pose(translation=passage.centre))
    motion = er.Motion(passage.start, passage.goal)
    proof = er.check(group(scenes.thin_hook(width)), motion, plate, method=method, first=False)
    assert proof.free
    return int(proof.distance_calls)


def test_the_hook_turns_about_the_way_it_goes() -> None:
    passage = scenes.past_a_plate()
    motion = er.Motion(passage.start, passage.goal)
    assert motion.axis == pytest.approx([1.0, 0.0, 0.0]) and motion.angle == pytest.approx(0.7)
    assert motion.translation == pytest.approx([13.0, 0.0, 2.0])
    for pose in (passage.start, passage.goal):
        assert pose[:3, :3] @ pose[:3, :3].T == pytest.approx(np.eye(3))
        assert np.linalg.det(pose[:3, :3]) == pytest.approx(1.0)


def test_the_plate_takes_the_paper_s_nine_and_three() -> None:
    passage = scenes.past_a_plate()
    assert (calls(passage, "isotropic"), calls(passage, "hourglass")) == (9, 3)
    assert calls(passage, "auto") < 3


def test_the_counts_do_not_hang_on_the_last_digits() -> None:
    passage, rng = scenes.past_a_plate(), np.random.default_rng(5)
    for _ in range(10):
        moved = scenes.Passage(
            passage.start, passage.goal, passage.extents, passage.centre + 0.02 * rng.normal(size=3)
        )
        width = float(rng.uniform(0.45, 0.55))
        assert (calls(moved, "isotropic", width), calls(moved, "hourglass", width)) == (9, 3)
