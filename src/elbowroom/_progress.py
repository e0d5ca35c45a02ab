"""A bar on stderr while something works: if it is asked for, or after two seconds on a terminal."""

from __future__ import annotations

import math
import sys
from time import perf_counter
from types import TracebackType
from typing import Any

PATIENCE = 2.0  # seconds before anything is shown unasked


class Progress:
    """Shows how much of how much is done.

    `asked`: True, at once; False, never; None, once it takes long, on a terminal.
    """

    def __init__(self, asked: bool | None, what: str, total: int | None) -> None:
        self._what, self._total = what, total
        self._display: Any = None
        self._task: Any = None
        unasked = sys.stderr is not None and sys.stderr.isatty()
        shown = unasked if asked is None else bool(asked)
        self._from = perf_counter() + (PATIENCE if asked is None else 0.0) if shown else math.inf

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._display is not None:
            self._display.stop()

    def __call__(self, done: int, told: str = "") -> None:
        """So much is done; cheap while nothing is shown."""
        if perf_counter() < self._from:
            return
        if self._display is None:
            self._start()
        if self._display is not None:
            self._display.update(self._task, completed=done, description=f"{self._what}{told}")

    def _start(self) -> None:
        from rich.console import Console  # takes a while to import

        from elbowroom.cli.display import progress_display

        console = Console(stderr=True)
        if not (console.is_terminal or console.is_jupyter):  # a file gets no bar
            self._from = math.inf
            return
        self._display = progress_display(console)
        self._task = self._display.add_task(self._what, total=self._total)
        self._display.start()
