"""The tools that compare two builds: the same answers are found equal, altered ones are reported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elbowroom as er

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "pyproject.toml").is_file())
SOURCE = Path(er.__file__).parent.parent

Columns = dict[str, Any]


def run(tool: str, *arguments: object) -> tuple[int, str]:
    """The exit status of a tool, and all that it prints."""
    command = [sys.executable, str(ROOT / "tools" / tool), *map(str, arguments)]
    kept = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=kept)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("answers") / "a.npz"
    assert run("record_answers.py", out, "--queries", 2000)[0] == 0
    return out


def altered(recorded: Path, out: Path, alter: Callable[[Columns], None]) -> Path:
    """A copy of a recording in which something is different."""
    with np.load(recorded) as file:
        columns = {name: file[name] for name in file.files}
    alter(columns)
    np.savez(out, **columns)
    return out


def rows_of(text: str) -> dict[str, list[str]]:
    """The lines of a table by their first words."""
    return {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}


def test_a_build_gives_the_same_answers_again(recorded: Path, tmp_path: Path) -> None:
    again = tmp_path / "b.npz"
    status, said = run("record_answers.py", again, "--queries", 2000)
    assert status == 0 and er.isa in said and said.count("\n") == 1  # no round ended by an error
    status, said = run("compare_answers.py", recorded, again)
    assert status == 0, said
    assert said.endswith("no differences\n")
    parts = rows_of(said)
    for name in (
        "rigid",
        "chain",
        "articulated",
        "necklace",
        "motion",
        "memory",
        "between",
        "sampling",
        "planning",
    ):
        assert int(parts[name][1].replace(",", "")) > 10


def test_the_seed_changes_what_is_asked(recorded: Path, tmp_path: Path) -> None:
    other = tmp_path / "b.npz"
    assert run("record_answers.py", other, "--queries", 2000, "--seed", 1, "--parts", "volumes")[0] == 0
    status, said = run("compare_answers.py", recorded, other)
    assert status == 2 and "seed 0 and 1" in said


def flip_a_verdict(columns: Columns) -> None:
    columns["verdict"][np.flatnonzero(columns["verdict"] == 0)[5]] = 1


def name_another_pair(columns: Columns) -> None:
    columns["second"][np.flatnonzero(columns["second"] >= 0)[5]] += 1


def shift_a_value(columns: Columns) -> None:
    bits = columns["value"]  # the bounds are stored by their difference from it, and move with it
    bits[np.flatnonzero(np.isfinite(bits) & (bits > 0.1))[5]] *= 1 + 1e-6


def shift_a_point(columns: Columns) -> None:
    columns["rest"][7] += 1e-6


def take_a_test_more(columns: Columns) -> None:
    columns["leaf_tests"][np.flatnonzero(columns["leaf_tests"] > 0)[5]] += 1


ALTERATIONS = [
    (flip_a_verdict, "verdict 0 -> 1", 2),
    (name_another_pair, "second ", 3),
    (shift_a_value, "value ", 4),
    (shift_a_point, "rest ", 4),
    (take_a_test_more, "leaf_tests ", 6),
]


@pytest.mark.parametrize(("alter", "told", "column"), ALTERATIONS, ids=lambda x: getattr(x, "__name__", None))
def test_an_altered_answer_is_reported(
    recorded: Path, tmp_path: Path, alter: Callable[[Columns], None], told: str, column: int
) -> None:
    other = altered(recorded, tmp_path / "b.npz", alter)
    status, said = run("compare_answers.py", recorded, other)
    assert status == 1 and told in said
    table = [line.split() for line in said.split("\n\n")[0].splitlines()[1:]]
    assert sum(int(line[column]) for line in table) == 1
    assert sum(int(line[k]) for line in table for k in (2, 3, 4, 6, 7)) == 1


def test_counters_can_be_left_out(recorded: Path, tmp_path: Path) -> None:
    other = altered(recorded, tmp_path / "b.npz", take_a_test_more)
    status, said = run("compare_answers.py", recorded, other, "--no-counters")
    assert status == 0 and said.endswith("no differences\n")


def test_a_difference_can_be_repeated_alone(recorded: Path, tmp_path: Path) -> None:
    other = altered(recorded, tmp_path / "b.npz", flip_a_verdict)
    said = run("compare_answers.py", recorded, other)[1]
    case, one = said.split("--cases '")[1].split("'")[0], tmp_path / "one.npz"
    assert run("record_answers.py", one, "--queries", 2000, "--cases", case)[0] == 0
    with np.load(recorded) as everything, np.load(one) as alone:
        rounds = json.loads(everything["text"].tobytes())["names"]["rounds"]
        here = np.repeat(everything["round"], everything["count"]) == rounds.index(case)
        assert json.loads(alone["text"].tobytes())["names"]["rounds"] == [case]
        np.testing.assert_array_equal(everything["verdict"][here], alone["verdict"])
        np.testing.assert_array_equal(everything["value"][here], alone["value"])


def test_other_queries_are_reported(recorded: Path, tmp_path: Path) -> None:
    def leave_one_out(columns: Columns) -> None:
        last = columns["count"][-1]
        per_call = ("round", "label", "status", "count", "scale", "further")
        for name in (*per_call, "volume_tests", "leaf_tests", "pairs_visited"):
            columns[name] = columns[name][:-1]
        for name in ("verdict", "value", "lower", "upper", "first", "second", "exact", "rest"):
            columns[name] = columns[name][:-last]

    status, said = run("compare_answers.py", recorded, altered(recorded, tmp_path / "b.npz", leave_one_out))
    assert status == 1 and "one recording has other queries than the other" in said


def test_what_is_no_recording_is_refused(recorded: Path, tmp_path: Path) -> None:
    np.savez(tmp_path / "b.npz", other=np.zeros(3))
    assert run("compare_answers.py", recorded, tmp_path / "b.npz")[0] == 2
    assert run("compare_answers.py", recorded, tmp_path / "missing.npz")[0] == 2
    assert run("record_answers.py", tmp_path / "c.npz", "--parts", "nonsense")[0] != 0


def test_the_guard_compares_a_build_with_itself() -> None:
    builds = ("--before", SOURCE, "--after", SOURCE)
    status, said = run("benchmark_guard.py", *builds, "--repeats", 1, "--limit", 1e9)
    assert status == 0, said
    names = "smallest mesh batch pivots, chain necklace, articulated motions budget convex import"
    assert set(names.split()) <= set(rows_of(said))
    assert said.count("\n") == 2 + 1 + 12
    assert run("benchmark_guard.py", "--before", SOURCE, "--after", ROOT / "missing")[0] == 2
