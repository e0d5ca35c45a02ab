"""OMPL, MDAnalysis and freud: planners, and pairs of points within a reach. And those that were not run."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from scipy.spatial.transform import Rotation

import elbowroom as er
from benchmarks.compare.scenes import Array, Shape
from benchmarks.compare.seen import Library, Pair


class OmplPair(Pair):
    """OMPL's own test of a motion: states along it, each asked of elbowroom's exact collide."""

    def __init__(self, a: Shape, b: Shape) -> None:
        base: Any = import_module("ompl.base")
        space, bounds = base.SE3StateSpace(), base.RealVectorBounds(3)
        bounds.setLow(-2.0)
        bounds.setHigh(2.0)
        space.setBounds(bounds)
        bodies = er.Box(a.extents), er.Box(b.extents)
        self.space, self.asked = space, 0

        def valid(state: Any) -> bool:
            self.asked += 1
            turn = state.rotation()
            pose = er.Pose([turn.w, turn.x, turn.y, turn.z], [state.getX(), state.getY(), state.getZ()])
            return not er.collide(*bodies, pose_a=pose)

        self.information = base.SpaceInformation(space)
        self.information.setStateValidityChecker(valid)
        self.information.setup()

    def free(self, start: Array, goal: Array) -> bool:
        return bool(self.information.checkMotion(self._state(start), self._state(goal)))

    def _state(self, pose: Array) -> Any:
        state = self.space.allocState()
        state.setXYZ(*map(float, pose[:3, 3]))
        turn = state.rotation()
        turn.x, turn.y, turn.z, turn.w = map(float, Rotation.from_matrix(pose[:3, :3]).as_quat())
        return state


class Ompl(Library):
    name, package = "OMPL", "ompl"
    about = "the Open Motion Planning Library; it asks others whether a state is valid"
    groups = frozenset({"motions"})
    lacks: ClassVar[dict[str, str]] = {
        "proof": "a path is as good as the states that were looked at",
        "meshes": "it knows no bodies; the states of a motion are looked at in the same way",
    }

    def pair(self, a: Shape, b: Shape) -> Pair:
        return OmplPair(a, b)

    def planners(self) -> int:
        """Geometric ones."""
        geometric: Any = import_module("ompl.geometric")
        made = [getattr(geometric, name) for name in dir(geometric) if name[0].isupper()]
        planner: Any = import_module("ompl.base").Planner
        return sum(isinstance(each, type) and issubclass(each, planner) for each in made)


class MDAnalysis(Library):
    name, package = "MDAnalysis", "MDAnalysis"
    about = "analysis of molecular dynamics; pairs of atoms within a cutoff"
    groups = frozenset({"points"})

    def near(self, points: Array, reach: float, box: float | None = None) -> set[tuple[int, int]]:
        distances: Any = import_module("MDAnalysis.lib.distances")
        sides = None if box is None else np.array([box, box, box, 90, 90, 90], np.float32)
        found = distances.self_capped_distance(points, reach, box=sides, return_distances=False)
        return {(min(i, j), max(i, j)) for i, j in found.tolist()}


class Freud(Library):
    name, package = "freud", "freud-analysis"
    about = "analysis of particles; neighbours within a reach"
    groups = frozenset({"points"})

    def near(self, points: Array, reach: float, box: float | None = None) -> set[tuple[int, int]]:
        freud: Any = import_module("freud")
        side = box or 100.0
        query = freud.locality.AABBQuery(freud.box.Box.cube(side), points - 0.5 * side * (box is not None))
        found = query.query(query.points, {"r_max": reach, "exclude_ii": True}).toNeighborList()
        return {(min(i, j), max(i, j)) for i, j in found[:].tolist()}


NOT_RUN = {
    "PQP": "C++ sources without a Python package; FCL and Coal descend from it",
    "MoveIt": "its collision checking comes with ROS, not as a Python package; by its manual it asks FCL or "
    "Bullet about single states, and with Bullet about casts from one state to the next",
}
