"""CollisionManager beside that of trimesh, where that is right, and right where it is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from world_twin import random_pose

from elbowroom.compat.trimesh import CollisionManager, scene_to_collision

trimesh = pytest.importorskip("trimesh")


def meshes() -> list[Any]:
    """Convex ones, and two that are not."""
    ring = trimesh.creation.annulus(0.3, 0.5, 0.4, sections=16)
    rod = trimesh.creation.capsule(radius=0.2, height=0.6, count=[8, 8])
    return [trimesh.creation.box([0.6, 0.4, 0.5]), trimesh.creation.icosphere(1, 0.4), ring, rod]


def filled(kind: Any, seed: int, prefix: str = "") -> Any:
    """A manager with 30 meshes."""
    rng, shapes, manager = np.random.default_rng(seed), meshes(), kind()
    for i in range(30):
        manager.add_object(f"{prefix}{i}", shapes[i % len(shapes)], random_pose(rng, 1.5))
    return manager


def test_distances_belong_to_their_names_and_points() -> None:
    """Trimesh gives the right distance with the names and points of another pair: its issue #1055."""
    manager = CollisionManager()
    for i in range(4):
        manager.add_object(i, meshes()[i], trimesh.transformations.translation_matrix([2.0 * i, 0.3 * i, 0]))
    box, far = trimesh.creation.box([1, 1, 1]), trimesh.transformations.translation_matrix([-1.3, 0, 0])
    length, name, data = manager.min_distance_single(box, far, return_name=True, return_data=True)
    assert (name, length) == (0, pytest.approx(0.5))
    assert data.distance == length
    assert np.linalg.norm(data.point(0) - data.point("__external")) == pytest.approx(length)
    assert data.point(0)[0] == pytest.approx(-0.3)
    assert box.face_normals[data.index("__external")] @ [1, 0, 0] == pytest.approx(1)
    length, names, data = manager.min_distance_internal(return_names=True, return_data=True)
    assert np.linalg.norm(data.point(names[0]) - data.point(names[1])) == pytest.approx(length)
    others = [manager.min_distance_internal(i, return_names=True) for i in range(4)]
    assert min(others) == (length, names)


def test_distances_are_negative_where_meshes_collide() -> None:
    """Trimesh's may be negative beside, and positive within: its issue #284."""
    manager = filled(CollisionManager, 5)
    rng = np.random.default_rng(6)
    for _ in range(50):
        pose = random_pose(rng, 2.5)
        mesh = meshes()[rng.integers(4)]
        assert (manager.min_distance_single(mesh, pose) <= 0) == manager.in_collision_single(mesh, pose)
    ball = trimesh.creation.box([1, 1, 1])
    one = CollisionManager()
    one.add_object("a", ball)
    at = trimesh.transformations.translation_matrix([0.75, 0, 0])
    assert one.min_distance_single(ball, at) == pytest.approx(-0.25)
    hit, names, contacts = one.in_collision_single(ball, at, return_names=True, return_data=True)
    assert (hit, names, contacts[0].names) == (True, {"a"}, {"a", "__external"})
    assert contacts[0].depth == pytest.approx(0.25)
    assert abs(contacts[0].normal) == pytest.approx([1, 0, 0])


def test_objects_come_go_and_move() -> None:
    box, manager = trimesh.creation.box([1, 1, 1]), CollisionManager()
    manager.add_object(("a", 1), box)
    manager.add_object(7, box, trimesh.transformations.translation_matrix([3, 0, 0]))
    assert manager.min_distance_internal() == 2.0
    manager.add_object(7, box, trimesh.transformations.translation_matrix([4, 0, 0]))
    assert manager.min_distance_internal() == 3.0
    manager.set_transform(7, np.eye(4))
    assert manager.in_collision_internal()
    manager.remove_object(7)
    assert manager.in_collision_internal(return_names=True) == (False, set())
    for change in (
        lambda: manager.remove_object(7),
        lambda: manager.set_transform(7, np.eye(4)),
        lambda: manager.min_distance_internal(7),
    ):
        with pytest.raises(ValueError, match="7 is not in this collision manager"):
            change()
    with pytest.raises(ValueError, match="transform"):
        manager.set_transform(("a", 1), np.diag([2.0, 2, 2, 1]))


def test_scenes() -> None:
    scene = trimesh.Scene()
    box = trimesh.creation.box([1, 1, 1])
    for i in range(3):
        at = trimesh.transformations.translation_matrix([1.5 * i, 0, 0])
        scene.add_geometry(box, node_name=f"node {i}", geom_name="box", transform=at)
    manager, bodies = scene_to_collision(scene)
    assert list(bodies) == ["node 0", "node 1", "node 2"]
    assert manager.min_distance_internal("node 2", return_names=True) == (0.5, ("node 1", "node 2"))
