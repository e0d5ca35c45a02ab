"""Whole programs on top of the questions: sampling of chains, and planning."""

from __future__ import annotations

from typing import Any

import numpy as np

import elbowroom as er

from .chains import side_balls
from .reading import Notes
from .robots import robot
from .scenarios import Round, scenario
from .things import Rng, poses

OBSERVABLES = ("end_to_end", "radius_of_gyration", "hydrodynamic_radius", "contacts")
MOVES = ("torsion", "pivot", "crankshaft", "rebridge", "side")


def ran(note: Notes, run: Any, size: float) -> None:
    """What a run measured, how its moves did, and where the chains ended."""
    for name, values in sorted(run.observables.items()):
        for value in np.ravel(values):
            note.numbers(f"observable {name}", value, scale=size)
    note.totals("tallies", [int(x) for counts in run.tallies.values() for x in np.ravel(counts)])
    note.numbers("chains", *(each.positions(side=True) for each in run.chains), scale=size)


def start(rng: Rng) -> Any:
    """A polymer, now and then with side balls that do not collide."""
    plain = er.sampling.polymer(int(rng.integers(20, 200)), radius=0.4, seed=int(rng.integers(1 << 20)))
    if rng.random() < 0.6:
        return plain
    side = side_balls(rng, plain.positions())
    made = er.Chain(
        plain.positions(),
        0.2,
        side=er.SideBalls(side.owner, side.positions, 0.02 * side.radii, side.torsions),
    )
    return plain if made.collides() else made


@scenario("sampling", 60)
def samples(rng: Rng, note: Notes) -> Round:
    """Monte Carlo runs by moves of all kinds, of hard cores, with an energy, at several temperatures."""
    chain, size = start(rng), 200.0
    known = MOVES if chain.side is not None and len(chain.side.torsions) else MOVES[:4]
    moves = {str(name): 1.0 for name in rng.choice(known, int(rng.integers(1, 4)), replace=False)}
    asked = {"steps": 300, "every": 10, "seed": int(rng.integers(1 << 30)), "progress": False, "threads": 1}
    asked |= {"observables": OBSERVABLES, "contact_reach": 0.3, "burn_in": int(rng.choice([0, 200]))}
    yield ran(note, er.sampling.sample(chain, moves, **asked), size)
    energy = er.energies.LennardJones(0.5, 0.9, 2.0) if rng.random() < 0.7 else er.energies.Clashes()
    heat: Any = 1.0 if rng.random() < 0.5 else [1.0, 1.5, 2.5]
    yield ran(note, er.sampling.sample(chain, moves, energy, temperature=heat, swap_every=50, **asked), size)


@scenario("sampling", 1)
def polymers(rng: Rng, note: Notes) -> Round:
    """Polymers of any length and width."""
    width, n = float(rng.choice([0.0, 0.3, 0.5, 0.8])), int(rng.integers(2, 1500))
    chain = er.sampling.polymer(n, radius=width, seed=int(rng.integers(1 << 30)))
    yield note.numbers("polymer", chain.positions(), scale=float(n))


def grown(note: Notes, tree: Any) -> None:
    """The states of a tree or a roadmap, and how they hang together."""
    edges = tree.parents if hasattr(tree, "parents") else tree.edges
    for state in tree.states:
        note.numbers("state", state, scale=20.0)
    note.numbers("tree", tree.states, scale=20.0, whole=np.ravel(edges))


def rooms(rng: Rng) -> Any:
    """A rod and a wall with a gap."""
    gap = float(rng.uniform(1.0, 2.0))
    walls = [(er.Box([1, 10, 4]), er.Pose(translation=[0, 0, z])) for z in (-2 - gap / 2, 2 + gap / 2)]
    return er.MotionChecker(er.Box([3, 0.5, 0.5]), er.Group(walls))


@scenario("planning", 25)
def rigid(rng: Rng, note: Notes) -> Round:
    """Random trees and roadmaps of poses, by every metric."""
    metric: Any = note.pick(("position", "weighted", "hourglass"))
    size = {"position": {}, "weighted": {"weight": 1.5}, "hourglass": {"radius": 1.6, "weight": 1.0}}
    space, seed = (
        er.planning.RigidSpace([-5] * 3, [5] * 3, metric=metric, **size[metric]),
        int(rng.integers(1 << 30)),
    )
    left, right = er.Pose(translation=[-4, 0, 3]), er.Pose(translation=[4, 0, -3])
    rrt = er.planning.RRT(space, rooms(rng), start=left, goal=right, seed=seed)
    yield grown(note, rrt.grow(nodes=100, attempts=2000, progress=False))
    both = er.planning.RRTConnect(space, rooms(rng), start=left, goal=right, seed=seed)
    yield note.numbers("path", both.solve(attempts=100, progress=False).states, scale=20.0)
    prm = er.planning.PRM(space, rooms(rng), seed=seed, neighbours=5)
    yield grown(note, prm.grow(nodes=60, progress=False))
    a, b = poses(rng, 20, 5.0), poses(rng, 20, 5.0)
    yield note.numbers("distances", [space.distance(x, y) for x, y in zip(a, b, strict=True)], scale=20.0)


@scenario("planning", 12)
def joints(rng: Rng, note: Notes) -> Round:
    """Random trees of configurations, with and without quaternions."""
    arm = robot(rng, "auto", 6)
    while arm.dof == 0:
        arm = robot(rng, "auto", 6)
    low, high = np.maximum(arm.limits[:, 0], -2), np.minimum(arm.limits[:, 1], 2)
    space = er.planning.JointSpace.of(arm, low=low, high=high)
    checker = er.MotionChecker(arm, (er.Box(1), er.Pose(translation=[4, 0, 0])), self_too=False)
    begin = arm.zero()
    if not checker.valid(begin):
        return
    seed = int(rng.integers(1 << 30))
    rrt = er.planning.RRT(space, checker, start=begin, seed=seed, step=0.3)
    yield grown(note, rrt.grow(nodes=60, attempts=200, progress=False))
    prm = er.planning.PRM(space, checker, seed=seed, neighbours=4, radius=float(rng.uniform(1.0, 5.0)))
    yield grown(note, prm.grow(nodes=30, attempts=100, progress=False))
