"""States as rows of text, and back."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core, _writing
from elbowroom.files import paths
from elbowroom.files.path_tables import Columns, read_table

from .joint_space import JointSpace
from .rotations import matrices
from .spaces import Floats, Space

Name = str | os.PathLike[str]
POSE = paths.POSE_COLUMNS


def write_states(file: Name, space: Space, states: Floats) -> None:
    """Poses (n, 4, 4) or configurations (n, dof), one a row under a header."""
    if isinstance(space, JointSpace):
        paths.write_configurations(file, states, space.names)
    else:
        paths.write_poses(file, states)


def read_states(file: Name, space: Space) -> Floats:
    """What `write_states` wrote."""
    if isinstance(space, JointSpace):
        return paths.read_configurations(file, space.names)
    return paths.read_poses(file)


def write_tree(file: Name, space: Space, states: Floats, parents: NDArray[np.int32]) -> None:
    """One line a state: the number of its parent, then the state."""
    names, rows = (
        (space.names, states) if isinstance(space, JointSpace) else (POSE, _core.pose_keys(states, 1.0))
    )
    lines = [",".join(("parent", *names))]
    for parent, row in zip(parents.tolist(), rows.tolist(), strict=True):
        lines.append(",".join((str(parent), *map(repr, row))))
    _writing.write_text(file, "\n".join(lines) + "\n")


def read_tree(file: Name, space: Space) -> tuple[Floats, NDArray[np.int32]]:
    """The states and parents that `write_tree` wrote."""
    names = space.names if isinstance(space, JointSpace) else POSE
    rows, _ = read_table(file, Columns(("parent", *names), None, "column of a tree", "a tree"))
    parents, values = rows[:, 0].astype(np.int32), np.ascontiguousarray(rows[:, 1:])
    wrong = (parents != rows[:, 0]) | (parents >= np.arange(len(rows))) | (parents < -1)
    wrong |= (parents == -1) != (np.arange(len(rows)) == 0)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"row {row} of '{os.fspath(file)}' has the parent {rows[row, 0]:g}, which is none before it"
        )
    if isinstance(space, JointSpace):
        for row, state in enumerate(values):
            space.checked(state, f"row {row} of '{os.fspath(file)}'")
        return values, parents
    _arrays.unit_quaternions(values[:, 3:], f"the quaternions of '{os.fspath(file)}'")
    return _poses(values), parents


def _poses(rows: Floats) -> Floats:
    out = np.zeros((len(rows), 4, 4))
    out[:, :3, :3], out[:, :3, 3], out[:, 3, 3] = matrices(rows[:, 3:]), rows[:, :3], 1.0
    return out
