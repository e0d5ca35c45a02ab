"""The folder of a run: what it writes while it goes on, so that it can be killed at any time and resumed.

    run.json                         what was asked, and by which versions
    topology.pdb                     the chain it began with: what the frames are frames of
    trajectory.dcd                   the frames; with tempering trajectory-0.dcd, ..., one a temperature;
                                     of several chains also topology-0.pdb, ..., one a chain
    checkpoint.bin                   all that it takes to go on
    observables/part-000000.parquet  the rows of observables up to the first checkpoint, and so on
    observables.parquet              all rows, once the run has come to its end
    summary.json                     how it went: the last file that is written
    run.lock                         held by the process that is at it

A checkpoint takes the place of the one before by a rename, after everything that belongs to it is on the
disk. Whatever is in the other files beyond it is cut off before a run goes on, so that in the end all files
are those of a run that was never stopped, but for how the rows are divided into parts.

Seeing files to the disk takes milliseconds, in which thousands of steps are made. So checkpoints that come
soon after another are passed over: writing them takes a twentieth of the time, at most.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _writing
from elbowroom.files.pdb_writer import file_order, write_pdb

from ._disk import checkpoint as _checkpoint
from ._disk import run_file as _run_file
from ._disk.checkpoint import Checkpoint
from ._disk.json_file import write_json
from ._disk.layout import (
    CHECKPOINT,
    PARTS,
    RUN,
    SUMMARY,
    TABLE,
    TOPOLOGY,
    copies,
    locked,
    numbered,
    refuse_occupied,
)
from ._disk.lock import Lock
from ._disk.parts import Parts, pyarrow
from ._disk.reading import read_folder
from ._disk.trajectories import Trajectories
from ._walk.request import balls_of

if TYPE_CHECKING:
    from elbowroom.chain import Chain

__all__ = ["Folder", "Saved", "read_folder"]

#: A checkpoint is passed over until so many times as long has passed as the last one took.
PATIENCE = 20.0


@dataclass(frozen=True, eq=False)
class Saved:
    """What a run goes on with.

    Attributes
    ----------
    step, states, extra
        As they were given to the last checkpoint.
    steps_at, values
        All rows up to it: (k,) and (temperatures or chains, k, observables).
    """

    step: int
    states: list[bytes]
    steps_at: NDArray[np.int64]
    values: NDArray[np.float64]
    extra: dict[str, Any]


class Folder:
    """The files of a run that goes on; made by `begin` or `resume`. Nobody else can write there meanwhile.

    What is asked of the run is plain data: steps, frames, temperatures, observables, facts of the chain, and
    all else that decides what comes out, by the names of the arguments.
    """

    def __init__(self, path: Path, asked: Mapping[str, Any], chains: Sequence[Chain], lock: Lock) -> None:
        self.path, self._asked, self._chains, self._lock = path, asked, chains, lock
        self._orders = [None if chain.side is None else file_order(chain) for chain in chains]
        axis, walkers = copies(asked)
        self._parts = Parts(path / PARTS, asked["observables"], walkers, axis)
        self._trajectories = Trajectories(path, walkers, asked["frames"])
        self._fingerprint = _run_file.fingerprint(asked)
        self._due = 0.0  # when the next checkpoint is to be written

    @staticmethod
    def asked_in(path: str | os.PathLike[str]) -> dict[str, Any] | None:
        """What was asked of the run in a folder; None if there is no run."""
        found = _run_file.read(Path(path), "out")
        return None if found is None else dict(found["asked"])

    @classmethod
    def begin(cls, path: str | os.PathLike[str], asked: Mapping[str, Any], chains: Sequence[Chain]) -> Self:
        """A new run, of one chain or several where they begin; ValueError if the folder holds one already."""
        pyarrow()
        folder = Path(path)
        refuse_occupied(folder)
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as undone:
            out = cls(folder, asked, chains, locked(folder))
            undone.callback(out.close)
            refuse_occupied(folder)  # another process may have been faster
            out._start()
            undone.pop_all()
        return out

    @classmethod
    def resume(
        cls, path: str | os.PathLike[str], asked: Mapping[str, Any], chains: Sequence[Chain]
    ) -> tuple[Self, Saved | None]:
        """The run in a folder as of its last checkpoint; if there is none, one that begins.

        Raises
        ------
        ValueError
            If something else was asked before, the files are not in order, or another process is at it. It
            names the argument, and nothing has been changed.
        """
        pyarrow()
        folder = Path(path)
        if _run_file.read(folder, "out") is None:
            return cls.begin(folder, asked, chains), None
        with ExitStack() as undone:
            out = cls(folder, asked, chains, locked(folder))
            undone.callback(out.close)
            saved = out._go_on()
            undone.pop_all()
        return out, saved

    def add_frame(self, index: int, positions: ArrayLike) -> None:
        """A frame of the trajectory of a temperature, or of a chain: (balls, 3), links first."""
        points, order = np.asarray(positions), self._orders[index if len(self._orders) > 1 else 0]
        self._trajectories.append(index, points if order is None else points[order])

    def checkpoint(
        self,
        step: int,
        states: Sequence[bytes],
        steps_at: NDArray[np.int64],
        values: NDArray[np.float64],
        extra: Mapping[str, Any],
    ) -> None:
        """From here the run can go on, unless the last checkpoint was written just now.

        Parameters
        ----------
        step
            Steps that were made.
        states
            Of the samplers.
        steps_at, values
            The rows since the last checkpoint: (k,) and (temperatures or chains, k, observables).
        extra
            Plain data that come back as they are. Under "summary": how it went, as Run wants to know it.
        """
        self._parts.hold(steps_at, values)
        began = perf_counter()
        if began < self._due:
            return
        self._write_out()
        run, frames, parts = self._fingerprint, self._trajectories.frames, self._parts.count
        made = Checkpoint(run, int(step), frames, parts, dict(extra), list(states))
        _checkpoint.write(self.path / CHECKPOINT, made)
        self._due = perf_counter() + PATIENCE * (perf_counter() - began)

    def finish(
        self,
        step: int,
        steps_at: NDArray[np.int64],
        values: NDArray[np.float64],
        summary: Mapping[str, Any],
    ) -> None:
        """The end of the run, with the rows since the last checkpoint."""
        self._parts.hold(steps_at, values)
        self._write_out()
        self._parts.write_whole(self.path / TABLE)
        write_json(self.path / SUMMARY, {**summary, "steps": int(step)})
        self.close()

    def close(self) -> None:
        """Lets the folder go as it is: what lies beyond the last checkpoint is forgotten."""
        with ExitStack() as stack:
            stack.callback(self._lock.release)
            stack.callback(self._trajectories.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write_out(self) -> None:
        """Frames and rows are on the disk before anything says that they are there."""
        self._trajectories.flush()
        self._parts.write()

    def _start(self) -> None:
        """All files as they are before the first step. run.json is the first: the others are known by it."""
        _run_file.write(self.path, self._asked)
        for name, chain in zip(numbered(TOPOLOGY, len(self._chains)), self._chains, strict=True):
            write_pdb(self.path / name, chain)
        balls = [balls_of(chain) for chain in self._chains]
        self._trajectories.create(balls if len(balls) > 1 else balls * copies(self._asked)[1])
        self._parts.keep(0)
        _writing.sync(self.path)

    def _go_on(self) -> Saved | None:
        """Checks everything before it changes anything."""
        asked = self.asked_in(self.path)
        assert asked is not None
        _run_file.refuse_changes(self.path, asked, self._asked)
        checkpoint = self._checked()
        if checkpoint is not None:
            self._cut(checkpoint)
        for name in (SUMMARY, TABLE):  # the run is not at its end any more
            (self.path / name).unlink(missing_ok=True)
        _writing.sweep(self.path)
        if checkpoint is None:
            self._start()
            return None
        if asked["steps"] != self._asked["steps"]:
            _run_file.write(self.path, self._asked)
        return Saved(checkpoint.step, checkpoint.states, *self._parts.rows(), checkpoint.extra)

    def _checked(self) -> Checkpoint | None:
        """The last checkpoint, if there is any, it is of this run, and all that belongs to it is there."""
        path = self.path / CHECKPOINT
        if not path.exists():
            return None
        try:
            found = _checkpoint.read(path)
            _checkpoint.refuse_other_builds(path, found)
        except ValueError as error:
            raise ValueError(f"out: {error}") from None
        if found.run != self._fingerprint:
            raise ValueError(f"out: {path} belongs to another run than {path.with_name(RUN)}")
        missing = self._parts.missing(found.parts)
        if missing is not None:
            raise ValueError(f"out: {missing} is missing, which the run had written before its checkpoint")
        return found

    def _cut(self, checkpoint: Checkpoint) -> None:
        """Trajectories and parts as they were at the checkpoint."""
        try:
            self._trajectories.open(checkpoint.frames)
        except (ValueError, FileNotFoundError) as error:
            raise ValueError(f"out: the trajectory is not what it was at the checkpoint: {error}") from None
        self._parts.keep(checkpoint.parts)
