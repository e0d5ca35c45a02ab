"""How chains are grown that avoid themselves: coils by joining strands, backbones atom by atom."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from .rigid import _matrices

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Point = tuple[float, float, float]

STRAND = 16  # links that a coil is put together from
ATTEMPTS = 8  # turns tried at once where two pieces of a coil are joined

BOND, ANGLE = 1.5, math.radians(111.0)  # of a backbone, in angstrom
CLEARANCE = 2.5  # of atoms that are not neighbours
TRIES = 40  # torsions tried before a growing backbone goes back
AROUND = tuple(product((-1, 0, 1), repeat=3))


def joined_strands(n: int, bond: float, diameter: float, rng: np.random.Generator) -> Array:
    """A coil of n links: strands joined two by two, then the pieces two by two, until there is one."""
    pieces = list(_strands(-(-n // STRAND), bond, diameter, rng))
    while len(pieces) > 1:
        paired = zip(pieces[0::2], pieces[1::2], strict=False)
        joined = [_joined(a, b, bond, diameter, rng) for a, b in paired]
        pieces = joined + pieces[2 * len(joined) :]
    return np.ascontiguousarray(pieces[0][:n])


def _strands(count: int, bond: float, diameter: float, rng: np.random.Generator) -> Array:
    """Short self-avoiding walks (count, STRAND, 3), all grown at once."""
    strands = np.zeros((count, STRAND, 3))
    for k in range(1, STRAND):
        left = np.arange(count)
        for _ in range(100):
            strands[left, k] = strands[left, k - 1] + bond * _directions(len(left), rng)
            gaps = strands[left, : k - 1] - strands[left, k : k + 1]
            left = left[(_squares(gaps) <= diameter**2).any(axis=1)]
            if len(left) == 0:
                break
        else:  # those that have no way out start again
            strands[left] = _strands(len(left), bond, diameter, rng)
    return strands


def _joined(a: Array, b: Array, bond: float, diameter: float, rng: np.random.Generator) -> Array:
    """Both pieces as one: some end of b, b turned at random, one bond away from some end of a.

    An end may lie so deep in its own coil that nothing fits there; then both coils are reshaped near it.
    """
    while True:
        head, tail = (piece[:: 1 - 2 * int(rng.integers(2))] for piece in (a, b))
        turns, steps = _rotations(ATTEMPTS, rng), bond * _directions(ATTEMPTS, rng)
        for k in _promising(head, tail, turns, steps, diameter):
            placed = (tail - tail[0]) @ turns[k].T + head[-1] + steps[k]
            if _clear(head, placed, diameter):
                return np.concatenate([head, placed])
        a, b = _pivoted(head, diameter, rng), _pivoted(tail[::-1], diameter, rng)


def _promising(head: Array, tail: Array, turns: Array, steps: Array, diameter: float) -> Indices:
    """Which of the turns keep the first links of the tail clear of the last ones of the head."""
    placed = (tail[:STRAND] - tail[0]) @ turns.transpose(0, 2, 1) + steps[:, None]
    return np.flatnonzero(_nearest(head[-STRAND:] - head[-1], placed) > diameter**2)


def _nearest(head: Array, tails: Array) -> Array:
    """Least squared distance of each tail (k, m, 3) to the head, but for that of the two neighbours."""
    squares = _squares(tails[:, :, None] - head)
    squares[:, 0, -1] = np.inf
    return np.asarray(squares.min(axis=(1, 2)))


def _pivoted(piece: Array, diameter: float, rng: np.random.Generator) -> Array:
    """The piece after a turn about one of its links, more likely one near its end, if that leaves it free."""
    from_end = int(len(piece) ** rng.uniform(0, 1))
    joint = max(len(piece) - 1 - from_end, 0)
    turn = _rotations(1, rng)[0]
    turned = (piece[joint + 1 :] - piece[joint]) @ turn.T + piece[joint]
    free = _clear(piece[: joint + 1], turned, diameter)
    return np.concatenate([piece[: joint + 1], turned]) if free else piece


def _clear(head: Array, tail: Array, reach: float) -> bool:
    """Is every link of the tail more than `reach` from all of the head, but the first from its neighbour?

    What collides lies near where the two meet, so the search goes outwards from there, doubling its size.
    """
    if _nearest(head[-STRAND:], tail[None, :STRAND])[0] <= reach**2:
        return False
    size = STRAND
    while size < max(len(head), len(tail)):
        near, far = head[-size:], head[-2 * size : -size]
        first, second = tail[:size], tail[size : 2 * size]
        if not (_apart(far, first, reach) and _apart(near, second, reach) and _apart(far, second, reach)):
            return False
        size *= 2
    return True


def _apart(a: Array, b: Array, reach: float) -> bool:
    """Is every point of a more than `reach` from every point of b? Both are pieces of a chain."""
    if len(a) * len(b) <= 1024:
        return bool(_squares(a[:, None] - b).min(initial=np.inf) > reach**2)
    gap = np.maximum(a.min(axis=0) - b.max(axis=0), b.min(axis=0) - a.max(axis=0))
    if gap.max() > reach:
        return True
    if len(a) > len(b):
        a, b = b, a
    half = len(b) // 2
    return _apart(a, b[:half], reach) and _apart(a, b[half:], reach)


def _squares(vectors: Array) -> Array:
    return np.asarray(np.einsum("...i,...i->...", vectors, vectors))


def _directions(count: int, rng: np.random.Generator) -> Array:
    vectors = rng.normal(size=(count, 3))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _rotations(count: int, rng: np.random.Generator) -> Array:
    """Rotation matrices (count, 3, 3), uniform over all rotations."""
    quaternions = rng.normal(size=(count, 4))
    return _matrices(quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True))


class Backbone:
    """Grows atom by atom inside a ball, and goes some way back where it is stuck.

    Atoms lie in cells as wide as the clearance, so that those too near are found in 27 cells.
    """

    def __init__(self, radius: float, rng: np.random.Generator) -> None:
        self.points: list[Point] = []
        self._radius, self._rng = radius, rng
        self._cells: dict[tuple[int, int, int], list[int]] = {}

    def grow(self, n: int) -> None:
        """Add atoms until there are n. Where it is stuck it goes back, mostly a little, at times far."""
        for point in ((0.0, 0.0, 0.0), (BOND, 0.0, 0.0), self._bent()):
            self._add(point)
        while len(self.points) < n:
            fitting = next((point for point in self._offers() if self._fits(point)), None)
            if fitting is not None:
                self._add(fitting)
                continue
            for _ in range(min(int(4 / (1 - self._rng.random())), len(self.points) - 3)):
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
        for a, b, c in AROUND:
            for atom in self._cells.get((i + a, j + b, k + c), ()):
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
