"""Bounding volumes: fits, merges, lower bounds of distances, containment."""

from __future__ import annotations

from typing import Any

import numpy as np

from elbowroom import volumes

from .reading import Notes
from .scenarios import Round, scenario
from .things import STYLES, Rng, cloud, lengths

KINDS = (volumes.Sphere, volumes.Capsule, volumes.Aabb, volumes.Obb, volumes.Rss)
FIELDS = ("centre", "radius", "start", "end", "low", "high", "half")


def fields(volume: Any) -> np.ndarray:
    """The numbers that make a volume."""
    return np.concatenate([np.ravel(getattr(volume, name)) for name in FIELDS if hasattr(volume, name)])


@scenario("volumes", 8)
def fits(rng: Rng, note: Notes) -> Round:
    """Balls of every style in volumes of every kind."""
    style = str(rng.choice(STYLES))
    for n in (1, 2, 3, 5, 9, 40):
        one, two = cloud(rng, style, n), cloud(rng, style, n) + 2 * rng.normal(size=3)
        sizes = lengths(rng, style, n)
        for kind in KINDS:
            a, b = volumes.fit(kind, one, sizes), volumes.fit(kind, two)
            both = a.merge(b)
            yield note.numbers(f"fit {kind.__name__}", fields(a), a.cost, scale=10.0)
            yield note.numbers(f"merge {kind.__name__}", fields(both), both.cost, scale=10.0)
            yield note.numbers(f"separation {kind.__name__}", a.separation(b), b.separation(a), scale=10.0)
            yield note.verdicts(f"contains {kind.__name__}", volumes.contains(a, two, tolerance=1.0))
