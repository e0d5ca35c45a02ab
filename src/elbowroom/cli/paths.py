"""The files of `--path`, `--start` and `--goal`; complaints about them name the option."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.files.paths import columns_of, read_configurations, read_poses

from .complaint import Complaint
from .options import check_input

Floats = NDArray[np.float64]


def read_path(robot: er.Articulated, file: Path, argument: str = "--path") -> Floats:
    """Configurations (n, dof) from a file, one a row; joints without a column are at zero."""
    return _read(argument, file, lambda: read_configurations(file, columns_of(robot), robot.zero()))


def read_pose_path(file: Path, argument: str = "--path") -> Floats:
    """Poses (n, 4, 4) from a file, one a row."""
    return _read(argument, file, lambda: read_poses(file))


def _read(argument: str, file: Path, read: Callable[[], Floats]) -> Floats:
    check_input(argument, file, "; expected a .npy, .csv or .txt file")
    try:
        return read()
    except ValueError as error:
        raise Complaint(f"{argument}: {error}") from error
