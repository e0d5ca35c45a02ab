"""The peer: Monte Carlo with everything computed anew after each torsion, all of it in numba."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.chain.grids import rotation
from benchmarks.common import Array
from benchmarks.protein import cells
from benchmarks.protein.cells import Atoms, Space
from benchmarks.protein.moves import Clock, Moves, Outcome, Verdicts
from benchmarks.protein.systems import System

MOST_CELLS = 4_000_000
FINE = (1, 2, 3)  # cells of the whole reach, or of a half or a third of it
CLASH_FINE = (0.5, 1, 2)  # for touching atoms cells wider than a ball may be faster


class Search(NamedTuple):
    """The cells for energies, and those for clashes; `clash_fine` is 0 if these come with the energies.

    `whole`: a clash does not end the search.
    """

    reach: float
    fine: int
    clash_reach: float
    clash_fine: int
    whole: bool


@njit(cache=True)
def _turn(points: Array, out: Array, first: int, pivot: int, angle: float) -> None:
    """All atoms, those from `first` on turned about the bond from atom `pivot` to it."""
    ends = np.empty((2, 3))
    ends[0], ends[1] = points[pivot], points[first]
    r = rotation(ends, 0, angle)
    ox, oy, oz = ends[0, 0], ends[0, 1], ends[0, 2]
    out[:first] = points[:first]
    for i in range(first, len(points)):
        x, y, z = points[i, 0] - ox, points[i, 1] - oy, points[i, 2] - oz
        out[i, 0] = r[0] * x + r[1] * y + r[2] * z + ox
        out[i, 1] = r[3] * x + r[4] * y + r[5] * z + oy
        out[i, 2] = r[6] * x + r[7] * y + r[8] * z + oz


@njit(cache=True)
def measured(points: Array, search: Search, atoms: Atoms, s: Space) -> float:
    """The energy, infinite if atoms touch."""
    if search.clash_fine == 0:
        return cells.total(points, search.reach, search.fine, True, True, search.whole, atoms, s)
    clash = cells.total(points, search.clash_reach, search.clash_fine, True, False, False, atoms, s)
    if clash != 0.0:
        return clash
    return cells.total(points, search.reach, search.fine, False, True, False, atoms, s)


@njit(cache=True)
def _walk(
    points: Array,
    trial: Array,
    energy: float,
    firsts: NDArray[np.int64],
    pivots: NDArray[np.int64],
    angles: Array,
    least: Array,
    verdicts: Verdicts,
    search: Search,
    atoms: Atoms,
    s: Space,
) -> float:
    """One torsion after the other; 0: it collided, 1: rejected, 2: accepted. The energy at the end."""
    for k in range(len(angles)):
        _turn(points, trial, firsts[k], pivots[k], angles[k])
        proposed = measured(trial, search, atoms, s)
        if proposed == math.inf:
            verdicts[k] = 0
        elif energy - proposed >= least[k]:
            verdicts[k], energy = 2, proposed
            points[:] = trial
        else:
            verdicts[k] = 1
    return energy


class Recompute:
    """Everything anew after each torsion. `first_clashes`: energies are summed only if there are none.

    With `whole` the sum goes over all pairs although a clash has decided. The width of the cells is tried out
    where a walk begins.
    """

    def __init__(
        self, system: System, clock: Clock, first_clashes: bool = False, whole: bool = False
    ) -> None:
        self.system, self.first_clashes, self.whole, self.clock = system, first_clashes, whole, clock
        self.atoms, self.space = system.atoms(), cells.space(system.count, MOST_CELLS)

    def energy(self, points: Array) -> float:
        """Of atoms in the order of the chain's tree."""
        return float(measured(points, self._search(1, 0.5), self.atoms, self.space))

    def walk(self, points: Array, moves: Moves) -> Outcome:
        """Make the moves from there; the clock runs once the cells are chosen."""
        search = self._tried(points)
        energy = measured(points, search, self.atoms, self.space)
        here, trial = points.copy(), points.copy()
        firsts, pivots = self.system.first[moves.joints + 1], self.system.first[moves.joints]
        least = -self.system.temperature * moves.exponents
        verdicts = np.zeros(len(moves), np.int8)
        start = self.clock()
        given = (firsts, pivots, moves.angles, least, verdicts, search, self.atoms, self.space)
        energy = _walk(here, trial, energy, *given)
        return Outcome(self.clock() - start, energy, verdicts)

    def _search(self, fine: int, clash_fine: float) -> Search:
        if not self.first_clashes:
            return Search(self.system.cutoff, fine, 0.0, 0, self.whole)
        widest = 2.0 * float(self.system.radii.max())
        # Cells of two balls: a reach of two balls, and whatever is farther apart than a ball is no clash.
        return Search(self.system.cutoff, fine, widest / min(clash_fine, 1.0), math.ceil(clash_fine), False)

    def _tried(self, points: Array) -> Search:
        choices = [self._search(fine, 1) for fine in FINE]
        best = min(choices, key=lambda search: self._seconds(points, search))
        if not self.first_clashes:
            return best
        choices = [self._search(best.fine, clash_fine) for clash_fine in CLASH_FINE]
        return min(choices, key=lambda search: self._seconds(points, search))

    def _seconds(self, points: Array, search: Any) -> float:
        def once() -> float:
            start = self.clock()
            found = measured(points, search, self.atoms, self.space)
            return math.inf if math.isnan(found) else self.clock() - start

        return min(once() for _ in range(5))
