"""What is prepared once: checks, copies and pickles of robots, and a scene with 500 obstacles.

    python -m benchmarks.overhead.reuse
    python -m benchmarks.overhead.reuse --json new.json --before old.json

"panda" is small, "so101" has 399,000 triangles. Every line is timed after a first call, which prepares what
the later ones reuse.
"""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

import elbowroom as er
from benchmarks import common
from benchmarks.articulated import files
from benchmarks.overhead.convenience import earlier

Line = tuple[str, Callable[[], Any]]


def robot_lines(name: str) -> list[Line]:
    """A robot that is checked, copied and saved."""
    found = files.find(name)
    robot = er.Articulated.from_urdf(found.urdf, packages=found.packages)
    path = robot.zero() + np.linspace(0, 0.02, 2)[:, None]
    post = (er.Capsule(0.1, 1.0), er.Pose(translation=[2, 2, 0]))
    checker = er.MotionChecker(robot, post)
    certificate = er.check(robot, path, post)
    saved, saved_certificate = pickle.dumps(robot), pickle.dumps(certificate)
    return [
        (f"{name}: er.check", lambda: er.check(robot, path, post)),
        (f"{name}: MotionChecker", lambda: er.MotionChecker(robot, post)),
        (f"{name}: checker.check", lambda: checker.check(path)),
        (f"{name}: checker.free", lambda: checker.free(path[0], path[1])),
        (f"{name}: copy", lambda: copy.copy(robot)),
        (f"{name}: unpickle", lambda: pickle.loads(saved)),
        (f"{name}: unpickle a certificate", lambda: pickle.loads(saved_certificate)),
    ]


def obstacle_lines() -> list[Line]:
    """The Panda among 500 boxes, and among 500 meshes with 144,000 triangles."""
    found = files.find("panda")
    robot = er.Articulated.from_urdf(found.urdf, packages=found.packages)
    path = robot.zero() + np.linspace(0, 0.02, 2)[:, None]
    rng = np.random.default_rng(0)
    turns = rng.normal(size=(500, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    poses = [er.Pose(q, t) for q, t in zip(turns, rng.uniform(-20, 20, (500, 3)), strict=True)]
    boxes = [(er.Box([0.3, 0.4, 0.5]), pose) for pose in poses]
    meshes = [(er.Mesh(*er.scenes.spring(segments=20 + i % 7)), pose) for i, pose in enumerate(poses)]
    lines: list[Line] = []
    for name, scene in (("500 boxes", boxes), ("500 meshes", meshes)):
        lines += _scene_lines(name, scene, robot, path)
    return lines


def _scene_lines(name: str, scene: list[Any], robot: er.Articulated, path: Any) -> list[Line]:
    checker = er.MotionChecker(robot, scene)
    return [
        (f"{name}: Group", lambda: er.Group(scene)),
        (f"{name}: MotionChecker", lambda: er.MotionChecker(robot, scene)),
        (f"{name}: er.check", lambda: er.check(robot, path, scene)),
        (f"{name}: checker.free", lambda: checker.free(path[0], path[1])),
    ]


def milliseconds(action: Callable[[], Any], repetitions: int) -> float:
    """The least time of one call."""
    best = np.inf
    for _ in range(repetitions):
        begin = time.perf_counter()
        action()
        best = min(best, 1e3 * (time.perf_counter() - begin))
    return float(best)


def tabulate(found: dict[str, float], before: dict[str, float]) -> Table:
    """Milliseconds a call, beside those of an earlier run."""
    table = Table(title="what is prepared once", title_justify="left")
    for heading in ("call", "ms a call", "before"):
        table.add_column(heading, justify="left" if heading == "call" else "right")
    for label, ms in found.items():
        old = before.get(label)
        table.add_row(label, f"{ms:.4f}", "" if old is None else f"{old / 1e3:.4f}")
    return table


def main() -> None:
    made = common.parser(__doc__, repetitions=5)
    made.add_argument("--before", type=Path, help="JSON of an earlier run to compare with")
    settings = made.parse_args()
    lines = robot_lines("panda") + robot_lines("so101") + obstacle_lines()
    found = {label: milliseconds(action, settings.repetitions) for label, action in lines}
    common.show(tabulate(found, earlier(settings.before)))
    rows = [{"call": label, "microseconds": 1e3 * ms} for label, ms in found.items()]
    common.save(settings.json, "overhead_reuse", {"repetitions": settings.repetitions}, {"rows": rows})


if __name__ == "__main__":
    main()
