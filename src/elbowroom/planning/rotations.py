"""Rotations as unit quaternions (w, x, y, z), in bulk: uniform ones, their matrices, what lies between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Quaternions nearer to each other than this are interpolated linearly: sines would lose their digits.
NEARLY_EQUAL = 1e-7


def uniform_quaternions(uniform: Floats) -> Floats:
    """Quaternions (n, 4) uniform over all rotations, from uniform numbers (n, 3) [Shoemake1992]_."""
    share, first, second = uniform[:, 0], 2.0 * np.pi * uniform[:, 1], 2.0 * np.pi * uniform[:, 2]
    inner, outer = np.sqrt(1.0 - share), np.sqrt(share)
    parts = [outer * np.cos(second), inner * np.sin(first), inner * np.cos(first), outer * np.sin(second)]
    return np.stack(parts, axis=1)


def matrices(quaternions: Floats) -> Floats:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4)."""
    w, x, y, z = quaternions.T
    out = np.empty((len(quaternions), 3, 3))
    out[:, 0, 0], out[:, 0, 1], out[:, 0, 2] = (
        1 - 2 * (y * y + z * z),
        2 * (x * y - w * z),
        2 * (x * z + w * y),
    )
    out[:, 1, 0], out[:, 1, 1], out[:, 1, 2] = (
        2 * (x * y + w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z - w * x),
    )
    out[:, 2, 0], out[:, 2, 1], out[:, 2, 2] = (
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        1 - 2 * (x * x + y * y),
    )
    return out


def turned(a: Floats, b: Floats, times: Floats) -> Floats:
    """Quaternions (n, 4) between two (4,), at a constant rate the shorter way round; times (n,)."""
    b = -b if a @ b < 0 else b
    half = 2.0 * np.arcsin(min(0.5 * float(np.linalg.norm(b - a)), 1.0))
    if half < NEARLY_EQUAL:
        out = (1.0 - times)[:, None] * a + times[:, None] * b
    else:
        out = np.sin((1.0 - times) * half)[:, None] * a + np.sin(times * half)[:, None] * b
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))
