"""Necklaces along a motion: every bead goes straight from frame to frame, at a velocity of its own."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core
from elbowroom._motion_pieces import Obstacle, Piece, obstacle_list, standing_pieces
from elbowroom._progress import Progress
from elbowroom.body import Body, refuse_box
from elbowroom.budget import Budget
from elbowroom.certificate import Certificate
from elbowroom.motion import Motion
from elbowroom.motion_checker import MotionChecker, as_they_are
from elbowroom.necklace import Necklace
from elbowroom.pose import Pose
from elbowroom.questions import collide, within
from elbowroom.shapes import Sphere

if TYPE_CHECKING:
    from elbowroom._types import Obstacles
    from elbowroom.motion_checker import How

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]
#: A contact is bracketed by this share of the time between two frames, or by less.
NARROW = 1e-6
#: What takes part, by number; obstacles follow.
BEADS, BONDS, OBSTACLES = 0, 1, 2
#: What is looked for in a step, in the order of the core's enumeration.
FIRST, ANY, ALL = range(3)


class Contact(NamedTuple):
    """Two parts that meet between two frames: `before` and `at` are shares of the time between them."""

    at: float
    before: float
    parts: tuple[int, int]
    pair: tuple[int, int]
    points: Floats
    apart: float = 0.0
    decided: bool = True


@dataclass(frozen=True)
class BeadAnswer:
    """What became of a motion: the attributes of the core's answers that a certificate reads."""

    verdict: int
    out_of_budget: bool
    loose: bool
    before: float
    at: float
    piece_a: int
    piece_b: int
    pair: tuple[int, int]
    points: Floats
    closest: float
    intervals: Floats
    distance_calls: int
    counters: Any


class BeadChecker:
    """What is compared along a motion of beads; a certificate keeps it.

    Attributes are those of a `MotionChecker`, with `bonds` (m, 2), or None, and `bond_radius`.
    """

    def __init__(self, body: Necklace, obstacles: Obstacles, bonds: Any, bond_radius: Any, how: How) -> None:
        if how.method != "auto":
            raise ValueError(
                f'method must be "auto" for beads that move on their own, got {_arrays.shown(how.method)}'
            )
        tolerance = _arrays.positive_share(how.tolerance, "tolerance")
        self.body, self.obstacles = copy.copy(body), as_they_are(obstacles)
        self.method = "auto"
        self.tolerance = max(tolerance, _core.limits.smallest_motion_tolerance)
        self.clearance = _arrays.length(how.clearance, "clearance")
        self.self_too = _arrays.flag(how.self_too, "self_too")
        self.bonds = bonds_of(bonds, body)
        self.bond_radius = _arrays.length(bond_radius, "bond_radius")
        if self.bond_radius > 0 and self.bonds is None:
            raise ValueError("bond_radius is given, but no bonds")
        if not self.self_too and self.bonds is not None:
            raise ValueError("bonds are compared with each other: leave them out, or self_too=False")
        if not self.self_too and obstacles is None:
            raise ValueError("obstacles is missing: with self_too=False there is nothing to compare")

    def check(self, motion: Any, budget: Budget | None, first: bool) -> BeadAnswer:
        """The first contact, or any; the frames one after the other."""
        frames = frames_of(self.body, motion)
        count, spend = len(frames) - 1, Spent(budget)
        narrow = min(NARROW, self.tolerance * count)
        among = Among(self.obstacles, self.body, self.clearance, narrow)
        core = self.core() if self.self_too else None
        box = self.body.box
        boxes = None if box is None else np.stack([box, box])
        met: tuple[int, Contact] | None = None
        open_: list[tuple[int, Contact]] = []
        spans: list[tuple[float, float, float]] = []
        with Progress(None, "frames", count) as tell:
            for step in range(count):
                start, end = frames[step], frames[step + 1]
                found: list[Contact] = []
                if core is not None:
                    answer = core.step(start, end, boxes, FIRST if first else ANY, narrow, spend.rest())
                    found += contacts_of(answer)
                    spend.took(answer.counters, answer.compared)
                    spend.out = answer.out_of_budget
                if not spend.out:
                    found += among.contacts(start, end, first, spend)
                decided = [contact for contact in found if contact.decided]
                before = 0.0 if spend.out else min((contact.before for contact in found), default=1.0)
                spans.append(_span(step, before, count))
                if decided:
                    met = (step, min(decided, key=lambda contact: contact[:4]))
                    break
                open_ += [(step, contact) for contact in found]
                if spend.out:
                    break
                tell(step + 1)
        return _answer(met, open_, spans, count, self.tolerance, spend)

    def core(self) -> _core.BeadMotion:
        """What the core compares."""
        none = np.empty((0, 2), np.int32)
        bonds = none if self.bonds is None else self.bonds
        gap, named = self.body._rule
        return _core.BeadMotion(self.body.radii, gap, named, bonds, self.bond_radius, self.clearance)

    def _whose(self, piece: int, primitive: int) -> tuple[int, int]:
        """The obstacle (-1: the necklace), and the number there."""
        return max(piece - OBSTACLES, -1), primitive


def bonds_of(bonds: Any, body: Necklace) -> Integers | None:
    """None, "chain" for the neighbours along the necklace, or pairs of beads."""
    count = len(body)
    if bonds is None:
        return None
    if isinstance(bonds, str):
        if bonds != "chain":
            raise ValueError(f'bonds must be "chain", pairs (m, 2) or None, got {_arrays.shown(bonds)}')
        numbers = np.arange(count if body.closed and count > 2 else count - 1, dtype=np.int32)
        return np.ascontiguousarray(np.stack([numbers, (numbers + 1) % count], axis=1))
    pairs = _arrays.index_pairs(bonds, count, "bonds")
    same = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if len(same):
        raise ValueError(f"bonds[{same[0]}] joins bead {pairs[same[0], 0]} with itself")
    return pairs


def frames_of(body: Necklace, motion: Any) -> Floats:
    """(k, n, 3): where the beads are in each frame, from where they are now if only the end is given."""
    frames = _arrays.bead_frames(motion, len(body), body.dimension, "motion")
    if frames.ndim == 2:
        frames = np.stack([body.positions(), frames])
    flat = np.zeros((*frames.shape[:2], 3 - body.dimension))
    return np.ascontiguousarray(np.concatenate([frames, flat], axis=2))


def contacts_of(answer: Any) -> list[Contact]:
    """What the core found in a step."""
    columns = zip(answer.parts.tolist(), answer.times.tolist(), answer.points, strict=True)
    return [
        Contact(at, before, (kind, kind), (i, j), points, apart, bool(decided))
        for (kind, i, j, decided), (before, at, apart), points in columns
    ]


class Among:
    """Obstacles that stand still, and the beads that reach them."""

    def __init__(self, obstacles: Any, body: Necklace, clearance: float, narrow: float) -> None:
        self._radii, self._clearance, self._narrow = np.asarray(body.radii, float), clearance, narrow
        listed = obstacle_list(obstacles)
        if listed:
            refuse_box(body, "body", "a comparison with obstacles")
        for obstacle in listed:
            if obstacle.moves:
                raise ValueError(
                    f"obstacles[{obstacle.number}] moves: where beads move on their own, obstacles must not"
                )
        self._listed: list[tuple[Obstacle, list[Piece]]] = [(o, list(standing_pieces([o]))) for o in listed]

    def contacts(self, start: Floats, end: Floats, first: bool, spend: Spent) -> list[Contact]:
        """Of each obstacle and bead that meet in a step."""
        if not self._listed:
            return []
        swept = swept_beads(start, end, self._radii)
        return [
            contact
            for obstacle, pieces in self._listed
            for bead in self._reached(swept, pieces, spend).tolist()
            for contact in self._contact(obstacle, bead, start[bead], end[bead], first, spend)
        ]

    def _reached(self, swept: Any, pieces: list[Piece], spend: Spent) -> NDArray[Any]:
        found = [np.empty(0, np.int64)]
        for piece in pieces:
            body: Any = piece.body
            if self._clearance > 0:
                near = within(swept, body, self._clearance, pose_b=piece.pose)
                pairs, counters = near.indices, near.counters
            else:
                hits = collide(swept, body, pose_b=piece.pose, every=True)
                pairs, counters = hits.pairs, hits.counters
            spend.took(counters, 1)
            found.append(np.asarray(pairs)[:, 0].astype(np.int64))
        return np.unique(np.concatenate(found))

    def _contact(
        self, obstacle: Obstacle, bead: int, start: Floats, end: Floats, first: bool, spend: Spent
    ) -> Iterator[Contact]:
        checker = MotionChecker(
            Sphere(float(self._radii[bead])),
            [(obstacle.body, obstacle.pose or Pose())],
            tolerance=self._narrow,
            clearance=self._clearance,
        )
        found = checker.check(Motion(Pose(translation=start), Pose(translation=end)), first=first)
        assert isinstance(found, Certificate)
        spend.took(found.counters, found.distance_calls)
        if found.free:
            return
        parts, decided = (BEADS, OBSTACLES + obstacle.number), found.free is False
        spans = found.intervals
        before = float(spans[0, 1]) if len(spans) and spans[0, 0] == 0 else 0.0
        if decided:
            assert found.first_contact is not None
            before = found.first_contact[0]
        at = found.contact_time if decided else found.closest_time
        assert found.pair is not None and found.points is not None
        yield Contact(
            1.0 if at is None else at,
            before,
            parts,
            (bead, found.pair[1]),
            found.points,
            found.closest or 0.0,
            decided,
        )


def swept_beads(start: Floats, end: Floats, radii: Floats) -> Body:
    """What each bead passes through, as one rigid body."""
    points = np.ascontiguousarray(np.stack([start, end], axis=1).reshape(-1, 3))
    return Body(points, 2 * np.arange(len(start) + 1, dtype=np.int32), radii, 8)


class Spent:
    """What the check has taken so far, and what is left of its budget."""

    def __init__(self, budget: Budget | None) -> None:
        if budget is not None and not isinstance(budget, _core.Allowance):
            raise TypeError("budget must be an elbowroom.Budget")
        self._budget, self._began = budget, time.perf_counter()
        self.counters: _core.Counters | None = None
        self.calls, self.out = 0, False

    def rest(self) -> Budget | None:
        """For the next step."""
        if self._budget is None:
            return None
        tests, seconds = self._budget.tests, self._budget.seconds
        if tests is not None and self.counters is not None:
            tests = max(tests - self.counters.volume_tests - self.counters.leaf_tests, 0)
        if seconds is not None:
            seconds = max(seconds - (time.perf_counter() - self._began), 0.0)
        return Budget(tests=tests, seconds=seconds)

    def took(self, counters: _core.Counters, calls: int) -> None:
        """More was done."""
        self.counters = counters if self.counters is None else self.counters + counters
        self.calls += calls


def _span(step: int, before: float, count: int) -> tuple[float, float, float]:
    """What of the whole time is proved free in a step, rounded inwards; and the middle of it."""
    low, high = step / count, (step + 1) / count
    if before < 1:
        high = max(low, float(np.nextafter(np.nextafter((step + before) / count, 0), 0)))
    return low, high, 0.5 * (low + high)


def _answer(
    met: tuple[int, Contact] | None,
    open_: list[tuple[int, Contact]],
    spans: list[tuple[float, float, float]],
    count: int,
    tolerance: float,
    spend: Spent,
) -> BeadAnswer:
    verdict = 1 if met is not None else 2 if open_ or spend.out else 0
    step, contact = met or min(open_, key=lambda each: each[1].apart, default=(0, None))
    at = 1.0 if contact is None else (step + contact.at) / count
    reached = 0.0  # proved free from the start without a break
    for low, high, _ in spans:
        if low > reached:
            break
        reached = high
    before = min(reached, at)
    return BeadAnswer(
        verdict,
        spend.out,
        verdict == 1 and at - before > tolerance,
        before,
        at,
        -1 if contact is None else contact.parts[0],
        -1 if contact is None else contact.parts[1],
        (-1, -1) if contact is None else contact.pair,
        np.zeros((2, 3)) if contact is None else np.array(contact.points),
        0.0 if contact is None else max(contact.apart, 0.0),
        np.array([span for span in spans if span[1] > span[0]], float).reshape(-1, 3),
        spend.calls,
        spend.counters,
    )
