"""All pairs of pieces over all of the time, cut and opened until every one is proved apart.

Part of the independent check of motion certificates. Pairs of nodes with spans of the time are carried along in
arrays. A pair is proved by a direction from centre to centre, fixed in the frame on which both hang, or, for two
pieces, by one of `_motion_proof_hints`, fixed there or in the frame of either. A pair that is not proved is
opened, the larger node giving way to its children; two pieces are looked at again in both halves of their span.
"""

from __future__ import annotations

import numpy as np

from elbowroom._motion_proof_frames import Floats, Integers
from elbowroom._motion_proof_hints import Hints
from elbowroom._motion_proof_planes import Parted, Planes
from elbowroom._motion_proof_scene import Scene
from elbowroom._motion_proof_spans import Mask, Moment, Pairs, Spans, Unproved, unit, used

#: Spans shorter than this are not cut again, and those shorter than the second not if at their middle nothing parts
#: the two: the next cut would leave that time as it is.
SHORTEST, SHORT = 2.0**-40, 2.0**-12
#: So many pairs, or poses, are looked at together.
AT_ONCE = 30_000


class Prover:
    """Proves, for times from one to another, that all pieces that may not touch are farther apart than asked."""

    def __init__(self, scene: Scene, clearance: float) -> None:
        self.scene, self.pieces = scene, scene.pieces
        self.planes, self.hints = Planes(scene, clearance), Hints(scene.pieces)

    def prove(self, low: float, high: float) -> None:
        """Raises Unproved."""
        spans = self._stretches(low, high)
        roots = np.array([(a.root, b.root) for a, b in self.scene.pairs], np.int64).reshape(-1, 2)
        count = len(spans.low)
        pairs = Pairs(
            np.repeat(roots[:, 0], count),
            np.repeat(roots[:, 1], count),
            np.tile(np.arange(count), len(roots)),
        )
        left = [(spans, self._those_compared(pairs))]
        while left:
            spans, pairs = used(*left.pop())
            if len(pairs.a) > AT_ONCE or (
                len(pairs.a) > 1 and len(spans.low) * len(self.scene.frames) > AT_ONCE
            ):
                order = np.argsort(pairs.span, kind="stable")
                left += [(spans, pairs.where(half)) for half in np.array_split(order, 2)]
            elif len(pairs.a):
                left.append(self._step(Moment(self.scene, spans), pairs))

    def _stretches(self, low: float, high: float) -> Spans:
        """The time cut where motions change; a single time is a span of no length."""
        knots = self.scene.frames.knots
        stretch = np.flatnonzero((knots[:-1] < high) & (knots[1:] > low))
        if low == high:
            stretch = np.array([self.scene.frames.stretch_at(low)])
        return Spans(stretch, np.maximum(knots[stretch], low), np.minimum(knots[stretch + 1], high))

    def _those_compared(self, pairs: Pairs) -> Pairs:
        """Without pairs of leaves that may touch."""
        a, b = self.pieces.piece[pairs.a], self.pieces.piece[pairs.b]
        keep = (a < 0) | (b < 0)
        keep[~keep] = self.scene.compared(a[~keep], b[~keep])
        return pairs.where(keep)

    def _step(self, moment: Moment, pairs: Pairs) -> tuple[Spans, Pairs]:
        """What is left of some pairs: their children, or themselves in the halves of their spans."""
        meet = self.scene.frames.meets[self.pieces.frame[pairs.a], self.pieces.frame[pairs.b]]
        between = moment.centres(pairs.b, pairs.span) - moment.centres(pairs.a, pairs.span)
        facing = unit(between[:, 1])
        left = ~self.planes.part(moment, pairs, facing, meet, hulls=False).over_all
        pairs, meet, facing, between = pairs.where(left), meet[left], facing[left], between[left]
        leaves = (self.pieces.piece[pairs.a] >= 0) & (self.pieces.piece[pairs.b] >= 0)
        passing = self._passing(moment, pairs, meet, between)
        proved = np.zeros(len(leaves), np.bool_)
        some = np.flatnonzero(leaves)
        proved[some] = self.planes.part(
            moment, pairs.where(some), facing[some], meet[some], hulls=True
        ).over_all
        some = np.flatnonzero(leaves & ~proved & ~passing)
        proved[some] = self._by_hints(moment, pairs.where(some), meet[some])
        cut = ~proved & (leaves | (passing & self._longer(moment, pairs, SHORTEST)))
        self._refuse(moment, pairs.where(cut & ~self._longer(moment, pairs, SHORTEST)))
        return self._opened_and_cut(moment.spans, pairs, ~proved & ~cut, cut)

    def _passing(self, moment: Moment, pairs: Pairs, view: Integers, between: Floats) -> Mask:
        """Do they go past each other by more than they are large? No plane then is likely to part them throughout."""
        ends = np.einsum("mtij,mti->mtj", moment.turned[view, pairs.span], between)
        travel = np.linalg.norm(ends[:, 2] - ends[:, 0], axis=1)
        out: Mask = travel > self.pieces.size[pairs.a] + self.pieces.size[pairs.b]
        return out

    def _longer(self, moment: Moment, pairs: Pairs, than: float) -> Mask:
        out: Mask = (moment.spans.high - moment.spans.low)[pairs.span] > than
        return out

    def _opened_and_cut(self, spans: Spans, pairs: Pairs, opened: Mask, cut: Mask) -> tuple[Spans, Pairs]:
        """Children of the larger nodes, and the rest once for each half of its span."""
        halves, count = spans.halves(), len(spans.low)
        again = pairs.where(cut)
        first, second = again._replace(span=again.span + count), again._replace(span=again.span + 2 * count)
        wider = Spans(*(np.concatenate(both) for both in zip(spans, halves, strict=True)))
        groups = zip(self._children(pairs.where(opened)), first, second, strict=True)
        return wider, Pairs(*(np.concatenate(group) for group in groups))

    def _children(self, pairs: Pairs) -> Pairs:
        """The larger of the two nodes, if it is no leaf, is replaced by its children."""
        inner_a, inner_b = self.pieces.piece[pairs.a] < 0, self.pieces.piece[pairs.b] < 0
        first = inner_a & (~inner_b | (self.pieces.size[pairs.a] >= self.pieces.size[pairs.b]))
        below_a, of_a = self.pieces.children(pairs.a[first])
        below_b, of_b = self.pieces.children(pairs.b[~first])
        one, other = pairs.where(first), pairs.where(~first)
        opened = Pairs(
            np.concatenate([below_a, other.a[of_b]]),
            np.concatenate([one.b[of_a], below_b]),
            np.concatenate([one.span[of_a], other.span[of_b]]),
        )
        return self._those_compared(opened)

    def _by_hints(self, moment: Moment, pairs: Pairs, meet: Integers) -> Mask:
        """Which pairs of pieces the hints prove apart; raises if they touch."""
        facing = np.empty((len(pairs.a), 3))
        for k, (a, b, span) in enumerate(zip(*pairs, strict=True)):
            facing[k], apart = self.hints.witness(moment, a, b, span)
            if apart <= self.planes.clearance:
                self._refuse(moment, pairs.where(np.array([k])))
        first = self._in_all_views(moment, pairs, meet, facing)
        left = np.flatnonzero(~first.over_all)
        for k in left:
            facing[k] = self.hints.straightened(moment, *(int(x[k]) for x in pairs), facing[k])
        second = self._in_all_views(moment, pairs.where(left), meet[left], facing[left])
        first.over_all[left] |= second.over_all
        first.at_middle[left] |= second.at_middle
        self._refuse(moment, pairs.where(~first.at_middle & ~self._longer(moment, pairs, SHORT)))
        return first.over_all

    def _in_all_views(self, moment: Moment, pairs: Pairs, meet: Integers, facing: Floats) -> Parted:
        """What directions prove when fixed where the two frames meet, or in either of them."""
        out = Parted(*np.zeros((2, len(pairs.a)), np.bool_))
        for view in (meet, self.pieces.frame[pairs.a], self.pieces.frame[pairs.b]):
            left = np.flatnonzero(~out.over_all)
            found = self.planes.part(moment, pairs.where(left), facing[left], view[left], hulls=True)
            out.over_all[left], out.at_middle[left] = found.over_all, found.at_middle
        return out

    def _refuse(self, moment: Moment, pairs: Pairs) -> None:
        """Raises for the first pair that is left, if there is one."""
        for a, b, span in zip(*pairs, strict=True):
            names = " and ".join(self.pieces.tell(int(self.pieces.piece[node])) for node in (a, b))
            middle = float(0.5 * (moment.spans.low[span] + moment.spans.high[span]))
            raise Unproved(f"{names} are not proved apart at the time {middle:.9g}", middle)
