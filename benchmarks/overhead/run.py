"""The cheapest call of each library from Python: two unit spheres, 5 apart.

Every line is a statement as a user would write it, timed in a loop of its own; all lines take turns, and the
minimum of each is kept. What a call costs over an empty Python method is what the library adds.

    python -m benchmarks.overhead.run --calls 20000 --repetitions 5
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from timeit import Timer
from typing import Any

import numpy as np
from rich.table import Table

import elbowroom as er
from benchmarks import common

EMPTY = "empty Python method"
TARGET = 0.15

ROTATION = np.eye(3)
TRANSLATION = np.array([5.0, 0.0, 0.0])


class Empty:
    """What any Python call costs."""

    def ask(self, a: object, b: object) -> None:
        """Take two arguments and do nothing."""


@dataclass(frozen=True)
class Call:
    """A statement, the names that it uses, and the library whose line it is."""

    library: str
    label: str
    statement: str
    names: Mapping[str, Any]


def python_calls() -> list[Call]:
    """The floor below which no call from Python can get."""
    names = {"empty": Empty(), "a": er.Sphere(1.0), "b": er.Sphere(1.0)}
    return [Call("python", EMPTY, "empty.ask(a, b)", names)]


def elbowroom_calls() -> list[Call]:
    """Without a pose two spheres are concentric; `far` is one that its group has put 5 away."""
    matrix = np.eye(4)
    matrix[:3, 3] = TRANSLATION
    names = {
        "er": er,
        "a": er.Sphere(1.0),
        "b": er.Sphere(1.0),
        "far": er.Group([(er.Sphere(1.0), (ROTATION, TRANSLATION))]),
        "pose": er.Pose(ROTATION, TRANSLATION),
        "matrix": matrix,
    }
    lines = {
        "collide, no pose, concentric": "er.collide(a, b)",
        "collide, no pose, far": "er.collide(a, far)",
        "collide, er.Pose": "er.collide(a, b, None, pose)",
        "collide, 4 x 4 array": "er.collide(a, b, None, matrix)",
        "distance, no pose, far": "er.distance(a, far)",
        "distance, er.Pose": "er.distance(a, b, None, pose)",
        "distance, 4 x 4 array": "er.distance(a, b, None, matrix)",
    }
    return [Call("elbowroom", label, statement, names) for label, statement in lines.items()]


def fcl_calls() -> list[Call]:
    """The objects hold their poses, so a call without one is of two far spheres."""
    fcl: Any = import_module("fcl")
    names = {
        "fcl": fcl,
        "a": fcl.CollisionObject(fcl.Sphere(1.0)),
        "b": fcl.CollisionObject(fcl.Sphere(1.0), fcl.Transform(ROTATION, TRANSLATION)),
        "collision": fcl.CollisionRequest(),
        "collided": fcl.CollisionResult(),
        "distance": fcl.DistanceRequest(),
        "measured": fcl.DistanceResult(),
        "rotation": ROTATION,
        "translation": TRANSLATION,
    }
    move = "b.setTransform(fcl.Transform(rotation, translation)); "
    collide, distance = "fcl.collide(a, b, collision, collided)", "fcl.distance(a, b, distance, measured)"
    lines = {
        "collide, pose kept": collide,
        "collide, pose set": move + collide,
        "distance, pose kept": distance,
        "distance, pose set": move + distance,
    }
    return [Call("python-fcl", label, statement, names) for label, statement in lines.items()]


def coal_calls() -> list[Call]:
    """Geometries with transforms; results are cleared because coal adds to them."""
    coal: Any = import_module("coal")
    sphere = coal.Sphere(1.0)
    names = {
        "coal": coal,
        "a": sphere,
        "b": coal.Sphere(1.0),
        "still": coal.Transform3s.Identity(),
        "there": coal.Transform3s(ROTATION, TRANSLATION),
        "collision": coal.CollisionRequest(),
        "collided": coal.CollisionResult(),
        "distance": coal.DistanceRequest(),
        "measured": coal.DistanceResult(),
        "collider": coal.ComputeCollision(sphere, sphere),
        "ruler": coal.ComputeDistance(sphere, sphere),
        "rotation": ROTATION,
        "translation": TRANSLATION,
    }
    move = "there = coal.Transform3s(rotation, translation); "
    collide = "collided.clear(); coal.collide(a, still, b, there, collision, collided)"
    distance = "measured.clear(); coal.distance(a, still, b, there, distance, measured)"
    lines = {
        "collide, pose kept": collide,
        "collide, pose set": move + collide,
        "collide, functor, pose kept": "collided.clear(); collider(still, there, collision, collided)",
        "distance, pose kept": distance,
        "distance, pose set": move + distance,
        "distance, functor, pose kept": "measured.clear(); ruler(still, there, distance, measured)",
    }
    return [Call("coal", label, statement, names) for label, statement in lines.items()]


LIBRARIES = {
    "python": python_calls,
    "elbowroom": elbowroom_calls,
    "python-fcl": fcl_calls,
    "coal": coal_calls,
}


def measure(calls: list[Call], count: int, repetitions: int) -> list[float]:
    """Seconds a call, the minimum over passes in which all calls take turns."""
    timers = [Timer(call.statement, globals=dict(call.names)) for call in calls]
    best = np.full(len(calls), np.inf)
    for _ in range(repetitions):
        for k, timer in enumerate(timers):
            best[k] = min(best[k], timer.timeit(count) / count)
    return best.tolist()


def tabulate(calls: list[Call], seconds: list[float]) -> Table:
    """Microseconds a call, and what is over the empty method."""
    table = Table(
        title=f"one call from Python; target: at most {TARGET} us over the empty method", title_justify="left"
    )
    for heading in ("library", "call"):
        table.add_column(heading)
    for heading in ("us a call", "over empty", "within target"):
        table.add_column(heading, justify="right")
    for call, one in zip(calls, seconds, strict=True):
        over = 1e6 * (one - seconds[0])
        table.add_row(
            call.library, call.label, f"{1e6 * one:.3f}", f"{over:.3f}", "yes" if over <= TARGET else "no"
        )
    return table


def main() -> None:
    made = common.parser(__doc__, repetitions=11)
    made.add_argument("--calls", type=int, default=50_000, help="calls in one pass")
    settings = made.parse_args()
    wanted = ["python", *(name for name in common.chosen(LIBRARIES, settings.only) if name != "python")]
    calls = [call for name in wanted for call in LIBRARIES[name]()]
    seconds = measure(calls, settings.calls, settings.repetitions)
    common.show(tabulate(calls, seconds))
    rows = [
        {"library": call.library, "call": call.label, "statement": call.statement, "microseconds": 1e6 * one}
        for call, one in zip(calls, seconds, strict=True)
    ]
    common.save(settings.json, "overhead", vars(settings), {"rows": rows})


if __name__ == "__main__":
    main()
