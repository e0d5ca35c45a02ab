"""Which pairs of balls a force field treats in a way of their own, because bonds join them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom._bonds import bond_distances


def bonded_pairs(bonds: ArrayLike, balls: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Pairs of balls that one or two bonds join, and pairs that three join: 1-2 and 1-3 pairs, and 1-4 pairs.

    Force fields leave out the first, and count a part of the energy of the others.

    Parameters
    ----------
    bonds
        (m, 2): the balls that each bond joins.
    balls
        How many balls the chain has, side balls included.

    Examples
    --------
    >>> import elbowroom as er
    >>> near, fourth = er.energies.bonded_pairs([(0, 1), (1, 2), (2, 3)], 4)
    >>> near.tolist(), fourth.tolist()
    ([[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]], [[0, 3]])

    As Amber has it:

    >>> chain = er.Chain([[1, 0, 0], [0, 0, 0], [0, 1, 0], [1, 1, 0]], 0.1)
    >>> charges = [0.5, -0.5, -0.5, 0.5]
    >>> chain.set_energy(er.energies.Coulomb(charges, 9.0, exclude=near, scaled=(fourth, 1 / 1.2)))
    >>> round(chain.energy(), 3)
    69.18
    """
    count = _arrays.count(balls, "balls", 1, _core.limits.largest_int)
    joined, at = np.unique(_arrays.index_pairs(bonds, count, "bonds"), return_inverse=True)
    near, apart = bond_distances(at.reshape(-1, 2).astype(np.int32), len(joined), 3)
    pairs = joined[near].astype(np.int32)
    return pairs[apart < 3], pairs[apart == 3]
