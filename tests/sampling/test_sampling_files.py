"""The files of a run: what is in them, what other programs read of them, and what is read again."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peptide import pdb_text, peptide
from sampling_folders import PACE, TEMPERED, broken_off, content, read, sample
from sampling_makers import assert_same, branched

import elbowroom as er
from elbowroom.sampling import Run, folder

pa: Any = pytest.importorskip("pyarrow")
pq: Any = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(autouse=True)
def every_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "PATIENCE", 0.0)


# What is there.


def test_the_files_of_a_run(tmp_path: Path) -> None:
    run = sample(tmp_path / "deep" / "run")
    assert run.folder == tmp_path / "deep" / "run"
    assert sorted(content(run.folder)) == [
        "checkpoint.bin",
        "observables.parquet",
        *(f"observables/part-{k:06d}.parquet" for k in range(4)),
        "run.json",
        "run.lock",
        "summary.json",
        "topology.pdb",
        "trajectory.dcd",
    ]
    told = json.loads((run.folder / "run.json").read_text())
    assert (told["isa"], told["versions"]["numpy"]) == (er.isa, np.__version__)
    assert {name: told["asked"][name] for name in PACE} == PACE


def test_frames_are_those_of_the_steps_and_of_the_topology(tmp_path: Path) -> None:
    seen: dict[int, np.ndarray] = {}

    def keep(state: Any) -> None:
        seen[state.step] = state.chain.positions(side=True)

    chain = branched(20)
    order = [ball for k in range(20) for ball in (k, 20 + 2 * k, 21 + 2 * k)]
    run = sample(tmp_path, chain, frames=30, callback=keep, callback_every=30)
    universe = read(tmp_path / "topology.pdb", tmp_path / "trajectory.dcd")
    assert len(universe.trajectory) == 700 // 30
    for frame in universe.trajectory:
        step = round(frame.time)
        assert np.array_equal(frame.positions, seen[step][order].astype(np.float32))
    assert sorted(seen) == [30 * (k + 1) for k in range(700 // 30)]
    topology = read(tmp_path / "topology.pdb", tmp_path / "topology.pdb")
    assert np.abs(topology.atoms.positions - chain.positions(side=True)[order]).max() < 6e-4
    assert not np.array_equal(run.chain.positions(), chain.positions())


def test_a_protein_keeps_its_names(tmp_path: Path) -> None:
    rows, path = peptide(["ALA", "LEU", "SER", "LYS", "ALA"]), tmp_path / "made.pdb"
    path.write_text(pdb_text(rows))
    er.sampling.sample(er.Chain.from_pdb(path, atoms="all"), out=tmp_path / "run", **PACE)
    universe = read(tmp_path / "run" / "topology.pdb", tmp_path / "run" / "trajectory.dcd")
    names = [(atom.resname, atom.resid, atom.name) for atom in universe.atoms]
    assert names == [(row.residue, row.number, row.name) for row in rows]
    carbons = universe.select_atoms("resid 2 and name CB CG")
    bond = [float(np.linalg.norm(np.diff(carbons.positions, axis=0))) for _ in universe.trajectory]
    assert len(bond) == 14 and bond == pytest.approx([1.52] * 14, abs=2e-3)


def test_each_temperature_has_a_trajectory(tmp_path: Path) -> None:
    run = sample(tmp_path, **TEMPERED, steps=800)
    for number, chain in enumerate(run.chains):
        universe = read(tmp_path / "topology.pdb", tmp_path / f"trajectory-{number}.dcd")
        ends = [float(np.linalg.norm(f.positions[-1] - f.positions[0])) for f in universe.trajectory]
        # Frames every 50 steps and rows every 20 meet every 100; both are there before walkers are exchanged.
        assert ends[1::2] == pytest.approx(run.observables["end_to_end"][number][4::5].tolist(), rel=1e-5)
        assert len(chain) == universe.atoms.n_atoms
    assert not (tmp_path / "trajectory.dcd").exists() and not (tmp_path / "trajectory-3.dcd").exists()


@pytest.mark.parametrize("more", [{}, TEMPERED])
def test_tables_hold_what_the_run_holds(tmp_path: Path, more: dict[str, Any]) -> None:
    run = sample(tmp_path, **more)
    table = pq.read_table(tmp_path / "observables.parquet")
    assert table.equals(run.to_table())
    parts = [pq.read_table(path) for path in sorted((tmp_path / "observables").iterdir())]
    assert pa.concat_tables(parts).equals(table) and len(parts) == 4
    assert [part["step"].to_pylist()[-1] for part in parts] == [200, 400, 600, 700]
    assert table.column_names[:2] == (["step", "temperature"] if more else ["step", "end_to_end"])


def test_no_frames_and_no_checkpoints_if_none_are_asked_for(tmp_path: Path) -> None:
    run = sample(tmp_path, frames=0, checkpoint=0)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "observables", "observables.parquet", "run.json", "run.lock", "summary.json", "topology.pdb",
    ]  # fmt: skip
    assert pq.read_table(tmp_path / "observables.parquet").equals(run.to_table())


def test_a_run_without_a_row_has_an_empty_table(tmp_path: Path) -> None:
    sample(tmp_path, callback=lambda state: True, callback_every=1)
    assert pq.read_table(tmp_path / "observables.parquet").num_rows == 0
    assert Run.load(tmp_path).observables["end_to_end"].shape == (0,)


def test_json_files_are_strict(tmp_path: Path) -> None:
    sample(tmp_path, **TEMPERED)

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    for name in ("run.json", "summary.json"):
        json.loads((tmp_path / name).read_text(), parse_constant=refuse)


# What is read again.


@pytest.mark.parametrize("more", [{}, TEMPERED, {"burn_in": 50, "frames": 0}])
def test_a_run_that_is_loaded_is_the_run(tmp_path: Path, more: dict[str, Any]) -> None:
    run = sample(tmp_path, **more)
    loaded = Run.load(tmp_path)
    assert_same(loaded, run_without_chains(run))
    kept = ("every", "seed", "burn_in", "asked", "temperatures", "links", "balls", "acceptance", "folder")
    for name in kept:
        assert repr(getattr(loaded, name)) == repr(getattr(run, name)), name
    assert np.array_equal(loaded.swaps, run.swaps) if more is TEMPERED else loaded.swaps is None
    assert loaded.about["asked"] == json.loads((tmp_path / "run.json").read_text())["asked"]


def run_without_chains(run: Run) -> Run:
    return er.sampling.Run(
        **{name: getattr(run, name) for name in run.__dataclass_fields__ if name != "chains"}
    )


@pytest.mark.parametrize("more", [{}, TEMPERED])
def test_an_unfinished_run_is_loaded_up_to_its_checkpoint(tmp_path: Path, more: dict[str, Any]) -> None:
    broken_off(tmp_path / "early", step=150, **more)
    broken_off(tmp_path / "late", step=450, **more)
    early, late, whole = (
        Run.load(tmp_path / "early"),
        Run.load(tmp_path / "late"),
        sample(None, frames=None, **more),
    )
    assert (early.steps, early.samples, early.asked, early.swaps is None) == (0, 0, 700, not more)
    assert (late.steps, late.samples, late.asked) == (400, 20, 700)
    for name, values in whole.observables.items():
        assert np.array_equal(late.observables[name], values[..., :20]), name
    assert repr(early) and repr(late)


def test_folders_that_cannot_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^folder.* contains no run"):
        Run.load(tmp_path)
    with pytest.raises(ValueError, match=r"^folder.* contains no run"):
        Run.load(tmp_path / "missing")
    sample(tmp_path / "run")
    for name in ("summary.json", "observables.parquet", "run.json"):
        shutil.copytree(tmp_path / "run", tmp_path / name)
        (tmp_path / name / name).write_bytes(b"{")
        with pytest.raises(ValueError, match=r"^folder.* damaged"):
            Run.load(tmp_path / name)


# Parts.


def test_without_pyarrow_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'elbowroom\[campaign\]'"):
        sample(tmp_path / "run")
    assert not (tmp_path / "run").exists()
