"""Ctrl-C and SIGTERM. Both end a command by an exception, so that its files and processes are cleaned up."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

AGAIN = 0.1  # seconds after which SIGTERM is raised again, if a library has swallowed the exception


class Terminated(KeyboardInterrupt):
    """SIGTERM. Whatever handles Ctrl-C handles this too."""


def status_of(stop: KeyboardInterrupt) -> int:
    """The exit status that shells have for a program ended by that signal."""
    return 143 if isinstance(stop, Terminated) else 130


def words_for(stop: KeyboardInterrupt) -> str:
    """For the line on stderr."""
    return "stopped by SIGTERM" if isinstance(stop, Terminated) else "interrupted"


@contextmanager
def terminable() -> Iterator[None]:
    """Within it SIGTERM raises `Terminated`, also in long calls of the core, which look for signals.

    A program that calls the command line and has its own handler, or ignores SIGTERM, keeps that; and Python
    allows only the main thread to set a handler.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    handler = _Handler()
    signal.signal(signal.SIGTERM, handler)
    try:
        with _quiet_destructors():
            yield
    finally:
        handler.end()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def _quiet_destructors() -> Iterator[None]:
    """Python prints nothing about a `Terminated` that is lost in a destructor: it will be raised again."""
    before = sys.unraisablehook

    def report(lost: sys.UnraisableHookArgs) -> None:
        if not issubclass(lost.exc_type, Terminated):
            before(lost)

    sys.unraisablehook = report
    try:
        yield
    finally:
        sys.unraisablehook = before


def was_terminated() -> bool:
    """Whether SIGTERM has come."""
    handler = signal.getsignal(signal.SIGTERM)
    return isinstance(handler, _Handler) and handler.raised


class _Handler:
    """Raises `Terminated` until it is handled.

    Once is not enough: libraries that try optional imports catch all exceptions, and those in destructors
    are lost. While it is handled, SIGTERM is ignored: `timeout` and others send it twice, and the second must
    not interrupt the clean-up.
    """

    def __init__(self) -> None:
        self._lock, self._over, self.raised = threading.Lock(), threading.Event(), False

    def __call__(self, *_: object) -> None:
        if self._over.is_set() or _is_handled():
            return
        if not self.raised:
            self.raised = True
            _thread.start_new_thread(self._repeat, ())  # threading.Thread would take locks that may be held
        raise Terminated

    def end(self) -> None:
        """No signal is sent after this."""
        with self._lock:
            self._over.set()

    def _repeat(self) -> None:
        main = threading.main_thread().ident
        assert main is not None
        while not self._over.wait(AGAIN):
            with self._lock:
                if not self._over.is_set():
                    signal.pthread_kill(main, signal.SIGTERM)  # wakes it from any wait


def _is_handled() -> bool:
    """Whether this thread is in an `except` or `finally` that `Terminated` has led to."""
    error = sys.exception()
    while error is not None and not isinstance(error, Terminated):
        error = error.__context__
    return error is not None
