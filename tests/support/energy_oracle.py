"""Energies the slow and obvious way: all pairs and all torsions of an array of positions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

Pairs = set[tuple[int, int]]


@dataclass
class PairSum:
    """A sum over pairs i < j that are not left out, and the pairs that are scaled."""

    matrix: Any  # of the distances: the energy of every pair
    cutoff: float
    exclude: Pairs
    scaled: dict[tuple[int, int], float] = field(default_factory=dict)
    plain: Any = None  # as `matrix`, for the pairs that are scaled

    def terms(self, points: np.ndarray) -> np.ndarray:
        apart = cdist(points, points)
        np.fill_diagonal(apart, np.inf)
        with np.errstate(over="ignore", invalid="ignore"):
            values = self.matrix(apart)
        counted = np.triu(apart <= self.cutoff, 1)
        for i, j in [*self.exclude, *self.scaled]:
            counted[i, j] = counted[j, i] = False
        rest = [f * self.plain(apart)[i, j] for (i, j), f in self.scaled.items()]
        return np.concatenate([values[counted], rest])


@dataclass
class TorsionSum:
    balls: np.ndarray
    k: np.ndarray
    n: np.ndarray
    phase: np.ndarray

    def terms(self, points: np.ndarray) -> np.ndarray:
        angle = dihedrals(points, self.balls)
        return np.asarray(self.k * (1.0 + np.cos(self.n * angle - self.phase)))


def dihedrals(points: np.ndarray, balls: np.ndarray) -> np.ndarray:
    """By the projections of the outer bonds onto the plane across the middle one."""
    a, b, c, d = (points[balls[:, k]] for k in range(4))
    axis = (c - b) / np.linalg.norm(c - b, axis=1)[:, None]
    v, w = a - b, d - c
    v = v - (v * axis).sum(axis=1)[:, None] * axis
    w = w - (w * axis).sum(axis=1)[:, None] * axis
    return np.asarray(np.arctan2((np.cross(axis, v) * w).sum(axis=1), (v * w).sum(axis=1)))


def mixed(epsilon: np.ndarray, sigma: np.ndarray, geometric: bool) -> tuple[np.ndarray, np.ndarray]:
    """Matrices of all pairs."""
    e = np.sqrt(epsilon[:, None] * epsilon[None])
    s = np.sqrt(sigma[:, None] * sigma[None]) if geometric else (sigma[:, None] + sigma[None]) / 2
    return e, s


def lennard_jones(e: np.ndarray, s: np.ndarray) -> Any:
    return lambda d: 4 * e * ((s / d) ** 12 - (s / d) ** 6)


def switched(energy: Any, begin: float, cutoff: float) -> Any:
    def of(d: np.ndarray) -> np.ndarray:
        x = np.clip((d - begin) / (cutoff - begin), 0.0, 1.0)
        return np.asarray(energy(d) * (1 - 10 * x**3 + 15 * x**4 - 6 * x**5))

    return of
