"""The animation of a path that `elbowroom plan` has found."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.pictures.animation import animation
from elbowroom.pictures.moving import Moving, Standing, moving_links, paced, rigid_length

from .certified import Judged
from .plan_tasks import PlanTask, reach_of

FRAMES = 300


def animated(task: PlanTask, path: Any, judged: Judged) -> str:
    """The page: the body or robot on its way, the obstacles, and what is known of the path."""
    body, robot = task.cast.body, isinstance(task.cast.body, er.Articulated)
    length = task.space.distance if robot else rigid_length(reach_of(body))
    times, marks = paced([length(a, b) for a, b in pairwise(path.states)] or [0.0], FRAMES)
    states = path.at(times)
    standing = [Standing(obstacle, pose) for obstacle, pose in task.cast.obstacles]
    if robot:
        moving, still = moving_links(body, states)
        standing += still
    else:
        moving = [Moving([(body, None)], states)]
    if not moving:  # a robot that stays as it is
        first = standing.pop()
        moving = [Moving([(first.body, first.pose)], _still(len(states)))]
    facts = [
        ("states", str(len(path))),
        ("length", f"{path.length:.6g}"),
        ("certificate", f"proved free: {judged.proof()}" if judged.free else "not proved free"),
        ("obstacles", str(len(task.cast.obstacles))),
    ]
    return animation(
        f"A path for {task.cast.name}",
        moving,
        standing,
        trail=moving[-1].poses[:, :3, 3],
        marks=marks,
        facts=facts,
        through=not robot,  # which goes through holes, and is hidden behind what they are in
    )


def _still(frames: int) -> NDArray[np.float64]:
    return np.tile(np.eye(4), (frames, 1, 1))
