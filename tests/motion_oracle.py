"""Motions judged the slow and obvious way: gaps are measured along them, and again where they are least.

A `Course` tells the signed gap of a few pairs of things at any time from 0 to 1, and how fast it changes at
most. `least` measures at even times, then in the middle of every interval in which the gap may be smaller
than the smallest one found, and at last closes in on the local minima by golden sections, so that a contact
of the shortest duration is found. Speeds say where to look: whatever is reported was measured at the time
that is told, so a "free" that it contradicts is wrong.

`Paths` are linear motions written out from an axis and an angle, not taken from the library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import oracle
from numba import njit

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


# Linear motions.


def turns(axes: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Rotations (n, 3, 3) about unit axes (n, 3) by the right-hand rule (Rodrigues)."""
    x, y, z = axes.T
    skew = np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]]).transpose(2, 0, 1)
    sine, versine = np.sin(angles)[:, None, None], 2.0 * np.sin(0.5 * angles)[:, None, None] ** 2
    return np.asarray(np.eye(3) + sine * skew + versine * (skew @ skew))


class Paths(NamedTuple):
    """n motions: a translation by `shifts` while the body turns about `axes` through its own origin."""

    starts: np.ndarray  # (n, 4, 4)
    axes: np.ndarray  # (n, 3)
    angles: np.ndarray  # (n,)
    shifts: np.ndarray  # (n, 3)

    def at(self, which: np.ndarray, times: np.ndarray) -> np.ndarray:
        """(m, 4, 4): motion which[k] at times[k]."""
        poses = self.starts[which].copy()
        poses[:, :3, :3] = turns(self.axes[which], self.angles[which] * times) @ poses[:, :3, :3]
        poses[:, :3, 3] += self.shifts[which] * times[:, None]
        return poses

    @property
    def goals(self) -> np.ndarray:
        return self.at(np.arange(len(self.angles)), np.ones(len(self.angles)))

    def speeds(self, reach: float) -> np.ndarray:
        """No point within `reach` of the origin of its body is faster."""
        return np.asarray(np.linalg.norm(self.shifts, axis=1) + np.abs(self.angles) * reach)

    def sizes(self) -> np.ndarray:
        """(n,): how far from the origin the motions begin and how far they go."""
        return np.asarray(np.linalg.norm(self.starts[:, :3, 3], axis=1) + np.linalg.norm(self.shifts, axis=1))


def still(poses: np.ndarray) -> Paths:
    """Motions that stay at these poses (n, 4, 4)."""
    n = len(poses)
    return Paths(
        np.asarray(poses, dtype=float), np.tile([0.0, 0.0, 1.0], (n, 1)), np.zeros(n), np.zeros((n, 3))
    )


# Gaps of solids.


@njit(cache=True)
def balls_about(solid):  # type: ignore[no-untyped-def]
    """(primitives, 4): a centre and a radius that hold each primitive."""
    out = np.zeros((len(solid.radii), 4))
    for i in range(len(out)):
        first, last = solid.starts[i, 0], solid.starts[i + 1, 0]
        for k in range(first, last):
            out[i, :3] += solid.vertices[k] / (last - first)
        for k in range(first, last):
            out[i, 3] = max(out[i, 3], np.sqrt(((solid.vertices[k] - out[i, :3]) ** 2).sum()))
        out[i, 3] += solid.radii[i]
    return out


@njit(cache=True)
def least_of_pairs(a, va, ca, b, vb, cb):  # type: ignore[no-untyped-def]
    """The smallest signed distance of all pairs of primitives; only those plainly farther are passed over."""
    nearest, i0, j0 = np.inf, 0, 0
    bounds = np.empty((len(ca), len(cb)))
    for i in range(len(ca)):
        for j in range(len(cb)):
            x, y, z = ca[i, 0] - cb[j, 0], ca[i, 1] - cb[j, 1], ca[i, 2] - cb[j, 2]
            bounds[i, j] = 0.999 * np.sqrt(x * x + y * y + z * z) - 1.001 * (ca[i, 3] + cb[j, 3])
            if bounds[i, j] < nearest:
                nearest, i0, j0 = bounds[i, j], i, j
    best = oracle.primitive_pair(a, va, i0, b, vb, j0)[0]
    for i in range(len(ca)):
        for j in range(len(cb)):
            if bounds[i, j] < best and (i, j) != (i0, j0):
                best = min(best, oracle.primitive_pair(a, va, i, b, vb, j)[0])
    return best


@njit(cache=True)
def gaps_loop(a, b, ra, ta, rb, tb):  # type: ignore[no-untyped-def]
    out, balls_a, balls_b = np.empty(len(ra)), balls_about(a), balls_about(b)
    for k in range(len(ra)):
        va, vb = a.vertices @ ra[k].T + ta[k], b.vertices @ rb[k].T + tb[k]
        ca, cb = balls_a.copy(), balls_b.copy()
        ca[:, :3] = np.ascontiguousarray(balls_a[:, :3]) @ ra[k].T + ta[k]
        cb[:, :3] = np.ascontiguousarray(balls_b[:, :3]) @ rb[k].T + tb[k]
        out[k] = least_of_pairs(a, va, ca, b, vb, cb)
    return out


def solid_gaps(a: oracle.Solid, b: oracle.Solid, pose_a: np.ndarray, pose_b: np.ndarray) -> np.ndarray:
    """(n,): the signed distances of two solids in n poses (n, 4, 4) of each."""
    parts = [np.ascontiguousarray(x) for m in (pose_a, pose_b) for x in (m[:, :3, :3], m[:, :3, 3])]
    return np.asarray(gaps_loop(a, b, *parts))


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
