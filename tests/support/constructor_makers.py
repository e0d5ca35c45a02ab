"""The public constructors and questions: what is called, with what, and what is done with the result."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import sound_arguments as sound
from sound_arguments import FEW, Arguments, Rng, pose

import elbowroom as er
from elbowroom import baselines, energies, planning, sampling, volumes
from elbowroom.files.trajectory import read_trajectory


def used(thing: Any) -> None:
    """Shown, copied and pickled, as far as it can be; and asked, if it is a body."""
    repr(thing)
    copy.copy(thing)
    pickle.loads(pickle.dumps(thing))
    if isinstance(thing, er.Body):
        er.distance(thing, thing, pose_b=er.Pose(translation=[9, 0, 0]), budget=FEW)
        er.collide(thing, thing, pose_b=er.Pose(translation=[1, 0, 0]), every=True, depth=True, budget=FEW)
    elif isinstance(thing, (er.Chain, er.Necklace, er.Articulated)):
        er.self_distance(thing, budget=FEW)
        er.self_collide(thing, every=True, budget=FEW)


def shown(thing: Any) -> None:
    repr(thing)


def collided(thing: Any) -> None:
    thing.collides()


def verified(thing: er.SeparatingPairs) -> None:
    """Sound arguments may make a family that proves nothing, which `verify` says by an error of its own."""
    with suppress(er.ProofError):
        thing.verify()


def checked(thing: er.MotionChecker) -> None:
    if isinstance(thing.body, er.Articulated):
        thing.check(np.zeros((2, thing.body.dof)), budget=FEW)
    else:
        thing.check(er.Motion(er.Pose(), er.Pose(translation=[1, 0, 0])), budget=FEW)


def grown(thing: Any) -> None:
    if hasattr(thing, "grow"):
        thing.grow(20)
    repr(thing)


@dataclass(frozen=True)
class Maker:
    """One constructor: what is called, its sound arguments, what is done with the result.

    Counts are arguments of which a large one rightly takes long.
    """

    call: Callable[..., Any]
    sound: Callable[[Rng, int], Arguments]
    use: Callable[[Any], None] = used
    counts: tuple[str, ...] = ()


def fixed(**arguments: Any) -> Callable[[Rng, int], Arguments]:
    return lambda rng, size: dict(arguments)


SEVEN = {
    "low": np.zeros(7),
    "high": np.ones(7),
    "weights": np.ones(7),
    "turns": (3,),
    "names": tuple("abcdddd"),
}
PLANE = {"low": np.zeros(3), "high": np.ones(3), "metric": "weighted", "weight": 1.0, "radius": None}
SMOOTH = {"epsilon": np.ones((2, 2)), "sigma": np.ones((2, 2)), "cutoff": 2.5, "shift": True}
CRANKSHAFT = {"weight": 1.0, "size": 0.5, "joints": [0, 1], "torsions": None, "shortest": 2, "longest": 5}

#: Bodies, and what they are made of.
BODIES = {
    "Sphere": Maker(er.Sphere, fixed(radius=1.0)),
    "Capsule": Maker(er.Capsule, fixed(radius=1.0, length=2.0)),
    "Box": Maker(er.Box, fixed(extents=np.array([1.0, 2.0, 3.0]))),
    "Convex": Maker(er.Convex, lambda rng, size: {"points": rng.normal(size=(size, 3))}),
    "HalfSpace": Maker(er.HalfSpace, fixed(normal=np.array([0.0, 3.0, 4.0]), offset=2.0)),
    "Mesh": Maker(er.Mesh, sound.surface),
    "Group": Maker(er.Group, sound.members),
    "World": Maker(er.World, sound.bodies_by_name, lambda world: er.self_within(world, 1.0)),
    "Pose": Maker(er.Pose, sound.turn_and_shift),
    "Pose.from_matrix": Maker(er.Pose.from_matrix, lambda rng, size: {"matrix": pose(rng).matrix}),
    "Chain": Maker(er.Chain, sound.chain),
    "SideBalls": Maker(sound.chain_with_side, sound.side),
    "Necklace": Maker(er.Necklace, sound.necklace),
    "PowerDiagram": Maker(er.PowerDiagram.of, sound.diagram, lambda thing: thing.closest()),
    "SeparatingPairs": Maker(er.SeparatingPairs, sound.family, verified),
    "Link": Maker(er.Link, sound.link),
    "Mimic": Maker(er.Mimic, fixed(joint="j", multiplier=2.0, offset=0.5)),
    "Joint": Maker(er.Joint, sound.joint),
    "Articulated": Maker(er.Articulated, sound.body),
    "Grid": Maker(baselines.Grid, sound.balls, collided),
    "OneObbTree": Maker(baselines.OneObbTree, sound.balls, collided),
    "KObbTree": Maker(baselines.KObbTree, sound.balls, collided),
    "fit": Maker(volumes.fit, sound.fitted, shown),
    "contains": Maker(volumes.contains, sound.contained, shown),
}
#: Questions, and what goes with them.
QUESTIONS = {
    "Motion": Maker(er.Motion, lambda rng, size: {"start": pose(rng), "goal": pose(rng).matrix}),
    "MotionChecker": Maker(er.MotionChecker, sound.checker, checked),
    "Budget": Maker(er.Budget, fixed(tests=10, seconds=0.5)),
    "Memory": Maker(er.Memory, sound.memory, shown),
    "Calibration": Maker(er.Calibration, sound.table),
    "BVTT": Maker(er.BVTT, sound.traversal, shown),
    "collide": Maker(er.collide, sound.two, shown),
    "distance": Maker(
        er.distance, lambda rng, size: sound.two(rng, size) | {"enough": 0.1, "linear": np.eye(3)}, shown
    ),
    "within": Maker(er.within, lambda rng, size: sound.two(rng, size) | {"reach": 0.5}, shown),
    "cast": Maker(er.cast, sound.rays, shown),
    "self_collide": Maker(er.self_collide, sound.oneself, shown),
    "self_distance": Maker(
        er.self_distance, lambda rng, size: sound.oneself(rng, size) | {"enough": 0.1}, shown
    ),
    "self_within": Maker(er.self_within, lambda rng, size: sound.oneself(rng, size) | {"reach": 0.2}, shown),
    "check": Maker(er.check, sound.motion, shown),
}
#: Pairs of balls and their factors.
SCALED = ([(0, 2)], [0.5])
#: Sampling, energies and planning.
METHODS = {
    "LennardJones": Maker(energies.LennardJones, fixed(**SMOOTH), shown),
    "LennardJones of balls": Maker(
        energies.LennardJones,
        fixed(epsilon=np.ones(3), sigma=np.ones(3), cutoff=2.5, switch=2.0, exclude=[(0, 1)], scaled=SCALED),
        shown,
    ),
    "Coulomb": Maker(
        energies.Coulomb, fixed(charges=np.ones(3), cutoff=2.5, exclude=[(0, 1)], scaled=SCALED), shown
    ),
    "Torsions": Maker(energies.Torsions, fixed(balls=[(0, 1, 2, 3)], k=[1.0], n=[3], phase=[0.5]), shown),
    "Pairs": Maker(energies.Pairs, fixed(balls=[(0, 1)], epsilon=[1.0], sigma=[1.0], charges=[1.0]), shown),
    "bonded_pairs": Maker(energies.bonded_pairs, fixed(bonds=[(0, 1), (1, 2)], balls=3), shown),
    "Table": Maker(energies.Table, fixed(values=np.ones((2, 2, 3)), cutoff=2.5), shown),
    "Callback": Maker(energies.Callback, fixed(function=sound.NO_ENERGY, cutoff=2.5), shown),
    "JointSpace": Maker(planning.JointSpace, fixed(**SEVEN)),
    "RigidSpace": Maker(planning.RigidSpace, fixed(**PLANE)),
    "RRT": Maker(planning.RRT, sound.planner, grown),
    "RRTConnect": Maker(planning.RRTConnect, sound.planner, grown),
    "PRM": Maker(planning.PRM, sound.roadmap, grown, ("neighbours",)),
    "Discrete": Maker(planning.Discrete, fixed(ask=bool, resolution=0.1), shown),
    "Budgeted": Maker(planning.Budgeted, fixed(ask=bool, resolution=0.1, budget=FEW, accept=0.9), shown),
    "Path": Maker(planning.Path, sound.path, shown),
    "Move": Maker(sampling.Move, fixed(**CRANKSHAFT)),
    "polymer": Maker(sampling.polymer, fixed(links=20, spacing=1.0, radius=0.4, seed=1), used, ("links",)),
    "Spec": Maker(sampling.Spec.from_dict, sound.spec, shown),
    "sample": Maker(sampling.sample, sound.sampled, shown, ("steps", "every", "seed")),
    "estimate": Maker(sampling.estimate, sound.series, shown),
    "fit_exponent": Maker(sampling.fit_exponent, sound.scaling, shown),
}  # fmt: skip
#: Files that are in order, read with odd options.
READERS = {
    "Mesh.load": Maker(er.Mesh.load, sound.mesh_file),
    "Chain.from_pdb": Maker(er.Chain.from_pdb, sound.pdb_file),
    "Articulated.from_urdf": Maker(er.Articulated.from_urdf, sound.urdf_file),
    "Articulated.from_bvh": Maker(er.Articulated.from_bvh, sound.bvh_file),
    "read_trajectory": Maker(read_trajectory, sound.npy_file, list),
}
MAKERS: dict[str, Maker] = BODIES | QUESTIONS | METHODS | READERS
