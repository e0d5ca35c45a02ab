"""Robots in Pinocchio, which asks Coal: the ways it has of finding whether a configuration collides.

All stop at the first pair that does. Kinematics are part of every way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.articulated.files import Robot
from benchmarks.common import Array

LinkPair = tuple[str, str]


class Model:
    """A robot as Pinocchio reads it, with the pairs of shapes to compare.

    With an SRDF file these are the pairs that it does not disable; without one, those of links that are not
    joined. Shapes that cannot move relative to each other are no pairs in either case. `hulls` puts the
    convex hull in place of each mesh.
    """

    def __init__(self, robot: Robot, hulls: bool) -> None:
        self.pin: Any = import_module("pinocchio")
        follow_mimics = True
        self.model = self.pin.buildModelFromUrdf(str(robot.urdf), follow_mimics)
        self.geometry = self.pin.buildGeomFromUrdf(
            self.model, str(robot.urdf), self.pin.GeometryType.COLLISION, package_dirs=[str(robot.packages)]
        )
        if hulls:
            self._take_hulls()
        self.geometry.addAllCollisionPairs()
        if robot.srdf is None:
            self._remove_joined()
        else:
            self.pin.removeCollisionPairs(self.model, self.geometry, str(robot.srdf))

    def _take_hulls(self) -> None:
        meshes: Any = import_module("coal").BVHModelBase
        for shape in self.geometry.geometryObjects:
            if isinstance(shape.geometry, meshes):
                keep_triangles = True
                shape.geometry.buildConvexHull(keep_triangles, "Qt")
                shape.geometry = shape.geometry.convex

    def _remove_joined(self) -> None:
        """Numbers first: a pair that was read out changes when others are removed."""
        bearing = {shape.parentFrame for shape in self.geometry.geometryObjects}
        above = {frame: self._bearing_above(frame, bearing) for frame in bearing}
        for first, second in [_both(pair) for pair in self.geometry.collisionPairs]:
            a, b = (self.geometry.geometryObjects[k].parentFrame for k in (first, second))
            if above[a] == b or above[b] == a:
                self.geometry.removeCollisionPair(self.pin.CollisionPair(first, second))

    def _bearing_above(self, frame: int, bearing: set[int]) -> int:
        """The nearest link above a link that has a shape; 0, the world, if none has."""
        frame = self.model.frames[frame].parentFrame
        while frame and frame not in bearing:
            frame = self.model.frames[frame].parentFrame
        return frame

    def link(self, shape: int) -> str:
        return str(self.model.frames[self.geometry.geometryObjects[shape].parentFrame].name)

    def pairs(self) -> list[LinkPair]:
        """The links of every pair of shapes, in Pinocchio's order; the names of a pair are sorted."""
        return [_sorted(self.link(p.first), self.link(p.second)) for p in self.geometry.collisionPairs]

    def configurations(self, joints: Sequence[str], given: Array) -> Array:
        """Configurations in the order of Pinocchio's joints, which is another than that of the file."""
        columns = [self.model.joints[self.model.getJointId(name)].idx_q for name in joints]
        if sorted(columns) != list(range(self.model.nq)):
            raise RuntimeError(f"joints {joints} are not those that Pinocchio has")
        ordered = np.empty_like(given)
        ordered[:, columns] = given
        return ordered

    def limits(self, joints: Sequence[str]) -> Array:
        """(dof, 2), in the order of `joints`."""
        columns = [self.model.joints[self.model.getJointId(name)].idx_q for name in joints]
        both = np.stack([self.model.lowerPositionLimit, self.model.upperPositionLimit], axis=1)
        return both[columns]

    def touching(self, configuration: Array) -> list[bool]:
        """Which pairs collide, by data that has not seen another configuration."""
        data, shapes = self.model.createData(), self.geometry.createData()
        self.pin.computeCollisions(self.model, data, self.geometry, shapes, configuration, False)
        return [result.isCollision() for result in shapes.collisionResults]

    def gap(self, configuration: Array, pair: int) -> float:
        """Coal's distance of one pair of shapes."""
        data, shapes = self.model.createData(), self.geometry.createData()
        self.pin.updateGeometryPlacements(self.model, data, self.geometry, shapes, configuration)
        return float(self.pin.computeDistance(self.geometry, shapes, pair).min_distance)

    def radii(self, pairs: Sequence[int]) -> list[float]:
        """Radii of the cylinders in these pairs of shapes."""
        cylinder: Any = import_module("coal").Cylinder
        numbers = {k for p in pairs for k in _both(self.geometry.collisionPairs[p])}
        shapes = [self.geometry.geometryObjects[k].geometry for k in numbers]
        return [float(shape.radius) for shape in shapes if isinstance(shape, cylinder)]


class Plain:
    """computeCollisions over all pairs, one call a configuration."""

    def __init__(self, model: Model, configurations: Array) -> None:
        self.configurations, self.rows = configurations, list(configurations)
        self.pin, self.model, self.geometry = model.pin, model.model, model.geometry
        self.data, self.shapes = model.model.createData(), model.geometry.createData()

    def run(self) -> list[bool]:
        ask, stop_at_first = self.pin.computeCollisions, True
        model, data, geometry, shapes = self.model, self.data, self.geometry, self.shapes
        return [ask(model, data, geometry, shapes, row, stop_at_first) for row in self.rows]


class Managed(Plain):
    """computeCollisions with a broad phase manager, one call a configuration."""

    manager = "DynamicAABBTree"

    def __init__(self, model: Model, configurations: Array) -> None:
        super().__init__(model, configurations)
        make = getattr(self.pin, f"BroadPhaseManager_{self.manager}CollisionManager")
        self.managed = make(self.model, self.geometry, self.shapes)

    def run(self) -> list[bool]:
        ask, stop_at_first = self.pin.computeCollisions, True
        model, data, managed = self.model, self.data, self.managed
        return [ask(model, data, managed, row, stop_at_first) for row in self.rows]


class Naive(Managed):
    """A manager that compares the boxes of all pairs."""

    manager = "Naive"


class Sorted(Managed):
    """A manager that sorts the boxes along an axis."""

    manager = "SSaP"


class Pool(Plain):
    """computeCollisionsInParallel, all configurations in one call, on one thread."""

    pool = "GeometryPool"

    def __init__(self, model: Model, configurations: Array) -> None:
        super().__init__(model, configurations)
        self.columns = np.asfortranarray(configurations.T)
        self.pooled = getattr(self.pin, self.pool)(self.model, self.geometry, 1)

    def run(self) -> Any:
        threads, stop_at_first = 1, True
        return self.pin.computeCollisionsInParallel(threads, self.pooled, self.columns, stop_at_first)


class ManagedPool(Pool):
    """The same with a broad phase manager: there is a pool of the first kind only."""

    pool = "BroadPhaseManagerPool_DynamicAABBTreeCollisionManager"


WAYS: dict[str, Callable[[Model, Array], Plain]] = {
    "pinocchio": Plain,
    "pinocchio, tree": Managed,
    "pinocchio, naive": Naive,
    "pinocchio, sorted": Sorted,
    "pinocchio, array": Pool,
    "pinocchio, tree, array": ManagedPool,
}


def _both(pair: Any) -> tuple[int, int]:
    return pair.first, pair.second


def _sorted(a: str, b: str) -> LinkPair:
    return (a, b) if a < b else (b, a)
