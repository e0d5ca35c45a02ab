"""Polymers to start from: self-avoiding chains of any length, nearly in equilibrium."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core
from elbowroom._core import Collisions
from elbowroom.chain import Chain
from elbowroom.questions import collide

Array = NDArray[np.float64]

BLOCK = 256  # bonds of the longest piece that is made by pivots alone
START, BETWEEN = 50, 2  # pivots a bond: before the first block, and from one block to the next
TURNS, DRAWN = 8, 512  # rotations that are tried at once where two halves meet, and that are drawn at once
PATIENCE = 8  # times that this is done before other ends of the halves are tried,
ENDS = 6  # and these before one of the halves is rebuilt
SETTLING = 200  # pivots of two halves that were joined: a multiple of what a coil needs to forget its size
STIFFEST = 1.0 - 1e-6  # radius over spacing: beyond, rounding would decide which bonds may follow each other


def polymer(links: int, *, spacing: float = 1.0, radius: float = 0.5, seed: int = 0) -> Chain:
    """A chain of balls that avoids itself, at random and near equilibrium: where sampling may begin.

    All shapes whose balls are free of each other, but for the two of a bond, are to be equally likely: bonds
    point anywhere, independently, given that nothing collides. Up to 257 links that is what comes, by pivots
    from a rod. Longer chains are put together from such pieces two by two, each pair turned about the link
    where they meet until it fits, the pseudo-dimerisation of [ClisbyTree2010]_, and then pivoted. That is not
    quite equilibrium, so discard some pivots before you measure. A million links take some seconds.

    Parameters
    ----------
    links
        How many balls, at least 2.
    spacing
        Length of a bond: the distance of the centres of neighbours.
    radius
        Of the balls, from 0, a chain without volume, to less than `spacing`. From half of `spacing` on
        neighbours touch or overlap, which they may. The next but one may not, so that wide balls make the
        chain stiff: no bond turns from the one before by more than 2 arccos(radius / spacing).
    seed
        The same seed gives the same chain.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.sampling.polymer(1000, seed=1)
    >>> len(chain), chain.collides()
    (1000, False)
    """
    bonds = _arrays.count(links, "links", 2, _core.limits.largest_int) - 1
    length, width = _arrays.size(spacing, "spacing"), _arrays.size(radius, "radius")
    if length == 0:
        raise ValueError("spacing must be larger than 0")
    if bonds * length > _arrays.LARGEST:
        raise ValueError(f"spacing is too large for {links} links: {length}")
    if width > STIFFEST * length:
        raise ValueError(
            f"radius must be less than spacing, by a millionth at least, got {width} and {length}:"
            " the balls on either side of a link collide however the chain bends"
        )
    grower = _Grower(bonds, length, width, _arrays.count(seed, "seed", 0))
    while True:
        chain = Chain(grower.whole(), width)
        if not chain.collides():  # it never should, but for rounding
            return chain


def ring(links: int, *, spacing: float = 1.0, radius: float = 0.5) -> Chain:
    """A ring of balls as a regular polygon, where sampling may begin: a chain whose ends are bonded.

    The bond from the last link to the first is one of `bonds`, so that sampling leaves it as long as it is:
    rings have "crankshaft" moves, by which bonds point anywhere, and "rebridge", which keeps bond angles.

    Parameters
    ----------
    links
        How many balls, at least 3.
    spacing
        Length of a bond: the distance of the centres of neighbours.
    radius
        Of the balls, from 0 to less than `spacing`. Neighbours may overlap.

    Examples
    --------
    >>> import elbowroom as er
    >>> run = er.sampling.sample(er.sampling.ring(50, radius=0.3), steps=5000, seed=1)
    >>> first, *_, last = run.chain.positions()
    >>> f"{((last - first) ** 2).sum():.9f}"
    '1.000000000'
    """
    count = _arrays.count(links, "links", 3, _core.limits.largest_int)
    length, width = _arrays.size(spacing, "spacing"), _arrays.size(radius, "radius")
    if length == 0:
        raise ValueError("spacing must be larger than 0")
    if width > STIFFEST * length:
        raise ValueError(
            f"radius must be less than spacing, by a millionth at least, got {width} and {length}"
        )
    turns = 2 * math.pi * np.arange(count) / count
    circle = length / (2 * math.sin(math.pi / count)) * np.stack([np.cos(turns), np.sin(turns), 0 * turns], 1)
    numbers = np.arange(count)
    return Chain(circle, width, bonds=np.stack([numbers, (numbers + 1) % count], 1), exclude=("bonds", 1))


class _Grower:
    """Makes pieces of a polymer: links as rows, one more than there are bonds, the first at the origin."""

    def __init__(self, bonds: int, spacing: float, radius: float, seed: int) -> None:
        self._bonds, self._spacing, self._radius = bonds, spacing, radius
        self._rng = np.random.default_rng(seed)
        self._sharpest = 2.0 * (radius / spacing) ** 2 - 1.0  # least cosine of the angle of two bonds
        self._bends = _bends(self._sharpest, self._rng)
        halvings = max(math.ceil(math.log2(bonds / BLOCK)), 0)
        self._block = -(-bonds // 2**halvings)  # of the two lengths that halving leads to, the longer
        self._running = Chain(np.outer(np.arange(self._block + 1), (spacing, 0.0, 0.0)), radius)
        self._sampler = self._pivots(self._running)
        self._sampler.run(START * self._block, START * self._block)

    def whole(self) -> Array:
        """The whole polymer; what rounding did to the lengths of bonds is taken back."""
        steps = np.diff(self.piece(self._bonds), axis=0)
        steps *= self._spacing / np.linalg.norm(steps, axis=1, keepdims=True)
        return np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])

    def piece(self, bonds: int) -> Array:
        """So many bonds: as many as the whole has, or as repeated halving gives."""
        if bonds <= self._block:
            self._sampler.run(BETWEEN * bonds, BETWEEN * bonds)
            return self._running.positions()[: bonds + 1]
        head, tail = self.piece(bonds // 2), self.piece(bonds - bonds // 2)
        while True:
            joined = self._joined(head, tail)
            if joined is not None:
                return self._settled(joined)
            # An end may lie so deep in its own coil that nothing fits there.
            if self._rng.integers(2):
                head = self.piece(len(head) - 1)
            else:
                tail = self.piece(len(tail) - 1)

    def _pivots(self, chain: Chain) -> Any:
        """A sampler that pivots: by any rotation, and in stiff chains as often by what two bonds may bend."""
        sampler = _core.Sampler(chain, int(self._rng.integers(2**62)))
        joints = np.arange(len(chain) - 1, dtype=np.int64)
        sampler.add_move("pivot", 1.0, -1.0, joints)
        if self._sharpest > 0.0:
            sampler.add_move("pivot", 1.0, math.acos(self._sharpest), joints)
        return sampler

    def _settled(self, joined: Array) -> Array:
        """Some pivots later: halves that are turned until they fit make a coil that is too small."""
        chain = Chain(joined, self._radius)
        self._pivots(chain).run(SETTLING, SETTLING)
        return chain.positions()

    def _joined(self, head: Array, tail: Array) -> Array | None:
        """Both as one, joined at some end of each; None if the tail never fits."""
        for _ in range(ENDS):
            joined = self._turned(head, tail)
            if joined is not None:
                return joined
            if self._rng.integers(2):
                head = (head - head[-1])[::-1]
            else:
                tail = (tail - tail[-1])[::-1]
        return None

    def _turned(self, head: Array, tail: Array) -> Array | None:
        """Both as one, the last link of the head being the first of the tail, turned until that fits."""
        before, beyond = Chain(head[:-1], self._radius), Chain(tail[1:], self._radius)
        last, first = _frame(head[-1] - head[-2]), _frame(tail[1])
        poses = np.tile(np.eye(4), (TURNS, 1, 1))
        poses[:, :3, 3] = head[-1]
        for _ in range(PATIENCE):
            poses[:, :3, :3] = last @ next(self._bends) @ first.T
            found = collide(before, beyond, pose_b=poses, threads=1)
            assert isinstance(found, Collisions)
            free = np.flatnonzero(~found.hits)
            if len(free):
                return np.concatenate([head, tail[1:] @ poses[free[0], :3, :3].T + head[-1]])
        return None


def _bends(sharpest: float, rng: np.random.Generator) -> Iterator[Array]:
    """Rotations (TURNS, 3, 3), for ever: of a bond along z into what may follow it, all equally likely."""
    from scipy.spatial.transform import Rotation  # takes a while to import

    while True:
        angles = rng.uniform(-math.pi, math.pi, (DRAWN, 3))
        angles[:, 1] = np.arccos(rng.uniform(sharpest, 1.0, DRAWN))
        yield from Rotation.from_euler("ZYZ", angles).as_matrix().reshape(-1, TURNS, 3, 3)


def _frame(along: Array) -> Array:
    """A rotation that takes the z axis to a direction, after Duff et al. (2017)."""
    x, y, z = (along / math.hypot(*along)).tolist()
    sign = math.copysign(1.0, z)
    a = -1.0 / (sign + z)
    b = x * y * a
    return np.array([[1.0 + sign * x * x * a, b, x], [sign * b, sign + y * y * a, y], [-sign * x, -y, z]])
