"""Directions to try between two pieces that are near each other: hints, of which any is sound.

Part of the independent check of motion certificates. The first is from witness to witness of `er.distance`,
asked for the two pieces without their radii. Where the gap is small those points differ by little more than
rounding, which tilts the direction; so the second is the first without its parts along all edges that it should
be normal to: those between corners of either piece which it has at the same height.
"""

from __future__ import annotations

import numpy as np

from elbowroom import _core
from elbowroom._motion_proof_frames import Floats
from elbowroom._motion_proof_pieces import Pieces
from elbowroom._motion_proof_spans import Moment, unit
from elbowroom.questions import distance

#: Corners this near to the foremost one, as part of the size of the pieces, are foremost too.
SAME_HEIGHT = 1e-6


class Hints:
    """Asks for directions; the bodies to ask with are made once for each piece."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self._bodies: dict[int, _core.RigidBody] = {}

    def witness(self, moment: Moment, a: int, b: int, span: int) -> tuple[Floats, float]:
        """From leaf a to leaf b at the middle of the span, and how far apart they then are."""
        found = distance(self._body(a), self._body(b), _pose(moment, a, span), _pose(moment, b, span))
        points: Floats = found.points
        radii = float(self.pieces.hulls.radius[self.pieces.piece[[a, b]]].sum())
        return unit(points[1:] - points[:1])[0], float(found.value) - radii

    def straightened(self, moment: Moment, a: int, b: int, span: int, facing: Floats) -> Floats:
        """A direction made normal to the edges that it meets at a right angle but for rounding."""
        edges = np.vstack(
            [
                self._foremost_edges(moment, a, span, facing),
                self._foremost_edges(moment, b, span, -facing),
            ]
        )
        _, sizes, axes = np.linalg.svd(edges, full_matrices=False)
        along = axes[sizes > SAME_HEIGHT * max(float(sizes.max(initial=0.0)), 1e-300)]
        return unit((facing - along.T @ (along @ facing))[None])[0]

    def _foremost_edges(self, moment: Moment, node: int, span: int, facing: Floats) -> Floats:
        """From the corner of a piece that is foremost in a direction to the others that are as far, but for little."""
        first, last = self.pieces.hulls.first[self.pieces.piece[node] :][:2]
        corners = self.pieces.hulls.points[first:last] @ _pose(moment, node, span)[:3, :3].T
        height = corners @ facing
        level = corners[height >= height.max() - SAME_HEIGHT * self.pieces.size[node]]
        edges: Floats = level - level[:1]
        return edges

    def _body(self, node: int) -> _core.RigidBody:
        piece = int(self.pieces.piece[node])
        if piece not in self._bodies:
            first, last = self.pieces.hulls.first[piece : piece + 2]
            points = np.ascontiguousarray(self.pieces.hulls.points[first:last])
            self._bodies[piece] = _core.RigidBody(
                points, np.array([0, last - first], np.int32), np.zeros(1), 8
            )
        return self._bodies[piece]


def _pose(moment: Moment, node: int, span: int) -> Floats:
    """Of the frame of a node at the middle of a span, in the world."""
    frame = moment.scene.pieces.frame[node]
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = moment.turned[frame, span, 1], moment.placed[frame, span, 1]
    return pose
