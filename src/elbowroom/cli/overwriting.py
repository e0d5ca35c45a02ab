"""Files that commands write: what is overwritten is said."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from elbowroom import _writing


@contextmanager
def overwriting(file: Path | None) -> Iterator[None]:
    """Say on stderr if there was such a file before and the block has replaced it."""
    before = _seen(file)
    yield
    if before is not None and _seen(file) != before:
        print(f"elbowroom: overwrote '{file}'", file=sys.stderr)


def _seen(file: Path | None) -> tuple[int, int] | None:
    """What differs between a file and one that takes its place; None if there is no file."""
    if file is None or not file.is_file():
        return None
    status = file.stat()
    return status.st_ino, status.st_ctime_ns


def write_page(file: Path, page: str) -> None:
    """Create or replace an HTML file."""
    with overwriting(file):
        _writing.write_text(file, page)
