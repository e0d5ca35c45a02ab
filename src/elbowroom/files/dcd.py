"""Trajectories as DCD files, written frame by frame, and cut back to fewer frames.

A DCD file is a header and then, for each frame, the x, y and z of all atoms in single precision. Every piece
is a record of Fortran: its length in bytes, what it holds, its length again. This is the form of CHARMM
without a unit cell, which VMD, PyMOL and MDAnalysis read. Time is counted in steps: one step is written as
one picosecond, so that the times of MDAnalysis are the steps of a run.

>>> import pathlib, tempfile
>>> import numpy as np
>>> from elbowroom.files.dcd import DcdWriter
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder, "beads.dcd")
...     with DcdWriter.create(path, atoms=2, interval=100) as writer:
...         for k in range(3):
...             writer.append(np.full((2, 3), float(k)))
...     with DcdWriter.open(path) as writer:
...         writer.truncate(1)
...         writer.append(np.zeros((2, 3)))
...     writer, writer.length == path.stat().st_size
(<DcdWriter: 2 frames of 2 atoms>, True)
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays

#: One picosecond in the unit of time of CHARMM (AKMA), which is 0.04888821 ps.
STEP_TIME = 1.0 / 4.888821e-2
#: The version of CHARMM whose form of the header this is; readers ask only whether there is one.
CHARMM_VERSION = 24
#: Numbers of the header have 32 bits.
LARGEST = 2**31 - 1
#: A coordinate of all atoms and its two lengths are a record of at most so many bytes.
MOST_ATOMS = LARGEST // 4 - 2
TITLE = b"Written by elbowroom; one step of the run counts as one picosecond."

HEADER = np.dtype(
    [
        ("first_length", "<i4"),
        ("magic", "S4"),
        ("frames", "<i4"),
        ("first_step", "<i4"),
        ("interval", "<i4"),
        ("last_step", "<i4"),
        ("unused", "<i4", 4),
        ("fixed_atoms", "<i4"),
        ("step_time", "<f4"),
        ("unit_cell", "<i4"),
        ("more_unused", "<i4", 8),
        ("version", "<i4"),
        ("first_end", "<i4"),
        ("title_length", "<i4"),
        ("titles", "<i4"),
        ("title", "S80"),
        ("title_end", "<i4"),
        ("atoms_length", "<i4"),
        ("atoms", "<i4"),
        ("atoms_end", "<i4"),
    ]
)
#: What never differs between files, by which ours are known.
FIXED: dict[str, Any] = {
    "first_length": 84,
    "magic": b"CORD",
    "fixed_atoms": 0,
    "unit_cell": 0,
    "version": CHARMM_VERSION,
    "first_end": 84,
    "title_length": 84,
    "titles": 1,
    "title_end": 84,
    "atoms_length": 4,
    "atoms_end": 4,
}


class DcdWriter:
    """A DCD file that grows; made by `create` or `open`.

    The number of frames in the header is set by `flush` and `close`: a file whose writer was killed has too
    small a number there, and perhaps a piece of a frame at its end. Most readers go by the size of the file;
    `open` and `truncate` put both right.

    Attributes
    ----------
    atoms, frames
        How many there are.
    length
        Bytes of the file.
    """

    def __init__(self, file: BinaryIO, header: NDArray[np.void], frames: int) -> None:
        self._file, self._header = file, header
        self.atoms, self.frames = int(header["atoms"]), frames
        self._frame: NDArray[np.void] | None = None  # room for one, made when it is needed

    @classmethod
    def create(cls, path: str | os.PathLike[str], *, atoms: int, interval: int = 1) -> Self:
        """A new file, in place of any other of that name.

        Parameters
        ----------
        path
            Its name.
        atoms
            How many atoms each frame has.
        interval
            Steps between frames; frame k is that of step (k + 1) * interval.
        """
        count = _arrays.count(atoms, "atoms", 1, MOST_ATOMS)
        steps = _arrays.count(interval, "interval", 1)
        header = _header(count, min(steps, LARGEST))
        file = Path(path).open("w+b")  # noqa: SIM115 (close() closes it)
        file.write(header.tobytes())
        return cls(file, header, 0)

    @classmethod
    def open(cls, path: str | os.PathLike[str], frames: int | None = None) -> Self:
        """A file that a DcdWriter has made, to go on behind so many frames, or all that are whole."""
        file = Path(path).open("r+b")  # noqa: SIM115 (close() closes it)
        try:
            header = _read_header(file, path)
            out = cls(file, header, 0)
            held = out._held()
            if frames is not None and frames > held:
                raise ValueError(f"{os.fspath(path)} holds {held} whole frames, not {frames}")
            out.truncate(held if frames is None else frames)
        except BaseException:
            file.close()
            raise
        return out

    @property
    def length(self) -> int:
        """Bytes of the file, with all frames."""
        return HEADER.itemsize + self.frames * self._frame_length

    @property
    def _frame_length(self) -> int:
        """Three records of a number of four bytes for each atom, between two lengths."""
        return 3 * (4 * self.atoms + 8)

    def _empty_frame(self) -> NDArray[np.void]:
        part = np.dtype([("length", "<i4"), ("values", "<f4", (self.atoms,)), ("end", "<i4")])
        frame = np.zeros(3, part)
        frame["length"] = frame["end"] = 4 * self.atoms
        return frame

    def append(self, positions: ArrayLike) -> None:
        """One more frame: (atoms, 3)."""
        points = _arrays.points(positions, "positions")
        if len(points) != self.atoms:
            raise ValueError(f"positions must hold {self.atoms} atoms, as the file does, got {len(points)}")
        if self.frames == LARGEST:
            raise ValueError(f"positions: a DCD file has room for no more than {LARGEST} frames")
        if self._frame is None:
            self._frame = self._empty_frame()
        self._frame["values"] = points.T
        self._file.write(self._frame.data)
        self.frames += 1

    def truncate(self, frames: int) -> None:
        """Forgets all frames but so many."""
        self._file.flush()
        self.frames = _arrays.count(frames, "frames", 0, self._held())
        self._file.truncate(self.length)
        self._file.seek(self.length)

    def _held(self) -> int:
        """Whole frames in the file."""
        return (os.fstat(self._file.fileno()).st_size - HEADER.itemsize) // self._frame_length

    def flush(self) -> None:
        """Writes the number of frames into the header, and everything to the disk."""
        self._header["frames"] = self.frames
        self._header["last_step"] = min(self.frames * int(self._header["interval"]), LARGEST)
        self._file.seek(0)
        self._file.write(self._header.tobytes())
        self._file.seek(self.length)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Writes what is left and closes the file."""
        if self._file.closed:
            return
        try:
            self.flush()
        finally:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<DcdWriter: {self.frames} frames of {self.atoms} atoms>"


def _header(atoms: int, interval: int) -> NDArray[np.void]:
    header = np.zeros((), HEADER)
    for name, value in FIXED.items():
        header[name] = value
    header["first_step"] = header["interval"] = interval
    header["step_time"], header["title"], header["atoms"] = STEP_TIME, TITLE.ljust(80), atoms
    return header


def _read_header(file: BinaryIO, path: str | os.PathLike[str]) -> NDArray[np.void]:
    found = file.read(HEADER.itemsize)
    if len(found) < HEADER.itemsize:
        raise ValueError(f"{os.fspath(path)}: not a DCD file written by elbowroom: its header is too short")
    header = np.frombuffer(found, HEADER).copy().reshape(())
    for name, value in FIXED.items():
        if header[name] != value:
            raise ValueError(
                f"{os.fspath(path)}: not a DCD file written by elbowroom: "
                f"{name} is {header[name]}, not {value}"
            )
    if not 1 <= header["atoms"] <= MOST_ATOMS or header["interval"] < 1:
        raise ValueError(f"{os.fspath(path)}: damaged DCD file: {header['atoms']} atoms")
    return header
