"""Files of paths: poses of a rigid body or configurations of an articulated one, one a row.

A CSV file begins with a header: x, y, z, qw, qx, qy, qz for poses, the names of the joints for
configurations; a joint of several values has as many columns of its name. Values have all their digits, so
that what is read is what was written. Text without a header and arrays that NumPy has saved are read too.

>>> import pathlib, tempfile
>>> from elbowroom.files.paths import read_configurations, write_configurations
>>> with tempfile.TemporaryDirectory() as folder:
...     file = pathlib.Path(folder, "path.csv")
...     write_configurations(file, [[0.0, 0.5], [0.1, 0.75]], ["shoulder", "elbow"])
...     read_configurations(file, ["elbow", "shoulder"]).tolist()
[[0.5, 0.0], [0.75, 0.1]]
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _writing
from elbowroom.files.path_tables import Columns, read_table, saved_array

if TYPE_CHECKING:
    from elbowroom.articulated import Articulated

__all__ = [
    "POSE_COLUMNS",
    "columns_of",
    "pose_rows",
    "read_configurations",
    "read_poses",
    "write_configurations",
    "write_poses",
]

Floats = NDArray[np.float64]
File: TypeAlias = str | os.PathLike[str]

#: Position and unit quaternion of a pose.
POSE_COLUMNS = ("x", "y", "z", "qw", "qx", "qy", "qz")


def columns_of(robot: Articulated) -> tuple[str, ...]:
    """The columns of a configuration: the names of the joints, each as often as the joint has values."""
    places = (robot.index(name) for name in robot.joint_names)
    return tuple(
        name
        for name, place in zip(robot.joint_names, places, strict=True)
        for _ in range(place.stop - place.start)
    )


def write_poses(file: File, poses: ArrayLike) -> None:
    """Writes poses (n, 4, 4) as CSV; the signs of the quaternions are such that none jumps to the next."""
    _write(file, POSE_COLUMNS, pose_rows(_arrays.poses(poses, "poses").reshape(-1, 4, 4)))


def write_configurations(file: File, rows: ArrayLike, columns: Sequence[str]) -> None:
    """Writes configurations (n, dof) as CSV with these columns; names with commas in them are refused."""
    bad = [name for name in columns if "," in name or '"' in name or not name.isprintable()]
    if bad:
        raise ValueError(f"columns has a name that a CSV file cannot hold: {_arrays.shown(bad[0])}")
    values = _arrays.configurations(rows, len(columns), "rows")
    _write(file, columns, values.reshape(-1, len(columns)))


def read_poses(file: File) -> Floats:
    """Poses (n, 4, 4) from a .csv, .txt or .npy file.

    Rows have the columns of `POSE_COLUMNS` in the order of the header or, without a header, in that order; or
    x, y and z alone, of poses that are not turned. An array may be (n, 4, 4), too.
    """
    columns = Columns(POSE_COLUMNS, (0.0, 0, 0, 1, 0, 0, 0), "column of a pose", "a pose", (3,))
    if Path(os.fspath(file)).suffix.lower() == ".npy":
        matrices = _matrices(file)
        if matrices is not None:
            return matrices
    rows, names = read_table(file, columns)
    for group in (POSE_COLUMNS[:3], POSE_COLUMNS[3:]):
        missing = [name for name in group if name not in names]
        if missing and (len(missing) < len(group) or "x" in group):
            raise ValueError(f"the header of '{os.fspath(file)}' lacks the column {missing[0]}")
    return np.stack([_pose(row, f"row {k} of '{os.fspath(file)}'") for k, row in enumerate(rows)])


def read_configurations(file: File, columns: Sequence[str], zero: ArrayLike | None = None) -> Floats:
    """Configurations (n, dof) from a .csv, .txt or .npy file, in the order of `columns`.

    What has no column in the header is as in `zero`; without `zero` it is missed.
    """
    least = None if zero is None else tuple(_arrays.configurations(zero, len(columns), "zero").tolist())
    return read_table(file, Columns(tuple(columns), least, "joint that takes values", "the robot"))[0]


def pose_rows(poses: Floats) -> Floats:
    """Poses (n, 4, 4) as rows of `POSE_COLUMNS` (n, 7)."""
    from scipy.spatial.transform import Rotation  # takes a while to import

    quaternions = Rotation.from_matrix(poses[:, :3, :3]).as_quat()[:, [3, 0, 1, 2]]
    signs = np.sign((quaternions[1:] * quaternions[:-1]).sum(axis=1))
    signs = np.concatenate([[1.0 if quaternions[0, 0] >= 0 else -1.0], np.where(signs == 0, 1.0, signs)])
    return np.hstack([poses[:, :3, 3], quaternions * np.cumprod(signs)[:, None]])


def _write(file: File, columns: Sequence[str], rows: Floats) -> None:
    lines = [",".join(columns), *(",".join(map(repr, row)) for row in rows.tolist())]
    _writing.write_text(file, "\n".join(lines) + "\n")


def _pose(row: Floats, name: str) -> Floats:
    _arrays.unit_quaternions(row[3:], f"the quaternion in {name}")
    return _arrays.pose((row[3:], row[:3]), name)


def _matrices(file: File) -> Floats | None:
    """An array (n, 4, 4), if that is what NumPy has saved."""
    held = saved_array(Path(os.fspath(file)))
    return _arrays.poses(held, f"'{os.fspath(file)}'") if held.ndim == 3 else None
