"""One random torsion, test, undo if it collides: moves, contestants, rounds, and who was right.

A contestant runs up a ladder of numbers of steps (100, 200, 500, 1000, ...), and the time at each rung is
noted, so that a slow one, which stops early, can be compared with a fast one over the same first steps.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from benchmarks.chain.peers import KdTree
from benchmarks.common import Array
from elbowroom import scenes

RADIUS = 1.0
LARGEST_ANGLE = math.radians(10.0)
CALLS, CORE = "elbowroom, calls", "elbowroom, its own loop"
GRID, COAL, FCL = "grid, persistent", "coal", "python-fcl"
FEW = 64  # balls of the chain on which everybody is tried before the clock runs

Given = tuple[float, NDArray[np.bool_]]


@dataclass(frozen=True)
class Moves:
    """Joints and angles, one of each a step."""

    joints: NDArray[np.int64]
    angles: Array

    def part(self, start: int, end: int) -> Moves:
        return Moves(self.joints[start:end], self.angles[start:end])


class Contestant(Protocol):
    def run(self, moves: Moves, stay: bool) -> Given:
        """Make the moves; seconds, and where they collided. With `stay` accepted ones are undone too."""


class Calls:
    """Three calls from Python a step: rotate, collides and, where it collides, undo.

    The undo of an accepted move is not the workload's but ours, to keep the chain as it is: it is not timed.
    """

    def __init__(self, body: Any) -> None:
        self.body = body

    def run(self, moves: Moves, stay: bool) -> Given:
        rotate, collides, undo = self.body.rotate, self.body.collides, self.body.undo
        steps = list(zip(moves.joints.tolist(), moves.angles.tolist(), strict=True))
        hits: list[bool] = []
        away, start = 0.0, perf_counter()
        for joint, angle in steps:
            rotate(joint, angle)
            hit = collides()
            hits.append(hit)
            if hit:
                undo()
            elif stay:
                left = perf_counter()
                undo()
                away += perf_counter() - left
        return perf_counter() - start - away, np.array(hits, dtype=bool)


class OwnCalls(Calls):
    """The same for er.Chain; every undo is timed, because reading the clock would cost more than it."""

    def run(self, moves: Moves, stay: bool) -> Given:
        rotate, collides, undo = self.body.rotate, self.body.collides, self.body.undo
        steps = list(zip(moves.joints.tolist(), moves.angles.tolist(), strict=True))
        hits: list[bool] = []
        start = perf_counter()
        for joint, angle in steps:
            rotate(joint, angle)
            hit = collides()
            hits.append(hit)
            if hit or stay:
                undo()
        return perf_counter() - start, np.array(hits, dtype=bool)


class CoreLoop(Calls):
    """All steps in one call of er.Chain."""

    def run(self, moves: Moves, stay: bool) -> Given:
        start = perf_counter()
        accepted = self.body.try_torsions(moves.joints, moves.angles, stay=stay)
        return perf_counter() - start, ~np.asarray(accepted, dtype=bool)


def _peer(module: str, name: str) -> Callable[[Array], Contestant]:
    """The module is imported when the peer is made: numba, FCL and Coal may be absent."""

    def make(positions: Array) -> Contestant:
        return Calls(getattr(import_module(module), name)(positions, RADIUS))

    return make


def _tested(positions: Array) -> er.Chain:
    """A chain that knows it is free: each move is then tested for what it changes, not from the beginning."""
    chain = er.Chain(positions, RADIUS)
    if chain.collides():
        raise RuntimeError("the chain collides before it moves")
    return chain


CONTESTANTS: dict[str, Callable[[Array], Contestant]] = {
    CALLS: lambda positions: OwnCalls(_tested(positions)),
    CORE: lambda positions: CoreLoop(_tested(positions)),
    GRID: _peer("benchmarks.chain.grids", "PersistentGrid"),
    "grid, tuned": _peer("benchmarks.chain.tuned", "TunedGrid"),
    "grid, the paper's": _peer("benchmarks.chain.grids", "PaperGrid"),
    "elbowroom, baselines.Grid": _peer("elbowroom.baselines", "Grid"),
    COAL: _peer("benchmarks.chain.peers", "Coal"),
    FCL: _peer("benchmarks.chain.peers", "Fcl"),
    "scipy, cKDTree": _peer("benchmarks.chain.peers", "KdTree"),
}
ALONE = (CALLS, CORE)  # those that are asked at sizes above --together


@dataclass
class Trace:
    """Seconds from one rung to the next (in the fastest round), verdicts, and bytes a link of our chains."""

    seconds: dict[int, float] = field(default_factory=dict)
    hits: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    bytes_a_link: float = math.nan

    @property
    def steps(self) -> int:
        return len(self.hits)

    def microseconds(self, steps: int) -> float:
        """A step, over the first so many; NaN where that rung was not reached."""
        if steps not in self.seconds:
            return math.nan
        return 1e6 * sum(taken for rung, taken in self.seconds.items() if rung <= steps) / steps


def random_moves(count: int, steps: int, seed: int = 1) -> Moves:
    """Any joint but the last, about which only the last ball would turn, and that about itself."""
    rng = np.random.default_rng(seed)
    return Moves(rng.integers(0, count - 2, steps), rng.uniform(-LARGEST_ANGLE, LARGEST_ANGLE, steps))


def ladder(steps: int) -> list[int]:
    """100, 200, 500, 1000 and so on, up to `steps`, which is the last rung."""
    rungs = (k * 10**power for power, k in product(range(2, 9), (1, 2, 5)))
    return [rung for rung in rungs if rung < steps] + [steps]


def present(names: Sequence[str]) -> list[str]:
    """Try everybody on a short chain, which also compiles; who lacks a package is named and left out."""
    start, moves, able = scenes.serpentine(FEW), random_moves(FEW, 20), []
    for name in names:
        try:
            for stay in (False, True):
                CONTESTANTS[name](start).run(moves, stay)
            able.append(name)
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
    return able


def rounds(
    names: Sequence[str], start: Array, moves: Moves, stay: bool, seconds: float, count: int
) -> dict[str, Trace]:
    """Every contestant in turn on a new chain, so many times; the fastest round counts from rung to rung."""
    rungs = ladder(len(moves.joints))
    traces = {name: Trace() for name in names}
    for _ in range(count):
        for name, trace in traces.items():
            climb(CONTESTANTS[name](start), moves, stay, rungs, seconds, trace)
    return traces


def climb(
    contestant: Any, moves: Moves, stay: bool, rungs: Sequence[int], seconds: float, trace: Trace
) -> None:
    """Up the ladder for about `seconds`; in later rounds as far as in the first."""
    limit, done, spent, hits = trace.steps, 0, 0.0, [trace.hits[:0]]
    with no_garbage():
        for rung in rungs:
            if (rung > limit) if limit else (done and spent * rung > seconds * done):
                break
            taken, given = contestant.run(moves.part(done, rung), stay)
            done, spent = rung, spent + taken
            trace.seconds[rung] = min(taken, trace.seconds.get(rung, math.inf))
            hits.append(given)
    given = np.concatenate(hits)
    if limit and not np.array_equal(given, trace.hits):
        raise RuntimeError("the same moves of the same chain got other verdicts in another round")
    trace.hits = given
    if isinstance(contestant, OwnCalls | CoreLoop):
        trace.bytes_a_link = contestant.body.nbytes / len(contestant.body)


@contextmanager
def no_garbage() -> Iterator[None]:
    """Collect it now, and not while the clock runs."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def truth(start: Array, moves: Moves, hits: NDArray[np.bool_], stay: bool) -> Callable[[int], float]:
    """The verdict on a step by a k-d tree, after the steps before it as `hits` says they ended."""

    def judge(step: int) -> float:
        chain = KdTree(start, RADIUS)
        before = [] if stay else np.flatnonzero(~hits[:step])
        for k in (*before, step):
            chain.rotate(int(moves.joints[k]), float(moves.angles[k]))
        return float(chain.collides())

    return judge
