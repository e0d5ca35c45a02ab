"""Bounding volumes of a hierarchy as arrays of boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import elbowroom as er

from .layers import GREEN, Array, Boxes, Colour

#: A level with more boxes than this is not shown: one could not see through them.
MOST_BOXES = 4096
Columns = tuple[Array, Array, Array]


def box_columns(volumes: Sequence[Any]) -> Columns:
    """Centres (n, 3), half sides (n, 3) and rotations (n, 3, 3), right-handed, of boxes of any kind."""
    if not volumes:
        return np.empty((0, 3)), np.empty((0, 3)), np.empty((0, 3, 3))
    if isinstance(volumes[0], er.volumes.Aabb):
        low = np.array([volume.low for volume in volumes])
        high = np.array([volume.high for volume in volumes])
        return (low + high) / 2, (high - low) / 2, np.tile(np.eye(3), (len(volumes), 1, 1))
    rotations = np.array([volume.axes for volume in volumes]).transpose(0, 2, 1)
    rotations[:, :, 2] *= np.sign(np.linalg.det(rotations))[:, None]
    centres = np.array([volume.centre for volume in volumes])
    return centres, np.array([volume.half for volume in volumes]), rotations


def placed_boxes(
    name: str, columns: Columns, pose: Array | None = None, colour: Colour = GREEN, opacity: float = 0.18
) -> Boxes:
    """A layer of boxes, moved by a pose."""
    centres, halves, rotations = columns
    if pose is not None:
        centres, rotations = centres @ pose[:3, :3].T + pose[:3, 3], pose[:3, :3] @ rotations
    return Boxes(name, centres, halves, rotations, colour=colour, opacity=opacity)


def count_levels(level: Callable[[int], Sequence[Any]]) -> int:
    """How many levels differ, and have no more boxes than can be shown."""
    before = 0
    for k in range(64):
        count = len(level(k))
        if count == before or count > MOST_BOXES:
            return k
        before = count
    return 64
