"""Separating families: proofs that the beads of a necklace do not collide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]

#: Floats that differ by less than this part of the lengths involved are compared as fractions.
TOO_NEAR_TO_TELL = 1e-12
#: So are lengths whose squares are lost.
TOO_SMALL = 1e-140


@dataclass(frozen=True, eq=False, repr=False)
class SeparatingPairs:
    """Pairs of cages and beads, the two of each pair apart, that cover every two beads that may not touch.

    Such a family proves that nothing collides [Guibas2002]_: the two beads lie below a pair of balls that are
    apart. Where beads collide there is none; `free` is then False and `colliding` names them.

    Attributes
    ----------
    pairs
        (k, 2): numbers below len(cages) are cages, len(cages) + i is bead i.
    colliding
        (c, 2): pairs of beads that overlap though they may not.
    cages, ranges
        (m, d + 1) centre and radius of each cage; (m, 2) the first bead below it and one past the last.
    positions, radii, may_touch
        What the family was made for.
    tests
        How many pairs were tested to find it.

    Examples
    --------
    >>> import numpy as np, elbowroom as er
    >>> rope = er.Necklace(np.stack([np.arange(100.0), np.zeros(100)], axis=1), 0.4)
    >>> proof = rope.separating_pairs()
    >>> proof
    <SeparatingPairs: 63 pairs prove 100 beads free, 63 tests>
    >>> moved = rope.positions()
    >>> moved[50] = moved[20]
    >>> proof.verify(moved)
    False
    """

    pairs: Integers
    colliding: Integers
    cages: Floats
    ranges: Integers
    positions: Floats
    radii: Floats
    may_touch: Integers
    tests: int = 0
    #: Set by the necklace that made the family: what it covers need not be checked again.
    _made_for: object = field(default=None, init=False)

    def __post_init__(self) -> None:
        for name in (each.name for each in fields(self) if each.init and each.name != "tests"):
            value = getattr(self, name)
            if not isinstance(value, np.ndarray):
                raise ValueError(f"{name} must be an array, got {_arrays.shown(value)}")
            object.__setattr__(self, name, np.asarray(value))  # nothing masked, nor of another kind
        _arrays.count(self.tests, "tests", 0)

    @property
    def free(self) -> bool:
        """Were no beads found to collide? The pairs then are a proof, which `verify` checks."""
        return len(self.colliding) == 0

    def __len__(self) -> int:
        return len(self.pairs)

    def __bool__(self) -> bool:
        return self.free

    def __repr__(self) -> str:
        tests = f", {self.tests} tests" if self.tests else ""
        if self.free:
            return f"<SeparatingPairs: {len(self)} pairs prove {len(self.radii)} beads free{tests}>"
        collide = f"{len(self.colliding)} pairs of {len(self.radii)} beads collide"
        return f"<SeparatingPairs: no proof, {collide}{tests}>"

    def pairs_to_start_from(self) -> Integers:
        """What the next family may begin with: these pairs, and those that collided."""
        return np.ascontiguousarray(np.concatenate([self.pairs, self.colliding + len(self.cages)]), np.int32)

    def verify(self, positions: ArrayLike | None = None, radii: ArrayLike | None = None) -> bool:
        """Is this a proof that nothing collides? Slow, and independent of how the family was found.

        Parameters
        ----------
        positions, radii
            Other places or sizes of the beads: do the cages and pairs, as they are, prove these free?
        """
        return next(self._each_problem(positions, radii), None) is None

    def problems(self, positions: ArrayLike | None = None, radii: ArrayLike | None = None) -> list[str]:
        """What keeps this from being a proof: nothing, if it is one."""
        return list(self._each_problem(positions, radii))

    def _each_problem(self, positions: ArrayLike | None, radii: ArrayLike | None) -> Iterator[str]:
        unsound = next(self._each_unsound_array(), None)
        if unsound is not None:
            yield unsound
            return
        n, d = self.positions.shape
        centres = self.positions if positions is None else _arrays.beads(positions, "positions", n, d)
        sizes = self.radii if radii is None else _arrays.radii(radii, n, "radii")
        for i, j in self.colliding:
            yield f"beads {i} and {j} were found to overlap"
        beads = np.column_stack([centres, sizes])
        yield from _sticking_out(self.cages, self.ranges, beads)
        balls = np.concatenate([self.cages, beads])
        yield from _not_apart(balls, self.pairs, len(self.cages))
        single = np.arange(n, dtype=np.int64)
        ranges = np.concatenate([self.ranges, np.column_stack([single, single + 1])])
        yield from _not_covered(ranges[self.pairs], self.may_touch, n)

    def _each_unsound_array(self) -> Iterator[str]:
        """Arrays of another shape, or with numbers that cannot be: such as a file may hold."""
        n, m = len(self.positions), len(self.cages)
        d = self.positions.shape[1] if self.positions.ndim == 2 else 0
        shapes = {"positions": (n, d), "radii": (n,), "cages": (m, d + 1), "ranges": (m, 2)}
        pairs = {"pairs": n + m, "colliding": n, "may_touch": n, "ranges": n + 1}
        if d not in (2, 3) or n == 0:
            yield f"positions have shape {self.positions.shape}"
        for name, shape in shapes.items():
            array = getattr(self, name)
            if array.shape != shape or array.dtype not in (np.float64, np.int32, np.int64):
                yield f"{name} are {array.dtype} of shape {array.shape}, not numbers of shape {shape}"
            elif not (np.abs(array) <= _arrays.LARGEST * 4).all():
                yield f"{name} are not finite, or too large"
        for name, below in pairs.items():
            array = getattr(self, name)
            if array.dtype.kind != "i" or array.ndim != 2 or array.shape[1] != 2:
                yield f"{name} are not pairs of whole numbers"
            elif array.size and (array.min() < 0 or array.max() >= below):
                yield f"{name} name something that there is not"
        for name, sizes in (("radii", self.radii), ("cages", self.cages[..., -1:])):
            if sizes.dtype.kind == "f" and (sizes < 0).any():
                yield f"{name}: a radius is negative"
        if self.ranges.shape == (m, 2) and (self.ranges[:, 0] >= self.ranges[:, 1]).any():
            yield "a cage has no beads"

    def save(self, path: str | Path) -> None:
        """Writes the family to an .npz file."""
        with open(path, "wb") as file:
            np.savez_compressed(file, **{f.name: getattr(self, f.name) for f in fields(self) if f.init})

    @classmethod
    def load(cls, path: str | Path) -> SeparatingPairs:
        """Reads a family that was saved."""
        names = [f.name for f in fields(cls) if f.init]
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as arrays:
                values = {n: arrays[n] for n in names}
            return cls(**values | {"tests": int(values["tests"])})
        except (FileNotFoundError, PermissionError, IsADirectoryError):
            raise
        except KeyError as error:
            raise ValueError(f"path: {path} holds no separating family: it lacks {error}") from None
        except Exception as error:  # what a broken zip or array makes NumPy raise is not listed
            what = "it is no .npz file of arrays"
            raise ValueError(f"path: {path} holds no separating family: {what}") from error

    def covers(self, may_touch: Integers) -> bool:
        """Does every two beads that may not touch lie below one of the pairs, or collide?"""
        if next(self._each_unsound_array(), None) is not None:
            return False
        n = len(self.positions)
        single = np.arange(n, dtype=np.int64)
        ranges = np.concatenate([self.ranges, np.column_stack([single, single + 1])])
        return next(_not_covered(ranges[self.pairs_to_start_from()], may_touch, n), None) is None


def _exactly(values: Floats) -> list[Fraction]:
    return [Fraction(float(v)) for v in values]


def _compare(a: Floats, b: Floats, radius: Fraction) -> int:
    """The sign of |a - b| - radius, exactly; the centres come first in a and b."""
    apart2 = sum(((x - y) ** 2 for x, y in zip(_exactly(a), _exactly(b), strict=True)), Fraction(0))
    if radius < 0:
        return 1
    return (apart2 > radius * radius) - (apart2 < radius * radius)


def _sticking_out(cages: Floats, ranges: Integers, beads: Floats) -> Iterator[str]:
    """Beads that are not inside the cages above them."""
    for number, (cage, (first, last)) in enumerate(zip(cages, ranges, strict=True)):
        below = beads[first:last]
        reach = np.linalg.norm(below[:, :-1] - cage[:-1], axis=1) + below[:, -1]
        for i in np.flatnonzero(~(reach <= cage[-1] * (1 - TOO_NEAR_TO_TELL)) | (reach < TOO_SMALL)):
            room = Fraction(float(cage[-1])) - Fraction(float(below[i, -1]))
            if _compare(below[i, :-1], cage[:-1], room) > 0:
                yield f"bead {first + i} sticks out of cage {number}"


def _not_apart(balls: Floats, pairs: Integers, cages: int) -> Iterator[str]:
    """Pairs of balls that touch or overlap."""
    a, b = balls[pairs[:, 0]], balls[pairs[:, 1]]
    apart = np.linalg.norm(a[:, :-1] - b[:, :-1], axis=1)
    for k in np.flatnonzero(~(apart * (1 - TOO_NEAR_TO_TELL) > a[:, -1] + b[:, -1]) | (apart < TOO_SMALL)):
        both = Fraction(float(a[k, -1])) + Fraction(float(b[k, -1]))
        if _compare(a[k, :-1], b[k, :-1], both) <= 0:
            names = [f"cage {p}" if p < cages else f"bead {p - cages}" for p in pairs[k]]
            yield f"{names[0]} and {names[1]} are not apart"


def _not_covered(covers: NDArray[Any], may_touch: Integers, n: int) -> Iterator[str]:
    """Two beads that may not touch and lie below no pair. `covers` (k, 2, 2): the ranges of each pair."""
    single = np.arange(n, dtype=np.int64)
    allowed = np.concatenate([may_touch, may_touch[:, ::-1]]).astype(np.int64)
    rows, low, high = [single, allowed[:, 0]], [single, allowed[:, 1]], [single + 1, allowed[:, 1] + 1]
    for here, there in ((0, 1), (1, 0)):
        first, count = covers[:, here, 0].astype(np.int64), np.diff(covers[:, here]).ravel().astype(np.int64)
        offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        rows.append(np.repeat(first, count) + offset)
        low.append(np.repeat(covers[:, there, 0], count).astype(np.int64))
        high.append(np.repeat(covers[:, there, 1], count).astype(np.int64))
    row, begin, end = np.concatenate(rows), np.concatenate(low), np.concatenate(high)
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
