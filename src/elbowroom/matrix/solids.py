"""What is known about a link of a robot when it is compared with another: its points, its hull, its parts."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from elbowroom._core import Distances
from elbowroom.body import Body
from elbowroom.group import Group
from elbowroom.pose import Pose
from elbowroom.questions import distance
from elbowroom.shapes import Convex, Sphere, _hull_points

Floats = NDArray[np.float64]

#: A bound looks at every point of a hull; of more than these, some are left out and the rest is rounded.
MOST_POINTS = 120
#: Parts of a link are halved so many times at most.
MOST_HALVINGS = 12


class Hull:
    """The hull of primitives, and balls whose common hull holds it."""

    def __init__(self, points: Floats, radii: Floats) -> None:
        self.convex = Convex(points)  # of the centres: it gives directions, and bounds with `radius`
        self.radius = float(radii.max())
        self.centres, self.radii = _outer_balls(points, radii)
        self.size = float(np.linalg.norm(np.ptp(points, axis=0))) + 2 * self.radius


class Part(Hull):
    """Some primitives of a link; its two halves hold the same primitives more tightly."""

    def __init__(self, primitives: list[Floats], radii: list[float], halvings: int = 0) -> None:
        super().__init__(np.concatenate(primitives), np.repeat(radii, [len(p) for p in primitives]))
        self.primitives, self._radii_of, self._halvings = primitives, radii, halvings

    @cached_property
    def halves(self) -> tuple[Part, ...]:
        """None for a single primitive."""
        if len(self.primitives) == 1 or self._halvings == MOST_HALVINGS:
            return ()
        middles = np.array([points.mean(axis=0) for points in self.primitives])
        order = np.argsort(middles[:, np.ptp(middles, axis=0).argmax()], kind="stable").tolist()
        half = len(order) // 2
        return tuple(
            Part([self.primitives[i] for i in some], [self._radii_of[i] for i in some], self._halvings + 1)
            for some in (order[:half], order[half:])
        )


class LinkSolid(Hull):
    """All shapes of a link, in its frame."""

    def __init__(self, shapes: list[tuple[Body, Pose]]) -> None:
        self.shapes = shapes
        self.exact = Group(shapes)
        self.is_convex = len(shapes) == 1 and len(shapes[0][0]) == 1
        super().__init__(*_balls_of(self.exact))

    @cached_property
    def parts(self) -> Part:
        """All primitives, as the root of a tree."""
        first, points = self.exact._first, self.exact._points
        return Part([points[i:j] for i, j in pairwise(first)], self.exact._radius.tolist())


def _balls_of(body: Group) -> tuple[Floats, Floats]:
    """The points of all primitives, each once, with their radii."""
    balls = np.column_stack([body._points, np.repeat(body._radius, np.diff(body._first))])
    balls = np.unique(balls, axis=0)
    return balls[:, :3], balls[:, 3]


def _outer_balls(points: Floats, radii: Floats) -> tuple[Floats, Floats]:
    """A few balls whose hull holds the given ones: points far from each other, rounded for the rest."""
    if np.ptp(radii) == 0:
        points = _hull_points(points)
        radii = np.full(len(points), radii[0])
    if len(points) <= MOST_POINTS:
        return points, radii
    chosen = [int(np.linalg.norm(points - points.mean(axis=0), axis=1).argmax())]
    far = np.full(len(points), np.inf)
    while len(chosen) < MOST_POINTS:
        far = np.minimum(far, np.linalg.norm(points - points[chosen[-1]], axis=1))
        chosen.append(int(far.argmax()))
    poses = np.tile(np.eye(4), (len(points), 1, 1))
    poses[:, :3, 3] = points
    size = float(np.ptp(points, axis=0).max())
    tiny = 1e-9 * size
    found = cast(Distances, distance(Convex(points[chosen]), Sphere(tiny), None, poses, threads=1))
    missed = float(found.upper.max()) + 2 * tiny
    return points[chosen], np.full(len(chosen), radii.max() + missed)
