"""Rigid bodies of a few primitives for memories, each with what it is there for."""

from __future__ import annotations

import nasty
import numpy as np
from memory_walks import WALKS

import elbowroom as er


def cluster(rng: np.random.Generator, n: int) -> nasty.Thing:
    """Any shapes here and there: the leaves of the tree differ in size."""
    members = []
    for _ in range(n):
        size = float(10.0 ** rng.uniform(-1.5, -0.3))
        member = nasty.thing(rng, str(rng.choice(nasty.KINDS[:5])), "plain", size)
        members.append((member, nasty.rotations(rng, 1)[0], rng.normal(size=3)))
    return nasty.Thing("group", tuple(members))


def ring(segments: int = 7, sides: int = 4) -> nasty.Thing:
    return nasty.Thing("mesh", er.scenes.torus(radius=1.0, tube=0.25, segments=segments, sides=sides))


def linked_path(count: int, step: float = 0.004) -> tuple[nasty.Thing, np.ndarray]:
    """A ring, and poses of another through its hole: never far from it, and free but for a few."""
    rng, pose, poses = np.random.default_rng(7), np.eye(4), []
    pose[:3, :3], pose[0, 3] = [[1, 0, 0], [0, 0, -1], [0, 1, 0]], 1.0
    for k in range(count):
        poses.append(pose.copy())
        pose = WALKS["slow"](rng, pose, 1.0)
        pose[0, 3] = 1.0 + 12.0 * step * np.sin(0.25 * k)
    return nasty.Thing("mesh", er.scenes.torus(radius=1.0, tube=0.45, segments=24, sides=12)), np.array(poses)


def rod(n: int) -> nasty.Thing:
    """Spheres in a long row, the last far from the origin: a turn carries them far."""
    ball, row = nasty.Thing("sphere", (0.1,)), np.arange(n)[:, None] * np.array([0.3, 0.0, 0.0])
    return nasty.Thing("group", tuple((ball, np.eye(3), at) for at in row))


def offset(thing: nasty.Thing, by: float) -> nasty.Thing:
    """The same far from its own origin: a little turning is a long way."""
    return nasty.Thing("group", ((thing, np.eye(3), np.array([by, -by, 0.5 * by])),))


def rigid_things(rng: np.random.Generator) -> dict[str, tuple[nasty.Thing, nasty.Thing]]:
    """Pairs of bodies, small enough to look at all pairs of primitives."""
    ball, dust = nasty.Thing("sphere", (0.4,)), nasty.Thing("sphere", (0.0,))
    return {
        "rings": (ring(), ring(5, 3)), "clusters": (cluster(rng, 14), cluster(rng, 9)),
        "ring and ball": (ring(), ball), "ring and dust": (ring(), dust), "balls": (ball, ball),
        "rods": (rod(20), rod(20)), "rod and ring": (rod(20), ring()),
        "group of one": (nasty.Thing("group", ((ball, np.eye(3), np.ones(3)),)), ring()),
        "offset": (ring(), offset(ring(5, 3), 30.0)), "twins": (ring(),) * 2,
        "hull and cluster": (nasty.thing(rng, "convex", "plain"), cluster(rng, 12)),
        "one of many": (cluster(rng, 1), cluster(rng, 17)),
    }  # fmt: skip
