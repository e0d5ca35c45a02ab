"""What Figure 7 of the necklace paper counts, for any necklace: tests and pairs for each cage.

The library opens the cage with more beads when two overlap, as the paper's section 5.1 says. The numbers that
the paper printed come out if both are opened at once; that way is here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

AT_ONCE = 1_000_000  # pairs that are tested together, for the sake of memory
MOST_BELOW = 3  # beads in a cage that has no cages below it


@dataclass(frozen=True, eq=False)
class Beads:
    """A necklace of beads of one radius. Cages that hold beads only are opened, or not, if they overlap."""

    positions: Array
    radius: float
    open_lowest: bool = True

    def necklace(self, cages: str = "wrapped", verify: str = "auto") -> er.Necklace:
        """It as a body."""
        return er.Necklace(self.positions, self.radius, cages=cages, verify=verify)


@dataclass(frozen=True)
class Counts:
    """Everything that is counted about a necklace at rest.

    `opened_both` are tests when two overlapping cages are opened at once, `apart` the pairs found apart
    then, and `undecided` the pairs that overlap and are not opened. `own_tests` and `own_pairs` are the
    library's own: it opens the cage with more beads, and every cage.
    """

    beads: int
    cages: int
    opened_both: int
    apart: int
    undecided: int
    cascade_tests: int
    cascade_frontier: int
    naive_tests: int
    own_tests: int
    own_pairs: int

    @property
    def with_children(self) -> int:
        """Cages that have cages below them, of which there are always two."""
        return (self.cages - 1) // 2

    def columns(self) -> tuple[float, float, float, float, float]:
        """The five columns of Figure 7, each for one cage on average.

        A cage that has cages below it counts as one test, as if it were tested against itself: only then a
        straight necklace has the 0.98 tests that were printed for 71 cages.
        """
        numbers = (
            self.opened_both + self.with_children,
            self.apart,
            self.cascade_tests,
            self.cascade_frontier,
            self.naive_tests,
        )
        first, second, third, fourth, fifth = (number / self.cages for number in numbers)
        return first, second, third, fourth, fifth

    def figures(self) -> dict[str, int]:
        """By name, for the JSON file."""
        return asdict(self)


def count(beads: Beads) -> Counts:
    """Build the cages, verify them both ways without moving a bead, and separate the beads both ways."""
    naive, cascade = (_verified(beads, verify) for verify in ("naive", "cascade"))
    tests, apart, undecided = open_both(beads)
    proof = cascade.separating_pairs()
    counters = cascade.counters
    return Counts(
        len(beads.positions),
        counters.cages,
        tests,
        apart,
        undecided,
        counters.cascade_tests,
        counters.frontier,
        naive.counters.naive_tests,
        proof.tests,
        len(proof),
    )


def _verified(beads: Beads, verify: str) -> er.Necklace:
    necklace = beads.necklace(verify=verify)
    necklace.move(beads.positions)
    return necklace


def open_both(beads: Beads) -> tuple[int, int, int]:
    """Tests, pairs found apart and pairs left undecided, if both of two overlapping cages are opened.

    Within a cage that has no cages below it nothing is tested: the paper's separating set of a straight
    necklace is the pairs of sibling cages, and no more.
    """
    necklace = beads.necklace()
    cages, below = necklace.cage_balls(), children(necklace.cage_ranges())
    alone = np.column_stack([beads.positions, np.full(len(beads.positions), beads.radius)])
    balls = np.concatenate([cages, alone])
    inner = below[below[:, 0] >= 0][:, :2]
    waiting = [inner[inner.max(axis=1) < len(cages)]]
    tests = apart = undecided = 0
    while waiting:
        pairs = waiting.pop()
        overlap = pairs[_overlapping(balls, pairs)]
        tests, apart = tests + len(pairs), apart + len(pairs) - len(overlap)
        closed = _cannot_open(overlap, below, len(cages), beads.open_lowest)
        undecided += int(closed.sum())
        waiting += _opened(overlap[~closed], below, len(cages))
    return tests, apart, undecided


def children(ranges: NDArray[np.int32]) -> Indices:
    """(m, 3): what is directly below each cage; beads are numbered after the cages, and -1 is nothing.

    Cages are in preorder, so a cage is followed by its first child, and that by all below it.
    """
    m = len(ranges)
    first, end = ranges.T.astype(np.int64)
    size = end - first
    below = np.full((m, MOST_BELOW), -1, dtype=np.int64)
    for k in range(MOST_BELOW):
        below[:, k] = np.where((size <= MOST_BELOW) & (k < size), m + first + k, -1)
    inner = np.flatnonzero(size > MOST_BELOW)
    order = {(int(a), int(b)): k for k, (a, b) in enumerate(ranges)}
    middle = (first + end)[inner] // 2
    below[inner, 0] = inner + 1
    below[inner, 1] = [order[a, b] for a, b in zip(middle.tolist(), end[inner].tolist(), strict=True)]
    return below


def _overlapping(balls: Array, pairs: Indices) -> NDArray[np.bool_]:
    a, b = balls[pairs[:, 0]], balls[pairs[:, 1]]
    reach = a[:, -1] + b[:, -1]
    return np.asarray(np.square(a[:, :-1] - b[:, :-1]).sum(axis=1) < reach * reach)


def _cannot_open(pairs: Indices, below: Indices, cages: int, open_lowest: bool) -> NDArray[np.bool_]:
    """Which pairs are two beads; or two of the lowest cages, unless these are to be opened."""
    bead = pairs >= cages
    if open_lowest:
        return np.asarray(bead.all(axis=1))
    lowest = below[np.where(bead, 0, pairs), 0] >= cages
    return np.asarray((bead | lowest).all(axis=1))


def _opened(pairs: Indices, below: Indices, cages: int) -> Iterator[Indices]:
    """All pairs of what is below the two, in portions; neighbours along the necklace are left out."""
    for start in range(0, len(pairs), AT_ONCE // MOST_BELOW**2):
        some = pairs[start : start + AT_ONCE // MOST_BELOW**2]
        sides = [_below(some[:, side], below, cages) for side in (0, 1)]
        a, b = np.broadcast_arrays(sides[0][:, :, None], sides[1][:, None, :])
        neighbours = (a >= cages) & (b >= cages) & (np.abs(a - b) <= 1)
        yield np.stack([a, b], axis=-1)[(a >= 0) & (b >= 0) & ~neighbours]


def _below(items: Indices, below: Indices, cages: int) -> Indices:
    """What is below cages; a bead is below itself."""
    found = below[np.minimum(items, cages - 1)]
    bead = items >= cages
    found[bead] = -1
    found[bead, 0] = items[bead]
    return found
