"""Calibrations: what is stated comes true, and a table is the same after a file, or is refused by name."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calibration_makers import made, simulated

from elbowroom import _fitting, _reliability
from elbowroom.calibration import Calibration


def test_a_table_of_simulated_runs_is_calibrated_and_sharp() -> None:
    table = made(1200)
    assert table.held_out is not None and table.paper is not None
    assert table.error <= 0.02 and table.held_out.error_by_width <= 0.02
    assert table.held_out.brier < 0.85 * table.held_out.base_brier < table.paper.brier
    assert table.held_out.auc > table.paper.auc + 0.1
    assert table.curve.count.sum() == table.held_out.runs == 30_000


def test_a_table_comes_back_from_a_file_and_a_pickle(tmp_path: Path) -> None:
    table, file = made(), tmp_path / "table.json"
    table.save(file)
    signs = simulated(5, 9)[0]
    for twin in (Calibration.load(file), Calibration.load(str(file)), pickle.loads(pickle.dumps(table))):
        assert twin == table and repr(twin) == repr(table)
        assert twin.confidence(signs).tolist() == table.confidence(signs).tolist()
        assert twin.held_out == table.held_out and twin.budgets[0].tests == 200
    assert made(seed=2) != table and table != "table"


def test_a_table_that_was_not_judged_comes_back_and_says_so(tmp_path: Path) -> None:
    table = Calibration(*_fitting.fit(*simulated(40, 8)))
    table.save(tmp_path / "table.json")
    assert Calibration.load(tmp_path / "table.json") == table and np.isnan(table.error)
    assert "not judged" in repr(table)
    with pytest.raises(ValueError, match="held_out"):
        _ = table.curve
    with pytest.raises(ValueError, match="held_out"):
        table.picture(tmp_path / "table.png")


def test_an_unknown_area_under_the_curve_comes_back(tmp_path: Path) -> None:
    signs = simulated(4, 8)[0]
    all_free = _reliability.judged(signs[:, 2], np.ones(len(signs), bool))
    table = Calibration(*_fitting.fit(signs, np.ones(len(signs), bool)), held_out=all_free, paper=all_free)
    table.save(tmp_path / "table.json")
    assert np.isnan(all_free.auc) and Calibration.load(tmp_path / "table.json") == table


def changed(**fields: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda found: found | fields


def without(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda found: {key: value for key, value in found.items() if key != name}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (changed(version=2), "version 2; this elbowroom reads version 1"),
        (changed(version=None), "version None"),
        (changed(format="other"), "contains no calibration: its format"),
        (changed(signs=["covered"]), "other signs"),
        (lambda found: [found], "contains no calibration: its format"),
        (without("knots"), "lacks 'knots'"),
        (without("budgets"), "lacks 'budgets'"),
        (changed(knots=[2.0, 1.0], values=[0.1, 0.2]), "knots must rise"),
        (changed(knots=[1.0, 2.0], values=[0.2, 0.1]), "values must"),
        (changed(knots=[1.0], values=[1.5]), "values must"),
        (changed(values=[0.5]), "as many as knots"),
        (changed(weights=[1.0]), "weights must have shape"),
        (changed(weights=[None] * 9), "weights must be finite"),
        (changed(weights="nine"), "damaged"),
        (changed(held_out={}), "lacks 'curve'"),
        (changed(budgets=[{"tests": -1, "seconds": None}]), "tests"),
        (changed(group="eight"), "damaged"),
        (changed(held_out=3), "damaged"),
    ],
)
def test_a_file_that_is_no_table_is_refused_by_name(
    tmp_path: Path, change: Callable[[dict[str, Any]], Any], said: str
) -> None:
    file = tmp_path / "broken.json"
    made(20).save(file)
    file.write_text(json.dumps(change(json.loads(file.read_text()))))
    with pytest.raises(ValueError, match=said) as caught:
        Calibration.load(file)
    assert "path: " in str(caught.value) and "broken.json" in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[1, 2"])
def test_a_file_that_is_not_json_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken.json"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"broken\.json contains no calibration: it is not JSON"):
        Calibration.load(file)


def test_a_file_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing"):
        Calibration.load(tmp_path / "nothing.json")


@pytest.mark.parametrize(
    ("signs", "said"),
    [
        (np.zeros(8), r"shape \(n, 8\)"),
        (np.zeros((2, 7)), r"shape \(n, 8\)"),
        (np.full((2, 8), np.nan), "signs must be finite"),
        (np.empty((0, 8)), "signs is empty"),
        ("signs", "signs must"),
    ],
)
def test_signs_that_are_none_are_refused(signs: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        made(20).confidence(signs)


def test_a_table_cannot_be_written_to() -> None:
    table = made(20)
    for array in (table.weights, table.knots, table.values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_the_picture_is_a_picture(tmp_path: Path) -> None:
    made(40).picture(tmp_path / "table.png")
    assert (tmp_path / "table.png").read_bytes().startswith(b"\x89PNG")
