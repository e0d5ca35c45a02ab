"""Proximity of things that bend and move: do they collide, how far apart are they, which pairs are close.

>>> import elbowroom as er
>>> er.distance(er.Sphere(1), er.Box(2), pose_b=er.Pose(translation=[4, 0, 0])).value
2.0
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from elbowroom import energies, volumes
from elbowroom._core import (
    Collision,
    Collisions,
    Contacts,
    Counters,
    Distance,
    Distances,
    Pairs,
    isa,
)
from elbowroom.articulated import Articulated
from elbowroom.body import Body
from elbowroom.budget import Budget, Memory
from elbowroom.casting import Cast, cast
from elbowroom.certificate import Certificate, Certificates, MotionCounters
from elbowroom.chain import Chain, SideBalls
from elbowroom.checking import check
from elbowroom.group import Group
from elbowroom.interruption import Cancelled, cancel
from elbowroom.link_pairs import LinkPairs
from elbowroom.links import Joint, Link, Mimic
from elbowroom.mesh import Mesh
from elbowroom.motion import Motion
from elbowroom.motion_checker import MotionChecker
from elbowroom.necklace import Necklace, NecklaceCounters
from elbowroom.pose import Pose
from elbowroom.power import PowerDiagram
from elbowroom.questions import collide, distance, self_collide, self_distance, self_within, within
from elbowroom.separating import SeparatingPairs
from elbowroom.shapes import Box, Capsule, Convex, Sphere
from elbowroom.verification import Verification

if TYPE_CHECKING:
    from types import ModuleType

    from elbowroom import baselines, planning, sampling, scenes
    from elbowroom.bvtt import BVTT
    from elbowroom.calibration import Calibration

    __version__: str

__all__ = [
    "BVTT",
    "Articulated",
    "Body",
    "Box",
    "Budget",
    "Calibration",
    "Cancelled",
    "Capsule",
    "Cast",
    "Certificate",
    "Certificates",
    "Chain",
    "Collision",
    "Collisions",
    "Contacts",
    "Convex",
    "Counters",
    "Distance",
    "Distances",
    "Group",
    "Joint",
    "Link",
    "LinkPairs",
    "Memory",
    "Mesh",
    "Mimic",
    "Motion",
    "MotionChecker",
    "MotionCounters",
    "Necklace",
    "NecklaceCounters",
    "Pairs",
    "Pose",
    "PowerDiagram",
    "SeparatingPairs",
    "SideBalls",
    "Sphere",
    "Verification",
    "baselines",
    "cancel",
    "cast",
    "check",
    "collide",
    "distance",
    "energies",
    "isa",
    "planning",
    "sampling",
    "scenes",
    "self_collide",
    "self_distance",
    "self_within",
    "volumes",
    "within",
]


def __getattr__(name: str) -> "ModuleType | type | str":
    """What most programs do not need is imported, and the version looked up, when it is first asked for."""
    if name in ("baselines", "planning", "sampling", "scenes"):
        return _import_module(f"elbowroom.{name}")
    if name in ("BVTT", "Calibration"):
        found: type = getattr(_import_module(f"elbowroom.{name.lower()}"), name)
        globals()[name] = found
        return found
    if name == "__version__":
        return str(_import_module("importlib.metadata").version("elbowroom"))
    raise AttributeError(f"module 'elbowroom' has no attribute {name!r}")
