"""A campaign from its plan to its results: what is left to do is found in the folder, done, and collected."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from . import cluster as _cluster
from . import ledger as _ledger
from .bar import CampaignBar
from .dispatch import Dispatch, Tell
from .tasks import Task
from .work import Home, Work, sample_spec

SIGHT = 120.0  # seconds until a file that another machine wrote must be seen


class Tasks(Protocol):
    """What is to be done: the tasks of a plan, and what they are counted by."""

    @property
    def tasks(self) -> list[Task]: ...

    @property
    def unit(self) -> str: ...

    def begin(self, folder: Path) -> Home:
        """Keep the plan in the folder, unless another lies there."""

    def collect(self, folder: Path) -> None:
        """Write the results of the tasks that are done as one."""


def carry_out(
    plan: Tasks,
    folder: Path,
    *,
    cluster: Any,
    workers: int | None,
    progress: bool | None,
    security: Any = None,
    work: Work = sample_spec,
) -> None:
    """Run what is not done, and collect the results; one campaign at a time in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _ledger.locked(folder / _ledger.LOCK):
            home = plan.begin(folder)
            left = [task for task in plan.tasks if _ledger.done(home.folder_of(task), task.steps) is None]
            if left:  # otherwise no cluster is needed
                count = workers or min(_cluster.cores(), len(left))
                with (
                    CampaignBar(progress, home, plan, left) as bar,
                    _cluster.connected(cluster, count, security) as crew,
                ):
                    _run(crew, home, left, work, bar.show)
            plan.collect(folder)
    except _ledger.Busy:
        raise _cluster.CampaignError(f"out: another campaign is running in {folder}") from None


def _run(crew: _cluster.Crew, home: Home, tasks: list[Task], work: Work, tell: Tell) -> None:
    _cluster.inspect(crew, home)
    reports = Dispatch(crew, home, work, tell).run(tasks)
    _see(home, [task for task in tasks if reports[task.name].status == "done"])


def _see(home: Home, tasks: list[Task]) -> None:
    """Wait until what the workers wrote is seen here: shared file systems may take half a minute for it.

    To read a folder makes them look again, while a file that was not there a moment ago is taken for missing.
    """
    until = time.monotonic() + SIGHT
    for task in tasks:
        folder = home.folder_of(task)
        while _ledger.done(folder, task.steps) is None:
            if time.monotonic() > until:
                told = (
                    f"out: {folder} has no {_ledger.DONE} after {SIGHT:g} s, though a worker has finished it"
                )
                raise _cluster.CampaignError(told)
            for outer in (folder.parent.parent, folder.parent, folder):
                with suppress(OSError):
                    os.listdir(outer)
            time.sleep(0.1)
