"""Rays against every body: brute force, closed forms, and proofs that the way to a hit is free."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom import scenes


def random_rays(seed: int, count: int, spread: float = 3.0) -> tuple[np.ndarray, np.ndarray]:
    """Rays that begin about the origin and end there about half of the time."""
    rng = np.random.default_rng(seed)
    origins, noise = rng.normal(size=(2, count, 3))
    return spread * origins, noise - 0.7 * spread * origins


def unit(vectors: Any) -> np.ndarray:
    return np.asarray(vectors, float) / np.linalg.norm(vectors, axis=-1, keepdims=True)


def crossings(corners: Any, origin: Any, direction: Any) -> tuple[np.ndarray, np.ndarray]:
    """Where a ray crosses which triangles: one linear system for each triangle."""
    found = []
    for i, (a, b, c) in enumerate(corners):
        matrix = np.stack([b - a, c - a, -direction], axis=1)
        if abs(np.linalg.det(matrix)) > 1e-14:
            u, v, t = np.linalg.solve(matrix, origin - a)
            if min(u, v, 1 - u - v, t) >= 0:
                found.append((t, i))
    return np.array([t for t, _ in sorted(found)]), np.array([i for _, i in sorted(found)], int)


@pytest.mark.parametrize("children", [2, 8])
def test_meshes_are_cast_as_by_brute_force(children: int) -> None:
    vertices, faces = scenes.spring()
    mesh = er.Mesh(vertices, faces, children=children)
    origins, directions = random_rays(1, 60, 6.0)
    every, first = er.cast(mesh, origins, directions, every=True), er.cast(mesh, origins, directions)
    for ray, (origin, direction) in enumerate(zip(origins, unit(directions), strict=True)):
        distances, triangles = crossings(vertices[faces], origin, direction)
        np.testing.assert_allclose(every.distances[every.rays == ray], distances, atol=1e-12)
        assert sorted(every.primitives[every.rays == ray]) == sorted(triangles)
        assert first.hits[ray] == (len(distances) > 0)
        if len(distances):
            assert first.distances[ray] == every.distances[every.rays == ray][0]
    assert 10 < first.hits.sum() < 60
    np.testing.assert_allclose(
        every.points, origins[every.rays] + every.distances[:, None] * unit(directions)[every.rays]
    )


def test_no_ray_leaves_a_closed_mesh_unseen() -> None:
    vertices, faces = _ball(40)
    mesh = er.Mesh(vertices, faces)
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    rng = np.random.default_rng(2)
    share = rng.uniform(size=(len(edges), 1))
    on_edges = share * vertices[edges[:, 0]] + (1 - share) * vertices[edges[:, 1]]
    for inside in ([0.0, 0.0, 0.0], [0.1, -0.2, 0.03]):
        for targets in (vertices, on_edges):
            towards = targets - inside
            hit = er.cast(mesh, inside, towards)
            assert hit.hits.all()
            np.testing.assert_allclose(hit.distances, np.linalg.norm(towards, axis=1), rtol=1e-12)


def _ball(n: int) -> tuple[np.ndarray, np.ndarray]:
    """A closed ball of triangles by longitude and latitude."""
    u, v = np.meshgrid(np.arange(n) / n * 2 * np.pi, np.arange(1, n) / n * np.pi)
    ring = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], axis=-1).reshape(-1, 3)
    vertices = np.vstack([ring, [0, 0, 1], [0, 0, -1]])
    i, j = np.meshgrid(np.arange(n), np.arange(n - 2))
    a, b = (j * n + i).ravel(), (j * n + (i + 1) % n).ravel()
    top, bottom, k = len(ring), len(ring) + 1, np.arange(n)
    caps = [
        np.stack([np.full(n, top), k, (k + 1) % n], axis=1),
        np.stack([np.full(n, bottom), top - n + (k + 1) % n, top - n + k], axis=1),
    ]
    return vertices, np.vstack([np.stack([a, a + n, b], axis=1), np.stack([b, a + n, b + n], axis=1), *caps])


SHAPES = {
    "sphere": er.Sphere(1.0),
    "capsule": er.Capsule(0.5, 2.0),
    "box": er.Box([1.0, 2.0, 3.0]),
    "convex": er.Convex(np.random.default_rng(3).normal(size=(40, 3))),
    "group": er.Group([(er.Sphere(1.0), er.Pose(translation=[1, 2, 0])), (er.Box(1.0), er.Pose())]),
    "mesh": er.Mesh(*scenes.spring()),
}


@pytest.mark.parametrize("radius", [0.0, 0.3])
@pytest.mark.parametrize("kind", SHAPES)
def test_the_way_to_a_hit_is_free_and_its_end_touches(kind: str, radius: float) -> None:
    body, (origins, directions) = SHAPES[kind], random_rays(4, 150)
    hit = er.cast(body, origins, directions, radius=radius)
    assert 0 < hit.hits.sum() < len(hit)
    ball = er.Sphere(max(radius, 1e-9))
    for origin, direction, t, point in zip(origins, unit(directions), hit.distances, hit.points, strict=True):
        if np.isfinite(t):
            assert er.distance(body, ball, pose_b=er.Pose(translation=point)).value <= 2e-9
        end = min(t * (1 - 1e-6) - 1e-7, 50.0)
        if end > 0:  # free up to the hit, proved for the whole way
            way = er.Motion(er.Pose(translation=origin), er.Pose(translation=origin + end * direction))
            assert er.check(er.Sphere(max(radius - 1e-9, 1e-9)), way, body).free is not False


def test_shapes_have_closed_forms() -> None:
    t = 2 - 1 / np.sqrt(2)
    assert er.cast(er.Sphere(1), [-2, 0, np.sqrt(0.5)], [1, 0, 0]).distances[0] == pytest.approx(t, abs=1e-15)
    box = er.cast(er.Box(2), [[-3, 0.5, 0.5], [0, 0, 9]], [[2, 0, 0], [0, 0, -1]])
    assert box.distances.tolist() == pytest.approx([2.0, 8.0], abs=1e-13)
    np.testing.assert_allclose(box.normals, [[-1, 0, 0], [0, 0, 1]], atol=1e-13)
    capsule = er.cast(er.Capsule(0.5, 2), [[-3, 0, 0.9], [0, 0, -9]], [[1, 0, 0], [0, 0, 1]])
    assert capsule.distances.tolist() == pytest.approx([2.5, 7.5], abs=1e-13)


def test_a_ray_that_begins_inside_meets_a_shape_at_once_and_a_mesh_at_its_surface() -> None:
    for kind in ("sphere", "capsule", "box"):
        hit = er.cast(SHAPES[kind], [0.1, 0, 0], [0, 0, 1])
        assert hit.distances[0] == 0
        assert hit.normals[0].tolist() == [0, 0, -1]
    assert er.cast(er.Mesh(*_ball(30)), [0, 0, 0], [0, 0, 1]).distances[0] == pytest.approx(1)


def test_grazing_and_degenerate_rays() -> None:
    triangle = er.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assert er.cast(triangle, [-1, 0.25, 0], [1, 0, 0]).distances[0] == pytest.approx(
        1, abs=1e-12
    )  # in its plane
    assert not er.cast(triangle, [-1, 0.25, 1e-6], [1, 0, 0]).hits[0]
    assert er.cast(triangle, [0, 0, 1], [0, 0, -1]).hits[0]  # through a corner
    assert er.cast(er.Box(2), [-5, 1, 0], [1, 0, 0]).hits[0]  # along a face
    assert not er.cast(er.Box(2), [-5, 1 + 1e-9, 0], [1, 0, 0]).hits[0]
    assert er.cast(er.Sphere(1), [-5, 1, 0], [1, 0, 0]).hits[0]
    assert not er.cast(er.Sphere(1), [-5, 1 + 1e-9, 0], [1, 0, 0]).hits[0]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e9])
def test_sizes_and_far_origins(scale: float) -> None:
    vertices, faces = _ball(12)
    mesh = er.Mesh(vertices * scale, faces)
    for far in (2.0, 1e4):
        hit = er.cast(mesh, [0.1 * scale, 0.2 * scale, far * scale], [0, 0, -1])
        expected, _ = crossings(vertices[faces], np.array([0.1, 0.2, 2.0]), np.array([0, 0, -1.0]))
        assert hit.distances[0] / scale - (far - 2) == pytest.approx(expected[0], abs=1e-15 * far + 1e-12)


def test_pose_limit_and_threads() -> None:
    mesh, (origins, directions) = SHAPES["mesh"], random_rays(5, 300)
    pose = er.Pose([0.5, 0.5, 0.5, 0.5], [1, 2, 3])
    moved = er.cast(mesh, origins, directions, pose)
    turned = origins @ pose.rotation - pose.translation @ pose.rotation
    here = er.cast(mesh, turned, directions @ pose.rotation)
    np.testing.assert_allclose(moved.distances, here.distances, rtol=1e-11)
    np.testing.assert_allclose(moved.normals, here.normals @ pose.rotation.T, atol=1e-11)
    near = er.cast(mesh, origins, directions, pose, limit=2.5)
    assert (near.hits == (moved.distances <= 2.5)).all()
    one = er.cast(mesh, origins, directions, pose, threads=1)
    assert one.distances.tolist() == moved.distances.tolist()
    assert one.counters.volume_tests == moved.counters.volume_tests


def test_bodies_that_bend_are_met_where_they_are() -> None:
    positions = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0.5, 0], [3, 0, 0]])
    for body in (er.Chain(positions, np.full(4, 0.4)), er.Necklace(positions, np.full(4, 0.4))):
        hit = er.cast(body, [[2, 5, 0], [3, 0, -4], [9, 9, 9]], [[0, -1, 0], [0, 0, 1], [0, 0, 1]])
        assert hit.primitives.tolist() == [2, 3, -1]
        assert hit.distances.tolist() == pytest.approx([4.1, 3.6, np.inf])
    at = er.Pose(translation=[2, 0, 0])
    arm = er.Articulated(
        [er.Link("base", er.Box(1)), er.Link("arm", er.Sphere(0.5))],
        [er.Joint("slide", "prismatic", "base", "arm", at, axis=[1, 0, 0], limits=(0, 9))],
    )
    arm.move([3.0])
    hit = er.cast(arm, [[-4, 0, 0], [9, 0, 0]], [[1, 0, 0], [-1, 0, 0]])
    assert hit.primitives.tolist() == [0, 1]
    assert hit.distances.tolist() == pytest.approx([3.5, 3.5])


def test_repr_and_wrong_arguments() -> None:
    assert repr(er.cast(er.Sphere(1), [-3, 0, 0], [1, 0, 0])) == "Cast: 1 of 1 rays hit, nearest at 2"
    assert repr(er.cast(er.Sphere(1), [-3, 0, 0], [0, 1, 0], every=True)) == "Cast: 0 of 1 rays hit"
    sphere = er.Sphere(1)
    for arguments, message in (
        (([0, 0, 0], [0, 0, 0]), r"directions must not be zero, but directions\[0\] is"),
        (([[0, 0, 0]] * 2, [[0, 0, 1]] * 3), "origins and directions must be as many, got 2 and 3"),
        (([0, 0], [0, 0, 1]), r"origins must have shape \(n, 3\) or \(3,\)"),
        (([0, 0, np.nan], [0, 0, 1]), "origins must be finite"),
    ):
        with pytest.raises(ValueError, match=message):
            er.cast(sphere, *arguments)
    with pytest.raises(ValueError, match="radius"):
        er.cast(sphere, [0, 0, 0], [0, 0, 1], radius=-1)
    with pytest.raises(TypeError, match="body must be a body"):
        er.cast("sphere", [0, 0, 0], [0, 0, 1])


def test_links_without_shapes_meet_nothing() -> None:
    joint = er.Joint("j", "revolute", "a", "b", er.Pose())
    body = er.Articulated([er.Link("a"), er.Link("b")], [joint])
    for every in (False, True):
        hit = er.cast(body, [[0, 0, 0], [1, 0, 0]], [1, 0, 0], every=every)
        assert hit.hits.tolist() == [False, False]
        assert len(hit) == (0 if every else 2)
