"""W5: all pairs of a protein-like backbone within 6 A, after each of many torsions.

A step turns all atoms beyond a random bond by up to 5 degrees about it and asks for every pair of atoms
within 6 A. The turn is undone if two atoms more than three bonds apart come nearer than 2.5 A. The walk is
made beforehand, so that everybody is asked about the same positions.

    python -m benchmarks.neighbours.run --json neighbours.json
    python -m benchmarks.neighbours.run --quick
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.spatial.distance import pdist, squareform

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import tabulate
from benchmarks.chain.torsions import no_garbage
from benchmarks.neighbours.walk import Walk, make_walk

REACH = 6.0
OURS, TARGET, TARGET_SIZE = "elbowroom", 10.0, 5000
SINGLE = ("MDAnalysis",)  # those that work in float32
QUICK = {"sizes": "500", "steps": 50, "repetitions": 2, "oracle": 3}
FEW = 100  # atoms of the walk on which everybody is tried before the clock runs

Pairs = NDArray[np.int64]


class Contestant(Protocol):
    def run(self, walk: Walk, steps: int, seconds: float) -> list[float]:
        """Seconds from the start to the end of each step, at most so many steps or so long."""

    def pairs_at(self, walk: Walk, steps: Sequence[int]) -> list[Any]:
        """The pairs at some steps, untimed."""


class Elbowroom:
    """rotate, self_within and undo are all timed. Balls have no radius: distances are those of centres.

    The pairs are brought up to date and counted; `as_array` also hands them over, sorted and with distances.
    """

    as_array = False

    def __init__(self, walk: Walk) -> None:
        self.chain = er.Chain(walk.start, 0.0, exclude=0)

    def run(self, walk: Walk, steps: int, seconds: float) -> list[float]:
        chain, ends = self.chain, []
        moves = list(zip(walk.joints, walk.angles, walk.kept, strict=True))[:steps]
        start = perf_counter()
        for joint, angle, kept in moves:
            chain.rotate(joint, angle)
            if self.as_array:
                _ = er.self_within(chain, REACH).indices
            else:
                _ = len(er.self_within(chain, REACH))
            if not kept:
                chain.undo()
            ends.append(perf_counter() - start)
            if ends[-1] > seconds:
                break
        return ends

    def pairs_at(self, walk: Walk, steps: Sequence[int]) -> list[Any]:
        chain, found = self.chain, []
        for k, (joint, angle, kept) in enumerate(zip(walk.joints, walk.angles, walk.kept, strict=True)):
            chain.rotate(joint, angle)
            if k in steps:
                found.append(er.self_within(chain, REACH).indices)
            if not kept:
                chain.undo()
        return found


class ElbowroomArray(Elbowroom):
    as_array = True


class Peer:
    """Only the query is timed: where the atoms are is given."""

    def __init__(self, finder: Any) -> None:
        self.finder = finder

    def run(self, walk: Walk, steps: int, seconds: float) -> list[float]:
        pairs, ends = self.finder.pairs, []
        start = perf_counter()
        for points in walk.positions[:steps]:
            pairs(points)
            ends.append(perf_counter() - start)
            if ends[-1] > seconds:
                break
        return ends

    def pairs_at(self, walk: Walk, steps: Sequence[int]) -> list[Any]:
        return [np.array(self.finder.pairs(walk.positions[step])) for step in steps]


def _peer(module: str, name: str) -> Callable[[Walk], Contestant]:
    """The module is imported when the peer is made: numba, vesin and MDAnalysis may be absent."""

    def make(walk: Walk) -> Contestant:
        finder = getattr(import_module(f"benchmarks.neighbours.{module}"), name)
        return Peer(finder(len(walk.start), REACH))

    return make


CONTESTANTS: dict[str, Callable[[Walk], Contestant]] = {
    OURS: Elbowroom,
    "elbowroom, as an array": ElbowroomArray,
    "cell list in numba": _peer("cells", "CellList"),
    "scipy, cKDTree": _peer("peers", "KdTree"),
    "vesin": _peer("peers", "Vesin"),
    "MDAnalysis": _peer("peers", "MDAnalysis"),
}


@dataclass
class Trace:
    """Seconds to the end of each step, one list for each round; all rounds have the steps of the first."""

    rounds: list[list[float]] = field(default_factory=list)

    @property
    def steps(self) -> int:
        return len(self.rounds[0]) if self.rounds else 0

    def microseconds(self, steps: int) -> float:
        """A step, over the first so many, in the fastest round; NaN where it did not get so far."""
        if not 0 < steps <= self.steps:
            return math.nan
        return 1e6 * min(one[steps - 1] for one in self.rounds) / steps


def present(names: Sequence[str]) -> list[str]:
    """Try everybody on a short walk, which also compiles; who lacks a package is named and left out."""
    walk, able = make_walk(FEW, 2), []
    for name in names:
        try:
            CONTESTANTS[name](walk).run(walk, 2, math.inf)
            able.append(name)
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
    return able


def rounds(names: Sequence[str], walk: Walk, settings: argparse.Namespace) -> dict[str, Trace]:
    """Every contestant in turn, so many times."""
    traces = {name: Trace() for name in names}
    for _ in range(settings.repetitions):
        for name, trace in traces.items():
            contestant = CONTESTANTS[name](walk)
            steps = trace.steps or settings.steps
            with no_garbage():
                ends = contestant.run(walk, steps, math.inf if trace.rounds else settings.seconds)
            trace.rounds.append(ends)
    return traces


def check(name: str, walk: Walk, steps: Sequence[int]) -> dict[str, int]:
    """Pairs that only one of the contestant and all-pairs has; "clear" are those not at the very edge."""
    tolerance, off, clear = 1e-4 if name in SINGLE else 1e-9, 0, 0
    given = CONTESTANTS[name](walk).pairs_at(walk, steps)
    for step, pairs in zip(steps, given, strict=True):
        distances = squareform(pdist(walk.positions[step]))
        wanted = np.argwhere(np.triu(distances <= REACH, 1))
        unlike = _unlike(np.asarray(pairs).astype(np.int64), wanted, len(distances))
        off += len(unlike)
        clear += int((np.abs(distances[unlike[:, 0], unlike[:, 1]] - REACH) > tolerance).sum())
    return {"checked": len(steps), "pairs off": off, "clear": clear}


def _unlike(given: Pairs, wanted: Pairs, count: int) -> Pairs:
    """Pairs in one list only, and those that are given more than once."""
    ordered = np.sort(given, axis=1)
    numbers, times = np.unique(ordered[:, 0] * count + ordered[:, 1], return_counts=True)
    differing = np.setxor1d(numbers, wanted[:, 0] * count + wanted[:, 1])
    return np.stack(np.divmod(np.concatenate([differing, numbers[times > 1]]), count), axis=1)


def ask(count: int, names: list[str], settings: argparse.Namespace) -> dict[str, Any]:
    """One size: run, check, print."""
    walk = make_walk(count, settings.steps)
    steps = np.unique(np.linspace(0, settings.steps - 1, settings.oracle).astype(int)).tolist()
    traces = rounds(names, walk, settings)
    ours = traces.get(OURS, Trace())
    rows = []
    for name, trace in traces.items():
        own, same = trace.microseconds(trace.steps), ours.microseconds(trace.steps)
        timed = {
            "contestant": name,
            "steps": trace.steps,
            "us": own,
            "ours, us": same,
            "over ours": own / same,
        }
        rows.append(timed | check(name, walk, steps))
    mean = float(np.mean([len(cKDTree(walk.positions[k]).query_pairs(REACH)) for k in steps]))
    title = f"{count} atoms, {mean:.0f} pairs; microseconds a query, and ours over the same first steps"
    common.show(tabulate(title, rows))
    return {"atoms": count, "pairs": mean, "kept": float(np.mean(walk.kept)), "rows": rows}


def best(asked: Sequence[dict[str, Any]]) -> float:
    """The fastest full list over ours, at the size that the target speaks of; NaN where it was not run."""
    rows = [row for one in asked if one["atoms"] == TARGET_SIZE for row in one["rows"]]
    return min((row["over ours"] for row in rows if not row["contestant"].startswith(OURS)), default=math.nan)


def main() -> None:
    made = common.parser(__doc__, repetitions=7)
    made.add_argument("--rounds", type=int, dest="repetitions", default=argparse.SUPPRESS, help="the same")
    made.add_argument("--sizes", default="500,5000", help="atoms of the backbone")
    made.add_argument("--steps", type=int, default=300, help="torsions")
    made.add_argument("--seconds", type=float, default=5.0, help="the longest turn of a contestant")
    made.add_argument("--oracle", type=int, default=10, help="steps at which all pairs are compared")
    settings = common.parsed(made, QUICK)
    names = present(common.chosen(CONTESTANTS, settings.only))
    asked = [ask(int(size), names, settings) for size in settings.sizes.split(",")]
    ratio = best(asked)
    if not math.isnan(ratio):
        print(f"fastest full list over ours at {TARGET_SIZE} atoms: {ratio:.1f}; target: at least {TARGET:g}")
    common.save(settings.json, "neighbours", vars(settings), {"tables": asked, "best over ours": ratio})


if __name__ == "__main__":
    main()
