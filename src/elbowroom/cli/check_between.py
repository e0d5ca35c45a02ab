"""`elbowroom check --path` of a robot: what happens between the rows, proved."""

from __future__ import annotations

from typing import Any

import elbowroom as er

from .certified import Cast, Judged, judge
from .options import MoveOptions
from .robots import Task


def check_between(
    task: Task, moves: MoveOptions, lines: list[str], facts: dict[str, Any]
) -> tuple[list[str], dict[str, Any]]:
    """What to print and to write, from what is to be said of the rows alone."""
    cast, obstacles = _cast(task)
    checker = er.MotionChecker(
        task.robot,
        obstacles,
        tolerance=moves.tolerance,
        clearance=moves.clearance,
        self_too=task.obstacle is None,
    )
    judged = judge(cast, task.configurations, checker, "row" if moves.motion is None else "time")
    if moves.verify:
        judged.verify()
    told = _told(judged, lines, moves)
    return told, facts | {"between": judged.facts() | {"verified": moves.verify}}


def _cast(task: Task) -> tuple[Cast, list[Any] | None]:
    if task.obstacle is None:
        return Cast(task.name, task.robot), None
    placed = (task.obstacle, er.Pose() if task.pose is None else task.pose)
    return Cast(task.name, task.robot, (task.obstacle_name,), (placed,)), [placed]


def _told(judged: Judged, lines: list[str], moves: MoveOptions) -> list[str]:
    """The lines about the rows, with what is between them."""
    head, free_rows = lines[0], lines[0].startswith("free:")
    checked = "; verified" if moves.verify else ""
    if judged.free:
        return [f"{head}; between the rows it is free as well, proved {judged.proof()}{checked}", *lines[1:]]
    if judged.free is False:
        if free_rows:
            near = f"comes nearer than {moves.clearance:g}" if moves.clearance else "does between the rows"
            head = f"{head.replace('free:', 'collision:', 1)}; but it {near}"
        return [head, *lines[1:], f"first contact: {judged.met()}{checked}"]
    if free_rows:
        head = head.replace("free:", "undecided:", 1)
    return [head, *lines[1:], f"between the rows it is undecided: {judged.doubt()}{checked}"]
