"""The benchmarks of the guard: each is set up once and returns a run, which gives a number to compare.

A run takes some tens of milliseconds. It begins where the last one ended, and does the same in every build
that gives the same answers.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np

import elbowroom as er

from .things import hook, poses, rotations, spring, tetrahedra

Run = Callable[[], float]


def smallest_call() -> Run:
    """Calls of collide for two spheres with poses."""
    a, b, here, there = er.Sphere(1.0), er.Sphere(1.0), er.Pose(), er.Pose(translation=[5.0, 0.0, 0.0])
    collide = er.collide
    return lambda: sum(not collide(a, b, here, there) for _ in range(100_000))


def mesh_collide() -> Run:
    """Two springs of 1,800 triangles on their way through each other, pose by pose."""
    a, way = spring(), list(er.scenes.spring_path(20_000))
    return lambda: sum(bool(er.collide(a, a, None, pose)) for pose in way)


def mesh_distance() -> Run:
    """The same, distances."""
    a, way = spring(), list(er.scenes.spring_path(8000))
    return lambda: sum(er.distance(a, a, None, pose).value for pose in way)


def batch() -> Run:
    """10,000 poses of a hook among tetrahedra in one call, collide and distance."""
    world, thing, placed = tetrahedra(), hook(), er.scenes.hook_poses(10_000)

    def run() -> float:
        hits = er.collide(thing, world, placed, threads=1).hits.sum()
        return float(hits + er.distance(thing, world, placed, threads=1).values.sum())

    return run


def pivots() -> Run:
    """Pivot attempts of a self-avoiding chain of 65,536 links."""
    chain, rng = er.sampling.polymer(65_536, seed=1), np.random.default_rng(2)

    def run() -> float:
        taken = 0
        for turn in rotations(rng, 2000):
            chain.turn(int(rng.integers(1, len(chain) - 1)), turn)
            if chain.collides():
                chain.undo()
            else:
                taken += 1
        return taken

    return run


def chain_steps() -> Run:
    """Steps of rotate and collides of a compact chain of 10,000 links."""
    chain, rng = er.Chain(er.scenes.serpentine(10_000), 1.0), np.random.default_rng(3)

    def run() -> float:
        joints, angles = rng.integers(0, 9999, 10_000).tolist(), (0.01 * rng.normal(size=10_000)).tolist()
        hits = 0
        for joint, angle in zip(joints, angles, strict=True):
            chain.rotate(joint, angle)
            if chain.collides():
                chain.undo()
                hits += 1
        return hits

    return run


def necklace() -> Run:
    """Frames of 10,000 beads, fast and slow: by the tree of boxes, and by the list of near pairs."""
    begin, rng = er.scenes.long_coil(10_000, seed=1), np.random.default_rng(4)
    ways = [begin + 0.02 * rng.normal(size=begin.shape) for _ in range(10)]
    fast, slow = er.Necklace(begin, 0.45), er.Necklace(begin, 0.45)
    far = [way + 10.0 * k for k, way in enumerate(ways)]

    def run() -> float:
        found = 0.0
        for _ in range(40):
            for way, other in zip(ways, far, strict=True):
                slow.move(way)
                fast.move(other)
                found += er.self_distance(slow).value + er.self_distance(fast).value
        return found

    return run


def articulated() -> Run:
    """Frames of two chains of eight links, 10,000 configurations and one at a time."""
    limbs = er.scenes.swinging_chains(10_000)
    body, one = er.Articulated(limbs.links, limbs.joints), er.Articulated(limbs.links, limbs.joints)

    def run() -> float:
        body.move(limbs.motion)
        hits = float(er.self_collide(body, threads=1).hits.sum())
        for frame in limbs.motion[::2]:
            one.move(frame)
            hits += bool(er.self_collide(one))
        return hits

    return run


def motions() -> Run:
    """Motions of a hook among tetrahedra."""
    checker, rng = er.MotionChecker(hook(), tetrahedra()), np.random.default_rng(5)
    starts = poses(rng, 2000, 45.0)
    starts[:, :3, 3] += 50.0
    goals = poses(rng, 2000, 8.0)
    goals[:, :3, 3] += starts[:, :3, 3]
    both = list(zip(starts, goals, strict=True))
    return lambda: sum(checker.free(start, goal) for start, goal in both)


def budget() -> Run:
    """Springs on a budget of tests, with a memory."""
    a, way, allowed = spring(), list(er.scenes.spring_path(8000)), er.Budget(tests=100)

    def run() -> float:
        memory = er.Memory()
        return sum(er.collide(a, a, None, pose, budget=allowed, memory=memory).covered for pose in way)

    return run


def convex_distance() -> Run:
    """Distances of convex shapes of twenty points, each pair in a call."""
    rng = np.random.default_rng(6)
    shapes = [er.Convex(rng.normal(size=(20, 3))) for _ in range(8)]
    placed, turn = list(poses(rng, 500, 4.0)), count()

    def run() -> float:
        a, b = shapes[next(turn) % 8], shapes[next(turn) % 8]
        return sum(er.distance(a, b, None, pose).value for _ in range(20) for pose in placed)

    return run


WORKLOADS: dict[str, Callable[[], Run]] = {
    "smallest call": smallest_call,
    "mesh collide": mesh_collide,
    "mesh distance": mesh_distance,
    "batch of 10,000 poses": batch,
    "pivots, 65,536 links": pivots,
    "chain steps, 10,000 links": chain_steps,
    "necklace, 10,000 beads": necklace,
    "articulated": articulated,
    "motions": motions,
    "budget and memory": budget,
    "convex distance": convex_distance,
}
