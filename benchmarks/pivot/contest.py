"""Who pivots: the loop of er.sampling, calls from Python, a hash table, a SAW-tree; and who was right.

All begin with the same chain in equilibrium, and go on from round to round each with its own; the SAW-tree,
which is on a lattice, has one of its own from the beginning.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

import elbowroom as er
from benchmarks.chain import pivots
from benchmarks.common import Array

RADIUS = pivots.RADIUS
LOOP, CALLS, GRID, SAW = "loop", "calls", "grid", "SAW-tree"
FEW = 64  # attempts from which a contestant's pace is guessed
MOVES = {"pivot": 1.0}


def equilibrated(links: int, pivots_a_link: float, seed: int) -> Array:
    """A polymer after so many pivots: where everybody begins."""
    steps = max(int(pivots_a_link * links), 1000)
    begun = er.sampling.polymer(links, spacing=2.0 * RADIUS, radius=RADIUS, seed=seed)
    return sampled(begun, steps, seed).chain.positions()


def sampled(chain: er.Chain, steps: int, seed: int, **options: Any) -> er.sampling.Run:
    """One call of er.sampling.sample, with one sample at the end."""
    return er.sampling.sample(chain, MOVES, steps=steps, every=steps, seed=seed, progress=False, **options)


class Contestant:
    """Makes attempts, and counts them."""

    def __init__(self, start: Array, seed: int) -> None:
        self.tried, self.accepted, self.pace = 0, 0, math.nan
        self.rng, self.links = np.random.default_rng(seed), len(start)

    def turn(self, attempts: int, seconds: float) -> float:
        """Seconds an attempt, over so many or as many as there is time for."""
        if math.isnan(self.pace):
            self.pace = self.make(min(FEW, attempts)) / min(FEW, attempts)
        count = min(attempts, max(int(seconds / self.pace), FEW))
        self.pace = self.make(count) / count
        return self.pace

    def make(self, count: int) -> float:
        """So many attempts; seconds."""
        raise NotImplementedError

    def drawn(self, count: int) -> tuple[NDArray[np.int64], Array]:
        """Links to turn about, ends left out, and uniform rotations."""
        rotations = Rotation.from_quat(self.rng.normal(size=(count, 4)))
        return self.rng.integers(1, self.links - 1, count), rotations.as_matrix()


class OwnLoop(Contestant):
    """Calls of er.sampling.sample, which draws its moves itself.

    Each begins with a copy of the chain, and with sums over all links for what it observes. So twice as many
    steps are made as asked for, and the second half is timed.
    """

    def __init__(self, start: Array, seed: int) -> None:
        super().__init__(start, seed)
        self.chain = er.Chain(start, RADIUS)

    def make(self, count: int) -> float:
        marks: list[float] = []
        note = {"callback": lambda _: marks.append(perf_counter()), "callback_every": count}
        run = sampled(self.chain, 2 * count, int(self.rng.integers(2**62)), **note)
        self.chain = run.chain
        self.tried, self.accepted = self.tried + 2 * count, self.accepted + run.tallies["pivot"][2]
        return marks[1] - marks[0]


class Calls(Contestant):
    """turn, collides and, where it collides, undo; moves are drawn before the clock runs."""

    def __init__(self, start: Array, seed: int) -> None:
        super().__init__(start, seed)
        self.chain = er.Chain(start, RADIUS)
        if self.chain.collides():
            raise RuntimeError("the chain collides before it moves")

    def make(self, count: int) -> float:
        joints, rotations = self.drawn(count)
        seconds, accepted = pivots.attempt(self.chain, (joints.tolist(), list(rotations)))
        self.tried, self.accepted = self.tried + count, self.accepted + accepted
        return seconds


class Grid(Contestant):
    """One call for all moves, which are drawn before the clock runs."""

    def __init__(self, start: Array, seed: int) -> None:
        super().__init__(start, seed)
        self.chain = import_module("benchmarks.pivot.grid").PivotGrid(start, RADIUS)

    def make(self, count: int) -> float:
        joints, rotations = self.drawn(count)
        began = perf_counter()
        hits = self.chain.pivot(joints, rotations)
        seconds = perf_counter() - began
        self.tried, self.accepted = self.tried + count, self.accepted + int((~hits).sum())
        return seconds


class Saw(Contestant):
    """A walk on the lattice with as many sites; it draws its moves itself."""

    def __init__(self, start: Array, seed: int) -> None:
        super().__init__(start, seed)
        self.walk = import_module("benchmarks.pivot.saw_tree").SawTree(len(start), seed)
        self.walk.pivots(len(start))

    def make(self, count: int) -> float:
        began = perf_counter()
        accepted = self.walk.pivots(count)
        seconds = perf_counter() - began
        self.tried, self.accepted = self.tried + count, self.accepted + accepted
        return seconds


CONTESTANTS: dict[str, Callable[[Array, int], Contestant]] = {
    LOOP: OwnLoop,
    CALLS: Calls,
    GRID: Grid,
    SAW: Saw,
}


def present(names: Sequence[str]) -> list[str]:
    """Try everybody on a short chain, which also compiles; who lacks a package is named and left out."""
    start, able = equilibrated(200, 1.0, 1), []
    for name in names:
        try:
            CONTESTANTS[name](start, 1).make(100)
            able.append(name)
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
    return able


@dataclass(frozen=True)
class Checked:
    """How many equal moves of calls and grid were compared, what a k-d tree was asked, and who was wrong."""

    compared: int
    differs: int
    judged: int
    wrong: int

    def row(self) -> dict[str, int]:
        return asdict(self)


def check(start: Array, runners: dict[str, Contestant], stretch: int, seconds: float, oracle: int) -> Checked:
    """A stretch of equal moves, some more before a k-d tree, and overlaps where the rounds have ended."""
    compared, differs, wrong = 0, 0, 0
    if GRID in runners:
        count = min(stretch, max(int(seconds / runners[GRID].pace), FEW))
        compared, differs, wrong = _alike(start, count)
    ours = Calls(start, 3)
    wrong += pivots.judge(ours.chain, oracle, ours.rng)
    ends = [runner.chain.positions() for runner in runners.values() if not isinstance(runner, Saw)]
    wrong += sum(overlaps(points) for points in ends)
    return Checked(compared, differs, oracle + len(ends), wrong)


def _alike(start: Array, count: int) -> tuple[int, int, int]:
    """Moves compared; if calls and grid then part ways, 1; and 1 if it is the calls that are wrong."""
    ours, theirs = Calls(start, 2), Grid(start, 2)
    joints, rotations = ours.drawn(count)
    hits = theirs.chain.pivot(joints, rotations)
    for k in range(count):
        ours.chain.turn(int(joints[k]), rotations[k])
        hit = ours.chain.collides()
        if hit != hits[k]:
            ours.chain.undo()
            return k + 1, 1, int(hit != _would_overlap(ours.chain, int(joints[k]), rotations[k]))
        if hit:
            ours.chain.undo()
    return count, 0, 0


def _would_overlap(chain: Any, joint: int, rotation: Array) -> bool:
    points = chain.positions()
    points[joint + 1 :] = (points[joint + 1 :] - points[joint]) @ rotation.T + points[joint]
    return overlaps(points)


def overlaps(points: Array) -> bool:
    """Does any pair overlap but those of one bond, which touch? By a k-d tree."""
    pairs = cKDTree(points).query_pairs(2.0 * RADIUS, output_type="ndarray")
    return bool((np.abs(pairs[:, 1] - pairs[:, 0]) > 1).any())
