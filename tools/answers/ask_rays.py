"""Rays against every kind of body."""

from __future__ import annotations

import elbowroom as er

from .ask_between import others
from .reading import Notes
from .scenarios import Round, scenario
from .things import Rng, as_given, poses


@scenario("rays", 20)
def casts(rng: Rng, note: Notes) -> Round:
    """The first hits and all hits of rays, and of balls along them; some rays are limited."""
    body, size = others(rng, note)
    place = as_given(rng, poses(rng, 1, 0.1 * size)[0])
    for count in (1, 40):
        origins, directions = rng.normal(size=(2, count, 3))
        for radius in (0.0, 0.02 * size):
            given = {"pose": place, "radius": radius, "threads": 1}
            rays = (size * origins, directions - origins)
            yield note("cast", er.cast(body, *rays, **given), size)
            yield note("cast limit", er.cast(body, *rays, limit=size, **given), size)
            yield note("cast every", er.cast(body, *rays, every=True, **given), size)
