"""The check behind `SeparatingPairs.verify`: slow, independent of the core, exact where floats are too close.

The arrays of a family may come from a file, so nothing about them is trusted. The work is bounded by a
multiple of their size: a family that would take more is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom._exclusion import Exclusion

if TYPE_CHECKING:
    from fractions import Fraction

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]

#: Floats that differ by less than this part of the lengths involved are compared as fractions.
TOO_NEAR_TO_TELL = 1e-12
#: So are lengths whose squares are lost.
TOO_SMALL = 1e-140
#: A bead lies below about log2(n) cages, and pairs name a cage a few times on average. Families that exceed
#: this many times that are refused.
SLACK = 32
#: Intervals of the cover that are sorted together.
AT_ONCE = 1 << 22


class Family(Protocol):
    """The arrays that are checked."""

    @property
    def pairs(self) -> Integers: ...

    @property
    def colliding(self) -> Integers: ...

    @property
    def cages(self) -> Floats: ...

    @property
    def ranges(self) -> Integers: ...

    @property
    def positions(self) -> Floats: ...

    @property
    def radii(self) -> Floats: ...

    @property
    def excluded(self) -> Integers: ...


def unsound_arrays(family: Family) -> Iterator[str]:
    """Arrays with a wrong shape, type or numbers, such as a damaged file may hold."""
    shape = family.positions.shape
    if len(shape) != 2 or shape[0] == 0 or shape[1] not in (2, 3):
        yield f"positions have shape {shape}, not (n, 2) or (n, 3)"
        return
    n, m = shape[0], len(family.cages)
    for name, wanted in (("positions", shape), ("radii", (n,)), ("cages", (m, shape[1] + 1))):
        yield from _unsound_floats(name, getattr(family, name), wanted)
    for name, below in (("pairs", n + m), ("colliding", n), ("excluded", n), ("ranges", n + 1)):
        yield from _unsound_integers(name, getattr(family, name), below)
    if family.ranges.shape != (m, 2):
        yield f"ranges have shape {family.ranges.shape}, not {(m, 2)}"
    elif family.ranges.dtype.kind == "i" and (family.ranges[:, 0] >= family.ranges[:, 1]).any():
        yield "ranges: a cage has no beads"


def _unsound_floats(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> Iterator[str]:
    if array.shape != shape or array.dtype not in (np.float64, np.int32, np.int64):
        yield f"{name} are {array.dtype} of shape {array.shape}, not numbers of shape {shape}"
    elif not ((array >= -4 * _arrays.LARGEST) & (array <= 4 * _arrays.LARGEST)).all():
        yield f"{name} are not finite, or too large"
    elif name != "positions" and ((array if name == "radii" else array[:, -1]) < 0).any():
        yield f"{name}: a radius is negative"


def _unsound_integers(name: str, array: NDArray[Any], below: int) -> Iterator[str]:
    if array.dtype.kind != "i" or array.ndim != 2 or array.shape[1] != 2:
        yield f"{name} are {array.dtype} of shape {array.shape}, not pairs of whole numbers"
    elif array.size and (array.min() < 0 or array.max() >= below):
        yield f"{name}: a number is not from 0 to {below - 1}"


def problems(family: Family, centres: Floats, radii: Floats, excluded: Exclusion) -> Iterator[str]:
    """Why a family of sound arrays does not prove these beads free."""
    for i, j in family.colliding:
        yield f"beads {i} and {j} were found to overlap"
    beads = np.column_stack([centres, radii]).astype(np.float64)
    cages = family.cages.astype(np.float64)
    too_much = next(_too_much_work(family), None)
    if too_much is not None:
        yield too_much
        return
    yield from _sticking_out(cages, family.ranges, beads)
    yield from _not_apart(np.concatenate([cages, beads]), family.pairs, len(cages))
    yield from not_covered(family, family.pairs, excluded)


def _too_much_work(family: Family) -> Iterator[str]:
    n, levels = len(family.positions), 2 + int(np.log2(len(family.positions)))
    if np.diff(family.ranges).sum(dtype=np.int64) > SLACK * levels * (n + len(family.ranges)):
        yield "ranges: the cages overlap too much for a hierarchy, and are not checked"
    if _sizes(family, family.pairs).sum(dtype=np.int64) > SLACK * levels * (n + len(family.pairs)):
        yield "pairs: they overlap too much for a family of a hierarchy, and are not checked"


def _ranges(family: Family, pairs: Integers) -> NDArray[np.int64]:
    """(k, 2, 2): the first bead of either side of each pair, and one past the last."""
    single = np.arange(len(family.positions), dtype=np.int64)
    ranges = np.concatenate([family.ranges, np.column_stack([single, single + 1])])
    out: NDArray[np.int64] = ranges[pairs]
    return out


def _sizes(family: Family, pairs: Integers) -> NDArray[np.int64]:
    sizes = np.concatenate([np.diff(family.ranges).ravel(), np.ones(len(family.positions), np.int64)])
    out: NDArray[np.int64] = sizes[pairs]
    return out


def _exactly(value: float) -> Fraction:
    from fractions import Fraction  # brings decimal: together a twentieth of the import of the package

    return Fraction(float(value))


def _compare(a: Floats, b: Floats, radius: Fraction) -> int:
    """The sign of |a - b| - radius, exactly; the centres come first in a and b."""
    apart2 = sum(((x - y) ** 2 for x, y in zip(map(_exactly, a), map(_exactly, b), strict=True)), _exactly(0))
    if radius < 0:
        return 1
    return (apart2 > radius * radius) - (apart2 < radius * radius)


def _sticking_out(cages: Floats, ranges: Integers, beads: Floats) -> Iterator[str]:
    """Beads that are not inside the cages above them."""
    for number, (cage, (first, last)) in enumerate(zip(cages, ranges, strict=True)):
        below = beads[first:last]
        reach = np.linalg.norm(below[:, :-1] - cage[:-1], axis=1) + below[:, -1]
        for i in np.flatnonzero(~(reach <= cage[-1] * (1 - TOO_NEAR_TO_TELL)) | (reach < TOO_SMALL)):
            room = _exactly(cage[-1]) - _exactly(below[i, -1])
            if _compare(below[i, :-1], cage[:-1], room) > 0:
                yield f"bead {first + i} sticks out of cage {number}"


def _not_apart(balls: Floats, pairs: Integers, cages: int) -> Iterator[str]:
    """Pairs of balls that touch or overlap."""
    a, b = balls[pairs[:, 0]], balls[pairs[:, 1]]
    apart = np.linalg.norm(a[:, :-1] - b[:, :-1], axis=1)
    for k in np.flatnonzero(~(apart * (1 - TOO_NEAR_TO_TELL) > a[:, -1] + b[:, -1]) | (apart < TOO_SMALL)):
        both = _exactly(a[k, -1]) + _exactly(b[k, -1])
        if _compare(a[k, :-1], b[k, :-1], both) <= 0:
            names = [f"cage {p}" if p < cages else f"bead {p - cages}" for p in pairs[k]]
            yield f"{names[0]} and {names[1]} are not apart"


def not_covered(family: Family, pairs: Integers, excluded: Exclusion) -> Iterator[str]:
    """Two beads that may not touch and lie below no pair."""
    n = len(family.positions)
    covers, named = _ranges(family, pairs), excluded.named.astype(np.int64)
    covers = np.concatenate([covers, np.stack([named, named + 1], axis=-1)])
    covers = np.concatenate([covers, covers[:, ::-1]])
    blocks = min(n, 1 + int(np.diff(covers[:, 0]).sum() // AT_ONCE))
    for low, high in np.linspace(0, n, blocks + 1).astype(np.int64).repeat(2)[1:-1].reshape(-1, 2):
        yield from _rows_not_covered(covers, int(low), int(high), n, max(excluded.gap, 0))


def _rows_not_covered(covers: NDArray[np.int64], low: int, high: int, n: int, gap: int) -> Iterator[str]:
    """Of the beads from low to high - 1: each with the first bead that it is not proved apart from."""
    first = np.maximum(covers[:, 0, 0], low)
    count = np.maximum(np.minimum(covers[:, 0, 1], high) - first, 0)
    offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    own = np.arange(low, high)
    row = np.concatenate([own, np.repeat(first, count) + offset])
    begin = np.concatenate([np.maximum(own - gap, 0), np.repeat(covers[:, 1, 0], count)])
    end = np.concatenate([np.minimum(own + gap + 1, n), np.repeat(covers[:, 1, 1], count)])
    order = np.lexsort((begin, row))
    row, begin, end = row[order], begin[order], end[order]
    # How far each row is covered before an interval begins; rows follow each other with a gap in between.
    reached = np.maximum.accumulate(end + row * (n + 1))
    starts = np.concatenate([[True], row[1:] != row[:-1]])
    before = np.where(starts, row * (n + 1), np.concatenate([[0], reached[:-1]]))
    for k in np.flatnonzero(begin + row * (n + 1) > before):
        yield f"beads {row[k]} and {before[k] - row[k] * (n + 1)} lie below no pair"
    for k in np.flatnonzero(np.concatenate([starts[1:], [True]]) & (reached < row * (n + 1) + n)):
        yield f"beads {row[k]} and {reached[k] - row[k] * (n + 1)} lie below no pair"
