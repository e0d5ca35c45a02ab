"""The tasks of a campaign: which there are, their names and seeds, and what the ledger knows of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from elbowroom.sampling._campaign import ledger as _ledger
from elbowroom.sampling._campaign.plan import planned
from elbowroom.sampling._campaign.tasks import Task, derived_seed, parameter_sets, set_name
from elbowroom.sampling.spec import Spec, SpecError

SPEC = Spec.from_dict({"chain": {"beads": 10}, "run": {"steps": 100, "seed": 4}})


def tasks(grid: Any = None, replicas: int | None = None, spec: Spec = SPEC) -> dict[str, Task]:
    return {task.name: task for task in planned(spec, grid, replicas).tasks}


def test_a_table_of_lists_gives_all_combinations_the_last_varying_fastest() -> None:
    sets = parameter_sets({"chain.beads": [5, 6], "chain.radius": [0.1, 0.2, 0.3]})
    pairs = [(one["chain.beads"], one["chain.radius"]) for one in sets]
    assert pairs == [(5, 0.1), (5, 0.2), (5, 0.3), (6, 0.1), (6, 0.2), (6, 0.3)]


def test_listed_sets_are_taken_as_they_are() -> None:
    sets = [{"chain.beads": 5}, {"chain.beads": 9, "run.steps": 50}]
    found = tasks(sets, 2)
    assert parameter_sets(sets) == sets
    assert [task.steps for task in found.values()] == [100, 100, 50, 50]
    assert [task.replica for task in found.values()] == [0, 1, 0, 1]


def test_what_the_spec_says_of_the_campaign_counts_unless_told_otherwise() -> None:
    data = SPEC.to_dict() | {"campaign": {"replicas": 3, "grid": {"chain.beads": [5, 6]}}}
    spec = Spec.from_dict(data)
    assert len(tasks(spec=spec)) == 6
    assert len(tasks(None, 1, spec)) == 2
    assert len(tasks([{}], None, spec)) == 3
    assert all("campaign" not in task.spec for task in tasks(spec=spec).values())


def test_tasks_keep_names_and_seeds_when_the_grid_grows_or_is_turned_about() -> None:
    small = tasks({"chain.beads": [5, 6], "chain.radius": [0.1]}, 2)
    large = tasks({"chain.radius": [0.2, 0.1], "chain.beads": [7, 6, 5]}, 5)
    assert len(small) == 4 and len(large) == 30
    assert {name: task.seed for name, task in small.items()} == {name: large[name].seed for name in small}


def test_seeds_differ_between_replicas_sets_and_campaigns() -> None:
    grid = {"chain.beads": list(range(5, 25))}
    found = [
        task.seed for seed in range(5) for task in tasks(grid, 10, SPEC.replaced({"run.seed": seed})).values()
    ]
    assert len(set(found)) == len(found) == 1000
    assert all(0 <= seed < 2**63 for seed in found)
    assert abs(sum(seed >> 62 for seed in found) - 500) < 80  # five standard deviations


def test_a_seed_is_what_it_was_in_the_first_release() -> None:
    """Whoever goes on with an old campaign must find its tasks."""
    parameters = {"chain.beads": 10, "run.temperature": 1.5}
    assert derived_seed(4, parameters, 3) == 5746216879445639089
    assert set_name(parameters) == "chain.beads=10,run.temperature=1.5-cab91f8a"


def test_a_seed_does_not_depend_on_how_a_number_is_written() -> None:
    assert derived_seed(1, {"run.temperature": 2}, 0) == derived_seed(1, {"run.temperature": 2.0}, 0)
    assert derived_seed(1, {"run.temperature": 2}, 0) != derived_seed(1, {"run.temperature": 2.5}, 0)


def test_every_task_runs_with_its_seed_and_parameters() -> None:
    for task in tasks({"chain.beads": [5, 6]}, 2).values():
        spec = Spec.from_dict(task.spec)
        assert spec.settings.seed == task.seed
        assert spec.body.beads == task.parameters["chain.beads"]


@pytest.mark.parametrize(
    "parameters",
    [{}, {"chain.pdb": "/some where/1ubq.pdb"}, {"run.temperature": [1.0, 2.0]}, {"chain.radius": 1e-30}],
)
def test_names_are_names_of_folders(parameters: dict[str, Any]) -> None:
    name = set_name(parameters)
    assert name and "/" not in name and len(name) < 100 and not name.startswith((".", "-"))
    assert name.isascii() and " " not in name


def test_long_sets_that_begin_alike_have_different_names() -> None:
    names = {set_name({"run.observables": ["end_to_end"] * 20, "run.temperature": t}) for t in (1, 2)}
    assert len(names) == 2


@pytest.mark.parametrize(
    ("grid", "told"),
    [
        ("chain.beads", "grid must be a table of lists"),
        ({"chain.beads": 5}, "chain.beads must be a list"),
        ({"chain.beads": "567"}, "chain.beads must be a list"),
        ({"chain.beads": []}, "chain.beads has no values"),
        ({"chain.radius": [0.1, float("nan")]}, "chain.radius must have finite numbers"),
        ({"chain.beads": [5, 6, 5.0]}, "occurs twice"),
        ([{"chain.beads": 5}, {"chain.beads": 5}], "occurs twice"),
        ({"run.seed": [1, 2]}, "run.seed cannot be varied"),
        ({"beads": [1, 2]}, "beads is not a key"),
        ({"output.frames": [1, 2]}, "output.frames is not a key"),
        ([{5: 5}], "names must be texts"),
    ],
)
def test_grids_that_cannot_be_meant_are_refused(grid: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told) as caught:
        parameter_sets(grid)
    assert str(caught.value).startswith("grid")


@pytest.mark.parametrize("grid", [{"chain.bead": [5]}, {"chain.beads": [0]}, {"run.steps": [-1]}])
def test_grids_over_what_a_run_cannot_have_are_refused_before_any_work(grid: Any) -> None:
    with pytest.raises(SpecError):
        tasks(grid)


@pytest.mark.parametrize("replicas", [0, -1, 1.5, True, "2"])
def test_replicas_are_a_whole_number(replicas: Any) -> None:
    with pytest.raises(ValueError, match=r"^replicas"):
        tasks(None, replicas)


# The ledger.


def test_a_task_is_waiting_then_begun_then_done_or_failed(tmp_path: Path) -> None:
    assert _ledger.status(tmp_path, 100)[0] == "waiting"
    assert _ledger.begin(tmp_path, {"seed": 5}) is False
    assert _ledger.status(tmp_path, 100) == ("begun", {"seed": 5, "attempts": 1})
    _ledger.fail(tmp_path, "no")
    assert _ledger.status(tmp_path, 100)[0] == "failed"
    assert _ledger.begin(tmp_path, {"seed": 5}) is False
    assert _ledger.status(tmp_path, 100) == ("begun", {"seed": 5, "attempts": 2})
    _ledger.finish(tmp_path, {"steps": 100})
    assert _ledger.status(tmp_path, 100) == ("done", {"seed": 5, "attempts": 2, "steps": 100})


def test_a_task_that_is_to_take_more_steps_is_not_done(tmp_path: Path) -> None:
    _ledger.begin(tmp_path, {})
    _ledger.finish(tmp_path, {"steps": 100})
    assert _ledger.done(tmp_path, 101) is None and _ledger.status(tmp_path, 101)[0] == "begun"
    assert _ledger.done(tmp_path, 99) is not None


def test_only_a_checkpoint_is_something_to_go_on_with(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{}")
    assert _ledger.begin(tmp_path, {}) is False and _ledger.trail(tmp_path) == 0
    (tmp_path / "run" / "checkpoint.bin").write_text("")
    assert _ledger.begin(tmp_path, {}) is True and _ledger.trail(tmp_path) > 0


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "done.json").write_text('{"steps": 1')
    with pytest.raises(ValueError, match=r"done\.json is damaged"):
        _ledger.done(tmp_path, 1)


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    with _ledger.locked(tmp_path / "lock"):
        with pytest.raises(_ledger.Busy), _ledger.locked(tmp_path / "lock"):
            pass
        began = time.monotonic()
        with pytest.raises(_ledger.Busy), _ledger.locked(tmp_path / "lock", patience=0.3):
            pass
        assert time.monotonic() - began >= 0.3
    with _ledger.locked(tmp_path / "lock"):
        pass


HOLDER = """
import sys, time
from pathlib import Path
from elbowroom.sampling._campaign import ledger as _ledger
with _ledger.locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(lock)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    with pytest.raises(_ledger.Busy), _ledger.locked(lock):
        pass
    os.kill(holder.pid, signal.SIGKILL)
    with _ledger.locked(lock, patience=10):
        pass
    holder.wait()
    holder.stdout.close()


WRITER = """
import sys
from pathlib import Path
from elbowroom.sampling._campaign import ledger as _ledger
folder = Path(sys.argv[1])
print("ready", flush=True)
for number in range(10**9):
    _ledger.begin(folder, {"number": number, "padding": "x" * 5000})
"""


def test_a_ledger_is_whole_whenever_its_writer_is_killed(tmp_path: Path) -> None:
    for moment in (0.0, 0.01, 0.03, 0.1):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
        before = (_ledger.read(tmp_path / "task.json") or {"attempts": 0})["attempts"]
        time.sleep(moment)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        facts = _ledger.read(tmp_path / "task.json") or {"attempts": 0, "padding": "x" * 5000}
        assert len(facts["padding"]) == 5000 and facts["attempts"] >= before
    assert facts["attempts"] > 0
    _ledger.begin(tmp_path, {})
    assert [path.name for path in tmp_path.iterdir()] == ["task.json"]  # what the killed have left is gone
