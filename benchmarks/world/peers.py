"""Managers of many bodies: elbowroom's World, and those of trimesh, FCL and Coal.

Each has `place(poses)`, `place_one(i, pose)`, `count()` of the pairs that overlap, and as far as it can
`count_near(reach)`, `move_and_ask(i, pose)`: does body i overlap another there, and `swap(i, pose)`, which
removes it and adds it again.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

import elbowroom as er
from benchmarks.common import Array
from benchmarks.mesh.run import Surface, coal_mesh, fcl_mesh

Pairs = set[tuple[int, int]]


class Elbowroom:
    """A World on so many threads."""

    def __init__(self, shapes: list[Surface], kinds: Array, poses: Array, threads: int = 1) -> None:
        meshes = [er.Mesh(points, faces) for points, faces in shapes]
        self.bodies, self.threads = [meshes[k] for k in kinds], threads
        self.names = [str(i) for i in range(len(poses))]
        self.world = er.World()
        self.world.add(self.names, self.bodies, poses)

    def place(self, poses: Array) -> None:
        self.world.move(poses)

    def pairs(self) -> Pairs:
        return numbered(er.self_collide(self.world, every=True, threads=self.threads).names)

    def count(self) -> int:
        return len(er.self_collide(self.world, every=True, threads=self.threads))

    def near(self, reach: float) -> Pairs:
        return numbered(er.self_within(self.world, reach, threads=self.threads).names)

    def count_near(self, reach: float) -> int:
        return len(er.self_within(self.world, reach, threads=self.threads))

    def move_and_ask(self, i: int, pose: Array) -> bool:
        self.world.move(self.names[i], pose)
        return bool(er.collide(self.world[self.names[i]], self.world))

    def swap(self, i: int, pose: Array) -> None:
        self.world.remove(self.names[i])
        self.world.add(self.names[i], self.bodies[i], pose)


class Coal:
    """DynamicAABBTreeCollisionManager, and the callbacks that come with it: Python can make no others."""

    def __init__(self, shapes: list[Surface], kinds: Array, poses: Array) -> None:
        self.coal: Any = import_module("coal")
        meshes = [coal_mesh(*shape) for shape in shapes]
        self.objects = [self.coal.CollisionObject(meshes[k]) for k in kinds]
        self.manager = self.coal.DynamicAABBTreeCollisionManager()
        for one, pose in zip(self.objects, poses, strict=True):
            self._set(one, pose)
            self.manager.registerObject(one)
        self.manager.setup()
        self.boxes = self.coal.CollisionCallBackCollect(1_000_000)
        self.contacts, self.first = (self.coal.CollisionCallBackDefault() for _ in range(2))
        self.contacts.data.request.num_max_contacts = 1_000_000

    def _set(self, one: Any, pose: Array) -> None:
        one.setRotation(np.ascontiguousarray(pose[:3, :3]))
        one.setTranslation(np.ascontiguousarray(pose[:3, 3]))
        one.computeAABB()

    def place(self, poses: Array) -> None:
        for one, pose in zip(self.objects, poses, strict=True):
            self._set(one, pose)
        self.manager.update()

    def count(self) -> int:
        """All contacts of triangles: the binding does not say which objects they belong to."""
        self.contacts.init()
        self.manager.collide(self.contacts)
        return -1

    def count_boxes(self) -> int:
        """The pairs of boxes that overlap: the broad phase alone, no mesh is looked at."""
        self.boxes.init()
        self.manager.collide(self.boxes)
        return int(self.boxes.numCollisionPairs())

    def move_and_ask(self, i: int, pose: Array) -> bool:
        """Taken out, because it would meet itself, and put in again."""
        one = self.objects[i]
        self.manager.unregisterObject(one)
        self._set(one, pose)
        self.first.init()
        self.manager.collide(one, self.first)
        self.manager.registerObject(one)
        return bool(self.first.data.result.isCollision())

    def swap(self, i: int, pose: Array) -> None:
        self.manager.unregisterObject(self.objects[i])
        self._set(self.objects[i], pose)
        self.manager.registerObject(self.objects[i])


class Fcl:
    """DynamicAABBTreeCollisionManager; the callback is Python's."""

    def __init__(self, shapes: list[Surface], kinds: Array, poses: Array) -> None:
        self.fcl: Any = import_module("fcl")
        meshes = [fcl_mesh(*shape) for shape in shapes]
        self.objects = [self.fcl.CollisionObject(meshes[k]) for k in kinds]
        self.manager = self.fcl.DynamicAABBTreeCollisionManager()
        for one, pose in zip(self.objects, poses, strict=True):
            self._set(one, pose)
        self.manager.registerObjects(self.objects)
        self.manager.setup()
        self.request, self.found = self.fcl.CollisionRequest(), 0

    def _set(self, one: Any, pose: Array) -> None:
        one.setRotation(pose[:3, :3])
        one.setTranslation(pose[:3, 3])

    def place(self, poses: Array) -> None:
        for one, pose in zip(self.objects, poses, strict=True):
            self._set(one, pose)
        self.manager.update()

    def count(self) -> int:
        self.found = 0
        self.manager.collide(None, self._meet)
        return self.found

    def _meet(self, one: Any, other: Any, _: Any) -> bool:
        self.found += self.fcl.collide(one, other, self.request, self.fcl.CollisionResult()) > 0
        return False

    def _meet_one(self, one: Any, other: Any, _: Any) -> bool:
        self._meet(one, other, _)
        return self.found > 0

    def move_and_ask(self, i: int, pose: Array) -> bool:
        """Taken out, because it would meet itself, and put in again."""
        one, self.found = self.objects[i], 0
        self.manager.unregisterObject(one)
        self._set(one, pose)
        self.manager.collide(one, None, self._meet_one)
        self.manager.registerObject(one)
        return self.found > 0

    def swap(self, i: int, pose: Array) -> None:
        self.manager.unregisterObject(self.objects[i])
        self._set(self.objects[i], pose)
        self.manager.registerObject(self.objects[i])


class Trimesh:
    """trimesh.collision.CollisionManager, which holds FCL's manager."""

    def __init__(self, shapes: list[Surface], kinds: Array, poses: Array) -> None:
        trimesh: Any = import_module("trimesh")
        self.meshes = [trimesh.Trimesh(points, faces, process=False) for points, faces in shapes]
        self.kinds, self.manager = kinds, trimesh.collision.CollisionManager()
        self.names = [str(i) for i in range(len(poses))]
        for i, pose in enumerate(poses):
            self.manager.add_object(self.names[i], self.meshes[kinds[i]], pose)

    def place(self, poses: Array) -> None:
        for name, pose in zip(self.names, poses, strict=True):
            self.manager.set_transform(name, pose)

    def pairs(self) -> Pairs:
        return numbered(self.manager.in_collision_internal(return_names=True)[1])

    def count(self) -> int:
        return len(self.manager.in_collision_internal(return_names=True)[1])

    def swap(self, i: int, pose: Array) -> None:
        self.manager.remove_object(self.names[i])
        self.manager.add_object(self.names[i], self.meshes[self.kinds[i]], pose)


def numbered(names: Any) -> Pairs:
    """Pairs of names as numbers, the smaller first."""
    return {(min(int(a), int(b)), max(int(a), int(b))) for a, b in names}
