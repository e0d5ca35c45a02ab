"""Campaigns in trouble: tasks that fail, workers that cannot take part, clusters that are not there."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import campaign_work
import pytest
from campaign_makers import BEADS, NOWHERE, QUIET, attempts, home_of, nearby, tasks_of, walked

import elbowroom as er
from elbowroom.sampling import CampaignError
from elbowroom.sampling._campaign import cluster as _cluster
from elbowroom.sampling._campaign import dispatch as _dispatch
from elbowroom.sampling._campaign import ledger as _ledger
from elbowroom.sampling._campaign.work import Home, trouble_here

distributed = pytest.importorskip("distributed")


def test_a_task_that_fails_is_told_and_stops_no_other(tmp_path: Path) -> None:
    found = walked(tmp_path / "out", campaign_work.breaks)
    assert list(found.failed.values()) == ["ArithmeticError: thirteen is too many"] * 2
    assert found.tasks["status"].to_pylist() == ["done", "done", "failed", "failed"]
    assert found.table().num_rows == 80 and len(found.summary()) == 1
    assert "2 done, 2 failed" in repr(found)
    assert found.report().endswith("/0000 and 1 more: ArithmeticError: thirteen is too many")
    trace = _ledger.read(found.folder_of(next(iter(found.failed))) / "failed.json")
    assert trace is not None and "campaign_work.py" in trace["trace"]


def test_tasks_that_failed_are_tried_again(tmp_path: Path) -> None:
    walked(tmp_path / "out", campaign_work.breaks)
    (tmp_path / "repaired").touch()
    found = walked(tmp_path / "out", campaign_work.breaks)
    assert attempts(found) == [1, 1, 2, 2] and found.failed == {}
    assert found.table() == walked(tmp_path / "whole").table()


def test_real_failures_are_told_in_their_own_words(tmp_path: Path) -> None:
    spec = {"chain": {"pdb": str(tmp_path / "gone.pdb")}, "run": {"steps": 10}}
    (tmp_path / "gone.pdb").write_text("END\n")
    found = er.sampling.campaign(spec, out=tmp_path / "out", cluster=nearby(), replicas=2)
    assert len(found.failed) == 2 and "gone.pdb" in found.report()
    assert found.table().num_rows == 0


def test_a_campaign_where_nothing_is_done_has_an_empty_summary(tmp_path: Path) -> None:
    found = walked(tmp_path, campaign_work.breaks, grid={"chain.beads": [13]})
    assert found.table().num_rows == 0 and found.summary().num_rows == 0


def test_two_campaigns_in_one_folder_are_refused(tmp_path: Path) -> None:
    with _ledger.locked(tmp_path / "lock"), pytest.raises(CampaignError, match="another campaign is running"):
        walked(tmp_path)


def test_a_task_that_somebody_else_is_at_is_waited_for(tmp_path: Path) -> None:
    """As of a worker of a cluster that still runs what a killed campaign gave it."""
    task = tasks_of()[0]
    folder = home_of(tmp_path).folder_of(task)
    folder.mkdir(parents=True)

    def orphan() -> None:
        with _ledger.locked(folder / "lock"):
            held.set()
            time.sleep(1.5)
            _ledger.begin(folder, {})
            _ledger.finish(folder, campaign_work.walk(task.spec, folder / "run", False))

    held = threading.Event()
    thread = threading.Thread(target=orphan)
    thread.start()
    held.wait()
    found = walked(tmp_path)
    thread.join()
    assert attempts(found) == [1, 1, 1, 1]
    assert campaign_work.parts_of(folder) == [0, 10, 20, 30]


def test_a_worker_that_cannot_take_part_says_why(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    assert trouble_here(home) == ""
    wrong = {
        "does not see the campaign's folder": {"folder": "/nowhere/at/all"},
        "does not see the campaign's": {"identity": "another"},
        "has elbowroom": {"version": "0.0.0"},
        "computes with": {"isa": "abacus"},
    }
    for told, change in wrong.items():
        assert told in trouble_here(Home(**vars(home) | change))


def test_a_campaign_stops_for_a_worker_that_does_not_see_its_folder(tmp_path: Path) -> None:
    stray = Home(**vars(home_of(tmp_path)) | {"folder": str(tmp_path / "elsewhere")})
    with _cluster.connected(nearby(), 0) as crew:
        with pytest.raises(CampaignError, match="a file system that all workers share"):
            _cluster.inspect(crew, stray)
        dispatch = _dispatch.Dispatch(crew, stray, campaign_work.walk, lambda *_: None)
        with pytest.raises(CampaignError, match="a file system that all workers share"):
            dispatch.run(tasks_of())


def test_a_scheduler_that_does_not_answer_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_cluster, "CONNECT", 0.3)
    with pytest.raises(CampaignError, match=r"no scheduler answers at tcp://127\.0\.0\.1:1 "):
        walked(tmp_path, cluster=NOWHERE)


def test_a_cluster_without_workers_says_how_to_start_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_cluster, "FIRST_WORKER", 0.3)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, scheduler_kwargs=QUIET) as empty,
        pytest.raises(CampaignError, match=r"no workers .* start some with dask worker"),
    ):
        walked(tmp_path, cluster=empty)


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"cluster": "here"}, r'^cluster must be "local" or an address'),
        ({"cluster": "tcp://127.0.0.1:1", "workers": 2}, r'^workers: only cluster "local"'),
        ({"workers": 0}, r"^workers must be at least 1"),
        ({"replicas": 0}, r"^replicas must be at least 1"),
        ({"grid": {"run.seed": [1]}}, r"^grid: run.seed"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_written(
    tmp_path: Path, how: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        er.sampling.campaign(BEADS, out=tmp_path / "out", **how)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("missing", ["cryptography", "distributed", "duckdb", "pyarrow"])
def test_a_missing_package_is_named_with_the_extra(
    tmp_path: Path, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=rf"need {missing}, .* pip install 'elbowroom\[campaign\]'"):
        er.sampling.campaign(BEADS, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_sampling_alone_imports_none_of_it() -> None:
    heavy = {"cryptography", "dask", "distributed", "duckdb", "pyarrow"}
    code = f"import sys, elbowroom as er; er.sampling; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
