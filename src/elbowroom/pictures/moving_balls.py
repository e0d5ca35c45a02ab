"""What moves in an animation besides bodies: balls in thousands, and segments that come and go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .painting import PALETTE

Array = NDArray[np.float64]

RED = "#e0245e"


@dataclass(frozen=True, eq=False)
class Balls:
    """Balls at places (n, 3), or (frames, n, 3) if they move; radii are one for all, (n,) or (frames, n).

    `colours` is one for all, or (n, 3) from 0 to 1. `red` lists for each frame the balls that are red then.
    `bonds` is the radius of rods from each ball to the next, and 0 for none. What belongs to a `layer` can be
    hidden.
    """

    places: ArrayLike
    radii: ArrayLike
    colours: str | ArrayLike = PALETTE[0]
    red: Sequence[Sequence[int]] = ()
    bonds: float = 0.0
    alpha: float = 1.0
    layer: str = ""


@dataclass(frozen=True, eq=False)
class Lines:
    """Segments (k, 2, 3), or a list of as many for each frame as there are then.

    With a `radius` they are rods, with balls of `ends` times that radius at both ends; else thin lines.
    """

    segments: ArrayLike | Sequence[ArrayLike]
    colour: str = RED
    radius: float = 0.0
    ends: float = 2.0
    layer: str = ""

    def by_frame(self) -> list[Array]:
        """One array for each frame, or a single one for all."""
        if not isinstance(self.segments, list):
            return [np.asarray(self.segments, dtype=float).reshape(-1, 2, 3)]
        return [np.asarray(one, dtype=float).reshape(-1, 2, 3) for one in self.segments]


def spots(points: ArrayLike) -> Array:
    """Points (n, 3) as segments without length, which show as balls."""
    places = np.asarray(points, dtype=float).reshape(-1, 1, 3)
    return np.repeat(places, 2, axis=1)


EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b).bit_count() == 1])
SIGNS = np.array([[1 - 2 * (k >> axis & 1) for axis in range(3)] for k in range(8)], dtype=float)


def box_edges(boxes: Sequence[object]) -> Array:
    """The twelve edges of each box of a tree, oriented or along the axes, as segments."""
    if not boxes:
        return np.zeros((0, 2, 3))
    return np.concatenate([_corners(box)[EDGES] for box in boxes])


def _corners(box: object) -> Array:
    if hasattr(box, "low"):
        low, high = np.asarray(box.low), np.asarray(box.high)  # type: ignore[attr-defined]
        return np.asarray((low + high) / 2 + SIGNS * (high - low) / 2)
    half, axes = np.asarray(box.half), np.asarray(box.axes)  # type: ignore[attr-defined]
    return np.asarray(box.centre + (SIGNS * half) @ axes)  # type: ignore[attr-defined]
