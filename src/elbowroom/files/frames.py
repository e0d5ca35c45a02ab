"""Beads and their frames, one after the other; and which frames and radii were asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom._deprecated import renamed
from elbowroom.body import read_only
from elbowroom.files.quiet import quietly, reason

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]
#: Three lengths and three angles of a periodic box.
Sides = tuple[float, ...]
#: Positions in frames of these numbers, and lengths and angles of their periodic boxes.
Reader = Callable[[range], Iterator[tuple[NDArray[Any], Any]]]

#: More frames or bonds than this nobody means.
MOST = 10**9


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The beads of a trajectory and, as it is iterated over, their positions (n, d) frame by frame.

    Attributes
    ----------
    file
        Its name.
    frames
        Numbers of the frames in the file, counted from 0; `n_frames` is how many they are.
    first
        (n, d): where the beads are in the first of these frames; `dimension` is d, 2 or 3.
    radii
        (n,), in the unit of the file: angstrom for what MDAnalysis reads.
    labels
        One for each bead.
    excluded
        Pairs (m, 2) of beads that are at most `exclude` bonds apart; or for an array `exclude` itself, the
        number of places along the sequence. `exclude` of a necklace takes both as they are.
    exclude
        Bonds, or places along the sequence, up to which two beads are not compared.
    bonds
        Where the bonds come from, in words.
    box
        Three lengths and three angles of the periodic box in the first frame, or None.
    bonded
        Pairs (m, 2) of beads that one bond joins, or for an array neighbours along the sequence.
    periodic
        Whether the boxes of the frames are to be taken into account: `with_boxes` then gives them.
    notes
        What a reader should know, in sentences: such as what is left out.
    """

    file: str
    frames: range
    first: Floats
    radii: Floats
    labels: Sequence[str]
    excluded: int | Integers
    exclude: int
    bonds: str
    box: tuple[float, ...] | None
    notes: tuple[str, ...]
    read: Reader = field(repr=False)
    periodic: bool = False
    bonded: Integers = field(default_factory=lambda: np.empty((0, 2), np.int32), repr=False)

    def __iter__(self) -> Iterator[Floats]:
        for positions, _ in self.with_boxes():
            yield positions

    def with_boxes(self) -> Iterator[tuple[Floats, Floats | None]]:
        """The positions of each frame and the edges (3, 3) of its periodic box, as a necklace takes them.

        The edges are None if boxes are not to be taken into account.
        """
        reader = self.read(self.frames)
        for frame in self.frames:
            positions, sides = next_frame(reader, frame, self.file)
            edges = self._edges(sides, frame) if self.periodic else None
            yield finite(positions, frame, self.file, self.labels), edges

    def _edges(self, sides: Sides | None, frame: int) -> Floats:
        if sides is None:
            raise ValueError(
                f"{self.file}: frame {frame} has no periodic box, but frame {self.frames[0]} has"
            )
        return _arrays.box(sides, f"{self.file}: box of frame {frame}")

    @property
    def may_touch(self) -> int | Integers:
        """Deprecated: `excluded`."""
        renamed("Trajectory.may_touch", "excluded")
        return self.excluded

    @property
    def n_frames(self) -> int:
        """How many frames are to be looked at."""
        return len(self.frames)

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return int(self.first.shape[1])


@dataclass(frozen=True)
class Asked:
    """The arguments of `read_trajectory` that are no files, checked."""

    select: str | None
    exclude: int | None
    radius: float | None
    scale: float | None
    start: int
    stop: int | None
    step: int
    box: bool = True

    def __post_init__(self) -> None:
        if self.select is not None and not isinstance(self.select, str):
            raise ValueError(f"select must be a text, got {_arrays.shown(self.select)}")
        if self.exclude is not None:
            _arrays.count(self.exclude, "exclude", 0, MOST)
        if self.radius is not None:
            _arrays.size(self.radius, "radius")
        if self.scale is not None and _arrays.length(self.scale, "scale") == 0:
            raise ValueError("scale must be above 0, got 0")
        _arrays.flag(self.box, "box")
        _arrays.count(self.start, "start", 0, MOST)
        _arrays.count(self.step, "step", 1, MOST)
        if self.stop is not None:
            _arrays.count(self.stop, "stop", 0, MOST)

    def frames(self, count: int, file: str) -> range:
        """Those of so many that were asked for."""
        frames = range(count)[self.start : self.stop : self.step]
        if not frames:
            name = "stop" if self.start < count else "start"
            raise ValueError(f"{name}: leaves none of the frames 0 to {count - 1} of {file}")
        return frames

    def scaled(self, radii: Floats, default: float = 1.0) -> Floats:
        """The radii times the factor."""
        return read_only(radii * (default if self.scale is None else self.scale))


def box_sides(sides: Any) -> Sides | None:
    """Three lengths and three angles, as numbers; None if there is no box."""
    return None if sides is None or not np.any(sides[:3]) else tuple(float(side) for side in sides)


def next_frame(
    reader: Iterator[tuple[NDArray[Any], Any]], frame: int, file: str
) -> tuple[Floats, Sides | None]:
    """What the reader yields next, as a copy."""
    with quietly():
        try:
            positions, sides = next(reader)
            return np.array(positions, np.float64), box_sides(sides)
        except StopIteration:
            fault = "the file ends before"
        except Exception as error:  # readers raise whatever the broken file made them stumble over
            fault = reason(error)
    raise ValueError(f"{file}: frame {frame} cannot be read ({fault}); stop before it, or repair the file")


def finite(positions: Floats, frame: int, file: str, labels: Sequence[str]) -> Floats:
    """The positions, unless one is none."""
    bad = ~np.isfinite(positions).all(axis=1)
    if bad.any():
        who = labels[int(np.argmax(bad))]
        raise ValueError(f"{file}: frame {frame} has a coordinate of {who} that is not finite")
    if np.abs(positions).max() > _arrays.LARGEST:
        who = labels[int(np.abs(positions).max(axis=1).argmax())]
        raise ValueError(f"{file}: frame {frame}: a coordinate of {who} is beyond {_arrays.LARGEST:g}")
    return positions
