"""Files that are there whole or not at all, whenever a process is killed, and locks that die with it."""

from __future__ import annotations

import errno
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

#: What a file is called until it is whole: .NAME.new
BEFORE, BEHIND = ".", ".new"


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """A file to write to; in the end it takes its place, in which meanwhile the old one is."""
    fresh = path.with_name(f"{BEFORE}{path.name}{BEHIND}")
    try:
        with fresh.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    os.replace(fresh, path)
    sync(path.parent)


def sync(folder: Path) -> None:
    """Sees the names in a folder to the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def sweep(folder: Path) -> None:
    """Removes what a killed process had begun to write."""
    for left in folder.glob(f"{BEFORE}*{BEHIND}"):
        left.unlink()


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Plain data as JSON."""
    text = json.dumps(plain(content), indent=1, allow_nan=False) + "\n"
    with written(path) as file:
        file.write(text.encode())


def plain(value: Any) -> Any:
    """The same with what JSON has: NaN is null, and infinity a text that float() understands."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


class Lock:
    """A file that one process at a time holds. When that ends, however it does, the kernel lets it go."""

    def __init__(self, path: Path) -> None:
        import fcntl  # not on every system, and only those who write need it

        self._file = path.open("ab")
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise
            raise BlockingIOError(error.errno, "another process holds it", str(path)) from None

    def release(self) -> None:
        """Lets others have it."""
        self._file.close()
