"""Who is asked about whom, and what the answers look like and cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

import elbowroom as er

from .bodies import NOTHING, Actor, Numbers
from .exhibit import Facts, Show
from .layers import GOLD, INK, Array, Balls, Layer, Segments, in_space

#: More lines than this are not drawn: the nearest pairs are.
MOST_LINES = 4000
T = TypeVar("T")


@dataclass(frozen=True)
class Meeting:
    """Two actors that are compared, or one with itself."""

    first: Actor
    second: Actor | None = None

    @property
    def title(self) -> str:
        """Who meets whom."""
        return f"{self.first.name} with {self.second.name if self.second else 'itself'}"

    def collide(self, **options: Any) -> Any:
        """All parts that overlap."""
        if self.second is None:
            return er.self_collide(self.first.body, **options)
        return er.collide(self.first.body, self.second.body, self.first.pose, self.second.pose, **options)

    def distance(self) -> Any:
        """The nearest two points."""
        if self.second is None:
            return er.self_distance(self.first.body)
        return er.distance(self.first.body, self.second.body, self.first.pose, self.second.pose)

    def in_world(self, points: Array) -> Array:
        """Points of an answer: a body that is asked about itself tells them in its own frame."""
        if self.second is not None:
            return points
        return self.first.placed(in_space(points))

    def within(self, reach: float) -> Any:
        """All parts at most so far apart."""
        if self.second is None:
            return er.self_within(self.first.body, reach)
        return er.within(self.first.body, self.second.body, reach, self.first.pose, self.second.pose)


@dataclass
class Answers:
    """What was asked for the last picture: layers besides the bodies, who is marked, and facts."""

    marked: dict[str, Numbers] = field(default_factory=dict)
    layers: list[Layer] = field(default_factory=list)
    facts: Facts = field(default_factory=list)


def ask(meetings: Sequence[Meeting], show: Show, size: float) -> Answers:
    """Asks what is to be shown; `size` is that of the whole, by which marks are measured."""
    found = Answers()
    if not meetings:
        return found
    if show.collisions:
        _ask_collisions(meetings, found)
    if show.closest:
        _ask_closest(meetings, found, size)
    if show.within is not None:
        _ask_within(meetings, found, show.within)
    return found


def timed(question: Callable[[], T]) -> tuple[T, float]:
    """The answer, and the seconds it took."""
    begin = perf_counter()
    answer = question()
    return answer, perf_counter() - begin


def cost(counters: Sequence[er.Counters], seconds: float) -> str:
    """Tests and time, to be read."""
    volumes, leaves = (sum(getattr(one, f"{kind}_tests") for one in counters) for kind in ("volume", "leaf"))
    return f"{volumes:,} volume tests, {leaves:,} leaf tests, {duration(seconds)}"


def duration(seconds: float) -> str:
    """In microseconds or milliseconds, by three digits."""
    return f"{1e6 * seconds:.3g} us" if seconds < 1e-3 else f"{1e3 * seconds:.3g} ms"


def _ask_collisions(meetings: Sequence[Meeting], found: Answers) -> None:
    answers, seconds = timed(lambda: [meeting.collide(every=True) for meeting in meetings])
    for meeting, answer in zip(meetings, answers, strict=True):
        pairs = np.asarray(answer.pairs, np.int64).reshape(-1, 2)
        other = meeting.second or meeting.first
        for actor, numbers in ((meeting.first, pairs[:, 0]), (other, pairs[:, 1])):
            known = found.marked.get(actor.name, NOTHING)
            found.marked[actor.name] = np.unique(np.concatenate([known, numbers]))
    hits = sum(len(answer.pairs) for answer in answers)
    verdict = f"collision: {hits:,} pair{'s' * (hits != 1)}" if hits else "free, proved"
    found.facts += [("verdict", verdict), ("collide", cost([a.counters for a in answers], seconds))]


def _ask_closest(meetings: Sequence[Meeting], found: Answers, size: float) -> None:
    answers, seconds = timed(lambda: [meeting.distance() for meeting in meetings])
    best = int(np.argmin([float(answer.value) for answer in answers]))
    nearest = answers[best]
    if np.isfinite(nearest.value):  # two links of a chain may be all there is, and they are not compared
        points = meetings[best].in_world(np.asarray(nearest.points, dtype=float))
        radii = np.full(2, 0.008 * size)
        found.layers += [
            Segments("closest/line", points[None], 4.0, colour=GOLD),
            Balls("closest/points", points, radii, colour=GOLD),
        ]
    found.facts += [
        ("distance", f"{nearest.value:.6g}"),
        ("distance, cost", cost([a.counters for a in answers], seconds)),
    ]


def _ask_within(meetings: Sequence[Meeting], found: Answers, reach: float) -> None:
    answers, seconds = timed(lambda: [meeting.within(reach) for meeting in meetings])
    lines, gaps = [np.empty((0, 2, 3))], [np.empty(0)]
    for meeting, answer in zip(meetings, answers, strict=True):
        nearest = _nearest(np.asarray(answer.distances))
        pairs, other = answer.indices[nearest], meeting.second or meeting.first
        lines.append(np.stack([meeting.first.middles(pairs[:, 0]), other.middles(pairs[:, 1])], axis=1))
        gaps.append(np.asarray(answer.distances)[nearest])
    kept = _nearest(np.concatenate(gaps))
    found.layers.append(Segments("within", np.concatenate(lines)[kept], 1.0, colour=INK, opacity=0.7))
    count = sum(len(answer) for answer in answers)
    drawn = f", the nearest {MOST_LINES:,} drawn" if count > MOST_LINES else ""
    found.facts += [
        (f"within {reach:.3g}", f"{count:,} pair{'s' * (count != 1)}{drawn}"),
        ("within, cost", cost([a.counters for a in answers], seconds)),
    ]


def _nearest(distances: Array) -> Numbers:
    """Numbers of the least distances, as many as are drawn."""
    if len(distances) <= MOST_LINES:
        return np.arange(len(distances))
    return np.asarray(np.argpartition(distances, MOST_LINES)[:MOST_LINES])
