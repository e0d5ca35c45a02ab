"""One pair of links: a configuration in which they collide, or a proof that there is none."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, cast

import numpy as np
from numpy.typing import NDArray

from elbowroom._core import Distances
from elbowroom.body import Body
from elbowroom.matrix.path import Path
from elbowroom.matrix.solids import Hull, LinkSolid, Part
from elbowroom.questions import distance

if TYPE_CHECKING:
    from elbowroom.articulated import Articulated

Floats = NDArray[np.float64]
Verdict = Literal["never", "always", "sometimes", "undecided"]

#: Boxes that are looked at together.
BATCH = 512
#: Where hulls are nearer than this share of the true distance, the parts of the links are compared.
HULLS_HIDE = 0.7


@dataclass
class Boxes:
    """Boxes of joint values: centres, half widths, and the share of the whole that each is."""

    centre: Floats
    half: Floats
    share: Floats

    def __len__(self) -> int:
        return len(self.share)

    def take(self, which: slice | NDArray[np.bool_]) -> Boxes:
        return Boxes(self.centre[which], self.half[which], self.share[which])

    def halved(self, value: NDArray[np.int32]) -> Boxes:
        """Both halves of each box along one of its values."""
        rows, half = np.arange(len(self)), self.half.copy()
        half[rows, value] *= 0.5
        left, right = self.centre.copy(), self.centre.copy()
        left[rows, value] -= half[rows, value]
        right[rows, value] += half[rows, value]
        return Boxes(np.concatenate([left, right]), np.concatenate([half, half]), np.tile(self.share / 2, 2))

    def with_more(self, other: Boxes) -> Boxes:
        return Boxes(
            np.concatenate([self.centre, other.centre]),
            np.concatenate([self.half, other.half]),
            np.concatenate([self.share, other.share]),
        )


@dataclass
class PairSearch:
    """What is known about a pair of links so far.

    Attributes
    ----------
    verdict
        "never" and "always" are proved; "sometimes" has a witness.
    witness
        Values of the joints between the links, in which they collide.
    gap
        The least distance that was seen.
    covered
        The share of the values of the joints that is proved free.
    boxes
        How many boxes of values were looked at.
    """

    body: Articulated
    a: int
    b: int
    solid_a: LinkSolid
    solid_b: LinkSolid
    verdict: Verdict = "undecided"
    witness: Floats | None = None
    gap: float = np.inf
    covered: float = 0.0
    boxes: int = 0
    path: Path = field(init=False)

    def __post_init__(self) -> None:
        self.path = Path(self.body, self.a, self.b)
        self._compare(self.solid_a, self.solid_b)

    def _compare(self, a: Hull, b: Hull) -> None:
        self._hulls = a, b
        self._bounds = self.path.boxes(a, b) if self.path.covered else None
        self._exact: tuple[Body, Body] = self.solid_a.exact, self.solid_b.exact
        self._is_convex = self.solid_a.is_convex and self.solid_b.is_convex
        self._spare = 0.0  # what the exact distances do not know of: radii
        self._left: Boxes | None = None  # not yet proved free
        self._swept: list[PairSearch] | None = None

    @property
    def is_stuck(self) -> bool:
        """Will more boxes be of no use?"""
        return self._bounds is None

    def swept(self, joints: tuple[int, ...]) -> PairSearch | None:
        """The pair without the first joint (0), the last (-1) or both, its links swept over all places that
        these take them; None if that is not possible. If the swept links never collide, the links never do.
        """
        out, (a, b) = copy.copy(self), self._hulls
        for joint in joints:
            if not out.path.can_sweep(joint):
                return None
            if joint == 0:
                a = out.path.swept(a, joint)
            else:
                b = out.path.swept(b, joint)
            out.path = out.path.without(joint)
        out._compare(a, b)
        out._exact, out._is_convex, out.boxes = (a.convex, b.convex), True, 0
        out._spare = a.radius + b.radius
        out.verdict, out.covered, out.gap = "undecided", 0.0, np.inf
        return out

    def _hull_distances(self, poses: Floats) -> Nearest:
        """Of the hulls of the centres."""
        return Nearest.of(self._hulls[0].convex, self._hulls[1].convex, poses)

    def _distances(self, poses: Floats) -> Nearest:
        found = Nearest.of(*self._exact, poses)
        self.gap = min(self.gap, float(found.distance.min()))
        return found

    def _collides(self, values: Floats) -> None:
        self.verdict, self.witness = "sometimes", values.copy()

    # A configuration in which they collide.

    def search(self, rng: np.random.Generator, samples: int = 512, starts: int = 16) -> None:
        """Goes down the distance from the nearest of some configurations: of the hulls, then of the links."""
        if self._bounds is None or not len(self.path):
            return
        low, high = self.path.low, self.path.high
        values = rng.uniform(low, high, (samples, len(low)))
        ends = rng.integers(0, 2, (samples // 2, len(low)))
        values[: samples // 2] = np.where(ends == 0, low, values[: samples // 2])
        near = np.argsort(self._hull_distances(self._bounds.poses(values)).distance)
        values = self._descend(values[near[:starts]], self._hull_distances)
        self._descend(values[: starts // 2], self._distances, until_contact=True)

    def _descend(
        self,
        values: Floats,
        ask: Callable[[Floats], Nearest],
        steps: int = 40,
        *,
        until_contact: bool = False,
    ) -> Floats:
        """Polyak's steps d / |gradient|^2, shorter where they do not help; returns the nearest first."""
        assert self._bounds is not None
        found, step = ask(self._bounds.poses(values)), np.ones(len(values))
        for _ in range(steps):
            if until_contact and (found.distance <= 0).any():
                break
            slope = self._bounds.slopes(values, found.normal, found.point)
            slope[((values <= self.path.low) & (slope > 0)) | ((values >= self.path.high) & (slope < 0))] = 0
            steepness = (slope * slope).sum(axis=1)
            live = (found.distance > 0) & (steepness > 1e-16) & (step > 1e-4)
            if not live.any():
                break
            way = -(1.05 * step * found.distance / np.maximum(steepness, 1e-16) * live)[:, None] * slope
            way *= np.minimum(1, 0.5 / np.maximum(np.abs(way).max(axis=1), 1e-12))[:, None]
            new = np.clip(values + way, self.path.low, self.path.high)
            there = ask(self._bounds.poses(new))
            better = there.distance < found.distance
            values[better] = new[better]
            found.take(there, better)
            step = np.where(better, np.minimum(1, 2 * step), 0.4 * step)
        order = np.argsort(found.distance)
        if until_contact and found.distance[order[0]] <= 0:
            self._collides(values[order[0]])
        return values[order]

    # A proof that there is none.

    def decide(self, most_boxes: int, is_late: Callable[[], bool]) -> None:
        """Goes on with the proof, and with those of swept links: so many boxes each."""
        self.prove(most_boxes, is_late)
        if self.verdict != "undecided" or len(self.path) <= 2:
            return
        if self._swept is None:
            self._swept = [s for joints in ((0, -1), (-1,), (0,)) if (s := self.swept(joints)) is not None]
        for swept in self._swept:
            if swept.verdict == "undecided":
                before = swept.boxes
                swept.prove(most_boxes, is_late)
                self.boxes += swept.boxes - before
            if swept.verdict == "never":
                self.verdict, self.covered = "never", 1.0
                return

    def prove(self, most_boxes: int, is_late: Callable[[], bool]) -> None:
        """Halves boxes of values until each has its plane, so many boxes, or until it is late."""
        if self._bounds is None:
            return
        if self._left is None:
            low, high = self.path.low, self.path.high
            self._left = Boxes(0.5 * (low + high)[None], 0.5 * (high - low)[None], np.ones(1))
        last = self.boxes + most_boxes
        while len(self._left):
            if self.boxes >= last or is_late():
                return
            now, rest = self._left.take(slice(-BATCH, None)), self._left.take(slice(None, -BATCH))
            self.boxes += len(now)
            free, value = self._free(now, is_late)
            if self.verdict == "sometimes":
                return
            self.covered += float(now.share[free].sum())
            self._left = rest
            if not free.all():
                if not len(self.path):  # nothing moves, and nothing can be halved
                    self._bounds = None
                    return
                self._left = rest.with_more(now.take(~free).halved(value[~free]))
        self.verdict, self.covered = "never", 1.0

    def _free(self, boxes: Boxes, is_late: Callable[[], bool]) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        """Which boxes are proved free, and which of its values to halve for each other."""
        assert self._bounds is not None
        poses = self._bounds.poses(boxes.centre)
        hulls = self._hull_distances(poses)
        gap, value = self._bounds.bounds(boxes.centre, boxes.half, hulls.normal)
        free = gap > 0
        rest = np.flatnonzero(~free)
        if not len(rest):
            return free, value
        # The true distance may show what the hulls of few points hide: it is measured where they are near.
        moved = self._bounds.displacements(boxes.centre[rest], boxes.half[rest])
        radii = self._hulls[0].radius + self._hulls[1].radius
        far = hulls.distance[rest] - radii
        free[rest] = far > moved
        small = 0.5 * min(hull.size for hull in self._hulls)
        near = (far <= 0) | ((far < 0.5 * moved) & (moved < small) & (not self._is_convex))
        ask = rest[near & ~free[rest]]
        if not len(ask):
            return free, value
        exact = self._distances(poses[ask]).distance - self._spare
        if exact.min() <= 0:
            self._collides(boxes.centre[ask[int(exact.argmin())]])
            return free, value
        moved = self._bounds.displacements(boxes.centre[ask], boxes.half[ask])
        free[ask] = exact > moved
        parts = ~free[ask] & (exact > 0.1 * moved) & (hulls.distance[ask] - radii < HULLS_HIDE * exact)
        if parts.any():
            self._compare_parts(boxes, poses, ask[parts], exact[parts], free, value, is_late)
        return free, value

    def _compare_parts(
        self,
        boxes: Boxes,
        poses: Floats,
        which: NDArray[np.intp],
        exact: Floats,
        free: NDArray[np.bool_],
        value: NDArray[np.int32],
        is_late: Callable[[], bool],
    ) -> None:
        """A plane for each pair of parts, which are halved where hulls hide the true distance."""
        free[which] = True
        distance_of = np.zeros(len(free))
        distance_of[which] = exact
        stack: list[tuple[Part, Part, NDArray[np.intp]]] = [(self.solid_a.parts, self.solid_b.parts, which)]
        while stack:
            a, b, some = stack.pop()
            if is_late():
                free[which] = False
                return
            some = some[free[some]]
            if not len(some):
                continue
            hulls = Nearest.of(a.convex, b.convex, poses[some])
            gap, halved = self.path.boxes(a, b).bounds(boxes.centre[some], boxes.half[some], hulls.normal)
            open_ = gap <= 0
            apart = hulls.distance - a.radius - b.radius > HULLS_HIDE * distance_of[some]
            lost = open_ & (apart if a.halves or b.halves else True)
            free[some[lost]] = False
            value[some[lost]] = halved[lost]
            more = some[open_ & ~lost]
            if not len(more):
                continue
            if a.halves and (not b.halves or len(a.primitives) >= len(b.primitives)):
                stack += [(half, b, more) for half in a.halves]
            else:
                stack += [(a, half, more) for half in b.halves]


@dataclass
class Nearest:
    """Distances in many poses, the nearest points of the second body, and the unit vectors to these (zero if
    the bodies overlap).
    """

    distance: Floats
    normal: Floats
    point: Floats

    @classmethod
    def of(cls, a: Body, b: Body, poses: Floats) -> Nearest:
        found = cast(Distances, distance(a, b, None, poses, threads=1))
        way = found.points[:, 1] - found.points[:, 0]
        length = np.linalg.norm(way, axis=1)
        apart = (found.values > 0) & (length > 0)
        return cls(
            found.values.copy(),
            np.where(apart[:, None], way / np.where(apart, length, 1)[:, None], 0.0),
            np.ascontiguousarray(found.points[:, 1]),
        )

    def take(self, other: Nearest, where: NDArray[np.bool_]) -> None:
        """What another knows, in its place."""
        for name in ("distance", "normal", "point"):
            getattr(self, name)[where] = getattr(other, name)[where]
