"""`elbowroom check` of a robot: which links overlap, in one configuration or along a path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from .check_between import check_between
from .check_samples import check_samples
from .complaint import Complaint, check_file, write_json
from .options import MoveOptions, RobotOptions, Wanted, check_plot, refuse
from .overlaps import (
    Interval,
    Nearest,
    Overlaps,
    deepest_of,
    gather,
    intervals,
    listing,
    nearest,
    nothing_compared,
    plural,
    span,
)
from .overwriting import overwriting
from .patience import Say, patient_display
from .robots import Task, beyond_limits, paint, read_task

#: Where the two configurations of a motion are.
ENDS = ("at start", "at goal")


def is_robot(file: Path) -> bool:
    """By its name: URDF, also gzipped."""
    return file.name.lower().removesuffix(".gz").endswith(".urdf")


@dataclass(frozen=True, eq=False)
class Found:
    """What overlaps, when along the path, and what is nearest if that was asked for and nothing overlaps."""

    overlaps: Overlaps
    intervals: list[Interval]
    nearest: Nearest | None

    def worst(self) -> int:
        """The configuration with the deepest overlap; without any, the nearest or the first."""
        if self.intervals:
            return deepest_of(self.intervals).deepest
        return 0 if self.nearest is None else self.nearest.frame


def check_robot(
    a: Path, b: Path | None, options: RobotOptions, wanted: Wanted, moves: MoveOptions, bridge: int
) -> int:
    """Print which links overlap; 0 when none do, 1 when any do or that is undecided."""
    _check(options, wanted, bridge)
    _check_moves(b, options, moves)
    check_file("--json", wanted.json)
    check_plot(wanted.plot)
    with overwriting(wanted.plot), patient_display() as say:
        say(f"reading {a.name}", 0, 0)
        task = read_task(a, b, options, wanted, moves)
        if options.random is not None:
            lines, facts = check_samples(task, options.seed, wanted, say)
        else:
            path = options.path is not None or moves.motion is not None
            lines, facts = _check_all(task, path, wanted, bridge, say)
            if path and not moves.rows and len(task.configurations) > 1 and task.compared():
                say("checking between rows", 0, 0)
                lines, facts = check_between(task, moves, lines, facts, wanted.plot)
    if not task.compared():
        lines = [nothing_compared(task.name, task.robot, "link", "shapes")]
    print("\n".join(lines))
    verdict = lines[0].partition(":")[0]
    write_json(wanted.json, {"verdict": verdict, "a": str(a), "b": None if b is None else str(b), **facts})
    return int(verdict in ("collision", "too near", "undecided"))


def _check_moves(b: Path | None, options: RobotOptions, moves: MoveOptions) -> None:
    """Complain about options of motions that go with others."""
    moves.check()
    if moves.motion is not None and options.path is not None:
        raise Complaint("--path: cannot be combined with --motion")
    if moves.motion is not None and (options.configuration is not None or options.random is not None):
        raise Complaint("--motion: cannot be combined with --configuration or --random")
    if options.path is None and moves.motion is None:
        refuse(moves, "a robot without --path or --motion", ("obstacles", "scene"))
    if b is not None and (moves.scene is not None or moves.obstacles):
        raise Complaint(f"B: cannot be combined with --scene or --obstacles; pass '{b}' to --obstacles")


def _check(options: RobotOptions, wanted: Wanted, bridge: int) -> None:
    given = [name for name in ("configuration", "path", "random") if getattr(options, name) is not None]
    if len(given) > 1:
        raise Complaint(f"--{given[1]}: cannot be combined with --{given[0]}")
    if options.random is None and options.seed:
        raise Complaint("--seed: needs --random")
    if options.random is not None:
        if options.random < 1:
            raise Complaint(f"--random: must be at least 1, got {options.random}")
        if options.seed < 0:
            raise Complaint(f"--seed: must be at least 0, got {options.seed}")
        if wanted.distance:
            raise Complaint("--distance: cannot be combined with --random")
    if bridge < 0:
        raise Complaint(f"--bridge: must be at least 0, got {bridge}")


def _check_all(
    task: Task, path: bool, wanted: Wanted, bridge: int, say: Say
) -> tuple[list[str], dict[str, Any]]:
    """What to print, and what to write."""
    found = _look(task, bridge, wanted.distance, say)
    if wanted.plot is not None:
        say("drawing", 0, 0)
        _paint(wanted.plot, task, found, path)
    tell = _report_motion if task.motion else _report_path if path else _report_one
    lines = tell(task, found)
    beyond = beyond_limits(task.robot, task.configurations)
    lines += [task.reserve] if task.reserve else []
    lines += [f"  note: outside the joint limits: {', '.join(beyond)}"] if beyond else []
    return lines, _facts(task, found, path) | {"beyond_limits": beyond}


def _look(task: Task, bridge: int, distance: bool, say: Say) -> Found:
    count = len(task.configurations)
    found = gather(task.contacts, count, partial(say, "overlaps"))
    if task.obstacle is not None:
        found.pairs[:, 1] = 0  # triangles of the obstacle count as one
    runs = intervals(found, task.names, bridge)
    near = None
    if distance and not runs:
        names = task.names[0], task.names[1] * (1 if task.obstacle is None else len(task.obstacle))
        near = nearest(task.distances, count, partial(say, "distance"), names)
    return Found(found, runs, near)


def _report_one(task: Task, found: Found) -> list[str]:
    """One configuration: the links that overlap, the deepest first."""
    if not found.intervals:
        return [f"free: {task.name} does not touch {task.obstacle_name}", *_approach(found, path=False)]
    pairs = sorted(found.intervals, key=lambda each: -each.depth)
    if task.obstacle is None:
        what = f"{plural(len(pairs), 'pair')} of links"
    else:
        what = plural(len(pairs), "link")
    rows = [(", ".join(each.names), f"{each.depth:.4g}") for each in pairs]
    head = f"collision: {task.name} collides with {task.obstacle_name}, {what}"
    return [head, *listing(rows, head=("links", "depth"))]


def _report_path(task: Task, found: Found) -> list[str]:
    """A path: intervals of rows, sorted."""
    count, hits = plural(len(task.configurations), "row"), int(found.overlaps.hits.sum())
    if not found.intervals:
        near = _approach(found, path=True)
        return [f"free: {task.name} does not touch {task.obstacle_name} in {count}", *near]
    many = plural(len(found.intervals), "interval")
    rows = [
        (span(each.first, each.last), ", ".join(each.names), f"{each.depth:.4g}", str(each.deepest))
        for each in found.intervals
    ]
    head = f"collision: {task.name} collides with {task.obstacle_name}"
    return [head, f"  {hits} of {count}, {many}", *listing(rows, head=("rows", "links", "depth", "at row"))]


def _report_motion(task: Task, found: Found) -> list[str]:
    """A motion: its two ends."""
    if not found.intervals:
        near = _approach(found, path=True, names=ENDS)
        return [f"free: {task.name} does not touch {task.obstacle_name} at either end", *near]
    where = " and ".join(name for name, hit in zip(ENDS, found.overlaps.hits, strict=True) if hit)
    rows = [
        (
            ENDS[each.first] if each.first == each.last else " and ".join(ENDS),
            ", ".join(each.names),
            f"{each.depth:.4g}",
        )
        for each in found.intervals
    ]
    head = f"collision: {task.name} collides with {task.obstacle_name} {where}"
    return [head, *listing(rows, head=("where", "links", "depth"))]


def _approach(found: Found, path: bool, names: Sequence[str] | None = None) -> list[str]:
    near = found.nearest
    if near is None:
        return []
    where = "" if not path else f" in row {near.frame}" if names is None else f" {names[near.frame]}"
    return [f"  closest: {near.names[0]} and {near.names[1]}, {near.distance:.6g} apart{where}"]


def _paint(file: Path, task: Task, found: Found, path: bool) -> None:
    """The robot in its worst configuration."""
    from .plot import Timeline  # brings matplotlib with it

    row, count = found.worst(), len(task.configurations)
    near = None if found.nearest is None else task.distances(row).points
    title = f"{task.name}, row {row}" if path else task.name
    timeline = Timeline(found.intervals, (0, count - 1), row, "row") if path else None
    paint(file, task, row, title, timeline, near)


def _facts(task: Task, found: Found, path: bool) -> dict[str, Any]:
    def told(each: Interval) -> dict[str, Any]:
        facts: dict[str, Any] = {"links": list(each.names), "depth": each.depth}
        if path:
            facts |= {"first_row": each.first, "last_row": each.last, "deepest_row": each.deepest}
        return facts

    facts: dict[str, Any] = {
        "joints": list(task.robot.joint_names),
        "overlaps": [told(each) for each in found.intervals],
        "nearest": None if found.nearest is None else asdict(found.nearest),
        "counters": found.overlaps.counters,
    }
    if path:
        return facts | {"rows": len(task.configurations), "rows_colliding": int(found.overlaps.hits.sum())}
    return facts | {"configuration": task.configurations[0].tolist()}
