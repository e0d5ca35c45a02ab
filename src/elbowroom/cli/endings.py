"""How a command ends: the exit status, and what went wrong in one line on stderr with what to do next."""

from __future__ import annotations

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from cyclopts import CycloptsError, UnusedCliTokensError

from .complaint import Complaint
from .stopping import Terminated, status_of, was_terminated, words_for

Kind = TypeVar("Kind", bound=BaseException)

ERROR = 2
PIPE_CLOSED = 141  # what shells have for a program whose reader went away
STATUSES = (
    "Exit status: 0 for success; 1 for a collision, no path found, or an installation that is not sound; "
    "2 for an error; 130 after Ctrl-C; 141 if the output pipe was closed; 143 after SIGTERM."
)


def ended(command: Callable[[], Any]) -> int:
    """Run it, and return its exit status.

    Status 1 says "collision", so no error at all may end in Python's own status 1 for a traceback.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("default", UserWarning)
        warnings.showwarning = _note
        try:
            status = int(command() or 0)
            _flush()
            return status
        except (KeyboardInterrupt, SystemExit, Exception) as error:
            return _failed(error)


def _failed(error: BaseException) -> int:
    if _behind(error, BrokenPipeError) is not None:
        _silence()
        return PIPE_CLOSED
    if (stop := _behind(error, KeyboardInterrupt)) is not None:
        return stopped(stop)
    if was_terminated():  # a library that has swallowed the exception may fail later in any way
        return stopped(Terminated())
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else complain(error.code) if error.code else 0
    if os.environ.get("ELBOWROOM_TRACEBACK"):
        traceback.print_exception(error)
    return complain(_words(error))


def _words(error: BaseException) -> str:
    """What went wrong, and what to do next."""
    if isinstance(error, Complaint):
        return str(error)
    if isinstance(error, CycloptsError):
        return _misread(error)
    if isinstance(error, MemoryError):
        return f"out of memory ({str(error) or 'allocation failed'}); use fewer or smaller inputs"
    if isinstance(error, OSError) and error.strerror:
        where = f" '{error.filename}'" if error.filename else ""
        return f"cannot read or write{where}: {error.strerror}"
    return (
        f"unexpected {type(error).__name__}: {error}; `elbowroom doctor` checks the installation, "
        "ELBOWROOM_TRACEBACK=1 shows the traceback"
    )


def _misread(error: CycloptsError) -> str:
    """Arguments that make no command."""
    said = " ".join(str(error).split()).removesuffix(".")
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        said = f"too many arguments: {' '.join(error.unused_tokens)}"
    asked = " ".join(["elbowroom", *(error.command_chain or ()), "--help"])
    return f"{said}{'' if said.endswith('?') else ';'} see `{asked}`"


def _behind(error: BaseException | None, kind: type[Kind]) -> Kind | None:
    """The error of this kind that another library, or a command of ours, has made something else of."""
    while error is not None and not isinstance(error, kind):
        error = error.__cause__ or error.__context__
    return error


def _flush() -> None:
    """Here rather than when Python ends, where errors are tracebacks."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        _silence()
        raise


def _silence() -> None:
    """Nothing more can be written: what is left must not be tried again when Python ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # stdout is not a file


def stopped(stop: KeyboardInterrupt, advice: str = "") -> int:
    """One line on stderr, with what to do next, and the status for Ctrl-C or SIGTERM."""
    if isinstance(stop, Terminated):  # it has arrived: it is not to be raised once more
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print(f"elbowroom: {words_for(stop)}" + (f"; {advice}" if advice else ""), file=sys.stderr)
    return status_of(stop)


def complain(message: str) -> int:
    """One line on stderr, and the status of an error."""
    _say(message)
    return ERROR


def _note(message: Warning | str, *_: Any, **__: Any) -> None:
    """In place of Python's way to show a warning, which names a file and a line of the library."""
    _say(f"warning: {message}")


def _say(message: str) -> None:
    print("elbowroom: " + " ".join(message.split()), file=sys.stderr)
