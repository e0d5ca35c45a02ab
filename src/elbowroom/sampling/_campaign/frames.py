"""Frames of a trajectory as the tasks of a campaign: each looks at some, and all come together in files.

atoms.parquet      a row for each atom or bead: number, label, radius
frames.parquet     a row for each frame: frame, gap, a, b (the closest two), overlaps (how many)
overlaps.parquet   a row for each overlap: frame, a, b, depth

Every worker opens the trajectory itself, and decides from its first frame which atoms are bonded, as if it
looked at all frames.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

import numpy as np

from elbowroom._core import isa
from elbowroom._looks import COUNTERS, Looks, looks_of, necklace_of
from elbowroom.files.trajectory import Trajectory, read_trajectory

from .._disk.json_file import write_json
from .._disk.tables import read_table
from . import ledger as _ledger
from .collect import write_tables
from .tasks import Task, canonical
from .work import Home

FORMAT, VERSION = "elbowroom check of frames", 1
ATOMS, FRAMES, OVERLAPS = "atoms.parquet", "frames.parquet", "overlaps.parquet"
#: A trajectory makes so many tasks at most, of so many frames at least.
MOST_TASKS, FEWEST_FRAMES = 256, 20
#: A reader of MDAnalysis has one present frame, and its warnings are of the whole process: a worker with
#: several threads would mix up the frames of its tasks.
ONE_READER = Lock()


@dataclass(frozen=True)
class FramePlan:
    """Which frames of which trajectory; `reading` are the arguments of `read_trajectory`, with the file."""

    reading: Mapping[str, Any]
    frames: range

    @property
    def unit(self) -> str:
        """What tasks are counted by."""
        return "frames"

    @cached_property
    def tasks(self) -> list[Task]:
        """In the order of the frames. Which frames are together depends on their number alone."""
        size = max(FEWEST_FRAMES, -(-len(self.frames) // MOST_TASKS))
        parts = [self.frames[k : k + size] for k in range(0, len(self.frames), size)]
        return [self._task(number, part) for number, part in enumerate(parts)]

    def _task(self, number: int, part: range) -> Task:
        numbers = {"start": part.start, "stop": part.stop, "step": part.step}
        spec = {"reading": dict(self.reading), "frames": numbers}
        return Task(f"frames/{number:04d}", numbers, 0, 0, len(part), spec)

    def begin(self, folder: Path) -> Home:
        """Keep the plan in the folder, unless something else lies there."""
        before = _ledger.read(folder / _ledger.CAMPAIGN)
        if before is None and (folder / "tasks").exists():
            raise ValueError(f"out: {folder} contains something other than a check of frames")
        facts = {"format": FORMAT, "version": VERSION, "elbowroom": version("elbowroom"), "isa": isa}
        asked = {"reading": dict(self.reading), "files": _stamps(self.reading)}
        asked["frames"] = [self.frames.start, self.frames.stop, self.frames.step]
        if before is not None:
            _refuse_other(folder, before, asked)
        identity = uuid4().hex if before is None else before["identity"]
        if before is None:
            write_json(folder / _ledger.CAMPAIGN, facts | {"identity": identity, "asked": asked})
        return Home(str(folder), identity, version("elbowroom"), isa)

    def collect(self, folder: Path) -> None:
        """Write the frames of the tasks that are done."""
        parts = [folder / "tasks" / task.name for task in self.tasks]
        done = [part for part, task in zip(parts, self.tasks, strict=True) if _ledger.done(part, task.steps)]
        if done:
            write_tables(folder / ATOMS, iter([read_table(done[0] / _ledger.RUN / ATOMS)]))
            for name in (FRAMES, OVERLAPS):
                write_tables(folder / name, (read_table(part / _ledger.RUN / name) for part in done))

    def failed(self, folder: Path) -> dict[str, str]:
        """The tasks that failed, and why."""
        known = {task.name: _ledger.status(folder / "tasks" / task.name, task.steps) for task in self.tasks}
        return {name: str(facts["error"]) for name, (status, facts) in known.items() if status == "failed"}

    def looks(self, folder: Path) -> Looks:
        """What was collected, of all frames."""
        frames, overlaps = read_table(folder / FRAMES), read_table(folder / OVERLAPS)
        numbers = frames["frame"].to_numpy()
        facts = [_ledger.done(folder / "tasks" / task.name, task.steps) or {} for task in self.tasks]
        return Looks(
            frames["gap"].to_numpy(),
            np.column_stack([frames["a"].to_numpy(), frames["b"].to_numpy()]),
            frames["overlaps"].to_numpy(),
            np.searchsorted(numbers, overlaps["frame"].to_numpy()),
            np.column_stack([overlaps["a"].to_numpy(), overlaps["b"].to_numpy()]).reshape(-1, 2),
            overlaps["depth"].to_numpy(),
            np.array([each["counters"] for each in facts], np.int64).reshape(-1, len(COUNTERS)).sum(axis=0),
        )


def _stamps(reading: Mapping[str, Any]) -> list[Any]:
    """By which a file that was changed is known."""
    names = [reading[key] for key in ("path", "topology") if reading.get(key) is not None]
    return [[name, os.stat(name).st_size, os.stat(name).st_mtime_ns] for name in names]


def _refuse_other(folder: Path, before: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    if before.get("format") != FORMAT or before.get("version") != VERSION:
        raise ValueError(f"out: {folder} contains something other than a check of frames by this version")
    old, new = before["asked"]["reading"], asked["reading"]
    for key in [*old, *(key for key in new if key not in old)]:
        if canonical(old.get(key)) != canonical(new.get(key)):
            told = [
                f"{key} = {each[key]}" if each.get(key) is not None else f"no {key}" for each in (old, new)
            ]
            raise ValueError(f"out: {folder} contains a check with {told[0]}, not with {told[1]}")
    if canonical(before["asked"]) != canonical(asked):
        raise ValueError(f"out: the files have changed since the check in {folder} was begun")
    if before["isa"] != isa:
        raise ValueError(f"out: {folder} was begun with {before['isa']} instructions, not {isa}")


@lru_cache(maxsize=1)
def _opened(reading: str) -> Trajectory:
    """A worker opens a trajectory once."""
    arguments = json.loads(reading)
    return read_trajectory(arguments.pop("path"), **arguments)


def check_frames(spec: dict[str, Any], folder: Path, resume: bool) -> dict[str, Any]:
    """The work of a task: some frames, as files in its folder. There is nothing to go on from."""
    with ONE_READER:
        return _checked(spec, folder)


def _checked(spec: dict[str, Any], folder: Path) -> dict[str, Any]:
    trajectory = _opened(canonical(spec["reading"]))
    part = replace(trajectory, frames=range(*(spec["frames"][key] for key in ("start", "stop", "step"))))
    found = Looks.of(list(looks_of(part, necklace_of(part))))
    folder.mkdir(parents=True)
    for name, table in _tables(part, found).items():
        write_tables(folder / name, iter([table]))
    return {"steps": len(part.frames), "counters": found.counters.tolist()}


def _tables(part: Trajectory, found: Looks) -> dict[str, Any]:
    import pyarrow as pa

    numbers = np.array(part.frames, np.int64)
    frames = {"frame": numbers, "gap": found.gaps, "a": found.pairs[:, 0], "b": found.pairs[:, 1]}
    overlaps = {"frame": numbers[found.where], "a": found.overlaps[:, 0], "b": found.overlaps[:, 1]}
    atoms = {"number": np.arange(len(part.labels)), "label": list(part.labels), "radius": part.radii}
    return {
        ATOMS: pa.table(atoms),
        FRAMES: pa.table(frames | {"overlaps": found.counts}),
        OVERLAPS: pa.table(overlaps | {"depth": found.depths}),
    }
