"""Proximity of things that bend and move: do they collide, how far apart are they, which pairs are close.

>>> import elbowroom as er
>>> er.distance(er.Sphere(1), er.Box(2), pose_b=er.Pose(translation=[4, 0, 0])).value
2.0
"""

from importlib.metadata import version as _version

from elbowroom import baselines, energies, scenes, volumes
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
from elbowroom.link_pairs import LinkPairs
from elbowroom.links import Joint, Link, Mimic
from elbowroom.mesh import Mesh
from elbowroom.necklace import Necklace, NecklaceCounters
from elbowroom.pose import Pose
from elbowroom.power import PowerDiagram
from elbowroom.questions import collide, distance, self_collide, self_distance, self_within, within
from elbowroom.separating import SeparatingPairs
from elbowroom.shapes import Box, Capsule, Convex, Sphere

__version__ = _version("elbowroom")
__all__ = [
    "Articulated",
    "Body",
    "Box",
    "Budget",
    "Capsule",
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
    "Necklace",
    "NecklaceCounters",
    "Pairs",
    "Pose",
    "PowerDiagram",
    "SeparatingPairs",
    "SideBalls",
    "Sphere",
    "baselines",
    "collide",
    "distance",
    "energies",
    "isa",
    "scenes",
    "self_collide",
    "self_distance",
    "self_within",
    "volumes",
    "within",
]
