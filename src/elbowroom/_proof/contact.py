"""Is a claimed contact one? Part of the independent check of motion certificates.

At the time of contact the two parts that are named must come within rounding of the clearance that was asked
for. The core is not asked: `hull_distance` is Wolfe's algorithm for the point of least norm in a convex
hull, here the hull of all differences between a point of one piece and a point of the other. What it finds
is always the difference of two points that lie in the two pieces, so what it says is never less than their
distance.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from elbowroom._proof.frames import Floats, Integers
from elbowroom._proof.pieces import Flock
from elbowroom._proof.scene import Claim, Scene

#: A contact may be off by this part of the coordinates.
ROUNDED_CONTACT = 1e-10
#: Wolfe's algorithm ends after a few rounds; this only keeps rounding from going round in circles.
MOST_ROUNDS = 200


def check_contact(scene: Scene, claim: Claim) -> None:
    """Raises ValueError unless the two parts of `pair` touch at the time of contact."""
    assert claim.first_contact is not None
    at = float(claim.first_contact[1])
    if claim.pair is None:
        raise ValueError(f"first_contact: at the time {at:.9g} no parts are named that touch")
    i, j = (int(number) for number in claim.pair)
    whose = "the body itself" if claim.obstacle is None else f"obstacle {claim.obstacle}"
    told = f"first_contact: at the time {at:.9g} part {i} of the body and part {j} of {whose}"
    world = _World(scene, at)
    reach = claim.clearance_asked + world.doubt
    nearest = np.inf
    for a, b in _named(scene, i, j, claim.obstacle):
        for p, q in world.near(a, b, reach):
            nearest = min(nearest, world.gap(p, q))
            if nearest <= reach:
                return
    far = f"{nearest:.9g} apart" if nearest < np.inf else "not near each other, or are never compared"
    raise ValueError(f"{told} are {far}: this is no contact")


class _World:
    """All pieces at one time."""

    def __init__(self, scene: Scene, time: float) -> None:
        self.pieces = scene.pieces
        turned, placed = scene.frames.poses(np.array([scene.frames.stretch_at(time)]), np.array([time]))
        self.turned, self.placed = turned[:, 0], placed[:, 0]
        self.leaf = np.empty(len(self.pieces.reach), np.int64)
        leaves = np.flatnonzero(self.pieces.piece >= 0)
        self.leaf[self.pieces.piece[leaves]] = leaves
        frame = self.pieces.frame[self.leaf]
        inside = self.pieces.centre[self.leaf]
        self.centre = np.einsum("pij,pj->pi", self.turned[frame], inside) + self.placed[frame]
        self.size = self.pieces.size[self.leaf]
        scale = (np.linalg.norm(self.centre, axis=1) + self.size).max() + np.linalg.norm(scene.centre)
        self.doubt = ROUNDED_CONTACT * float(scale)

    def near(self, a: Integers, b: Integers, reach: float) -> Iterator[tuple[int, int]]:
        """Pairs of pieces whose balls are within reach, those that overlap the most first."""
        for piece in a.tolist():
            away = np.linalg.norm(self.centre[b] - self.centre[piece], axis=1)
            gap = away - self.size[b] - self.size[piece]
            order = np.argsort(gap)
            yield from ((piece, int(b[k])) for k in order[gap[order] <= reach])

    def points(self, piece: int) -> Floats:
        """The corners of a piece in the world."""
        first, last = self.pieces.hulls.first[piece : piece + 2]
        frame = self.pieces.frame[self.leaf[piece]]
        points: Floats = self.pieces.hulls.points[first:last] @ self.turned[frame].T + self.placed[frame]
        return points

    def gap(self, a: int, b: int) -> float:
        """The distance of two pieces, negative where their radii overlap."""
        radii = float(self.pieces.hulls.radius[[a, b]].sum())
        return hull_distance(self.points(a), self.points(b)) - radii


def _named(scene: Scene, i: int, j: int, obstacle: int | None) -> Iterator[tuple[Integers, Integers]]:
    """Pieces of the two parts that are named, from all flocks that are compared."""
    for a, b in scene.pairs:
        if obstacle is not None:
            sides = [(_those(a, i, -1), _those(b, j, obstacle))]
        else:
            sides = [(_those(a, i, -1), _those(b, j, -1)), (_those(a, j, -1), _those(b, i, -1))]
        for some, others in sides:
            p, q = (side.reshape(-1) for side in np.meshgrid(some, others, indexing="ij"))
            keep = scene.compared(np.minimum(p, q), np.maximum(p, q))
            if keep.all() and len(keep):
                yield some, others


def _those(flock: Flock, number: int, obstacle: int) -> Integers:
    """The pieces of a flock that are part `number` of the body or of an obstacle."""
    mine = (flock.names.number == number) & (flock.names.obstacle == obstacle)
    return flock.first + np.flatnonzero(mine)


def hull_distance(a: Floats, b: Floats) -> float:
    """The distance of the hulls of two sets of points, 0 where they overlap; never too small."""
    a, b = a - b[0], b - b[0]
    corners, share = a[:1] - b[:1], np.ones(1)
    nearest = np.inf
    for _ in range(MOST_ROUNDS):
        x = share @ corners
        nearest = min(nearest, float(np.linalg.norm(x)))
        across = _across(corners, x)
        further = a[(a @ across).argmin()] - b[(b @ across).argmax()]
        # No point of the hull has a norm less than across . further / |across|.
        if across @ further >= (1 - 1e-14) * (across @ x) or (corners == further).all(axis=1).any():
            break
        corners, share = _nearest_within(np.vstack([corners, further]), np.append(share, 0.0))
    return nearest


def _across(corners: Floats, x: Floats) -> Floats:
    """The direction of the point of least norm in the plane through the corners.

    It is at right angles to the plane. A sum of corners is so only to rounding of the corners, which may
    be as long as a small `x` itself, and would point to the wrong corners.
    """
    if not 1 < len(corners) < 4:
        return x
    _, sizes, axes = np.linalg.svd(corners[1:] - corners[0], full_matrices=False)
    for axis in axes[sizes > 1e-14 * sizes[0]]:
        x = x - (axis @ x) * axis
    return x


def _nearest_within(corners: Floats, share: Floats) -> tuple[Floats, Floats]:
    """From a point of a simplex to the point of least norm; corners that are not needed are dropped."""
    while True:
        goal = _affine_shares(corners)
        falling = np.flatnonzero(goal <= 0)
        if not len(falling):
            return corners, goal
        part = share[falling] / (share[falling] - goal[falling] + 1e-300)
        share = np.maximum(share + part.min() * (goal - share), 0.0)
        share[falling[part.argmin()]] = 0.0
        corners, share = corners[share > 0], share[share > 0] / share.sum()


def _affine_shares(corners: Floats) -> Floats:
    """Weights, of sum 1, of the point of least norm in the plane through all corners."""
    edges = corners[1:] - corners[0]
    along: Floats = np.linalg.lstsq(edges.T, -corners[0], rcond=None)[0]
    return np.concatenate([[1 - along.sum()], along])
