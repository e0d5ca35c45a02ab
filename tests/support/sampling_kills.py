"""Runs that are killed and go on, and whether their folders are then those of runs that were left alone."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from peptide import pdb_text, peptide
from sampling_makers import ATTRACTION, beads

import elbowroom as er
from elbowroom.sampling import folder
from elbowroom.sampling._disk import checkpoint as _checkpoint

#: A server makes new processes by fork, which have imported all that takes long.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["elbowroom.sampling.folder", "pyarrow.parquet", "scipy.spatial", "gemmi"])

PACE: dict[str, Any] = {"every": 50, "frames": 150, "checkpoint": 300, "seed": 5}
MOVES = {"pivot": er.sampling.Move(size=0.5), "torsion": 1.0, "crankshaft": 1.0}


def short() -> dict[str, Any]:
    """No more than what has all kinds of files and checkpoints."""
    return {"chain": beads(20), "moves": MOVES, "burn_in": 50, "steps": 700}


def hard() -> dict[str, Any]:
    """Beads without an energy; the last rows and frames come after the last checkpoint."""
    asked = {"moves": MOVES, "burn_in": 500, "observables": ("end_to_end", "contacts"), "contact_reach": 0.3}
    return {"chain": beads(60), "steps": 4450} | asked


def energetic() -> dict[str, Any]:
    """A peptide with side chains, all its moves, and an energy."""
    with tempfile.TemporaryDirectory() as made:
        path = Path(made, "peptide.pdb")
        path.write_text(pdb_text(peptide(["ALA", "LEU", "SER", "LYS", "GLY", "MET", "VAL", "ALA"])))
        chain = er.Chain.from_pdb(path, atoms="all")
    energy = er.energies.LennardJones(0.2, 3.0, cutoff=7.0)
    return {"chain": chain, "energy": energy, "temperature": 1.5, "steps": 4500}


def tempered() -> dict[str, Any]:
    """Three temperatures that are exchanged between checkpoints."""
    exchanged = {"temperature": [0.8, 1.2, 2.0], "swap_every": 100, "threads": 2}
    return {"chain": beads(40), "moves": MOVES, "energy": ATTRACTION, "steps": 3000} | exchanged


CASES: dict[str, Callable[[], dict[str, Any]]] = {"hard": hard, "energy": energetic, "tempering": tempered}
MAKERS = CASES | {"short": short}


def run(case: str, out: Path, patience: float = 0.0) -> er.sampling.Run:
    """To its end, from where it is. With no patience every checkpoint is written."""
    folder.PATIENCE = patience
    return er.sampling.sample(**MAKERS[case](), **PACE, out=out, resume=True, progress=False)


def started(case: str, out: Path, patience: float = 0.0) -> Any:
    """The same in a process of its own."""
    process = PROCESSES.Process(target=run, args=(case, out, patience))
    process.start()
    return process


def run_to_call(case: str, out: Path, call: int) -> None:
    """Ends by SIGKILL at the call of that number by which something on the disk is changed."""
    calls = iter(range(call))

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any, **named: Any) -> Any:
            if next(calls, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **named)

        return counting

    for name in ("fsync", "replace", "unlink", "mkdir"):
        setattr(os, name, counted(getattr(os, name)))
    run(case, out)


def killed_at_call(case: str, out: Path, call: int) -> bool:
    """Was it? Else it came to its end before."""
    process = PROCESSES.Process(target=run_to_call, args=(case, out, call))
    process.start()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL), f"exit status {process.exitcode}"
    return process.exitcode != 0


# What is compared.


def differences(a: Path, b: Path, patience: float = 0.0) -> list[str]:
    """The names of what is not the same in two folders; times are not compared."""
    names = sorted({path.name for path in (*a.iterdir(), *b.iterdir())})
    return [name for name in names if not _same(a / name, b / name, patience)]


def _same(a: Path, b: Path, patience: float) -> bool:
    if not (a.exists() and b.exists()):
        return False
    if a.name == "observables":
        return bool(_rows(a, patience) == _rows(b, patience))
    if a.suffix == ".parquet":
        return bool(pq.read_table(a).equals(pq.read_table(b)))
    if a.name == "summary.json":
        return _timeless(json.loads(a.read_text())) == _timeless(json.loads(b.read_text()))
    if a.name == "checkpoint.bin":
        return patience > 0 or _state(a) == _state(b)
    return a.read_bytes() == b.read_bytes()


def _rows(parts: Path, patience: float) -> Any:
    """Part by part, or with patience, all together."""
    tables = [pq.read_table(path) for path in sorted(parts.iterdir())]
    return pa.concat_tables(tables) if patience else tables


def _timeless(summary: dict[str, Any]) -> dict[str, Any]:
    assert summary["seconds"] > 0
    return summary | {"seconds": None}


def _state(path: Path) -> Any:
    found = _checkpoint.read(path)
    summary = _timeless(found.extra["summary"])
    return found.step, found.frames, found.parts, found.states, repr(found.extra | {"summary": summary})
