"""A bar on stderr once something takes longer than two seconds, on a terminal."""

from __future__ import annotations

import sys
from time import perf_counter

PATIENCE, PERIOD, WIDTH = 2.0, 0.2, 40


class Bar:
    """Call it with what is done; `end` takes the bar away."""

    def __init__(self, total: float) -> None:
        self._total, self._next = max(total, 1), perf_counter() + PATIENCE
        self._on, self._shown = sys.stderr.isatty(), False

    def __call__(self, done: float, doing: str) -> None:
        """Shows how much is done."""
        if self._on and perf_counter() >= self._next:
            self._next, self._shown = perf_counter() + PERIOD, True
            part = min(1.0, done / self._total)
            bar = ("#" * round(WIDTH * part)).ljust(WIDTH)
            print(f"\r[{bar}] {part:4.0%} {doing[:40]:40}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clears the line."""
        if self._shown:
            print("\r" + " " * (WIDTH + 50) + "\r", end="", file=sys.stderr, flush=True)
