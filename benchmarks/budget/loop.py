"""A simulated control loop at 1 kHz: at every tick all joints move, and the robot is tested against itself.

The question gets less than it needs, so that one check is spread over several ticks by the memory. Told are
the worst tick and the age of the proof, and both are held against an unlimited check of every tick. Nobody
sleeps between two ticks.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from benchmarks import common
from benchmarks.budget import peers, robots
from benchmarks.budget.overhead import work
from benchmarks.chain.run import Target, tabulate
from benchmarks.common import Array

Bools = NDArray[np.bool_]
NEVER = -1  # stands for an age of None: some part has not been proved yet
TICK = 1000.0  # microseconds
ROUNDING = 1e-12  # metres


@dataclass(frozen=True)
class Ticks:
    """What was seen at every tick; a lower bound is NaN unless a distance was asked."""

    microseconds: Array
    tests: NDArray[np.int64]
    hits: Bools
    complete: Bools
    covered: Array
    ages: NDArray[np.int64]
    lower: Array


@dataclass(frozen=True)
class Lateness:
    """Collisions by their beginnings: found at once, some ticks later, or over before they were found."""

    episodes: int
    late: int
    missed: int
    worst: int


@dataclass(frozen=True)
class Faults:
    """What must not happen.

    `unsound`: a complete answer that is wrong; `false`: a hit where there is none; `understated`: a collision
    went unseen for longer than the stated age allows; `beyond`: a lower bound above the distance.
    """

    unsound: int
    false: int
    understated: int
    beyond: int


def drive(
    body: er.Articulated,
    configurations: Array,
    ask: Callable[..., Any],
    budget: er.Budget | None,
    memory: er.Memory | None,
) -> Ticks:
    """One tick after the other: what is timed is the move and the question."""
    how = {"budget": budget} if memory is None else {"budget": budget, "memory": memory}
    seen = []
    gc.collect()
    gc.disable()
    try:
        for row in configurations:
            start = perf_counter_ns()
            body.move(row)
            answer = ask(body, **how)
            spent = perf_counter_ns() - start
            seen.append((spent, *_read(answer, memory)))
    finally:
        gc.enable()
    nanoseconds, *rest = (np.array(column) for column in zip(*seen, strict=True))
    return Ticks(1e-3 * nanoseconds, *rest)


def _read(answer: Any, memory: er.Memory | None) -> tuple[int, bool, bool, float, int, float]:
    """The fields of `Ticks` but the first. A distance of zero is a hit."""
    measured = hasattr(answer, "value")
    hit = answer.value == 0.0 if measured else bool(answer)
    complete = answer.status != "out of budget"
    covered = float(complete) if answer.covered is None else float(answer.covered)
    stated = (0 if complete else None) if memory is None else memory.age
    age = NEVER if stated is None else stated
    return work(answer), hit, complete, covered, age, answer.lower if measured else float("nan")


def beginnings(hits: Bools) -> list[tuple[int, int]]:
    """First tick of every collision, and the first after it."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], hits, [False]]).astype(np.int8)))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def lateness(seen: Bools, truth: Bools) -> Lateness:
    delays = []
    for start, end in beginnings(truth):
        found = np.flatnonzero(seen[start:end])
        delays.append(int(found[0]) if len(found) else None)
    late = [delay for delay in delays if delay]
    return Lateness(len(delays), len(late), delays.count(None), max(late, default=0))


def faults(ticks: Ticks, truth: Bools, distances: Array) -> Faults:
    """A pair that has collided unseen for d ticks was proved apart more than d ticks ago, if ever."""
    understated = 0
    for start, end in beginnings(truth):
        unseen = np.flatnonzero(~ticks.hits[start:end])
        ages = ticks.ages[start:end][unseen]
        understated += int(np.sum((ages != NEVER) & (ages <= unseen) & _since(ticks.hits[start:end])[unseen]))
    return Faults(
        int(np.sum(ticks.complete & (ticks.hits != truth))),
        int(np.sum(ticks.hits & ~truth)),
        understated,
        int(np.sum(ticks.lower > distances + ROUNDING)),
    )


def _since(hits: Bools) -> Bools:
    """Ticks before the first hit of a collision: afterwards other pairs may be the ones that touch."""
    before: Bools = np.cumsum(hits) == 0
    return before


def timing_row(name: str, ticks: Ticks) -> dict[str, Any]:
    spent = ticks.microseconds
    return {
        "name": name,
        "us, median": float(np.median(spent)),
        "99%": float(np.percentile(spent, 99.0)),
        "99.9%": float(np.percentile(spent, 99.9)),
        "worst": float(spent.max()),
        "of a tick, % (99.9%)": 100.0 * float(np.percentile(spent, 99.9)) / TICK,
        "tests, median": float(np.median(ticks.tests)),
        "tests, worst": int(ticks.tests.max()),
    }


def age_row(name: str, ticks: Ticks, distances: Array) -> dict[str, Any]:
    """Ages of the ticks without a hit seen: a hit needs no proof of freedom."""
    truth = distances == 0.0
    free, late, wrong = ~ticks.hits, lateness(ticks.hits, truth), faults(ticks, truth, distances)
    proved = ticks.ages[free & (ticks.ages != NEVER)]
    return {
        "name": name,
        "done, %": 100.0 * float(ticks.complete.mean()),
        "covered": 100.0 * float(ticks.covered[free].mean()),
        "least": 100.0 * float(ticks.covered[free].min()),
        "age, 50%": float(np.median(proved)) if len(proved) else float("nan"),
        "age, 99%": float(np.percentile(proved, 99.0)) if len(proved) else float("nan"),
        "oldest": int(proved.max(initial=0)),
        "never": int(np.sum(free & (ticks.ages == NEVER))),
        "hits": late.episodes,
        "late": late.late,
        "by ticks": late.worst,
        "missed": late.missed,
        "wrong": wrong.unsound + wrong.false + wrong.beyond,
        "too young": wrong.understated,
    }


def contestants(settings: argparse.Namespace) -> dict[str, tuple[er.Budget | None, er.Memory | None]]:
    """Without a limit; and each budget with a memory, and the smallest of each without one."""
    budgets = [er.Budget(tests=int(word)) for word in settings.ticktests.split(",") if word]
    times = [er.Budget(seconds=1e-6 * float(word)) for word in settings.tickmicros.split(",") if word]
    made: dict[str, tuple[er.Budget | None, er.Memory | None]] = {
        "no budget": (None, None),
        "no budget, memory": (None, er.Memory()),
    }
    for budget in (*budgets, *times):
        made[f"{_told(budget)}, memory"] = budget, er.Memory()
    made |= {f"{_told(some[0])}, none": (some[0], None) for some in (budgets, times) if some}
    return made


def _told(budget: er.Budget) -> str:
    return f"{budget.tests} tests" if budget.seconds is None else f"{1e6 * budget.seconds:g} us"


def ask(question: str, body: er.Articulated, configurations: Array, settings: argparse.Namespace) -> Any:
    """One question by all contestants: two tables."""
    distances = truths(body, configurations)
    seen = {
        name: drive(body.__copy__(), configurations, getattr(er, question), budget, memory)
        for name, (budget, memory) in contestants(settings).items()
    }
    title = f"{settings.robot}, {question}: {body.dof} joints, {robots.triangles(body)} triangles"
    times = [timing_row(name, ticks) for name, ticks in seen.items()]
    if question == "self_collide":
        times += peers.rows(robots.locate(settings.robot), body, configurations, distances == 0.0)
    common.show(tabulate(f"bounded worst case per tick: {title}", times))
    ages = [age_row(name, ticks, distances) for name, ticks in seen.items()]
    common.show(tabulate(f"stated age of the proof, in ticks of 1 ms: {len(distances)} ticks", ages))
    return {"question": question, "times": times, "ages": ages, "targets": targets(question, times, ages)}


def truths(body: er.Articulated, configurations: Array) -> Array:
    """The distance at every tick, 0 where links touch; the verdicts of both questions must be the same."""
    twin = body.__copy__()
    twin.move(configurations)
    distances: Array = np.asarray(er.self_distance(twin).values)
    if not np.array_equal(distances == 0.0, er.self_collide(twin).hits):
        raise RuntimeError("distances and verdicts disagree")
    return distances


def targets(
    question: str, times: Sequence[dict[str, Any]], ages: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """A tick of a millisecond is never missed on a budget, and nothing that is stated is wrong."""
    longest = max(line["99.9%"] for line in times if " tests," in line["name"] or " us," in line["name"])
    wrong = sum(line["wrong"] + line["too young"] for line in ages)
    return [
        Target(f"{question}: us of a tick on a budget, 99.9 %", longest, at_most=0.1 * TICK).shown(),
        Target(f"{question}: wrong verdicts and ages", wrong, at_most=0).shown(),
    ]


def run(settings: argparse.Namespace) -> dict[str, Any]:
    try:
        body = robots.make(settings.robot)
    except ImportError as missing:
        print(f"the loop is left out: {missing}")
        return {"tables": [], "targets": []}
    configurations = robots.motion(body, settings.ticks, settings.share, settings.seed)
    asked = [ask(question, body, configurations, settings) for question in settings.questions.split(",")]
    return {"tables": asked, "targets": [line for one in asked for line in one.pop("targets")]}
