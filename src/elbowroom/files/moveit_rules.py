"""What a scene of MoveIt says besides its objects: who may touch whom; and what in it cannot be read."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

from elbowroom.files.moveit_yaml import Fields, fields, items


def allowed_pairs(held: Fields, file: str) -> tuple[tuple[str, str], ...]:
    """The pairs that the allowed collision matrix lets touch, each once."""
    what = f"{file}: allowed_collision_matrix"
    matrix = fields(held.get("allowed_collision_matrix"), what)
    names = [str(name) for name in items(matrix.get("entry_names"), what)]
    listed = items(matrix.get("entry_values"), what)
    rows = [items(row.get("enabled") if isinstance(row, Mapping) else row, what) for row in listed]
    if len(rows) != len(names) or any(len(row) != len(names) for row in rows):
        raise ValueError(f"{what} must have as many rows and columns as names, {len(names)}")
    return tuple(
        (a, b) for i, a in enumerate(names) for j, b in enumerate(names) if i < j and rows[i][j] is True
    )


def refuse_unread(held: Fields, world: Fields, file: str) -> None:
    """What would make an answer wrong if it were passed over; padding only makes it less cautious."""
    octomap = fields(world.get("octomap"), f"{file}: octomap")
    if octomap.get("data") or fields(octomap.get("octomap"), f"{file}: octomap").get("data"):
        raise ValueError(f"{file}: it has an octree, which is not supported")
    padding, scale = (items(held.get(f"link_{name}"), file) for name in ("padding", "scale"))
    padded = any(fields(each, f"{file}: link_padding").get("padding") for each in padding)
    if padded or any(fields(each, f"{file}: link_scale").get("scale", 1) != 1 for each in scale):
        warnings.warn(f"{file}: padding and scale of links are ignored", UserWarning, stacklevel=4)
