"""One motion checked: exact checks beside FCL's hundred samples and beside Coal's distances in bisection."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import Target, tabulate
from benchmarks.common import Array, Difference, Run, Timing
from benchmarks.convex.run import Scene
from benchmarks.motion import advancement, data
from benchmarks.motion.data import Motions
from benchmarks.motion.peers import SAMPLES, TOLERANCE, Bisected, Coal, Fcl, FclMotion

Hits = NDArray[np.bool_]
METHODS = ("auto", "hourglass", "isotropic", "hourglass-axis", "isotropic-axis")
RULES = ("middle", "ends")
OURS, SAMPLED, ORACLE = "elbowroom auto", f"fcl, {SAMPLES} samples", "dense samples"
PEERS = (SAMPLED, *(f"{library}, bisection, {rule}" for library in ("coal", "fcl") for rule in RULES))
MANY = f"elbowroom auto, array, {common.cores()} threads"
NAMES = (
    *(f"elbowroom {method}" for method in METHODS),
    "elbowroom auto, certificate",
    "elbowroom auto, array",
    MANY,
    *PEERS,
)
OVER_SAMPLED = 10.0  # target: FCL's samples over our exact check
DENSE, FINE = 4001, 401  # samples of the judge along a motion, and about the nearest of them


class Ours:
    """A checker, asked motion by motion."""

    def __init__(self, scene: Scene, motions: Motions, method: str) -> None:
        hook, obstacles = data.bodies(scene)
        self.checker = er.MotionChecker(hook, obstacles, method=method, tolerance=TOLERANCE)
        self.motions, self.pairs = motions, list(zip(motions.starts, motions.goals, strict=True))

    def calls(self) -> list[bool]:
        free = self.checker.free
        return [not free(start, goal) for start, goal in self.pairs]

    def certificates(self) -> list[bool]:
        """With the first contact and all that a certificate tells."""
        check, motion = self.checker.check, er.Motion
        return [check(motion(start, goal)).free is not True for start, goal in self.pairs]

    def array(self, threads: int) -> Hits:
        return ~self.checker.free_many(self.motions.starts, self.motions.goals, threads=threads)

    def counted(self) -> dict[str, float]:
        """What one pass over the motions costs, a motion."""
        self.checker.reset_counters()
        self.calls()
        count, found = len(self.motions), self.checker.counters
        return {
            "distances": found.distance_calls / count,
            "volume tests": found.volume_tests / count,
            "leaf tests": found.leaf_tests / count,
        }


class Theirs:
    """Distances of a library in bisection, motion by motion."""

    def __init__(self, library: Coal | Fcl, scene: Scene, motions: Motions, rule: str) -> None:
        self.bisected, self.motions = Bisected(library, scene, rule), motions

    def calls(self) -> list[bool]:
        self.bisected.calls = 0
        free = self.bisected.motion
        return [not free(a, b) for a, b in self.motions.placed]

    def counted(self) -> dict[str, float]:
        return {"distances": self.bisected.calls / len(self.motions)}


class Sampled:
    """FCL's samples; those of each motion are not counted by it."""

    def __init__(self, scene: Scene, motions: Motions) -> None:
        self.fcl = FclMotion(scene, "sampled")
        self.pairs = list(zip(motions.starts, motions.goals, strict=True))

    def calls(self) -> list[bool]:
        free = self.fcl.free
        return [not free(start, goal) for start, goal in self.pairs]


Runs = dict[str, Run]
Counts = dict[str, Callable[[], dict[str, float]]]


def ours(scene: Scene, motions: Motions) -> tuple[Runs, Counts]:
    made = {method: Ours(scene, motions, method) for method in METHODS}
    runs: Runs = {f"elbowroom {method}": one.calls for method, one in made.items()}
    auto = made["auto"]
    runs["elbowroom auto, certificate"] = auto.certificates
    runs["elbowroom auto, array"] = partial(auto.array, 1)
    runs[MANY] = partial(auto.array, common.cores())
    return runs, {f"elbowroom {method}": one.counted for method, one in made.items()}


def theirs(scene: Scene, motions: Motions) -> tuple[Runs, Counts]:
    """Peers; a library that is not installed is named and left out."""
    runs: Runs = {}
    counts: Counts = {}
    try:
        runs[SAMPLED] = Sampled(scene, motions).calls
    except ImportError as missing:
        print(f"{SAMPLED} is left out: {missing}")
    for name, make in (("coal", Coal), ("fcl", Fcl)):
        try:
            library = make(scene)
        except ImportError as missing:
            print(f"{name}, bisection is left out: {missing}")
            continue
        for rule in RULES:
            one = Theirs(library, scene, motions, rule)
            runs[f"{name}, bisection, {rule}"], counts[f"{name}, bisection, {rule}"] = one.calls, one.counted
    return runs, counts


def truth(scene: Scene, motions: Motions, index: int) -> float:
    """1 if a sample of the motion overlaps: many samples, and many more about the one that is nearest."""
    hook, obstacles = data.bodies(scene)
    motion = er.Motion(motions.starts[index], motions.goals[index])
    times = np.linspace(0.0, 1.0, DENSE)
    for _ in range(3):
        gaps = er.distance(hook, obstacles, motion.at(times)).values
        where, step = times[int(np.argmin(gaps))], times[1] - times[0]
        times = np.clip(np.linspace(where - step, where + step, FINE), 0.0, 1.0)
    return float(gaps.min() == 0.0)


def row(
    name: str, timings: Mapping[str, Timing], base: Hits, counts: Mapping[str, dict[str, float]]
) -> dict[str, Any]:
    """One contestant: time a motion, FCL's samples over it, and how its verdicts differ from the base's."""
    timing, hits = timings[name], timings[name].answers > 0
    rival = timings[SAMPLED].seconds if SAMPLED in timings else math.nan
    counted = counts.get(name, {})
    return {
        "contestant": name,
        "us": 1e6 * timing.seconds / len(base),
        "samples over it": rival / timing.seconds,
        "hits": int(hits.sum()),
        "missed": int(np.sum(base & ~hits)),
        "extra": int(np.sum(hits & ~base)),
        **{key: counted.get(key, math.nan) for key in ("distances", "volume tests", "leaf tests")},
    }


def differences(
    answers: Mapping[str, Array], scene: Scene, motions: Motions, settings: argparse.Namespace
) -> list[Difference]:
    """Verdicts unlike the first contestant's, and the judge's own at some motions."""
    judge = lru_cache(maxsize=None)(partial(truth, scene, motions))
    known = np.full(len(motions), np.nan)
    for index in np.unique(np.linspace(0, len(motions) - 1, settings.oracle).astype(int)):
        known[index] = judge(int(index))
    base = next(iter(answers.values()))
    found = [
        common.compare(name, given, base, 0.0, judge, settings.judge)
        for name, given in {**answers, ORACLE: known}.items()
    ]
    return [one for some in found for one in some]


def fcl_alone(base: Hits, settings: argparse.Namespace) -> list[dict[str, Any]]:
    """FCL's two tests in processes of their own."""
    counts = {"sampled": settings.motions, "advancement": min(settings.advancement, settings.motions)}
    lines = []
    for solver, memory in ((s, m) for s in counts for m in advancement.MEMORY if counts[s]):
        told = advancement.ask(solver, memory, settings.motions, counts[solver])
        if told is not None:
            hits, known = ~told.free, base[: counts[solver]]
            lines.append(
                {
                    "contestant": f"fcl, {solver}, memory {memory}",
                    "motions": len(known),
                    "us": told.microseconds,
                    "hits": int(known.sum()),
                    "missed": int(np.sum(known & ~hits)),
                    "extra": int(np.sum(hits & ~known)),
                }
            )
    return lines


def run(settings: argparse.Namespace) -> dict[str, Any]:
    scene = data.scene()
    motions = data.short_motions(scene, settings.motions)
    (runs, counts), (more, others) = ours(scene, motions), theirs(scene, motions)
    runs, counts = runs | more, counts | others
    names = [name for name in common.chosen(NAMES, settings.only) if name in runs]
    for name in names:
        runs[name]()  # compiles
    timings = common.measure({name: runs[name] for name in names}, settings.repetitions)
    base = timings[names[0]].answers > 0
    counted = {name: counts[name]() for name in names if name in counts}
    rows = [row(name, timings, base, counted) for name in names]
    found = differences({name: timing.answers for name, timing in timings.items()}, scene, motions, settings)
    title = f"one motion: {len(base)} motions, {int(base.sum())} collide by {names[0]}"
    common.show(tabulate(title, rows), found)
    refuted = sum(one.truth == 1.0 and one.base == 0.0 for one in found)
    print(f"  {names[0]}: {refuted} motions called free that dense samples refute")
    alone = fcl_alone(base, settings) if SAMPLED in names else []
    if alone:
        common.show(tabulate(f"FCL's own tests, verdicts beside those of {names[0]}", alone))
    told = {"rows": rows, "fcl alone": alone, "differences": found, "refuted": refuted}
    return {**told, "targets": targets(rows)}


def targets(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    seen = {one["contestant"]: one["samples over it"] for one in rows}
    name = f"one motion: {SAMPLED} over {OURS}"
    return [Target(name, seen.get(OURS, math.nan), at_least=OVER_SAMPLED).shown()]
