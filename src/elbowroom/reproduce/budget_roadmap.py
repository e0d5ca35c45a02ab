"""The roadmap of Lin and Li: 50 samples, and every check that learning it and asking it takes, in order.

Exact answers decide how it goes on, so that every method is asked about the same configurations. So it must
have been in the paper: both parts of its Table 2 are of 327,679 checks, of which the same 80,057 are free and
reach the limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.planning import PRM, Budgeted

from .budget_scene import WIDE, Screwed, figure_path, spring

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

SAMPLES = 50
BUDGET = 500
CHECKS, FULL_CHECKS = 30_000, 327_679
TRIED = 0.4  # the resolution at which a roadmap is learned first, to see how many checks there will be
COARSER = 4  # times the resolution that seems right is tried next
SEED, OTHER_SEED = 1, 2


@dataclass(frozen=True)
class Recording:
    """All checks of a roadmap: poses, whether they collide, and which follow no other along a motion."""

    poses: Array
    hits: Flags
    begins: Flags
    resolution: float
    nodes: int
    edges: int
    found: bool

    def __len__(self) -> int:
        return len(self.poses)

    @property
    def motions(self) -> list[Array]:
        """The poses (m, 4, 4) of one sample or one motion after the other."""
        return np.split(self.poses, np.flatnonzero(self.begins)[1:])

    @property
    def truths(self) -> list[Flags]:
        """Which of these collide."""
        return np.split(self.hits, np.flatnonzero(self.begins)[1:])


class _Recorder:
    """Answers exactly, and records what it was asked."""

    def __init__(self) -> None:
        self.poses: list[Array] = []
        self.hits: list[bool] = []
        self.begins: list[bool] = []

    def __call__(self, pose: Array, *, budget: er.Budget | None = None, memory: Any = None) -> er.Collision:
        answer: er.Collision = er.collide(spring(), spring(), pose_b=er.Pose.from_matrix(pose))
        self.poses.append(pose)
        self.hits.append(bool(answer))
        self.begins.append(budget is None or budget.tests != BUDGET)
        return answer


def record(resolution: float, seed: int = SEED) -> Recording:
    """Learn a roadmap of all pairs of the samples, and ask it for a way between the ends of a path."""
    recorder = _Recorder()
    checker = Budgeted(recorder, resolution, er.Budget(tests=BUDGET))
    roadmap = PRM(Screwed(*WIDE), checker, exact=False, neighbours=SAMPLES - 1, seed=seed)
    grown = roadmap.grow(SAMPLES, progress=False)
    path = roadmap.query(*figure_path(2))
    columns = np.array(recorder.poses), np.array(recorder.hits), np.array(recorder.begins)
    return Recording(*columns, resolution, len(grown), len(grown.edges), path.found)


@cache
def recorded(checks: int, seed: int = SEED) -> Recording:
    """The same at a resolution at which about so many checks are made. It is kept: chapters share it."""
    tried = record(TRIED, seed)
    closer = record(COARSER * fitting(tried, checks), seed)
    return record(fitting(closer, checks), seed)


def fitting(tried: Recording, checks: int) -> float:
    """The resolution at which there would be so many checks, as one at another resolution tells.

    A motion takes half a check more than its length would, on average, as steps are whole.
    """
    fixed = int(tried.begins.sum()) + sum(len(motion) > 1 for motion in tried.motions) / 2
    return tried.resolution * (len(tried) - fixed) / max(checks - fixed, 1.0)
