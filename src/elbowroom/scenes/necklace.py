"""Necklaces at rest and a line that rolls up: the curves and constructions of the necklace paper.

After Guibas, Nguyen, Russel and Zhang, "Collision Detection for Deforming Necklaces" (SoCG 2002), Figure 6:
a grill and a spiral in the plane, a spline, and a helix; Lemma 4.3, the points whose layered hierarchy is as
loose as can be; and the grid of Theorem 5.1. The paper gives no measures. Those here were chosen so that the
counts of its Figure 7 come out.

Every scene is an array of positions (n, 2) or (n, 3), bead 0 first; frames are (frames, n, 2). The same
arguments give the same numbers on every machine up to rounding.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BEND = 0.1  # height of the control points of the spline over its four units of length
HELIX_HEIGHT = 4.0  # for a radius of 1
SPIRAL_TURNS = 10.0


def grill(n: int = 63, line: int = 9, gap: int = 1) -> Array:
    """To and fro in the plane: lines of `line` beads, `gap` apart and joined at their ends, beads one apart.

    The paper prints a size of 63, which are seven lines of nine; but 63 is also the number of cages of
    `grill(90, 12, gap=2)`, whose counts fit.

    Examples
    --------
    >>> import elbowroom as er
    >>> round(er.self_distance(er.Necklace(er.scenes.grill(), 0.45)).value, 9)
    0.1
    """
    if n < 1 or line < 1 or gap < 1:
        raise ValueError(f"n, line and gap must be at least 1, got {n}, {line} and {gap}")
    row, within = np.divmod(np.arange(n), line + gap - 1)
    along = np.minimum(within, line - 1)
    across = gap * row + within - along
    there_and_back = np.where(row % 2 == 0, along, line - 1 - along)
    return np.stack([there_and_back, across], axis=1).astype(np.float64)


def spline(n: int) -> Array:
    """Two quadratic segments in the plane, together the shape of a flat S: a smooth necklace.

    It is so flat that of every two halves the cages are apart, up to thousands of thin beads.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.scenes.spline(100).shape
    (100, 2)
    """
    t = np.linspace(0.0, 2.0, n)
    first = t < 1.0
    u = np.where(first, t, t - 1.0)
    rise = 2 * BEND * u * (1.0 - u)
    return np.stack([2.0 * t, np.where(first, rise, -rise)], axis=1)


def helix(n: int, turns: float = 10.0, height: float = HELIX_HEIGHT) -> Array:
    """A helix about the z axis of radius 1, with as many turns as asked for, however many beads there are.

    The paper's static helix has 10 turns, its scaling one sqrt(n): `helix(n, math.sqrt(n))`. The number of
    edges of the power diagram of such a helix grows with n**2.

    Examples
    --------
    >>> import elbowroom as er
    >>> import math
    >>> rope = er.Necklace(er.scenes.helix(1000, math.sqrt(1000)), 0.01)
    >>> bool(er.self_collide(rope))
    False
    """
    share = np.linspace(0.0, 1.0, n)
    angle = 2 * np.pi * turns * share
    return np.stack([np.cos(angle), np.sin(angle), height * share], axis=1)


def spiral(n: int = 500, frames: int = 100, turns: float = SPIRAL_TURNS) -> Array:
    """A straight line that rolls up into a spiral of Archimedes: frames (frames, n, 2), beads one apart.

    In every frame the curvature is that of the spiral times a number between 0 and 1. It falls along the
    necklace, and a curve of that kind does not meet itself. The last frame is the spiral, the first the line.

    Examples
    --------
    >>> import elbowroom as er
    >>> frames = er.scenes.spiral(500, frames=100)
    >>> frames.shape
    (100, 500, 2)
    """
    if n < 1 or frames < 1:
        raise ValueError(f"n and frames must be at least 1, got {n} and {frames}")
    full = _length(2 * np.pi * turns)
    angle = _angle_at((np.arange(n - 1) + 0.5) * full / max(n - 1, 1))
    heading = angle + np.arctan(angle)
    moved = np.zeros((frames, n, 2))
    for frame, share in zip(moved, np.linspace(0.0, 1.0, frames), strict=True):
        np.cumsum(np.cos(share * heading), out=frame[1:, 0])
        np.cumsum(np.sin(share * heading), out=frame[1:, 1])
    return moved


def grid_necklace(n: int, dimension: int = 3) -> Array:
    """To and fro through a square or a cube of a grid, line by line: beads one apart.

    If n is a square or a cube, this is the worst case of Theorem 5.1: every separating family has in the
    order of n log n members in the plane, and n**(4/3) in space.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.scenes.grid_necklace(27)[-1].tolist()
    [2.0, 2.0, 2.0]
    """
    if n < 1 or dimension not in (2, 3):
        raise ValueError(f"n must be at least 1 and dimension 2 or 3, got {n} and {dimension}")
    side = max(1, round(n ** (1 / dimension)))
    side += side**dimension < n
    place = np.arange(n)[:, None]
    size = side ** np.arange(dimension)
    digit, above = place // size % side, place // (size * side)
    return np.asarray(np.where(above % 2 == 0, digit, side - 1 - digit), dtype=np.float64)


def sqrt_log(k: int) -> Array:
    """Lemma 4.3: 2**k points on a circle whose layered hierarchy has a root sqrt(k) times as large as it.

    Each half is the mirror image of the other. The balls of level l have radius l / sqrt(k), and their
    centres, at sqrt(1 - l / k) from that of the circle, are where the next mirror goes through.

    Examples
    --------
    >>> import elbowroom as er
    >>> len(er.scenes.sqrt_log(8))
    256
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    angles, mirror = np.zeros(1), 0.0
    for level in range(k):
        mirror += math.asin(1.0 / math.sqrt(k - level))
        angles = np.concatenate([angles, 2 * mirror - angles])
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _length(angle: float | Array) -> Array:
    """Arc length of a spiral of Archimedes, r = angle, from its middle."""
    return np.asarray(0.5 * (angle * np.sqrt(1.0 + np.square(angle)) + np.arcsinh(angle)))


def _angle_at(length: Array) -> Array:
    """The inverse of `_length`, by Newton's method from above, where it converges from everywhere."""
    angle = np.sqrt(2.0 * length)
    for _ in range(8):
        angle = angle - (_length(angle) - length) / np.sqrt(1.0 + angle * angle)
    return angle
