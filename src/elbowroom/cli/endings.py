"""How a command ends: the exit status, and what went wrong in one line on stderr with what to do next."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

from cyclopts import CycloptsError, UnusedCliTokensError

from .complaint import Complaint

ERROR = 2
STOPPED = 130  # what shells have for a program that Ctrl-C has stopped
PIPE_CLOSED = 141  # and for one whose reader went away
STATUSES = (
    "Exit status: 0 for success; 1 for a collision, no path found, or an installation that is not sound; "
    "2 for an error; 130 after Ctrl-C; 141 if the output pipe was closed."
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
    if _reader_went_away(error):
        _silence()
        return PIPE_CLOSED
    if isinstance(error, KeyboardInterrupt):
        return stopped()
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


def _reader_went_away(error: BaseException | None) -> bool:
    """Also where rich or a command of ours has made something else of it."""
    while error is not None and not isinstance(error, BrokenPipeError):
        error = error.__cause__ or error.__context__
    return error is not None


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


def stopped() -> int:
    """By Ctrl-C."""
    _say("interrupted")
    return STOPPED


def complain(message: str) -> int:
    """One line on stderr, and the status of an error."""
    _say(message)
    return ERROR


def _note(message: Warning | str, *_: Any, **__: Any) -> None:
    """In place of Python's way to show a warning, which names a file and a line of the library."""
    _say(f"warning: {message}")


def _say(message: str) -> None:
    print("elbowroom: " + " ".join(message.split()), file=sys.stderr)
