"""The bar of a campaign: it counts the steps of what is done and of the checkpoints of what is not."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from campaign_makers import BEADS

from elbowroom.sampling._campaign import bar as _campaign_bar
from elbowroom.sampling._campaign import ledger as _ledger
from elbowroom.sampling._campaign import plan as _plan
from elbowroom.sampling._campaign.bar import CampaignBar
from elbowroom.sampling._campaign.work import Report
from elbowroom.sampling.spec import Spec


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """What bars say, instead of saying it; every look at the clock takes a second."""
    said: list[tuple[int, str]] = []
    clock = itertools.count()
    monkeypatch.setattr(_campaign_bar, "perf_counter", lambda: float(next(clock)))
    monkeypatch.setattr(CampaignBar, "__call__", lambda self, done, told="": said.append((done, told)))
    return said


def test_steps_of_checkpoints_count(tmp_path: Path, shown: list[tuple[int, str]]) -> None:
    spec = Spec.from_dict(BEADS | {"output": {"checkpoint": 500}})
    plan = _plan.planned(spec, None, 4)
    home, tasks = _plan.begin(tmp_path, plan), plan.tasks
    stop: Any = lambda state: state.step == 1200  # noqa: E731
    Spec.from_dict(tasks[2].spec).run(home.folder_of(tasks[2]) / "run", callback=stop, callback_every=100)
    reached = _ledger.steps(home.folder_of(tasks[2]))
    assert reached in (500, 1000)  # checkpoints that come too soon are passed over
    assert _ledger.steps(home.folder_of(tasks[3])) == 0
    bar = CampaignBar(True, home, plan, tasks[1:])
    bar._from = 0.0
    bar.show({}, tasks[1:2], 2)
    bar._from = 0.0
    bar.show({tasks[1].name: Report(tasks[1].name, "done")}, tasks[2:], 1)
    bar._from = 0.0
    bar.show({task.name: Report(task.name, "failed") for task in tasks[1:]}, [], 0)
    assert [done for done, _ in shown] == [2000, 4000 + reached, 2000]
    assert shown[0][1] == ", 1 of 4 tasks, 2 workers"
    assert shown[1][1].startswith(", 2 of 4 tasks, 1 worker, ") and shown[1][1].endswith(" left")
    assert shown[2][1] == ", 1 of 4 tasks, 3 failed, waiting for workers"


def test_a_bar_that_is_not_wanted_reads_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = _plan.planned(Spec.from_dict(BEADS), None, 2)
    bar = CampaignBar(False, _plan.begin(tmp_path, plan), plan, plan.tasks)
    monkeypatch.setattr(_ledger, "steps", lambda folder: 1 / 0)
    bar.show({}, plan.tasks, 2)
