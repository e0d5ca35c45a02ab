"""The power diagram of the beads of a necklace, and the pairs of beads that it tells to look at."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom._deprecated import old_argument, renamed, with_renamed
from elbowroom._exclusion import exclusion, none_for_neighbours, without_itself
from elbowroom._turns import Turns

if TYPE_CHECKING:
    from elbowroom._types import ExcludeLike

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]

#: How a diagram is made: by time, from the hull that Qhull finds of the lifted beads, or bead by bead.
BUILDS = ("auto", "qhull", "insertion")
#: Beads this near to a line or a plane, as a part of their extent, are taken to be on it.
FLAT = 2.0**-44


@dataclass(frozen=True, eq=False, repr=False)
class PowerDiagram:
    """Space divided among beads: a point belongs to the bead to which it has the least power.

    The power is the squared distance from the centre, less the squared radius. Which beads collide and which
    are closest is found among few pairs then, although some pairs may overlap [Guibas2002]_. Made by
    ``PowerDiagram.of``, or by a necklace, which keeps it from frame to frame.

    Attributes
    ----------
    positions, radii, excluded
        The beads, and the pairs (m, 2) that may overlap.
    edges
        (k, 2), i < j, sorted: beads whose cells share a face.
    simplices
        (m, d + 1): the regular triangulation, dual to the diagram; fewer columns if all beads are in a plane,
        on a line or in one place.
    hidden
        (h,): beads without a cell. Of beads with one centre the largest has the cell, of equals the first.
    flips, rebuilds, events
        Since the necklace was made: flips by which diagrams were repaired, diagrams rebuilt, and edges that
        came or went from frame to frame.

    Notes
    -----
    Ties (beads on a lattice, on one circle) are broken as if each bead were a little aside, by less
    than 2e-14 of the extent of them all.

    Examples
    --------
    >>> import elbowroom as er
    >>> square = er.PowerDiagram.of([[0, 0], [1, 0], [1.1, 1], [0, 1]], 0.45)
    >>> square.edges.tolist()
    [[0, 1], [0, 3], [1, 2], [1, 3], [2, 3]]
    >>> square.closest()
    (0.09999999999999998, (0, 3))
    >>> square.collides()
    False
    """

    positions: Floats
    radii: Floats
    excluded: Integers
    edges: Integers
    simplices: Integers
    hidden: Integers
    flips: int = 0
    rebuilds: int = 1
    events: int = 0

    @classmethod
    @old_argument(
        "may_touch", "exclude", lambda pairs, _: 1 if pairs is None else without_itself(pairs, "may_touch")
    )
    def of(
        cls,
        positions: ArrayLike,
        radii: ArrayLike,
        exclude: ExcludeLike = 1,
        *,
        build: str = "auto",
    ) -> PowerDiagram:
        """The diagram of some beads.

        Parameters
        ----------
        positions
            (n, 3) or (n, 2).
        radii
            One number for all, or (n,).
        exclude
            Which pairs are never compared, and may overlap, as in a `Necklace`: a whole number k for beads
            at most k apart in the sequence; (m, 2) for exactly these pairs; (k, pairs) for both.
        build
            "qhull" begins with the facets of the lifted beads' hull, "insertion" puts bead after bead; "auto"
            is Qhull here, and for a necklace whichever took less time.
        """
        at = _arrays.beads(positions, "positions")
        n = len(at)
        pairs = exclusion(none_for_neighbours(exclude, stacklevel=4), n, "exclude").pairs(np.arange(n))
        return KeptDiagram(_arrays.radii(radii, n, "radii"), pairs, build).update(at)

    @property
    def may_touch(self) -> Integers:
        """Deprecated: `excluded`."""
        renamed("PowerDiagram.may_touch", "excluded")
        return self.excluded

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(with_renamed(state, "may_touch", "excluded"))

    @property
    def faces(self) -> int:
        """How many faces of dimension 2 the diagram has: cells in the plane, walls of two cells in space."""
        return len(self.radii) - len(self.hidden) if self.positions.shape[1] == 2 else len(self.edges)

    def candidates(self) -> Integers:
        """(k, 2), sorted: the pairs to look at; none that may overlap.

        Edges; pairs with a common neighbour, that is, both may overlap a third bead; and, unless one of these
        collides, two kinds of beads against all others that are no farther than the nearest of these pairs:
        beads whose centre is not in their own cell, and beads that may overlap an *improper* one, which
        touches no other that is apart from them. Some pair collides if any beads do; if none do, the closest
        is among the pairs.
        """
        return np.asarray(_core.power_candidates(*self._asked))

    def closest(self) -> tuple[float, tuple[int, int]]:
        """The least gap of two beads that may not overlap, and the two; infinite and (-1, -1) if all may.

        If beads do collide, some pair that does, and not always the deepest.
        """
        gap, (i, j) = _core.power_closest(*self._asked)
        return (gap, (i, j)) if i >= 0 else (math.inf, (-1, -1))

    def collides(self) -> bool:
        """Do any two beads touch that may not?"""
        return self.colliding() is not None

    def colliding(self) -> tuple[int, int] | None:
        """Two beads that touch and may not, or None."""
        _, (i, j) = _core.power_colliding(*self._asked)
        return (i, j) if i >= 0 else None

    @property
    def _asked(self) -> tuple[Floats, Floats, Integers, Integers, Integers]:
        return self.positions, self.radii, self.edges, self.hidden, self.excluded

    def __repr__(self) -> str:
        beads, edges = _counted(len(self.radii), "bead"), _counted(len(self.edges), "edge")
        simplices = _counted(len(self.simplices), "simplex", "simplices")
        hidden = f", {len(self.hidden)} hidden" if len(self.hidden) else ""
        return f"<PowerDiagram of {beads} in {self.positions.shape[1]}-D{hidden}: {edges}, {simplices}>"


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


PowerDiagram.__init__ = old_argument("may_touch", "excluded")(PowerDiagram.__init__)  # type: ignore[method-assign]


class KeptDiagram:
    """The diagram of beads that move: repaired by flips, or rebuilt, bead by bead, when that is cheaper.

    What is cheaper is measured; the diagram is the same. `seconds` is how long the last update took.
    """

    def __init__(self, radii: Floats, excluded: Integers, build: str = "auto") -> None:
        self.radii, self.excluded = radii, _unique(excluded)
        self.build = BUILDS[_arrays.choice(build, "build", BUILDS)]
        self._turns = Turns()
        self.flips = self.rebuilds = self.events = 0
        self.seconds = 0.0
        self._kept: _core.PowerTriangulation | None = None
        self._dimension = -1
        self._cost = _Cost()

    def update(self, positions: Floats) -> PowerDiagram:
        """The diagram of the beads where they are now."""
        start = time.perf_counter()
        spread = in_their_span(positions)
        if not self._repair(spread):
            self._rebuild(spread)
        kept = self._kept
        assert kept is not None
        found = kept.edges(), kept.simplices(), kept.hidden()
        self.seconds = time.perf_counter() - start
        counts = self.flips, self.rebuilds, self.events
        return PowerDiagram(positions.copy(), self.radii, self.excluded, *found, *counts)

    def validate(self) -> None:
        """Checks what is kept, slowly; raises AssertionError that says what is wrong with it."""
        fault = self._kept.fault() if self._kept is not None else ""
        if fault:
            raise AssertionError(fault)

    def _repair(self, spread: Floats) -> bool:
        kept = self._kept
        if kept is None or spread.shape[1] != self._dimension or not self._cost.may_repair():
            return False
        flips, events, start = kept.flips, kept.events, time.perf_counter()
        self._dimension = -1  # if the next line raises, what is kept may be half repaired
        repaired = kept.move(spread)
        self._dimension = spread.shape[1]
        self._cost.repaired(time.perf_counter() - start, repaired)
        if repaired:
            self.flips += kept.flips - flips
            self.events += kept.events - events
        return repaired

    def _rebuild(self, spread: Floats) -> None:
        before, start = self._kept, time.perf_counter()
        self._dimension = -1  # as above
        self._kept = self._built(spread)
        self._dimension = spread.shape[1]
        self._cost.rebuilt(time.perf_counter() - start)
        self.rebuilds += 1
        if before is not None:
            self.events += _core.changed_edges(before.edges(), self._kept.edges())

    def _built(self, spread: Floats) -> _core.PowerTriangulation:
        """From the facets that Qhull finds, or bead by bead: whichever took less of late, if both may be."""
        way = self._turns.take() if self.build == "auto" else BUILDS.index(self.build) - 1
        if way == 0:
            import_module("scipy.spatial")  # which takes long, but once
        start = time.perf_counter()
        facets = lifted_hull(spread, self.radii) if way == 0 else ()
        out = _core.PowerTriangulation(spread, self.radii, *facets)
        self._turns.note(way, time.perf_counter() - start)
        return out


def lifted_hull(positions: Floats, radii: Floats) -> tuple[()] | tuple[Integers, Integers]:
    """Facets of the convex hull of the lifted beads, and their neighbours; nothing where Qhull finds none.

    The core looks at them before it takes them: of lattices and of beads on a circle they are no
    triangulation.
    """
    from scipy.spatial import ConvexHull, QhullError  # takes longer to import than the whole package

    dimension = positions.shape[1]
    if dimension < 2 or len(positions) < dimension + 3:
        return ()
    low, high = positions.min(axis=0), positions.max(axis=0)
    scale = 2.0 / float((high - low).max())
    x, r = (positions - (low + (high - low) / 2.0)) * scale, radii * scale
    try:
        hull = ConvexHull(np.column_stack([x, (x * x).sum(axis=1) - (r - r.max()) * (r + r.max())]))
    except QhullError:
        return ()
    return np.ascontiguousarray(hull.simplices, np.int32), np.ascontiguousarray(hull.neighbors, np.int32)


def _unique(pairs: Integers) -> Integers:
    """Each pair once, the smaller number first, and none of a bead with itself."""
    ordered = np.unique(np.sort(pairs, axis=1), axis=0)
    return np.ascontiguousarray(ordered[ordered[:, 0] < ordered[:, 1]])


class _Cost:
    """Is repairing cheaper than rebuilding? By running means of the times; tried again now and then."""

    def __init__(self) -> None:
        self._repair = self._rebuild = 0.0
        self._failed = 0.0  # what was spent on a repair that came to nothing
        self._waiting, self._pause = 0, 4

    def may_repair(self) -> bool:
        self._waiting -= self._waiting > 0
        return self._waiting == 0

    def repaired(self, seconds: float, well: bool) -> None:
        self._failed = 0.0 if well else seconds
        if well:
            self._mean_repair(seconds)

    def rebuilt(self, seconds: float) -> None:
        self._rebuild = 0.75 * self._rebuild + 0.25 * seconds if self._rebuild else seconds
        if self._failed:
            self._mean_repair(self._failed + seconds)
            self._failed = 0.0

    def _mean_repair(self, seconds: float) -> None:
        self._repair = 0.75 * self._repair + 0.25 * seconds if self._repair else seconds
        if self._repair <= self._rebuild or not self._rebuild:
            self._pause = 4
            return
        self._waiting, self._pause = self._pause, min(2 * self._pause, 64)
        self._repair = 0.0


def in_their_span(positions: Floats) -> Floats:
    """(n, k): points in orthogonal coordinates of the flat that they span; as they are if it is all of space.

    Row by row and never by matrix products, so that equal points stay equal.
    """
    away = positions - positions[0]
    axes: list[Floats] = []
    rest, size = away, float(np.abs(away).max())
    while len(axes) < positions.shape[1]:
        lengths = np.sqrt((rest * rest).sum(axis=1))
        far = int(lengths.argmax())
        if lengths[far] <= FLAT * size:
            columns = [(away * axis).sum(axis=1) for axis in axes]
            return np.stack(columns, axis=1) if columns else away[:, :0].copy()
        axis = rest[far] / lengths[far]
        for other in axes:  # again: what is left of a long row is not quite orthogonal to it
            axis = axis - (axis @ other) * other
        axes.append(axis / np.linalg.norm(axis))
        rest = rest - (rest * axes[-1]).sum(axis=1)[:, None] * axes[-1]
    return positions
