"""Bonds between balls: which pairs of balls few bonds join, and how many bonds that is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, identity

Integers = NDArray[np.int32]

#: Ways along bonds that are followed: so many, and some for each atom, of which matter has about fifty.
MOST_STEPS, STEPS_AN_ATOM = 100_000_000, 500


def pairs_within(bonds: Integers, count: int, most: int, chosen: NDArray[Any] | None = None) -> Integers:
    """Pairs (k, 2), sorted, of balls that at most so many bonds join: those that are never compared.

    `bonds` are pairs (m, 2) of numbers below `count`; `chosen` is as for `bond_distances`.
    """
    return bond_distances(bonds, count, most, chosen)[0]


def bond_distances(
    bonds: Integers, count: int, most: int, chosen: NDArray[Any] | None = None
) -> tuple[Integers, Integers]:
    """Pairs (k, 2), sorted, of balls that at most so many bonds join, and the number of these bonds (k,).

    With `chosen`, pairs of the chosen balls alone, by their places in it. The bonds may lead over balls that
    are not chosen: two CA atoms in a row are three bonds apart.
    """
    chosen = np.arange(count) if chosen is None else chosen
    ends = np.concatenate([bonds, bonds[:, ::-1]]).astype(np.int64)
    joined = csr_array((np.ones(len(ends), bool), (ends[:, 0], ends[:, 1])), shape=(count, count))
    reached = csr_array(identity(count, dtype=bool, format="csr"))[chosen]
    often = csr_array(reached.shape, dtype=np.int32)  # in how many steps a ball was reached
    degree, taken = np.bincount(ends[:, 0], minlength=count), 0
    while taken < most:
        taken, before = taken + 1, reached.nnz
        if float(degree[reached.indices].sum()) > MOST_STEPS + STEPS_AN_ATOM * count:
            raise ValueError(
                f"exclude: too many atoms are joined by {most} bonds or fewer; give a smaller one"
            )
        reached = (reached + reached @ joined).astype(bool)
        often = often + reached.astype(np.int32)
        if reached.nnz == before:  # all of each molecule
            break
    near = often[:, chosen].tocoo()
    upper = near.row < near.col
    pairs = np.column_stack([near.row[upper], near.col[upper]]).astype(np.int32)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    apart = (taken + 1 - near.data[upper]).astype(np.int32)
    return np.ascontiguousarray(pairs[order]), np.ascontiguousarray(apart[order])
