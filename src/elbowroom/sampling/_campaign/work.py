"""What the workers of a campaign do. They keep nothing: an order says it all, and the folders remember.

A worker that dies may be replaced by any other, which finds in the folder of a task whether it is done, and
if not the checkpoint to go on from.
"""

from __future__ import annotations

import os
import shutil
import socket
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from elbowroom._core import isa

from . import ledger as _ledger
from .ledger import Facts
from .tasks import Task

#: Runs a task's spec in a folder, from the start or from its checkpoint, and says what came of it.
Work = Callable[[dict[str, Any], Path, bool], Facts]

#: Seconds after which a worker hands back what it has of a batch. Short tasks go in batches because a round
#: to the scheduler and back takes some ten milliseconds; long ones must not keep others waiting.
SLICE = 0.5
#: Seconds to wait for a task that somebody else is at: a worker of a campaign that was killed a moment ago.
PATIENCE = 1.0


@dataclass(frozen=True)
class Home:
    """What a worker must know of a campaign: where it lies, which it is, and the software it is run by."""

    folder: str
    identity: str
    version: str
    isa: str

    def folder_of(self, task: Task) -> Path:
        """Where the task's files are."""
        return Path(self.folder, "tasks", task.name)


@dataclass(frozen=True)
class Report:
    """How it went with a task: done, failed (with the message), or busy: somebody else is at it."""

    task: str
    status: str
    message: str = ""


class Unfit(Exception):
    """A worker that cannot take part; no other task would fare better on it."""


def sample_spec(spec: dict[str, Any], folder: Path, resume: bool) -> Facts:
    """The work of a task: one run of `sample`."""
    from ..spec import Spec
    from .facts import facts_of

    return facts_of(Spec.from_dict(spec).run(folder, resume=resume, progress=False, threads=1))


def run_batch(home: Home, tasks: Sequence[Task], work: Work) -> list[Report]:
    """Tasks one after another until the time is up; those without a report have not been touched."""
    if trouble := trouble_here(home):
        raise Unfit(trouble)
    reports, until = [], time.monotonic() + SLICE
    for task in tasks:
        reports.append(run_task(home.folder_of(task), task, work))
        if time.monotonic() > until:
            break
    return reports


def trouble_here(home: Home) -> str:
    """Why this process cannot work for the campaign, or nothing."""
    here = f"the worker on {socket.gethostname()} (process {os.getpid()})"
    own = version("elbowroom")
    if own != home.version:
        return f"{here} has elbowroom {own}, the campaign {home.version}: install the same"
    if isa != home.isa:
        return (
            f"{here} computes with {isa} instructions, the campaign with {home.isa}: results would differ in "
            f"the last bits; set ELBOWROOM_ISA to the same for all"
        )
    found = _ledger.read(Path(home.folder, _ledger.CAMPAIGN))
    if found is None or found["identity"] != home.identity:
        return (
            f"{here} does not see the campaign's folder {home.folder}: "
            "it must lie on a file system that all workers share, under the same path"
        )
    if not os.access(home.folder, os.W_OK):
        return f"{here} may not write in the campaign's folder {home.folder}"
    return ""


def run_task(folder: Path, task: Task, work: Work) -> Report:
    """Finish a task, if it is not finished, from where it stands. Its errors are told, not raised."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _ledger.locked(folder / _ledger.LOCK, PATIENCE):
            if _ledger.done(folder, task.steps) is None:
                _take_up(folder, task, work)
    except _ledger.Busy:
        return Report(task.name, "busy")
    except Exception as error:  # of any kind: the other tasks go on, and this one's message is told
        return Report(task.name, "failed", _failed(folder, error))
    return Report(task.name, "done")


def _take_up(folder: Path, task: Task, work: Work) -> None:
    facts = {"parameters": task.parameters, "replica": task.replica, "seed": task.seed}
    resume = _ledger.begin(folder, facts)
    run = folder / _ledger.RUN
    if not resume:  # what a run left that was killed before its first checkpoint
        shutil.rmtree(run, ignore_errors=True)
    _ledger.finish(folder, work(task.spec, run, resume))


def _failed(folder: Path, error: Exception) -> str:
    """Note the failure where it can be noted: the disk may be what failed."""
    said = str(error) or repr(error)
    message = said if isinstance(error, ValueError) else f"{type(error).__name__}: {said}"
    with suppress(OSError):
        _ledger.fail(folder, message, traceback.format_exc())
    return message
