"""All pairs of pieces over all of the time, cut and opened until every one is proved apart.

Part of the independent check of motion certificates. Pairs of nodes with spans of the time are carried along
in arrays. A pair is proved by a direction from centre to centre, fixed in the frame on which both hang, or,
for two pieces, by one of `hints`, fixed there or in the frame of either. A pair that is not
proved is opened, the larger node giving way to its children; two pieces are looked at again in both halves
of their span.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from elbowroom._proof.frames import Floats, Integers
from elbowroom._proof.hints import Hints
from elbowroom._proof.planes import Parted, Planes
from elbowroom._proof.scene import Scene
from elbowroom._proof.spans import Mask, Moment, Pairs, Spans, Unproved, unit, used

#: Spans shorter than the first are not cut again; nor are those shorter than the second if nothing parts the
#: two pieces at their middle, which the next cut would leave as it is.
SHORTEST, SHORT = 2.0**-40, 2.0**-12
#: So many pairs, or poses, are looked at together.
AT_ONCE = 30_000


class Prover:
    """Proves that pieces that may not touch are farther apart than asked, for all times of some runs."""

    def __init__(self, scene: Scene, clearance: float) -> None:
        self.scene, self.pieces = scene, scene.pieces
        self.planes, self.hints = Planes(scene, clearance), Hints(scene.pieces)

    def prove(self, runs: Iterable[tuple[float, float]]) -> None:
        """Proves all times from low to high of every run; raises Unproved."""
        spans = self._spans(runs)
        roots = np.array([(a.root, b.root) for a, b in self.scene.pairs], np.int64).reshape(-1, 2)
        count = len(spans.low)
        first, second = np.repeat(roots.T, count, axis=1)
        pairs = Pairs.of(first, second, np.tile(np.arange(count), len(roots)))
        left = [(spans, self._those_compared(pairs))]
        while left:
            spans, pairs = used(*left.pop())
            poses = len(spans.low) * len(self.scene.frames)
            if max(len(pairs.a), poses if len(spans.low) > 1 else 0) > AT_ONCE:
                order = np.argsort(pairs.span, kind="stable")
                left += [(spans, pairs.where(half)) for half in np.array_split(order, 2)]
            elif len(pairs.a):
                left.append(self._step(Moment(self.scene, spans), pairs))

    def _spans(self, runs: Iterable[tuple[float, float]]) -> Spans:
        """The runs cut where motions change; a single time is a span of no length."""
        knots, made = self.scene.frames.knots, list[tuple[int, float, float]]()
        for low, high in runs:
            first, last = (self.scene.frames.stretch_at(time) for time in (low, high))
            for k in range(first, last + 1):
                made.append((k, max(float(knots[k]), low), min(float(knots[k + 1]), high)))
        stretch, begin, end = np.array(made).reshape(-1, 3).T
        return Spans(stretch.astype(np.int64), begin, end)

    def _those_compared(self, pairs: Pairs) -> Pairs:
        """Without pairs of leaves that may touch."""
        a, b = self.pieces.piece[pairs.a], self.pieces.piece[pairs.b]
        keep = (a < 0) | (b < 0)
        keep[~keep] = self.scene.compared(a[~keep], b[~keep])
        return pairs.where(keep)

    def _step(self, moment: Moment, pairs: Pairs) -> tuple[Spans, Pairs]:
        """What is left of some pairs: their children, or themselves in the halves of their spans."""
        pairs = pairs.where(~self._by_centres(moment, pairs, hulls=False).over_all)
        inner = (self.pieces.piece[pairs.a] < 0) | (self.pieces.piece[pairs.b] < 0)
        leaves, pairs = self._left_of_pieces(moment, pairs.where(~inner)), pairs.where(inner)
        cut = self._passing(moment, pairs) & self._longer(moment, pairs, SHORTEST)
        again, spans, count = Pairs.together(pairs.where(cut), leaves), moment.spans, len(moment.spans.low)
        halves = [again._replace(span=again.span + k * count) for k in (1, 2)]
        wider = Spans(*(np.concatenate(both) for both in zip(spans, spans.halves(), strict=True)))
        return wider, Pairs.together(self._children(pairs.where(~cut)), *halves)

    def _meet(self, pairs: Pairs) -> Integers:
        """The frame on which both hang."""
        return self.scene.frames.meets[self.pieces.frame[pairs.a], self.pieces.frame[pairs.b]]

    def _by_centres(self, moment: Moment, pairs: Pairs, *, hulls: bool) -> Parted:
        """Tries the directions from centre to centre, fixed where the two frames meet."""
        view = self._meet(pairs)
        facing = unit(moment.between(pairs.a, pairs.b, pairs.span)[:, 1])
        return self.planes.part(moment, pairs, moment.fixed(facing, view, pairs.span), view, hulls=hulls)

    def _passing(self, moment: Moment, pairs: Pairs) -> Mask:
        """Do they go past each other by more than they are large? Hardly any plane parts them then."""
        between = moment.between(pairs.a, pairs.b, pairs.span)
        seen = np.einsum("mtij,mti->mtj", moment.turned[self._meet(pairs), pairs.span], between)
        travel = np.linalg.norm(seen[:, 2] - seen[:, 0], axis=1)
        out: Mask = travel > self.pieces.size[pairs.a] + self.pieces.size[pairs.b]
        return out

    def _longer(self, moment: Moment, pairs: Pairs, than: float) -> Mask:
        out: Mask = (moment.spans.high - moment.spans.low)[pairs.span] > than
        return out

    def _left_of_pieces(self, moment: Moment, pairs: Pairs) -> Pairs:
        """Pairs of pieces that are not proved apart, with directions for the halves of their spans."""
        pairs = pairs.where(~self._by_centres(moment, pairs, hulls=True).over_all)
        known = self.planes.part(moment, pairs, pairs.fixed, pairs.view, hulls=True)
        # A direction that parts two pieces at all three times will do: only the span is too long for it.
        keep = ~known.over_all & known.at_times
        rest = pairs.where(~known.over_all & ~known.at_times)
        passing = self._passing(moment, rest)
        hinted = self._left_of_hints(moment, rest.where(~passing))
        left = Pairs.together(pairs.where(keep), Pairs.of(*rest.where(passing)[:3]), hinted)
        self._refuse(moment, left.where(~self._longer(moment, left, SHORTEST)))
        return left

    def _children(self, pairs: Pairs) -> Pairs:
        """The larger of the two nodes, if it is no leaf, is replaced by its children."""
        inner_a, inner_b = self.pieces.piece[pairs.a] < 0, self.pieces.piece[pairs.b] < 0
        first = inner_a & (~inner_b | (self.pieces.size[pairs.a] >= self.pieces.size[pairs.b]))
        below_a, of_a = self.pieces.children(pairs.a[first])
        below_b, of_b = self.pieces.children(pairs.b[~first])
        one, other = pairs.where(first), pairs.where(~first)
        opened = Pairs.of(
            np.concatenate([below_a, other.a[of_b]]),
            np.concatenate([one.b[of_a], below_b]),
            np.concatenate([one.span[of_a], other.span[of_b]]),
        )
        return self._those_compared(opened)

    def _left_of_hints(self, moment: Moment, pairs: Pairs) -> Pairs:
        """The same of those for which hints are asked for; raises if two pieces touch, or seem to."""
        pairs, facing, apart = Pairs.of(*pairs[:3]), np.empty((len(pairs.a), 3)), np.empty(len(pairs.a))
        for k in range(len(apart)):
            facing[k], apart[k] = self.hints.witness(moment, *_one(pairs, k))
        self._refuse(moment, pairs.where(apart <= self.planes.clearance))
        proved, parted = self._in_all_views(moment, pairs, facing)
        again = np.flatnonzero(~proved & self.hints.touch_nearly(pairs.a, pairs.b, apart))
        for k in again.tolist():
            facing[k] = self.hints.straightened(moment, *_one(pairs, k), facing[k])
        nearly = pairs.where(again)
        proved[again], parted[again] = self._in_all_views(moment, nearly, facing[again])
        pairs.view[again], pairs.fixed[again] = nearly.view, nearly.fixed
        self._refuse(moment, pairs.where(~parted & ~self._longer(moment, pairs, SHORT)))
        return pairs.where(~proved)

    def _in_all_views(self, moment: Moment, pairs: Pairs, facing: Floats) -> tuple[Mask, Mask]:
        """Tries directions fixed where two frames meet, or in either: proved, and parted at the middle.

        The first that parts two pieces at all three times is recorded in the pairs.
        """
        proved, parted, recorded = np.zeros((3, len(pairs.a)), np.bool_)
        for view in (self._meet(pairs), self.pieces.frame[pairs.a], self.pieces.frame[pairs.b]):
            fixed = moment.fixed(facing, view, pairs.span)
            found = self.planes.part(moment, pairs, fixed, view, hulls=True)
            note = found.at_times & ~recorded
            pairs.view[note], pairs.fixed[note] = view[note], fixed[note]
            proved, parted, recorded = proved | found.over_all, parted | found.at_middle, recorded | note
        return proved, parted

    def _refuse(self, moment: Moment, pairs: Pairs) -> None:
        """Raises for the first pair that is left, if there is one."""
        if len(pairs.a):
            a, b, span = _one(pairs, 0)
            names = " and ".join(self.pieces.tell(int(self.pieces.piece[node])) for node in (a, b))
            middle = float(0.5 * (moment.spans.low[span] + moment.spans.high[span]))
            raise Unproved(f"{names} are not proved apart at the time {middle:.9g}", middle)


def _one(pairs: Pairs, k: int) -> tuple[int, int, int]:
    """The nodes and the span of one pair."""
    return int(pairs.a[k]), int(pairs.b[k]), int(pairs.span[k])
