"""Chains: compact, coiled, like a protein, straight, and the worst cases of the ChainTree.

The worst cases and the compact chain are after Lotan, Schwarzer, Halperin and Latombe, "Efficient Maintenance
and Self-Collision Testing for Kinematic Chains" (SoCG 2002). Touching counts as a collision here, so where
the paper has tangent balls these have a hair's gap between them. The paper's compact chain is "cube-like" and
its proteins are files; the path through the cube and the made-up backbone are chosen here.

Every scene is an array of positions (n, 3), link 0 first. The same arguments give the same numbers on every
machine up to rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Point = tuple[float, float, float]

SPACING = 4.0  # of the paper's unit balls
HAIR = 1e-3  # gap, in radii, where the paper's balls touch

BOND, ANGLE = 1.5, math.radians(111.0)  # of a backbone, in angstrom
VOLUME_PER_ATOM = 47.0  # of a folded protein, backbone atoms alone counted
CLEARANCE = 2.5  # of atoms that are not neighbours

STRAND = 8  # links that a coil is put together from
TRIES = 40  # torsions tried before a growing backbone goes back


class Fold(NamedTuple):
    """A chain, and the torsion that the paper applies to it: `rotate(joint, angle)`."""

    positions: Array
    joint: int
    angle: float


def serpentine(n: int, spacing: float = SPACING) -> Array:
    """A compact chain, to and fro through a cube: row by row, layer by layer, always one `spacing` on.

    With balls of radius 1 this is the start of the paper's first benchmark (Table 1a, Figure 7).
    """
    side = next(k for k in range(1, n + 2) if k**3 >= n)
    layer, within = np.divmod(np.arange(n), side * side)
    row, column = np.divmod(within, side)
    there_and_back = np.where((layer * side + row) % 2 == 0, column, side - 1 - column)
    up_and_down = np.where(layer % 2 == 0, row, side - 1 - row)
    return spacing * np.stack([there_and_back, up_and_down, layer], axis=1).astype(np.float64)


def rod(n: int, spacing: float = SPACING) -> Array:
    """A straight chain along the x axis."""
    positions = np.zeros((n, 3))
    positions[:, 0] = spacing * np.arange(n)
    return positions


def coil(n: int, bond: float = 1.0, diameter: float = 1.0, seed: int = 3) -> Array:
    """A random coil that avoids itself: links that are no neighbours are more than `diameter` apart.

    Short strands are joined two by two, each pair turned at random until it fits; that is nearly, not quite,
    a sample of all such coils (the first step of Clisby's pivot runs, 2010). 100,000 links take a second.
    """
    if not bond >= 0.6 * diameter:
        raise ValueError(f"bond must be at least 0.6 diameter, got {bond} for diameter {diameter}")
    rng = np.random.default_rng(seed)
    pieces = list(_strands(-(-n // STRAND), bond, diameter, rng))
    while len(pieces) > 1:
        paired = zip(pieces[0::2], pieces[1::2], strict=False)
        joined = [_joined(a, b, bond, diameter, rng) for a, b in paired]
        pieces = joined + pieces[2 * len(joined) :]
    return np.ascontiguousarray(pieces[0][:n])


def backbone(n: int, seed: int = 5) -> Array:
    """A made-up protein backbone of n atoms, in angstrom: bonds of 1.5 at 111 degrees, folded into a ball.

    The ball has 47 cubic angstrom for each atom, the density of folded proteins. Atoms that are more than
    three apart along the chain are more than 2.5 apart in space, so balls of radius 1.25 are free of each
    other with `exclude=3`. Torsions are random: there are no helices and no sheets.
    """
    radius = (3 * VOLUME_PER_ATOM * max(n, 8) / (4 * math.pi)) ** (1 / 3)
    grown = _Backbone(radius, np.random.default_rng(seed))
    grown.grow(n)
    return np.array(grown.points[:n])


def worst_spatial(n: int) -> Fold:
    """Figure 4: two strands side by side, and the torsion in the middle that stretches them out.

    Boxes around one link of each strand do not meet before it, and all overlap after it: a tree that was
    adapted to the shape is corrupted by a single joint. Balls of radius 1; n must be even.
    """
    _check_even(n)
    half, along = n // 2, 2 * (1 + HAIR) * np.arange(n // 2)
    out = np.stack([along, np.zeros(half), np.zeros(half)], axis=1)
    back = np.stack([along[::-1], np.full(half, SPACING), np.zeros(half)], axis=1)
    return Fold(np.concatenate([out, back]), half - 1, math.pi)


def tangent_rows(n: int) -> Fold:
    """Figure 5: two rows of balls of radius 1 in a plane, all but touching all their neighbours.

    No two balls fit into a convex volume that misses every other ball, so any tree needs a number of tests
    in proportion to n. The chain goes out along one row and comes back along the other; the torsion in the
    middle is far too small to part the rows. n must be even.
    """
    _check_even(n)
    half, pitch = n // 2, 2 * (1 + HAIR)
    along = pitch * np.arange(half)
    zero = np.zeros(half)
    out = np.stack([along, zero, zero], axis=1)
    back = np.stack([along[::-1] + pitch / 2, zero + pitch * math.sqrt(3) / 2, zero], axis=1)
    return Fold(np.concatenate([out, back]), half - 1, HAIR / (10 * pitch * half))


def lemma7(d: int) -> Fold:
    """Lemma 7 and Figure 6: a chain of 3 d (d/8)**2 balls of radius 1 that costs n**(4/3) box tests.

    A unit is d links along x, d along y, d along z; the (d/8)**2 units, each shifted by a ball or so from the
    last, all have one point in common in their convex hulls. d is a multiple of 8; where it is a power of two
    a binary tree has exactly one node to a unit. The torsion in the middle is too small to move anything.
    """
    if d < 8 or d % 8:
        raise ValueError(f"d must be a positive multiple of 8, got {d}")
    unit, copies = _unit(d), d // 8
    units = []
    for layer in range(copies):
        row = [unit + [k, -k - layer, layer] for k in range(copies)]
        units += row if layer % 2 == 0 else row[::-1]
    there_and_back = [unit if k % 2 == 0 else unit[::-1] for k, unit in enumerate(units)]
    positions = 2 * (1 + HAIR) * np.concatenate(there_and_back)
    n = len(positions)
    return Fold(positions, n // 2 - 1, HAIR / (40 * d))


def _unit(d: int) -> Array:
    """Three legs of d steps, in diameters; the corners belong to the leg before."""
    step = np.arange(d)
    last = np.full(d, d - 1)
    legs = [
        np.stack([step, 0 * step, 0 * step], axis=1),
        np.stack([last, step + 1, 0 * step], axis=1),
        np.stack([last, last + 1, step + 1], axis=1),
    ]
    return np.concatenate(legs).astype(np.float64)


def _check_even(n: int) -> None:
    if n < 4 or n % 2:
        raise ValueError(f"n must be even and at least 4, got {n}")


def _strands(count: int, bond: float, diameter: float, rng: np.random.Generator) -> Array:
    """Short self-avoiding walks (count, STRAND, 3), all grown at once."""
    strands = np.zeros((count, STRAND, 3))
    for k in range(1, STRAND):
        left = np.arange(count)
        while len(left):
            strands[left, k] = strands[left, k - 1] + bond * _directions(len(left), rng)
            gaps = strands[left, : k - 1] - strands[left, k : k + 1]
            left = left[((gaps**2).sum(axis=2) <= diameter**2).any(axis=1)]
    return strands


def _joined(a: Array, b: Array, bond: float, diameter: float, rng: np.random.Generator) -> Array:
    """Both pieces as one: some end of b, b turned at random, one bond away from some end of a."""
    while True:
        head = a[:: rng.choice((-1, 1))]
        tail = b[:: rng.choice((-1, 1))]
        start = head[-1] + bond * _directions(1, rng)
        placed = (tail - tail[0]) @ _rotation(rng).T + start
        if _apart(head[:-1], placed, diameter) and _apart(head[-1:], placed[1:], diameter):
            return np.concatenate([head, placed])


def _apart(a: Array, b: Array, reach: float) -> bool:
    """Is every point of a more than `reach` away from every point of b?

    Both are pieces of a chain; what collides lies near the end of a and the start of b, so that comes first.
    """
    gap = np.maximum(a.min(axis=0) - b.max(axis=0), b.min(axis=0) - a.max(axis=0))
    if gap.max() > reach:
        return True
    if len(a) * len(b) <= 4096:
        return bool(((a[:, None] - b) ** 2).sum(axis=2).min() > reach**2)
    if len(a) > len(b):
        return _apart(a[len(a) // 2 :], b, reach) and _apart(a[: len(a) // 2], b, reach)
    return _apart(a, b[: len(b) // 2], reach) and _apart(a, b[len(b) // 2 :], reach)


def _directions(count: int, rng: np.random.Generator) -> Array:
    vectors = rng.normal(size=(count, 3))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _rotation(rng: np.random.Generator) -> Array:
    """A rotation matrix, uniform over all rotations."""
    first, second = _directions(2, rng)
    across = np.cross(first, second)
    across /= np.linalg.norm(across)
    return np.stack([first, across, np.cross(first, across)])


class _Backbone:
    """Grows atom by atom inside a ball, and goes some way back where it is stuck.

    Atoms lie in cells as wide as the clearance, so that those too near are found in 27 cells.
    """

    def __init__(self, radius: float, rng: np.random.Generator) -> None:
        self.points: list[Point] = []
        self._radius, self._rng = radius, rng
        self._cells: dict[tuple[int, int, int], list[int]] = {}

    def grow(self, n: int) -> None:
        """Add atoms until there are n; the further growth was before it got stuck, the further it goes back."""
        for point in ((0.0, 0.0, 0.0), (BOND, 0.0, 0.0), self._bent()):
            self._add(point)
        most, back = 0, TRIES
        while len(self.points) < n:
            fitting = next((point for point in self._offers() if self._fits(point)), None)
            if fitting is not None:
                self._add(fitting)
                if len(self.points) > most:
                    most, back = len(self.points), 4
                continue
            back *= 2
            while len(self.points) > max(3, most - back):
                self._remove()

    @staticmethod
    def _bent() -> Point:
        return (BOND - BOND * math.cos(ANGLE), BOND * math.sin(ANGLE), 0.0)

    def _offers(self) -> Iterator[Point]:
        """Places for the next atom at random torsions."""
        c = np.array(self.points[-3:])
        along = (c[2] - c[1]) / BOND
        normal = np.cross(c[1] - c[0], along)
        normal /= np.linalg.norm(normal)
        torsions = self._rng.uniform(-math.pi, math.pi, TRIES)
        ring = np.outer(np.cos(torsions), np.cross(normal, along)) + np.outer(np.sin(torsions), normal)
        offers = c[2] + BOND * (math.sin(ANGLE) * ring - math.cos(ANGLE) * along)
        yield from map(tuple, offers[(offers**2).sum(axis=1) < self._radius**2].tolist())

    def _fits(self, point: Point) -> bool:
        x, y, z = point
        i, j, k = self._cell(point)
        last = len(self.points) - 3
        near = CLEARANCE**2 * (1 + 1e-9)
        for cell in ((a, b, c) for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1) for c in (k - 1, k, k + 1)):
            for atom in self._cells.get(cell, ()):
                u, v, w = self.points[atom]
                if atom < last and (u - x) ** 2 + (v - y) ** 2 + (w - z) ** 2 <= near:
                    return False
        return True

    @staticmethod
    def _cell(point: Point) -> tuple[int, int, int]:
        x, y, z = point
        return (math.floor(x / CLEARANCE), math.floor(y / CLEARANCE), math.floor(z / CLEARANCE))

    def _add(self, point: Point) -> None:
        self._cells.setdefault(self._cell(point), []).append(len(self.points))
        self.points.append(point)

    def _remove(self) -> None:
        # Atoms leave in the order opposite to that in which they came, so this one is its cell's last.
        self._cells[self._cell(self.points.pop())].pop()
