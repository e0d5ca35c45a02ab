"""Who takes part, how a pass over the frames is timed, and who was right."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from time import perf_counter, thread_time
from typing import Any

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import pdist

from benchmarks.chain.torsions import no_garbage
from benchmarks.common import Array, Difference
from benchmarks.necklace.data import Motion, cube
from benchmarks.necklace.own import Own
from benchmarks.necklace.seekers import Contestant, Excluded, Question

QUESTIONS: tuple[Question, ...] = ("collide", "distance")
OURS, KDTREE, VESIN = "elbowroom boxes", "scipy, cKDTree", "vesin"
GRID, VERLET, SORTED = "grid in numba", "Verlet list in numba", "sorted list in numba"
SMALL = 2000  # beads up to which the oracle measures all pairs
CLOCKS = {"wall": perf_counter, "processor": thread_time}
FEWEST = 8  # frames that everybody has to do, however long they take
EXACT = 1e-9  # angstrom or bonds: gaps that differ by less are equal

Clock = Callable[[], float]
Make = Callable[[], Contestant]
Maker = Callable[[Motion, Question], Make]


def _own(cages: str, verify: str = "auto") -> Maker:
    return lambda motion, _: lambda: Own(motion, cages, verify)


def _peer(module: str, name: str) -> Maker:
    """Its packages are imported when the peer is made: they may be absent."""
    return lambda motion, _: lambda: getattr(import_module(f"benchmarks.necklace.{module}"), name)(motion)


def _list(name: str) -> Maker:
    """Skins are tried out once, before the rounds."""

    def maker(motion: Motion, question: Question) -> Make:
        verlet: Any = import_module("benchmarks.necklace.verlet")
        kind = getattr(verlet, name)
        skin = verlet.tuned(kind, motion, question)
        return lambda: kind(motion, skin)

    return maker


CONTESTANTS: dict[str, Maker] = {
    OURS: _own("boxes"),
    KDTREE: _peer("peers", "KdTree"),
    VESIN: _peer("peers", "Vesin"),
    GRID: _peer("grid", "Grid"),
    VERLET: _list("VerletList"),
    SORTED: _list("SortedList"),
    "elbowroom wrapped, naive": _own("wrapped", "naive"),
    "elbowroom wrapped, cascade": _own("wrapped", "cascade"),
    "elbowroom layered": _own("layered"),
    "elbowroom hybrid": _own("hybrid"),
    "elbowroom power": _own("power"),
}
PLANAR = ("elbowroom", KDTREE)  # those that take flat necklaces as they are
LISTS = (VERLET, SORTED)
DIAGRAMS = ("elbowroom hybrid", "elbowroom power")


def takes_part(name: str, motion: Motion, most: int) -> bool:
    """Power diagrams of more than `most` beads take too long; vesin divides by zero on some flat necklaces.

    That is a signal that ends the process, so it cannot be tried.
    """
    if name == VESIN:
        return not motion.flat
    return name not in DIAGRAMS or motion.beads <= most


def present(names: Sequence[str]) -> list[str]:
    """Try everybody on a few beads, which also compiles; who lacks a package is named and left out."""
    motion, able = cube(30, 3), []
    for name in names:
        try:
            for question in QUESTIONS:
                one_pass(name, CONTESTANTS[name](motion, question)(), motion, question, math.inf)
            able.append(name)
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
    return able


@dataclass
class Trace:
    """Of each round the seconds to the end of each frame, and the answers; our counters of the last."""

    rounds: list[list[float]] = field(default_factory=list)
    answers: list[list[Any]] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)

    @property
    def longest(self) -> list[Any]:
        return max(self.answers, key=len, default=[])

    @property
    def frames(self) -> int:
        return len(self.longest)

    def microseconds(self, frames: int) -> float:
        """A frame, over the first so many, in the fastest round; NaN where it did not get so far."""
        ended = [one[frames - 1] for one in self.rounds if 0 < frames <= len(one)]
        return 1e6 * min(ended, default=math.nan) / frames if frames else math.nan


def one_pass(
    name: str,
    made: Contestant,
    motion: Motion,
    question: Question,
    seconds: float,
    clock: Clock = perf_counter,
) -> tuple[list[float], list[Any]]:
    """Move and ask, frame by frame from the second on, for about so long.

    Before the clock runs the first frame is asked about, but not of the lists: making one is part of it.
    """
    first, *frames = motion.frames if name.startswith(PLANAR) else motion.spatial
    move, ends, answers = made.move, [], []
    ask: Callable[[], Any] = made.collides if question == "collide" else made.closest
    if name not in LISTS:
        move(first)
        ask()
    start = clock()
    for points in frames:
        move(points)
        answers.append(ask())
        ends.append(clock() - start)
        if ends[-1] > seconds and len(ends) >= FEWEST:
            break
    return ends, answers


def rounds(
    names: Sequence[str], motion: Motion, question: Question, seconds: float, count: int, clock: Clock
) -> dict[str, Trace]:
    """Everybody in turn, so many times, and made anew each time.

    Those who took several turns' time for the fewest frames that there may be are not asked again.
    """
    makes = {name: CONTESTANTS[name](motion, question) for name in names}
    traces = {name: Trace() for name in names}
    for _ in range(count):
        for name, trace in traces.items():
            if trace.rounds and trace.rounds[-1][-1] > 4 * seconds:
                continue
            made = makes[name]()
            with no_garbage():
                ends, answers = one_pass(name, made, motion, question, seconds, clock)
            trace.rounds.append(ends)
            trace.answers.append(answers)
            trace.counters = made.counters() if isinstance(made, Own) else {}
    return traces


def values(answers: Sequence[Any]) -> Array:
    """Verdicts as 0 and 1, gaps as they are."""
    return np.array([one[0] if isinstance(one, tuple) else one for one in answers], dtype=float)


def compare(
    traces: Mapping[str, Trace], motion: Motion, question: Question, judge: int
) -> dict[str, list[Difference]]:
    """Answers of any round unlike the first contestant's, over the frames that both had."""
    base, found = values(next(iter(traces.values())).longest), {}
    for name, trace in traces.items():
        given = [(k, value) for one in trace.answers for k, value in enumerate(values(one)[: len(base)])]
        unlike = [(k, value) for k, value in given if abs(max(value, 0.0) - max(base[k], 0.0)) > EXACT]
        truths = [oracle(motion, question, k) for k, _ in unlike[:judge]] + [math.nan] * len(unlike[judge:])
        found[name] = [
            Difference(name, k, value, float(base[k]), truth)
            for (k, value), truth in zip(unlike, truths, strict=True)
        ]
    return found


def wrong(found: Sequence[Difference]) -> dict[str, int]:
    """How many differences, in how many of those judged it was wrong, and in how many the base was."""
    off = [abs(max(one.answer, 0.0) - one.truth) > EXACT for one in found]
    base_off = [abs(max(one.base, 0.0) - one.truth) > EXACT for one in found]
    return {"differs": len(found), "wrong": sum(off), "base wrong": sum(base_off)}


def wrong_pairs(trace: Trace, motion: Motion) -> int:
    """Frames in which the pair that is named may touch or is not as far apart as was said."""
    named = [(k, *one) for some in trace.answers for k, one in enumerate(some) if isinstance(one, tuple)]
    excluded, count = Excluded(motion), 0
    for frame, gap, (one, other) in named:
        points = motion.frames[frame + 1]
        apart = max(float(np.linalg.norm(points[one] - points[other])) - motion.contact, 0.0)
        counts = bool(excluded.counting(np.array([one]), np.array([other]))[0])
        count += not counts or abs(apart - max(gap, 0.0)) > EXACT
    return count


def oracle(motion: Motion, question: Question, frame: int) -> float:
    """The least gap (verdict: whether it is 0 or less) by other means than those of the contestants.

    Frames are counted from the first that was timed.
    """
    points = motion.frames[frame + 1]
    few = motion.beads <= SMALL or motion.bonded is not None
    least = _least_of_all(motion, points) if few else _least_of_nearest(points)
    gap = least - motion.contact
    return float(gap <= 0.0) if question == "collide" else max(gap, 0.0)


def _least_of_all(motion: Motion, points: Array) -> float:
    """All pairs measured."""
    first, second = np.triu_indices(len(points), 1)
    return float(pdist(points)[Excluded(motion).counting(first, second)].min())


def _least_of_nearest(points: Array) -> float:
    """The four nearest to each bead: itself, perhaps its two neighbours, and one more."""
    distances, numbers = cKDTree(points).query(points, k=4)
    apart = np.abs(numbers - np.arange(len(points))[:, None]) > 1
    return float(distances[apart].min())
