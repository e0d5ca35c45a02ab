"""W3: mesh against mesh, collide and distance, one of the two moving.

Without arguments: two springs of 1800 triangles, one going through the other in 10,000 poses. With
--pair A B: two mesh files, B in random poses about A, or in the poses of --reference (an .npz of
translation (n, 3), quat_xyzw (n, 4), collides (n,) and distance (n,)), whose answers are compared as well.

    python -m benchmarks.mesh.run --poses 1000 --repetitions 3
    python -m benchmarks.mesh.run --pair env.obj rob.obj --reference answers.npz
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from scipy.spatial.transform import Rotation

import elbowroom as er
from benchmarks import common
from benchmarks.common import Array
from elbowroom import scenes

Indices = NDArray[np.int64]
Surface = tuple[Array, Indices]
BASE, RIVAL = "elbowroom, call by call", "python-fcl"
STORED = {"collide": "collides", "distance": "distance"}  # each question and its key in a reference file


@dataclass
class Scene:
    """Two meshes, the poses of the second, and answers known beforehand (by question)."""

    title: str
    fixed: Surface
    moving: Surface
    poses: Array
    known: dict[str, Array] = field(default_factory=dict)

    def size(self) -> float:
        """The largest coordinate that takes part: what rounding is measured against."""
        return float(max(np.abs(self.fixed[0]).max(), np.abs(self.moving[0]).max()))

    def truth(self, index: int) -> float:
        """Distance in one pose by brute force."""
        rotation, translation = self.poses[index, :3, :3], self.poses[index, :3, 3]
        (vertices, faces), (moving, moving_faces) = self.fixed, self.moving
        return surface_distance(vertices[faces], (moving @ rotation.T + translation)[moving_faces])


class Elbowroom:
    """One Python call a pose; the pose is a (4, 4) array."""

    def __init__(self, scene: Scene) -> None:
        self.pair = er.Mesh(*scene.fixed), er.Mesh(*scene.moving)
        self.poses = list(scene.poses)

    def collide(self) -> list[bool]:
        a, b = self.pair
        return [bool(er.collide(a, b, None, pose)) for pose in self.poses]

    def distance(self) -> list[float]:
        a, b = self.pair
        return [er.distance(a, b, None, pose).value for pose in self.poses]


class ElbowroomMemory(Elbowroom):
    """The same with a memory, which starts each query where the last one ended."""

    def collide(self) -> list[bool]:
        (a, b), memory = self.pair, er.Memory()
        return [bool(er.collide(a, b, None, pose, memory=memory)) for pose in self.poses]

    def distance(self) -> list[float]:
        (a, b), memory = self.pair, er.Memory()
        return [er.distance(a, b, None, pose, memory=memory).value for pose in self.poses]


class ElbowroomArray:
    """All poses in one call, on so many threads."""

    threads = 1

    def __init__(self, scene: Scene) -> None:
        self.pair = er.Mesh(*scene.fixed), er.Mesh(*scene.moving)
        self.poses = scene.poses

    def collide(self) -> Any:
        return er.collide(*self.pair, None, self.poses, threads=self.threads).hits

    def distance(self) -> Any:
        return er.distance(*self.pair, None, self.poses, threads=self.threads).values


class ElbowroomThreads(ElbowroomArray):
    """All poses in one call, on every core."""

    threads = common.cores()


class Fcl:
    """python-fcl. A CollisionResult gathers contacts for ever, so each call needs a new one."""

    def __init__(self, scene: Scene) -> None:
        self.fcl: Any = import_module("fcl")
        self.pair = [self.fcl.CollisionObject(fcl_mesh(*s)) for s in (scene.fixed, scene.moving)]
        self.poses = common.split(scene.poses)

    def collide(self) -> list[bool]:
        fcl, (a, b), request, answers = self.fcl, self.pair, self.fcl.CollisionRequest(), []
        for rotation, translation in self.poses:
            b.setTransform(fcl.Transform(rotation, translation))
            answers.append(fcl.collide(a, b, request, fcl.CollisionResult()) > 0)
        return answers

    def distance(self) -> list[float]:
        fcl, (a, b), request, answers = self.fcl, self.pair, self.fcl.DistanceRequest(), []
        result = fcl.DistanceResult()
        for rotation, translation in self.poses:
            b.setTransform(fcl.Transform(rotation, translation))
            answers.append(fcl.distance(a, b, request, result))
        return answers


class Coal:
    """coal, with BVHModelOBBRSS for both; request and result are reused."""

    def __init__(self, scene: Scene) -> None:
        self.coal: Any = import_module("coal")
        self.pair = coal_mesh(*scene.fixed), coal_mesh(*scene.moving)
        self.still = self.coal.Transform3s.Identity()
        self.poses = common.split(scene.poses)

    def collide(self) -> list[bool]:
        coal, (a, b), still, answers = self.coal, self.pair, self.still, []
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        for rotation, translation in self.poses:
            result.clear()
            answers.append(
                coal.collide(a, still, b, coal.Transform3s(rotation, translation), request, result) > 0
            )
        return answers

    def distance(self) -> list[float]:
        coal, (a, b), still, answers = self.coal, self.pair, self.still, []
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        for rotation, translation in self.poses:
            result.clear()
            answers.append(
                coal.distance(a, still, b, coal.Transform3s(rotation, translation), request, result)
            )
        return answers


class Trimesh:
    """trimesh.collision.CollisionManager, which asks FCL."""

    def __init__(self, scene: Scene) -> None:
        trimesh: Any = import_module("trimesh")
        self.manager: Any = import_module("trimesh.collision").CollisionManager()
        self.manager.add_object("fixed", trimesh.Trimesh(*scene.fixed, process=False))
        self.manager.add_object("moving", trimesh.Trimesh(*scene.moving, process=False))
        self.poses = list(scene.poses)

    def collide(self) -> list[bool]:
        return [self._place(pose).in_collision_internal() for pose in self.poses]

    def distance(self) -> list[float]:
        return [self._place(pose).min_distance_internal() for pose in self.poses]

    def _place(self, pose: Array) -> Any:
        self.manager.set_transform("moving", pose)
        return self.manager


CONTESTANTS: dict[str, Any] = {
    BASE: Elbowroom,
    "elbowroom, with memory": ElbowroomMemory,
    "elbowroom, array, 1 thread": ElbowroomArray,
    f"elbowroom, array, {common.cores()} threads": ElbowroomThreads,
    RIVAL: Fcl,
    "coal": Coal,
    "trimesh": Trimesh,
}


def fcl_mesh(vertices: Array, faces: Indices) -> Any:
    """fcl.BVHModel, whose volumes are OBBRSS."""
    model = import_module("fcl").BVHModel()
    model.beginModel(len(faces), len(vertices))
    model.addSubModel(vertices, faces)
    model.endModel()
    return model


def coal_mesh(vertices: Array, faces: Indices) -> Any:
    """coal.BVHModelOBBRSS."""
    model = import_module("coal").BVHModelOBBRSS()
    model.beginModel(len(faces), len(vertices))
    model.addVertices(vertices)
    model.addTriangles(faces.astype(np.int32))
    model.endModel()
    return model


def springs(poses: int) -> Scene:
    """One spring through another, along the path that the scene comes with."""
    return Scene("two springs", scenes.spring(), scenes.spring(), scenes.spring_path(poses))


def files(paths: list[Path], poses: int, reference: Path | None) -> Scene:
    """Two files; every contestant gets the vertices and faces that Mesh.load made of them."""
    fixed, moving = ((mesh.vertices, mesh.faces.astype(np.int64)) for mesh in map(er.Mesh.load, paths))
    title = " and ".join(path.name for path in paths)
    if reference is None:
        return Scene(title, fixed, moving, random_poses(fixed, moving, poses))
    with np.load(reference) as stored:
        turned = Rotation.from_quat(stored["quat_xyzw"][:poses])
        known = {name: stored[key][:poses].astype(float) for name, key in STORED.items()}
        return Scene(title, fixed, moving, matrices(turned, stored["translation"][:poses]), known)


def random_poses(fixed: Surface, moving: Surface, count: int, seed: int = 3) -> Array:
    """Any rotation, and positions in the box of the fixed mesh widened by the reach of the moving one."""
    rng = np.random.default_rng(seed)
    reach = np.linalg.norm(moving[0], axis=1).max()
    low, high = fixed[0].min(axis=0) - reach, fixed[0].max(axis=0) + reach
    return matrices(Rotation.from_quat(rng.normal(size=(count, 4))), rng.uniform(low, high, (count, 3)))


def matrices(rotations: Rotation, translations: Array) -> Array:
    """Poses (n, 4, 4)."""
    poses = np.tile(np.eye(4), (len(translations), 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = rotations.as_matrix(), translations
    return poses


def surface_distance(first: Array, second: Array, block: int = 50_000) -> float:
    """Least distance of two sets of triangles (n, 3, 3), 0 where a pair meets: every pair is looked at.

    A pair is measured unless the balls about its triangles are farther apart than the best found so far.
    """
    centres = first.mean(axis=1), second.mean(axis=1)
    radii = [
        np.linalg.norm(t - c[:, None], axis=2).max(axis=1)
        for t, c in zip((first, second), centres, strict=True)
    ]
    between = cdist(*centres)
    best = float(between.min())
    gaps = between - radii[0][:, None] - radii[1]
    i, j = np.nonzero(gaps <= best)
    order = np.argsort(gaps[i, j], kind="stable")
    for start in range(0, len(order), block):
        chosen = order[start : start + block]
        chosen = chosen[gaps[i[chosen], j[chosen]] <= best]
        if best > 0 and len(chosen):
            best = min(best, float(triangle_distances(first[i[chosen]], second[j[chosen]]).min()))
    return best


def triangle_distances(first: Array, second: Array) -> Array:
    """Distances (n,) of triangles (n, 3, 3), pair by pair: piercing edges, corners over faces, edges."""
    best = np.full(len(first), np.inf)
    for one, other in ((first, second), (second, first)):
        for k in range(3):
            best = np.minimum(best, _corner_to_face(one[:, k], other))
            best[_pierces(one[:, k], one[:, k - 1], other)] = 0.0
    for k, m in product(range(3), range(3)):
        best = np.minimum(best, _edge_to_edge(first[:, k], first[:, k - 1], second[:, m], second[:, m - 1]))
    return best


def _dot(u: Array, v: Array) -> Array:
    products: Array = np.einsum("ij,ij->i", u, v)
    return products


def _share(part: Array, whole: Array) -> Array:
    """The share within [0, 1]; 0 where the whole is 0 (an edge without length)."""
    return np.clip(np.divide(part, whole, out=np.zeros_like(part), where=whole > 0), 0, 1)


def _corner_to_face(point: Array, triangle: Array) -> Array:
    """Distance to the plane of the triangle where the point lies over it, else infinity."""
    a, ab, ac = triangle[:, 0], triangle[:, 1] - triangle[:, 0], triangle[:, 2] - triangle[:, 0]
    normal = np.cross(ab, ac)
    square = _dot(normal, normal)
    u, v = _dot(np.cross(point - a, ac), normal), _dot(np.cross(ab, point - a), normal)
    over = (u >= 0) & (v >= 0) & (u + v <= square) & (square > 0)
    height = np.abs(_dot(point - a, normal))
    distances: Array = np.full(len(point), np.inf)
    np.divide(height, np.sqrt(square), out=distances, where=over)
    return distances


def _pierces(start: Array, end: Array, triangle: Array) -> NDArray[np.bool_]:
    """Does the edge go through the triangle?"""
    a = triangle[:, 0]
    normal = np.cross(triangle[:, 1] - a, triangle[:, 2] - a)
    before, after = _dot(start - a, normal), _dot(end - a, normal)
    crosses: NDArray[np.bool_] = (before * after <= 0) & (before != after)
    step = np.divide(before, before - after, out=np.zeros_like(before), where=crosses)
    crosses &= np.isfinite(_corner_to_face(start + step[:, None] * (end - start), triangle))
    return crosses


def _edge_to_edge(p: Array, q: Array, r: Array, s: Array) -> Array:
    """Distance of segments pq and rs (Ericson, Real-Time Collision Detection, section 5.1.9)."""
    d, e, w = q - p, s - r, p - r
    dd, ee, de, dw, ew = _dot(d, d), _dot(e, e), _dot(d, e), _dot(d, w), _dot(e, w)
    crossing = dd * ee - de * de
    u = np.where(crossing > 1e-14 * dd * ee, _share(de * ew - dw * ee, crossing), 0.0)
    v = _share(de * u + ew, ee)
    u = _share(de * v - dw, dd)
    between: Array = np.linalg.norm(w + u[:, None] * d - v[:, None] * e, axis=1)
    return between


def ask(question: str, scene: Scene, names: list[str], settings: argparse.Namespace) -> dict[str, Any]:
    """One table: every contestant, the reference and brute force on one question."""
    exact = lru_cache(maxsize=None)(scene.truth)
    touching = 1e-12 * scene.size()

    def truth(index: int) -> float:
        return float(exact(index) <= touching) if question == "collide" else exact(index)

    untimed = {"reference": scene.known[question]} if question in scene.known else {}
    if settings.oracle:
        untimed[f"brute force at {settings.oracle} poses"] = sampled(truth, len(scene.poses), settings.oracle)
    runs = {name: getattr(CONTESTANTS[name](scene), question) for name in names}
    title = f"{question}: {scene.title}, {len(scene.poses)} poses"
    return common.contest(title, runs, untimed, truth, touching, RIVAL, settings)


def sampled(truth: Callable[[int], float], count: int, wanted: int) -> Array:
    """The truth at `wanted` indices spread over all of them, NaN elsewhere."""
    answers = np.full(count, np.nan)
    for index in np.unique(np.linspace(0, count - 1, wanted).astype(int)):
        answers[index] = truth(int(index))
    return answers


def main() -> None:
    made = common.parser(__doc__, repetitions=7)
    made.add_argument("--poses", type=int, default=10_000)
    made.add_argument(
        "--pair", "--mesh", nargs=2, type=Path, metavar=("A", "B"), help="two mesh files; B moves"
    )
    made.add_argument("--reference", type=Path, metavar="NPZ", help="poses and answers for --pair")
    made.add_argument("--oracle", type=int, default=50, help="poses at which brute force is asked as well")
    settings = made.parse_args()
    scene = (
        files(settings.pair, settings.poses, settings.reference) if settings.pair else springs(settings.poses)
    )
    names = common.chosen(CONTESTANTS, settings.only)
    results = [ask(question, scene, names, settings) for question in STORED]
    common.save(settings.json, "mesh", vars(settings), {"tables": results})


if __name__ == "__main__":
    main()
