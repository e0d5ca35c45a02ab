"""A progress display for work that is mostly over before anybody needs one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console

from .display import progress_display

#: Called with what is being done, and how much of how much is done of it.
Say = Callable[[str, int, int], None]

PATIENCE = 2.0  # seconds before anything is shown


@contextmanager
def patient_display(console: Console | None = None) -> Iterator[Say]:
    """A display on stderr that appears if the work takes longer than two seconds, on a terminal only.

    A timer shows it, so that it appears during a single long step too.
    """
    console = console or Console(stderr=True)
    display = progress_display(console)
    task = display.add_task("starting", total=None)
    timer = Timer(PATIENCE, display.start)
    timer.daemon = True
    if console.is_terminal:
        timer.start()
    try:
        yield lambda what, done, total: display.update(
            task, description=what, completed=done, total=total or None
        )
    finally:
        timer.cancel()
        if timer.ident is not None:
            timer.join()
        if display.live.is_started:  # one that was never shown would leave an empty line
            display.stop()
