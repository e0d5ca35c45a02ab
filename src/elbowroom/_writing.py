"""The only place where files are created or replaced.

A file is written under a temporary name in the folder of its target, brought to the disk, and renamed. The
target therefore holds its old content or all of the new content, whatever happens in between: an error, a
full disk, a killed process, a machine that stops. Two processes that write the same file do not disturb each
other; the file is that of the process which finished last.

The rest is as with `open`: symbolic links are followed, a new file gets the permissions that the umask
leaves, an existing file keeps its own, and a read-only file is refused. Devices, pipes and the output of this
process cannot be replaced and are written directly. Other hard links to an old file keep the old content.

Files that grow while a process runs have rules of their own and are not written here. They are listed, with
the reasons, in tests/files/test_direct_writes.py, which finds every direct write in the package.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

Name = str | os.PathLike[str]

#: A temporary file is called .NAME.elbowroom-RANDOM.new, with so many characters of the target's name: the
#: whole must not be longer than file systems allow.
MARK, END, SHOWN = ".elbowroom-", ".new", 50
#: Seconds since the last change after which a temporary file is old: it is removed also where files cannot be
#: locked, and also when a file of another name is written.
OLD = 86400.0
_writers: set[object] = set()


def write_text(path: Name, text: str | Iterable[str]) -> None:
    """Creates or replaces a text file, in UTF-8, from a text or from pieces of it."""
    with replacing(path) as file:
        file.writelines(piece.encode() for piece in ([text] if isinstance(text, str) else text))


def write_bytes(path: Name, content: bytes) -> None:
    """Creates or replaces a binary file."""
    with replacing(path) as file:
        file.write(content)


@contextmanager
def replacing(path: Name) -> Iterator[BinaryIO]:
    """A binary file to write to, which becomes the file at `path` at the end of the block.

    If the block or the disk fails, the temporary file is removed and the old file is left as it was.

    Raises
    ------
    OSError
        If the file cannot be written; it names `path`.
    """
    name = os.fspath(path)
    old = _status(name)
    direct = None if old is None else _direct(name, old)
    if direct is not None:
        with io.BufferedWriter(direct) as file:
            yield file
        return
    target = os.path.realpath(name)
    folder, last = os.path.split(target)
    with suppress(OSError):
        sweep(folder, last)
    with _unfinished():
        made: list[str] = []
        try:
            raw = _temporary(name, target, old, made)
            with io.BufferedWriter(raw) as file:
                yield file
                file.flush()
                with _naming(name):
                    os.fsync(file.fileno())
                    os.replace(raw.name, target)  # before the lock goes, which closing the file releases
        except BaseException:
            for temporary in made:
                with suppress(OSError):
                    os.unlink(temporary)
            raise
    with _naming(name):
        sync(folder)


def wait_for_writers(seconds: float) -> None:
    """Returns when no thread is writing a file, or after so many seconds; for processes that then exit."""
    until = time.monotonic() + seconds
    while _writers and time.monotonic() < until:
        time.sleep(0.001)


@contextmanager
def _unfinished() -> Iterator[None]:
    """There may be a temporary file of this thread."""
    writer = object()
    _writers.add(writer)
    try:
        yield
    finally:
        _writers.discard(writer)


def refuse_unwritable(path: Name) -> None:
    """OSError if `path` can be seen not to be writable, before time is spent on what goes into it."""
    name = os.fspath(path)
    old = _status(name)
    if old is not None and stat.S_ISDIR(old.st_mode):
        raise _error(errno.EISDIR, name)
    if old is not None and not os.access(name, os.W_OK):
        raise _error(errno.EACCES, name)
    if old is None or stat.S_ISREG(old.st_mode):
        folder = os.path.dirname(os.path.realpath(name))
        if not os.path.isdir(folder):
            raise _error(errno.ENOENT, name, "its folder does not exist")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise _error(errno.EACCES, name, "its folder is not writable")


def sync(folder: Name) -> None:
    """Brings the names in a folder to the disk, where the file system can do that."""
    try:
        opened = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return  # files can be made in a folder that cannot be read
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EBADF, errno.ENOTSUP):
            raise
    finally:
        os.close(opened)


def sweep(folder: Name, name: str | None = None) -> None:
    """Removes the temporary files of processes that were killed.

    Without a `name` these are all in the folder. With one they are those of that file, and all old ones.
    """
    own = "." if name is None else f".{name[:SHOWN]}{MARK}"
    with os.scandir(folder) as entries:
        found = [each for each in entries if each.name.startswith(".") and each.name.endswith(END)]
    for each in found:
        with suppress(OSError):
            if each.name.startswith(own) or (MARK in each.name and _is_old(os.stat(each.path))):
                _remove_abandoned(each.path)


def _status(name: str) -> os.stat_result | None:
    """Of the file that a name leads to; None if there is none yet."""
    try:
        return os.stat(name)
    except FileNotFoundError:
        if not name:
            raise
        return None


def _direct(name: str, old: os.stat_result) -> _Raw | None:
    """The file itself, if it is none that can be replaced."""
    if not stat.S_ISREG(old.st_mode):
        return _Raw(name, "wb", target=name)
    for stream in (1, 2):  # the shell may have sent the output of this process to a file
        with suppress(OSError):
            if os.path.samestat(old, os.fstat(stream)):
                if sys.stdout is not None:
                    sys.stdout.flush()
                return _Raw(os.dup(stream), "wb", target=name)
    return None


def _temporary(name: str, target: str, old: os.stat_result | None, made: list[str]) -> _Raw:
    """A new file beside the target, with its permissions and a lock on it.

    Its name is in `made` before it exists: an exception, such as Ctrl-C, can come at any point.
    """
    refuse_unwritable(name)
    folder, last = os.path.split(target)
    mode = 0o666 if old is None else stat.S_IMODE(old.st_mode)
    while True:
        fresh = os.path.join(folder, f".{last[:SHOWN]}{MARK}{os.urandom(8).hex()}{END}")
        made.append(fresh)
        with _naming(name):
            raw = _Raw(fresh, "xb", target=name, opener=lambda path, flags: os.open(path, flags, mode))
        _lock(raw.fileno(), wait=True)
        if os.path.lexists(fresh):
            break
        raw.close()  # another process has removed the file before it was locked
    if old is not None:
        _inherit(raw.fileno(), old)
    return raw


def _inherit(file: int, old: os.stat_result) -> None:
    """The permissions of a file and, if this process may give it away, its owner and group."""
    for owner, group in ((old.st_uid, -1), (-1, old.st_gid)):
        with suppress(OSError):
            os.fchown(file, owner, group)
    with suppress(OSError):  # some file systems have none
        os.fchmod(file, stat.S_IMODE(old.st_mode))


def _remove_abandoned(path: str) -> None:
    """Removes a temporary file unless the process that writes it holds its lock."""
    file = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    try:
        if _lock(file, wait=False):
            os.unlink(path)
    finally:
        os.close(file)


def _lock(file: int, *, wait: bool) -> bool:
    """Locks a temporary file until it is closed; False if another process writes it.

    Where files cannot be locked, a process is taken to write its file no longer when that is old.
    """
    try:
        import fcntl  # not on every system

        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return _is_old(os.fstat(file))
    return True


def _is_old(status: os.stat_result) -> bool:
    return time.time() - status.st_mtime > OLD


class _Raw(io.FileIO):
    """A file whose errors name the target, instead of a temporary file or nothing."""

    def __init__(self, file: str | int, mode: str, *, target: str, opener: Any = None) -> None:
        super().__init__(file, mode, opener=opener)
        self._target = target

    def write(self, data: Any) -> int | None:  # type: ignore[override]
        with _naming(self._target):
            return super().write(data)


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Errors of the system name the file that was asked for."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error


def _error(number: int, name: str, reason: str | None = None) -> OSError:
    return OSError(number, reason or os.strerror(number), name)
