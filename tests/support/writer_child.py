"""Goes through the writers in a process of its own, and makes each of them fail in several ways.

    writer_child.py FOLDER FULL NAME...

FOLDER is for the files. FULL is a folder on a small disk that may be filled up; if it is an empty text, a
full disk is pretended. The result is printed as JSON: for each writer and each way to fail, what was raised
or said, whether the old file is as it was, and which files there are.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from writers import WRITERS, CommandFailed, Writer, make_inputs

from elbowroom import _writing

SECONDS = 60  # for a writer that is to be killed


@contextmanager
def limited(size: int) -> Iterator[None]:
    """No file can be longer than this. Python ignores the signal, so that a write fails by EFBIG."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """No space is left on the disk of the folder, which must be a small one."""
    left, filler = os.statvfs(folder), folder / "filler"
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, left.f_bavail * left.f_frsize)
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def pretended(size: int) -> Iterator[None]:
    """The same for this process alone: files that the package writes have room for so many bytes."""
    room, write = [size], _writing._Raw.write

    def filling(self: Any, data: Any) -> int | None:
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._target)
        done = write(self, memoryview(data).cast("B")[: room[0]])
        room[0] -= done or 0
        return done

    _writing._Raw.write = filling
    try:
        yield
    finally:
        _writing._Raw.write = write


def killed(writer: Writer, file: Path, size: int) -> dict[str, Any]:
    """In a process that the kernel kills when it has written so many bytes, without a warning."""
    process = os.fork()
    if not process:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        signal.alarm(SECONDS)
        try:
            with limited(size):
                writer.write(file)
        finally:
            os._exit(0)
    _, status = os.waitpid(process, 0)
    return {"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}


def failed(write: Callable[[], Any]) -> dict[str, Any]:
    try:
        write()
    except CommandFailed as error:
        return {"raised": "CommandFailed", "said": str(error)}
    except Exception as error:
        name = getattr(error, "filename", None)
        return {"raised": "OSError" if isinstance(error, OSError) else repr(error), "said": str(name)}
    return {"raised": "nothing", "said": ""}


def tried(writer: Writer, folder: Path, full: Path | None) -> dict[str, Any]:
    """All ways to fail, one after the other, in one folder with one old file."""
    file = folder / writer.file
    writer.write(file)
    old = file.read_bytes()
    half = len(old) // 2
    out = {"killed": killed(writer, file, half)}
    note(out["killed"], file, old)
    with limited(half):
        out["limit"] = failed(lambda: writer.write(file))
    note(out["limit"], file, old)
    if full is not None:
        file = full / writer.file
        file.write_bytes(old)
    with pretended(half) if full is None else filled(full.parent):
        out["full"] = failed(lambda: writer.write(file))
    note(out["full"], file, old)
    return out


def note(outcome: dict[str, Any], file: Path, old: bytes) -> None:
    """What is left."""
    outcome["intact"] = file.read_bytes() == old
    outcome["files"] = sorted(path.name for path in file.parent.iterdir())
    outcome["file"] = str(file)


def draw_little() -> None:
    """Empty figures in place of those that take long to draw: what matters here is how they are written."""
    makers = {
        "elbowroom.pictures.reliability": "reliability_figure",
        "elbowroom.pictures.bvtt_pictures": "picture_figure",
        "elbowroom.pictures.sampling": "run_figure",
        "elbowroom.pictures.scaling": "scaling_figure",
        "elbowroom.planning.pictures": "path_figure",
    }
    for module, name in makers.items():
        setattr(import_module(module), name, lambda *_, **__: Figure(figsize=(1, 1)))


def main(folder: str, full: str, *names: str) -> None:
    """Write one line of JSON."""
    found, home = {}, Path(folder).resolve()
    os.chdir(home)
    make_inputs()
    draw_little()
    for number, name in enumerate(names):
        places = [base / str(number) for base in (home, Path(full)) if str(base) != "."]
        for place in places:
            place.mkdir()
        found[name] = tried(WRITERS[name], places[0], places[1] if full else None)
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
