"""Pictures of articulated bodies: the links in their places, and the boxes of a tree around them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

import elbowroom as er

from .painting import PALETTE, Look

RED = "#e0245e"
Item = tuple[er.Body, Any, Look]


def placed_links(body: er.Articulated, colours: Sequence[str], red: Collection[int] = ()) -> list[Item]:
    """The shapes of a body that holds one configuration, for `draw`: a colour for each link, some red."""
    poses = body.link_poses()
    return [
        (shape, poses[link] @ pose.matrix, Look(RED if link in red else colours[link]))
        for link, shape, pose in body.shapes
    ]


def placed_boxes(boxes: Sequence[Any], colour: str = PALETTE[2], alpha: float = 0.12) -> list[Item]:
    """Translucent boxes of a tree, oriented or along the axes."""
    return [(*solid_box(box), Look(colour, alpha, True)) for box in boxes]


def solid_box(box: Any) -> tuple[er.Box, er.Pose]:
    """A box of a tree as a body in its place; its axes may be left-handed."""
    if isinstance(box, er.volumes.Aabb):
        low, high = np.asarray(box.low), np.asarray(box.high)
        return er.Box(high - low), er.Pose(translation=(low + high) / 2)
    rotation = np.array(box.axes).T
    rotation[:, 2] *= np.sign(np.linalg.det(rotation))
    return er.Box(2 * np.asarray(box.half)), er.Pose(rotation, box.centre)
