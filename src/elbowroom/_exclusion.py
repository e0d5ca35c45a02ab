"""Which links or beads along a body are never compared: what `exclude` of a chain or a necklace means."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core
from elbowroom._deprecated import plain_number, renamed
from elbowroom._pair_set import PairSet

Integers = NDArray[np.int32]
Numbers = NDArray[np.int32] | NDArray[np.int64]

#: Balls that so many bonds join, or fewer, are not compared unless another number is given.
MOST_BONDS = 3


class Exclusion(NamedTuple):
    """Those at most `gap` apart along the body (-1: none for that reason), and the named pairs (m, 2).

    In a chain with side balls those along the body are links, with all of their balls (`gap` 0: the balls of
    one link), and the pairs name balls. `link`, where it is asked for, is the link of each ball.
    """

    gap: int
    named: Integers

    def __str__(self) -> str:
        apart = {-1: "", 0: "", 1: "neighbours"}.get(self.gap, f"beads at most {self.gap} apart")
        count = len(self.named)
        named = f"{count:,} pair{'' if count == 1 else 's'}" if count else ""
        excepted = " and ".join(each for each in (apart, named) if each)
        return f", {excepted} excepted" if excepted else ""

    def pairs(self, link: Numbers) -> Integers:
        """(k, 2), sorted: all pairs that are excluded, the smaller number first."""
        return (_apart(link, 0, self.gap) | _set(len(link), self.named)).array()

    def plus(self, pairs: Integers, link: Numbers) -> Exclusion:
        """Also without these."""
        return Exclusion(self.gap, (_set(len(link), self.named) | _set(len(link), pairs)).array())

    def minus(self, pairs: Integers, link: Numbers) -> Exclusion:
        """With these again: where neighbours are among them, the rest of the neighbours is named."""
        again = _set(len(link), pairs)
        apart = np.abs(link[pairs] @ np.array([-1, 1]))
        gap = min(self.gap, int(apart.min(initial=len(link))) - 1)
        rest = (_apart(link, gap + 1, self.gap) | _set(len(link), self.named)) - again
        return Exclusion(gap, rest.array())

    def folded(self, n: int) -> Exclusion:
        """The same of n in a row, with as many as possible of the pairs told by how far apart they are."""
        named, gap = _set(n, self.named), max(self.gap, 0)
        apart = named.array() @ np.array([-1, 1])
        count = np.bincount(apart, minlength=2)
        while gap + 1 < min(len(count), n) and count[gap + 1] == n - gap - 1:
            gap += 1
        return Exclusion(gap, named.array()[apart > gap])


def exclusion(value: Any, n: int, name: str) -> Exclusion:
    """From a whole number k (all that are at most k apart), from pairs (m, 2), or from (k, pairs)."""
    value = plain_number(value, stacklevel=5)
    if isinstance(value, tuple) and len(value) == 2 and np.ndim(value[0]) == 0:
        return Exclusion(_gap(value[0], f"{name}[0]"), named_pairs(value[1], n, f"{name}[1]"))
    if value is None:
        raise ValueError(f"{name} must be a whole number or pairs, got None: 0 excludes nothing")
    if np.isscalar(value):
        return Exclusion(_gap(value, name), np.empty((0, 2), np.int32))
    return Exclusion(-1, named_pairs(value, n, name))


def names_bonds(value: Any) -> bool:
    """Is it meant to be "bonds" or ("bonds", k)?"""
    return isinstance(value, str) or (isinstance(value, tuple) and any(isinstance(x, str) for x in value))


def by_bonds(value: Any, bonds: Integers | None, n: int, name: str) -> Exclusion:
    """Of n balls those that at most three bonds join, or k, from "bonds" or ("bonds", k)."""
    most = most_bonds(value, name)
    if bonds is None:
        raise ValueError(f"{name}={_arrays.shown(value)} needs bonds: give the pairs of balls as bonds")
    from elbowroom._bonds import pairs_within  # takes a while to import

    return Exclusion(-1, pairs_within(bonds, n, most))


def most_bonds(value: Any, name: str) -> int:
    """How many bonds join balls that are not compared, or fewer: from "bonds", or ("bonds", k)."""
    if isinstance(value, str) and value == "bonds":
        return MOST_BONDS
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and value[0] == "bonds":
        return _arrays.count(value[1], f"{name}[1]", 0, _core.limits.largest_int)
    raise ValueError(f'{name} must be "bonds" or ("bonds", k), got {_arrays.shown(value)}')


def none_for_neighbours(value: Any, stacklevel: int = 3) -> Any:
    """Deprecated: None in place of 1."""
    if value is not None:
        return value
    renamed("exclude=None", "exclude=1", stacklevel)
    return 1


def without_itself(value: Any, name: str) -> Any:
    """Pairs as older arguments took them: none, and pairs of a number with itself, were no error."""
    pairs = _arrays.any_array([] if value is None else value, name)
    return pairs[pairs[:, 0] != pairs[:, 1]] if pairs.ndim == 2 and pairs.shape[1] == 2 else pairs


def named_pairs(value: Any, n: int, name: str) -> Integers:
    """Pairs of different numbers below n."""
    pairs = _arrays.index_pairs(value, n, name)
    itself = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if len(itself):
        raise ValueError(f"{name}[{itself[0]}] names {pairs[itself[0], 0]} with itself")
    return pairs


def _gap(value: Any, name: str) -> int:
    return _arrays.count(value, name, 0, _core.limits.largest_int)


def _set(n: int, pairs: Integers) -> PairSet:
    return PairSet.of(n, np.sort(pairs, axis=1).astype(np.int64))


def _apart(link: Numbers, least: int, most: int) -> PairSet:
    """All pairs whose links are from `least` to `most` apart."""
    n, order = len(link), np.argsort(link, kind="stable")
    if most < least:
        return PairSet.of(n, np.empty((0, 2), np.int64))
    row, place = link[order].astype(np.int64), np.arange(n)
    first = np.maximum(np.searchsorted(row, row + least, "left"), place + 1)
    count = np.maximum(np.searchsorted(row, row + most, "right") - first, 0)
    one = np.repeat(place, count)
    other = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count - first, count)
    return PairSet.of(n, np.sort(np.stack([order[one], order[other]], axis=1), axis=1))
