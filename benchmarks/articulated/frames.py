"""W2's scene: two chains of boxes side by side, and where each box is in every frame.

Boxes are six times as long as they are wide. In "wave" both chains undulate while one of them comes and goes;
in "braid" they are a double helix whose radius breathes. Both are made of polylines, one segment a box.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.common import Array

EXTENTS = (6.0, 1.0, 1.0)
LENGTH = EXTENTS[0]
ASIDE = (0.3, 0.2, 1.0)  # no segment of either scene is parallel to this
RISE = 22.0  # of the helix, in one turn
TURN = 2.0 * math.pi


@dataclass(frozen=True, eq=False)
class Motion:
    """Boxes of two chains: rotations (frames, 2, links, 3, 3), centres (frames, 2, links, 3).

    `poses` are the same as matrices (frames, links, 4, 4), one array a chain.
    """

    case: str
    rotations: Array
    centres: Array
    poses: tuple[Array, Array]

    def __len__(self) -> int:
        return len(self.centres)

    @property
    def links(self) -> int:
        return int(self.centres.shape[2])


def make_motion(case: str, links: int, frames: int) -> Motion:
    """The boxes lie along the segments, their x axes on them."""
    corners = CASES[case](links, frames)
    along = np.diff(corners, axis=2)
    x = along / np.linalg.norm(along, axis=-1, keepdims=True)
    y = np.cross(ASIDE, x)
    y /= np.linalg.norm(y, axis=-1, keepdims=True)
    rotations = np.ascontiguousarray(np.stack([x, y, np.cross(x, y)], axis=-1))
    centres = np.ascontiguousarray(0.5 * (corners[:, :, 1:] + corners[:, :, :-1]))
    first, second = (_matrices(rotations[:, chain], centres[:, chain]) for chain in range(2))
    return Motion(case, rotations, centres, (first, second))


def _matrices(rotations: Array, centres: Array) -> Array:
    made = np.zeros((*centres.shape[:2], 4, 4))
    made[..., :3, :3], made[..., :3, 3], made[..., 3, 3] = rotations, centres, 1.0
    return made


def wave(links: int, frames: int) -> Array:
    """Corners (frames, 2, links + 1, 3): yaw and pitch run along chains that start 1.5 to 6.5 apart."""
    time = np.linspace(0.0, 1.0, frames)[:, None, None]
    chain, link = np.arange(2)[:, None], np.arange(links)
    yaw = 0.35 * np.sin(TURN * ((3 + chain) * time + link / 7) + 1.3 * chain)
    pitch = 0.25 * np.sin(TURN * ((2 + 1.5 * chain) * time + link / 5) + 0.7 * chain)
    steps = np.stack([np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), np.sin(pitch)], axis=-1)
    corners = np.zeros((frames, 2, links + 1, 3))
    corners[:, 1, :, 1] = 4.0 + 2.5 * np.sin(TURN * 5 * time[:, 0])
    corners[:, :, 1:] += LENGTH * np.cumsum(steps, axis=2)
    return corners


def braid(links: int, frames: int) -> Array:
    """Corners (frames, 2, links + 1, 3) on a double helix of radius 0.5 to 2, of which one strand sways."""
    time = np.linspace(0.0, 1.0, frames)
    radius = 1.25 + 0.75 * np.sin(TURN * 7 * time)
    step = _step(radius)
    sway = np.stack([np.zeros(frames), math.pi + 0.8 * np.sin(TURN * 3 * time)], axis=1)
    along = step[:, None, None] * np.arange(links + 1)
    angle = along + sway[..., None]
    wide = radius[:, None, None]
    height = np.broadcast_to(along * RISE / TURN, angle.shape)
    return np.stack([wide * np.cos(angle), wide * np.sin(angle), height], axis=-1)


def _step(radius: Array) -> Array:
    """The angle from corner to corner with which a chord of the helix is as long as a box, by halving."""
    low, high = np.zeros_like(radius), np.full_like(radius, 4.0)
    for _ in range(60):
        middle = 0.5 * (low + high)
        chord = (2.0 * radius * np.sin(0.5 * middle)) ** 2 + (middle * RISE / TURN) ** 2
        longer = chord > LENGTH**2
        low, high = np.where(longer, low, middle), np.where(longer, middle, high)
    return low


CASES: dict[str, Callable[[int, int], Array]] = {"wave": wave, "braid": braid}
