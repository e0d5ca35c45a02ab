"""Motions judged the slow and obvious way: gaps are measured along them, and again where they are least.

A `Course` tells the signed gap of a few pairs of things at any time from 0 to 1, and how fast it changes at
most. `least` measures at even times, then in the middle of every interval in which the gap may be smaller
than the smallest one found, and at last closes in on the local minima by golden sections, so that a contact
of the shortest duration is found. Speeds say where to look: whatever is reported was measured at the time
that is told, so a "free" that it contradicts is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import oracle
from motion_paths import Paths, solid_gaps

ROUNDING = 1e-14  # of the size of the scene: overlaps of more than this are never called free
GRID = 9  # even times to begin with
ROUNDS = 40  # halvings after that
MOST = 32  # intervals of one motion that are halved in a round
PRECISION = 2e-4  # of the way of the fastest point: gaps are found to this, before the golden sections
VALLEYS = 12  # local minima of a motion that are closed in on, at most
GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0

Gap = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Course:
    """Pairs on their way: `gap(which, times)` measures pair which[k] at times[k].

    Pair p belongs to motion `motion[p]`, and its gap changes by no more than `speeds[p]` in all the time.
    """

    gap: Gap
    speeds: np.ndarray
    motion: np.ndarray

    @property
    def motions(self) -> int:
        return int(self.motion.max(initial=-1)) + 1

    def ways(self) -> np.ndarray:
        """(motions,): how far the fastest points go."""
        out = np.zeros(self.motions)
        np.maximum.at(out, self.motion, self.speeds)
        return out

    def at(self, times: np.ndarray) -> np.ndarray:
        """(motions,): the least gap of every motion at its own time."""
        out = np.full(self.motions, np.inf)
        np.minimum.at(out, self.motion, self.gap(np.arange(len(self.motion)), times[self.motion]))
        return out


def together(courses: Sequence[Course]) -> Course:
    """The same motions, with the pairs of all courses."""
    first = np.cumsum([0] + [len(course.speeds) for course in courses])

    def gap(which: np.ndarray, times: np.ndarray) -> np.ndarray:
        out = np.empty(len(times))
        for k, course in enumerate(courses):
            here = (which >= first[k]) & (which < first[k + 1])
            if here.any():
                out[here] = course.gap(which[here] - first[k], times[here])
        return out

    speeds, motion = ([getattr(c, name) for c in courses] for name in ("speeds", "motion"))
    return Course(gap, np.concatenate(speeds), np.concatenate(motion))


# The least gap of all times.


class Least(NamedTuple):
    """For each motion the smallest gap found, when it was, and in which pair of the course."""

    gaps: np.ndarray
    times: np.ndarray
    pairs: np.ndarray


class Samples(NamedTuple):
    which: np.ndarray
    times: np.ndarray
    gaps: np.ndarray


class Intervals(NamedTuple):
    which: np.ndarray
    low: np.ndarray
    high: np.ndarray
    gap_low: np.ndarray
    gap_high: np.ndarray

    def taken(self, keep: np.ndarray) -> Intervals:
        return Intervals(*(array[keep] for array in self))


def even(course: Course, low: np.ndarray, high: np.ndarray) -> Samples:
    which = np.repeat(np.arange(len(course.speeds)), GRID)
    share = np.tile(np.linspace(0.0, 1.0, GRID), len(course.speeds))
    motion = course.motion[which]
    times = low[motion] + share * (high - low)[motion]
    return Samples(which, times, course.gap(which, times))


def between(samples: Samples) -> Intervals:
    """The intervals of even samples."""
    which, times, gaps = (array.reshape(-1, GRID) for array in samples)
    parts = (which[:, 1:], times[:, :-1], times[:, 1:], gaps[:, :-1], gaps[:, 1:])
    return Intervals(*(part.reshape(-1) for part in parts))


def promising(course: Course, spans: Intervals, best: np.ndarray) -> tuple[Intervals, Intervals]:
    """Those in which the gap may be smaller than the best of the motion: the most promising, and the rest."""
    speed, motion = course.speeds[spans.which], course.motion[spans.which]
    bound = 0.5 * (spans.gap_low + spans.gap_high - speed * (spans.high - spans.low))
    good = np.flatnonzero((bound < best[motion] - PRECISION * speed) & (spans.high > spans.low))
    order = good[np.lexsort((bound[good], motion[good]))]
    rank = np.arange(len(order)) - np.searchsorted(motion[order], motion[order])
    return spans.taken(order[rank < MOST]), spans.taken(order[rank >= MOST])


def halved(spans: Intervals, gaps: np.ndarray) -> Intervals:
    middle = 0.5 * (spans.low + spans.high)
    left = Intervals(spans.which, spans.low, middle, spans.gap_low, gaps)
    right = Intervals(spans.which, middle, spans.high, gaps, spans.gap_high)
    return Intervals(*(np.concatenate(pair) for pair in zip(left, right, strict=True)))


def sampled(course: Course, low: np.ndarray, high: np.ndarray, enough: np.ndarray) -> Samples:
    """All that was measured on the way to the least gap; a gap of less than `enough` ends its motion."""
    first = even(course, low, high)
    seen, spans, best = [first], between(first), np.full(course.motions, np.inf)
    np.minimum.at(best, course.motion[first.which], first.gaps)
    for _ in range(ROUNDS):
        spans, later = promising(course, spans, np.where(best < enough, -np.inf, best))
        if not len(spans.which):
            break
        middle = 0.5 * (spans.low + spans.high)
        gaps = course.gap(spans.which, middle)
        seen.append(Samples(spans.which, middle, gaps))
        np.minimum.at(best, course.motion[spans.which], gaps)
        spans = Intervals(*(np.concatenate(pair) for pair in zip(halved(spans, gaps), later, strict=True)))
    return Samples(*(np.concatenate(column) for column in zip(*seen, strict=True)))


def valleys(course: Course, seen: Samples) -> Intervals:
    """About the local minima that may be the lowest of a motion: the times of the samples on both sides."""
    order = np.lexsort((seen.times, seen.which))
    which, times, gaps = (array[order] for array in seen)
    before, after = np.roll(which, 1) == which, np.roll(which, -1) == which
    lower = ~(before & (np.roll(gaps, 1) < gaps)) & ~(after & (np.roll(gaps, -1) < gaps))
    low, high = np.where(before, np.roll(times, 1), times), np.where(after, np.roll(times, -1), times)
    best = np.full(course.motions, np.inf)
    np.minimum.at(best, course.motion[which], gaps)
    bound = gaps - course.speeds[which] * np.maximum(times - low, high - times)
    found = np.flatnonzero(lower & (bound <= best[course.motion[which]]))
    found = found[np.lexsort((gaps[found], course.motion[which[found]]))]
    motion = course.motion[which[found]]
    found = found[np.arange(len(found)) - np.searchsorted(motion, motion) < VALLEYS]
    return Intervals(which[found], low[found], high[found], gaps[found], gaps[found])


def golden(course: Course, spans: Intervals) -> Samples:
    """Golden sections: where there is one minimum, it is closed in on to the last digits of the time."""
    which, low, high = spans.which, spans.low.copy(), spans.high.copy()
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    gap_left, gap_right = course.gap(which, left), course.gap(which, right)
    for _ in range(60):
        down = gap_left <= gap_right  # the minimum lies left of `right`
        low, high = np.where(down, low, left), np.where(down, right, high)
        new = np.where(down, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
        gap = course.gap(which, new)
        left, right = np.where(down, new, right), np.where(down, left, new)
        gap_left, gap_right = np.where(down, gap, gap_right), np.where(down, gap_left, gap)
        if (high - low).max(initial=0.0) < 1e-15:
            break
    both = [np.concatenate(pair) for pair in ((which, which), (left, right), (gap_left, gap_right))]
    return Samples(*both)


def least(
    course: Course,
    low: np.ndarray | float = 0.0,
    high: np.ndarray | float = 1.0,
    enough: np.ndarray | float = -np.inf,
) -> Least:
    """The smallest gap of every motion between two times, or one of less than `enough`."""
    given = [np.broadcast_to(np.asarray(x, dtype=float), (course.motions,)) for x in (low, high, enough)]
    seen = sampled(course, *given)
    deep = np.full(course.motions, np.inf)
    np.minimum.at(deep, course.motion[seen.which], seen.gaps)
    spans = valleys(course, seen)
    spans = spans.taken((deep >= given[2])[course.motion[spans.which]])
    which, times, gaps = (np.concatenate(p) for p in zip(seen, golden(course, spans), strict=True))
    motion = course.motion[which]
    order = np.lexsort((times, gaps, motion))
    first = order[np.searchsorted(motion[order], np.arange(course.motions))]
    return Least(gaps[first], times[first], which[first])


# Solids on linear motions.


def rigid_course(a: oracle.Solid, paths: Paths, b: oracle.Solid, others: Paths) -> Course:
    """Motion k of one solid against motion k of another."""

    def gap(which: np.ndarray, times: np.ndarray) -> np.ndarray:
        return solid_gaps(a, b, paths.at(which, times), others.at(which, times))

    speeds = paths.speeds(oracle.reach_of(a)) + others.speeds(oracle.reach_of(b))
    return Course(gap, speeds, np.arange(len(speeds)))


# One motion of things that move each in their own way.


class Item(NamedTuple):
    """A solid, its poses (m, 4, 4) at m times, and how far its fastest point goes at most."""

    solid: oracle.Solid
    poses: Callable[[np.ndarray], np.ndarray]
    speed: float


def item(solid: oracle.Solid, paths: Paths, k: int = 0) -> Item:
    """A solid on motion k."""
    speed = float(paths.speeds(oracle.reach_of(solid))[k])
    return Item(solid, lambda times: paths.at(np.full(len(times), k), times), speed)


def item_course(pairs: Sequence[tuple[Item, Item]]) -> Course:
    def gap(which: np.ndarray, times: np.ndarray) -> np.ndarray:
        out = np.empty(len(times))
        for p in np.unique(which):
            here, (a, b) = which == p, pairs[p]
            out[here] = solid_gaps(a.solid, b.solid, a.poses(times[here]), b.poses(times[here]))
        return out

    return Course(gap, np.array([a.speed + b.speed for a, b in pairs]), np.zeros(len(pairs), dtype=np.int64))
