"""Separating axes of boxes in numba: the oracle, and the peer that a user without a library writes."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.common import Array

Counts = NDArray[np.int64]
PARALLEL = 1e-12  # squared sine below which the cross product of two edges says nothing new


@njit(cache=True)
def _relative(ra: Array, ta: Array, rb: Array, tb: Array, turn: Array, shift: Array) -> None:
    """The second box in the frame of the first: its rotation and centre."""
    for i in range(3):
        shift[i] = 0.0
        for k in range(3):
            shift[i] += (tb[k] - ta[k]) * ra[k, i]
        for j in range(3):
            turn[i, j] = ra[0, i] * rb[0, j] + ra[1, i] * rb[1, j] + ra[2, i] * rb[2, j]


@njit(cache=True)
def _face(axis: int, turn: Array, shift: Array, half: Array) -> float:
    """How far apart two equal boxes are along a face normal: 0 to 2 of the first, 3 to 5 of the second."""
    if axis < 3:
        own, far = axis, abs(shift[axis])
        reach = half[0] * abs(turn[own, 0]) + half[1] * abs(turn[own, 1]) + half[2] * abs(turn[own, 2])
    else:
        own = axis - 3
        far = abs(shift[0] * turn[0, own] + shift[1] * turn[1, own] + shift[2] * turn[2, own])
        reach = half[0] * abs(turn[0, own]) + half[1] * abs(turn[1, own]) + half[2] * abs(turn[2, own])
    gap: float = far - half[own] - reach
    return gap


@njit(cache=True)
def _edges(i: int, j: int, turn: Array, shift: Array, half: Array) -> float:
    """The same along the cross product of two edges, which is not of unit length."""
    i1, i2, j1, j2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
    far = abs(shift[i2] * turn[i1, j] - shift[i1] * turn[i2, j])
    first = half[i1] * abs(turn[i2, j]) + half[i2] * abs(turn[i1, j])
    second = half[j1] * abs(turn[i, j2]) + half[j2] * abs(turn[i, j1])
    gap: float = far - first - second
    return gap


@njit(cache=True)
def _gap(turn: Array, shift: Array, half: Array) -> float:
    """The largest separation over the fifteen axes: above 0 apart, below 0 overlapping."""
    best = -math.inf
    for axis in range(6):
        best = max(best, _face(axis, turn, shift, half))
    for i in range(3):
        for j in range(3):
            square = 1.0 - turn[i, j] * turn[i, j]
            if square > PARALLEL:
                best = max(best, _edges(i, j, turn, shift, half) / math.sqrt(square))
    return best


@njit(cache=True)
def _overlap(turn: Array, shift: Array, half: Array) -> bool:
    """The same question, left at the first axis that separates."""
    for axis in range(6):
        if _face(axis, turn, shift, half) > 0.0:
            return False
    for i in range(3):
        for j in range(3):
            if 1.0 - turn[i, j] * turn[i, j] > PARALLEL and _edges(i, j, turn, shift, half) > 0.0:
                return False
    return True


@njit(cache=True)
def count(rotations: Array, centres: Array, half: Array, reach: float) -> int:
    """Overlapping pairs of one frame; boxes whose centres are more than `reach` apart are not looked at."""
    turn, shift, found = np.empty((3, 3)), np.empty(3), 0
    square = reach * reach
    for i in range(centres.shape[1]):
        x, y, z = centres[0, i, 0], centres[0, i, 1], centres[0, i, 2]
        for j in range(centres.shape[1]):
            u, v, w = centres[1, j, 0] - x, centres[1, j, 1] - y, centres[1, j, 2] - z
            if u * u + v * v + w * w <= square:
                _relative(rotations[0, i], centres[0, i], rotations[1, j], centres[1, j], turn, shift)
                found += _overlap(turn, shift, half)
    return found


@njit(cache=True)
def count_frames(rotations: Array, centres: Array, half: Array, reach: float) -> Counts:
    """All frames in one call."""
    counts = np.empty(len(centres), np.int64)
    for k in range(len(centres)):
        counts[k] = count(rotations[k], centres[k], half, reach)
    return counts


@njit(cache=True)
def judge(rotations: Array, centres: Array, half: Array, reach: float) -> tuple[int, float]:
    """The oracle: pairs that overlap by all axes, and how near the nearest to touching is to it."""
    turn, shift, found, near = np.empty((3, 3)), np.empty(3), 0, math.inf
    square = reach * reach
    for i in range(centres.shape[1]):
        x, y, z = centres[0, i, 0], centres[0, i, 1], centres[0, i, 2]
        for j in range(centres.shape[1]):
            u, v, w = centres[1, j, 0] - x, centres[1, j, 1] - y, centres[1, j, 2] - z
            if u * u + v * v + w * w <= square:
                _relative(rotations[0, i], centres[0, i], rotations[1, j], centres[1, j], turn, shift)
                gap = _gap(turn, shift, half)
                found += gap <= 0.0
                near = min(near, abs(gap))
    return found, near
