"""Spaces of planners: what is drawn, what is near, what lies between, what is refused."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from planning_scenes import planar_arm
from scipy.spatial.transform import Rotation, Slerp

import elbowroom as er
from elbowroom.planning import JointSpace, RigidSpace, Space

BOX: tuple[Any, Any] = ([-1.0, 0.0, 2.0], [1.0, 5.0, 4.0])
RIGID = {
    "position": RigidSpace(*BOX),
    "weighted": RigidSpace(*BOX, metric="weighted", weight=1.5),
    "hourglass": RigidSpace(*BOX, metric="hourglass", radius=2.0),
    "hourglass and area": RigidSpace(*BOX, metric="hourglass", radius=2.0, weight=3.0),
}
JOINTS = {
    "plain": JointSpace([-1, 0, 2], [1, 5, 4]),
    "weighted": JointSpace([-1, 0, 2], [1, 5, 4], weights=[1, 0.5, 3]),
    "with turns": JointSpace([-1] * 10, [1] * 10, turns=[1, 6]),
}
SPACES: dict[str, Space] = {**RIGID, **{f"joints {name}": space for name, space in JOINTS.items()}}


def states_of(space: Space, n: int, seed: int = 0) -> np.ndarray:
    return space.sample(np.random.default_rng(seed), n)


# Drawing.


@pytest.mark.parametrize("name", SPACES)
def test_samples_are_in_the_space_and_the_same_however_they_are_drawn(name: str) -> None:
    space = SPACES[name]
    together, rng = states_of(space, 50), np.random.default_rng(0)
    apart = np.concatenate([[space.sample(rng)], space.sample(rng, 20), space.sample(rng, 29)])
    assert np.array_equal(together, apart)
    assert together.shape == (50, *space.shape)
    assert all(np.array_equal(space.state(state, "state"), state) for state in together)


def test_positions_fill_the_box_and_rotations_have_no_preference() -> None:
    poses = states_of(RIGID["position"], 20_000)
    unit = (poses[:, :3, 3] - BOX[0]) / (np.array(BOX[1]) - BOX[0])
    assert (
        np.abs(unit.mean(axis=0) - 0.5).max() < 0.01 and np.abs(np.cov(unit.T) - np.eye(3) / 12).max() < 0.003
    )
    turns = poses[:, :3, :3]
    assert np.abs(turns @ turns.transpose(0, 2, 1) - np.eye(3)).max() < 1e-14
    assert np.linalg.det(turns).min() > 0.99
    assert np.abs(turns.mean(axis=0)).max() < 0.02  # every entry has mean 0 and mean square 1/3
    assert np.abs((turns**2).mean(axis=0) - 1 / 3).max() < 0.02
    angles = np.arccos((np.trace(turns, axis1=1, axis2=2) - 1) / 2)
    seen = np.histogram(angles, bins=8, range=(0, np.pi))[0] / len(angles)
    edges = np.linspace(0, np.pi, 9)
    assert np.abs(seen - np.diff(edges - np.sin(edges)) / np.pi).max() < 0.01  # density (1 - cos) / pi


# Distances.


def poses(n: int, seed: int) -> np.ndarray:
    return states_of(RIGID["position"], n, seed)


def test_distances_of_poses_are_what_motions_say() -> None:
    for a, b in zip(poses(40, 1), poses(40, 2), strict=True):
        motion = er.Motion(a, b)
        apart = float(np.linalg.norm(motion.translation))
        expected = {
            "position": apart,
            "weighted": apart + 1.5 * motion.angle,
            "hourglass": motion.hourglass_volume(2.0),
            "hourglass and area": motion.hourglass_volume(2.0) + 3.0 * apart,
        }
        for name, value in expected.items():
            assert RIGID[name].distance(a, b) == pytest.approx(value, rel=1e-9, abs=1e-9), name
            assert RIGID[name].distance(b, er.Pose.from_matrix(a)) == pytest.approx(value, rel=1e-9, abs=1e-9)


def test_distances_of_rotations_near_none_and_near_half_a_turn_keep_their_digits() -> None:
    space = RigidSpace([0] * 3, [1] * 3, metric="weighted", weight=1.0)
    for angle in (0.0, 1e-9, 1e-7, 1e-3, 1.0, np.pi - 1e-3, np.pi - 1e-7, np.pi):
        turn = er.Pose(Rotation.from_rotvec([0, 0.6 * angle, 0.8 * angle]))
        assert space.distance(er.Pose(), turn) == pytest.approx(angle, rel=1e-6, abs=1e-14)


def test_weights_count_values() -> None:
    assert JOINTS["weighted"].distance([0, 0, 3], [1, 4, 3]) == pytest.approx(np.hypot(1, 2))
    turns = JointSpace([0] * 4, [1] * 4, turns=[0])
    half = Rotation.from_rotvec([0.02, 0, 0]).as_quat()[[3, 0, 1, 2]]
    assert turns.distance([1, 0, 0, 0], -half) == pytest.approx(0.02, rel=1e-4)


@pytest.mark.parametrize("name", SPACES)
def test_nearest_is_by_the_distance_of_the_space(name: str) -> None:
    space = SPACES[name]
    held, asked = states_of(space, 400, 1), states_of(space, 60, 2)
    index = space.index()
    for key in space.keys(held).tolist():
        index.insert(key)
    for state, key in zip(asked, space.keys(asked).tolist(), strict=True):
        distances = space.distances(np.repeat(state[None], 400, axis=0), held)
        number, distance = index.nearest_and_distance(key)
        assert distance == pytest.approx(distances.min(), rel=1e-12)
        assert distances[number] == pytest.approx(distances.min(), rel=1e-9, abs=1e-9)
    assert index.fault() == ""


@pytest.mark.parametrize("name", SPACES)
def test_no_two_states_are_farther_apart_than_the_extent(name: str) -> None:
    space = SPACES[name]
    assert space.distances(states_of(space, 2000, 1), states_of(space, 2000, 2)).max() <= space.extent


@pytest.mark.parametrize("name", SPACES)
def test_keys_of_samples_are_keys_of_states(name: str) -> None:
    space = SPACES[name]
    states, keys = space.drawn(np.random.default_rng(3).random((30, space.numbers)))
    again = space.keys(states)
    signs = np.ones_like(keys) if keys.shape[1] == 3 else np.sign(keys * again)  # q and -q are the same
    assert np.allclose(keys, signs * again, atol=1e-12)


# Between.


@pytest.mark.parametrize("name", SPACES)
def test_interpolation_begins_and_ends_at_the_states(name: str) -> None:
    space = SPACES[name]
    for a, b in zip(states_of(space, 20, 4), states_of(space, 20, 5), strict=True):
        way = space.interpolate(a, b, [0.0, 0.3, 1.0])
        assert np.allclose(way[0], a, atol=1e-12)
        assert min(np.abs(way[2] - b).max(), np.abs(np.abs(way[2]) - np.abs(b)).max()) < 1e-12
        assert np.array_equal(space.interpolate(a, b, 0.3), way[1])
        if "hourglass" not in name:
            parts = space.distance(a, way[1]), space.distance(way[1], b), space.distance(a, b)
            chords = "with turns" in name  # which are a little shorter than arcs
            assert parts[0] + parts[1] == pytest.approx(parts[2], rel=0.15 if chords else 1e-9)


def test_poses_go_as_motions_do() -> None:
    space = RIGID["position"]
    a, b = poses(2, 6)
    times = np.linspace(0, 1, 7)
    assert np.allclose(space.interpolate(a, b, times), er.Motion(a, b).at(times), atol=1e-14)
    assert space.motion(a, b) == er.Motion(a, b)


def test_quaternions_turn_at_a_constant_rate_the_shorter_way() -> None:
    space = JointSpace([0] * 4, [0] * 4, turns=[0])
    rng = np.random.default_rng(7)
    for _ in range(20):
        a, b = Rotation.random(2, random_state=int(rng.integers(1000)))
        ends = [turn.as_quat()[[3, 0, 1, 2]] for turn in (a, b)]
        times = np.linspace(0, 1, 5)
        found = Rotation.from_quat(space.interpolate(ends[0], -ends[1], times)[:, [1, 2, 3, 0]])
        truth = Slerp([0, 1], Rotation.concatenate([a, b]))(times)
        assert (found * truth.inv()).magnitude().max() < 1e-7
    near = Rotation.from_rotvec([1e-9, 0, 0]).as_quat()[[3, 0, 1, 2]]
    assert space.interpolate([1, 0, 0, 0], near, 0.5)[1] == pytest.approx(0.25e-9, rel=1e-6)


def test_the_motion_of_configurations_is_a_path_for_check() -> None:
    assert JOINTS["plain"].motion([0, 1, 2], [1, 2, 3]).tolist() == [[0, 1, 2], [1, 2, 3]]


# Of a body.


def test_the_space_of_a_body_has_its_limits_and_names() -> None:
    space = JointSpace.of(planar_arm())
    assert (space.low.tolist(), space.high.tolist()) == ([-2.8] * 3, [2.8] * 3)
    assert space.names == ("joint 0", "joint 1", "joint 2")
    assert JointSpace.of(planar_arm(), low=[-1] * 3).low.tolist() == [-1] * 3


def floating() -> er.Articulated:
    links = [er.Link(name, er.Sphere(0.1)) for name in "abcd"]
    kinds = {"fly": "free", "ball": "spherical", "wheel": "revolute"}
    joints = [
        er.Joint(name, kind, a, b) for (name, kind), a, b in zip(kinds.items(), "abc", "bcd", strict=True)
    ]
    return er.Articulated(links, joints)


def test_joints_of_several_values_are_drawn_and_measured_as_rotations() -> None:
    body = floating()
    with pytest.raises(ValueError, match="joint 'fly' is free without limits: give low and high"):
        JointSpace.of(body)
    space = JointSpace.of(body, low=[-2] * 12, high=[2] * 12)
    assert space.turns == (3, 7) and space.names[:7] == ("fly",) * 7 and space.dof == body.dof == 12
    states = states_of(space, 100)
    body.move(states)
    assert np.allclose(np.linalg.norm(states[:, 3:7], axis=1), 1.0)


def test_turning_joints_without_limits_are_searched_all_round() -> None:
    links = [er.Link(name, er.Sphere(0.1)) for name in "ab"]
    space = JointSpace.of(er.Articulated(links, [er.Joint("wheel", "revolute", "a", "b")]))
    assert (space.low[0], space.high[0]) == (-np.pi, np.pi)


# What is refused, and the rest.


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: RigidSpace([0, 0], [1, 1]), r"low must have shape \(3,\)"),
        (lambda: RigidSpace([0, 0, 0], [1, -1, 1]), "low must not exceed high: 0.0 and -1.0 at index 1"),
        (lambda: RigidSpace([0, np.nan, 0], [1, 1, 1]), "low must be finite"),
        (lambda: RigidSpace([0, 0, 0], [1, np.inf, 1]), "high must be finite"),
        (lambda: RigidSpace(*BOX, metric="euclid"), "metric must be one of"),  # type: ignore[arg-type]
        (lambda: RigidSpace(*BOX, metric="weighted"), "weight must be given"),
        (lambda: RigidSpace(*BOX, metric="hourglass"), "radius must be given"),
        (lambda: RigidSpace(*BOX, metric="weighted", weight=-1.0), "weight must be finite, not negative"),
        (lambda: JointSpace([0, 1], [1]), r"high must have shape \(2,\)"),
        (lambda: JointSpace([], []), "low is empty"),
        (lambda: JointSpace([0] * 3, [1] * 3, weights=[1, 2]), "weights must be a number or have shape"),
        (lambda: JointSpace([0] * 5, [1] * 5, turns=[2]), "turns must be at least 0 and at most 1"),
        (lambda: JointSpace([0] * 8, [1] * 8, turns=[0, 3]), "turns has quaternions that overlap"),
        (lambda: JointSpace([0] * 4, [1] * 4, turns=[0], weights=[1, 1, 1, 2]), "weights must be equal"),
        (lambda: JointSpace([0, 0], [1, 1], names=["a"]), "names must have 2 names, got 1"),
        (lambda: JointSpace.of(er.Sphere(1)), "body must be an Articulated"),  # type: ignore[arg-type]
    ],
)
def test_bad_spaces_are_refused(make: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make()


@pytest.mark.parametrize(
    ("space", "state", "said"),
    [
        (
            RIGID["position"],
            er.Pose(translation=[0, 6, 3]),
            "goal is outside the space.*y = 6 is not between 0 and 5",
        ),
        (RIGID["position"], np.full((4, 4), np.nan), "goal must be finite"),
        (RIGID["position"], np.diag([1.0, 2, 1, 1]), "goal has a rotation that is not orthonormal"),
        (RIGID["position"], [0, 0, 0], "goal must be a Pose"),
        (JOINTS["plain"], [0, 9, 3], "goal is outside the space.*q1 = 9 is not between 0 and 5"),
        (JOINTS["plain"], [0, 0], "goal must have 3 numbers"),
        (JOINTS["plain"], [[0, 0, 3]], "goal must be one configuration"),
        (JOINTS["plain"], [0, np.nan, 3], "goal must be finite"),
        (JOINTS["with turns"], [0.0] * 10, "goal: the quaternion at 1 must have length 1"),
    ],
)
def test_bad_states_are_refused_by_name(space: Space, state: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        space.state(state, "goal")


@pytest.mark.parametrize("name", SPACES)
def test_spaces_pickle_and_copy(name: str) -> None:
    space = SPACES[name]
    a, b = states_of(space, 2)
    for twin in (pickle.loads(pickle.dumps(space)), copy.copy(space), copy.deepcopy(space)):
        assert repr(twin) == repr(space) and twin.distance(a, b) == space.distance(a, b)


def test_spaces_say_what_they_are() -> None:
    assert repr(RIGID["hourglass"]) == (
        "RigidSpace([-1.0, 0.0, 2.0], [1.0, 5.0, 4.0], metric='hourglass', weight=0.0, radius=2.0)"
    )
    assert repr(JointSpace([0, 0], [1, 2])) == "<JointSpace: q0 from 0 to 1, q1 from 0 to 2>"
    assert repr(JOINTS["with turns"]) == "<JointSpace: 10 values>"
