"""The names of the files in the folder of a run, and who may write there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .lock import Lock

RUN, LOCK, CHECKPOINT, SUMMARY = "run.json", "run.lock", "checkpoint.bin", "summary.json"
TOPOLOGY, TRAJECTORY, PARTS, TABLE = "topology.pdb", "trajectory.dcd", "observables", "observables.parquet"
TOPOLOGIES, TRAJECTORIES = "topology*.pdb", "trajectory*.dcd"


def copies(asked: Mapping[str, Any]) -> tuple[str, int]:
    """What the rows of one step are of: so many temperatures or chains."""
    if isinstance(asked["chain"], list):
        return "chain", len(asked["chain"])
    return "temperature", max(1, len(asked["temperatures"]))


def numbered(name: str, count: int) -> list[str]:
    """The name of a file, or if there are several as many with a number."""
    stem, dot, ending = name.partition(".")
    return [f"{stem}-{k}{dot}{ending}" for k in range(count)] if count > 1 else [name]


def refuse_occupied(folder: Path) -> None:
    """ValueError if there is a run in a folder, or a file that a run would overwrite."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"out: '{folder}' is a file, not a folder")
    if (folder / RUN).exists():
        raise ValueError(
            f"out: '{folder}' already contains a run; continue it with resume=True, or choose another folder"
        )
    ours = (TOPOLOGIES, TRAJECTORIES, PARTS, TABLE, CHECKPOINT, SUMMARY)
    found = next((path for name in ours for path in folder.glob(name)), None)
    if found is not None:
        raise ValueError(
            f"out: '{folder}' holds {found.name}, which a run would overwrite; choose another folder"
        )


def locked(folder: Path) -> Lock:
    """The lock of a folder, or a ValueError if another process has it."""
    try:
        return Lock(folder / LOCK)
    except BlockingIOError:
        raise ValueError(f"out: another process is writing to '{folder}'") from None
