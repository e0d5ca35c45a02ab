"""W4: a hook of two boxes among 1330 tetrahedra, one distance a pose, 20,000 random poses.

The bodies are solid: a hook inside a tetrahedron would be at distance 0. Contestants that hold meshes know
surfaces only and cannot see that; where answers differ, the oracle says who is wrong.

    python -m benchmarks.convex.run --poses 2000 --repetitions 3
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np

import elbowroom as er
from benchmarks import common
from benchmarks.common import Array
from benchmarks.mesh.run import Indices, Surface, coal_mesh, fcl_mesh, sampled, surface_distance
from elbowroom import scenes

BASE, RIVAL = "elbowroom, call by call", "coal, convex + manager"
FLOOR = 1e-7  # distances that differ by less are taken as equal: 1e-9 of the world's side
TETRAHEDRON: Indices = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])
# Corner number 4 i + 2 j + k of a box has its x, y, z at the side i, j, k.
BOX: Indices = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 7, 5], [4, 6, 7]),
        *([0, 5, 1], [0, 4, 5], [2, 3, 7], [2, 7, 6]),
        *([0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
    ]
)


@dataclass
class Scene:
    """Legs (extents, centre), corners of the tetrahedra (n, 4, 3) and poses of the hook (m, 4, 4)."""

    legs: list[tuple[Array, Array]]
    obstacles: Array
    poses: Array

    @cached_property
    def hook_surface(self) -> Surface:
        sides = np.array(list(product((-0.5, 0.5), repeat=3)))
        corners = [sides * extents + centre for extents, centre in self.legs]
        return np.concatenate(corners), np.concatenate([BOX + 8 * k for k in range(len(corners))])

    @cached_property
    def obstacle_surface(self) -> Surface:
        first = 4 * np.arange(len(self.obstacles))
        return self.obstacles.reshape(-1, 3), (TETRAHEDRON + first[:, None, None]).reshape(-1, 3)

    @cached_property
    def barycentric(self) -> Array:
        """Maps (n, 3, 3) from a point, less the first corner, to its shares of the other three."""
        edges = self.obstacles[:, 1:] - self.obstacles[:, :1]
        return np.asarray(np.linalg.inv(edges.transpose(0, 2, 1)), dtype=float)

    def truth(self, index: int) -> float:
        """Distance of the solids in one pose by brute force: containment, then all pairs of triangles."""
        rotation, translation = self.poses[index, :3, :3], self.poses[index, :3, 3]
        if self._contained(rotation, translation):
            return 0.0
        (hook, hook_faces), (corners, faces) = self.hook_surface, self.obstacle_surface
        return surface_distance((hook @ rotation.T + translation)[hook_faces], corners[faces])

    def _contained(self, rotation: Array, translation: Array) -> bool:
        """Is a leg's centre in a tetrahedron, or a corner of a tetrahedron in a leg?"""
        corners = (self.obstacles.reshape(-1, 3) - translation) @ rotation
        for extents, centre in self.legs:
            from_first = rotation @ centre + translation - self.obstacles[:, 0]
            shares = np.einsum("nij,nj->ni", self.barycentric, from_first)
            if np.any((shares >= 0).all(axis=1) & (shares.sum(axis=1) <= 1)):
                return True
            if np.any((np.abs(corners - centre) <= extents / 2).all(axis=1)):
                return True
        return False


class Elbowroom:
    """Two groups, one Python call a pose; the pose is a (4, 4) array."""

    def __init__(self, scene: Scene) -> None:
        self.hook = er.Group([(er.Box(extents), (np.eye(3), centre)) for extents, centre in scene.legs])
        self.obstacles = er.Group([(er.Convex(corners), None) for corners in scene.obstacles])
        self.array = scene.poses
        self.poses = list(scene.poses)

    def distance(self) -> Any:
        hook, obstacles = self.hook, self.obstacles
        return [er.distance(hook, obstacles, pose).value for pose in self.poses]


class ElbowroomArray(Elbowroom):
    """All poses in one call, on so many threads."""

    threads = 1

    def distance(self) -> Any:
        return er.distance(self.hook, self.obstacles, self.array, threads=self.threads).values


class ElbowroomThreads(ElbowroomArray):
    """All poses in one call, on every core."""

    threads = common.cores()


class CoalConvex:
    """Obstacles as coal.Convex in a DynamicAABBTreeCollisionManager, each leg a coal.Box asked against it."""

    def __init__(self, scene: Scene) -> None:
        self.coal: Any = import_module("coal")
        self.shapes = [self._convex(corners) for corners in scene.obstacles]
        self.objects = [self.coal.CollisionObject(shape) for shape, _ in self.shapes]
        self.manager = self.coal.DynamicAABBTreeCollisionManager()
        for one in self.objects:
            self.manager.registerObject(one)
        self.manager.setup()
        self.legs = [
            (self.coal.CollisionObject(self.coal.Box(*extents)), centre) for extents, centre in scene.legs
        ]
        self.poses = common.split(scene.poses)

    def _convex(self, corners: Array) -> tuple[Any, Any]:
        """The shape and the arrays that it points into, which must outlive it."""
        points, faces = self.coal.StdVec_Vec3s(), self.coal.StdVec_Triangle()
        for corner in corners:
            points.append(corner)
        for face in TETRAHEDRON:
            faces.append(self.coal.Triangle(*map(int, face)))
        return self.coal.Convex(points, faces), (points, faces)

    def distance(self) -> list[float]:
        coal, manager, legs, answers = self.coal, self.manager, self.legs, []
        callback = coal.DistanceCallBackDefault()
        for rotation, translation in self.poses:
            best = math.inf
            for leg, centre in legs:
                leg.setTransform(coal.Transform3s(rotation, rotation @ centre + translation))
                leg.computeAABB()
                callback.init()
                manager.distance(leg, callback)
                best = min(best, callback.data.result.min_distance)
            answers.append(best)
        return answers


class FclConvex:
    """Obstacles as fcl.Convex in a DynamicAABBTreeCollisionManager, each leg an fcl.Box asked against it."""

    def __init__(self, scene: Scene) -> None:
        self.fcl: Any = import_module("fcl")
        faces = np.insert(TETRAHEDRON, 0, 3, axis=1).ravel()  # each face is preceded by its number of corners
        self.objects = [self.fcl.CollisionObject(self.fcl.Convex(c, 4, faces)) for c in scene.obstacles]
        self.manager = self.fcl.DynamicAABBTreeCollisionManager()
        self.manager.registerObjects(self.objects)
        self.manager.setup()
        self.legs = [
            (self.fcl.CollisionObject(self.fcl.Box(*extents)), centre) for extents, centre in scene.legs
        ]
        self.poses = common.split(scene.poses)

    def distance(self) -> list[float]:
        fcl, manager, legs, answers = self.fcl, self.manager, self.legs, []
        request = fcl.DistanceRequest()
        for rotation, translation in self.poses:
            best = math.inf
            for leg, centre in legs:
                leg.setTransform(fcl.Transform(rotation, rotation @ centre + translation))
                data = fcl.DistanceData(request)
                manager.distance(leg, data, fcl.defaultDistanceCallback)
                best = min(best, data.result.min_distance)
            answers.append(best)
        return answers


class CoalMesh:
    """Hook and obstacles as one coal.BVHModelOBBRSS each: surfaces only."""

    def __init__(self, scene: Scene) -> None:
        self.coal: Any = import_module("coal")
        self.hook, self.obstacles = coal_mesh(*scene.hook_surface), coal_mesh(*scene.obstacle_surface)
        self.poses = common.split(scene.poses)

    def distance(self) -> list[float]:
        coal, hook, obstacles, answers = self.coal, self.hook, self.obstacles, []
        still, request, result = coal.Transform3s.Identity(), coal.DistanceRequest(), coal.DistanceResult()
        for rotation, translation in self.poses:
            result.clear()
            pose = coal.Transform3s(rotation, translation)
            answers.append(coal.distance(hook, pose, obstacles, still, request, result))
        return answers


class FclMesh:
    """Hook and obstacles as one fcl.BVHModel each: surfaces only."""

    def __init__(self, scene: Scene) -> None:
        self.fcl: Any = import_module("fcl")
        self.hook = self.fcl.CollisionObject(fcl_mesh(*scene.hook_surface))
        self.obstacles = self.fcl.CollisionObject(fcl_mesh(*scene.obstacle_surface))
        self.poses = common.split(scene.poses)

    def distance(self) -> list[float]:
        fcl, hook, obstacles, answers = self.fcl, self.hook, self.obstacles, []
        request, result = fcl.DistanceRequest(), fcl.DistanceResult()
        for rotation, translation in self.poses:
            hook.setTransform(fcl.Transform(rotation, translation))
            answers.append(fcl.distance(hook, obstacles, request, result))
        return answers


CONTESTANTS: dict[str, Any] = {
    BASE: Elbowroom,
    "elbowroom, array, 1 thread": ElbowroomArray,
    f"elbowroom, array, {common.cores()} threads": ElbowroomThreads,
    RIVAL: CoalConvex,
    "fcl, convex + manager": FclConvex,
    "coal, mesh": CoalMesh,
    "fcl, mesh": FclMesh,
}


def run(settings: argparse.Namespace) -> dict[str, Any]:
    """Build the scene and every contestant, and ask them all."""
    scene = Scene(scenes.hook(), scenes.tetrahedra(), scenes.hook_poses(settings.poses))
    truth = lru_cache(maxsize=None)(scene.truth)
    names = common.chosen(CONTESTANTS, settings.only)
    runs = {name: CONTESTANTS[name](scene).distance for name in names}
    untimed = {}
    if settings.oracle:
        untimed[f"brute force at {settings.oracle} poses"] = sampled(truth, settings.poses, settings.oracle)
    title = f"distance: hook to {len(scene.obstacles)} tetrahedra, {settings.poses} poses"
    return common.contest(title, runs, untimed, truth, FLOOR, RIVAL, settings)


def main() -> None:
    made = common.parser(__doc__, repetitions=7)
    made.add_argument("--poses", type=int, default=20_000)
    made.add_argument("--oracle", type=int, default=200, help="poses at which brute force is asked as well")
    settings = made.parse_args()
    common.save(settings.json, "convex", vars(settings), {"tables": [run(settings)]})


if __name__ == "__main__":
    main()
