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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .growth import Backbone, joined_strands

Array = NDArray[np.float64]

SPACING = 4.0  # of the paper's unit balls
HAIR = 1e-3  # gap, in radii, where the paper's balls touch

VOLUME_PER_ATOM = 47.0  # of a folded protein, backbone atoms alone counted


class Fold(NamedTuple):
    """A chain, and the torsion that the paper applies to it: `rotate(joint, angle)`.

    Examples
    --------
    >>> import elbowroom as er
    >>> fold = er.scenes.worst_spatial(100)
    >>> chain = er.Chain(fold.positions, 1.0)
    >>> chain.rotate(fold.joint, fold.angle)
    >>> chain.collides()
    False
    """

    positions: Array
    joint: int
    angle: float


def serpentine(n: int, spacing: float = SPACING) -> Array:
    """A compact chain, to and fro through a cube: row by row, layer by layer, always one `spacing` on.

    With balls of radius 1 this is the start of the paper's first benchmark (Table 1a, Figure 7).

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain(er.scenes.serpentine(10_000), 1.0)
    >>> chain.collides()
    False
    """
    side = next(k for k in range(1, n + 2) if k**3 >= n)
    layer, within = np.divmod(np.arange(n), side * side)
    row, column = np.divmod(within, side)
    there_and_back = np.where((layer * side + row) % 2 == 0, column, side - 1 - column)
    up_and_down = np.where(layer % 2 == 0, row, side - 1 - row)
    return spacing * np.stack([there_and_back, up_and_down, layer], axis=1).astype(np.float64)


def rod(n: int, spacing: float = SPACING) -> Array:
    """A straight chain along the x axis.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.scenes.rod(3).tolist()
    [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [8.0, 0.0, 0.0]]
    """
    positions = np.zeros((n, 3))
    positions[:, 0] = spacing * np.arange(n)
    return positions


def coil(n: int, bond: float = 1.0, diameter: float = 1.0, seed: int = 3) -> Array:
    """A random coil that avoids itself: links that are no neighbours are more than `diameter` apart.

    Short strands are joined two by two, each pair turned at random until it fits; that is nearly, not quite,
    a sample of all such coils (the start of Clisby's pivot runs, 2010). 100,000 links take a few seconds.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain(er.scenes.coil(1000), 0.5)
    >>> chain.collides()
    False
    """
    if not bond >= 0.6 * diameter:
        raise ValueError(f"bond must be at least 0.6 diameter, got {bond} for diameter {diameter}")
    return joined_strands(n, bond, diameter, np.random.default_rng(seed))


def backbone(n: int, seed: int = 5) -> Array:
    """A made-up protein backbone of n atoms, in angstrom: bonds of 1.5 at 111 degrees, folded into a ball.

    The ball has 47 cubic angstrom for each atom, the density of folded proteins. Atoms that are more than
    three apart along the chain are more than 2.5 apart in space, so balls of radius 1.25 are free of each
    other with `exclude=3`. Torsions are random: there are no helices and no sheets.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain(er.scenes.backbone(300), 1.25, exclude=3)
    >>> chain.collides()
    False
    """
    radius = (3 * VOLUME_PER_ATOM * max(n, 8) / (4 * math.pi)) ** (1 / 3)
    grown = Backbone(radius, np.random.default_rng(seed))
    grown.grow(n)
    return np.array(grown.points[:n])


def worst_spatial(n: int) -> Fold:
    """Figure 4: two strands side by side, and the torsion in the middle that stretches them out.

    Boxes around one link of each strand do not meet before it, and all overlap after it: a tree that was
    adapted to the shape is corrupted by a single joint. Balls of radius 1; n must be even.

    Examples
    --------
    >>> import elbowroom as er
    >>> fold = er.scenes.worst_spatial(100)
    >>> len(fold.positions), fold.joint
    (100, 49)
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

    Examples
    --------
    >>> import elbowroom as er
    >>> fold = er.scenes.tangent_rows(100)
    >>> er.Chain(fold.positions, 1.0).collides()
    False
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

    Examples
    --------
    >>> import elbowroom as er
    >>> len(er.scenes.lemma7(16).positions)
    192
    """
    if d < 8 or d % 8:
        raise ValueError(f"d must be a positive multiple of 8, got {d}")
    unit, copies = _unit(d), d // 8
    units = []
    for layer in range(copies):
        row = [unit + np.array([k, -k - layer, layer]) for k in range(copies)]
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
