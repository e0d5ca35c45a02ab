"""The trajectories of a run: one file, or with tempering one for each temperature."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from numpy.typing import ArrayLike

from elbowroom.files.dcd import DcdWriter


class Trajectories:
    """The files in a folder, as many as chains walk; none if there are no frames to be kept.

    `interval`: steps from one frame to the next, or 0.
    """

    def __init__(self, folder: Path, walkers: int, interval: int) -> None:
        numbered = [folder / f"trajectory-{index}.dcd" for index in range(walkers)]
        paths = numbered if walkers > 1 else [folder / "trajectory.dcd"]
        self._paths, self._interval = paths if interval else [], interval
        self._writers: list[DcdWriter] = []

    def create(self, atoms: int) -> None:
        """Files without a frame."""
        for path in self._paths:
            self._writers.append(DcdWriter.create(path, atoms=atoms, interval=self._interval))

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
