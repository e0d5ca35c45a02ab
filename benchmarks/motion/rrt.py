"""An RRT of 10,000 nodes among the tetrahedra: the same random numbers for all, and the same tree expected.

Peers, and ours beside them, run in one loop in Python (`loop.py`); `er.planning.RRT` has a loop and a k-d
tree of its own.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import Target, tabulate
from benchmarks.common import Array
from benchmarks.convex.run import Scene
from benchmarks.motion import data
from benchmarks.motion.loop import Grown, Judge, Ours, Replay, Sampled, Theirs, grow
from benchmarks.motion.peers import SAMPLES, TOLERANCE, Bisected, Coal, Fcl, FclMotion
from elbowroom import scenes
from elbowroom.scenes.rigid import WORLD_SIDE

METHODS = ("auto", "hourglass", "isotropic")
PLANNER, RIVAL, BARE = "elbowroom, planning.RRT", "coal, ends", "the loop itself"
OVER_COAL = 8.0  # target
SPARE = 6  # samples that are made for each node


class Loop:
    """A contestant in the common loop; an answer is a row (x, y, z, parent) for each node but the root."""

    def __init__(self, poses: Array, nodes: int, judge: Judge) -> None:
        self.poses, self.nodes, self.judge, self.tree = poses, nodes, judge, Grown()

    def run(self) -> Array:
        self.tree = grow(self.poses, self.nodes, self.judge)
        return np.column_stack([self.poses[self.tree.samples, :3, 3], self.tree.parents])[1:]

    def samples(self) -> int:
        return self.tree.tried

    def counts(self) -> dict[str, float]:
        """Distances and tests of one more run, a sample."""
        if isinstance(self.judge, Ours):
            self.judge.checker.reset_counters()
            self.run()
            return counted(self.judge.checker, self.tree.tried)
        if isinstance(self.judge, Theirs):
            self.judge.bisected.calls = 0
            self.run()
            return {"distances": self.judge.bisected.calls / self.tree.tried}
        return {}


class Planned:
    """er.planning.RRT."""

    def __init__(self, scene: Scene, nodes: int, seed: int) -> None:
        self.checker = er.MotionChecker(*data.bodies(scene), tolerance=TOLERANCE)
        self.nodes, self.seed, self.attempts = nodes, seed, 0

    def run(self) -> Array:
        planner = er.planning.RRT(space(), self.checker, start=scenes.hook_root(), seed=self.seed)
        tree = planner.grow(nodes=self.nodes)
        self.attempts = tree.attempts
        return np.column_stack([tree.states[:, :3, 3], tree.parents])[1:]

    def samples(self) -> int:
        return self.attempts

    def counts(self) -> dict[str, float]:
        self.checker.reset_counters()
        self.run()
        return counted(self.checker, self.attempts)


Contestant = Loop | Planned


def counted(checker: er.MotionChecker, samples: int) -> dict[str, float]:
    found = checker.counters
    return {
        "distances": found.distance_calls / samples,
        "volume tests": found.volume_tests / samples,
        "leaf tests": found.leaf_tests / samples,
    }


def space() -> er.planning.RigidSpace:
    """Positions in the world, any rotation; near is what is near by position."""
    return er.planning.RigidSpace([0.0] * 3, [WORLD_SIDE] * 3, metric="position")


def samples(count: int, seed: int) -> Array:
    """The root, and the poses that er.planning.RRT draws with this seed."""
    drawn = space().sample(np.random.default_rng(seed), count)
    return np.concatenate([scenes.hook_root()[None], drawn])


def makers(scene: Scene, poses: Array, settings: argparse.Namespace) -> dict[str, Callable[[], Contestant]]:
    """How contestants are made; those of a library that is not installed raise an ImportError."""

    def loop(make: Callable[[], Judge]) -> Callable[[], Loop]:
        return lambda: Loop(poses, settings.nodes, make())

    def bisected(kind: type[Coal] | type[Fcl], rule: str) -> Callable[[], Judge]:
        return lambda: Theirs(Bisected(kind(scene), scene, rule), poses)

    def ours(method: str) -> Callable[[], Judge]:
        return lambda: Ours(scene, poses, method)

    return {
        PLANNER: lambda: Planned(scene, settings.nodes, settings.seed),
        **{f"elbowroom {method}": loop(ours(method)) for method in METHODS},
        RIVAL: loop(bisected(Coal, "ends")),
        "coal, middle": loop(bisected(Coal, "middle")),
        "fcl, ends": loop(bisected(Fcl, "ends")),
        f"fcl, {SAMPLES} samples": loop(lambda: Sampled(FclMotion(scene, "sampled"), poses)),
    }


def made(makers: Mapping[str, Callable[[], Contestant]], names: Sequence[str]) -> dict[str, Contestant]:
    able: dict[str, Contestant] = {}
    for name in names:
        try:
            able[name] = makers[name]()
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
    return able


def row(
    name: str, one: Contestant, seconds: float, rival: float, answer: Array, base: Array
) -> dict[str, Any]:
    """One contestant; `same nodes`: so many at the beginning are those of the base."""
    shared = min(len(answer), len(base))
    unlike = np.flatnonzero((answer[:shared] != base[:shared]).any(axis=1))
    counts = one.counts()
    return {
        "contestant": name,
        "seconds": seconds,
        "coal over it": rival / seconds,
        "nodes": len(answer) + 1,
        "samples": one.samples(),
        "same nodes": int(unlike[0]) + 1 if len(unlike) else shared + 1,
        **{key: counts.get(key, math.nan) for key in ("distances", "volume tests", "leaf tests")},
    }


def run(settings: argparse.Namespace) -> dict[str, Any]:
    scene, poses = data.scene(), samples(SPARE * settings.nodes, settings.seed)
    ways = makers(scene, poses, settings)
    able = made(ways, common.chosen(ways, settings.only))
    for one in able.values():
        one.run()  # compiles, and grows the tree that is replayed
    replayed = next((one.tree for one in able.values() if isinstance(one, Loop)), None)
    if replayed is not None:
        able[BARE] = Loop(poses, settings.nodes, Replay(replayed))
    timings = common.measure({name: one.run for name, one in able.items()}, settings.rounds)
    rival = timings[RIVAL].seconds if RIVAL in timings else math.nan
    base = next(iter(timings.values())).answers
    rows = [
        row(name, able[name], timing.seconds, rival, timing.answers, base) for name, timing in timings.items()
    ]
    common.show(tabulate(f"RRT of {settings.nodes} nodes; distances and tests are a sample", rows))
    return {"rows": rows, "targets": targets(rows)}


def targets(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    seen = {one["contestant"]: one["coal over it"] for one in rows}
    wanted = (PLANNER, "elbowroom auto")
    lines = [
        Target(f"RRT: {RIVAL} over {name}", seen.get(name, math.nan), at_least=OVER_COAL) for name in wanted
    ]
    return [line.shown() for line in lines]
