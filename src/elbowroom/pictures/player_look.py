"""From where a recorded scene is looked at: everything is in view, at every time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from .moving import Moving
from .moving_balls import Balls, Lines
from .player_shapes import Used
from .surfaces import placed

Array = NDArray[np.float64]

AZIMUTH, ELEVATION = -1.05, 0.42  # in radians
TIMES = 24  # at which things are looked at, about


def spans(
    bodies: Sequence[Used],
    moving: Sequence[Moving],
    balls: Sequence[Balls],
    lines: Sequence[Lines],
    trail: Array,
) -> Array:
    """Points that must be in view, at some of the times."""
    spans = [trail]
    for used, box in bodies:
        poses = moving[used["mover"]].poses if used["mover"] >= 0 else np.eye(4)[None]
        spans += [placed(box, at) for at in (*poses[:: max(1, len(poses) // TIMES)], poses[-1])]
    for one in balls:
        places, radius = np.asarray(one.places, dtype=float), float(np.max(one.radii))
        places = places.reshape(-1, *places.shape[-2:])
        some = places[:: max(1, len(places) // TIMES)].reshape(-1, 3)
        spans += [_outermost(some) + shift for shift in radius * np.vstack([np.eye(3), -np.eye(3)])]
    spans += [_outermost(some.reshape(-1, 3)) for one in lines for some in one.by_frame() if len(some)]
    everything = np.concatenate(spans)
    if not len(everything):
        raise ValueError("nothing is shown: give bodies, balls or lines")
    return everything


def look(everything: Array, moving: Sequence[Moving], camera: tuple[float, float] | None) -> dict[str, Any]:
    """From where to look, and how far away, so that all of it is in view."""
    low, high = everything.min(axis=0), everything.max(axis=0)
    centre, reach = (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, 1e-9)
    middle = np.mean([each.poses[:, :3, 3].mean(axis=0) for each in moving], axis=0) if moving else centre
    azimuth, elevation = np.radians(camera) if camera else (_azimuth(middle - centre, reach), ELEVATION)
    return {
        "centre": centre.tolist(),
        "reach": reach,
        "corners": _outermost(everything).ravel().tolist(),
        "azimuth": float(azimuth),
        "elevation": float(elevation),
    }


def followed(places: Array, near: float, haste: int) -> dict[str, Any]:
    """Of places (frames, n, 3): where to look in every frame, and how large that is; means over frames."""
    low, high = places.min(axis=1), places.max(axis=1)
    centres = (low + high) / 2
    sizes = np.linalg.norm(places - centres[:, None], axis=2).max(axis=1)
    steady = np.ones(haste) / haste
    padded = np.pad(np.column_stack([centres, sizes]), ((haste // 2, haste // 2), (0, 0)), mode="edge")
    sights = np.stack([np.convolve(column, steady, mode="valid") for column in padded.T], axis=1)
    reach = float(sights[:, 3].max())
    ball = Rotation.random(200, random_state=0).apply([reach / near, 0, 0])
    return {
        "sights": np.column_stack([sights[:, :3], sights[:, 3] / reach]).round(5).tolist(),
        "centre": sights[0, :3].tolist(),
        "reach": reach,
        "corners": (sights[0, :3] + ball).ravel().tolist(),
    }


def _outermost(points: Array) -> Array:
    """The points that are farthest out in many directions: what must be in view for all to be."""
    directions = np.stack(np.meshgrid(*[np.arange(-2, 3)] * 3), axis=-1).reshape(-1, 3)
    return np.asarray(points[np.unique((points @ directions.T).argmax(axis=0))])


def _azimuth(aside: Array, reach: float) -> float:
    """From where to look: from the side of what moves, but past it, so that it does not hide the rest."""
    if np.hypot(aside[0], aside[1]) < 0.1 * reach:
        return AZIMUTH
    return float(np.arctan2(aside[1], aside[0]) + 0.7)
