"""`within` and `self_within` with `points`: nearest points of every pair, and the direction between them."""

from __future__ import annotations

import pickle
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

import elbowroom as er

REACH = 0.5
POINT = er.Convex([[0.0, 0.0, 0.0]])


def arm() -> er.Articulated:
    bone = [(er.Capsule(0.1, 0.3), er.Pose(translation=[0, 0, 0.25])), er.Box([0.2, 0.3, 0.1])]
    links = [er.Link(f"bone {k}", bone) for k in range(5)]
    joints = [
        er.Joint(f"joint {k}", "revolute", f"bone {k}", f"bone {k + 1}", er.Pose(translation=[0, 0, 0.5]),
                 axis=(k % 2, (k + 1) % 2, 0), limits=(-2.5, 2.5))
        for k in range(4)
    ]  # fmt: skip
    body = er.Articulated(links, joints)
    body.move([1.2, 0.4, 2.0, -0.5])
    return body


def bodies() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    walk = np.cumsum(rng.normal(size=(40, 3)), axis=0) * 0.3
    vertices, faces = er.scenes.torus()
    balls = [(er.Sphere(0.2), er.Pose(translation=t)) for t in rng.uniform(-1, 1, (12, 3))]
    return {
        "mesh": er.Mesh(vertices * (2 / np.ptp(vertices)), faces),
        "group": er.Group([*balls, (er.Box([0.4, 1.0, 0.2]), None)]),
        "chain": er.Chain(walk, np.full(40, 0.15)),
        "binary chain": er.Chain(walk, np.full(40, 0.15), volume="obb"),
        "necklace": er.Necklace(walk, np.full(40, 0.15)),
        "cages": er.Necklace(walk, np.full(40, 0.15), cages="wrapped"),
        "arm": arm(),
    }


def check_points(near: er.Pairs) -> None:
    """Distances are those of the points, normals are along them."""
    between = near.points[:, 1] - near.points[:, 0]
    apart = near.distances > 1e-9
    np.testing.assert_allclose(np.linalg.norm(between[apart], axis=1), near.distances[apart], atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(near.normals, axis=1), 1, atol=1e-12)
    np.testing.assert_allclose((near.normals * between)[apart].sum(axis=1), near.distances[apart], atol=1e-12)


def check_on(points: np.ndarray, body: Any, pose: Any) -> None:
    at = np.tile(np.eye(4), (len(points), 1, 1))
    at[:, :3, 3] = points
    if len(points):
        assert er.distance(POINT, body, at, pose).values.max() < 1e-9


@pytest.mark.parametrize(("first", "second"), list(combinations_with_replacement(bodies(), 2)))
def test_points_belong_to_the_bodies(first: str, second: str) -> None:
    a, b = bodies()[first], bodies()[second]
    pose_a = er.Pose([0.6, 0, 0.8, 0], [0.3, 0.2, 0.1])
    pose_b = er.Pose([0.8, 0.6, 0, 0], [0.9, -0.2, 0.4])
    near = er.within(a, b, REACH, pose_a, pose_b, points=True)
    plain = er.within(a, b, REACH, pose_a, pose_b)
    assert len(near) and plain.points is None and plain.normals is None
    assert np.array_equal(near.indices, plain.indices) and np.array_equal(near.distances, plain.distances)
    check_points(near)
    check_on(near.points[:, 0], a, pose_a)
    check_on(near.points[:, 1], b, pose_b)
    back = er.within(b, a, REACH, pose_b, pose_a, points=True)
    order = np.lexsort(back.indices.T)
    assert np.array_equal(back.indices[order][:, ::-1], near.indices)
    np.testing.assert_allclose(back.points[order][:, ::-1], near.points, atol=1e-12)
    np.testing.assert_allclose(back.normals[order], -near.normals, atol=1e-9)


@pytest.mark.parametrize("name", ["chain", "binary chain", "necklace", "cages", "arm"])
def test_points_of_a_body_and_itself(name: str) -> None:
    body = bodies()[name]
    plain, near = er.self_within(body, REACH), er.self_within(body, REACH, points=True)
    assert len(near) and np.array_equal(near.indices, plain.indices)
    np.testing.assert_allclose(near.distances, plain.distances, atol=1e-12)
    check_points(near)
    check_on(near.points.reshape(-1, 3), body, None)
    remembered = er.self_within(body, REACH, points=True, memory=er.Memory())
    assert np.array_equal(remembered.indices, near.indices)
    check_points(remembered)


def test_balls_are_touched_on_their_own_surfaces() -> None:
    """Of side balls the numbers change on the way out; their points must follow."""
    rng = np.random.default_rng(3)
    links = np.cumsum(rng.normal(size=(20, 3)), axis=0)
    owner = np.repeat(np.arange(20), 2)
    side = er.SideBalls(owner, links[owner] + rng.normal(size=(40, 3)), np.full(40, 0.1))
    chain = er.Chain(links, np.full(20, 0.2), side=side)
    radii = np.r_[np.full(20, 0.2), np.full(40, 0.1)]
    near = er.self_within(chain, 1.0, points=True)
    centres = chain.positions(side=True)
    for k in (0, 1):
        ball = near.indices[:, k]
        apart = near.distances > 0
        reached = np.linalg.norm(near.points[:, k] - centres[ball], axis=1)
        np.testing.assert_allclose(reached[apart], radii[ball][apart], atol=1e-12)


def test_overlap_has_the_normal_of_the_contact() -> None:
    a, b, pose = er.Box(1), er.Sphere(0.5), er.Pose(translation=[0.1, 0.2, 0.9])
    near = er.within(a, b, 0.1, pose_b=pose, points=True)
    assert near.distances.tolist() == [0]
    np.testing.assert_allclose(near.normals, er.collide(a, b, pose_b=pose, depth=True).contacts.normals)


def test_many_poses_and_configurations() -> None:
    body, ball = arm(), er.Sphere(0.3)
    poses = np.tile(np.eye(4), (30, 1, 1))
    poses[:, 0, 3] = np.linspace(0, 1, 30)
    near = er.within(body, ball, REACH, pose_b=poses, points=True)
    one = [er.within(body, ball, REACH, pose_b=pose, points=True) for pose in poses]
    assert near.points.shape == (len(near), 2, 3)
    assert np.array_equal(near.points, np.concatenate([each.points for each in one]))
    assert np.array_equal(near.normals, np.concatenate([each.normals for each in one]))
    values = body.random(20, seed=2)
    check_points(er.self_within(body, REACH, points=True, configurations=values))


def test_points_are_pickled_and_none_is_an_empty_array() -> None:
    near = er.within(er.Sphere(1), er.Sphere(1), 1, pose_b=er.Pose(translation=[2.5, 0, 0]), points=True)
    back = pickle.loads(pickle.dumps(near))
    assert np.array_equal(back.points, near.points) and np.array_equal(back.normals, near.normals)
    far = er.within(er.Sphere(1), er.Sphere(1), 1, pose_b=er.Pose(translation=[9, 0, 0]), points=True)
    assert far.points.shape == (0, 2, 3) and far.normals.shape == (0, 3)
