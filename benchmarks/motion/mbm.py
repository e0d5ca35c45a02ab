"""MotionBenchMaker problems by RRT-Connect: with exact checks, ours and OMPL's; and with the usual check.

The usual check looks at states along a motion, so many radians apart, and calls it valid if none of them
collides. How many paths found in that way collide is told by exact checks.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import tabulate
from benchmarks.common import Array
from benchmarks.motion.problems import Question, Robot, find, questions

OURS, OMPL = "elbowroom RRTConnect, exact", "ompl RRTConnect, exact"
SHOWN = ("family", "name", "problems", "solved", "median ms", "mean ms", "checks", "distances")
STEP = 0.2  # of the space's extent: how far a planner goes at once, OMPL's own choice


@dataclass(frozen=True)
class Attempt:
    """One problem, one planner. What collides is told by exact checks; None: no path, or undecided."""

    planner: str
    robot: str
    family: str
    problem: str
    found: bool
    seconds: float
    checks: int  # of motions, or of states for the usual check
    distances: int = 0
    collides: bool | None = None
    shortened_collides: bool | None = None


Planner = Callable[[Question, argparse.Namespace], dict[str, Any]]


def extent(body: er.Articulated) -> float:
    """How far the corners of the space of configurations are apart."""
    return float(np.linalg.norm(np.ptp(body.limits, axis=1)))


def ours(question: Question, settings: argparse.Namespace) -> dict[str, Any]:
    checker, body = question.checker, question.checker.body
    planner = er.planning.RRTConnect(
        er.planning.JointSpace.of(body),
        checker,
        start=question.start,
        goal=question.goal,
        seed=settings.seed,
        step=STEP * extent(body),
    )
    return _timed(question, lambda: planner.solve(seconds=settings.limit))


def ompl(question: Question, settings: argparse.Namespace) -> dict[str, Any]:
    exact: Any = import_module("elbowroom.planning.ompl")
    made = exact.setup(
        question.checker, start=question.start, goal=question.goal, step=STEP * extent(question.checker.body)
    )
    return _timed(question, lambda: exact.solve(made, settings.limit))


def _timed(question: Question, solve: Callable[[], Any]) -> dict[str, Any]:
    question.checker.reset_counters()
    begin = perf_counter()
    path = solve()
    spent, counted = perf_counter() - begin, question.checker.counters
    return {
        "found": path.found,
        "seconds": spent,
        "checks": counted.motions,
        "distances": counted.distance_calls,
        "collides": collides(question, path.states) if path.found else None,
    }


def collides(question: Question, states: Array) -> bool | None:
    """Does this path collide? None if that cannot be decided."""
    free = question.checker.check(np.asarray(states), first=False).free
    return None if free is None else not free


def usual(spacing: float) -> Planner:
    """OMPL with states so far apart, and its path made shorter by its own means, in the same way."""

    def plan(question: Question, settings: argparse.Namespace) -> dict[str, Any]:
        made, validity = _sampled(question, spacing)
        begin = perf_counter()
        status = made.solve(settings.limit).getStatus()
        out = {"seconds": perf_counter() - begin, "checks": validity.asked}
        found = status == import_module("ompl.base").PlannerStatus.EXACT_SOLUTION
        if found:
            out["collides"] = collides(question, _states(made))
            made.simplifySolution()
            out["shortened_collides"] = collides(question, _states(made))
        return {"found": found, **out}

    return plan


def _sampled(question: Question, spacing: float) -> tuple[Any, Any]:
    """OMPL's own check of motions over our check of states, which counts."""
    exact: Any = import_module("elbowroom.planning.ompl")
    geometric: Any = import_module("ompl.geometric")

    class Counting(exact.StateValidityChecker):  # type: ignore[misc, name-defined]
        asked = 0

        def isValid(self, state: Any) -> bool:
            self.asked += 1
            return bool(super().isValid(state))

    size = extent(question.checker.body)
    space = exact.setup(question.checker).getStateSpace()
    space.setLongestValidSegmentFraction(spacing / size)
    made = geometric.SimpleSetup(space)
    validity = Counting(made.getSpaceInformation(), question.checker)
    made.setStateValidityChecker(validity)
    planner = geometric.RRTConnect(made.getSpaceInformation())
    planner.setRange(STEP * size)
    made.setPlanner(planner)
    ends = (exact.to_ompl(space, one) for one in (question.start, question.goal))
    made.setStartAndGoalStates(*ends)
    return made, validity


def _states(made: Any) -> Array:
    exact: Any = import_module("elbowroom.planning.ompl")
    path = made.getSolutionPath()
    return np.array([exact.from_ompl(made.getStateSpace(), state) for state in path.getStates()])


def attempts(robot: Robot, planners: dict[str, Planner], settings: argparse.Namespace) -> list[Attempt]:
    """Problem by problem, everybody in turn; those that begin or end in collision are named and left out."""
    done, impossible = [], []
    for question in questions(robot, settings.count):
        if not all(question.checker.valid(end) for end in (question.start, question.goal)):
            impossible.append(question.name)
            continue
        for name, plan in planners.items():
            told = plan(question, settings)
            done.append(Attempt(name, robot.name, question.family, question.name, **told))
    if impossible:
        told = f"{robot.name}: {len(impossible)} problems begin or end in collision"
        print(f"{told}, and are left out: {', '.join(impossible[:5])}")
    return done


def summary(label: str, some: Sequence[Attempt]) -> dict[str, Any]:
    """One line of a table."""
    times = [1e3 * one.seconds for one in some if one.found]
    return {
        "name": label,
        "problems": len(some),
        "solved": sum(one.found for one in some),
        "median ms": float(np.median(times)) if times else math.nan,
        "mean ms": float(np.mean(times)) if times else math.nan,
        "checks": float(np.mean([one.checks for one in some])),
        "distances": float(np.mean([one.distances for one in some])),
        "collide": sum(one.collides is True for one in some),
        "shortened collide": sum(one.shortened_collides is True for one in some),
        "undecided": sum(one.found and one.collides is None for one in some),
    }


def tables(robot: str, done: Sequence[Attempt], names: Sequence[str]) -> dict[str, Any]:
    whole = [summary(name, [one for one in done if one.planner == name]) for name in names]
    common.show(tabulate(f"{robot}: all problems; checks and distances are a problem", whole))
    families = [
        {
            "family": family,
            **summary(name, [one for one in done if (one.family, one.planner) == (family, name)]),
        }
        for family in dict.fromkeys(one.family for one in done)
        for name in names
    ]
    exact = [{key: one[key] for key in SHOWN} for one in families if one["name"] in (OURS, OMPL)]
    if exact:
        common.show(tabulate(f"{robot}: exact checks, family by family", exact))
    return {"robot": robot, "all": whole, "families": families, "attempts": [asdict(one) for one in done]}


def chosen(settings: argparse.Namespace) -> dict[str, Planner]:
    """The planners; those of OMPL only if it is installed."""
    planners: dict[str, Planner] = {OURS: ours}
    try:
        util: Any = import_module("ompl.util")
    except ImportError as missing:
        print(f"ompl is left out: {missing}")
        return planners
    util.setLogLevel(util.LOG_NONE)
    util.RNG.setSeed(settings.seed + 1)  # 0 means none
    spacings = [float(word) for word in settings.spacings.split(",") if word]
    return {**planners, OMPL: ompl, **{f"ompl RRTConnect, every {one:g}": usual(one) for one in spacings}}


def run(settings: argparse.Namespace) -> dict[str, Any]:
    if settings.problems is None:
        print("mbm is left out: --problems FOLDER says where the problems of MotionBenchMaker are")
        return {"tables": []}
    planners = chosen(settings)
    names = common.chosen(planners, settings.only)
    planners = {name: planners[name] for name in names}
    made = []
    for name in settings.robots.split(","):
        done = attempts(find(settings.problems, name), planners, settings)
        if done:
            made.append(tables(name, done, names))
    return {"tables": made}
