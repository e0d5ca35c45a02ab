"""The bar of a campaign: steps of all tasks, tasks that are done, workers, and the time that is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any, Self

from elbowroom._progress import Progress

from .._walk.progress import _short, _time
from . import ledger as _ledger
from .tasks import Task
from .work import Home, Report

INTERVAL = 1.0  # seconds between two looks, or more if looking takes long: it reads a file for each task
SHARE = 20.0


class CampaignBar(Progress):
    """A bar on stderr: if it is asked for, or after two seconds on a terminal."""

    def __init__(self, asked: bool | None, home: Home, plan: Any, left: Sequence[Task]) -> None:
        tasks, self._unit = plan.tasks, plan.unit
        total = sum(task.steps for task in tasks)
        super().__init__(asked, self._unit, total)
        self._home, self._steps = home, {task.name: task.steps for task in left}
        self._all, self._count, self._before = total, len(tasks), len(tasks) - len(left)
        self._began, self._first = perf_counter(), -1

    def __enter__(self) -> Self:
        return self

    def show(self, reports: Mapping[str, Report], out: Iterable[Task], threads: int) -> None:
        """So far it got: what is back, and which tasks are being worked on, by so many workers."""
        began = perf_counter()
        if began < self._from:
            return
        done = {name for name, report in reports.items() if report.status == "done"}
        waiting = sum(steps for name, steps in self._steps.items() if name not in done)
        steps = self._all - waiting + sum(_ledger.steps(self._home.folder_of(task)) for task in out)
        self(steps, self._told(steps, len(done), len(reports) - len(done), threads))
        now = perf_counter()
        self._from = now + max(INTERVAL, SHARE * (now - began))

    def _told(self, steps: int, done: int, failed: int, threads: int) -> str:
        if self._first < 0:
            self._first, self._began = steps, perf_counter()
        seconds = perf_counter() - self._began
        rate = (steps - self._first) / seconds if seconds > 0 else 0.0
        parts = [f"{self._before + done} of {self._count} tasks"]
        parts += [f"{failed} failed"] if failed else []
        parts += [f"{threads} worker{'s' * (threads != 1)}" if threads else "waiting for workers"]
        parts += (
            [f"{_short(rate)} {self._unit} per second, {_time((self._all - steps) / rate)} left"]
            if rate > 0
            else []
        )
        return f", {', '.join(parts)}"
