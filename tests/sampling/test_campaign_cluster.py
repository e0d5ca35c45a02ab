"""Campaigns on clusters of processes, which are killed: the results are those of a campaign that never was.

A cluster is started as people do it, by `dask scheduler` and `dask worker`, on 127.0.0.1.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from campaign_cluster import Cluster, checkpoints, end, files_of, started, wait_for, working
from campaign_makers import nearby

import elbowroom as er
from elbowroom.sampling import Campaign

pytestmark = pytest.mark.cluster

pytest.importorskip("distributed")

#: Four tasks of about a second, with many checkpoints.
SPEC: dict[str, Any] = {
    "chain": {"beads": 300, "radius": 0.3},
    "run": {"steps": 300_000, "every": 500, "seed": 9},
    "output": {"checkpoint": 10_000, "frames": 50_000},
}
MANY: dict[str, Any] = {"replicas": 2, "grid": {"chain.radius": [0.2, 0.4]}}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """The campaign without any interruption."""
    out = tmp_path_factory.mktemp("whole")
    return er.sampling.campaign(SPEC, out=out, cluster=nearby(), **MANY)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.add_worker()
        made.add_worker()
        yield made
    finally:
        made.close()


def assert_same(found: Campaign, whole: Campaign) -> None:
    assert found.failed == {}
    assert found.table() == whole.table()
    assert found.summary() == whole.summary()
    assert found.tasks["seed"] == whole.tasks["seed"]
    assert files_of(found.folder) == files_of(whole.folder)
    assert len(files_of(whole.folder)) == 4 and whole.table().num_rows == 4 * 600


def test_workers_that_are_killed_are_replaced(tmp_path: Path, cluster: Cluster, whole: Campaign) -> None:
    """First the process that works, then a worker with its nanny."""

    def kill() -> None:
        wait_for(lambda: checkpoints(tmp_path) >= 1, "a checkpoint")
        cluster.kill_worker_of(0)
        wait_for(lambda: checkpoints(tmp_path) >= 3, "a third checkpoint")
        cluster.kill_machine(1)

    killer = threading.Thread(target=kill)
    killer.start()
    found = er.sampling.campaign(SPEC, out=tmp_path, cluster=cluster.address, **MANY)
    killer.join()
    assert len(cluster.workers) == 1
    assert_same(found, whole)
    assert sum(found.tasks["attempts"].to_pylist()) > 4
    cluster.add_worker()


def test_a_campaign_that_is_killed_goes_on(tmp_path: Path, cluster: Cluster, whole: Campaign) -> None:
    """Its workers, which belong to the cluster, may still be at it when it is started again."""
    program = started(spec=SPEC, out=str(tmp_path), cluster=cluster.address, **MANY)
    wait_for(lambda: checkpoints(tmp_path) >= 2, "a second checkpoint")
    end(program)
    assert set(er.sampling.Campaign.load(tmp_path).tasks["status"].to_pylist()) != {"done"}
    found = er.sampling.campaign(SPEC, out=tmp_path, cluster=cluster.address, **MANY)
    assert_same(found, whole)


def test_a_local_campaign_that_is_killed_leaves_no_workers_and_goes_on(
    tmp_path: Path, whole: Campaign
) -> None:
    program = started(spec=SPEC, out=str(tmp_path), cluster="local", workers=2, **MANY)
    wait_for(lambda: checkpoints(tmp_path) >= 1, "a checkpoint")
    workers = working(program.pid)
    assert len(workers) == 2
    os.kill(program.pid, signal.SIGKILL)  # the program alone: nobody tells its workers
    program.wait()
    wait_for(lambda: not any(map(psutil.pid_exists, workers)), "the end of the workers")
    assert set(er.sampling.Campaign.load(tmp_path).tasks["status"].to_pylist()) != {"done"}
    found = er.sampling.campaign(SPEC, out=tmp_path, cluster="local", workers=2, **MANY)
    assert_same(found, whole)
