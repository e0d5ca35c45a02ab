"""Runs to calibrate by: made-up ones, and two springs on smooth paths through each other."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom import _fitting, _reliability
from elbowroom.calibration import Calibration

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

SPRING = er.Mesh(*er.scenes.spring())
TIGHT = er.Budget(tests=60)


def simulated(paths: int, seed: int, steps: int = 25) -> tuple[Array, Flags]:
    """Signs (n, 8) of made-up runs, alike along a path, and which were free: not by a logistic law."""
    rng = np.random.default_rng(seed)
    hidden = np.repeat(rng.normal(size=(paths, 3)), steps, axis=0) + rng.normal(size=(paths * steps, 3)) / 2
    n = len(hidden)
    covered = 1 / (1 + np.exp(-2 - 1.5 * hidden[:, 0]))
    checked = np.clip(covered + 0.1 * hidden[:, 1], 0, 1)
    hit_before = rng.uniform(size=n) < 0.2
    signs = [
        covered,
        checked,
        checked * rng.uniform(size=n),
        np.log1p(np.exp(3 - hidden[:, 0] + 0.3 * hidden[:, 2])),
        (10 - 2 * hidden[:, 0] + hidden[:, 1]) / 32,
        np.full(n, 0.25),
        hit_before,
        rng.uniform(size=n),
    ]
    chance = np.clip(0.55 + 0.35 * np.tanh(1.5 * hidden[:, 0]) - 0.15 * hit_before, 0.02, 0.98)
    return np.stack(signs, axis=1).astype(float), rng.uniform(size=n) < chance


def made(paths: int = 300, seed: int = 1) -> Calibration:
    """A table of simulated runs, judged by others."""
    table = _fitting.fit(*simulated(paths, seed))
    signs, free = simulated(paths, seed + 1000)
    ours, theirs = _reliability.judged(table.probability(signs), free), _reliability.judged(signs[:, 2], free)
    return Calibration(*table, budgets=(er.Budget(tests=200),), learned=9, held_out=ours, paper=theirs)


def through(count: int, steps: int = 40, seed: int = 0) -> list[Array]:
    """Smooth paths (steps, 4, 4) of a spring past or through another one at the origin."""
    rng, along, paths = np.random.default_rng(seed), np.linspace(-1, 1, steps)[:, None], []
    for _ in range(count):
        direction, axis = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
        poses = np.tile(np.eye(4), (steps, 1, 1))
        turns = Rotation.from_rotvec(along * axis * rng.uniform(0, 2)) * Rotation.random(rng=rng)
        poses[:, :3, :3] = turns.as_matrix()
        poses[:, :3, 3] = 6.5 * along * direction + rng.uniform(-3, 3, 3)
        paths.append(poses)
    return paths


def ask(pose: Any, **how: Any) -> er.Collision:
    return er.collide(SPRING, SPRING, pose_b=pose, **how)


def quietly(*args: Any, **options: Any) -> Calibration:
    """Without the warning of few runs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return er.Memory.calibrate(*args, **{"budget": TIGHT} | options)


def free_poses() -> list[Array]:
    """Poses in which the volumes meet and the springs do not."""
    poses = [pose for path in through(40) for pose in path if not ask(pose)]
    once = [ask(pose, budget=er.Budget(tests=1), memory=er.Memory()) for pose in poses]
    return [pose for pose, run in zip(poses, once, strict=True) if run.status == "out of budget"]
