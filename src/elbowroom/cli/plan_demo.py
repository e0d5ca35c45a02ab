"""The example of `elbowroom plan --demo`: a hook that must turn to get through a window."""

from __future__ import annotations

import numpy as np

import elbowroom as er

from .certified import Cast
from .plan_options import BoxOptions
from .plan_tasks import PlanTask, rigid_space

#: The wall is so thick and wide, and its window is a square with this side.
THICK, WIDE, WINDOW = 0.3, 5.0, 1.8
#: The hook is two bars at a right angle.
LEG, BAR = 1.9, 0.25
#: How far the ends are from the wall, and how far the hook may go; aside, it cannot go around the wall.
AWAY, ROOM = 2.6, 3.6


def demo_task(box: BoxOptions) -> PlanTask:
    """Hook, wall, start before the wall and goal behind it."""
    start, goal = np.eye(4), er.Pose([0.5**0.5, 0, 0.5**0.5, 0]).matrix.copy()
    start[:3, 3], goal[:3, 3] = (-AWAY, -1.0, -1.0), (AWAY, 1.0, 0.5)
    cast = Cast("the hook", hook(), ("the wall",), ((wall(), er.Pose()),))
    limits = BoxOptions(box.low or f"-{ROOM} -1.5 -1.5", box.high or f"{ROOM} 1.5 1.5")
    return PlanTask(cast, rigid_space(cast, start, goal, limits), start, goal)


def hook() -> er.Group:
    """Two bars that meet at the origin."""
    along = er.Pose(translation=[LEG / 2, 0, 0])
    across = er.Pose(translation=[0, 0, LEG / 2])
    return er.Group([(er.Box([LEG, BAR, BAR]), along), (er.Box([BAR, BAR, LEG]), across)])


def wall() -> er.Group:
    """Four boxes about a square window in the middle."""
    side, middle = (WIDE - WINDOW) / 2, (WIDE + WINDOW) / 4
    upright, beam = er.Box([THICK, side, WIDE]), er.Box([THICK, WINDOW, side])
    places = [(upright, np.array([0, 1, 0])), (beam, np.array([0, 0, 1]))]
    return er.Group([(body, (None, sign * middle * aside)) for body, aside in places for sign in (-1, 1)])
