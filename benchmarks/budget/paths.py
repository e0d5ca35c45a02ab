"""Many smooth paths, alike in kind and all different: what a calibration is learned from and judged by."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation, Slerp

from benchmarks.budget.walks import SPRING_RISE
from benchmarks.common import Array

WAYPOINTS = 4
REACH, MISS = 6.5, 3.0  # where a path through a spring begins, and by how much it may miss the middle
WAVES, SHAKE, TILT = 5, 0.12, 0.03  # of a spring that is screwed into another one: it touches now and then
Angles = dict[int, float]


def through(count: int, steps: int, seed: int) -> list[Array]:
    """Poses (steps, 4, 4) from one side of a spring to the other, in any direction, turning on the way."""
    rng, along, paths = np.random.default_rng(seed), np.linspace(-1, 1, steps)[:, None], []
    for _ in range(count):
        direction, axis = (vector / np.linalg.norm(vector) for vector in rng.normal(size=(2, 3)))
        sway = 0.6 * rng.normal(size=3) * np.sin(np.pi * along + rng.uniform(0, 6))
        aside = rng.uniform(-MISS, MISS, 3) + sway
        turns = Rotation.from_rotvec(along * axis * rng.uniform(0, 2)) * Rotation.random(rng=rng)
        paths.append(poses_of(turns, REACH * along * direction + aside))
    return paths


def screwed(count: int, steps: int, seed: int) -> list[Array]:
    """Poses (steps, 4, 4) of a spring between the turns of another one, shaken as it is screwed on."""
    rng, paths = np.random.default_rng(seed), []
    for _ in range(count):
        angle = rng.uniform(-np.pi, np.pi) + np.linspace(0, rng.uniform(-1.5, 1.5), steps)
        places = _wave(rng, SHAKE, steps)
        places[:, 2] += SPRING_RISE * (rng.integers(-3, 3) + 0.5 + angle / (2 * np.pi))
        turns = Rotation.from_rotvec(_wave(rng, TILT, steps)) * Rotation.from_euler("z", angle[:, None])
        paths.append(poses_of(turns, places))
    return paths


def among(count: int, steps: int, low: Array, high: Array, seed: int) -> list[Array]:
    """Poses (steps, 4, 4) along splines through random places in a box, turning from each to the next."""
    rng, paths = np.random.default_rng(seed), []
    times, stops = np.linspace(0, WAYPOINTS - 1, steps), np.arange(WAYPOINTS)
    for _ in range(count):
        turns = [Rotation.random(rng=rng)]
        for _ in stops[1:]:
            turns.append(Rotation.from_rotvec(0.75 * rng.normal(size=3)) * turns[-1])
        places = CubicSpline(stops, rng.uniform(low, high, (WAYPOINTS, 3)))(times)
        paths.append(poses_of(Slerp(stops, Rotation.concatenate(turns))(times), places))
    return paths


def foldings(count: int, steps: int, links: int, joints: int, turn: float, seed: int) -> list[list[Angles]]:
    """Angles of a few joints, which all turn to and fro smoothly by about so much."""
    rng, paths = np.random.default_rng(seed), []
    for _ in range(count):
        chosen = rng.choice(np.arange(1, links - 2), joints, replace=False).tolist()
        angles = _wave(rng, turn, steps, joints)
        paths.append([dict(zip(chosen, row, strict=True)) for row in angles.tolist()])
    return paths


def poses_of(turns: Rotation, places: Array) -> Array:
    poses = np.tile(np.eye(4), (len(places), 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = turns.as_matrix(), places
    return poses


def _wave(rng: np.random.Generator, size: float, steps: int, width: int = 3) -> Array:
    """A smooth random curve (steps, width) about zero."""
    ends = size * rng.normal(size=(WAVES, width))
    return np.asarray(CubicSpline(np.arange(WAVES), ends)(np.linspace(0, WAVES - 1, steps)))
