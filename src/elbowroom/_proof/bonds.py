"""Are two segments apart whose ends go straight? Part of the independent check of motion certificates.

In a span of time a plane between them that turns is looked for: its normal goes straight from one direction
to another. The gap along it, between any two ends, is a polynomial of degree two in the time, so it is at
least the least of its three Bernstein coefficients. Where floats do not decide, the coefficients are computed
in fractions. There, segments without a radius are apart too if their four ends are never in one plane, which
the signs of the four Bernstein coefficients of a volume show.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np

from elbowroom._proof.ways import ROUNDED, Exact, Floats, Integers, Ways

#: Spans are halved so often in floats, and in fractions after that.
DEEP, DEEPER = 12, 64
#: Pairs that are looked at together.
AT_ONCE = 50_000
#: Spans of one pair that fractions may look at.
MOST = 20_000


class Parts(NamedTuple):
    """From the first end of one segment: its other end, and both ends of the other segment less that."""

    a: Floats
    b: Floats
    between: Floats


@dataclass(frozen=True)
class BondPairs:
    """Pairs of bonds, and how far they must be apart.

    Beads (k, 2) each; edges (k, 3) from the first bead of a bond to its second, and from the first bead of
    one bond to that of the other.
    """

    ways: Ways
    first: Integers
    second: Integers
    along_first: Integers
    along_second: Integers
    shift: Integers
    reach: Floats

    def __len__(self) -> int:
        return len(self.reach)

    def at(self, which: Integers, t: Floats) -> Parts:
        """In floats."""
        ends = ((self.first, self.along_first), (self.second, self.along_second))
        a, b = (self.ways.apart(x[which, 0], x[which, 1], s[which], t) for x, s in ends)
        between = self.ways.apart(self.first[which, 0], self.second[which, 0], self.shift[which], t)
        return Parts(a, b, between)

    def exactly(self, k: int, t: Fraction) -> tuple[Exact, Exact, Exact]:
        """In fractions."""
        (i, p), (j, q) = self.first[k].tolist(), self.second[k].tolist()
        exact = self.ways.exactly
        return (
            exact(i, p, self.along_first[k], t),
            exact(j, q, self.along_second[k], t),
            exact(i, j, self.shift[k], t),
        )


def unproved(pairs: BondPairs, low: Fraction, high: Fraction) -> int | None:
    """The number of a pair that is not shown to be apart from `low` to `high`, or None."""
    for begin in range(0, len(pairs), AT_ONCE):
        which = np.arange(begin, min(begin + AT_ONCE, len(pairs)))
        for k, place, level in _left_by_floats(pairs, which, float(low), float(high)):
            width = (high - low) / (1 << level)
            if not _exactly_apart(pairs, k, low + place * width, low + (place + 1) * width):
                return k
    return None


def _left_by_floats(pairs: BondPairs, which: Integers, low: float, high: float) -> list[tuple[int, int, int]]:
    """Spans that floats do not prove: the pair, and which of the 2^level parts of the time."""
    place, left = np.zeros(len(which), np.int64), []
    far = ROUNDED * pairs.ways.farthest
    for level in range(DEEP + 1):
        width = (high - low) / (1 << level)
        start, end = (pairs.at(which, np.minimum(low + (place + more) * width, 1.0)) for more in (0, 1))
        size = sum(np.linalg.norm(x, axis=1) for parts in (start, end) for x in parts) + pairs.reach[which]
        n0, n1 = normals(start), normals(end)
        least = np.minimum.reduce([gap(n0, start), middle(n0, n1, start, end), gap(n1, end)])
        open_ = ~(least > pairs.reach[which] + ROUNDED * size + far * 1e-2)
        which, place = which[open_], place[open_]
        if level == DEEP or not len(which):
            break
        which, place = np.repeat(which, 2), np.repeat(2 * place, 2) + np.tile([0, 1], len(which))
    left += list(zip(which.tolist(), place.tolist(), [level] * len(which), strict=True))
    return left


def _dot(a: Floats, b: Floats) -> Floats:
    out: Floats = np.einsum("...i,...i", a, b)
    return out


def gap(n: Floats, parts: Parts) -> Floats:
    """What is between two segments along directions; negative where they overlap."""
    out: Floats = _dot(n, parts.between) + np.minimum(0, _dot(n, parts.b)) - np.maximum(0, _dot(n, parts.a))
    return out


def middle(n0: Floats, n1: Floats, start: Parts, end: Parts) -> Floats:
    """The coefficient in the middle, the least over all ends."""
    a, b, between = (0.5 * (_dot(n0, y) + _dot(n1, x)) for x, y in zip(start, end, strict=True))
    out: Floats = between + np.minimum(0, b) - np.maximum(0, a)
    return out


def normals(parts: Parts) -> Floats:
    """Of the directions across two edges, an edge and an end, or through two ends, that of the widest gap."""
    a, b, w = parts
    across = np.cross(a, b)
    tried = [across, -across]
    for end in (w, w + b):  # of the second segment, from the first
        tried.append(_made_across(end, a))
    for end in (np.zeros_like(w), a):  # of the first, to the second
        tried.append(_made_across(w - end, b))
    for first, second in product((np.zeros_like(w), a), (w, w + b)):
        tried.append(second - first)
    units = np.stack([_unit(n) for n in tried])
    units[2:4] = _unit(_made_across(units[2:4], a))
    units[4:6] = _unit(_made_across(units[4:6], b))
    best = np.argmax(np.stack([gap(n, parts) for n in units]), axis=0)
    found: Floats = units[best, np.arange(len(w))]
    return found


def _made_across(n: Floats, along: Floats) -> Floats:
    square = _dot(along, along)
    share = np.where(square > 0, _dot(n, along) / np.where(square > 0, square, 1), 0)
    out: Floats = n - share[..., None] * along
    return out


def _unit(n: Floats) -> Floats:
    length = np.linalg.norm(n, axis=-1)
    out: Floats = n / np.where(length > 0, length, 1)[..., None]
    return out


def _exactly_apart(pairs: BondPairs, k: int, low: Fraction, high: Fraction) -> bool:
    """In fractions, for the rest of the time, span by span."""
    reach, spans = Fraction(float(pairs.reach[k])), [(low, high, 0)]
    for _ in range(MOST):
        if not spans:
            return True
        t0, t1, depth = spans.pop()
        start, end = pairs.exactly(k, t0), pairs.exactly(k, t1)
        if _shown(start, end, reach):
            continue
        if depth == DEEPER or t0 == t1:
            return False
        half = (t0 + t1) / 2
        spans += [(half, t1, depth + 1), (t0, half, depth + 1)]
    return False


def _shown(start: tuple[Exact, ...], end: tuple[Exact, ...], reach: Fraction) -> bool:
    n0, n1 = ([Fraction(x) for x in normals(_floats(at))[0].tolist()] for at in (start, end))
    zero = Fraction(0)

    def least(x: Exact, at: tuple[Exact, ...], y: Exact, other: tuple[Exact, ...]) -> Fraction:
        a, b, between = ((_product(x, p) + _product(y, q)) / 2 for p, q in zip(at, other, strict=True))
        return between + min(zero, b) - max(zero, a)

    gap_ = min(least(n0, start, n0, start), least(n0, end, n1, start), least(n1, end, n1, end))
    square = max(_product(n0, n0), _product(n1, n1))
    if gap_ > 0 and gap_ * gap_ > reach * reach * square:
        return True
    return reach == 0 and _never_in_one_plane(start, end)


def _floats(at: tuple[Exact, ...]) -> Parts:
    return Parts(*(np.array([[float(x) for x in vector]]) for vector in at))


def _product(x: Exact, y: Exact) -> Fraction:
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))


def _never_in_one_plane(start: tuple[Exact, ...], end: tuple[Exact, ...]) -> bool:
    """The signs of the Bernstein coefficients of the volume."""
    sums = [Fraction(0)] * 4
    for which in product((0, 1), repeat=3):
        a, b, c = ((start, end)[one][k] for k, one in enumerate(which))
        sums[sum(which)] += (
            a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
        )
    return all(x > 0 for x in sums) or all(x < 0 for x in sums)
