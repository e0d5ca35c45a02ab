"""Coal and FCL, asked whether a motion is free.

Coal has no test of motions: its distances are put into plain certified bisection, as FCL's are. FCL has two
tests of its own, for meshes: a hundred samples, and conservative advancement.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.common import Array
from benchmarks.convex.run import CoalConvex, FclConvex, Scene
from benchmarks.mesh.run import fcl_mesh
from benchmarks.motion import bisection
from benchmarks.motion.data import Placed, reach

SAMPLES = 100
TOLERANCE = 1e-6  # share of a motion's time; what is not decided within it counts as a collision, for all
SOLVERS = {"sampled": "CCDC_NAIVE", "advancement": "CCDC_CONSERVATIVE_ADVANCEMENT"}


class Coal(CoalConvex):
    """Tetrahedra as coal.Convex in a DynamicAABBTreeCollisionManager, asked for each leg."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.callback = self.coal.DistanceCallBackDefault()

    def clearance(self, rotation: Array, translation: Array) -> float:
        best, callback = math.inf, self.callback
        for leg, centre in self.legs:
            leg.setTransform(self.coal.Transform3s(rotation, rotation @ centre + translation))
            leg.computeAABB()
            callback.init()
            self.manager.distance(leg, callback)
            best = min(best, callback.data.result.min_distance)
        return best


class Fcl(FclConvex):
    """The same with FCL's shapes and manager."""

    def clearance(self, rotation: Array, translation: Array) -> float:
        best, fcl, request = math.inf, self.fcl, self.fcl.DistanceRequest()
        for leg, centre in self.legs:
            leg.setTransform(fcl.Transform(rotation, rotation @ centre + translation))
            data = fcl.DistanceData(request)
            self.manager.distance(leg, data, fcl.defaultDistanceCallback)
            best = min(best, data.result.min_distance)
        return best


class Bisected:
    """A library's distances in plain bisection; `calls` counts them."""

    def __init__(self, library: Coal | Fcl, scene: Scene, rule: str) -> None:
        self.measure, self.reach, self.rule, self.calls = library.clearance, reach(scene), rule, 0

    def clearance(self, at: Placed) -> float:
        """Distance in one pose; 0 or less: overlap."""
        self.calls += 1
        return self.measure(*bisection.pose_at(*at, *at, 0.0))

    def free(self, a: Placed, b: Placed, near: tuple[float, float]) -> bool:
        """Is the motion free? `near`: the distances at its ends, which `ends` needs."""
        length = bisection.length(a, b, self.reach)
        if self.rule == "ends":
            verdict, calls = bisection.free_by_ends(self.measure, a, b, length, near, TOLERANCE)
        else:
            verdict, calls = bisection.free_by_middles(self.measure, a, b, length, TOLERANCE)
        self.calls += calls
        return verdict

    def motion(self, a: Placed, b: Placed) -> bool:
        """Is the motion free, nothing being known beforehand?"""
        if self.rule == "middle":
            return self.free(a, b, (0.0, 0.0))
        near = self.clearance(a), self.clearance(b)
        return min(near) > 0.0 and self.free(a, b, near)


class FclMotion:
    """fcl.continuousCollide of two meshes, which are surfaces.

    FCL leaves the point about which an interpolated motion turns to whatever the memory held before, so what
    it says of a motion that turns may differ from run to run.
    """

    def __init__(self, scene: Scene, solver: str) -> None:
        self.fcl: Any = import_module("fcl")
        self.hook = self.fcl.CollisionObject(fcl_mesh(*scene.hook_surface))
        self.world = self.fcl.CollisionObject(fcl_mesh(*scene.obstacle_surface))
        self.still = self.fcl.Transform()
        self.request = self.fcl.ContinuousCollisionRequest(
            num_max_iterations=SAMPLES,
            ccd_motion_type=self.fcl.CCDMotionType.CCDM_LINEAR,
            ccd_solver_type=getattr(self.fcl.CCDSolverType, SOLVERS[solver]),
        )

    def free(self, start: Array, goal: Array) -> bool:
        """Two poses (4, 4)."""
        fcl, result = self.fcl, self.fcl.ContinuousCollisionResult()
        self.hook.setTransform(_transform(fcl, start))
        fcl.continuousCollide(self.hook, _transform(fcl, goal), self.world, self.still, self.request, result)
        return not result.is_collide


def _transform(fcl: Any, pose: Array) -> Any:
    return fcl.Transform(np.ascontiguousarray(pose[:3, :3]), pose[:3, 3])
