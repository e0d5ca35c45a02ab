"""Proximity of things that bend and move: do they collide, how far apart are they, which pairs are close.

>>> import elbowroom as er
>>> er.distance(er.Sphere(1), er.Box(2), pose_b=er.Pose(translation=[4, 0, 0])).value
2.0
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

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
from elbowroom.chain import Chain, SideBalls
from elbowroom.group import Group
from elbowroom.interruption import Cancelled, cancel
from elbowroom.links import Joint, Link, Mimic
from elbowroom.mesh import Mesh
from elbowroom.motion import Motion
from elbowroom.necklace import Necklace, NecklaceCounters
from elbowroom.pose import Pose
from elbowroom.questions import collide, distance, self_collide, self_distance, self_within, within
from elbowroom.shapes import Box, Capsule, Convex, HalfSpace, Sphere

if TYPE_CHECKING:
    from elbowroom import baselines, energies, planning, sampling, scenes, volumes
    from elbowroom._rotamers import Rotamer
    from elbowroom.bvtt import BVTT
    from elbowroom.calibration import Calibration
    from elbowroom.casting import Cast, cast
    from elbowroom.certificate import Certificate, Certificates, MotionCounters
    from elbowroom.checking import check
    from elbowroom.link_pairs import LinkPairs
    from elbowroom.matrix.matrix import collision_matrix
    from elbowroom.matrix.result import CollisionMatrix
    from elbowroom.motion_checker import MotionChecker
    from elbowroom.necklace_certificate import NecklaceCertificate
    from elbowroom.power import PowerDiagram
    from elbowroom.separating import SeparatingPairs
    from elbowroom.torsions import Torsion
    from elbowroom.verification import ProofError, Verification
    from elbowroom.world import Member, World

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
    "CollisionMatrix",
    "Collisions",
    "Contacts",
    "Convex",
    "Counters",
    "Distance",
    "Distances",
    "Group",
    "HalfSpace",
    "Joint",
    "Link",
    "LinkPairs",
    "Member",
    "Memory",
    "Mesh",
    "Mimic",
    "Motion",
    "MotionChecker",
    "MotionCounters",
    "Necklace",
    "NecklaceCertificate",
    "NecklaceCounters",
    "Pairs",
    "Pose",
    "PowerDiagram",
    "ProofError",
    "Rotamer",
    "SeparatingPairs",
    "SideBalls",
    "Sphere",
    "Torsion",
    "Verification",
    "World",
    "baselines",
    "cancel",
    "cast",
    "check",
    "collide",
    "collision_matrix",
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


#: What is imported when it is first asked for, and from which module: half of the import would go into it.
_MODULES = {"baselines", "energies", "planning", "sampling", "scenes", "volumes"}
_NAMES = {
    "BVTT": "bvtt",
    "Calibration": "calibration",
    "Cast": "casting",
    "Certificate": "certificate",
    "Certificates": "certificate",
    "CollisionMatrix": "matrix.result",
    "LinkPairs": "link_pairs",
    "Member": "world",
    "MotionChecker": "motion_checker",
    "MotionCounters": "certificate",
    "NecklaceCertificate": "necklace_certificate",
    "PowerDiagram": "power",
    "ProofError": "verification",
    "Rotamer": "_rotamers",
    "SeparatingPairs": "separating",
    "Torsion": "torsions",
    "World": "world",
    "Verification": "verification",
    "cast": "casting",
    "check": "checking",
    "collision_matrix": "matrix.matrix",
}


def __getattr__(name: str) -> object:
    """What is imported late, and the version, which is looked up when it is first asked for."""
    if name in _MODULES:
        return _import_module(f"elbowroom.{name}")
    if name in _NAMES:
        found = globals()[name] = getattr(_import_module(f"elbowroom.{_NAMES[name]}"), name)
        return found
    if name == "__version__":
        return str(_import_module("importlib.metadata").version("elbowroom"))
    raise AttributeError(f"module 'elbowroom' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
