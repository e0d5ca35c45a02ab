"""Objects that a signal must not leave half made, because only whole ones can be closed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TypeVar

Thing = TypeVar("Thing")


@contextmanager
def made_whole(make: Callable[[], AbstractContextManager[Thing]]) -> Iterator[Thing]:
    """As `with make()`, but Ctrl-C and SIGTERM wait until the object is made; it is then closed as always.

    A scheduler or client of dask that is interrupted in its constructor goes on in a thread of its own. It
    then delays the end of the program, and complains that its folder is gone.
    """
    with ExitStack() as stack:
        with _signals_later():
            thing = stack.enter_context(make())
        yield thing


@contextmanager
def _signals_later() -> Iterator[None]:
    """Handlers written in Python run after the block; Python runs them in the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, lambda came_now, _: came.append(came_now))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for each in dict.fromkeys(came):
        signal.raise_signal(each)
