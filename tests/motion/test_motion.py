"""er.Motion: poses at times, axis and angle, parts of motions, and the bounds on how far points move."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import nasty
import numpy as np
import oracle
import pytest
from chain_makers import rng_of
from motion_paths import Paths, turns
from motion_scenes import some_paths, some_thing
from scipy.spatial.transform import Rotation, Slerp

import elbowroom as er

ANGLES = (0.0, 1e-12, 1e-9, 1e-4, 1.0, np.pi - 1e-4, np.pi - 1e-9, np.pi)
AXES = {"+z": (0, 0, 1), "-z": (0, 0, -1), "x": (1, 0, 0), "-y": (0, -1, 0), "any": (0.6, -0.48, 0.64)}
SHIFTS = {"none": (0, 0, 0), "some": (1.0, -2.0, 0.5), "tiny": (1e-9, 0.0, 2e-9), "huge": (3e6, 1e6, -2e6)}
TIMES = np.linspace(0.0, 1.0, 21)


def motion_of(paths: Paths, k: int = 0) -> er.Motion:
    return er.Motion(paths.starts[k], paths.goals[k])


def path(axis: Any, angle: float, shift: Any, seed: int = 0) -> Paths:
    start = nasty.matrices(nasty.rotations(rng_of(seed), 1), rng_of(seed).normal(size=(1, 3)))
    unit = np.array([axis], dtype=float) / np.linalg.norm(axis)
    return Paths(start, unit, np.array([angle]), np.array([shift], dtype=float))


def either_way(paths: Paths, motion: er.Motion) -> Paths:
    """At half a turn both ways round are as short."""
    if paths.angles[0] > np.pi - 1e-7 and np.dot(motion.axis, paths.axes[0]) < 0.0:
        return paths._replace(axes=-paths.axes, angles=2.0 * np.pi - paths.angles)
    return paths


# Poses.


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("angle", ANGLES)
def test_poses_are_those_of_a_turn_about_the_axis(angle: float, axis: str, shift: str) -> None:
    given = path(AXES[axis], angle, SHIFTS[shift])
    motion = motion_of(given)
    paths = either_way(given, motion)
    expected = paths.at(np.zeros(len(TIMES), dtype=np.int64), TIMES)
    found = motion.at(TIMES)
    assert found.shape == (len(TIMES), 4, 4)
    assert np.abs(found[:, :3, :3] - expected[:, :3, :3]).max() < 4e-15
    assert np.abs(found[:, :3, 3] - expected[:, :3, 3]).max() <= 4e-16 * paths.sizes()[0]
    assert np.array_equal(found[:, 3], np.tile([0.0, 0.0, 0.0, 1.0], (len(TIMES), 1)))
    for t, matrix in zip(TIMES, found, strict=True):
        assert np.array_equal(motion.at(float(t)).matrix, matrix)


@pytest.mark.parametrize("angle", ANGLES)
def test_axis_and_angle(angle: float) -> None:
    for name, axis in AXES.items():
        paths = path(axis, angle, (1.0, 2.0, 3.0))
        motion = motion_of(paths)
        assert motion.angle == pytest.approx(angle, abs=4e-15), name
        assert 0.0 <= motion.angle <= np.pi
        assert np.linalg.norm(motion.axis) == pytest.approx(1.0, abs=1e-15)
        sign = np.sign(np.dot(motion.axis, paths.axes[0])) if angle > np.pi - 1e-12 else 1.0
        if angle > 1e-13:
            assert np.abs(sign * motion.axis - paths.axes[0]).max() < 1e-14 + 1e-15 / angle
        assert motion.translation.tolist() == pytest.approx([1.0, 2.0, 3.0])


def test_poses_agree_with_scipy() -> None:
    rng = rng_of("scipy")
    for start, goal in zip(nasty.rotations(rng, 200), nasty.rotations(rng, 200), strict=True):
        here, there = rng.normal(size=(2, 3))
        found = er.Motion(er.Pose(start, here), (goal, there)).at(TIMES)
        turn = Slerp([0.0, 1.0], Rotation.from_matrix([start, goal]))(TIMES).as_matrix()
        assert np.abs(found[:, :3, :3] - turn).max() < 1e-13
        assert np.abs(found[:, :3, 3] - (here + TIMES[:, None] * (there - here))).max() < 1e-15


@pytest.mark.parametrize("axis", [*np.eye(3).tolist(), [0.6, 0.8, 0.0], [-0.6, 0.48, 0.64], [1e-9, 1.0, 0.0]])
def test_half_a_turn_from_exact_matrices(axis: list[float]) -> None:
    """2 a a^T - 1: of the formula of the paper nothing is left to tell the axis by."""
    unit = np.array(axis) / np.linalg.norm(axis)
    motion = er.Motion(np.eye(4), (2.0 * np.outer(unit, unit) - np.eye(3), [0.0, 0.0, 1.0]))
    assert motion.angle == pytest.approx(np.pi, abs=1e-15)
    assert abs(np.dot(motion.axis, unit)) == pytest.approx(1.0, abs=1e-15)
    half = motion.at(0.5).rotation
    expected = turns(motion.axis[None], np.array([np.pi / 2.0]))[0]
    assert np.abs(half - expected).max() < 1e-15


def test_the_ends_are_what_was_given() -> None:
    rng = rng_of("ends")
    paths = some_paths(rng, 200, 10.0)
    for start, goal in zip(paths.starts, paths.goals, strict=True):
        motion = er.Motion(start, goal)
        for told, given in ((motion.start, start), (motion.goal, goal)):
            assert isinstance(told, er.Pose)
            assert np.abs(told.matrix - given).max() < 1e-14 * (1.0 + np.abs(given).max())


def test_every_way_to_give_a_pose() -> None:
    pose, other = er.Pose([0.6, 0.8, 0.0, 0.0], [1, 2, 3]), er.Pose([0.0, 0.6, 0.8, 0.0], [-1, 0, 1])
    turned = Rotation.from_matrix(other.rotation)
    ways = [
        er.Motion(pose, other),
        er.Motion(pose.matrix, other.matrix),
        er.Motion((pose.rotation, pose.translation), (turned, [-1, 0, 1])),
    ]
    for way in ways[1:]:
        assert np.abs(way.at(TIMES) - ways[0].at(TIMES)).max() < 1e-14


# Parts.


def test_a_part_is_what_happens_in_that_time() -> None:
    rng = rng_of("parts")
    paths = some_paths(rng, 100, 3.0)
    for k in range(100):
        motion = motion_of(paths, k)
        a, b = rng.random(2)
        part = motion.part(a, b)
        assert np.abs(part.at(TIMES) - motion.at(a + (b - a) * TIMES)).max() < 2e-15 * (
            1.0 + paths.sizes()[k]
        )
        assert part.angle == pytest.approx(abs(b - a) * motion.angle, abs=1e-15)


def test_the_way_back() -> None:
    """Also at half a turn, where the way back could be taken for the other way round."""
    for angle in ANGLES:
        motion = motion_of(path(AXES["any"], angle, (1.0, 0.0, 2.0)))
        back = motion.reversed()
        assert np.abs(back.at(TIMES) - motion.at(TIMES[::-1])).max() < 1e-14
        assert np.abs(back.reversed().at(TIMES) - motion.at(TIMES)).max() < 1e-14
        for a, b in ((0.0, 1.0), (0.25, 0.25), (1.0, 0.0), (0.0, 0.0)):
            assert np.isfinite(motion.part(a, b).at(TIMES)).all()


# Many; copies.


def test_many_motions_are_single_ones() -> None:
    paths = some_paths(rng_of("many"), 7, 2.0)
    many = er.Motion(paths.starts, paths.goals)
    assert len(many) == 7
    for k in range(7):
        assert many[k] == motion_of(paths, k)
    assert many[-1] == many[6]
    assert [motion.angle for motion in many] == [many[k].angle for k in range(7)]
    with pytest.raises(IndexError):
        many[7]
    with pytest.raises(TypeError):
        len(many[0])


def test_one_pose_serves_for_all_starts() -> None:
    paths = some_paths(rng_of("one start"), 4, 2.0)
    many = er.Motion(paths.starts[0], paths.goals)
    assert len(many) == 4
    assert all(many[k] == er.Motion(paths.starts[0], paths.goals[k]) for k in range(4))


def test_motions_pickle_copy_and_compare() -> None:
    paths = some_paths(rng_of("pickle"), 200, 5.0)
    motions = [er.Motion(paths.starts, paths.goals), *(motion_of(paths, k) for k in range(200))]
    motions += [motions[3].reversed(), motions[4].part(0.3, 0.7)]
    for motion in motions:
        for twin in (pickle.loads(pickle.dumps(motion)), copy.copy(motion), copy.deepcopy(motion)):
            assert twin == motion and hash(twin) == hash(motion) and repr(twin) == repr(motion)
    assert motions[1] != motions[2] and motions[1] != motions[1].reversed() and motions[1] != "motion"


def test_half_a_turn_back_stays_the_way_back_when_pickled() -> None:
    motion = er.Motion(np.eye(4), np.diag([-1.0, -1.0, 1.0, 1.0])).reversed()
    assert np.abs(pickle.loads(pickle.dumps(motion)).at(TIMES) - motion.at(TIMES)).max() < 1e-15


def test_repr_tells_what_it_is() -> None:
    motion = er.Motion(er.Pose(), er.Pose([0.5**0.5, 0, 0, 0.5**0.5], [3, 4, 0]))
    assert "5" in repr(motion) and "1.57" in repr(motion)
    assert "3" in repr(er.Motion(np.tile(np.eye(4), (3, 1, 1)), np.eye(4)))


# Bounds.


def body_points(thing: nasty.Thing, rng: np.random.Generator) -> np.ndarray:
    """Points of a body, those farthest from its origin among them."""
    solid = thing.solid
    radii = np.repeat(solid.radii, np.diff(solid.starts[:, 0]))[:, None]
    rays = nasty.directions(rng, len(radii) * 6).reshape(6, -1, 3)
    away = solid.vertices / np.maximum(np.linalg.norm(solid.vertices, axis=1), 1e-300)[:, None]
    return np.concatenate([solid.vertices + radii * away, *(solid.vertices + radii * ray for ray in rays)])


def displacements(motion: er.Motion, points: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, Any]:
    """(m, 3): how points move between two times, and the time between them."""
    a, b = rng.random((2, 40))
    a[:5], b[:5] = 0.0, [1.0, 0.5, 1e-3, 1e-6, 1e-9]
    first, second = motion.at(a), motion.at(b)
    turned = (second[:, :3, :3] - first[:, :3, :3]) @ points.T
    moved = turned.transpose(0, 2, 1) + (motion.translation * (b - a)[:, None])[:, None]
    return moved.reshape(-1, 3), np.repeat(np.abs(b - a), len(points))


@pytest.mark.parametrize("seed", range(6))
def test_no_point_moves_farther_than_the_bounds_say(seed: int) -> None:
    rng = rng_of("bounds", seed)
    for _ in range(30):
        thing = some_thing(rng, float(10.0 ** rng.uniform(-3.0, 3.0)))
        motion = motion_of(some_paths(rng, 1, thing.reach * 10.0 ** rng.uniform(-2.0, 1.0) + 1e-9))
        points = body_points(thing, rng)
        moved, times = displacements(motion, points, rng)
        noise = 1e-14 * (thing.reach + np.linalg.norm(motion.translation))
        for about in ("origin", "axis"):
            radius = motion.radius(thing.body, about)  # type: ignore[arg-type]
            far = np.linalg.norm(moved, axis=1)
            assert (far <= times * motion.standard_bound(radius) + noise).all()
            for tau in (1.0, 0.3, 1e-3):
                soon = times <= tau
                assert (far[soon] <= motion.standard_bound(radius, tau) + noise).all()
                assert (far[soon] <= motion.standard_bound(radius, tau, chord=True) + noise).all()
            if motion.angle * radius + np.linalg.norm(motion.translation) == 0.0:
                continue
            check_hourglass(motion, radius, moved, times, noise)


def check_hourglass(
    motion: er.Motion, radius: float, moved: np.ndarray, times: np.ndarray, noise: float
) -> None:
    """No point moves by more than the time in the space of the map; what rounding moves is left out."""
    linear = motion.hourglass(radius)
    assert linear.shape == (3, 3) and np.isfinite(linear).all() and np.linalg.cond(linear) < 1e9
    slack = noise * np.linalg.norm(linear, 2)
    assert (np.linalg.norm(moved @ linear.T, axis=1) <= times * (1.0 + 1e-9) + slack).all()
    for tau in (1.0, 0.3):
        chord = motion.hourglass(radius, tau=tau, chord=True)
        soon, slack = times <= tau, noise * np.linalg.norm(chord, 2)
        assert (np.linalg.norm(moved[soon] @ chord.T, axis=1) <= tau * (1.0 + 1e-9) + slack).all()


@pytest.mark.parametrize("seed", range(20))
def test_the_bounds_are_those_of_the_paper(seed: int) -> None:
    rng = rng_of("paper", seed)
    axis, shift = nasty.directions(rng, 1)[0], rng.normal(size=3)
    motion = motion_of(path(axis, float(rng.uniform(0.1, 3.0)), shift))
    r, tau = float(rng.uniform(0.1, 2.0)), float(rng.random())
    along = float(np.dot(shift, axis))
    across = shift - along * axis
    sideways = float(np.linalg.norm(across))
    expected = tau * np.hypot(sideways + r * motion.angle, along)
    assert motion.standard_bound(r, tau) == pytest.approx(expected, rel=1e-12)
    chord = np.hypot(tau * sideways + 2.0 * r * np.sin(tau * motion.angle / 2.0), tau * along)
    assert motion.standard_bound(r, tau, chord=True) == pytest.approx(chord, rel=1e-12)
    assert motion.standard_bound(r, tau, chord=True) <= motion.standard_bound(r, tau)
    if abs(along) > 0.1 * (sideways + r * motion.angle):
        check_papers_map(motion.hourglass(r), axis, across, along, r * motion.angle)


def check_papers_map(
    linear: np.ndarray, axis: np.ndarray, across: np.ndarray, along: float, rho: float
) -> None:
    """Lengths after T2 T1 T0, which no further rotation changes (Eqs. 20 to 23)."""
    for x in np.random.default_rng(0).normal(size=(20, 3)):
        height = float(np.dot(x, axis))
        level = x - height * axis - height / along * across
        flat, up = np.sqrt(6.0) / (3.0 * rho) * level, np.sqrt(3.0) / (3.0 * along) * height
        assert np.linalg.norm(linear @ x) == pytest.approx(np.hypot(np.linalg.norm(flat), up), rel=1e-9)


def test_the_small_value_of_the_paper_is_not_taken_where_nothing_moves_along_the_axis() -> None:
    """With it a point moves by 2.449 in a unit of time: a false proof."""
    motion = motion_of(path((0, 0, 1), 0.5, (1.0, 0.0, 0.0)))
    ring = np.stack([np.cos(TIMES * 7.0), np.sin(TIMES * 7.0), 0.0 * TIMES], axis=1)
    moved, times = displacements(motion, ring, rng_of("small value"))
    assert (np.linalg.norm(moved @ motion.hourglass(1.0).T, axis=1) <= times * (1.0 + 1e-12) + 1e-12).all()


@pytest.mark.parametrize("kind", nasty.KINDS)
def test_radius(kind: str) -> None:
    rng = rng_of("radius", kind)
    for _ in range(20):
        thing = nasty.thing(rng, kind, "plain")
        motion = motion_of(some_paths(rng, 1, 1.0))
        assert motion.radius(thing.body) == pytest.approx(oracle.reach_of(thing.solid), rel=1e-12)
        inside = motion.start.rotation.T @ motion.axis
        radii = np.repeat(thing.solid.radii, np.diff(thing.solid.starts[:, 0]))
        arms = np.linalg.norm(np.cross(thing.solid.vertices, inside), axis=1) + radii
        assert motion.radius(thing.body, "axis") == pytest.approx(arms.max(), rel=1e-9, abs=1e-12)
        assert motion.radius(thing.body, "axis") <= motion.radius(thing.body) * (1.0 + 1e-12)


def test_volume_of_the_hourglass() -> None:
    """Slices across the axis are discs: of the time t, discs of radius |t| r angle at the height t dz."""
    rng = rng_of("volume")
    for _ in range(20):
        axis, shift, r = nasty.directions(rng, 1)[0], rng.normal(size=3), float(rng.uniform(0.1, 2.0))
        motion = motion_of(path(axis, float(rng.uniform(0.1, 3.0)), shift))
        heights = np.linspace(-1.0, 1.0, 4001) * float(np.dot(shift, axis))
        areas = np.pi * (np.abs(np.linspace(-1.0, 1.0, 4001)) * r * motion.angle) ** 2
        slices = abs(float((0.5 * (areas[1:] + areas[:-1]) * np.diff(heights)).sum()))
        assert motion.hourglass_volume(r) == pytest.approx(slices, rel=1e-6)
    assert motion_of(path((0, 0, 1), 1.0, (1.0, 0.0, 0.0))).hourglass_volume(1.0) < 1e-15
