"""What is done and what is not: files in the folders of the tasks, each there whole or not at all.

    campaign.json                the campaign: what was asked, and an identity that workers look for
    tasks/<set>/<replica>/
        task.json                begun: parameters, seed, and how often it was taken up
        done.json                finished: steps, seconds, moves and estimates
        failed.json              came to nothing: the message
        run/                     the folder of `sample`, with its own checkpoints
        lock                     held by the process that is at it

Why files and not a database. Every fact stands beside what it is about and is written by the process that
made it so, by a rename after the data is on the disk; so nobody can be killed between doing a thing and
having it recorded elsewhere, and there are no two records that could contradict each other. A database would
have to be written over the network by many machines, which SQLite advises against, or by the campaign alone,
which may be the one that is killed. Locks are the kernel's: those of a killed process are free at once.
"""

from __future__ import annotations

import errno
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .._disk.checkpoint import LENGTH, MAGIC
from .._disk.json_file import write_json
from .._disk.layout import CHECKPOINT
from .._disk.lock import Lock

CAMPAIGN, TASK, DONE, FAILED, LOCK, RUN = (
    "campaign.json",
    "task.json",
    "done.json",
    "failed.json",
    "lock",
    "run",
)
Facts = dict[str, Any]


class Busy(Exception):
    """Somebody else holds a lock."""


def read(path: Path) -> Facts | None:
    """A file of JSON, or None where there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        facts: Facts = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged: {error}") from None
    return facts


@contextmanager
def locked(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Hold a lock; Busy if somebody else still holds it after so many seconds."""
    until, pause = time.monotonic() + patience, 0.01
    while (lock := _lock(path)) is None:
        if time.monotonic() >= until:
            raise Busy(str(path))
        time.sleep(pause)
        pause = min(2 * pause, 0.2)
    try:
        yield
    finally:
        lock.release()


def _lock(path: Path) -> Lock | None:
    try:
        return Lock(path)
    except BlockingIOError:
        return None
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):
            raise
        message = "the file system cannot lock files; mount it with locks"
        raise OSError(error.errno, message, str(path.parent)) from None


def begin(folder: Path, facts: Facts) -> bool:
    """Note that a task is taken up, and forget that it once failed; is there something to go on with?"""
    before = read(folder / TASK) or {}
    write_json(folder / TASK, facts | {"attempts": int(before.get("attempts", 0)) + 1})
    (folder / FAILED).unlink(missing_ok=True)
    return (folder / RUN / CHECKPOINT).exists()


def finish(folder: Path, facts: Facts) -> None:
    """Note that a task is done."""
    write_json(folder / DONE, facts)


def fail(folder: Path, message: str, trace: str = "") -> None:
    """Note that a task came to nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / FAILED, {"error": message, "trace": trace})


def done(folder: Path, steps: int) -> Facts | None:
    """The facts of a task that has taken so many steps, or None."""
    facts = read(folder / DONE)
    return facts if facts is not None and facts["steps"] >= steps else None


def status(folder: Path, steps: int) -> tuple[str, Facts]:
    """One of done, failed, begun and waiting; and what is known of the task."""
    begun = read(folder / TASK) or {}
    if (facts := done(folder, steps)) is not None:
        return "done", begun | facts
    if (facts := read(folder / FAILED)) is not None:
        return "failed", begun | facts
    return ("begun" if begun else "waiting"), begun


def steps(folder: Path) -> int:
    """How far the checkpoint of a task is, by its head alone; 0 if there is none."""
    try:
        with (folder / RUN / CHECKPOINT).open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                return 0
            (length,) = LENGTH.unpack(file.read(LENGTH.size))
            return int(json.loads(file.read(length))["step"])
    except FileNotFoundError:
        return 0


def trail(folder: Path) -> int:
    """Grows whenever a task gets on: the time of its last checkpoint, in nanoseconds, or 0."""
    try:
        return (folder / RUN / CHECKPOINT).stat().st_mtime_ns
    except OSError:
        return 0
