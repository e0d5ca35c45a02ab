"""Planners: what they refuse, by name, and the bar that they show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bars import check_bar
from planning_scenes import ARM_GOAL, ARM_START, HIGH, LEFT, LOW, RIGHT, arm_among_discs, rod_in_maze

import elbowroom as er
from elbowroom.planning import RRT, JointSpace, RigidSpace, RRTConnect


@pytest.mark.parametrize("planner", [RRT, RRTConnect])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"start": er.Pose(translation=[-4, 0, -3])}, "start is in collision"),
        ({"goal": er.Pose(translation=[4, 0, 3])}, "goal is in collision"),
        (
            {"goal": er.Pose(translation=[9, 0, 0])},
            "goal is outside the space.*x = 9 is not between -8 and 8",
        ),
        ({"start": er.Pose(translation=[-9, 0, 0])}, "start is outside the space"),
        ({"start": np.full((4, 4), np.nan)}, "start must be finite"),
        ({"goal": np.ones((4, 4))}, "goal must have the last row"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"seed": 0.5}, "seed must be a whole number"),
        ({"step": 0.0}, "step must be larger than 0"),
        ({"step": np.nan}, "step must be finite"),
        ({"space": JointSpace([0] * 3, [1] * 3)}, "space must be a RigidSpace"),
        ({"space": None}, "space must be a RigidSpace or a JointSpace"),
        ({"checker": "x"}, "checker must be an er.MotionChecker, got str"),
    ],
)
def test_bad_questions_are_refused_by_name(planner: Any, change: dict[str, Any], said: str) -> None:
    space, checker = rod_in_maze()
    given = {"space": space, "checker": checker, "start": LEFT, "goal": RIGHT} | change
    with pytest.raises(ValueError, match=said):
        planner(given.pop("space"), given.pop("checker"), **given)


def test_bad_questions_about_joints_are_refused_by_name() -> None:
    space, checker = arm_among_discs()
    for start, said in (
        ([0.5, 0.1, 0], "start is in collision"),
        ([0, 0, 3], "start is outside.*joint 2 = 3"),
    ):
        with pytest.raises(ValueError, match=said):
            RRT(space, checker, start=start)
    with pytest.raises(ValueError, match="space must be a JointSpace of 3 values"):
        RRT(RigidSpace(LOW, HIGH), checker, start=LEFT)
    with pytest.raises(ValueError, match="space must be a JointSpace of 3 values"):
        RRT(JointSpace([0, 0], [1, 1]), checker, start=[0, 0])


def test_other_bad_arguments_are_refused_by_name() -> None:
    space, checker = arm_among_discs()
    rrt = RRT(space, checker, start=ARM_START)
    with pytest.raises(ValueError, match="goal must be given"):
        rrt.solve()
    for bad in ({"nodes": 0}, {"attempts": -1}, {"seconds": -1.0}, {"seconds": np.nan}, {"nodes": 2.5}):
        with pytest.raises(ValueError, match=f"{next(iter(bad))} must be"):
            rrt.grow(**bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="goal_bias must be from 0 to 1"):
        RRT(space, checker, start=ARM_START, goal=ARM_GOAL, goal_bias=1.5)
    with pytest.raises(ValueError, match="goal_tolerance must be"):
        RRT(space, checker, start=ARM_START, goal=ARM_GOAL, goal_tolerance=-1)


# The bar.


def test_a_bar_is_shown_on_a_terminal_if_it_is_asked_for_or_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    space, checker = arm_among_discs()

    def work(asked: bool | None) -> None:
        RRT(space, checker, start=ARM_START).grow(nodes=100, progress=asked)

    check_bar(monkeypatch, capsys, work, ("nodes",))
