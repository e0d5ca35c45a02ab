"""Kills workers and whole campaigns at random moments, and compares with campaigns that were left alone.

    python tests/support/kill_campaign.py --kills 100

Campaigns run with two workers: every other one with those it starts itself, the others on a cluster started
by `dask scheduler` and `dask worker`. Each is killed and started again until it comes to its end; then its
results, its summary and its trajectories must be those of the same campaign without any kill, and no task
that was done at some kill may have been taken up again. Exit status 1 if anything differs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from campaign_cluster import Cluster, end, files_of, started, working
from campaign_makers import nearby

import elbowroom as er
from elbowroom.sampling import Campaign

MANY: dict[str, Any] = {"replicas": 2, "grid": {"chain.radius": [0.2, 0.3, 0.4]}}
STEPS = 800_000  # a second or two each
KINDS = ("worker", "campaign", "campaign and its workers")
EARLY = 0.2  # the share of kills that may come while processes are starting


def spec_of(seed: int) -> dict[str, Any]:
    """Another campaign for each seed."""
    run = {"steps": STEPS, "every": 1000, "seed": seed}
    return {"chain": {"beads": 300}, "run": run, "output": {"checkpoint": 20_000, "frames": 100_000}}


@dataclass
class Tally:
    """What was killed, and what came of it."""

    kills: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)
    campaigns: int = 0
    starts: int = 0
    attempts: int = 0
    wrong: list[str] = field(default_factory=list)

    def told(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.kills.items()))
        moments = ", ".join(f"{count} {moment}" for moment, count in sorted(self.moments.items()))
        return (
            f"{self.kills.total()} kills ({kinds}; {moments}) of {self.campaigns} campaigns, started "
            f"{self.starts} times; tasks were taken up {self.attempts} times; {len(self.wrong)} differences"
        )


class Ordeal:
    """One campaign, killed and started again until it comes to its end."""

    def __init__(
        self, out: Path, spec: dict[str, Any], cluster: Cluster | None, rng: Any, tally: Tally
    ) -> None:
        self.out, self.spec, self.cluster, self.rng, self.tally = out, spec, cluster, rng, tally
        self.done: dict[str, int] = {}  # tasks that were done at some kill, and how often they were taken up

    def run(self, kills: int) -> None:
        """At most so many kills."""
        program = self.start()
        try:
            while kills and self.wait(program):
                moment, kind = self.note(), KINDS[self.rng.choice(3, p=(0.5, 0.25, 0.25))]
                if not self.kill(program, kind):
                    continue
                kills -= 1
                self.tally.moments[moment] += 1
                self.tally.kills[kind] += 1
                if kind != "worker":
                    program = self.start()
            if program.wait():
                self.tally.wrong.append(f"{self.out.name}: ended with status {program.returncode}")
        finally:
            end(program)  # if this script is stopped

    def start(self) -> subprocess.Popen[bytes]:
        self.tally.starts += 1
        where = (
            {"cluster": "local", "workers": 2} if self.cluster is None else {"cluster": self.cluster.address}
        )
        return started(spec=self.spec, out=str(self.out), **where, **MANY)

    def wait(self, program: subprocess.Popen[bytes]) -> bool:
        """Until a random moment: soon after a new checkpoint, or any time. False: the campaign was faster."""
        before, early = self.newest(), self.rng.random() < EARLY
        while not early and self.newest() == before and program.poll() is None:
            time.sleep(0.01)
        until = time.monotonic() + self.rng.uniform(0, 4.0 if early else 1.0)
        while time.monotonic() < until and program.poll() is None:
            time.sleep(0.005)
        return program.poll() is None

    def newest(self) -> int:
        """When the last checkpoint was written."""
        found = [0]
        for file in self.out.glob("tasks/*/*/run/checkpoint.bin"):
            with suppress(FileNotFoundError):
                found.append(file.stat().st_mtime_ns)
        return max(found)

    def note(self) -> str:
        """Remember what is done; is something being worked on?"""
        if not (self.out / "campaign.json").exists():
            return "before it began"
        rows = Campaign.load(self.out).tasks.to_pylist()
        self.done |= {row["task"]: row["attempts"] for row in rows if row["status"] == "done"}
        busy = any(row["status"] == "begun" for row in rows)
        return "with tasks begun" if busy else "with none begun"

    def kill(self, program: subprocess.Popen[bytes], kind: str) -> bool:
        """Kill something; False if it was not there: no worker yet, or a campaign that has just ended."""
        if kind == "worker":
            return self.kill_worker(program)
        if program.poll() is not None:
            return False
        workers = working(program.pid) if self.cluster is None else self.pids()
        os.kill(program.pid, signal.SIGKILL)
        if kind != "campaign":
            for pid in workers:
                kill(pid)
        end(program)
        return True

    def kill_worker(self, program: subprocess.Popen[bytes]) -> bool:
        """A process that works; on the cluster, sometimes a whole machine, which comes back."""
        if self.cluster is not None and self.rng.random() < 0.3:
            self.cluster.kill_machine(int(self.rng.integers(2)))
            self.cluster.add_worker()
            return True
        pids = working(program.pid) if self.cluster is None else self.pids()
        return bool(pids) and kill(int(self.rng.choice(pids)))

    def pids(self) -> list[int]:
        assert self.cluster is not None
        return [pid for worker in self.cluster.workers for pid in working(worker.pid)]

    def judge(self, whole: Campaign) -> None:
        """Compare with the campaign that was left alone."""
        found = Campaign.load(self.out)
        attempts = dict(zip(*(found.tasks[name].to_pylist() for name in ("task", "attempts")), strict=True))
        checks = {
            "failures": found.failed == {},
            "results": found.table() == whole.table(),
            "summary": found.summary() == whole.summary(),
            "trajectories": files_of(self.out) == files_of(whole.folder),
            "tasks run again": all(attempts[task] == count for task, count in self.done.items()),
        }
        assert whole.table().num_rows == 6 * STEPS // 1000 and len(files_of(whole.folder)) == 6
        self.tally.wrong += [f"{self.out.name}: {what}" for what, good in checks.items() if not good]
        self.tally.attempts += sum(attempts.values())
        self.tally.campaigns += 1


def kill(pid: int) -> bool:
    """Was it there to be killed?"""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def main() -> int:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--each", type=int, default=15, help="kills of one campaign, at most")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    tally, rng = Tally(), np.random.default_rng(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder))
        try:
            cluster.add_worker()
            cluster.add_worker()
            while tally.kills.total() < args.kills:
                go_through(Path(folder), args, cluster, rng, tally)
        finally:
            cluster.close()
    for wrong in tally.wrong:
        print(f"differs: {wrong}")
    print(tally.told())
    return int(bool(tally.wrong))


def go_through(folder: Path, args: argparse.Namespace, cluster: Cluster, rng: Any, tally: Tally) -> None:
    """One campaign left alone, and the same one killed."""
    number = tally.campaigns
    spec = spec_of(1000 * args.seed + number)
    whole = er.sampling.campaign(spec, out=folder / f"whole-{number}", cluster=nearby(), **MANY)
    ordeal = Ordeal(folder / f"killed-{number}", spec, cluster if number % 2 else None, rng, tally)
    ordeal.run(min(args.each, args.kills - tally.kills.total()))
    ordeal.judge(whole)
    print(f"{number}: {tally.told()}", flush=True)
    for campaign in (whole.folder, ordeal.out):
        shutil.rmtree(campaign)


if __name__ == "__main__":
    sys.exit(main())
