"""The folder of a run: what it refuses to go on with, how it goes on, and who may write to it."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sampling_folders import PACE, TEMPERED, broken_off, content, sample
from sampling_makers import ATTRACTION, assert_same, beads

import elbowroom as er
from elbowroom.sampling import Run, folder
from elbowroom.sampling._disk import checkpoint as _checkpoint
from elbowroom.sampling._disk.lock import Lock

pq: Any = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(autouse=True)
def every_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "PATIENCE", 0.0)


# What is refused, with nothing changed.


def refused(out: Path, message: str, ask: Callable[[], Any]) -> None:
    before = content(out)
    with pytest.raises(ValueError, match=message):
        ask()
    assert content(out) == before


def test_a_folder_that_is_taken_is_refused(tmp_path: Path) -> None:
    sample(tmp_path / "run")
    refused(
        tmp_path,
        r"^out.* already contains a run; continue it with resume=True",
        lambda: sample(tmp_path / "run"),
    )
    for name in ("topology.pdb", "trajectory-7.dcd", "observables.parquet", "summary.json", "checkpoint.bin"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).write_text("of somebody else")
        for resume in (False, True):
            message = rf"^out.* holds {name}, which"
            refused(tmp_path, message, lambda r=resume, n=name: sample(tmp_path / n, resume=r))
    (tmp_path / "file").write_text("")
    refused(tmp_path, "^out.* is a file", lambda: sample(tmp_path / "file"))


def test_other_files_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    broken_off(tmp_path)
    sample(tmp_path, resume=True)
    assert (tmp_path / "notes.txt").read_text() == "mine"


CHANGES: dict[str, dict[str, Any]] = {
    "seed": {"seed": 4},
    "every": {"every": 10},
    "frames": {"frames": 0},
    "checkpoint": {"checkpoint": 100},
    "burn_in": {"burn_in": 1},
    "observables": {"observables": ["end_to_end"]},
    "contact_reach": {"contact_reach": 0.6},
    "temperature": {"temperature": 2.5},
    "energy": {"energy": er.energies.LennardJones(1.0, 0.91, cutoff=2.25)},
    "chain": {"chain": er.Chain(er.scenes.coil(20) * 1.001, 0.45)},
    "chain of other radii": {"chain": er.Chain(er.scenes.coil(20), 0.44)},
    "steps": {"steps": 699},
}


@pytest.mark.parametrize("name", CHANGES)
def test_other_arguments_are_refused_by_name(tmp_path: Path, name: str) -> None:
    more: dict[str, Any] = {
        "energy": ATTRACTION,
        "temperature": 2.0,
        "observables": ["end_to_end", "contacts"],
        "contact_reach": 0.5,
    }
    broken_off(tmp_path, **more)
    changed = more | CHANGES[name] | ({"contact_reach": None} if name == "observables" else {})
    argument = "observables|contact_reach" if name == "observables" else name.split()[0]
    refused(tmp_path, rf"^({argument})\b.*run in out", lambda: sample(tmp_path, resume=True, **changed))


def test_other_moves_are_refused_by_name(tmp_path: Path) -> None:
    broken_off(tmp_path)
    for moves in ({"pivot": 1.0}, {"pivot": 1.0, "torsion": 2.0}, {"torsion": 1.0, "pivot": 1.0}):
        again = dict(PACE, out=tmp_path, resume=True)
        refused(tmp_path, "^moves: ", lambda m=moves, a=again: er.sampling.sample(beads(20), m, **a))


def test_a_chain_that_was_rounded_elsewhere_is_the_same_chain(tmp_path: Path) -> None:
    broken_off(tmp_path)
    rounded = er.Chain(np.nextafter(er.scenes.coil(20), np.inf), 0.45)
    assert_same(sample(tmp_path, rounded, resume=True), sample(None, frames=None))


def damaged(out: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    (out / name).write_bytes(change((out / name).read_bytes()))


def flipped(at: int) -> Callable[[bytes], bytes]:
    return lambda old: old[:at] + bytes([old[at] ^ 1]) + old[at:][1:]


@pytest.mark.parametrize(
    "change",
    [flipped(0), flipped(25), flipped(200), flipped(-40), flipped(-1),
     lambda old: old[:-1], lambda old: old[:100], lambda old: b"", lambda old: old + b"\0"],
)  # fmt: skip
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    broken_off(tmp_path)
    damaged(tmp_path, "checkpoint.bin", change)
    refused(tmp_path, r"^out: .*checkpoint\.bin is damaged", lambda: sample(tmp_path, resume=True))


def test_checkpoints_of_other_layouts_and_builds_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken_off(tmp_path)
    path = tmp_path / "checkpoint.bin"
    found = _checkpoint.read(path)
    other = {"baseline": "avx2", "avx2": "baseline"}[er.isa]
    for change, message in (({"layout": 99}, "layout 99"), ({"isa": other}, f"ELBOWROOM_ISA={other}")):
        _checkpoint.write(path, _checkpoint.Checkpoint(**vars(found) | change))
        refused(tmp_path, rf"^out: .*checkpoint\.bin .*{message}", lambda: sample(tmp_path, resume=True))


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    broken_off(tmp_path / "a")
    broken_off(tmp_path / "b", seed=4)
    shutil.copy(tmp_path / "b" / "checkpoint.bin", tmp_path / "a")
    refused(tmp_path, "^out: .*belongs to another run", lambda: sample(tmp_path / "a", resume=True))


def test_files_that_are_gone_or_cut_are_refused(tmp_path: Path) -> None:
    broken_off(tmp_path / "run")
    changes: dict[str, Callable[[Path], Any]] = {
        "observables/part-000000.parquet": Path.unlink,
        "trajectory.dcd": Path.unlink,
        "run.json": lambda path: path.write_text("{"),
    }
    for name, change in changes.items():
        shutil.copytree(tmp_path / "run", tmp_path / "copy")
        change(tmp_path / "copy" / name)
        refused(
            tmp_path,
            r"^out: .*(part-000000|trajectory|run\.json)",
            lambda: sample(tmp_path / "copy", resume=True),
        )
        shutil.rmtree(tmp_path / "copy")
    damaged(tmp_path / "run", "trajectory.dcd", lambda old: old[: len(old) // 2])
    refused(tmp_path, "^out: the trajectory is not", lambda: sample(tmp_path / "run", resume=True))


def test_a_file_of_another_kind_is_no_run(tmp_path: Path) -> None:
    for text, message in (
        ("[]", "is not a file of a run"),
        ('{"format": "elbowroom run", "version": 9, "asked": {}}', "version 9"),
    ):
        (tmp_path / "run.json").write_text(text)
        refused(tmp_path, f"^out: .*{message}", lambda: sample(tmp_path, resume=True))


# Going on.


@pytest.mark.parametrize("more", [{}, TEMPERED])
@pytest.mark.parametrize("step", [1, 199, 200, 250, 601, 700])
def test_a_run_that_broke_off_goes_on_as_if_it_had_not(
    tmp_path: Path, step: int, more: dict[str, Any]
) -> None:
    broken_off(tmp_path / "run", step, **more)
    run, whole = sample(tmp_path / "run", resume=True, **more), sample(tmp_path / "whole", **more)
    assert_same(run, whole)
    here, there = content(tmp_path / "run"), content(tmp_path / "whole")
    timed = {"summary.json", "checkpoint.bin"}
    assert here.keys() == there.keys()
    assert {name for name in here if here[name] != there[name]} <= timed


def test_a_longer_run_goes_on_from_a_shorter_one(tmp_path: Path) -> None:
    sample(tmp_path / "run", steps=450)
    broken_off(tmp_path / "run", step=550, resume=True)
    assert not (tmp_path / "run" / "summary.json").exists()
    assert Run.load(tmp_path / "run").asked == 700
    run, whole = sample(tmp_path / "run", resume=True), sample(tmp_path / "whole")
    assert_same(run, whole)
    trajectories = [(tmp_path / name / "trajectory.dcd").read_bytes() for name in ("run", "whole")]
    assert trajectories[0] == trajectories[1]
    assert pq.read_table(tmp_path / "run" / "observables.parquet").equals(whole.to_table())


def test_what_a_killed_process_left_is_swept_away(tmp_path: Path) -> None:
    broken_off(tmp_path)
    parts = tmp_path / "observables"
    left = [tmp_path / ".table.new", parts / ".part-000009.parquet.new", parts / "part-000009.parquet"]
    for path in (*left, parts / "part-000002.parquet"):
        path.write_bytes(b"half")
    damaged(tmp_path, "trajectory.dcd", lambda old: old + b"half a frame")
    assert_same(sample(tmp_path, resume=True), sample(None, frames=None))
    assert not any(path.exists() for path in left)
    assert pq.read_table(parts / "part-000002.parquet")["step"].to_pylist()[-1] == 600


@pytest.mark.parametrize("room", [100, 3000, 9000])
def test_a_run_that_a_full_disk_has_stopped_goes_on(tmp_path: Path, room: int) -> None:
    """No file may be longer than `room`, so that one file or another fails."""
    sample(tmp_path)
    topology = (tmp_path / "topology.pdb").read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            sample(tmp_path, steps=2100, resume=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (tmp_path / "topology.pdb").read_bytes() == topology and not list(tmp_path.rglob(".*.new"))
    assert _checkpoint.read(tmp_path / "checkpoint.bin").step >= 400
    assert_same(sample(tmp_path, steps=2100, resume=True), sample(None, frames=None, steps=2100))


def test_checkpoints_that_follow_soon_upon_another_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "PATIENCE", 1e9)
    broken_off(tmp_path)
    assert _checkpoint.read(tmp_path / "checkpoint.bin").step == 200
    run = sample(tmp_path, resume=True)
    assert _checkpoint.read(tmp_path / "checkpoint.bin").step == 400
    assert_same(run, sample(None, frames=None))
    assert pq.read_table(tmp_path / "observables.parquet").equals(run.to_table())


# One process at a time.


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    def intrude(state: Any) -> None:
        for resume, message in ((True, "another process is writing"), (False, "already contains a run")):
            with pytest.raises(ValueError, match=rf"^out.*{message}"):
                sample(tmp_path, resume=resume)

    assert sample(tmp_path, callback=intrude, callback_every=300).steps == 700


def test_a_lock_goes_with_its_process(tmp_path: Path) -> None:
    script = (
        "import os, sys, time, pathlib; from elbowroom.sampling._disk.lock import Lock; "
        f"lock = Lock(pathlib.Path({str(tmp_path / 'lock')!r})); print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        with pytest.raises(BlockingIOError):
            Lock(tmp_path / "lock")
        holder.kill()
    Lock(tmp_path / "lock").release()


def test_a_run_that_breaks_off_lets_the_folder_go(tmp_path: Path) -> None:
    for step in (100, 300, 500):
        broken_off(tmp_path, step, resume=True)
    assert sample(tmp_path, resume=True).steps == 700
