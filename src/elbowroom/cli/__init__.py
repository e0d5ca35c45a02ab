"""The command line, `elbowroom`. Its libraries are imported when a command needs them, not before."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 1 for a collision found, 2 for an error.

    130 if it was stopped by Ctrl-C, 141 if what read its output went away.
    """
    try:
        from .app import run
    except ModuleNotFoundError as missing:
        name = missing.name
        print(
            f"elbowroom: the command line needs {name}, which is not installed: pip install {name}",
            file=sys.stderr,
        )
        return 2
    except KeyboardInterrupt:
        print("elbowroom: interrupted", file=sys.stderr)
        return 130
    return run(sys.argv[1:] if arguments is None else list(arguments))
