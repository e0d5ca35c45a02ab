"""Necklaces in motion: a line that rolls up, coils and a cube in Brownian motion.

All beads of a necklace have one radius. Every motion is free of collisions, so that a verdict cannot stop
early and the closest pair has a gap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import Array
from elbowroom import scenes

Pairs = NDArray[np.int64]

PAPER, TURNS = 500, 10.0  # beads and turns of the paper's spiral
SPEEDS = {"slow": 0.01, "fast": 0.1}  # standard deviation of a Brownian step along each axis, in bonds
CUBE = 0.8  # diameter of the beads of the cube, in bonds; those of coils are as wide as a bond is long


@dataclass(frozen=True)
class Motion:
    """Frames (n, dimension) of beads of one radius, and which of them may touch.

    `bonded` are pairs that may; None stands for neighbours along the sequence. In a steady motion all frames
    are alike.
    """

    frames: list[Array]
    radius: float
    bonded: Pairs | None = None
    steady: bool = True

    def __len__(self) -> int:
        return len(self.frames)

    @property
    def beads(self) -> int:
        return len(self.frames[0])

    @property
    def contact(self) -> float:
        """Distance of the centres of two beads that touch."""
        return 2.0 * self.radius

    @property
    def flat(self) -> bool:
        return bool(self.frames[0].shape[1] == 2)

    @cached_property
    def spatial(self) -> list[Array]:
        """The frames for those who know three dimensions only."""
        return [np.pad(frame, ((0, 0), (0, 1))) for frame in self.frames] if self.flat else self.frames


def spiral(beads: int, count: int, *, tight: bool = False) -> Motion:
    """A line rolls up into a spiral in the plane; neighbours always touch.

    It has ten turns like the paper's, or so many that its arms are as close as those of the paper's are.
    """
    turns = TURNS * math.sqrt(beads / PAPER) if tight else TURNS
    return Motion(list(scenes.spiral(beads, count, turns)), 0.5, steady=False)


def coil(beads: int, count: int, speed: str) -> Motion:
    """A self-avoiding random coil in Brownian motion."""
    return Motion(list(scenes.brownian(_coil(beads), count, SPEEDS[speed])), 0.5)


@lru_cache(maxsize=1)
def _coil(beads: int) -> Array:
    """Slow and fast ones have the same start, which takes seconds to grow."""
    return scenes.coil(beads, 1.0, 1.0 + 1e-9)


def cube(beads: int, count: int) -> Motion:
    """To and fro through a cube, in slow Brownian motion: as compact as a necklace gets."""
    start = scenes.serpentine(beads, 1.0)
    return Motion(list(scenes.brownian(start, count, SPEEDS["slow"], diameter=CUBE)), CUBE / 2)
