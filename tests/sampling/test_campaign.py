"""Campaigns, by a cluster within this process: what comes of them, and the files they leave."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from campaign_makers import BEADS, NOWHERE, home_of, nearby, walked
from pyarrow import parquet

import elbowroom as er
from elbowroom.sampling._campaign import collect as _collect
from elbowroom.sampling._campaign import ledger as _ledger
from elbowroom.sampling.spec import Spec

distributed = pytest.importorskip("distributed")


def test_results_are_those_of_runs_made_alone(tmp_path: Path) -> None:
    grid = {"chain.radius": [0.2, 0.4]}
    found = er.sampling.campaign(BEADS, out=tmp_path, cluster=nearby(), replicas=2, grid=grid)
    table = found.table()
    assert table.column_names[:4] == ["task", "chain.radius", "replica", "step"]
    assert table.num_rows == 4 * 200
    for number, row in enumerate(found.tasks.to_pylist()):
        spec = Spec.from_dict(BEADS).replaced({"chain.radius": row["chain.radius"], "run.seed": row["seed"]})
        alone, rows = spec.run(), table.slice(200 * number, 200)
        assert set(rows["task"].to_pylist()) == {row["task"]}
        assert rows["step"].to_pylist() == alone.steps_at.tolist()
        for name, values in alone.observables.items():
            assert rows[name].to_pylist() == values.tolist()


def test_the_summary_has_means_errors_and_acceptance_over_replicas(tmp_path: Path) -> None:
    grid = {"chain.radius": [0.4, 0.2]}
    found = er.sampling.campaign(BEADS, out=tmp_path, cluster=nearby(), replicas=3, grid=grid)
    rows = found.summary().to_pylist()
    assert [(row["chain.radius"], row["observable"]) for row in rows] == [
        (radius, name) for radius in (0.4, 0.2) for name in ("end_to_end", "radius_of_gyration")
    ]
    runs = [er.sampling.Run.load(Path(folder) / "run") for folder in found.tasks["folder"].to_pylist()]
    for number, row in enumerate(rows):
        own, name = runs[:3] if number < 2 else runs[3:], row["observable"]
        means = [run.observables[name].mean() for run in own]
        errors = np.array([run.estimate(name).error for run in own])
        tallies = np.array([run.tallies["pivot"] for run in own])
        assert (row["replicas"], row["samples"]) == (3, 600)
        assert row["mean"] == pytest.approx(np.mean(means), rel=1e-12)
        assert row["spread"] == pytest.approx(np.std(means, ddof=1) / np.sqrt(3), rel=1e-9)
        assert row["blocked"] == pytest.approx(np.sqrt((errors**2).sum()) / 3, rel=1e-12)
        assert row["error"] == max(row["spread"], row["blocked"])
        assert row["acceptance"] == pytest.approx(tallies[:, 2].sum() / tallies[:, 0].sum(), rel=1e-12)


def test_with_one_replica_the_error_is_that_of_blocking(tmp_path: Path) -> None:
    found = er.sampling.campaign(BEADS, out=tmp_path, cluster=nearby())
    row = found.summary().to_pylist()[0]
    assert row["replicas"] == 1 and row["error"] == row["blocked"] > 0 and row["spread"] is None
    assert "20" not in found.summary().column_names and found.parameter_sets == [{}]


def test_tempering_is_summarised_for_each_temperature(tmp_path: Path) -> None:
    energy = {"form": "lennard-jones", "sigma": 0.9}
    run = BEADS["run"] | {"temperature": [1.0, 3.0], "swap_every": 100}
    spec = BEADS | {"energy": energy, "run": run}
    found = er.sampling.campaign(spec, out=tmp_path, cluster=nearby(), replicas=2)
    rows = [row for row in found.summary().to_pylist() if row["observable"] == "energy"]
    assert [row["temperature"] for row in rows] == [0, 1]
    loaded = er.sampling.Run.load(Path(found.tasks["folder"][0].as_py()) / "run")
    other = er.sampling.Run.load(Path(found.tasks["folder"][1].as_py()) / "run")
    both = (loaded.observables["energy"].mean(axis=1) + other.observables["energy"].mean(axis=1)) / 2
    assert [row["mean"] for row in rows] == pytest.approx(both.tolist(), rel=1e-12)
    assert rows[0]["mean"] < rows[1]["mean"]


def test_the_campaign_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(
        "[chain]\nbeads = 12\n[run]\nsteps = 200\n[campaign]\nreplicas = 2\n"
        f'cluster = "{nearby()}"\ngrid = {{"chain.radius" = [0.1, 0.3]}}\n'
    )
    found = er.sampling.campaign(file, out=tmp_path / "out")
    assert repr(found) == f"<Campaign: 2 parameter sets x 2 replicas: 4 done; {tmp_path / 'out'}>"
    assert er.sampling.Campaign.load(tmp_path / "out").table() == found.table()


def test_questions_in_sql(tmp_path: Path) -> None:
    found = er.sampling.campaign(BEADS, out=tmp_path / "it's", cluster=nearby(), replicas=2)
    table = found.table()
    asked = (
        "SELECT replica, max(end_to_end) AS most, count(*) AS rows FROM results GROUP BY ALL ORDER BY replica"
    )
    rows = found.sql(asked).to_pylist()
    values = table["end_to_end"].to_numpy().reshape(2, 200)
    assert [(row["replica"], row["most"], row["rows"]) for row in rows] == [
        (0, values[0].max(), 200),
        (1, values[1].max(), 200),
    ]
    assert found.sql("SELECT seed FROM tasks")["seed"] == found.tasks["seed"]


def test_a_callers_client_is_used_and_left_open(tmp_path: Path) -> None:
    with distributed.Client(nearby(), set_as_default=False) as client:
        er.sampling.campaign(BEADS, out=tmp_path, cluster=client)
        assert client.status == "running"


def test_results_that_are_half_written_do_not_replace_whole_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = walked(tmp_path).table()
    monkeypatch.setattr(_collect, "_rows", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        walked(tmp_path, replicas=3)
    monkeypatch.undo()
    assert parquet.read_table(tmp_path / "results.parquet") == first
    assert walked(tmp_path, cluster=NOWHERE, replicas=3).table().num_rows == 240


def test_parameters_of_several_kinds_share_a_column(tmp_path: Path) -> None:
    grid = [
        {"chain.radius": 0.25},
        {"chain.beads": 7},
        {"chain.radius": 0, "run.observables": ["end_to_end"]},
    ]
    found = walked(tmp_path, grid=grid, replicas=1)
    rows = {row["task"]: row for row in found.table().to_pylist()}.values()
    assert [row["chain.radius"] for row in rows] == [0.25, None, 0.0]
    assert [row["chain.beads"] for row in rows] == [None, 7, None]
    assert [row["run.observables"] for row in rows] == [None, None, '["end_to_end"]']
    assert [row["chain.beads"] for row in found.summary().to_pylist()] == [None, 7, None]


def test_long_results_are_written_in_groups_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_collect, "ROWS", 70)
    found = walked(tmp_path, replicas=3)
    assert parquet.ParquetFile(tmp_path / "results.parquet").num_row_groups == 3
    monkeypatch.undo()
    assert found.table() == walked(tmp_path / "other", replicas=3).table()


def test_a_campaign_at_work_can_be_looked_at(tmp_path: Path) -> None:
    """Whoever loads it waits while somebody else writes the results, and then finds what is done."""
    done = walked(tmp_path, replicas=1)
    home_of(tmp_path)  # with two replicas
    (tmp_path / "results.parquet").unlink()
    with _ledger.locked(tmp_path / "lock"):
        seen = er.sampling.Campaign.load(tmp_path)
    assert seen.tasks["status"].to_pylist() == ["done", "waiting", "done", "waiting"]
    assert seen.table().num_rows == done.table().num_rows == 80
