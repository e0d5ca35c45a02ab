"""A campaign from its plan to its results: what is left to do is found in the folder, done, and collected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import _cluster, _collect, _ledger, _plan
from ._campaign_bar import CampaignBar
from ._dispatch import Dispatch, Tell
from ._tasks import Task
from ._work import Home, Work, sample_spec


def carry_out(
    plan: _plan.Plan,
    folder: Path,
    *,
    cluster: Any,
    workers: int | None,
    progress: bool | None,
    work: Work = sample_spec,
) -> None:
    """Run what is not done, and collect the results; one campaign at a time in a folder."""
    _cluster.require()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _ledger.locked(folder / _ledger.LOCK):
            home = _plan.begin(folder, plan)
            left = [task for task in plan.tasks if _ledger.done(home.folder_of(task), task.steps) is None]
            if left:  # otherwise no cluster is needed
                with CampaignBar(progress, home, plan.tasks, left) as bar:
                    _run(home, left, cluster, workers, work, bar.show)
            _collect.collect(folder, plan.tasks)
    except _ledger.Busy:
        raise _cluster.CampaignError(f"out: another campaign is at work in {folder}") from None


def _run(home: Home, tasks: list[Task], cluster: Any, workers: int | None, work: Work, tell: Tell) -> None:
    with _cluster.connected(cluster, workers or min(_cluster.cores(), len(tasks))) as crew:
        _cluster.inspect(crew, home)
        Dispatch(crew, home, work, tell).run(tasks)
