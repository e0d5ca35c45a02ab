"""Plain certified bisection, for libraries that measure distances and know nothing of motions.

No point of the body goes farther than `length`, the way of its origin and its reach times the angle. A
distance d therefore proves a share d/length of the motion free, on either side of the pose it was measured
in. `middle` measures in the middle of an interval that is not proved and goes on with what is left of it;
`ends` (Schwarzer, Saha and Latombe) halves intervals until the distances at both ends cover them.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable

import numpy as np
from numba import njit

from benchmarks.common import Array
from benchmarks.motion.data import Placed

Clearance = Callable[[Array, Array], float]  # of a rotation and a position; 0 or less: overlap
Verdict = tuple[bool, int]  # free, and distances measured


@njit(cache=True)
def pose_at(first: Array, turn: Array, last: Array, other: Array, time: float):  # type: ignore[no-untyped-def]
    """Rotation matrix and position at a time in [0, 1]: linear, and slerp along the shorter way."""
    cosine = turn[0] * other[0] + turn[1] * other[1] + turn[2] * other[2] + turn[3] * other[3]
    sign = 1.0 if cosine >= 0.0 else -1.0
    angle = math.acos(min(1.0, abs(cosine)))
    if angle < 1e-9:
        a, b = 1.0 - time, sign * time
    else:
        a, b = math.sin((1.0 - time) * angle), sign * math.sin(time * angle)  # normalised below
    w, x, y, z = a * turn + b * other
    s = 2.0 / (w * w + x * x + y * y + z * z)
    rotation = np.empty((3, 3))
    rotation[0] = 1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)
    rotation[1] = s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)
    rotation[2] = s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)
    return rotation, first + time * (last - first)


def length(a: Placed, b: Placed, reach: float) -> float:
    """No point of the body goes farther."""
    angle = 2.0 * math.acos(min(1.0, abs(float(a[1] @ b[1]))))
    return math.sqrt(float((b[0] - a[0]) @ (b[0] - a[0]))) + reach * angle


def free_by_middles(clearance: Clearance, a: Placed, b: Placed, length: float, tolerance: float) -> Verdict:
    """Breadth first, so that a collision is found where the motion is looked at first."""
    left, calls = deque([(0.0, 1.0)]), 0
    while left:
        begin, end = left.popleft()
        middle = 0.5 * (begin + end)
        distance = clearance(*pose_at(*a, *b, middle))
        calls += 1
        if distance <= 0.0:
            return False, calls
        share = distance / length if length else 1.0
        if middle - share > begin:
            if end - begin < tolerance:
                return False, calls
            left += ((begin, middle - share), (middle + share, end))
    return True, calls


def free_by_ends(
    clearance: Clearance, a: Placed, b: Placed, length: float, near: tuple[float, float], tolerance: float
) -> Verdict:
    """With the distances at both ends of the motion, which are known beforehand."""
    left, calls = deque([(0.0, near[0], 1.0, near[1])]), 0
    while left:
        begin, before, end, after = left.popleft()
        if before + after > length * (end - begin):
            continue
        middle = 0.5 * (begin + end)
        distance = clearance(*pose_at(*a, *b, middle))
        calls += 1
        if distance <= 0.0 or end - begin < tolerance:
            return False, calls
        left += ((begin, before, middle, distance), (middle, distance, end, after))
    return True, calls
