"""Locks between processes, which end with the process that holds them."""

from __future__ import annotations

import errno
from pathlib import Path


class Lock:
    """A file that one process at a time holds. The kernel frees it when the process ends, in any way."""

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
