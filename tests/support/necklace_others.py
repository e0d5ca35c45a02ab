"""Rigid bodies beside a necklace, and poses that bring them near."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import nasty
import numpy as np
import oracle
from necklace_oracle import SlowNecklace, Twin


class Other(NamedTuple):
    """A body beside a necklace, and the gaps of all beads to all that its answers can name."""

    body: Any
    reach: float
    gaps: Callable[[SlowNecklace, np.ndarray, np.ndarray], np.ndarray]


def spheres(slow: SlowNecklace) -> oracle.Solid:
    pairs = zip(slow.points, slow.radii, strict=True)
    return oracle.pack([oracle.hull(x, float(r)) for x, r in pairs])


def rigid(thing: nasty.Thing) -> Other:
    def gaps(slow: SlowNecklace, pose_a: np.ndarray, pose_b: np.ndarray) -> np.ndarray:
        placed = ((spheres(slow), pose_a), (thing.solid, pose_b))
        a, b = (oracle.moved(solid, pose[:3, :3], pose[:3, 3]) for solid, pose in placed)
        return np.asarray(oracle.signed_matrix(a, b))

    return Other(thing.body, thing.reach, gaps)


def pose_near(
    rng: np.random.Generator, twin: Twin, other: Other, pose_a: np.ndarray, part: float | None = None
) -> np.ndarray:
    """The other body about one of the beads: from deep inside to well apart, or by this part of its reach."""
    bead = pose_a[:3, :3] @ twin.slow.points[rng.integers(len(twin.slow.radii))] + pose_a[:3, 3]
    length = (rng.uniform(0.0, 1.3) if part is None else part) * (other.reach + 0.3 * twin.slow.extent)
    away = nasty.directions(rng, 1)[0] * length
    return np.asarray(nasty.matrices(nasty.rotations(rng, 1), bead + away)[0])


def any_pose(rng: np.random.Generator, size: float) -> np.ndarray:
    return np.asarray(nasty.matrices(nasty.rotations(rng, 1), rng.normal(size=(1, 3)) * size)[0])
