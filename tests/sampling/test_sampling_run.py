"""Runs: what they hold, say, estimate, draw and give to tables; and those that are read from folders."""

from __future__ import annotations

import copy
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.signal import lfilter

import elbowroom as er
from elbowroom.pictures import png
from elbowroom.pictures.sampling import MOST_DOTS
from elbowroom.sampling import Run

SAMPLES = 4000


def series(seed: int, count: int | None = None) -> Any:
    """Samples that remember for a while about 10: (4000,), or (count, 4000)."""
    noise = np.random.default_rng(seed).normal(size=(count or 1, SAMPLES))
    made = 10 + lfilter([1.0], [1.0, -0.8], noise, axis=1)
    return made if count else made[0]


def made(**changed: Any) -> Run:
    """A run with hard cores alone."""
    plain: dict[str, Any] = {
        "observables": {"end_to_end": series(1), "radius_of_gyration": series(2)},
        "steps_at": 50 * np.arange(1, SAMPLES + 1),
        "steps": 50 * SAMPLES,
        "every": 50,
        "seed": 7,
        "tallies": {"pivot": (150_000, 90_000, 60_000), "crankshaft": (50_000, 10_000, 40_000)},
        "sizes": {"pivot": None, "crankshaft": 0.3},
        "seconds": 0.5,
        "links": 100,
        "balls": 100,
    }
    return Run(**(plain | changed))


def tempered(**changed: Any) -> Run:
    """One at three temperatures."""
    heats = {
        "observables": {"end_to_end": series(3, 3), "energy": -series(4, 3)},
        "temperatures": (1.0, 1.5, 2.0),
        "swaps": [0.25, math.nan],
        "tallies": {"torsion": [[100, 50, 30], [100, 40, 40], [100, 30, 50]]},
        "sizes": {"torsion": [0.1, 0.2, 0.3]},
    }
    return made(**(heats | changed))


# What it holds.


def test_a_run_holds_what_it_was_given_and_lets_nobody_change_it() -> None:
    values = series(1)
    run = made(observables={"end_to_end": values})
    assert run.observables["end_to_end"].tolist() == values.tolist()
    with pytest.raises(ValueError, match="read-only"):
        run.observables["end_to_end"][0] = 1.0
    values[0] = 0.0
    assert run.observables["end_to_end"][0] != 0.0
    assert (run.samples, run.asked, run.tempered, run.folder) == (SAMPLES, 50 * SAMPLES, False, None)
    assert run.acceptance == {"pivot": 0.4, "crankshaft": 0.8}
    assert run.rate == 400_000 and math.isnan(made(seconds=0.0).rate)
    assert run.sizes == {"pivot": None, "crankshaft": 0.3}


def test_with_tempering_moves_have_a_value_for_each_temperature() -> None:
    run = tempered()
    assert run.tempered and run.acceptance == {"torsion": (0.3, 0.4, 0.5)}
    assert run.tallies["torsion"][2] == (100, 30, 50) and run.sizes["torsion"] == (0.1, 0.2, 0.3)
    assert run.rate == 3 * 400_000
    assert run.swaps is not None and run.swaps[0] == 0.25


def test_a_move_that_was_never_tried_has_no_acceptance() -> None:
    assert math.isnan(made(tallies={"side": (0, 0, 0)}, sizes={"side": math.nan}).acceptance["side"])
    assert made(tallies={"side": (0, 0, 0)}, sizes={"side": math.nan}).sizes["side"] is None


@pytest.mark.parametrize(
    "observables",
    [
        {"end_to_end": np.zeros(3)},
        {"end_to_end": np.zeros((2, SAMPLES))},
        {"end_to_end": np.zeros(SAMPLES), "energy": np.zeros((3, SAMPLES))},
    ],
)
def test_observables_of_other_shapes_are_refused(observables: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^observables"):
        tempered(observables=observables)


def test_runs_pickle_and_copy() -> None:
    for run in (made(), tempered()):
        wanted = repr(run)
        for twin in (pickle.loads(pickle.dumps(run)), copy.copy(run), copy.deepcopy(run)):
            assert repr(twin) == wanted and twin.summary() == run.summary()


# Estimates.


def test_estimates_are_those_of_the_series_in_steps() -> None:
    run = made()
    found, wanted = run.estimate("end_to_end"), er.sampling.estimate(series(1), 50)
    assert found == wanted and found.converged and found.time == pytest.approx(50 * 4.5, rel=0.2)
    squared = run.estimate("end_to_end", 2)
    assert squared == er.sampling.estimate(series(1) ** 2, 50)
    assert squared.mean == pytest.approx(100 + 1 / (1 - 0.64), abs=4 * squared.error)
    assert run.estimate("end_to_end", -1).mean == pytest.approx((1 / series(1)).mean())
    assert run.estimate("end_to_end") is found


def test_with_tempering_estimates_are_asked_for_by_temperature() -> None:
    run = tempered()
    for number in range(3):
        wanted = er.sampling.estimate(series(3, 3)[number], 50)
        assert run.estimate("end_to_end", temperature=number) == wanted
    for wrong in (None, 3, -1, 1.5):
        with pytest.raises(ValueError, match=r"^temperature"):
            run.estimate("energy", temperature=wrong)  # type: ignore[arg-type]


def test_what_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"^name must be one of 'end_to_end', 'radius_of_gyration'"):
        made().estimate("energy")
    with pytest.raises(ValueError, match=r"^temperature"):
        made().estimate("end_to_end", temperature=0)
    with pytest.raises(ValueError, match=r"^power"):
        made().estimate("end_to_end", math.nan)
    with pytest.raises(ValueError, match=r"^chain"):
        _ = made().chain


def test_overflow_makes_the_error_infinite_and_not_a_warning() -> None:
    found = made().estimate("end_to_end", 1000)
    assert math.isinf(found.error) and not found.converged


# What it says.


def test_a_run_tells_its_story() -> None:
    told = repr(made())
    assert told.startswith("<Run: 200,000 steps of 100 links, 0.5 s, 400,000 steps per second; ")
    assert "accepted pivot 40%, crankshaft 80%; end_to_end " in told and "not converged" not in told
    told = repr(made(asked=1_000_000, temperatures=(1.5,), seconds=7300.0))
    assert "200,000 of 1,000,000 steps of 100 links at temperature 1.5, 2 h 1 min" in told
    told = repr(tempered())
    assert "3 temperatures, 1 to 2" in told and "torsion 30% to 50%; swapped 25%" in told


def test_the_summary_has_a_row_for_each_observable_and_move() -> None:
    text = made(burn_in=300, folder="somewhere").summary()
    for words in (
        "after 300 steps of burn-in",
        "seed 7",
        "folder: somewhere",
        "4,000 samples, one every 50 steps",
    ):
        assert words in text
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    assert rows["end_to_end"][-1] == "yes" and float(rows["end_to_end"][1]) == pytest.approx(10, abs=0.5)
    assert rows["pivot"] == ["pivot", "150,000", "60.0%", "0.0%", "40.0%", "any"]
    assert rows["crankshaft"] == ["crankshaft", "50,000", "20.0%", "0.0%", "80.0%", "0.3"]
    assert "Not converged" not in text
    widths = {len(line) for line in text.splitlines() if line.startswith(("move", "pivot", "crankshaft"))}
    assert len(widths) == 1, "the columns stand below each other"


def test_the_summary_of_tempering_has_a_row_for_each_temperature() -> None:
    lines = [line.split() for line in tempered().summary().splitlines()]
    assert [line[0] for line in lines if "energy" in line] == ["1", "1.5", "2"]
    assert [line[-1] for line in lines if "torsion" in line] == ["0.1", "0.2", "0.3"]
    assert ["1", "and", "1.5", "25.0%"] in lines and ["1.5", "and", "2"] in lines


def test_the_summary_says_what_is_not_converged() -> None:
    stuck = made(observables={"end_to_end": series(1), "contacts": np.zeros(SAMPLES)})
    assert "Not converged: contacts." in stuck.summary() and "unknown" in stuck.summary()
    assert "contacts 0 +- 0 (not converged)" in repr(stuck)


def test_a_run_without_samples_says_so() -> None:
    run = made(observables={"end_to_end": []}, steps_at=[], steps=20)
    assert "no samples" in repr(run) and "no samples, one every 50 steps" in run.summary()
    with pytest.raises(ValueError, match=r"^name: 'end_to_end' has no samples"):
        run.estimate("end_to_end")
    with pytest.raises(ValueError, match=r"^run"):
        run.plot()
    assert run.to_table().num_rows == 0


# Tables and pictures.


def test_tables_have_a_row_for_each_sample() -> None:
    table = made().to_table()
    assert table.column_names == ["step", "end_to_end", "radius_of_gyration"] and table.num_rows == SAMPLES
    assert [str(kind) for kind in table.schema.types] == ["int64", "double", "double"]
    assert table["step"].to_pylist()[:2] == [50, 100]
    assert table["end_to_end"].to_numpy().tolist() == series(1).tolist()


def test_tables_of_tempering_go_by_step_then_by_temperature() -> None:
    table = tempered().to_table()
    assert table.column_names == ["step", "temperature", "end_to_end", "energy"]
    assert table["step"].to_pylist()[:4] == [50, 50, 50, 100]
    assert table["temperature"].to_pylist()[:4] == [0, 1, 2, 0]
    assert table["energy"].to_numpy().reshape(-1, 3).T.tolist() == (-series(4, 3)).tolist()


def test_pictures_show_each_observable_and_the_moves(tmp_path: Path) -> None:
    run = made()
    figure = run.plot(tmp_path / "run.png")
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")
    assert len(figure.axes) == 2 * 3 + 1
    trace, distribution, memory = figure.axes[:3]
    mean = trace.lines[1].get_ydata()
    assert mean[-1] == pytest.approx(run.estimate("end_to_end").mean)
    assert len(trace.lines[0].get_xdata()) <= 2 * MOST_DOTS
    assert (
        trace.lines[0].get_ydata().max() == series(1).max()
        and trace.lines[0].get_ydata().min() == series(1).min()
    )
    assert distribution.get_ylim() == trace.get_ylim()
    assert memory.lines[1].get_ydata()[:20] == pytest.approx(er.sampling.autocorrelation(series(1))[:20])
    bars = {(bar.get_y(), bar.get_width()) for bar in figure.axes[-1].patches}
    assert sorted(round(width, 6) for _, width in bars) == [0.2, 0.4, 0.6, 0.8]


def test_pictures_of_tempering_show_every_temperature() -> None:
    figure = tempered().plot()
    trace, _, memory = figure.axes[:3]
    assert len(trace.lines) == 3 and len(memory.lines) == 1 + 3
    assert [text.get_text() for text in trace.get_legend().get_texts()] == ["1", "1.5", "2"]
    assert [bar.get_width() for bar in figure.axes[-1].patches] == [0.25, 0.0]


@pytest.mark.parametrize(
    "values", [[2.5], [1.0, 2.0], np.zeros(500), [1.0, math.inf, 2.0], np.arange(300) % 7, [math.nan] * 5]
)
def test_pictures_of_odd_series_can_be_made(values: Any) -> None:
    run = made(observables={"contacts": values}, steps_at=50 * np.arange(1, len(values) + 1))
    figure = run.plot()
    assert png(figure, dpi=20).startswith(b"\x89PNG")
    assert len(figure.axes) == 4 and "contacts" in run.summary()


# Runs that were made.


@pytest.fixture(scope="module")
def real() -> Run:
    chain = er.sampling.polymer(40, seed=3)
    return er.sampling.sample(chain, {"pivot": 1.0, "crankshaft": 1.0}, steps=40_000, every=20, seed=3)


def test_a_run_of_a_polymer_has_the_size_that_its_positions_have(real: Run) -> None:
    positions = real.chain.positions()
    ends = float(np.linalg.norm(positions[-1] - positions[0]))
    assert real.observables["end_to_end"][-1] == pytest.approx(ends)
    around = positions - positions.mean(axis=0)
    assert real.observables["radius_of_gyration"][-1] ** 2 == pytest.approx((around**2).sum(axis=1).mean())
    assert real.steps_at[-1] == real.steps == 40_000 and real.samples == 2000
    assert sum(tried for tried, _, _ in real.tallies.values()) == 40_000
    assert real.estimate("end_to_end", 2).converged


def test_a_run_is_read_from_its_folder(tmp_path: Path) -> None:
    chain = er.sampling.polymer(30, seed=4)
    run = er.sampling.sample(chain, steps=2000, every=10, seed=4, burn_in=100, out=tmp_path / "run", frames=0)
    again = Run.load(tmp_path / "run")
    assert again.folder == tmp_path / "run" and again.links == 30 and again.burn_in == 100
    assert again.summary().splitlines()[2:] == run.summary().splitlines()[2:]
    assert again.to_table().equals(run.to_table())
    assert again.tallies == run.tallies and again.sizes == run.sizes
    with pytest.raises(ValueError, match=r"^folder"):
        Run.load(tmp_path)
