"""The rows of observables that a run has recorded so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Steps and values: (k,) and (temperatures, k, names).
Recorded = tuple[NDArray[np.int64], NDArray[np.float64]]


class Rows:
    """One row at every `every`-th step, from step `every` on; a mark says which of them are in a file."""

    def __init__(self, names: Sequence[str], every: int, walkers: int, deep: bool) -> None:
        self._names, self._every, self._deep = names, every, deep
        self._parts = [np.empty((walkers, 0, len(names)))]
        self._count = 0
        self._marked_parts, self._marked = 1, 0

    def add(self, values: NDArray[np.float64]) -> None:
        """The rows that come next: (temperatures, k, names)."""
        if values.shape[1]:
            self._parts.append(values)
            self._count += values.shape[1]

    def mark(self) -> None:
        """All there are so far are in a file."""
        self._marked_parts, self._marked = len(self._parts), self._count

    def since_mark(self) -> Recorded:
        """The rows that are in no file yet."""
        return self.steps_at()[self._marked :], self._joined(self._marked_parts)

    def steps_at(self) -> NDArray[np.int64]:
        """The step of each row."""
        return self._every * np.arange(1, self._count + 1, dtype=np.int64)

    def observables(self) -> dict[str, NDArray[np.float64]]:
        """All rows: (rows,) for each name, or if they are deep (temperatures or chains, rows)."""
        values = self._joined(0) if self._deep else self._joined(0)[0]
        return {name: values[..., i].copy() for i, name in enumerate(self._names)}

    def latest(self) -> dict[str, Any]:
        """The last row, if there is one: a number for each name, or (temperatures or chains,)."""
        if not self._count:
            return {}
        row = self._parts[-1][:, -1].T
        return dict(zip(self._names, row.copy() if self._deep else row[:, 0].tolist(), strict=True))

    def _joined(self, first_part: int) -> NDArray[np.float64]:
        return np.concatenate([self._parts[0], *self._parts[max(1, first_part) :]], axis=1)
