"""The command line, `elbowroom`. Its libraries are imported when a command needs them, not before."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .stopping import status_of, terminable, words_for

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 1 for a collision found, 2 for an error.

    130 if it was stopped by Ctrl-C, 143 by SIGTERM, 141 if what read its output went away.
    """
    try:
        with terminable():
            return _run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt as stop:  # while the libraries are imported, or after the command
        print(f"elbowroom: {words_for(stop)}", file=sys.stderr)
        return status_of(stop)


def _run(arguments: list[str]) -> int:
    try:
        from .app import run
    except ModuleNotFoundError as missing:
        name = missing.name
        print(
            f"elbowroom: the command line needs {name}, which is not installed: pip install {name}",
            file=sys.stderr,
        )
        return 2
    return run(arguments)
