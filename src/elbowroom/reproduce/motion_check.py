"""The recursive check of He and van den Berg, Figure 5, in Python on `er.distance`, for every kind of bound.

Slow and plain: it counts what the core does not offer, chords in place of arcs, and what it counts with arcs
must be what the core counts.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

Array = NDArray[np.float64]

ACROSS = 2 / 3  # what the paper's ellipsoid allows to motions across the axis; 1/3 is left for those along it
PAD = (
    1e-4  # keeps the map finite if nothing moves along the axis, or nothing turns: it enlarges the ellipsoid
)
HALVINGS = 30
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Rule:
    """How a distance is turned into a share of the motion that is proved free.

    `directed`: by the ellipsoid about the hourglass, or else by a ball. The radius of the body is that of its
    farthest point `about` the origin, or the axis of rotation; points move by arcs, or by their `chord`.
    """

    directed: bool
    about: Literal["origin", "axis"] = "origin"
    chord: bool = False


@dataclass(frozen=True)
class Outcome:
    """Whether the motion is free, None if that could not be decided; and distance computations."""

    free: bool | None
    calls: int


class Bound:
    """A rule for one motion of one body."""

    def __init__(self, rule: Rule, motion: er.Motion, radius: float) -> None:
        self.rule, self.motion, self.radius, self.angle = rule, motion, radius, motion.angle
        self.along = float(motion.translation @ motion.axis)
        self.across = float(np.linalg.norm(motion.translation - self.along * motion.axis))

    def swing(self, time: float) -> float:
        """How far the rotation alone moves a point in that time."""
        turn = time * self.angle
        return 2 * self.radius * math.sin(turn / 2) if self.rule.chord else self.radius * turn

    def linear(self, half: float) -> Array | None:
        """The map that takes all displacements within the time `half` into the unit ball.

        With arcs it is the library's. With chords it depends on `half`, and the ellipsoid is written out.
        """
        if not self.rule.directed:
            return None
        if not self.rule.chord:
            return self.motion.hourglass(self.radius) / half
        axis, shift, swing = self.motion.axis, half * self.motion.translation, self.swing(half)
        across = np.eye(3) - np.outer(axis, axis)
        ellipsoid = swing**2 / ACROSS * across + np.outer(shift, shift) / (1 - ACROSS)
        ellipsoid += (PAD * (swing + float(np.linalg.norm(shift)))) ** 2 * np.eye(3)
        inverse: Array = np.linalg.inv(np.linalg.cholesky(ellipsoid))
        return inverse

    def size(self, time: float, half: float) -> float:
        """The distance, in the space of `linear(half)`, that no point moves farther than within `time`."""
        if not self.rule.directed:
            return math.hypot(time * self.across + self.swing(time), time * self.along)
        if not self.rule.chord:
            return time / half
        whole = self.swing(half)
        turned = self.swing(time) / whole if whole > 0 else 0.0
        return math.sqrt(ACROSS * turned**2 + (1 - ACROSS) * (time / half) ** 2)

    def proved(self, distance: float, half: float) -> float:
        """For how long, up to `half`, before and after a time the motion is free if the distance is this."""
        if self.size(half, half) < distance:
            return math.inf
        if not self.rule.chord:
            return half * distance / self.size(half, half)
        low, high = 0.0, half
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.size(middle, half) < distance else (low, middle)
        return low


def check(rule: Rule, body: er.Body, obstacles: er.Body, motion: er.Motion) -> Outcome:
    """CHECK(0, 1), breadth first."""
    if not motion.angle and not motion.translation.any():
        return Outcome(not er.collide(body, obstacles, pose_a=motion.start), 1)
    bound = Bound(rule, motion, motion.radius(body, about=rule.about))
    waiting, calls, decided = deque([(0.0, 1.0)]), 0, True
    while waiting:
        first, last = waiting.popleft()
        middle, half = (first + last) / 2, (last - first) / 2
        found = er.distance(body, obstacles, pose_a=motion.at([middle])[0], linear=bound.linear(half)).value
        calls += 1
        if found <= 0:
            return Outcome(False, calls)
        proved = bound.proved(found, half)
        if proved >= half:
            continue
        if last - first <= TOLERANCE:  # shorter ones are looked at once more, and not cut again
            decided = False
            continue
        waiting += [(first, middle - proved), (middle + proved, last)]
    return Outcome(True if decided else None, calls)
