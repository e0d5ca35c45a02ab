"""Workers on this machine: processes started for a campaign, replaced when they die, and ended with it.

They are programs of their own, not children of `multiprocessing` as those of dask's LocalCluster are. Those
would run the script that started the campaign once more, unless it guards against it, and would not be
replaced if they die while they start, or twice within fifteen seconds.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

ENDING = 5.0  # seconds that a worker has to end before it is killed


#: Workers are as many as there are cores, so none is to have threads for all of them; and they are quiet.
SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "DASK_LOGGING__DISTRIBUTED": "critical",
}


class LocalWorkers:
    """So many processes at an address."""

    def __init__(self, address: str, count: int) -> None:
        self._address = address
        self._processes = [self._start() for _ in range(count)]

    def replace(self) -> None:
        """Start another process for each that has ended."""
        for place, process in enumerate(self._processes):
            if process.poll() is not None:
                _end(process)
                self._processes[place] = self._start()

    def end(self) -> None:
        """All of them, at once."""
        for process in self._processes:
            _tell(process)
        for process in self._processes:
            _end(process)

    def _start(self) -> subprocess.Popen[bytes]:
        """In a session of its own: Ctrl-C is for the campaign alone, which then ends its workers."""
        command = [sys.executable, "-P", "-m", "elbowroom.sampling._campaign.local_worker", self._address]
        paths = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=os.environ | SETTINGS | paths,
            start_new_session=True,
        )


def _tell(process: subprocess.Popen[bytes]) -> None:
    """The end of its input is the end of a worker."""
    assert process.stdin is not None
    process.stdin.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    with process:  # waits in the end
        try:
            _tell(process)
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            process.kill()


@contextmanager
def local_cluster(workers: int) -> Iterator[tuple[Any, LocalWorkers]]:
    """A scheduler in this process, for this machine alone, and its workers.

    The scheduler gives a task up after two deaths: who is to blame for them is judged by the campaign, by
    checkpoints.
    """
    distributed: Any = import_module("distributed")
    # Says that a connection is closed, as it should be, sometimes only when the logs are no longer silenced.
    logging.getLogger("distributed.batched").setLevel(logging.WARNING)
    quiet = {"dashboard": False, "dashboard_address": "127.0.0.1:0", "allowed_failures": 1}
    with distributed.LocalCluster(
        n_workers=0,
        host="127.0.0.1",
        processes=True,
        scheduler_kwargs=quiet,
        silence_logs=logging.CRITICAL,
    ) as cluster:
        crew = LocalWorkers(cluster.scheduler_address, workers)
        try:
            yield cluster, crew
        finally:
            crew.end()
