"""Pivots of an equilibrated chain: any rotation about any link, test, undo if it collides.

Balls of diameter 1, one bond apart: a self-avoiding walk off the lattice. The chain starts as a rod and is
brought to equilibrium by the pivots themselves, as in Madras and Sokal (1988).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

import elbowroom as er
from benchmarks.common import Array
from elbowroom import scenes

RADIUS = 0.5
BATCH = 100_000  # moves drawn at a time
Draw = tuple[list[int], list[Array]]


@dataclass
class Line:
    """What one size of chain took and gave."""

    links: int
    attempts: int
    microseconds: float
    accepted: float
    end_to_end: float  # squared, over links ** 1.1752: nearly a constant in equilibrium
    bytes_a_link: float
    judged: int
    wrong: int


def draw(links: int, attempts: int, rng: np.random.Generator) -> Draw:
    """Links to turn about, ends left out, and uniform rotations as matrices (3, 3)."""
    rotations = Rotation.from_quat(rng.normal(size=(attempts, 4)))
    return rng.integers(1, links - 1, attempts).tolist(), list(rotations.as_matrix())


def attempt(chain: Any, moves: Draw) -> tuple[float, int]:
    """Seconds, and how many were accepted."""
    turn, collides, undo = chain.turn, chain.collides, chain.undo
    accepted, start = 0, perf_counter()
    for joint, rotation in zip(*moves, strict=True):
        turn(joint, rotation)
        if collides():
            undo()
        else:
            accepted += 1
    return perf_counter() - start, accepted


def equilibrated(links: int, attempts: int, rng: np.random.Generator) -> Any:
    """A chain after so many pivots from a rod."""
    chain = er.Chain(scenes.rod(links, 2.0 * RADIUS), RADIUS)
    if chain.collides():
        raise RuntimeError("the rod collides with itself")
    for done in range(0, attempts, BATCH):
        attempt(chain, draw(links, min(BATCH, attempts - done), rng))
    return chain


def judge(chain: Any, count: int, rng: np.random.Generator) -> int:
    """Of so many further attempts, those whose verdict is not that of a k-d tree."""
    wrong = 0
    for joint, rotation in zip(*draw(len(chain), count, rng), strict=True):
        points = chain.positions()
        points[joint + 1 :] = (points[joint + 1 :] - points[joint]) @ rotation.T + points[joint]
        chain.turn(joint, rotation)
        hit = chain.collides()
        wrong += hit != _overlap(points)
        if hit:
            chain.undo()
    return wrong


def _overlap(points: Array) -> bool:
    """Does any pair overlap but those of one bond, which touch?"""
    pairs = cKDTree(points).query_pairs(2.0 * RADIUS, output_type="ndarray")
    return bool((np.abs(pairs[:, 1] - pairs[:, 0]) > 1).any())


def measure(links: int, equilibrate: float, attempts: int, rounds: int, oracle: int) -> Line:
    """The fastest of so many rounds of attempts; the chain goes on from one to the next."""
    rng = np.random.default_rng(2)
    chain = equilibrated(links, int(equilibrate * links), rng)
    best, accepted = math.inf, 0
    for _ in range(rounds):
        seconds, taken = attempt(chain, draw(links, attempts, rng))
        best, accepted = min(best, seconds), accepted + taken
    ends = chain.positions()[[0, -1]]
    return Line(
        links,
        attempts,
        1e6 * best / attempts,
        accepted / (rounds * attempts),
        float(((ends[1] - ends[0]) ** 2).sum() / links**1.1752),
        chain.nbytes / links,
        oracle,
        judge(chain, oracle, rng),
    )
