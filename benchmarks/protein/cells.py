"""Clashes and Lennard-Jones energy of all atoms from a cell list in numba, no pair of which is stored.

Atoms are sorted by cell, so that the cells along one axis are one stretch of memory; every pair of atoms is
looked at once. A clash counts as an infinite energy, and may end the search.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.common import Array

Numbers = NDArray[np.int64]


class Atoms(NamedTuple):
    """What does not move: links, kinds and radii of the atoms, their energy, and who is not compared.

    Atoms of links at most `exclude` apart are not, nor those that `partners` has for an atom from its `begin`
    on, sorted.
    """

    link: Numbers
    kind: Numbers
    radius: Array
    square: Array
    depth: Array
    offset: Array
    exclude: int
    begin: Numbers
    partners: Numbers


class Space(NamedTuple):
    """Memory that is kept: where the atoms of a cell begin, the cell of each atom, and the sorted atoms."""

    start: Numbers
    cell: Numbers
    x: Array
    y: Array
    z: Array
    link: Numbers
    kind: Numbers
    atom: Numbers
    radius: Array


def space(count: int, most_cells: int) -> Space:
    numbers = [np.zeros(count, np.int64) for _ in range(4)]
    places = [np.zeros(count) for _ in range(4)]
    start = np.zeros(most_cells + 2, np.int64)
    return Space(start, numbers[0], *places[:3], *numbers[1:], places[3])


@njit(cache=True)
def _sort(points: Array, width: float, atoms: Atoms, s: Space) -> tuple[int, int, int]:
    """Sort the atoms by cell; how many cells there are along each axis, or 0 if there is no room for them."""
    low, shape = np.empty(3), np.empty(3, np.int64)
    for k in range(3):
        low[k] = points[:, k].min()
        shape[k] = int((points[:, k].max() - low[k]) / width) + 1
    cells, scale = shape[0] * shape[1] * shape[2], 1.0 / width
    if cells + 2 > len(s.start):
        return 0, 0, 0
    s.start[: cells + 2] = 0
    for i in range(len(points)):
        x, y = int((points[i, 0] - low[0]) * scale), int((points[i, 1] - low[1]) * scale)
        s.cell[i] = (x * shape[1] + y) * shape[2] + int((points[i, 2] - low[2]) * scale)
        s.start[s.cell[i] + 2] += 1
    for c in range(cells):
        s.start[c + 2] += s.start[c + 1]
    for i in range(len(points)):
        c = s.cell[i] + 1
        to = s.start[c]
        s.start[c] = to + 1
        s.x[to], s.y[to], s.z[to] = points[i, 0], points[i, 1], points[i, 2]
        s.link[to], s.kind[to], s.radius[to], s.atom[to] = atoms.link[i], atoms.kind[i], atoms.radius[i], i
    return shape[0], shape[1], shape[2]


@njit(cache=True)
def total(
    points: Array, reach: float, fine: int, clashes: bool, energies: bool, whole: bool, atoms: Atoms, s: Space
) -> float:
    """The energy of all pairs within reach, infinite if `clashes` are looked for and there is one.

    With `whole` all pairs are looked at even so. A cell is reach / fine wide; NaN: too many cells. It is one
    function because numba counts references to arrays that are handed on, which takes longer than a row of
    cells.
    """
    nx, ny, nz = _sort(points, reach / fine, atoms, s)
    if nx == 0:
        return math.nan
    start, x, y, z = s.start, s.x, s.y, s.z
    links, kinds, radii, numbers = s.link, s.kind, s.radius, s.atom
    square, depth, offset, begin = atoms.square, atoms.depth, atoms.offset, atoms.begin
    partners, exclude, limit, sum_, clashed = atoms.partners, atoms.exclude, reach * reach, 0.0, False
    for cx, cy, cz in np.ndindex(nx, ny, nz):
        cell = (cx * ny + cy) * nz + cz
        back, front = max(cz - fine, 0), min(cz + fine, nz - 1)
        for i in range(start[cell], start[cell + 1]):
            xi, yi, zi, link, kind, radius = x[i], y[i], z[i], links[i], kinds[i], radii[i]
            some, end = begin[numbers[i]], begin[numbers[i] + 1]
            first_named, last_named = (partners[some], partners[end - 1]) if end > some else (0, -1)
            for ax in range(cx, min(cx + fine + 1, nx)):
                for ay in range(cy if ax == cx else max(cy - fine, 0), min(cy + fine + 1, ny)):
                    row = (ax * ny + ay) * nz
                    first = i + 1 if ax == cx and ay == cy else start[row + back]
                    for j in range(first, start[row + front + 1]):
                        u, v, w = x[j] - xi, y[j] - yi, z[j] - zi
                        d = u * u + v * v + w * w
                        if d > limit or abs(links[j] - link) <= exclude:
                            continue
                        other = numbers[j]
                        if first_named <= other <= last_named and _has(partners, some, end, other):
                            continue
                        if clashes and d <= (radius + radii[j]) * (radius + radii[j]):
                            clashed = True
                            if not whole:
                                return math.inf
                        if energies:
                            second = square[kind, kinds[j]] / d
                            sixth = second * second * second
                            sum_ += depth[kind, kinds[j]] * (sixth * (sixth - 1.0)) - offset[kind, kinds[j]]
    return math.inf if clashed else sum_


@njit(cache=True)
def _has(partners: Numbers, begin: int, end: int, atom: int) -> bool:
    """Is that atom among the partners of another?"""
    for k in range(begin, end):  # noqa: SIM110 (numba has no any() of a generator)
        if partners[k] == atom:
            return True
    return False
