"""A stand-in for a run of a campaign: it takes its time, has checkpoints, and tells every step that it takes.

Its results depend on the seed alone, as those of `sample` do, and it writes the same files: so the machinery
of campaigns can be tested for what was run when, by which process, and how often.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

STEPS_EACH = 10  # between checkpoints


def walk(spec: dict[str, Any], folder: Path, resume: bool) -> dict[str, Any]:
    """Steps of a random walk; [run] burn_in tells how many milliseconds a part takes, for want of a key."""
    folder.mkdir(parents=True, exist_ok=True)
    run = spec["run"]
    noise = np.random.default_rng(run["seed"]).normal(size=run["steps"])
    saved = folder / "checkpoint.bin"
    step = int(saved.read_text()) if resume else 0
    while step < run["steps"]:
        time.sleep(run.get("burn_in", 0) / 1000)
        note(folder, f"{step} {os.getpid()}")
        step += STEPS_EACH
        keep(saved, str(step).encode())
    steps = np.arange(1, run["steps"] + 1)
    table = pa.table({"step": steps, "height": np.cumsum(noise)})
    parquet.write_table(table, folder / "new.parquet")
    os.replace(folder / "new.parquet", folder / "observables.parquet")
    estimates = [{"observable": "height", "temperature": None, "mean": 0.0, "error": 0.5, "time": 1.0}]
    estimates[0] |= {"samples": run["steps"], "converged": True}
    moves = [{"move": "up", "tried": 100, "collided": 0, "accepted": 25}]
    return {"steps": run["steps"], "seconds": 0.0, "moves": moves, "estimates": estimates}


def breaks(spec: dict[str, Any], folder: Path, resume: bool) -> dict[str, Any]:
    """A walk that chains of 13 beads do not survive, unless a file beside the tasks says that all is well."""
    repaired = folder.parents[3].with_name("repaired").exists()
    if spec["chain"]["beads"] == 13 and not repaired:
        raise ArithmeticError("thirteen is too many")
    return walk(spec, folder, resume)


def kills(spec: dict[str, Any], folder: Path, resume: bool) -> dict[str, Any]:
    """A walk that kills its process, always, if the chain has 13 beads."""
    if spec["chain"]["beads"] == 13:
        os.kill(os.getpid(), 9)
    return walk(spec, folder, resume)


def note(folder: Path, line: str) -> None:
    """One write, which is there or not when the process is killed."""
    with (folder / "log").open("a") as log:
        log.write(line + "\n")


def keep(path: Path, content: bytes) -> None:
    fresh = path.with_name("fresh")
    fresh.write_bytes(content)
    os.replace(fresh, path)


def parts_of(folder: Path) -> list[int]:
    """The steps from which parts of a task's run were begun, in order."""
    return [int(line.split()[0]) for line in (folder / "run" / "log").read_text().splitlines()]
