"""The measurements behind the CAB paper's tables: every refit on the same motion, one thread.

A machine that does other things too is slower for a while. Therefore motions are measured in pieces of a few
milliseconds, refits take turns, and of each piece the least of some repeats counts. Even and odd repeats are
kept apart: what they do not agree on is noise, and nothing is concluded from it. The chapters on tables and
those on costs and boxes share the measurements.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from operator import attrgetter

import elbowroom as er
from elbowroom.articulated import Refit

from .cab_tables import EXPERIMENTS, REFITS, Cast, Experiment
from .findings import Settings

PIECE = 250  # frames
ENOUGH = 0.5  # seconds in all for a refit, within these least and most repeats:
REPEATS, FEW = (6, 40), (4, 16)
SLOW: tuple[Refit, ...] = ("none", "aabb-all")  # "included for completeness only": few repeats are enough
PARTS = ("query", "update", "test", "total")
NOISE = 0.15  # by how much even and odd repeats may differ
NOISY = f"noise: repeats differ by over {NOISE:.0%}"


@dataclass(frozen=True)
class Tally:
    """What a refit costs over all frames: exact queries, collisions among them, and seconds.

    Seconds are taken up to the end of each step: the poses of the links, the refit, the test of the boxes,
    the exact queries. `halves` are the same by even and by odd repeats alone.
    """

    frames: int
    exact: int
    hits: int
    seconds: tuple[float, float, float, float]
    halves: tuple[Tally, ...] = ()

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
        return max(self.seconds[3] - self.seconds[0], 0.0)

    def part(self, name: str) -> float | None:
        """Seconds of one of `PARTS`; None if they are noise."""
        return agreed(attrgetter(name), self)

    def figures(self) -> dict[str, float | list[str]]:
        """The numbers by name, and which are noise, for the JSON file."""
        numbers = {name: getattr(self, name) for name in ("frames", "exact", "hits", *PARTS)}
        return numbers | {"noise": [name for name in PARTS if self.part(name) is None]}

    def best(self, other: Tally) -> Tally:
        """The same with the least time up to each step. Parts are differences, whose least is no time."""
        a, b, c, d = map(min, self.seconds, other.seconds)
        return Tally(self.frames, self.exact, self.hits, (a, b, c, d))


def agreed(value: Callable[..., float], *tallies: Tally) -> float | None:
    """A positive value of some tallies; None if it is noise: their halves differ too much in it."""
    by_half = zip(*(tally.halves or (tally, tally) for tally in tallies), strict=True)
    low, high = sorted(value(*half) for half in by_half)
    return value(*tallies) if low > 0 and high <= (1 + NOISE) * low else None


def quotient(one: float, other: float) -> float:
    """How many times the other; 0 if one of them came out as nothing."""
    return one / other if one > 0 and other > 0 else 0.0


def measure(experiment: Experiment, settings: Settings) -> dict[str, Tally]:
    """Every refit by the paper's name; it is an error if they do not find the same collisions."""
    return _measure(experiment.number, settings)


@cache
def _measure(number: int, settings: Settings) -> dict[str, Tally]:
    experiment = EXPERIMENTS[number - 1]
    tallies = in_turns(experiment.cast(settings), REFITS)
    _agree(experiment, tallies)
    return tallies


def in_turns(cast: Cast, refits: Mapping[str, Refit]) -> dict[str, Tally]:
    """Some refits by name, on all frames, one after the other again and again."""
    bodies = {name: cast.bodies(refit) for name, refit in refits.items()}
    found = {name: [_pieces(cast, pair), _pieces(cast, pair)] for name, pair in bodies.items()}
    wanted = {name: repeats(refit, _seconds(found[name][1])) for name, refit in refits.items()}
    for repeat in range(2, max(wanted.values())):
        for name in (name for name in refits if repeat < wanted[name]):
            found[name][repeat % 2] = _least(found[name][repeat % 2], _pieces(cast, bodies[name]))
    return {name: _joined(*halves) for name, halves in found.items()}


def repeats(refit: Refit, seconds: float) -> int:
    """How often to measure what takes so long once: an even number."""
    fewest, most = FEW if refit in SLOW else REPEATS
    return min(max(2 * math.ceil(ENOUGH / seconds / 2), fewest), most)


def _pieces(cast: Cast, pair: tuple[er.Articulated, er.Articulated | None]) -> list[Tally]:
    """One measurement of all frames, some at a time."""
    found = []
    for start in range(0, len(cast.first.motion), PIECE):
        for body, limbs in zip(pair, cast, strict=True):
            if body is not None and limbs is not None:
                body.move(limbs.motion[start : start + PIECE])
        found.append(_once(*pair, min(PIECE, len(cast.first.motion) - start)))
    return found


def _once(body: er.Articulated, other: er.Articulated | None, frames: int) -> Tally:
    """One measurement of the frames that the body holds, so many."""
    spent = body.measure(other)
    a, b, c, d = accumulate(spent[part] for part in ("kinematics", "update", "test", "query"))
    return Tally(frames, int(spent["exact"]), int(spent["hits"]), (a, b, c, d))


def _seconds(pieces: Sequence[Tally]) -> float:
    """How long a measurement of all frames takes: each step is measured with all before it."""
    return math.fsum(second for piece in pieces for second in piece.seconds)


def _least(one: Sequence[Tally], other: Sequence[Tally]) -> list[Tally]:
    return [a.best(b) for a, b in zip(one, other, strict=True)]


def _joined(even: Sequence[Tally], odd: Sequence[Tally]) -> Tally:
    return replace(_sum(_least(even, odd)), halves=(_sum(even), _sum(odd)))


def _sum(pieces: Sequence[Tally]) -> Tally:
    a, b, c, d = (math.fsum(step) for step in zip(*(piece.seconds for piece in pieces), strict=True))
    frames, exact, hits = (sum(map(attrgetter(name), pieces)) for name in ("frames", "exact", "hits"))
    return Tally(frames, exact, hits, (a, b, c, d))


def _agree(experiment: Experiment, tallies: dict[str, Tally]) -> None:
    found = {name: tally.hits for name, tally in tallies.items()}
    if len(set(found.values())) > 1:
        raise RuntimeError(f"{experiment.name}: the refits disagree about the collisions, {found}")
