"""How tasks go out in batches, and what becomes of them when workers die: with a cluster that is made up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import campaign_work
import pytest

from elbowroom.sampling._campaign import carry_out as _carry_out
from elbowroom.sampling._campaign import cluster as _cluster
from elbowroom.sampling._campaign import dispatch as _dispatch
from elbowroom.sampling._campaign import ledger as _ledger
from elbowroom.sampling._campaign import plan as _plan
from elbowroom.sampling._campaign.tasks import Task
from elbowroom.sampling._campaign.work import Home, Report, Work, run_batch
from elbowroom.sampling.spec import Spec

pytestmark = pytest.mark.cluster

distributed = pytest.importorskip("distributed")

SPEC = Spec.from_dict({"chain": {"beads": 10}, "run": {"steps": 40}})


class Future:
    """A batch that is back: its reports, or none if its workers died."""

    def __init__(self, reports: list[Report] | None) -> None:
        self._reports = reports
        self.status = "error" if reports is None else "finished"

    def result(self, timeout: float) -> list[Report]:
        assert self._reports is not None
        return self._reports

    def exception(self) -> Any:
        return distributed.KilledWorker("key", None, 3)

    def add_done_callback(self, call: Callable[[Future], None]) -> None:
        call(self)


class Client:
    """Of a cluster with one worker, which dies of every batch that is deadly."""

    status = "running"

    def __init__(self, deadly: Callable[[list[Task]], bool]) -> None:
        self._deadly = deadly
        self.batches: list[list[str]] = []

    def nthreads(self) -> dict[str, int]:
        return {"tcp://127.0.0.1:1": 1}

    def submit(self, call: Any, home: Home, batch: list[Task], work: Work, **_: Any) -> Future:
        self.batches.append([task.name for task in batch])
        return Future(None if self._deadly(batch) else call(home, batch, work))

    def cancel(self, futures: list[Any], force: bool) -> None:
        assert futures == []


def dispatched(
    folder: Path, deadly: Callable[[list[Task]], bool], replicas: int
) -> tuple[dict[str, Report], list[list[str]], list[str]]:
    """The reports, the batches that were sent, and the names of all tasks."""
    plan, client = _plan.planned(SPEC, None, replicas), Client(deadly)
    crew, home = _cluster.Crew(client), _plan.begin(folder, plan)
    reports = _dispatch.Dispatch(crew, home, campaign_work.walk, lambda *_: None).run(plan.tasks)
    return reports, client.batches, [task.name for task in plan.tasks]


def test_a_task_that_kills_its_workers_is_found_and_told(tmp_path: Path) -> None:
    reports, batches, names = dispatched(tmp_path, lambda batch: any(t.replica == 1 for t in batch), 16)
    poison = names[1]
    assert {name for name, report in reports.items() if report.status == "failed"} == {poison}
    assert reports.keys() == set(names) and "died repeatedly" in reports[poison].message
    sent = [batch for batch in batches if poison in batch]
    assert len(sent[0]) == 4 and sent[1:] == [[poison]] * 3
    assert _ledger.status(tmp_path / "tasks" / poison, 40)[0] == "failed"


def test_a_task_that_gets_on_is_never_to_blame(tmp_path: Path) -> None:
    """Workers that are taken away again and again, as on machines where others come first."""
    left = list(range(10))

    def deadly(batch: list[Task]) -> bool:
        if not left:
            return False
        run = tmp_path / "tasks" / batch[0].name / "run"
        run.mkdir(parents=True, exist_ok=True)
        (run / "checkpoint.bin").write_text("10")
        time.sleep(0.02)  # the clock of the file system must tell it from the one before
        return left.pop() >= 0

    reports, batches, names = dispatched(tmp_path, deadly, 1)
    assert [report.status for report in reports.values()] == ["done"]
    assert batches == [names] * 11
    assert campaign_work.parts_of(tmp_path / "tasks" / names[0]) == [10, 20, 30]


def test_batches_are_large_while_much_is_left_and_single_in_the_end(tmp_path: Path) -> None:
    reports, batches, names = dispatched(tmp_path, lambda _: False, 80)
    sizes = [len(batch) for batch in batches]
    assert max(sizes) == _dispatch.MOST and sizes[-4:] == [1] * 4
    assert reports.keys() == set(names)


def test_a_batch_ends_when_its_time_is_up(tmp_path: Path) -> None:
    plan = _plan.planned(SPEC, None, 4)
    home = _plan.begin(tmp_path, plan)

    def slow(spec: dict[str, Any], folder: Path, resume: bool) -> dict[str, Any]:
        time.sleep(0.6)
        return {"steps": 40}

    assert [report.task for report in run_batch(home, plan.tasks, slow)] == [plan.tasks[0].name]
    quick = run_batch(home, plan.tasks, campaign_work.walk)
    assert [report.status for report in quick] == ["done"] * 4


def test_a_cluster_that_stays_empty_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_dispatch, "GONE", 0.5)
    monkeypatch.setattr(Client, "nthreads", lambda self: {})
    with pytest.raises(_cluster.CampaignError, match="all workers are gone; start the campaign again"):
        dispatched(tmp_path, lambda _: False, 1)


class Mislaid(Future):
    """A batch whose worker died before its reports were fetched."""

    def __init__(self, reports: list[Report] | None) -> None:
        super().__init__(reports)
        self.asked, self.looks = 0, iter(["finished", "pending", "lost"])

    def __getattribute__(self, name: str) -> Any:
        return next(self.looks, "finished") if name == "status" else super().__getattribute__(name)

    def result(self, timeout: float) -> list[Report]:
        self.asked += 1
        if self.asked == 1:
            raise TimeoutError
        return super().result(timeout)


def test_reports_that_were_lost_with_a_worker_are_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Mislaid] = []

    def submit(self: Client, call: Any, home: Home, batch: list[Task], work: Work, **_: Any) -> Future:
        made.append(Mislaid(call(home, batch, work)))
        return made[-1]

    monkeypatch.setattr(Client, "submit", submit)
    reports, _, names = dispatched(tmp_path, lambda _: False, 2)
    assert {name: report.status for name, report in reports.items()} == dict.fromkeys(names, "done")
    assert [future.asked for future in made] == [2, 2]


def test_files_of_other_machines_are_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a file system of a network, where it takes a while until others see what was written."""
    plan = _plan.planned(SPEC, None, 1)
    home, task = _plan.begin(tmp_path, plan), plan.tasks[0]
    monkeypatch.setattr(_carry_out, "SIGHT", 0.3)
    with pytest.raises(_cluster.CampaignError, match=r"has no done\.json after 0\.3 s"):
        _carry_out._see(home, [task])
    monkeypatch.setattr(_carry_out, "SIGHT", 60.0)
    late = threading.Timer(0.3, run_batch, (home, [task], campaign_work.walk))
    late.start()
    _carry_out._see(home, [task])
    late.join()
