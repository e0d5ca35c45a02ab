"""Probes of what one library has and others do not: they are asked in its own words."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

import elbowroom as er
from benchmarks.compare.engines import Bullet, Mujoco
from benchmarks.compare.other_libraries import Freud, MDAnalysis, Ompl
from benchmarks.compare.rigid_libraries import Coal, Elbowroom, Fcl
from benchmarks.compare.seen import NO, PARTLY, YES, Library, Seen
from elbowroom import scenes


def our_bounds(_: Library) -> Seen:
    spring, widest = er.Mesh(*scenes.spring()), 0.0
    for pose in scenes.spring_path(100):
        found = er.distance(spring, spring, pose_b=pose)
        widest = max(widest, found.upper - found.lower)
    return Seen(YES, f"lower and upper bound with every distance, here within {widest:.1g}")


def our_within(_: Library) -> Seen:
    spring = er.Mesh(*scenes.spring())
    found = er.within(spring, spring, 0.5, pose_b=er.Pose(translation=[4.75, 0.0, 0.5]))
    return Seen(YES, f"{len(found)} pairs of triangles of two springs, with their distances")


def our_chain(_: Library) -> Seen:
    chain = er.Chain(scenes.serpentine(10_000), radii=1.0)
    chain.rotate(4_000, 0.01)
    verdict = "collision" if chain.collides() else "free"
    counters = chain.counters
    return Seen(
        YES, f"{verdict} after {counters.volume_tests} tests of volumes, {counters.leaf_tests} of links"
    )


def our_proof(_: Library) -> Seen:
    hook = er.Group([(er.Box(size), er.Pose(translation=at)) for size, at in scenes.thin_hook()])
    world = er.Group([er.Convex(corners) for corners in scenes.tetrahedra()])
    start = scenes.hook_root()
    goal = er.Motion(start, scenes.hook_poses(1)[0]).at(0.25)
    certificate = er.check(hook, er.Motion(start, goal), world)
    certificate.verify()
    return Seen(YES, "a motion among 1330 tetrahedra, its proof checked again without the core")


def our_planners(_: Library) -> Seen:
    return Seen(PARTLY, "3 (RRT, RRT-Connect, PRM), every motion proved; OMPL's through an adapter")


def our_many(_: Library) -> Seen:
    spring = er.Mesh(*scenes.spring())
    hits = er.collide(spring, spring, pose_b=scenes.spring_path(10_000)).hits
    return Seen(YES, f"{len(hits):,} poses of two springs in one call, {int(hits.sum()):,} collide")


def our_budget(_: Library) -> Seen:
    spring, pose = er.Mesh(*scenes.spring()), er.Pose(translation=[4.75, 0.0, 0.5])
    cut = er.distance(spring, spring, pose_b=pose, budget=er.Budget(tests=100))
    return Seen(YES, f"after 100 tests the distance is between {cut.lower:.3g} and {cut.upper:.3g}")


def our_counters(_: Library) -> Seen:
    spring, pose = er.Mesh(*scenes.spring()), er.Pose(translation=[4.75, 0.0, 0.5])
    counters = er.distance(spring, spring, pose_b=pose).counters
    return Seen(YES, f"{counters.volume_tests} tests of volumes, {counters.leaf_tests} of triangles")


def coal_octree(_: Library) -> Seen:
    coal: Any = import_module("coal")
    tree = coal.makeOctree(np.random.default_rng(0).uniform(-1, 1, (1000, 3)), 0.1)
    request, result = coal.CollisionRequest(), coal.CollisionResult()
    still = coal.Transform3s.Identity()
    hit = coal.collide(tree, still, coal.Box(1.0, 1.0, 1.0), still, request, result) > 0
    return Seen(
        YES, f"a box in an octree of 1,000 points {'collides' if hit else 'is free'}; height fields too"
    )


def fcl_octree(_: Library) -> Seen:
    return Seen(PARTLY, "fcl.OcTree takes the bytes of an octomap; not run")


def bullet_octree(_: Library) -> Seen:
    has = hasattr(import_module("pybullet"), "GEOM_HEIGHTFIELD")
    return Seen(PARTLY if has else NO, "height fields (GEOM_HEIGHTFIELD), no octrees; not run")


def mujoco_octree(_: Library) -> Seen:
    has = hasattr(import_module("mujoco").mjtGeom, "mjGEOM_HFIELD")
    return Seen(PARTLY if has else NO, "height fields and signed distance functions, no octrees; not run")


def fcl_counters(_: Library) -> Seen:
    return Seen(NO, "contacts are counted, tests are not")


def coal_counters(_: Library) -> Seen:
    result = import_module("coal").CollisionResult()
    return Seen(PARTLY if hasattr(result, "timings") else NO, "timings if asked for; no counts of tests")


def ompl_planners(library: Any) -> Seen:
    return Seen(PARTLY, f"{library.planners()} geometric planners; motions are looked at in states")


OWN: dict[type[Library], dict[str, Callable[[Any], Seen]]] = {
    Elbowroom: {
        "bounds": our_bounds,
        "within": our_within,
        "chain": our_chain,
        "proof": our_proof,
        "planner": our_planners,
        "many": our_many,
        "budget": our_budget,
        "counters": our_counters,
    },
    Fcl: {"octree": fcl_octree, "counters": fcl_counters},
    Coal: {"octree": coal_octree, "counters": coal_counters},
    Bullet: {"octree": bullet_octree},
    Mujoco: {"octree": mujoco_octree},
    Ompl: {"planner": ompl_planners},
    MDAnalysis: {},
    Freud: {},
}
