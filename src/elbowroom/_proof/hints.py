"""Directions to try between two pieces that are near each other: hints, of which any is sound.

Part of the independent check of motion certificates. The first is from witness to witness of `er.distance`,
asked for the two pieces without their radii. Where these nearly touch, the two points differ by little more
than rounding, which tilts the direction. A second one is then the best of all that are normal to two of the
edges between the foremost corners of either piece, and of the first made normal to one of these edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from elbowroom._core import Distance
from elbowroom._proof.frames import Floats, Integers
from elbowroom._proof.pieces import Pieces
from elbowroom._proof.spans import Mask, Moment, unit
from elbowroom.body import Body
from elbowroom.questions import distance

#: So many corners of a piece are looked at.
FOREMOST = 8
#: Pieces nearly touch if their distance is at most this part of their sizes.
NEARLY = 1e-4


class Hints:
    """Asks for directions; the bodies to ask with are made once for each piece."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self._bodies: dict[int, Body] = {}

    def witness(self, moment: Moment, a: int, b: int, span: int) -> tuple[Floats, float]:
        """From leaf a to leaf b at the middle of the span, and how far apart they then are."""
        found = distance(self._body(a), self._body(b), _pose(moment, a, span), _pose(moment, b, span))
        assert isinstance(found, Distance)
        points: Floats = found.points
        radii = float(self.pieces.hulls.radius[self.pieces.piece[[a, b]]].sum())
        return unit(points[1:] - points[:1])[0], float(found.value) - radii

    def touch_nearly(self, a: Integers, b: Integers, apart: Floats) -> Mask:
        """Is a second hint worth its while?"""
        nearly: Mask = apart <= NEARLY * (self.pieces.size[a] + self.pieces.size[b])
        return nearly

    def straightened(self, moment: Moment, a: int, b: int, span: int, facing: Floats) -> Floats:
        """The best direction at the middle of the span, of those that corners determine and `facing`."""
        corners = self._corners(moment, a, span), self._corners(moment, b, span)
        fronts = _foremost(corners[0], facing), _foremost(corners[1], -facing)
        tried = unit(np.concatenate([facing[None], *_normals(fronts, facing)]))
        tried = np.concatenate([tried, -tried])
        gaps = (tried @ corners[1].T).min(axis=1) - (tried @ corners[0].T).max(axis=1)
        best: Floats = tried[gaps.argmax()]
        return best

    def _corners(self, moment: Moment, node: int, span: int) -> Floats:
        """In the world, at the middle of a span."""
        first, last = self.pieces.hulls.first[self.pieces.piece[node] :][:2]
        pose = _pose(moment, node, span)
        corners: Floats = self.pieces.hulls.points[first:last] @ pose[:3, :3].T + pose[:3, 3]
        return corners

    def _body(self, node: int) -> Body:
        piece = int(self.pieces.piece[node])
        if piece not in self._bodies:
            first, last = self.pieces.hulls.first[piece : piece + 2]
            points = np.ascontiguousarray(self.pieces.hulls.points[first:last])
            self._bodies[piece] = Body(points, np.array([0, last - first], np.int32), np.zeros(1), 8)
        return self._bodies[piece]


def _pose(moment: Moment, node: int, span: int) -> Floats:
    """Of the frame of a node at the middle of a span, in the world."""
    frame = moment.scene.pieces.frame[node]
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = moment.turned[frame, span, 1], moment.placed[frame, span, 1]
    return pose


def _foremost(corners: Floats, facing: Floats) -> Floats:
    """The corners that are farthest in a direction."""
    return corners[np.argsort(-(corners @ facing), kind="stable")[:FOREMOST]]


def _normals(corners: Sequence[Floats], facing: Floats) -> Iterator[Floats]:
    """Directions normal to any two edges, of one piece or of both; and `facing` made normal to one."""
    ends = [(part, *np.triu_indices(len(part), 1)) for part in corners]
    edges = unit(np.concatenate([part[j] - part[i] for part, i, j in ends]))
    first, second = np.triu_indices(len(edges), 1)
    yield np.cross(edges[first], edges[second])
    yield facing - (edges @ facing)[:, None] * edges
