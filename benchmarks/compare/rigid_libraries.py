"""elbowroom, FCL and Coal: libraries of shapes and meshes, each asked in its own words."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import elbowroom as er
from benchmarks.compare.scenes import Array, Shape
from benchmarks.compare.seen import Library, Pair
from benchmarks.mesh.run import coal_mesh, fcl_mesh


class ElbowroomPair(Pair):
    """er.collide, er.distance, er.check."""

    def __init__(self, a: Shape, b: Shape) -> None:
        self.bodies = self._made(a), self._made(b)

    @staticmethod
    def _made(shape: Shape) -> Any:
        if shape.kind == "box":
            return er.Box(shape.extents)
        return er.Convex(shape.vertices) if shape.kind == "hull" else er.Mesh(shape.vertices, shape.faces)

    def hit(self, pose: Array) -> bool:
        return bool(er.collide(*self.bodies, pose_b=pose))

    def distance(self, pose: Array) -> float:
        return er.distance(*self.bodies, pose_b=pose).value

    def depth(self, pose: Array) -> float:
        found = er.collide(*self.bodies, pose_b=pose, depth=True)
        return float(found.contacts.depths.max()) if found else 0.0

    def free(self, start: Array, goal: Array) -> bool:
        return er.check(self.bodies[0], er.Motion(start, goal), self.bodies[1]).free is True


class Elbowroom(Library):
    name, package = "elbowroom", "elbowroom"
    about = "this library"
    groups = frozenset({"shapes", "points", "bending", "motions", "use", "more"})
    lacks: ClassVar[dict[str, str]] = {
        "solid": "a mesh is its surface; a body wholly inside it is free",
        "dynamics": "nothing falls or bounces",
        "octree": "no octrees, height fields or point clouds as such; balls in a Group stand in for points",
    }

    def pair(self, a: Shape, b: Shape) -> Pair:
        return ElbowroomPair(a, b)

    def near(self, points: Array, reach: float, box: float | None = None) -> set[tuple[int, int]]:
        beads = er.Necklace(points, 0.0, exclude=0, box=None if box is None else [box] * 3)
        return {(int(i), int(j)) for i, j in er.self_within(beads, reach).indices}

    def robot(self, urdf: Path, rows: Array) -> list[set[tuple[str, str]]]:
        """All configurations at once."""
        arm = er.Articulated.from_urdf(urdf)
        arm.move(rows)
        found = er.self_collide(arm, every=True)
        pairs: list[set[tuple[str, str]]] = [set() for _ in rows]
        for frame, names in zip(found.frames, arm.names(found.pairs), strict=True):
            pairs[frame].add((min(names), max(names)))
        return pairs


class FclPair(Pair):
    """fcl.collide, fcl.distance and fcl.continuousCollide, with the defaults of their requests."""

    def __init__(self, a: Shape, b: Shape) -> None:
        self.fcl: Any = import_module("fcl")
        self.bodies = self._made(a), self._made(b)
        self.objects = [self.fcl.CollisionObject(body) for body in self.bodies]

    def _made(self, shape: Shape) -> Any:
        if shape.extents is not None:
            return self.fcl.Box(*shape.extents)
        if shape.kind == "mesh":
            return fcl_mesh(shape.vertices, shape.faces)
        faces = np.insert(shape.faces, 0, 3, axis=1).ravel()
        return self.fcl.Convex(shape.vertices, len(shape.faces), faces)

    def _place(self, pose: Array, which: int = 1) -> Any:
        transform = self.fcl.Transform(np.ascontiguousarray(pose[:3, :3]), pose[:3, 3])
        self.objects[which].setTransform(transform)
        return transform

    def hit(self, pose: Array) -> bool:
        self._place(pose)
        request, result = self.fcl.CollisionRequest(), self.fcl.CollisionResult()
        return bool(self.fcl.collide(*self.objects, request, result) > 0)

    def distance(self, pose: Array) -> float:
        self._place(pose)
        return float(self.fcl.distance(*self.objects, self.fcl.DistanceRequest(), self.fcl.DistanceResult()))

    def depth(self, pose: Array) -> float:
        self._place(pose)
        request = self.fcl.CollisionRequest(num_max_contacts=100, enable_contact=True)
        result = self.fcl.CollisionResult()
        self.fcl.collide(*self.objects, request, result)
        return max((contact.penetration_depth for contact in result.contacts), default=0.0)

    def free(self, start: Array, goal: Array) -> bool:
        fcl = self.fcl
        self._place(start, 0)
        end = fcl.Transform(np.ascontiguousarray(goal[:3, :3]), goal[:3, 3])
        kinds, straight = fcl.CCDMotionType, np.array_equal(start[:3, :3], goal[:3, :3])
        request = fcl.ContinuousCollisionRequest(
            ccd_motion_type=kinds.CCDM_TRANS if straight else kinds.CCDM_LINEAR
        )
        result = fcl.ContinuousCollisionResult()
        fcl.continuousCollide(self.objects[0], end, self.objects[1], fcl.Transform(), request, result)
        return not result.is_collide


class Fcl(Library):
    name, package = "FCL", "python-fcl"
    about = "the Flexible Collision Library, through python-fcl"
    groups = frozenset({"shapes", "points", "motions", "use", "more"})
    lacks: ClassVar[dict[str, str]] = {
        "near": "its managers report pairs of boxes that overlap, not pairs within a reach",
        "within": "its managers report pairs of boxes that overlap, not pairs within a reach",
        "robot": "it knows no robots; trimesh, Drake and MoveIt place its objects",
        "chain": "every object of the chain is moved and the manager updated",
        "proof": "continuousCollide answers with a time and no proof",
        "budget": "no limit of time or tests; rel_err and abs_err are the only way to stop early",
        "many": "one pose a call",
        "periodic": "no periodic boxes",
        "planner": "no planners",
        "dynamics": "nothing moves by itself",
        "bounds": "one number; no bounds",
    }

    def pair(self, a: Shape, b: Shape) -> Pair:
        return FclPair(a, b)


class CoalPair(Pair):
    """coal.collide and coal.distance, with the defaults of their requests."""

    def __init__(self, a: Shape, b: Shape) -> None:
        self.coal: Any = import_module("coal")
        self.kept: list[Any] = []
        self.bodies = self._made(a), self._made(b)
        self.still = self.coal.Transform3s.Identity()

    def _made(self, shape: Shape) -> Any:
        if shape.extents is not None:
            return self.coal.Box(*shape.extents)
        if shape.kind == "mesh":
            return coal_mesh(shape.vertices, shape.faces)
        points, faces = self.coal.StdVec_Vec3s(), self.coal.StdVec_Triangle()
        for point in shape.vertices:
            points.append(point)
        for face in shape.faces:
            faces.append(self.coal.Triangle(*map(int, face)))
        self.kept += [points, faces]  # the shape points into them
        return self.coal.Convex(points, faces)

    def _asked(self, what: str, pose: Array, request: Any, result: Any) -> Any:
        placed = self.coal.Transform3s(np.ascontiguousarray(pose[:3, :3]), pose[:3, 3].copy())
        a, b = self.bodies
        return getattr(self.coal, what)(a, self.still, b, placed, request, result)

    def hit(self, pose: Array) -> bool:
        found = self._asked("collide", pose, self.coal.CollisionRequest(), self.coal.CollisionResult())
        return bool(found > 0)

    def distance(self, pose: Array) -> float:
        return float(self._asked("distance", pose, self.coal.DistanceRequest(), self.coal.DistanceResult()))

    def depth(self, pose: Array) -> float:
        request, result = self.coal.CollisionRequest(), self.coal.CollisionResult()
        request.enable_contact, request.num_max_contacts = True, 100
        self._asked("collide", pose, request, result)
        return max((-contact.penetration_depth for contact in result.getContacts()), default=0.0)


class Coal(Library):
    name, package = "Coal", "coal"
    about = "Coal, which was hpp-fcl"
    groups = frozenset({"shapes", "points", "motions", "use", "more"})
    lacks: ClassVar[dict[str, str]] = Fcl.lacks | {
        "robot": "Pinocchio places its objects, by a package of its own",
        "motion": "no test of motions; security margins of single poses",
        "meshes": "no test of motions",
        "proof": "no test of motions",
        "bounds": "one number; a lower bound comes with collide, for broad phases",
    }

    def pair(self, a: Shape, b: Shape) -> Pair:
        return CoalPair(a, b)
