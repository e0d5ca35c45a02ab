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
        origins, noise = size * rng.normal(size=(2, count, 3)), rng.normal(size=(count, 3))
        rays = (origins, 0.3 * size * noise - origins[0] if count == 1 else noise[0], place)
        for radius in (0.0, 0.02 * size):
            given = {"radius": radius, "threads": 1}
            yield note("cast", er.cast(body, *rays, **given), size)
            yield note("cast limit", er.cast(body, *rays, limit=size, **given), size)
            yield note("cast every", er.cast(body, *rays, every=True, **given), size)
