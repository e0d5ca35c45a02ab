"""Campaigns that are started again: what is done is not done again, and what was begun goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import campaign_work
import pytest
from campaign_makers import BEADS, NOWHERE, attempts, home_of, nearby, tasks_of, walked

import elbowroom as er
from elbowroom.sampling._campaign import plan as _plan
from elbowroom.sampling.spec import Spec

distributed = pytest.importorskip("distributed")


def test_a_finished_campaign_needs_no_cluster(tmp_path: Path) -> None:
    first = walked(tmp_path).table()
    stamp = (tmp_path / "results.parquet").stat().st_mtime_ns
    again = walked(tmp_path, cluster=NOWHERE)
    assert attempts(again) == [1, 1, 1, 1] and again.table() == first
    assert (tmp_path / "results.parquet").stat().st_mtime_ns == stamp
    assert all(
        campaign_work.parts_of(again.folder_of(name)) == [0, 10, 20, 30]
        for name in again.tasks["task"].to_pylist()
    )


def test_a_task_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    whole = walked(tmp_path / "whole")
    task = tasks_of()[1]
    folder = home_of(tmp_path / "cut").folder_of(task)
    (folder / "run").mkdir(parents=True)
    (folder / "run" / "checkpoint.bin").write_text("20")
    found = walked(tmp_path / "cut")
    assert campaign_work.parts_of(folder) == [20, 30]
    assert found.table() == whole.table()


def test_what_was_killed_before_its_first_checkpoint_begins_anew(tmp_path: Path) -> None:
    first = walked(tmp_path)
    folder, table = first.folder_of(first.tasks["task"][2].as_py()), first.table()
    (folder / "done.json").unlink()
    (folder / "run" / "checkpoint.bin").unlink()
    (folder / "run" / "rubbish").write_text("half a")
    again = walked(tmp_path)
    assert not (folder / "run" / "rubbish").exists()
    assert attempts(again) == [1, 1, 2, 1] and again.table() == table


def test_more_replicas_and_a_larger_grid_leave_what_is_done(tmp_path: Path) -> None:
    first = walked(tmp_path)
    rows = first.table().to_pylist()
    more = walked(tmp_path, grid={"chain.beads": [11, 13, 12]}, replicas=3)
    assert len(more.tasks) == 9 and set(attempts(more)) == {1}
    kept = [row for row in more.table().to_pylist() if row["task"] in first.tasks["task"].to_pylist()]
    key = lambda row: (row["task"], row["step"])  # noqa: E731
    assert sorted(kept, key=key) == sorted(rows, key=key)
    assert more.table().num_rows == 9 * 40


def test_fewer_replicas_are_a_part_of_the_results(tmp_path: Path) -> None:
    first = walked(tmp_path).table()
    less = walked(tmp_path, cluster=NOWHERE, grid={"chain.beads": [12]}, replicas=1)
    assert less.table() == first.slice(0, 40)
    assert walked(tmp_path, cluster=NOWHERE).table() == first


def test_more_steps_go_on_from_the_checkpoints(tmp_path: Path) -> None:
    first = walked(tmp_path).table()
    more = walked(tmp_path, steps=60)
    assert attempts(more) == [2, 2, 2, 2]
    assert campaign_work.parts_of(more.folder_of(more.tasks["task"][0].as_py())) == [0, 10, 20, 30, 40, 50]
    assert more.table().num_rows == 4 * 60
    assert first["height"].to_pylist()[:40] == more.table()["height"].to_pylist()[:40]


def test_real_runs_that_grow_equal_those_that_were_long_from_the_start(tmp_path: Path) -> None:
    run = BEADS["run"] | {"steps": 4000}
    long = BEADS | {"run": run, "output": {"checkpoint": 500}}
    short = long | {"run": BEADS["run"]}
    er.sampling.campaign(short, out=tmp_path / "grown", cluster=nearby(), replicas=2)
    grown = er.sampling.campaign(long, out=tmp_path / "grown", cluster=nearby(), replicas=2)
    whole = er.sampling.campaign(long, out=tmp_path / "whole", cluster=nearby(), replicas=2)
    assert grown.table() == whole.table() and whole.table().num_rows == 800


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"run.every": 20}, "run.every = 10, not with run.every = 20"),
        ({"run.steps": 1000}, "run.steps = 2000, not with run.steps = 1000"),
        ({"run.seed": 6}, "run.seed = 5, not with run.seed = 6"),
        ({"run.burn_in": 100}, "no run.burn_in, not with run.burn_in = 100"),
        ({"chain.radius": None}, "chain.radius = 0.4, not with no chain.radius"),
        ({"moves.pivot": 1.0}, "no moves.pivot.weight, not with moves.pivot.weight = 1"),
    ],
)
def test_another_campaign_in_the_folder_is_refused_by_name(
    tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    spec = Spec.from_dict(BEADS)
    _plan.begin(tmp_path, _plan.planned(spec, None, 1))
    before = (tmp_path / "campaign.json").read_bytes()
    with pytest.raises(ValueError, match=r"^out: ") as caught:
        er.sampling.campaign(spec.replaced(change), out=tmp_path, cluster=nearby())
    assert told in str(caught.value)
    assert (tmp_path / "campaign.json").read_bytes() == before


def test_the_folder_of_a_run_is_refused(tmp_path: Path) -> None:
    Spec.from_dict(BEADS).run(tmp_path)
    with pytest.raises(ValueError, match="something other than a campaign"):
        er.sampling.campaign(BEADS, out=tmp_path, cluster=nearby())
    with pytest.raises(ValueError, match="no campaign in"):
        er.sampling.Campaign.load(tmp_path)


def test_another_build_of_the_core_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = _plan.planned(Spec.from_dict(BEADS), None, 1)
    _plan.begin(tmp_path, plan)
    monkeypatch.setattr(_plan, "isa", "abacus")
    with pytest.raises(ValueError, match='not with ELBOWROOM_ISA = "abacus"'):
        _plan.begin(tmp_path, plan)
