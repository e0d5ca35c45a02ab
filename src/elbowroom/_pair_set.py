"""Sets of pairs of links, kept in arrays: a robot with thousands of fixed links has millions of pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class PairSet:
    """Pairs (i, j) of numbers below `count`, as a sorted array of the codes i * count + j."""

    count: int
    codes: NDArray[np.int64]

    @classmethod
    def of(cls, count: int, pairs: NDArray[np.int64]) -> PairSet:
        """From pairs (k, 2), in any order."""
        return cls(count, _once(pairs[:, 0] * count + pairs[:, 1]))

    def __or__(self, other: PairSet) -> PairSet:
        return PairSet(self.count, _once(np.concatenate([self.codes, other.codes])))

    def __sub__(self, other: PairSet) -> PairSet:
        return PairSet(self.count, np.setdiff1d(self.codes, other.codes, assume_unique=True))

    def __len__(self) -> int:
        return len(self.codes)

    def array(self) -> NDArray[np.int32]:
        """(k, 2), sorted."""
        return np.stack(np.divmod(self.codes, max(self.count, 1)), axis=1).astype(np.int32)


def _once(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sorted, without repetitions; faster than np.unique, which hashes them."""
    codes = np.sort(codes)
    kept: NDArray[np.int64] = codes[
        np.concatenate([np.ones(min(len(codes), 1), np.bool_), codes[1:] != codes[:-1]])
    ]
    return kept
