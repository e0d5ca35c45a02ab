"""Hands tasks to workers, and takes them up again when workers are lost."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import Any
from uuid import uuid4

from . import ledger as _ledger
from .cluster import CampaignError, Crew
from .tasks import Task
from .work import Home, Report, Unfit, Work, run_batch

MOST = 16  # tasks of a batch: how many a worker that dies can have held up
#: After so many times that the scheduler gave a task up because its workers died, without a checkpoint in
#: between, the task is to blame. The scheduler itself tries several workers each time.
LOSSES = 3
MOMENT = 0.2  # seconds between two looks at the workers while nothing comes back
FETCH = 2.0  # seconds that reports may take to come from a worker
GONE = 300.0  # seconds without any worker, or without the scheduler, after which the campaign gives up

#: Told the reports so far, the tasks that are out, and how many workers there are.
Tell = Callable[[Mapping[str, Report], Sequence[Task], int], None]


class Dispatch:
    """The tasks that are waiting, those that are out, and the reports."""

    def __init__(self, crew: Crew, home: Home, work: Work, tell: Tell) -> None:
        self._crew, self._client = crew, crew.client
        self._home, self._work, self._tell = home, work, tell
        self._waiting: deque[Task] = deque()
        self._suspects: deque[Task] = deque()  # their workers were lost: sent last, one by one
        self._out: dict[Any, list[Task]] = {}
        self._back: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._losses: dict[str, int] = {}  # in a row, without getting on
        self._trails: dict[str, int] = {}  # how far they were when they were sent
        self._seen = time.monotonic()  # when there was a worker
        self.reports: dict[str, Report] = {}

    def run(self, tasks: Sequence[Task]) -> dict[str, Report]:
        """How it went with every task."""
        self._waiting.extend(tasks)
        try:
            while self._waiting or self._suspects or self._out:
                threads = self._threads()
                self._send(threads)
                self._take()
                self._tell(self.reports, [task for batch in self._out.values() for task in batch], threads)
        finally:
            if self._out and self._client.status == "running":
                self._client.cancel(list(self._out), force=True)
        return self.reports

    def _threads(self) -> int:
        """How many tasks can be worked on at once; nothing for long is an error."""
        threads, now = self._crew.threads(), time.monotonic()
        if threads:
            self._seen = now
        elif self._client.status == "closed":
            raise CampaignError("cluster: the scheduler is gone; start the campaign again to continue")
        elif now - self._seen > GONE:
            raise CampaignError("cluster: all workers are gone; start the campaign again to continue")
        return threads

    def _send(self, threads: int) -> None:
        """One batch for every thread and no more, so that none waits behind a long one."""
        while (self._waiting or self._suspects) and len(self._out) < threads:
            batch = self._batch(threads) if self._waiting else [self._suspects.popleft()]
            self._trails |= {task.name: _ledger.trail(self._home.folder_of(task)) for task in batch}
            key = f"elbowroom-{uuid4().hex}"
            future = self._client.submit(run_batch, self._home, batch, self._work, key=key, pure=False)
            self._expect(future, batch)

    def _expect(self, future: Any, batch: list[Task]) -> None:
        self._out[future] = batch
        future.add_done_callback(self._back.put)

    def _batch(self, threads: int) -> list[Task]:
        """A part of what waits: the last ones go one by one, lest a worker idles while another has many."""
        size = min(MOST, max(1, len(self._waiting) // (4 * threads)))
        return [self._waiting.popleft() for _ in range(size)]

    def _take(self) -> None:
        """Wait a moment for a batch that is back, and see what became of it."""
        try:
            future = self._back.get(timeout=MOMENT)
        except queue.Empty:
            return
        batch, status = self._out.pop(future), future.status
        if status == "finished":
            self._fetch(future, batch)
        elif status == "error":
            self._broken(batch, future.exception())
        elif status in ("pending", "lost"):  # its result was lost with a worker, and it is being run again
            time.sleep(MOMENT)
            self._expect(future, batch)
        else:  # cancelled: the scheduler was lost and may be found again
            self._waiting.extendleft(reversed(batch))

    def _fetch(self, future: Any, batch: list[Task]) -> None:
        """Not for ever: if the worker has just died, somebody must see to it that there is another."""
        try:
            reports = future.result(timeout=FETCH)
        except TimeoutError:
            self._expect(future, batch)
        except CancelledError:
            self._waiting.extendleft(reversed(batch))
        except Exception as error:  # as it would have come back
            self._broken(batch, error)
        else:
            self._returned(batch, reports)

    def _returned(self, batch: list[Task], reports: Sequence[Report]) -> None:
        tasks = {task.name: task for task in batch}
        for report in reports:
            task = tasks.pop(report.task)
            if report.status == "busy":
                self._waiting.append(task)
            else:
                self.reports[task.name] = report
        self._waiting.extendleft(reversed(tasks.values()))  # the time was up before these

    def _broken(self, batch: list[Task], error: BaseException) -> None:
        from distributed import KilledWorker

        if isinstance(error, Unfit):
            raise CampaignError(f"cluster: {error}") from None
        if not isinstance(error, KilledWorker):
            raise CampaignError(f"cluster: a worker cannot take part: {error!r}") from error
        for task in batch:
            self._lost(task, alone=len(batch) == 1)

    def _lost(self, task: Task, alone: bool) -> None:
        """A worker that died with a task in hand: try again, unless it is the task that kills them."""
        folder = self._home.folder_of(task)
        stuck = _ledger.trail(folder) == self._trails[task.name]
        self._losses[task.name] = self._losses.get(task.name, 0) + alone if stuck else 0
        if self._losses[task.name] < LOSSES:
            self._suspects.append(task)
            return
        message = "its workers died repeatedly without progress: killed, out of memory, or crashed"
        _ledger.fail(folder, message)
        self.reports[task.name] = Report(task.name, "failed", message)
