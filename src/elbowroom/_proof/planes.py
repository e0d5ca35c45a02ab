"""Planes between pieces that move: the heart of the independent check of motion certificates.

A direction n that is fixed in some frame, the view, parts two convex sets at a time t if the gap

    g(t) = min_j n . b_j(t) - max_i n . a_i(t)

between their shadows is larger than the two radii and the clearance together. In the view the paths of
points b_j bend by at most K_b and those of points a_i by at most K_a, as `frames` has it.
Between two times that are d apart every n . b_j is at least its chord less K_b d^2 / 8, and every n . a_i at
most its chord and K_a d^2 / 8. The least of all chords is never less than the chord of the least, so that

    g(t) >= (the chord of g) - (K_a + K_b) d^2 / 8 >= (the lesser g at the two times) - (K_a + K_b) d^2 / 8.

The gaps at the beginning, the middle and the end of a span, with d half its length, thus prove all of it.
Any direction and any view are sound. A ball about many pieces is rounded by its radius as a hull is by its
own, and what parts two balls parts everything within them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elbowroom._proof.frames import Floats, Integers
from elbowroom._proof.scene import Scene
from elbowroom._proof.spans import Mask, Moment, Pairs, Spans

#: A gap is right to this part of the coordinates, and as much again for each turn in a pose: nine
#: units of rounding, about what all sums of three products on the way can lose.
ROUNDING = 1e-15


class Parted(NamedTuple):
    """Do directions part pairs over all of their spans, at the three times, at least at the middle?"""

    over_all: Mask
    at_times: Mask
    at_middle: Mask


class Planes:
    """Tries directions on pairs of nodes."""

    def __init__(self, scene: Scene, clearance: float) -> None:
        self.scene, self.pieces, self.clearance = scene, scene.pieces, clearance

    def part(self, moment: Moment, pairs: Pairs, fixed: Floats, view: Integers, *, hulls: bool) -> Parted:
        """Tries directions that are fixed in views.

        With `hulls` all nodes are leaves, and their hulls are to be parted; else the balls of the nodes.
        """
        if not len(pairs.a):
            return Parted(*np.zeros((3, 0), np.bool_))
        along = moment.directions(fixed, view, pairs.span)
        top = moment.highest(pairs.a, pairs.span, along, hulls)
        bottom = -moment.highest(pairs.b, pairs.span, -along, hulls)
        sure = bottom - top - self.clearance - self._rounding(pairs)[:, None]
        least = sure.min(axis=1)
        return Parted(least > self._bulge(moment.spans, pairs, view, hulls), least > 0, sure[:, 1] > 0)

    def _rounding(self, pairs: Pairs) -> Floats:
        """By how much gaps may be less than computed."""
        out = np.zeros(len(pairs.a))
        for nodes in (pairs.a, pairs.b):
            frame = self.pieces.frame[nodes]
            scale = self.pieces.away[nodes] + self.pieces.size[nodes] + self.scene.frames.farthest[frame]
            out += ROUNDING * (self.scene.frames.depths[frame] + 1) * scale
        return out

    def _bulge(self, spans: Spans, pairs: Pairs, view: Integers, hulls: bool) -> Floats:
        """By how much gaps may be less between the times: (K_a + K_b) d^2 / 8."""
        step = 0.5 * (spans.high - spans.low)[pairs.span]
        stretch = spans.stretch[pairs.span]
        out = np.zeros(len(step))
        for nodes in (pairs.a, pairs.b):
            reach = self.pieces.reach[self.pieces.piece[nodes]] if hulls else self.pieces.away[nodes]
            bend, drift = self._bends(self.pieces.frame[nodes], view, stretch)
            out += (bend * reach + drift) * step * step / 8
        return out

    def _bends(self, frame: Integers, view: Integers, stretch: Integers) -> tuple[Floats, Floats]:
        """A and B of the frames, seen from the views."""
        frames = self.scene.frames
        ways, place = np.unique(frame * len(frames) + view, return_inverse=True)
        found = [frames.bend(*divmod(way, len(frames))) for way in ways.tolist()]
        bend, drift = np.stack([one.bend for one in found]), np.stack([one.drift for one in found])
        return bend[place, stretch], drift[place, stretch]
