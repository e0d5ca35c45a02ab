"""Planning with exact checks: random trees and roadmaps whose paths are proved free.

A *space* says where states may be and which are near: `RigidSpace` for poses, `JointSpace` for
configurations. A planner draws states from it and asks an `er.MotionChecker` whether the motions between them
are free: `RRT` grows one tree, `RRTConnect` two that meet, `PRM` a roadmap for many questions, whose motions
may also be looked at in samples (`Discrete`) or on a budget (`Budgeted`) before a path is proved. What they
return, a `Tree`, a `Roadmap` or a `Path`, can be checked again as a whole and drawn; trees and paths are
written to files. `elbowroom.planning.ompl`, which is imported when it is first asked for, lends the exact
checks to the planners of OMPL.

>>> import elbowroom as er
>>> wall = er.Group([(er.Box([1, 10, 4]), er.Pose(translation=[0, 0, z])) for z in (-3.0, 3.0)])
>>> checker = er.MotionChecker(er.Box([3, 0.5, 0.5]), wall)
>>> space = er.planning.RigidSpace([-5, -5, -5], [5, 5, 5])
>>> left, right = er.Pose(translation=[-4, 0, 3]), er.Pose(translation=[4, 0, -3])
>>> path = er.planning.RRTConnect(space, checker, start=left, goal=right).solve()
>>> path.found, path.certificate.free
(True, True)
"""

from importlib import import_module
from typing import Any

from .certificate import PathCertificate
from .joint_space import JointSpace
from .path import Path
from .prm import PRM
from .prm_checks import Budgeted, Discrete
from .records import Attempts
from .rigid_space import RigidSpace
from .roadmap import Roadmap, RoadmapWork
from .roadmap_path import RoadmapPath
from .rrt import RRT
from .rrt_connect import RRTConnect
from .spaces import Space
from .tree import Tree

__all__ = [
    "PRM",
    "RRT",
    "Attempts",
    "Budgeted",
    "Discrete",
    "JointSpace",
    "Path",
    "PathCertificate",
    "RRTConnect",
    "RigidSpace",
    "Roadmap",
    "RoadmapPath",
    "RoadmapWork",
    "Space",
    "Tree",
]


def __getattr__(name: str) -> Any:
    """The module `ompl`, which needs OMPL: nobody else is to wait for it, or to need it."""
    if name == "ompl":
        return import_module(f"{__name__}.ompl")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
