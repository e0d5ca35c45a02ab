"""The libraries beside us: chains of balls in SciPy, FCL and Coal, each used as its manual says.

Every class has the calls of er.Chain that the workload needs: rotate, collides, undo. The kinematics are one
matrix product over the balls beyond the joint, in NumPy; FCL and Coal are then told where each of them is.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from benchmarks.common import Array


def about_axis(axis: Array, angle: float) -> Array:
    """The rotation by the right-hand rule, in plain numbers: scipy's takes as long as a fast test."""
    x, y, z = axis.tolist()
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    c, s = math.cos(angle), math.sin(angle)
    t = 1.0 - c
    return np.array(
        [
            [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
            [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
            [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
        ]
    )


class Points:
    """Centres in an array; a torsion turns those beyond the joint about its bond."""

    def __init__(self, positions: Array, radius: float) -> None:
        self.points, self.radius = positions.copy(), radius
        self.low = len(positions)
        self.saved = positions[self.low :]

    def rotate(self, joint: int, angle: float) -> None:
        pivot = self.points[joint + 1]
        turn = about_axis(pivot - self.points[joint], angle)
        self.low = joint + 2
        self.saved = self.points[self.low :].copy()
        self.points[self.low :] = (self.saved - pivot) @ turn.T + pivot
        self.moved()

    def undo(self) -> None:
        self.points[self.low :] = self.saved
        self.moved()

    def moved(self) -> None:
        """Tell the library where the balls from number `low` on are now."""


class KdTree(Points):
    """scipy.spatial.cKDTree made anew for each test, with the settings that are made fastest."""

    def collides(self) -> bool:
        tree = cKDTree(self.points, balanced_tree=False, compact_nodes=False)
        return len(tree.query_pairs(2.0 * self.radius, output_type="ndarray")) > 0


class Fcl(Points):
    """python-fcl's DynamicAABBTreeCollisionManager; CollisionData gathers contacts, so it is made anew."""

    def __init__(self, positions: Array, radius: float) -> None:
        super().__init__(positions, radius)
        self.fcl: Any = import_module("fcl")
        ball = self.fcl.Sphere(radius)
        self.objects = [self.fcl.CollisionObject(ball, self.fcl.Transform(point)) for point in positions]
        self.manager = self.fcl.DynamicAABBTreeCollisionManager()
        self.manager.registerObjects(self.objects)
        self.manager.setup()

    def moved(self) -> None:
        for one, point in zip(self.objects[self.low :], self.points[self.low :], strict=True):
            one.setTranslation(point)
        self.manager.update()

    def collides(self) -> bool:
        data = self.fcl.CollisionData()
        self.manager.collide(data, self.fcl.defaultCollisionCallback)
        return bool(data.result.is_collision)


class Coal(Points):
    """Coal's DynamicAABBTreeCollisionManager with the callback that comes with it."""

    def __init__(self, positions: Array, radius: float) -> None:
        super().__init__(positions, radius)
        coal: Any = import_module("coal")
        self.ball = coal.Sphere(radius)
        self.objects = [coal.CollisionObject(self.ball, np.eye(3), point) for point in positions]
        self.manager = coal.DynamicAABBTreeCollisionManager()
        for one in self.objects:
            self.manager.registerObject(one)
        self.manager.setup()
        self.callback = coal.CollisionCallBackDefault()

    def moved(self) -> None:
        for one, point in zip(self.objects[self.low :], self.points[self.low :], strict=True):
            one.setTranslation(point)
            one.computeAABB()
        self.manager.update()

    def collides(self) -> bool:
        self.callback.init()
        self.manager.collide(self.callback)
        return bool(self.callback.data.result.isCollision())
