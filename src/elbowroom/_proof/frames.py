"""Frames that hang on frames and move: where they are, and how sharply the paths of their points can bend.

Part of the independent check of motion certificates; `_proof` says what it proves. Frame 0 is the
world. Every other frame moves against its parent, in each of k equal shares of the time [0, 1], by

    x = P(s) + R(s) y,    P(s) = start + s velocity,    R(s) = (turn by s rate about axis) turned

where s is the time since the share began. Times at which any frame passes from one share to the next are
knots; between two neighbouring knots, on a stretch, all paths are smooth.

Let |y| <= r, |y'| <= v, |y''| <= a, and u = |velocity|, w = |rate|, |P| <= p over a stretch. Up a step,

    |x| <= p + r,    |x'| <= u + w r + v,    |x''| <= w^2 r + 2 w v + a,

because P'' = 0, R' = w Z R and R'' = w^2 Z Z R, Z being the cross product with the unit axis. Down a step, y
= R^T (x - P), and x - P is bounded by (r + p, v + u, a), which the turn takes to

    |y| <= r + p,    |y'| <= v + u + w (r + p),    |y''| <= a + 2 w (v + u) + w^2 (r + p).

A point that is fixed in its frame, at the distance r from the origin, begins with v = a = 0. Seen from any
frame its |x''| is therefore at most A r + B and its |x| at most r + C, with numbers A, B and C that are
found step by step along the way from the one frame to the other, and do not depend on the point.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Moves(NamedTuple):
    """How a frame moves against its parent in each of k equal shares of the time; rates are per unit time."""

    start: Floats  # (k, 3)
    velocity: Floats  # (k, 3)
    turned: Floats  # (k, 3, 3)
    axis: Floats  # (k, 3)
    rate: Floats  # (k,)

    @property
    def knots(self) -> Floats:
        """(k + 1,): equal quotients are equal numbers, whatever k."""
        return np.arange(len(self.rate) + 1) / len(self.rate)

    def at(self, share: Integers, since: Floats) -> tuple[Floats, Floats]:
        """Rotations (q, 3, 3) and positions (q, 3), so long after the shares began."""
        turn = turns_about(self.axis[share], self.rate[share] * since)
        return turn @ self.turned[share], self.start[share] + since[:, None] * self.velocity[share]


class Bend(NamedTuple):
    """(stretches,) each: |x| <= r + offset, |x'| <= quick r + glide and |x''| <= bend r + drift."""

    offset: Floats
    quick: Floats
    glide: Floats
    bend: Floats
    drift: Floats

    def shifted(self, far: Floats, speed: Floats) -> Bend:
        """Of x + P or x - P: P is linear, so that accelerations stay as they are."""
        return self._replace(offset=self.offset + far, glide=self.glide + speed)

    def turning(self, rate: Floats) -> Bend:
        """Of R x or R^T x."""
        return Bend(
            self.offset,
            self.quick + rate,
            self.glide + rate * self.offset,
            self.bend + 2 * rate * self.quick + rate * rate,
            self.drift + 2 * rate * self.glide + rate * rate * self.offset,
        )


def still(matrix: Floats) -> Moves:
    """A frame that stays where it is in its parent."""
    start, turned = matrix[None, :3, 3], matrix[None, :3, :3]
    return Moves(start, np.zeros((1, 3)), turned, np.array([[0.0, 0.0, 1.0]]), np.zeros(1))


def turns_about(axis: Floats, angle: Floats) -> Floats:
    """(q, 3, 3): turns by the right-hand rule (Rodrigues) about unit axes."""
    skew = np.zeros((len(axis), 3, 3))
    skew[:, [2, 0, 1], [1, 2, 0]] = axis
    skew[:, [1, 2, 0], [2, 0, 1]] = -axis
    once, twice = np.sin(angle)[:, None, None], 2.0 * np.sin(0.5 * angle)[:, None, None] ** 2
    turn: Floats = np.eye(3) + once * skew + twice * (skew @ skew)
    return turn


@dataclass
class Frames:
    """A tree of moving frames, parents first; the world is frame 0."""

    parents: list[int] = field(default_factory=lambda: [0])
    moves: list[Moves] = field(default_factory=lambda: [still(np.eye(4))])
    _bends: dict[tuple[int, int], Bend] = field(default_factory=dict)

    def add(self, parent: int, moves: Moves) -> int:
        """One more frame; its number."""
        self.parents.append(parent)
        self.moves.append(moves)
        return len(self.parents) - 1

    def shift(self, by: Floats) -> None:
        """Moves everything that hangs on the world itself."""
        for f in range(1, len(self)):
            if self.parents[f] == 0:
                self.moves[f] = self.moves[f]._replace(start=self.moves[f].start + by)

    def __len__(self) -> int:
        return len(self.parents)

    @cached_property
    def knots(self) -> Floats:
        """(s + 1,): from 0 to 1, all times at which a frame may change how it moves."""
        return np.unique(np.concatenate([moves.knots for moves in self.moves]))

    @cached_property
    def _shares(self) -> Integers:
        """(frames, stretches): the share of its own that each frame is in."""
        middle = 0.5 * (self.knots[1:] + self.knots[:-1])
        return np.stack([np.searchsorted(m.knots, middle, side="right") - 1 for m in self.moves])

    def poses(self, stretch: Integers, times: Floats) -> tuple[Floats, Floats]:
        """Where all frames are in the world at times (q,), each within its stretch.

        Rotations (frames, q, 3, 3) and positions (frames, q, 3).
        """
        turned = np.broadcast_to(np.eye(3), (len(self), len(times), 3, 3)).copy()
        placed = np.zeros((len(self), len(times), 3))
        for f in range(1, len(self)):
            share, above = self._shares[f, stretch], self.parents[f]
            turn, shift = self.moves[f].at(share, times - self.moves[f].knots[share])
            turned[f] = turned[above] @ turn
            placed[f] = placed[above] + np.einsum("qij,qj->qi", turned[above], shift)
        return turned, placed

    @cached_property
    def depths(self) -> Integers:
        """(frames,): steps below the world."""
        depths = [0]
        for above in self.parents[1:]:
            depths.append(depths[above] + 1)
        return np.array(depths)

    @cached_property
    def meets(self) -> Integers:
        """(frames, frames): the lowest frame on which both hang, which may be one of the two."""
        found = np.zeros((len(self), len(self)), np.int64)
        for f in range(1, len(self)):
            found[f, :f] = found[:f, f] = found[self.parents[f], :f]
            found[f, f] = f
        return found

    @cached_property
    def _rates(self) -> tuple[Floats, Floats, Floats]:
        """(frames, stretches) each: w, u and p."""
        shape = (len(self), len(self.knots) - 1)
        turning, speed, far = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        for f, moves in enumerate(self.moves):
            share = self._shares[f]
            turning[f] = np.abs(moves.rate[share])
            speed[f] = np.linalg.norm(moves.velocity[share], axis=1)
            for ends in (self.knots[:-1], self.knots[1:]):  # |P| is greatest at an end: P is linear
                position = moves.at(share, ends - moves.knots[share])[1]
                far[f] = np.maximum(far[f], np.linalg.norm(position, axis=1))
        return turning, speed, far

    def bend(self, frame: int, view: int) -> Bend:
        """The bounds for points of one frame, seen from another."""
        way = self._way(frame, view)
        known = max(k for k, at in enumerate(way) if k == 0 or (frame, at) in self._bends)
        found = self._bends.get((frame, way[known]), Bend(*np.zeros((5, len(self.knots) - 1))))
        turning, speed, far = self._rates
        for here, there in itertools.pairwise(way[known:]):
            if self.parents[here] == there:
                found = found.turning(turning[here]).shifted(far[here], speed[here])
            else:
                found = found.shifted(far[there], speed[there]).turning(turning[there])
            self._bends[frame, there] = found
        return found

    @cached_property
    def farthest(self) -> Floats:
        """(frames,): how far from the world's origin the origin of each can ever be."""
        return np.array([self.bend(f, 0).offset.max() for f in range(len(self))])

    def stretch_at(self, time: float) -> int:
        """The stretch that a time lies in."""
        return int(np.clip(np.searchsorted(self.knots, time, side="right") - 1, 0, len(self.knots) - 2))

    def _way(self, frame: int, view: int) -> list[int]:
        """The frames from one to another: up to where they meet, and down."""
        meet, up, down = int(self.meets[frame, view]), [frame], [view]
        for side in (up, down):
            while side[-1] != meet:
                side.append(self.parents[side[-1]])
        return up + down[-2::-1]
