"""The loop of an RRT that all contestants share, and what it asks of them.

Sample a pose, take the nearest node by position, add the sample if the motion to it is free. The nearest
neighbour is a plain search in numba, for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numba import njit

import elbowroom as er
from benchmarks.common import Array
from benchmarks.convex.run import Scene
from benchmarks.motion import data
from benchmarks.motion.peers import TOLERANCE, Bisected, FclMotion


@njit(cache=True)
def nearest(points: Array, count: int, x: float, y: float, z: float) -> int:
    best, found = np.inf, 0
    for k in range(count):
        a, b, c = points[k, 0] - x, points[k, 1] - y, points[k, 2] - z
        distance = a * a + b * b + c * c
        if distance < best:
            best, found = distance, k
    return found


class Judge(Protocol):
    """What the loop asks: of samples by their number."""

    def valid(self, sample: int) -> bool: ...

    def free(self, node: int, sample: int) -> bool: ...


@dataclass
class Grown:
    """Of each node the number of its sample and its parent; how many samples were tried."""

    samples: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    tried: int = 0


def grow(poses: Array, nodes: int, judge: Judge) -> Grown:
    """The loop that all share; the first sample is the root."""
    positions = np.ascontiguousarray(poses[:, :3, 3])
    points, rows = np.empty((nodes, 3)), positions.tolist()
    points[0], tree = positions[0], Grown([0], [0])
    samples, parents = tree.samples, tree.parents
    for sample in range(1, len(poses)):
        if len(samples) == nodes:
            break
        tree.tried += 1
        if not judge.valid(sample):
            continue
        parent = nearest(points, len(samples), *rows[sample])
        if judge.free(samples[parent], sample):
            points[len(samples)] = positions[sample]
            samples.append(sample)
            parents.append(parent)
    return tree


class Ours:
    """`valid` and `free` of a checker."""

    def __init__(self, scene: Scene, poses: Array, method: str) -> None:
        self.checker = er.MotionChecker(*data.bodies(scene), method=method, tolerance=TOLERANCE)
        self.poses = list(poses)

    def valid(self, sample: int) -> bool:
        return self.checker.valid(self.poses[sample])

    def free(self, node: int, sample: int) -> bool:
        return self.checker.free(self.poses[node], self.poses[sample])


class Theirs:
    """A library's distances; `ends` keeps that of every sample."""

    def __init__(self, bisected: Bisected, poses: Array) -> None:
        self.bisected, self.placed = bisected, data.placed(poses)
        self.near = {0: bisected.clearance(self.placed[0])}

    def valid(self, sample: int) -> bool:
        self.near[sample] = self.bisected.clearance(self.placed[sample])
        return self.near[sample] > 0.0

    def free(self, node: int, sample: int) -> bool:
        near = self.near[node], self.near[sample]
        return self.bisected.free(self.placed[node], self.placed[sample], near)


class Sampled:
    """FCL's samples along each motion, which begin and end with its ends."""

    def __init__(self, fcl: FclMotion, poses: Array) -> None:
        self.fcl, self.poses = fcl, poses

    def valid(self, sample: int) -> bool:
        return True

    def free(self, node: int, sample: int) -> bool:
        return self.fcl.free(self.poses[node], self.poses[sample])


class Replay:
    """Verdicts known beforehand: what the loop costs without any check."""

    def __init__(self, known: Grown) -> None:
        self.kept = set(known.samples)

    def valid(self, sample: int) -> bool:
        return True

    def free(self, node: int, sample: int) -> bool:
        return sample in self.kept
