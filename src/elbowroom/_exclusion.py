"""Which links or beads along a body are never compared: what `exclude` of a chain or a necklace means."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core
from elbowroom._deprecated import plain_number, renamed
from elbowroom._pair_set import PairSet

Integers = NDArray[np.int32]


class Exclusion(NamedTuple):
    """Those at most `gap` apart along the body (-1: none for that reason), and the named pairs (m, 2)."""

    gap: int
    named: Integers

    def __str__(self) -> str:
        apart = {-1: "", 0: "", 1: "neighbours"}.get(self.gap, f"beads at most {self.gap} apart")
        count = len(self.named)
        named = f"{count:,} pair{'' if count == 1 else 's'}" if count else ""
        excepted = " and ".join(each for each in (apart, named) if each)
        return f", {excepted} excepted" if excepted else ""

    def pairs(self, n: int) -> Integers:
        """(k, 2), sorted: all pairs of n that are excluded, the smaller number first."""
        return (_apart(n, 1, self.gap) | _set(n, self.named)).array()

    def plus(self, pairs: Integers, n: int) -> Exclusion:
        """Also without these."""
        return Exclusion(self.gap, (_set(n, self.named) | _set(n, pairs)).array())

    def minus(self, pairs: Integers, n: int) -> Exclusion:
        """With these again: where neighbours are among them, the rest of the neighbours is named."""
        again = _set(n, pairs)
        apart = again.array() @ np.array([-1, 1])
        gap = min(self.gap, int(apart.min(initial=n)) - 1)
        return Exclusion(gap, ((_apart(n, gap + 1, self.gap) | _set(n, self.named)) - again).array())


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


def _apart(n: int, least: int, most: int) -> PairSet:
    """All pairs that are from `least` to `most` apart."""
    rows = [
        np.stack([np.arange(n - k), np.arange(k, n)], axis=1)
        for k in range(max(least, 1), min(most, n - 1) + 1)
    ]
    return PairSet.of(n, np.concatenate([np.empty((0, 2), np.int64), *rows]))
