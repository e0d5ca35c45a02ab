"""`elbowroom plan`: a path from a start to a goal, every motion of it proved free."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

import elbowroom as er
from elbowroom.files.paths import POSE_COLUMNS, pose_rows

from .certified import Judged, judge
from .complaint import Complaint, write_json
from .kinds import kind_of
from .options import refuse
from .overlaps import plural
from .overwriting import overwriting, write_page
from .patience import patient_display
from .plan_options import ArmOptions, Asked, BoxOptions, PlanFiles, PlannerOptions
from .plan_tasks import PlanTask, rigid_task, robot_task


def plan(asked: Asked, options: PlannerOptions, box: BoxOptions, arm: ArmOptions, files: PlanFiles) -> int:
    """Print what was found; 0 when there is a path, 1 when none was found in time."""
    options.check()
    files.check()
    task = _task(asked, box, arm)
    checker = er.MotionChecker(task.cast.body, list(task.cast.obstacles) or None, clearance=options.clearance)
    _refuse_ends(task, checker, options.clearance)
    begin = perf_counter()
    path = _solve(task, checker, options)
    seconds = perf_counter() - begin
    first = path.length if path.found else None
    shorten = options.attempts(asked.demo)
    if path.found and shorten:
        path = path.shortened(shorten, seed=options.seed)
    judged = judge(task.cast, _two(path.states), checker) if path.found else None
    lines = _told(task, path, judged, options, seconds, first if shorten else None)
    if judged is not None:
        lines += _write(task, path, judged, files)
    elif files.of_a_path():
        lines.append(f"not written: {', '.join(map(str, files.of_a_path()))}")
    print("\n".join(lines))
    write_json(files.json, _facts(asked, task, path, judged, options, seconds, first))
    return int(judged is None or judged.free is not True)


def _task(asked: Asked, box: BoxOptions, arm: ArmOptions) -> PlanTask:
    if asked.demo:
        from .plan_demo import demo_task

        if asked.body is not None:
            raise Complaint(f"--demo: cannot be combined with '{asked.body}'")
        refuse(asked, "the demonstration", ("body", "demo"))
        refuse(arm, "the demonstration")
        return demo_task(box)
    if asked.body is None:
        raise Complaint("BODY: missing; give a mesh or URDF file, or --demo")
    kind = kind_of(asked.body)
    if kind not in ("a mesh", "a robot"):
        raise Complaint(f"BODY: '{asked.body}' is {kind}; expected a mesh or a robot (URDF)")
    with patient_display() as say:
        say(f"reading {asked.body.name}", 0, 0)
        return robot_task(asked, box, arm) if kind == "a robot" else rigid_task(asked, box, arm)


def _refuse_ends(task: PlanTask, checker: Any, clearance: float) -> None:
    """Complain about a start or goal that is not in the space, or not free."""
    for name, state in (("start", task.start), ("goal", task.goal)):
        try:
            task.space.state(state, name)
        except ValueError as error:
            raise Complaint(f"--{name}: {error}") from error
        if checker.valid(state):
            continue
        judged = judge(task.cast, np.stack([state, state]), checker)
        if judged.free is not False:
            raise Complaint(f"--{name}: too close to a contact to be decided")
        who = " and ".join(task.cast.pair(judged.parts[0]))
        what = "too near" if clearance else "in collision"
        near = f" are closer than --clearance {clearance:g}" if clearance else ""
        raise Complaint(f"--{name}: {what}: {who}{near}{_hint(task, judged, clearance)}")


def _hint(task: PlanTask, judged: Judged, clearance: float) -> str:
    """What to do about two links that are always too near, or overlap however the robot stands."""
    contact, robot = judged.parts[0], task.cast.body
    if not isinstance(robot, er.Articulated) or contact.obstacle is not None:
        return ""
    names = ",".join(task.cast.pair(contact))
    if sorted(contact.pair) not in robot.sample_pairs(200).always.tolist():
        own = f'; the clearance also applies between links; --allow "{names}" excludes these'
        return own if clearance else ""
    return f'; they overlap in all of 200 random configurations; --allow "{names}" excludes them'


def _solve(task: PlanTask, checker: Any, options: PlannerOptions) -> Any:
    """A path, found or not."""
    if options.planner.startswith("ompl:"):
        return _solve_ompl(task, checker, options)
    from elbowroom import planning

    if options.planner == "prm":
        roadmap = planning.PRM(task.space, checker, radius=options.step, seed=options.seed)
        return roadmap.solve(task.start, task.goal, seconds=options.seconds)
    kind = {"rrt-connect": planning.RRTConnect, "rrt": planning.RRT}[options.planner]
    search = kind(task.space, checker, start=task.start, goal=task.goal, seed=options.seed, step=options.step)
    return search.solve(seconds=options.seconds)


def _solve_ompl(task: PlanTask, checker: Any, options: PlannerOptions) -> Any:
    """By a planner of OMPL, whose random numbers are seeded once and for all, and from 1 on."""
    try:
        from elbowroom.planning import ompl
    except ImportError as error:
        raise Complaint(f"--planner: {error}") from error
    from ompl import util

    util.RNG.setSeed(options.seed + 1)
    low, high = task.space.low, task.space.high
    name = options.planner.removeprefix("ompl:")
    try:
        setup = ompl.setup(
            checker, low, high, start=task.start, goal=task.goal, planner=name, step=options.step
        )
    except ValueError as error:
        raise Complaint(f"--planner: {error}") from error
    with patient_display() as say:
        say(f"OMPL's {name}", 0, 0)
        return ompl.solve(setup, seconds=options.seconds)


def _two(states: Any) -> Any:
    """A path of a single state stands still."""
    return states if len(states) > 1 else np.concatenate([states, states])


def _told(
    task: PlanTask,
    path: Any,
    judged: Judged | None,
    options: PlannerOptions,
    seconds: float,
    first: float | None,
) -> list[str]:
    explored = _explored(path)
    spent = f"{seconds:.2f} s" + (f", {plural(explored, 'state')} explored" if explored else "")
    spent = f"  {options.planner}: {spent}"
    if judged is None:
        reason = getattr(path, "reason", "")  # only a roadmap has one
        return [f"not found: no path for {task.cast.name}", spent, *([f"  {reason}"] if reason else [])]
    before = "" if first is None else f", shortened from {first:.6g}"
    proved = f"proved free: {judged.proof()}" if judged.free else "not proved free"
    size = f"{plural(len(path), 'state')}, length {path.length:.6g}{before}"
    return [f"found: a path for {task.cast.name}", spent, f"  {size}", f"  {proved}"]


def _explored(path: Any) -> int:
    """States of the trees, or of the roadmap."""
    return sum(map(len, path.trees or [getattr(path, "roadmap", [])]))


def _write(task: PlanTask, path: Any, judged: Judged, files: PlanFiles) -> list[str]:
    """Write the path and its animation, and say where they are."""
    lines = []
    if files.out is not None:
        with overwriting(files.out):
            path.to_csv(files.out)
        lines.append(f"path: {files.out}")
    if files.html is not None:
        from .plan_show import animated

        write_page(files.html, animated(task, path, judged))
        lines.append(f"animation: {files.html}")
    return lines


def _facts(
    asked: Asked,
    task: PlanTask,
    path: Any,
    judged: Judged | None,
    options: PlannerOptions,
    seconds: float,
    first: float | None,
) -> dict[str, Any]:
    counters = path.checker.counters
    facts: dict[str, Any] = {
        "verdict": "not found" if judged is None else "found",
        "body": None if asked.body is None else str(asked.body),
        "obstacles": list(task.cast.names),
        "planner": options.planner,
        "seed": options.seed,
        "clearance": options.clearance,
        "seconds": seconds,
        "attempts": path.attempts,
        "explored": _explored(path),
        "motions_checked": int(counters.motions),
        "distance_calls": int(counters.distance_calls),
    }
    if judged is None:
        return facts
    rigid = path.states.ndim == 3
    return facts | {
        "length": path.length,
        "length_found": first,
        "columns": list(POSE_COLUMNS if rigid else path.space.names),
        "states": (pose_rows(path.states) if rigid else path.states).tolist(),
        "certificate": judged.facts(),
    }
