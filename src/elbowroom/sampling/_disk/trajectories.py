"""The trajectories of a run: one file, or one for each temperature or chain."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from numpy.typing import ArrayLike

from elbowroom.files.dcd import DcdWriter

from .layout import TRAJECTORY, numbered


class Trajectories:
    """The files in a folder, as many as chains walk; none if there are no frames to be kept.

    `interval`: steps from one frame to the next, or 0.
    """

    def __init__(self, folder: Path, walkers: int, interval: int) -> None:
        paths = [folder / name for name in numbered(TRAJECTORY, walkers)]
        self._paths, self._interval = paths if interval else [], interval
        self._writers: list[DcdWriter] = []

    def create(self, atoms: Sequence[int]) -> None:
        """Files without a frame; of so many atoms each, if there are any."""
        for path, count in zip(self._paths, atoms, strict=False):
            self._writers.append(DcdWriter.create(path, atoms=count, interval=self._interval))

    def open(self, frames: Sequence[int]) -> None:
        """The files as they were when they had so many frames."""
        for path, count in zip(self._paths, frames, strict=True):
            self._writers.append(DcdWriter.open(path, count))

    @property
    def frames(self) -> list[int]:
        """How many each has."""
        return [writer.frames for writer in self._writers]

    def append(self, index: int, positions: ArrayLike) -> None:
        """A frame more."""
        self._writers[index].append(positions)

    def flush(self) -> None:
        """Sees all frames to the disk."""
        for writer in self._writers:
            writer.flush()

    def close(self) -> None:
        """Closes all files, whatever becomes of one of them."""
        with ExitStack() as stack:
            for writer in self._writers:
                stack.callback(writer.close)
