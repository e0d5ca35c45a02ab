"""`elbowroom check --cluster`: the same answers as without, in files, and nothing is done twice."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign_makers import nearby
from peptide import pdb_text, renamed
from trajectory_files import MASSES, peptide_bonds, psf_text, shaken, write_frames

from elbowroom.files.trajectory import read_trajectory
from elbowroom.sampling._campaign.frames import FramePlan, check_frames
from elbowroom.sampling._disk.tables import read_table

pytest.importorskip("distributed")

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def files(tmp_path: Path) -> list[Any]:
    """A peptide that is shaken so much that it overlaps itself at times."""
    rows, frames = shaken(50, amount=0.28)
    names, masses = [row.name for row in rows], [MASSES[row.symbol] for row in rows]
    (tmp_path / "atoms.psf").write_text(psf_text(names, masses, peptide_bonds(rows)))
    write_frames(tmp_path / "shaken.dcd", frames)
    return [tmp_path / "shaken.dcd", "--topology", tmp_path / "atoms.psf"]


def spread(folder: Path) -> list[Any]:
    return ["--cluster", nearby(), "--out", folder]


def test_split_frames_give_the_same(ask: Ask, files: list[Any], tmp_path: Path) -> None:
    alone = ask("check", *files, "--json", tmp_path / "alone.json")
    found = ask("check", *files, "--json", tmp_path / "split.json", *spread(tmp_path / "out"))
    assert found[0] == alone[0] == 1
    assert found[1] == f"{alone[1]}results: {tmp_path / 'out'}\n"
    assert (tmp_path / "alone.json").read_text() == (tmp_path / "split.json").read_text()
    facts = json.loads((tmp_path / "alone.json").read_text())
    frames, overlaps = (read_table(tmp_path / "out" / f"{name}.parquet") for name in ("frames", "overlaps"))
    assert frames["frame"].to_pylist() == list(range(50))
    assert frames["gap"].to_pylist() == [each["gap"] for each in facts["by_frame"]]
    assert np.bincount(overlaps["frame"].to_numpy(), minlength=50).tolist() == frames["overlaps"].to_pylist()
    labels = read_table(tmp_path / "out" / "atoms.parquet")["label"].to_pylist()
    deepest = int(np.argmax(overlaps["depth"].to_numpy()))
    pair = sorted(labels[overlaps[name][deepest].as_py()] for name in "ab")
    worst = max(facts["intervals"], key=lambda each: each["depth"])
    assert pair == sorted(worst["beads"]) and overlaps["frame"][deepest].as_py() == worst["deepest_frame"]


def test_what_is_done_is_not_done_again(ask: Ask, files: list[Any], tmp_path: Path) -> None:
    out, tasks = tmp_path / "out", tmp_path / "out" / "tasks" / "frames"
    first = ask("check", *files, *spread(out))
    shutil.rmtree(tasks / "0001" / "run")
    (tasks / "0001" / "done.json").unlink()
    assert ask("check", *files, *spread(out)) == first
    attempts = [json.loads((tasks / name / "task.json").read_text())["attempts"] for name in ("0000", "0001")]
    assert attempts == [1, 2]


def test_another_check_in_the_same_folder_is_refused(ask: Ask, files: list[Any], tmp_path: Path) -> None:
    ask("check", *files, *spread(tmp_path / "out"))
    status, _, err = ask("check", *files, "--stop", 30, *spread(tmp_path / "out"))
    assert status == 2 and "--out: " in err and "contains a check with no stop, not with stop = 30" in err
    (tmp_path / "atoms.psf").touch()
    status, _, err = ask("check", *files, *spread(tmp_path / "out"))
    assert status == 2 and "the files have changed since" in err


def test_bonds_are_those_of_the_first_frame_in_every_part(files: list[Any], tmp_path: Path) -> None:
    """Without a list of bonds each part would find its own, and let atoms pass that collide."""
    rows, frames = shaken(50, amount=0.28)
    (tmp_path / "atoms.pdb").write_text(pdb_text(renamed(rows, residue="XYZ")))
    reading = {"path": str(files[0]), "topology": str(tmp_path / "atoms.pdb")}
    plan = FramePlan(reading, range(50))
    last = plan.tasks[-1]
    check_frames(last.spec, tmp_path / "part", False)
    found = read_table(tmp_path / "part" / "frames.parquet")
    whole = read_trajectory(files[0], topology=tmp_path / "atoms.pdb")
    own = read_trajectory(files[0], topology=tmp_path / "atoms.pdb", start=40)
    assert len(whole.excluded) != len(own.excluded)  # or this would show nothing
    k, gap = found["frame"][5].as_py(), found["gap"][5].as_py()
    places = frames[k].astype(np.float32).astype(float)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) - whole.radii[:, None] - whole.radii[None]
    gaps[np.tril_indices(len(gaps))] = np.inf
    gaps[tuple(np.asarray(whole.excluded).T)] = np.inf
    assert gap == pytest.approx(gaps.min(), abs=1e-6)


WRONG = {
    "--out": (["--cluster", "local"], "--out: missing"),
    "--cluster": (["--out", "out"], "--cluster: missing"),
    "address": (["--cluster", "here", "--out", "out"], "--cluster: must be .* got 'here'"),
    "workers": (["--cluster", "local", "--workers", 0, "--out", "out"], "--workers: must be at least 1"),
    "certificates": (["--cluster", "tls://127.0.0.1:1", "--out", "out"], "--cluster: .* needs certificates"),
    "one of three": (
        ["--cluster", "tls://127.0.0.1:1", "--tls-cert", "a", "--out", "out"],
        "--tls-ca-file: is missing: .* go together",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_options_make_no_folder(
    ask: Ask, files: list[Any], tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options, message = WRONG[case]
    status, out, err = ask("check", *files, *options)
    assert (status, out) == (2, "")
    assert re.search(message, err), err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("check", "pyarrow"),
        ("check", "distributed"),
        ("campaign", "pyarrow"),
        ("campaign", "distributed"),
        ("run", "pyarrow"),
    ],
)
def test_a_missing_extra_leaves_no_folder(
    ask: Ask, files: list[Any], tmp_path: Path, command: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    words: dict[str, list[Any]] = {
        "check": ["check", *files, "--cluster", "local"],
        "run": ["sample", "--beads", 20, "--steps", 100],
        "campaign": ["sample", "--beads", 20, "--steps", 100, "--replicas", 2],
    }
    status, _, err = ask(*words[command], "--out", tmp_path / "new" / "out")
    assert status == 2
    assert f"{missing}, which is not installed: pip install 'elbowroom[campaign]'" in err
    assert not (tmp_path / "new").exists()


def test_threads_of_one_worker_do_not_mix_up_frames(files: list[Any], tmp_path: Path) -> None:
    """A dask worker may have several threads, and they share the reader of the trajectory."""
    reading = {"path": str(files[0]), "topology": str(files[2])}
    tasks = [task for k in range(0, 50, 25) for task in FramePlan(reading, range(k, k + 25)).tasks]
    for number, task in enumerate(tasks):
        check_frames(task.spec, tmp_path / "alone" / str(number), False)
    with ThreadPoolExecutor(4) as pool:
        jobs = [
            pool.submit(check_frames, task.spec, tmp_path / str(turn) / str(number), False)
            for turn in range(5)
            for number, task in enumerate(tasks)
        ]
        for job in jobs:
            job.result()
    for number in range(len(tasks)):
        alone = read_table(tmp_path / "alone" / str(number) / "frames.parquet")
        assert all(
            read_table(tmp_path / str(turn) / str(number) / "frames.parquet") == alone for turn in range(5)
        )
