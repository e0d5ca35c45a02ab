"""Pairs of nodes over spans of the time, and where everything is at the ends and in the middle of a span.

Part of the independent check of motion certificates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom._proof.frames import Floats, Integers
from elbowroom._proof.scene import Scene

Mask = NDArray[np.bool_]


class Spans(NamedTuple):
    """Parts of the time, each within one stretch."""

    stretch: Integers
    low: Floats
    high: Floats

    def halves(self) -> Spans:
        """The first halves, then the second ones."""
        middle = 0.5 * (self.low + self.high)
        low, high = np.concatenate([self.low, middle]), np.concatenate([middle, self.high])
        return Spans(np.tile(self.stretch, 2), low, high)


class Pairs(NamedTuple):
    """Two nodes and a span each, and a direction that parted the two before, fixed in a view; or zeros."""

    a: Integers
    b: Integers
    span: Integers
    view: Integers
    fixed: Floats

    @classmethod
    def of(cls, a: Integers, b: Integers, span: Integers) -> Pairs:
        """Pairs of which nothing is known."""
        return cls(a, b, span, np.zeros(len(a), np.int64), np.zeros((len(a), 3)))

    @classmethod
    def together(cls, *parts: Pairs) -> Pairs:
        """Several lists of pairs as one."""
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def where(self, mask: Mask | Integers) -> Pairs:
        """Some of them."""
        return Pairs(self.a[mask], self.b[mask], self.span[mask], self.view[mask], self.fixed[mask])


class Unproved(ValueError):
    """Two pieces that no plane was found for, and when."""

    def __init__(self, said: str, time: float) -> None:
        super().__init__(said)
        self.time = time


class Moment:
    """Where all frames are at the beginning, middle and end of some spans."""

    def __init__(self, scene: Scene, spans: Spans) -> None:
        self.spans, self.scene = spans, scene
        times = np.stack([spans.low, 0.5 * (spans.low + spans.high), spans.high], axis=1)
        turned, placed = scene.frames.poses(np.repeat(spans.stretch, 3), times.reshape(-1))
        self.turned = turned.reshape(len(scene.frames), -1, 3, 3, 3)
        self.placed = placed.reshape(len(scene.frames), -1, 3, 3)

    def centres(self, nodes: Integers, span: Integers) -> Floats:
        """(m, times, 3) in the world."""
        pieces = self.scene.pieces
        frame = pieces.frame[nodes]
        turned: Floats = np.einsum("mtij,mj->mti", self.turned[frame, span], pieces.centre[nodes])
        return turned + self.placed[frame, span]

    def between(self, a: Integers, b: Integers, span: Integers) -> Floats:
        """(m, times, 3) in the world: from centre to centre."""
        return self.centres(b, span) - self.centres(a, span)

    def fixed(self, facing: Floats, view: Integers, span: Integers) -> Floats:
        """(m, 3): in the view, what at the middle of the span is `facing` in the world."""
        out: Floats = np.einsum("mij,mi->mj", self.turned[view, span, 1], facing)
        return out

    def directions(self, fixed: Floats, view: Integers, span: Integers) -> Floats:
        """(m, times, 3) in the world: directions that are fixed in the views."""
        out: Floats = np.einsum("mtij,mj->mti", self.turned[view, span], fixed)
        return out

    def highest(self, nodes: Integers, span: Integers, along: Floats, hulls: bool) -> Floats:
        """(m, times): how far the balls of nodes reach in a direction, or the hulls of leaves."""
        pieces = self.scene.pieces
        frame = pieces.frame[nodes]
        base: Floats = np.einsum("mti,mti->mt", self.placed[frame, span], along)
        inside = np.einsum("mtij,mti->mtj", self.turned[frame, span], along)
        if not hulls:
            middle: Floats = np.einsum("mtj,mj->mt", inside, pieces.centre[nodes])
            return base + middle + pieces.size[nodes, None]
        piece = pieces.piece[nodes]
        corner, owner = pieces.corners(piece)
        reached = np.einsum("ktj,kj->kt", inside[owner], pieces.hulls.points[corner])
        first = np.searchsorted(owner, np.arange(len(nodes)))
        farthest: Floats = np.maximum.reduceat(reached, first)
        return base + farthest + pieces.hulls.radius[piece, None]


def unit(vectors: Floats) -> Floats:
    """Of length one; what has no length points along x."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(length > 0, vectors / np.where(length > 0, length, 1.0), (1.0, 0.0, 0.0))


def used(spans: Spans, pairs: Pairs) -> tuple[Spans, Pairs]:
    """Only the spans that some pair needs."""
    needed, place = np.unique(pairs.span, return_inverse=True)
    kept = Spans(spans.stretch[needed], spans.low[needed], spans.high[needed])
    return kept, pairs._replace(span=place)
