"""Workers on this machine: processes started for a campaign, replaced when they die, and ended with it.

They are programs of their own, not children of `multiprocessing` as those of dask's LocalCluster are. Those
would run the script that started the campaign once more, unless it guards against it, and would not be
replaced if they die while they start, or twice within fifteen seconds.

Whoever can talk to a scheduler or a worker of dask can make it execute code. So both listen on the loopback
interface only and, since other users of the machine can reach that too, accept only TLS connections with the
keys of this run. Their scratch folders, from which they import modules, are closed to other users.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from tempfile import TemporaryDirectory
from typing import Any

from .made_whole import made_whole

HOST, PROTOCOL = "127.0.0.1", "tls"
ENDING = 5.0  # seconds that a worker has to end before it is killed


#: Workers are as many as there are cores, so none is to have threads for all of them; and they are quiet.
SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "DASK_LOGGING__DISTRIBUTED": "critical",
}


def without_http(server: Any) -> Any:
    """A server class of dask without the HTTP server, which would listen on a second port."""
    return type(server.__name__, (server,), {"start_http_server": lambda *_, **__: None})


class LocalWorkers:
    """Processes that serve a scheduler. Each receives `invitation` through its standard input."""

    def __init__(self, invitation: dict[str, str]) -> None:
        self._invitation = json.dumps(invitation).encode() + b"\n"
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self, count: int) -> None:
        """Apart from the constructor, so that `end` reaches those that were started if a signal comes."""
        for _ in range(count):
            self._processes.append(self._start())
            self._invite(self._processes[-1])

    def replace(self) -> None:
        """Start another process for each that has ended."""
        for place, process in enumerate(self._processes):
            if process.poll() is not None:
                _end(process)
                self._processes[place] = self._start()
                self._invite(self._processes[place])

    def end(self) -> None:
        """All of them, at once."""
        for process in self._processes:
            _tell(process)
        for process in self._processes:
            _end(process)

    def _start(self) -> subprocess.Popen[bytes]:
        """In a session of its own: Ctrl-C is for the campaign alone, which then ends its workers."""
        command = [sys.executable, "-P", "-m", "elbowroom.sampling._campaign.local_worker"]
        paths = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=os.environ | SETTINGS | paths,
            start_new_session=True,
        )

    def _invite(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # it has died already, and will be replaced
            process.stdin.write(self._invitation)
            process.stdin.flush()


def _tell(process: subprocess.Popen[bytes]) -> None:
    """The end of its input is the end of a worker; a line before it says that the campaign was not killed."""
    assert process.stdin is not None
    if not process.stdin.closed:
        with suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write(b"end\n")


def _end(process: subprocess.Popen[bytes]) -> None:
    with process:  # waits in the end
        try:
            _tell(process)
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            process.kill()


@contextmanager
def local_cluster(workers: int) -> Iterator[tuple[Any, LocalWorkers]]:
    """A scheduler in this process, for this campaign alone, and its workers.

    The scheduler gives a task up after two deaths: who is to blame for them is judged by the campaign, by
    checkpoints.
    """
    distributed: Any = import_module("distributed")
    # Says that a connection is closed, as it should be, sometimes only when the logs are no longer silenced.
    logging.getLogger("distributed.batched").setLevel(logging.WARNING)
    keys = distributed.Security.temporary()
    with private_folder() as scratch:
        options = {
            "host": HOST,
            "protocol": PROTOCOL,
            "security": keys,
            "local_directory": scratch,
            "dashboard": False,
            "dashboard_address": f"{HOST}:0",
            "allowed_failures": 1,
        }
        scheduler = {"cls": without_http(distributed.Scheduler), "options": options}
        with made_whole(
            lambda: distributed.SpecCluster(scheduler=scheduler, security=keys, silence_logs=logging.CRITICAL)
        ) as cluster:
            invitation = {
                "address": cluster.scheduler_address,
                "scratch": scratch,
                "authority": keys.tls_ca_file,
                "certificate": keys.tls_worker_cert,
                "key": keys.tls_worker_key,
            }
            crew = LocalWorkers(invitation)
            try:
                crew.start(workers)
                yield cluster, crew
            finally:
                crew.end()


def private_folder() -> TemporaryDirectory[str]:
    """A temporary folder that other users can neither read nor write, where dask keeps such folders."""
    dask: Any = import_module("dask")
    place = dask.config.get("temporary-directory", None)
    return TemporaryDirectory(prefix="elbowroom-", dir=place, ignore_cleanup_errors=True)
