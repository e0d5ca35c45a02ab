"""The measurements behind the CAB paper's tables: every refit on the same motion, one thread.

Refits take turns, because the machine may be slower for a while, and the least of some repeats counts. The
chapters on tables and those on costs and boxes share the measurements.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import accumulate

import elbowroom as er

from .cab_tables import EXPERIMENTS, REFITS, Experiment
from .findings import Settings

REPEATS, FEW = 5, 2
SLOW = ("brute", "AABB+")  # "included for completeness only": a few repeats are enough


@dataclass(frozen=True)
class Tally:
    """What a refit costs over all frames: exact queries, collisions among them, and seconds.

    Seconds are taken up to the end of each step: the poses of the links, the refit, the test of the boxes,
    the exact queries.
    """

    frames: int
    exact: int
    hits: int
    seconds: tuple[float, float, float, float]

    @property
    def update(self) -> float:
        """Seconds of the refit."""
        return max(self.seconds[1] - self.seconds[0], 0.0)

    @property
    def test(self) -> float:
        """Seconds of testing boxes."""
        return max(self.seconds[2] - self.seconds[1], 0.0)

    @property
    def query(self) -> float:
        """Seconds of exact queries."""
        return max(self.seconds[3] - self.seconds[2], 0.0)

    @property
    def total(self) -> float:
        """Seconds of all but the poses, which the paper does not count."""
        return self.update + self.test + self.query

    def figures(self) -> dict[str, float]:
        """The numbers by name, for the JSON file."""
        names = ("frames", "exact", "hits", "query", "update", "test", "total")
        return {name: getattr(self, name) for name in names}

    def best(self, other: Tally) -> Tally:
        """The same with the least time up to each step. Parts are differences, whose least is no time."""
        a, b, c, d = map(min, self.seconds, other.seconds)
        return Tally(self.frames, self.exact, self.hits, (a, b, c, d))


def measure(experiment: Experiment, settings: Settings) -> dict[str, Tally]:
    """Every refit by the paper's name; it is an error if they do not find the same collisions."""
    return _measure(experiment.number, settings)


@cache
def _measure(number: int, settings: Settings) -> dict[str, Tally]:
    experiment = EXPERIMENTS[number - 1]
    cast = experiment.cast(settings)
    bodies = {name: cast.bodies(refit) for name, refit in REFITS.items()}
    tallies = {name: once(*pair) for name, pair in bodies.items()}
    _agree(experiment, tallies)
    for repeat in range(1, REPEATS):
        for name in REFITS if repeat < FEW else [name for name in REFITS if name not in SLOW]:
            tallies[name] = tallies[name].best(once(*bodies[name]))
    return tallies


def once(body: er.Articulated, other: er.Articulated | None = None) -> Tally:
    """One measurement of the frames that the body holds."""
    spent = body.measure(other)
    a, b, c, d = accumulate(spent[part] for part in ("kinematics", "update", "test", "query"))
    return Tally(len(body.link_poses()), int(spent["exact"]), int(spent["hits"]), (a, b, c, d))


def _agree(experiment: Experiment, tallies: dict[str, Tally]) -> None:
    found = {name: tally.hits for name, tally in tallies.items()}
    if len(set(found.values())) > 1:
        raise RuntimeError(f"{experiment.name}: the refits disagree about the collisions, {found}")
