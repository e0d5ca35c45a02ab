"""Motions of necklaces: from where the beads are to where they are next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

FARTHEST = 1e14  # well below the largest coordinate that the library takes
Motion = Callable[[np.random.Generator, np.ndarray, float], np.ndarray]


def wobble(part: float) -> Motion:
    """Every bead by about this part of the size, each its own way."""

    def moved(rng: np.random.Generator, x: np.ndarray, size: float) -> np.ndarray:
        return np.asarray(x + rng.normal(size=x.shape) * part * size)

    return moved


def sweep(rng: np.random.Generator, x: np.ndarray, size: float) -> np.ndarray:
    """A wave along the necklace: neighbours move alike."""
    phase = np.linspace(0.0, 6.0, len(x))[:, None] + rng.uniform(0.0, 6.0, x.shape[1])
    return np.asarray(x + 0.01 * size * np.sin(phase))


def drift(rng: np.random.Generator, x: np.ndarray, size: float) -> np.ndarray:
    return np.asarray(x + rng.normal(size=x.shape[1]) * 0.3 * size)


def still(_: Any, x: np.ndarray, size: float) -> np.ndarray:
    return x.copy()


def teleport(rng: np.random.Generator, x: np.ndarray, size: float) -> np.ndarray:
    """One bead to the place of another, next to it, or far away."""
    out, k, other = x.copy(), rng.integers(len(x)), rng.integers(len(x))
    out[k] = x[other] + rng.normal(size=x.shape[1]) * size * float(rng.choice([0.0, 1e-3, 0.5, 100.0]))
    return out


def expand(_: Any, x: np.ndarray, size: float) -> np.ndarray:
    """A million times as wide, or as wide as numbers may be."""
    middle = x.mean(axis=0)
    most = FARTHEST / max(float(np.abs(x).max()), 1e-300)
    return np.asarray(middle + (x - middle) * np.clip(most, 1.0, 1e6))


def shrink(_: Any, x: np.ndarray, size: float) -> np.ndarray:
    middle = x.mean(axis=0)
    return np.asarray(middle + (x - middle) * 1e-6)


def collapse(rng: np.random.Generator, x: np.ndarray, size: float) -> np.ndarray:
    return np.tile(x[rng.integers(len(x))], (len(x), 1))


def shuffle(rng: np.random.Generator, x: np.ndarray, size: float) -> np.ndarray:
    """The same places, taken by other beads."""
    return np.asarray(rng.permutation(x))


def fold(rng: np.random.Generator, x: np.ndarray, size: float) -> np.ndarray:
    """One half laid upon the other, mirrored at a bead in the middle."""
    out, k = x.copy(), len(x) // 2
    axis = rng.integers(x.shape[1])
    out[k:, axis] = 2.0 * x[k, axis] - x[k:, axis]
    return out


def snap(_: Any, x: np.ndarray, size: float) -> np.ndarray:
    """To a coarse lattice: many beads in one place, in line, on one sphere."""
    step = 2.0 ** np.round(np.log2(0.1 * size))
    return np.asarray(np.round(x / step) * step)


MOTIONS: dict[str, Motion] = {
    "crawl": wobble(1e-5), "slow": wobble(1e-3), "jiggle": wobble(0.02), "jump": wobble(0.5), "sweep": sweep,
    "drift": drift, "still": still, "teleport": teleport, "expand": expand, "shrink": shrink,
    "collapse": collapse, "shuffle": shuffle, "fold": fold, "snap": snap,
}  # fmt: skip
GENTLE = ("crawl", "slow", "jiggle", "sweep", "still")
