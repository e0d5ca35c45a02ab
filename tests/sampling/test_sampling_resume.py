"""Runs that are killed with SIGKILL, wherever they are, and resumed: nothing tells them from others."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from kill_sampling import Tally, kill_often
from sampling_kills import CASES, MAKERS, PACE, differences, killed_at_call, run

import elbowroom as er

pytestmark = pytest.mark.fuzz

pytest.importorskip("pyarrow")


@pytest.mark.parametrize("case", CASES)
def test_runs_that_are_killed_at_random_moments_come_to_the_same_end(case: str, tmp_path: Path) -> None:
    tally = Tally()
    kill_often(case, tmp_path, random.Random(case), tally, kills=4)
    assert tally.kills >= 4 and tally.resumed > 0 and tally.runs > 0
    assert tally.wrong == []


def test_runs_that_are_killed_at_any_change_of_the_disk_come_to_the_same_end(tmp_path: Path) -> None:
    """At each of them a second time as well, while the run is going on from where the first left it."""
    whole = tmp_path / "whole"
    run("short", whole)
    call = 0
    while killed_at_call("short", out := tmp_path / str(call), call):
        killed_at_call("short", out, call // 2)
        er.sampling.Run.load(out) if (out / "run.json").exists() else None
        run("short", out)
        assert differences(whole, out) == [], f"killed at call {call}"
        call += 1
    assert call > 30 and differences(whole, out) == []


@pytest.mark.parametrize("case", MAKERS)
def test_a_folder_makes_no_difference(case: str, tmp_path: Path) -> None:
    written = run(case, tmp_path / "run")
    plain = er.sampling.sample(**MAKERS[case](), **PACE | {"frames": None})
    for name, values in plain.observables.items():
        assert np.array_equal(values, written.observables[name]), name
    assert plain.tallies == written.tallies
    assert np.array_equal(plain.chain.positions(side=True), written.chain.positions(side=True))
