"""Energies of terms that are named one by one, and sums of energies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom.energies.energy import (
    CALLBACK,
    LENNARD_JONES,
    PAIRS,
    SUM,
    TABLE,
    TORSIONS,
    Energy,
    by_row,
    parts_of,
)

MOST_FOLDS = 100


def Pairs(
    balls: ArrayLike, *, epsilon: ArrayLike = 0.0, sigma: ArrayLike = 0.0, charges: ArrayLike = 0.0
) -> Energy:
    """Lennard-Jones and Coulomb of pairs that are named one by one, at any distance.

    For pairs whose parameters follow from no rule, such as 1-4 pairs of some force fields. These should be
    excluded from the energies over all pairs.

    Parameters
    ----------
    balls
        (m, 2). A pair that is named twice counts twice.
    epsilon, sigma
        Of Lennard-Jones: numbers, or (m,).
    charges
        The product of the two charges times the constant of Coulomb: a number, or (m,).

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain([[0, 0, 0], [2, 0, 0], [4, 0, 0]], 0.5)
    >>> chain.set_energy(er.energies.Pairs([(0, 1), (0, 2)], charges=[1.0, 4.0]))
    >>> chain.energy()
    1.5
    """
    pairs = _arrays.index_pairs(balls, _core.limits.largest_int, "balls")
    _refuse_twice(pairs, "balls")
    e, s, q = (
        by_row(v, len(pairs), n) for v, n in ((epsilon, "epsilon"), (sigma, "sigma"), (charges, "charges"))
    )
    if (s < 0).any():
        raise ValueError(f"sigma must not be negative, got {s.min()}")
    return Energy(PAIRS, 0.0, 1, balls=pairs, numbers=np.stack([e, s, q], axis=1))


def Torsions(balls: ArrayLike, k: ArrayLike, n: ArrayLike, phase: ArrayLike = 0.0) -> Energy:
    """K (1 + cos(n angle - phase)) of the torsion of four balls.

    The angle is 0 where the outer balls are on the same side, and grows as they turn clockwise seen along the
    middle bond: the convention of IUPAC. Four balls in one line have the angle 0.

    Parameters
    ----------
    balls
        (m, 4): the balls of each term; or (m,): joints. The torsion of joint j is that of links j - 1 to
        j + 2. Several terms may be of the same torsion.
    k
        Half the height: a number, or (m,).
    n
        The number of minima in a turn, 0 to 100: a number, or (m,).
    phase
        In radians: a number, or (m,).

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain([[1, 0, 0], [0, 0, 0], [0, 1, 0], [1, 1, 0]], 0.1)
    >>> chain.set_energy(er.energies.Torsions([1], k=2.0, n=3))
    >>> chain.energy()
    4.0
    >>> chain.rotate(1, 3.141592653589793 / 3)
    >>> round(chain.energy(), 12)
    0.0
    """
    four = _quadruples(balls)
    strength, waves, shift = (
        by_row(v, len(four), name) for v, name in ((k, "k"), (n, "n"), (phase, "phase"))
    )
    wrong = np.flatnonzero((waves != np.round(waves)) | (waves < 0) | (waves > MOST_FOLDS))
    if len(wrong):
        raise ValueError(
            f"n must be whole numbers from 0 to {MOST_FOLDS}, got {waves[wrong[0]]} at {wrong[0]}"
        )
    numbers = np.stack([strength, waves, np.cos(shift), np.sin(shift)], axis=1)
    return Energy(TORSIONS, 0.0, 1, balls=four, numbers=numbers)


def Sum(*energies: Energy) -> Energy:
    """The sum of several energies.

    Energies over pairs that leave out the same pairs are summed together. Kinds that a chain is given are
    those of all parts that know kinds.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain([[0, 0, 0], [2, 0, 0], [4, 0, 0]], 0.5)
    >>> charged = er.energies.Coulomb([1.0, 0.0, -1.0], cutoff=10.0, constant=1.0)
    >>> chain.set_energy(er.energies.Sum(charged, er.energies.Pairs([(0, 1)], charges=1.0)))
    >>> chain.energy()
    0.25
    """
    if not energies:
        raise ValueError("energies: a sum needs at least one")
    for k, each in enumerate(energies):
        if not isinstance(each, Energy):
            raise TypeError(f"energies[{k}] must be one of elbowroom.energies, got {type(each).__name__}")
    parts = [part for each in energies for part in parts_of(each)]
    known = [part.kinds for part in parts if part.form in (LENNARD_JONES, TABLE, CALLBACK) and part.kinds > 1]
    return Energy(SUM, 0.0, min(known, default=_core.limits.largest_int), parts=tuple(energies))


def _quadruples(balls: Any) -> NDArray[np.int32]:
    largest = _core.limits.largest_int
    array = _arrays.any_array(balls, "balls")
    if array.ndim == 1:
        joints = _arrays.indices(
            array if array.size else np.empty(0, int), None, largest - 2, "balls"
        ).astype(np.int64)
        if (joints == 0).any():
            raise ValueError("balls: joint 0 has no torsion, as there is no ball before it")
        return np.ascontiguousarray(joints[:, None] + np.arange(-1, 3), dtype=np.int32)
    if array.ndim != 2 or array.shape[1] != 4:
        raise ValueError(f"balls must have shape (m, 4), or (m,) for joints, got {array.shape}")
    four = _arrays.indices(array.reshape(-1), None, largest, "balls").reshape(-1, 4)
    _refuse_twice(four, "balls")
    return four


def _refuse_twice(balls: NDArray[np.int32], name: str) -> None:
    ordered = np.sort(balls, axis=1)
    twice = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if len(twice):
        raise ValueError(f"{name}[{twice[0]}] names a ball twice: {balls[twice[0]].tolist()}")
