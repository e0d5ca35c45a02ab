"""Folders of runs and campaigns may have any name: none is a pattern, a URI, a home folder or a column."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign_makers import nearby

import elbowroom as er
from elbowroom.sampling import Campaign, Run

pytest.importorskip("distributed")

Ask = Callable[..., tuple[int, str, str]]

#: Folders that the patterns among the names below match.
SIBLINGS = ["a1", "ab", "b"]
NAMES = [
    "*",
    "a*",
    "a?",
    "a[1]",
    "[!c]",
    "{a1,ab}",
    "it's",
    'say "a1"',
    "50%",
    "a%31",
    "#a1",
    "a1?b=c#d",
    "a b",
    " ",
    "-a1",
    "--help",
    "größe 大きさ",
    "replica=7",
    "step=3",
    "task=a1",
    "~",
    "file:a1",
    "s3:a1",
    "a\\1",
    "line\nbreak",
    "$HOME",
]
#: Of each kind one, for what takes longer.
FEW = ["a?", "a[1]", "{a1,ab}", "it's", 'say "a1"', "a%31", "--help", "replica=7", "~"]
SPEC: dict[str, Any] = {"chain": {"beads": 10}, "run": {"steps": 100, "every": 10}}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The names are relative: there all of them have a special meaning to some reader."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(name: str, seed: int, steps: int = 100, **options: Any) -> Run:
    chain = er.Chain(np.arange(10)[:, None] * [1.0, 0.0, 0.0], 0.3)
    return er.sampling.sample(chain, steps=steps, every=10, seed=seed, out=name, progress=False, **options)


@pytest.mark.parametrize("name", NAMES)
def test_a_run_is_loaded_and_resumed(here: Path, name: str) -> None:
    for seed, sibling in enumerate(SIBLINGS, 1):
        run(sibling, seed)
    made = run(name, 10)
    assert {path.name for path in here.iterdir()} == {*SIBLINGS, name}
    for folder in (name, here / name):
        loaded = Run.load(folder)
        assert loaded.to_table() == made.to_table() and loaded.to_table() != Run.load("a1").to_table()
    longer = run(name, 10, 300, resume=True)
    assert longer.to_table() == run("whole", 10, 300).to_table() == Run.load(name).to_table()


@pytest.fixture(scope="module")
def siblings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with campaigns that differ in their seeds."""
    folder = tmp_path_factory.mktemp("siblings")
    for seed, name in enumerate(SIBLINGS, 1):
        sampled(folder / name, seed)
    return folder


def sampled(out: str | Path, seed: int) -> Campaign:
    spec = SPEC | {"run": SPEC["run"] | {"seed": seed}}
    return er.sampling.campaign(spec, out=out, cluster=nearby(), replicas=2)


@pytest.mark.parametrize("name", FEW)
def test_a_campaign_reports_its_own_data(siblings: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(siblings)
    made = sampled(name, 10 + NAMES.index(name))
    for found in (made, Campaign.load(name), Campaign.load(siblings / name)):
        table, row = found.table(), found.summary().to_pylist()[0]
        assert table.num_rows == row["samples"] == 20 and row["replicas"] == 2
        assert row["mean"] == pytest.approx(np.mean(table["end_to_end"].to_numpy()), rel=1e-12)
        assert table["replica"].to_pylist() == [0] * 10 + [1] * 10
        assert found.sql("FROM results") == table
        assert found.sql("SELECT seed FROM tasks")["seed"] == found.tasks["seed"]
        assert found.report() == made.report()
        assert name in found.report().partition("\n\n")[0]
    assert row["mean"] != Campaign.load("a1").summary()["mean"][0].as_py()


@pytest.mark.parametrize("name", FEW)
def test_the_command_line(ask: Ask, siblings: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    beads = ("sample", "--beads", 10, "--steps", 100, "--every", 10, f"--seed={100 + NAMES.index(name)}")
    for folder in ("runs", "campaigns"):
        (siblings / folder).mkdir(exist_ok=True)
    monkeypatch.chdir(siblings / "runs")
    assert ask(*beads, f"--out={name}")[0] == 0
    status, _, err = ask("sample", f"--resume={name}", "--steps", 200)
    assert (status, err) == (0, "") and Run.load(name).steps == 200
    monkeypatch.chdir(siblings / "campaigns")
    options = ("--replicas", 2, f"--cluster={nearby()}", "--json", siblings / "facts.json")
    assert ask(*beads, *options, f"--out={name}")[0] == 0
    (siblings / "again.json").unlink(missing_ok=True)
    status, _, err = ask("sample", f"--resume={name}", "--json", siblings / "again.json")
    facts, again = (json.loads((siblings / file).read_text()) for file in ("facts.json", "again.json"))
    assert (status, err) == (0, "") and again["summary"] == facts["summary"]
    values = Campaign.load(name).table()["end_to_end"].to_numpy()
    assert facts["summary"][0]["mean"] == pytest.approx(np.mean(values), rel=1e-12) and len(values) == 20


@pytest.mark.parametrize("name", ["-a1", "--help", "it's", "$HOME"])
def test_the_command_that_resumes_works_as_it_is_printed(ask: Ask, here: Path, name: str) -> None:
    beads = ("sample", "--beads", 10, "--steps", 100, f"--out={name}")
    ask(*beads)
    status, _, err = ask(*beads)
    told = err.split("`")[1]
    assert status == 2 and told.startswith("elbowroom sample --resume")
    assert ask(*shlex.split(told)[1:], "--steps", 200)[0] == 0 and Run.load(name).steps == 200
