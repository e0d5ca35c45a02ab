"""CollisionManager beside that of trimesh, which needs python-fcl."""

from __future__ import annotations

import numpy as np
import trimesh
from test_compat_trimesh import filled, meshes
from world_twin import random_pose

from elbowroom.compat.trimesh import CollisionManager


def test_collisions_are_those_of_trimesh() -> None:
    ours, theirs = (filled(kind, 1) for kind in (CollisionManager, trimesh.collision.CollisionManager))
    assert ours.in_collision_internal(return_names=True) == theirs.in_collision_internal(return_names=True)
    others = [filled(kind, 2, "b") for kind in (CollisionManager, trimesh.collision.CollisionManager)]
    assert ours.in_collision_other(others[0], return_names=True) == theirs.in_collision_other(
        others[1], return_names=True
    )
    rng = np.random.default_rng(3)
    for mesh in meshes():
        pose = random_pose(rng, 1.5)
        asked = [manager.in_collision_single(mesh, pose, return_names=True) for manager in (ours, theirs)]
        assert asked[0] == asked[1]
