"""Walks of a body, for memories: from a pose to the next, in a scene of that size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import nasty
import numpy as np
from chain_oracle import about_axis

Walk = Callable[[np.random.Generator, np.ndarray, float], np.ndarray]


def moved(pose: np.ndarray, turn: np.ndarray, shift: np.ndarray, about: np.ndarray) -> np.ndarray:
    """Turned about a point and shifted; rounding must not add up to a shear."""
    u, _, v = np.linalg.svd(turn @ pose[:3, :3])
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = u @ v, turn @ (pose[:3, 3] - about) + about + shift
    return out


def crawl(part: float) -> Walk:
    """A small turn about the body's own origin and a small step."""

    def walk(rng: np.random.Generator, pose: np.ndarray, size: float) -> np.ndarray:
        turn = about_axis(rng.normal(size=3), part * float(rng.normal()))
        return moved(pose, turn, rng.normal(size=3) * part * size, pose[:3, 3])

    return walk


def spin(rng: np.random.Generator, pose: np.ndarray, size: float) -> np.ndarray:
    """Much turning and next to no step: only a bound that knows the extent of the body sees it."""
    turn = about_axis(rng.normal(size=3), float(rng.uniform(0.05, 1.5)))
    return moved(pose, turn, rng.normal(size=3) * 1e-9 * size, pose[:3, 3])


def pivot(rng: np.random.Generator, pose: np.ndarray, size: float) -> np.ndarray:
    """About a point up to a million sizes away, by so little that the body moves by a part of its size."""
    away = size * 10.0 ** rng.uniform(0.0, 6.0)
    angle = float(rng.choice([1e-4, 1e-2, 0.2])) * size / away
    about = pose[:3, 3] + nasty.directions(rng, 1)[0] * away
    return moved(pose, about_axis(rng.normal(size=3), angle), np.zeros(3), about)


def jump(rng: np.random.Generator, pose: np.ndarray, size: float) -> np.ndarray:
    return np.asarray(nasty.matrices(nasty.rotations(rng, 1), rng.normal(size=(1, 3)) * 0.5 * size)[0])


def breathe(rng: np.random.Generator, pose: np.ndarray, size: float) -> np.ndarray:
    """Apart and back along one line."""
    away = float(np.linalg.norm(pose[:3, 3])) or 1e-3 * size
    new = float(np.clip(away * 2.0 ** rng.uniform(-1.0, 1.0), 0.02 * size, 4.0 * size))
    return moved(pose, np.eye(3), pose[:3, 3] * (new / away - 1.0), pose[:3, 3])


def flip(_: Any, pose: np.ndarray, size: float) -> np.ndarray:
    """Half a turn about an axis: a body that is symmetric in its extent, and nothing is where it was."""
    return moved(pose, np.diag([1.0, -1.0, -1.0]), np.zeros(3), pose[:3, 3])


def still(_: Any, pose: np.ndarray, size: float) -> np.ndarray:
    return pose.copy()


WALKS: dict[str, Walk] = {
    "creep": crawl(1e-7), "slow": crawl(1e-3), "brisk": crawl(0.03), "spin": spin, "pivot": pivot,
    "jump": jump, "breathe": breathe, "flip": flip, "still": still,
}  # fmt: skip


def any_walk(rng: np.random.Generator, pose: np.ndarray, size: float) -> np.ndarray:
    names = ["creep", "slow", "slow", "brisk", "brisk", "pivot", "still", "breathe", "spin", "flip", "jump"]
    return WALKS[str(rng.choice(names))](rng, pose, size)


WALKS["any"] = any_walk
