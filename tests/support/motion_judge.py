"""What certificates say, held against what was measured along the motions.

A certificate is wrong if it proves free what was measured to overlap, if it tells a contact where there is
none, or if it leaves open what is clear: that comes out as the `counter` of a `Problem`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import oracle
from motion_oracle import Course, least
from motion_scenes import Scene

#: What is left undecided within the tolerance comes nearer to contact than so many times the way of the
#: fastest point in that time; the ellipsoid of an hourglass is at most sqrt(3) times as long as the ball.
OPEN_WAYS = 2.0
#: A contact may be told where the gap is up to so many times what "free" may overlap by.
TOUCHING = 100.0
#: Things without width overlap nowhere as they pass through each other: a gap of so little is contact.
NOTHING = 0.01
SAMPLES = 60  # intervals of a certificate that are looked into


class Asked(NamedTuple):
    """How motions were asked about."""

    tolerance: float = 1e-6
    clearance: float = 0.0
    first: bool = True


class Problem(NamedTuple):
    motion: int
    counter: str  # of the tally: "wrong_free", "wrong_hit" or "other"
    what: str


def judged(found: Sequence[Any], course: Course, doubts: np.ndarray, asked: Asked) -> list[Problem]:
    """All that is wrong with the certificates of the motions of a course."""
    proved = np.array([1.0 if c.free is not False else c.first_contact[0] for c in found])
    enough = np.array(
        [-doubt if c.free is not None else -np.inf for c, doubt in zip(found, doubts, strict=True)]
    )
    deepest = least(course, 0.0, proved, enough + asked.clearance)
    gaps = deepest.gaps - asked.clearance
    touching = course.at(np.array([contact_time_of(c) for c in found])) - asked.clearance
    gaps = np.where([c.free is None for c in found], np.minimum(gaps, touching), gaps)
    problems = []
    for k, c in enumerate(found):
        start = None if c.free is not False else c.first_contact[0]
        near = np.inf if start is None else least_soon(course, k, start, asked)
        this = Measured(gaps[k], float(deepest.times[k]), touching[k], near, doubts[k])
        way = float(course.ways()[k])
        problems += [Problem(k, *p) for p in (*of_verdict(c, this, way, asked), *of_intervals(c, this))]
        problems += [Problem(k, *p) for p in of_samples(c, course, k, asked.clearance, this.doubt)]
    return problems


def contact_time_of(c: Any) -> float:
    """When the certificate says there is a contact, or next to one."""
    return float(c.contact_time if c.free is False else c.closest_time or 0.0)


def least_soon(course: Course, k: int, start: float, asked: Asked) -> float:
    """How near motion k comes to contact within the tolerance behind a time."""
    pairs = np.flatnonzero(course.motion == k)
    times = np.minimum(start + asked.tolerance * np.linspace(0.0, 1.0, 5), 1.0)
    gaps = course.gap(np.repeat(pairs, 5), np.tile(times, len(pairs))) - asked.clearance
    return float(np.abs(gaps).min())


class Measured(NamedTuple):
    gap: float  # the least in the time that is called free, or of all
    time: float
    touching: float  # the gap where a contact is told
    open: float  # how near it comes to contact right behind what is called free
    doubt: float


def of_verdict(c: Any, m: Measured, way: float, asked: Asked) -> Iterator[tuple[str, str]]:
    if c.free is True and m.gap < NOTHING * m.doubt:
        yield "wrong_free", f"free, but the gap is {m.gap:.3g} at {m.time!r}"
    if c.free is False:
        yield from of_contact(c, m, way, asked)
    spent = c.status == "out of budget"
    if c.free is None and not spent and abs(m.gap) > OPEN_WAYS * way * asked.tolerance + TOUCHING * m.doubt:
        yield "other", f"undecided, but the least gap is {m.gap:.3g} at {m.time!r}"
    if c.free is None and c.status == "settled":  # a contact may be settled, or bracketed less closely
        yield "other", "undecided, and yet settled"
    if c.free is True and c.status != "settled":
        yield "other", f"free, and yet {c.status}"
    nearest = m.gap + asked.clearance - TOUCHING * m.doubt
    if c.free is None and c.closest is not None and c.closest < nearest:
        yield "other", f"closest {c.closest:.3g}, but the least gap is {m.gap:.3g}"


def of_contact(c: Any, m: Measured, way: float, asked: Asked) -> Iterator[tuple[str, str]]:
    before, at = c.first_contact
    if not 0.0 <= before <= at <= 1.0:
        yield "other", f"first contact {c.first_contact}"
    if m.touching > TOUCHING * m.doubt:
        yield "wrong_hit", f"contact at {at!r}, but the gap there is {m.touching:.3g}"
    if before > 0.0 and m.gap < -m.doubt:
        yield "wrong_free", f"free before {before!r}, but overlap {-m.gap:.3g} at {m.time!r}"
    wide = asked.first and c.status == "settled" and at - before > asked.tolerance * (1.0 + 1e-9) + 1e-15
    if wide and m.open > OPEN_WAYS * way * asked.tolerance + TOUCHING * m.doubt:
        yield "other", f"first contact {c.first_contact} is wider than {asked.tolerance:g}"


def of_intervals(c: Any, m: Measured) -> Iterator[tuple[str, str]]:
    """They are in order, they cover what they should, and the deepest place is in none of them."""
    spans = np.asarray(c.intervals)
    if spans.shape != (len(spans), 2) or not np.isfinite(spans).all():
        yield "other", f"intervals of shape {spans.shape}"
        return
    good = (spans[:, 0] <= spans[:, 1]).all() and (np.diff(spans[:, 0]) >= 0.0).all()
    if not good or (len(spans) and (spans.min() < 0.0 or spans.max() > 1.0)):
        yield "other", "intervals out of order"
    reached = 0.0
    for low, high in spans:
        if low > reached:
            break
        reached = max(reached, float(high))
    wanted = 1.0 if c.free is True else c.first_contact[0] if c.free is False else 0.0
    if reached < wanted:
        yield "wrong_free", f"intervals reach {reached!r}, not {wanted!r}"
    inside = (spans[:, 0] < m.time) & (m.time < spans[:, 1])
    if inside.any() and m.gap < -m.doubt:
        yield "wrong_free", f"an interval has overlap {-m.gap:.3g} at {m.time!r}"
    if (c.free is True and c.covered != 1.0) or not 0.0 <= c.covered <= 1.0:
        yield "other", f"covered {c.covered}"


def of_samples(c: Any, course: Course, k: int, clearance: float, doubt: float) -> Iterator[tuple[str, str]]:
    """Gaps at the ends and in the middle of some of the intervals."""
    spans = np.asarray(c.intervals)
    if not len(spans):
        return
    picked = spans[np.linspace(0, len(spans) - 1, min(len(spans), SAMPLES)).astype(np.int64)]
    times = np.concatenate([picked.mean(axis=1), picked[:, 0], picked[:, 1]])
    pairs = np.flatnonzero(course.motion == k)
    which, when = np.repeat(pairs, len(times)), np.tile(times, len(pairs))
    gaps = course.gap(which, when) - clearance
    worst = int(np.argmin(gaps))
    if gaps[worst] < -doubt:
        yield "wrong_free", f"an interval has overlap {-gaps[worst]:.3g} at {when[worst]!r}"


def witnesses(c: Any, scene: Scene, k: int, asked: Asked, doubt: float) -> Iterator[tuple[str, str]]:
    """The pair touches at the time of contact, and the points lie on its two primitives."""
    if c.free is not False:
        return
    doubt *= 10.0 * TOUCHING
    at, (i, j), obstacle = np.array([c.contact_time]), c.pair, scene.obstacles[c.obstacle]
    here = np.array([k])
    poses = scene.paths.at(here, at)[0], obstacle.paths.at(here, at)[0]
    solids = [
        oracle.moved(thing.solid, pose[:3, :3], pose[:3, 3])
        for thing, pose in zip((scene.body, obstacle.thing), poses, strict=True)
    ]
    gap = float(oracle.signed_matrix(*solids)[i, j]) - asked.clearance
    if gap > doubt:
        yield "other", f"pair {(int(i), int(j))} of obstacle {c.obstacle} has the gap {gap:.3g}"
    one = np.eye(3)[None], np.zeros((1, 3))
    for name, point, solid, number in zip("ab", c.points, solids, (i, j), strict=True):
        off = float(oracle.points_to_primitives(point[None], solid, *one, np.array([number]))[0])
        if off > doubt:
            yield "other", f"the point on {name} is {off:.3g} off its primitive"
    apart = float(np.linalg.norm(c.points[1] - c.points[0]))
    if apart > asked.clearance + doubt:
        yield "other", f"the points in contact are {apart:.3g} apart"
