"""Meshes with their trees, as files."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _writing
from elbowroom.body import Plan, usable_plan

NAMES = ("vertices", "faces", "children", "order", "marks", "turns")
KINDS = (np.float64, np.int32, np.int32, np.int32, np.uint16, np.float32)


def write_saved(
    path: str | os.PathLike[str],
    vertices: NDArray[np.float64],
    faces: NDArray[np.int32],
    children: int,
    plan: Plan,
) -> None:
    """Creates or replaces the file; the name must end with .npz."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be a file name, got {type(path).__name__}")
    if os.path.splitext(os.fspath(path))[1].lower() != ".npz":
        raise ValueError(f"path must end with .npz, got '{os.fspath(path)}'")
    values: Any = dict(zip(NAMES, (vertices, faces, np.int32(children), *plan), strict=True))
    with _writing.replacing(path) as file:
        np.savez(file, **values)


def read_saved(path: str) -> tuple[NDArray[np.float64], NDArray[np.int32], int, Plan | None]:
    """Vertices, faces, children a node, and the plan of the tree, if there is one. The core checks it."""
    from elbowroom.files.unpacking import TooLarge, refuse_large_zip

    if not os.path.isfile(path):
        raise FileNotFoundError(f"'{path}': no such file")
    try:
        refuse_large_zip(path)
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as arrays:
            values: list[Any] = [arrays[name] for name in NAMES]
    except (PermissionError, TooLarge, MemoryError):
        raise
    except Exception as error:  # what a broken zip or array makes NumPy raise is not listed
        raise ValueError(f"{path}: not a mesh that was saved: {error}") from error
    for name, kind, value in zip(NAMES, KINDS, values, strict=True):
        if value.dtype != kind or (name == "children") != (value.ndim == 0):
            raise ValueError(f"{path}: not a mesh that was saved: {name} is of another kind")
    vertices, faces, children, *plan = values
    return vertices, faces, int(children), usable_plan(tuple(plan))
