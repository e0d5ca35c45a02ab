"""`elbowroom check --path` of a robot: what happens between the rows, proved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import elbowroom as er

from .certified import Cast, Judged, judge
from .options import MoveOptions
from .robots import Task, paint


def check_between(
    task: Task, moves: MoveOptions, lines: list[str], facts: dict[str, Any], plot: Path | None
) -> tuple[list[str], dict[str, Any]]:
    """What to print and to write, from what is to be said of the rows alone.

    Where these are free and the path is not, the picture shows its first contact instead.
    """
    cast, self_too = _cast(task), task.obstacle is None
    checker = er.MotionChecker(
        cast.body,
        list(cast.obstacles) or None,
        tolerance=moves.tolerance,
        clearance=moves.clearance,
        self_too=self_too,
    )
    judged = judge(cast, task.configurations, checker, "time" if task.motion else "row")
    if moves.verify:
        judged.verify(moves.clearance, self_too=self_too)
    if plot is not None and judged.free is False and lines[0].startswith("free:"):
        _paint(plot, task, judged, moves.clearance)
    told = _told(task, judged, lines, moves)
    return told, facts | {"between": judged.facts() | {"verified": moves.verify}}


def _cast(task: Task) -> Cast:
    if task.furnished is not None:
        around = task.furnished.around
        return Cast(task.name, task.furnished.robot, around.names, around.obstacles)
    if task.obstacle is None:
        return Cast(task.name, task.robot)
    placed = (task.obstacle, er.Pose() if task.pose is None else task.pose)
    return Cast(task.name, task.robot, (task.obstacle_name,), (placed,))


def _told(task: Task, judged: Judged, lines: list[str], moves: MoveOptions) -> list[str]:
    """The lines about the rows, and the result for the motions between them."""
    checked = ["  certificate verified"] if moves.verify else []
    between = "during the motion" if task.motion else "between rows"
    if judged.free:
        return [*lines, f"  {between}: proved free, {judged.proof()}", *checked]
    if lines[0].startswith("free:"):
        known = "no contact at either end" if task.motion else f"no contact in {judged.rows} rows"
        lines = [_fault(task, judged, between, moves.clearance), f"  {known}", *lines[1:]]
    if judged.free is False:
        first = "too near" if moves.clearance else "first contact"
        return [*lines, f"{first}: {judged.met(moves.clearance)}", *checked]
    return [*lines, f"{between}: undecided", f"  {judged.doubt()}", *checked]


def _fault(task: Task, judged: Judged, between: str, clearance: float) -> str:
    """The verdict on a path whose rows are free."""
    if judged.free is None:
        return f"undecided: {task.name} may touch {task.obstacle_name} {between}"
    if clearance:
        return f"too near: {task.name} comes closer than {clearance:g} to {task.obstacle_name}"
    return f"collision: {task.name} collides with {task.obstacle_name} {between}"


def _paint(file: Path, task: Task, judged: Judged, clearance: float) -> None:
    """The robot at its first contact, or where it first is too near."""
    from elbowroom.planning import Path as Way

    share, points = judged.contact()
    body = judged.cast.body
    state = Way(task.configurations, er.MotionChecker(body)).at(share)
    place = share if task.motion else share * (judged.rows - 1)
    what = f"closer than {clearance:g}" if clearance else "first contact"
    title = f"{task.name}, {what} at {judged.unit} {place:.4g}"
    paint(file, replace(task, configurations=state[None]), 0, title, nearest=points)
