"""The bar of a run: steps a second, the share that is accepted, and the time that is left."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Self

import numpy as np
from numpy.typing import NDArray

from elbowroom._progress import Progress

INTERVAL = 0.1  # seconds between two looks


class Bar(Progress):
    """A bar on stderr: if it is asked for, or after two seconds on a terminal."""

    def __init__(self, asked: bool | None, what: str, total: int, done: int = 0) -> None:
        super().__init__(asked, what, total)
        self._steps, self._before, self._began = total, done, perf_counter()

    def __enter__(self) -> Self:
        return self

    def show(self, step: int, tallies: Callable[[], NDArray[np.int64]]) -> None:
        """So far it got; tallies() is (..., 3): tried, collided, accepted."""
        now = perf_counter()
        if now >= self._from:
            self(step, _told(step - self._before, self._steps - step, now - self._began, tallies()))
            self._from = max(self._from, now + INTERVAL)


def _told(done: int, left: int, seconds: float, tallies: NDArray[np.int64]) -> str:
    tried, _, accepted = tallies.reshape(-1, 3).sum(axis=0).tolist()
    rate = done / seconds if seconds > 0 else 0.0
    share = f", {100 * accepted / tried:.3g} % accepted" if tried else ""
    return f", {_short(rate)} steps per second{share}" + (f", {_time(left / rate)} left" if rate > 0 else "")


def _short(rate: float) -> str:
    """Three digits: 950, 12.3 k, 1.23 M."""
    for limit, unit in ((1e6, " M"), (1e3, " k")):
        if rate >= limit:
            return f"{rate / limit:.3g}{unit}"
    return f"{rate:.3g}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
