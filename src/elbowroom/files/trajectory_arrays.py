"""Trajectories that NumPy has saved: positions in frames, and perhaps radii."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.body import read_only
from elbowroom.files.frames import Asked, Trajectory, finite, next_frame
from elbowroom.files.unpacking import TooLarge, refuse_large_zip

ARRAYS = (".npy", ".npz")
#: How arrays are called in an .npz file that holds several.
POSITIONS, RADII = "xyz", "radii"
#: Beads so many places apart along the sequence are not compared.
PLACES_APART = 1


def read_array(file: str) -> tuple[NDArray[Any], NDArray[Any] | None, tuple[str, ...]]:
    """Positions (frames, n, d), d 2 or 3; radii if an .npz file has them; notes about what else it has."""
    try:
        arrays = _arrays_in(file)
    except (PermissionError, TooLarge):
        raise
    except (
        Exception
    ) as error:  # what a broken file makes its tokenizer, its zip or its pickle raise is not listed
        raise ValueError(f"{file}: does not contain a numeric array saved by NumPy") from error
    radii = arrays.pop(RADII, None)
    name = next(iter(arrays)) if len(arrays) == 1 else POSITIONS
    if name not in arrays:
        held = ", ".join(map(repr, sorted(arrays))) or "none"
        raise ValueError(f"{file}: must hold one array of positions, or one named 'xyz'; it holds {held}")
    rest = ", ".join(map(repr, sorted(set(arrays) - {name})))
    notes = (f"of {file}, {rest} are ignored: bonds come from a topology",) if rest else ()
    return _frames(arrays[name], file), radii, notes


def _arrays_in(file: str) -> dict[str, NDArray[Any]]:
    refuse_large_zip(file)
    content = np.load(file, mmap_mode="r")
    if isinstance(content, np.ndarray):
        return {POSITIONS: content}
    with content:
        return dict(content)


def _frames(array: NDArray[Any], file: str) -> NDArray[Any]:
    """One frame is many, too."""
    frames = array[None] if array.ndim == 2 else array
    if frames.ndim != 3 or frames.shape[2] not in (2, 3):
        wanted = "(frames, n, 3), (frames, n, 2), (n, 3) or (n, 2)"
        raise ValueError(f"{file}: positions must have shape {wanted}, got {array.shape}")
    if frames.dtype.kind not in "iuf":
        raise ValueError(f"{file}: positions must be real numbers, got {array.dtype}")
    if 0 in frames.shape:
        raise ValueError(f"{file}: has no positions: their shape is {array.shape}")
    return frames


def of_array(
    file: str, array: NDArray[Any], given: NDArray[Any] | None, notes: tuple[str, ...], asked: Asked
) -> Trajectory:
    """Beads along a sequence, each with the radius asked for, or with its own."""
    if asked.select is not None:
        raise ValueError(f"select: {file} has no atom names; remove it, or give a topology")
    if asked.radius is None and given is None:
        raise ValueError(f"radius: {file} has none; give one for all beads")
    count = array.shape[1]
    frames, labels = asked.frames(len(array), file), tuple(f"bead {i}" for i in range(count))
    exclude = PLACES_APART if asked.exclude is None else asked.exclude

    def read(frames: range) -> Iterator[tuple[NDArray[Any], None]]:
        return ((array[frame], None) for frame in frames)

    first, _ = next_frame(read(frames), frames[0], file)
    return Trajectory(
        file=file,
        frames=frames,
        first=read_only(finite(first, frames[0], file, labels)),
        radii=asked.scaled(_arrays.radii(given if asked.radius is None else asked.radius, count, "radii")),
        labels=labels,
        excluded=exclude,
        exclude=exclude,
        bonds="neighbours along the sequence",
        box=None,
        notes=notes,
        read=read,
        bonded=read_only(np.stack([np.arange(count - 1), np.arange(1, count)], axis=1).astype(np.int32)),
    )
