"""Torsions drawn beforehand, so that everybody makes the same, and what became of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, thread_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import Array

#: What became of a move: 0 if it collided, 1 if its energy was too high, 2 if it was accepted.
Verdicts = NDArray[np.int8]
COLLIDED, REJECTED, ACCEPTED = range(3)

Clock = Callable[[], float]
CLOCKS: dict[str, Clock] = {"wall": perf_counter, "processor": thread_time}


@dataclass(frozen=True)
class Moves:
    """Joints, angles, and how many temperatures an accepted move may cost: -log of a uniform number."""

    joints: NDArray[np.int64]
    angles: Array
    exponents: Array

    def __len__(self) -> int:
        return len(self.joints)

    def part(self, start: int, end: int) -> Moves:
        return Moves(self.joints[start:end], self.angles[start:end], self.exponents[start:end])


@dataclass(frozen=True)
class Outcome:
    """Seconds, the energy after the last move, and what became of each."""

    seconds: float
    energy: float
    verdicts: Verdicts


def random_moves(joints: NDArray[np.int64], angle: float, steps: int, seed: int = 1) -> Moves:
    """Any of the joints, by an angle of up to that many radians."""
    rng = np.random.default_rng(seed)
    chosen = joints[rng.integers(0, len(joints), steps)]
    return Moves(chosen, rng.uniform(-angle, angle, steps), rng.exponential(size=steps))
