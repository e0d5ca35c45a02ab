"""Ways to say a thing that are convenient, beside the fastest way to say the same: the Panda and two spheres.

A configuration as a list or by names, a pose as a rotation and a translation, poses multiplied: every
statement is timed in a loop of its own, and all take turns.

    python -m benchmarks.overhead.convenience
    python -m benchmarks.overhead.convenience --json new.json --before old.json
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

import elbowroom as er
from benchmarks import common
from benchmarks.articulated import files
from benchmarks.overhead.run import Call, measure

#: Microseconds that each may take.
TARGETS = {"move, by names": 10.0}
TARGET = 5.0


def names() -> dict[str, Any]:
    """What the statements use."""
    found = files.find("panda")
    panda = er.Articulated.from_urdf(found.urdf, packages=found.packages)
    values = panda.random(seed=1).tolist()
    return {
        "er": er,
        "panda": panda,
        "array": np.array(values),
        "listed": values,
        "named": dict(zip(panda.joint_names, values, strict=True)),
        "space": er.planning.JointSpace.of(panda),
        "other": panda.random(seed=2),
        "a": er.Sphere(1.0),
        "b": er.Sphere(1.0),
        "rotation": np.eye(3),
        "quaternion": [1.0, 0.0, 0.0, 0.0],
        "translation": [5.0, 0.0, 0.0],
        "first": er.Pose([0.6, 0.8, 0.0, 0.0], [1.0, 2.0, 3.0]),
        "second": er.Pose([0.6, 0.0, 0.8, 0.0], [1.0, 2.0, 3.0]),
    }


STATEMENTS = {
    "move, an array": "panda.move(array)",
    "move, a list": "panda.move(listed)",
    "move, by names": "panda.move(named)",
    "collide, er.Pose": "er.collide(a, b, pose_b=first)",
    "collide, (rotation, translation)": "er.collide(a, b, pose_b=(rotation, translation))",
    "collide, (quaternion, translation)": "er.collide(a, b, pose_b=(quaternion, translation))",
    "Pose @ Pose": "first @ second",
    "Pose.inverse": "first.inverse()",
    "Pose(quaternion, translation)": "er.Pose(quaternion, translation)",
    "random configuration": "panda.random(seed=3)",
    "JointSpace.distance": "space.distance(array, other)",
}


def tabulate(seconds: dict[str, float], before: dict[str, float]) -> Table:
    """Microseconds a call, and how many times those of an earlier run."""
    table = Table(title="one call from Python", title_justify="left")
    table.add_column("call")
    for heading in ("us a call", "within target", "before", "times as fast"):
        table.add_column(heading, justify="right")
    for label, one in seconds.items():
        us, target, old = 1e6 * one, TARGETS.get(label, TARGET), before.get(label)
        compared = ("", "") if old is None else (f"{old:.2f}", f"{old / us:.1f}")
        table.add_row(label, f"{us:.2f}", "yes" if us <= target else "no", *compared)
    return table


def earlier(path: Path | None) -> dict[str, float]:
    """Microseconds of an earlier run, by call."""
    if path is None:
        return {}
    return {row["call"]: row["microseconds"] for row in json.loads(path.read_text())["rows"]}


def main() -> None:
    made = common.parser(__doc__, repetitions=11)
    made.add_argument("--calls", type=int, default=2_000, help="calls in one pass")
    made.add_argument("--before", type=Path, help="JSON of an earlier run to compare with")
    settings = made.parse_args()
    known = names()
    calls = [Call("elbowroom", label, statement, known) for label, statement in STATEMENTS.items()]
    seconds = dict(zip(STATEMENTS, measure(calls, settings.calls, settings.repetitions), strict=True))
    common.show(tabulate(seconds, earlier(settings.before)))
    rows = [{"call": label, "microseconds": 1e6 * one} for label, one in seconds.items()]
    chosen = {name: value for name, value in vars(settings).items() if name != "before"}
    common.save(settings.json, "overhead_convenience", chosen, {"rows": rows})


if __name__ == "__main__":
    main()
