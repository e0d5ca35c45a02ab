"""A cluster on this machine as people start it, by dask scheduler and dask worker; and processes to kill."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

#: How the processes of workers were started: by a campaign, or by the nanny of `dask worker`.
WORKERS = re.compile("elbowroom.sampling._campaign.local_worker|spawn_main")
PATIENCE = 60.0  # seconds that anything may take on a busy machine

#: Of all processes of a cluster: nobody else is to reach them.
CLOSED = ("--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0")

#: What a campaign runs as: a program of its own, that can be killed.
PROGRAM = """
import json, sys
import elbowroom as er

if __name__ == "__main__":
    er.sampling.campaign(**json.loads(sys.argv[1]), progress=False)
"""


def wait_for(true: Callable[[], Any], what: str) -> Any:
    """The first answer that counts as true."""
    until = time.monotonic() + PATIENCE
    while not (answer := true()):
        assert time.monotonic() < until, f"{what} does not come"
        time.sleep(0.02)
    return answer


class Cluster:
    """A scheduler and workers, each a process of its own with a nanny, as on machines of a network.

    `options` are those that all of them take, such as certificates.
    """

    def __init__(self, folder: Path, *options: object) -> None:
        self._folder, self._options = folder, (*CLOSED, *options)
        self.workers: list[subprocess.Popen[bytes]] = []
        contact = folder / "scheduler.json"
        self._scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", contact)
        wait_for(lambda: contact.exists() and contact.stat().st_size, "the scheduler")
        self.address = str(json.loads(contact.read_text())["address"])

    def _start(self, command: str, *options: object) -> subprocess.Popen[bytes]:
        arguments = [sys.executable, "-m", "dask", command, *map(str, (*self._options, *options))]
        with (self._folder / f"{command}.log").open("ab") as log:
            return subprocess.Popen(
                arguments, stdout=log, stderr=log, cwd=self._folder, start_new_session=True
            )

    def add_worker(self) -> None:
        """One more, with one thread."""
        options = ["--nthreads", "1", "--local-directory", self._folder / "scratch"]
        self.workers.append(self._start("worker", self.address, *options))

    def kill_worker_of(self, number: int) -> int:
        """Kill the process that works; its nanny is to start another."""
        children = wait_for(lambda: working(self.workers[number].pid), "a worker's process")
        os.kill(children[0], signal.SIGKILL)
        return int(children[0])

    def kill_machine(self, number: int) -> None:
        """Kill a worker with its nanny: a machine that goes down."""
        end(self.workers.pop(number))

    def close(self) -> None:
        for process in [*self.workers, self._scheduler]:
            end(process)


def working(pid: int) -> list[int]:
    """The workers that a process has started: not the helpers that Python starts for it."""
    try:
        children = psutil.Process(pid).children(recursive=True)
        return [child.pid for child in children if WORKERS.search(" ".join(child.cmdline()))]
    except psutil.Error:
        return []


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all of its session."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def started(**arguments: Any) -> subprocess.Popen[bytes]:
    """A campaign as a program of its own, in a session of its own."""
    return subprocess.Popen([sys.executable, "-c", PROGRAM, json.dumps(arguments)], start_new_session=True)


def checkpoints(out: Path) -> int:
    """How many tasks of a campaign have one."""
    return len(list(out.glob("tasks/*/*/run/checkpoint.bin")))


def files_of(out: Path) -> dict[str, bytes]:
    """What must be the same, byte for byte, however often a campaign was interrupted: the trajectories."""
    found = sorted(out.glob("tasks/*/*/run/trajectory*.dcd"))
    return {str(file.relative_to(out)): file.read_bytes() for file in found}
