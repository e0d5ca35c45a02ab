"""Configurations and poses as programs write them: the quick ways agree with the careful ones."""

from __future__ import annotations

import numpy as np
import pytest

import elbowroom as er
from elbowroom import _arrays, _core


def _arm() -> er.Articulated:
    links = [er.Link(f"link {i}", er.Box(0.1)) for i in range(4)]
    kinds = ("revolute", "prismatic", "revolute")
    joints = [
        er.Joint(f"joint {i}", kind, f"link {i}", f"link {i + 1}", limits=(-1 - i, 2 + i))
        for i, kind in enumerate(kinds)
    ]
    return er.Articulated(links, joints)


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, 2**32, 2**40 + 7, 2**63 - 1])
def test_numbers_are_those_of_numpy(seed: int) -> None:
    wanted = np.random.Generator(np.random.PCG64(seed)).random(50)
    assert (_core.uniform_numbers(seed, 50) == wanted).all()


@pytest.mark.parametrize("n", [None, 1, 5])
def test_random_configurations_are_those_drawn_joint_by_joint(n: int | None) -> None:
    body = _arm()
    wanted = body._skeleton.random(n or 1, np.random.default_rng(3))
    found = body.random(n, seed=3)
    assert (found == (wanted[0] if n is None else wanted)).all()


@pytest.mark.parametrize(
    "given",
    [[0.5, 1, -0.25], (0.5, 1.0, -0.25), np.array([0.5, 9, 1.0, 9, -0.25])[::2], [np.float64(0.5), 1, -0.25]],
)
def test_move_takes_lists_and_slices(given: object) -> None:
    body = _arm()
    body.move(given)
    assert body.configuration is not None and body.configuration.tolist() == [0.5, 1.0, -0.25]


@pytest.mark.parametrize(
    "bad",
    [[0.5, float("nan"), 0], [0.5, 1e300, 0], [0.5, 0], [True, False, True], ["a", 0, 0], [10**400, 0, 0]],
)
def test_move_refuses_bad_lists_and_stays(bad: list[object]) -> None:
    body = _arm()
    body.move([0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="configuration"):
        body.move(bad)
    with pytest.raises(ValueError, match="configuration"):
        body.move({f"joint {i}": value for i, value in enumerate([*bad, "no"][:3])})
    assert body.configuration is not None and body.configuration.tolist() == [0.1, 0.2, 0.3]


def test_names_of_every_joint_move_a_body_that_holds_many() -> None:
    body = _arm()
    body.move(body.random(4, seed=1))
    with pytest.raises(ValueError, match=r"it lacks joint 1, joint 2"):
        body.move({"joint 0": 0.5})
    body.move({"joint 2": -0.25, "joint 0": 0.5, "joint 1": 1})
    assert body.configuration is not None and body.configuration.tolist() == [0.5, 1.0, -0.25]


def test_pairs_are_poses_by_the_careful_way_too() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        q, t = rng.normal(size=4), rng.normal(size=3)
        q /= np.linalg.norm(q)
        careful = er.Pose(_arrays.pose_of(q, t))
        for pair in ((q, t), (q.tolist(), tuple(t)), (careful.rotation, t), (careful.rotation.tolist(), t)):
            assert np.abs(er.Pose(*pair).matrix - careful.matrix).max() < 1e-15
        assert er.Pose(careful.matrix) == er.Pose(careful.matrix.tolist()) == er.Pose(careful) == careful


def test_products_stay_rotations() -> None:
    turn = er.Pose([np.cos(0.1), np.sin(0.1), 0, 0], [0.1, 0, 0])
    product = er.Pose()
    for _ in range(1000):
        product = product @ turn
    error = product.rotation @ product.rotation.T - np.eye(3)
    assert np.abs(error).max() < 1e-14
    far = er.Pose(translation=[0.9 * _arrays.LARGEST, 0, 0])
    with pytest.raises(ValueError, match="rescale the scene"):
        _ = far @ far


def test_a_whole_pose_takes_no_translation() -> None:
    with pytest.raises(ValueError, match="translation must be left out"):
        er.Pose(np.eye(4), [1, 2, 3])


def test_joint_space_distances_agree_and_refuse() -> None:
    space = er.planning.JointSpace([-1, -1], [1, 3], weights=[1, 2])
    slow = space.distances(np.array([[0.0, 0.5]]), np.array([[3.0, 2.0]]))[0]
    assert space.distance([0, 0.5], np.array([3.0, 2.0])) == slow
    for bad in ([0.0, float("nan")], [0.0], ["a", 0.0]):
        with pytest.raises(ValueError, match=r"^b "):
            space.distance([0.0, 0.0], bad)
