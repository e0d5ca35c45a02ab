"""By how much a budget in seconds is overrun, as Python sees it, and what the machine overruns by itself.

After every query the same time is spent in an empty loop that reads the clock. It overruns only when the
machine takes the processor away (or the clock is slow), and stands beside the query in the table.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from benchmarks import common
from benchmarks.budget import robots, walks
from benchmarks.budget.walks import Walk
from benchmarks.chain.run import Target, tabulate
from benchmarks.common import Array
from elbowroom import scenes

ASKED, MOST = 50, 10.0  # microseconds: the budget that the target speaks of, and its overrun
MOST_CALLS = 1.0  # in percent: that may be over by more
CALLS = 100_000  # that the target speaks of
OTHERS = 10  # other budgets get one in so many calls
SHARES = {"50%": 50.0, "90%": 90.0, "99%": 99.0, "99.9%": 99.9, "worst": 100.0}
OVER = "> 10 us, %"
STEPS = 500  # of every path, before it is walked back
MEMORIES: dict[str, Callable[[], dict[str, Any]]] = {
    "none": dict,
    "auto": lambda: {"memory": er.Memory()},
}


@dataclass(frozen=True)
class Overruns:
    """Microseconds beyond the limit of every query that ran out, and of every empty loop."""

    query: Array
    empty: Array
    calls: int


def measure(walk: Walk, limit: int, calls: int, memory: dict[str, Any]) -> Overruns:
    """So many queries along the walk, each followed by an empty loop; the collector of garbage is off."""
    how = {"budget": er.Budget(seconds=1e-6 * limit), **memory}
    spent, empty = np.empty(calls), np.empty(calls)
    cut: NDArray[np.bool_] = np.zeros(calls, dtype=np.bool_)
    gc.collect()
    gc.disable()
    try:
        for k in range(calls):
            walk.advance()
            spent[k], cut[k] = _ask(walk.call(**how))
            empty[k] = _wait(1000 * limit)
    finally:
        gc.enable()
    return Overruns(1e-3 * spent[cut] - limit, 1e-3 * empty - limit, calls)


def _ask(call: Callable[[], Any]) -> tuple[int, bool]:
    start = perf_counter_ns()
    answer = call()
    spent = perf_counter_ns() - start
    return spent, answer.status == "out of budget"


def _wait(limit: int) -> int:
    """Reads the clock until the limit is over: what Python and the machine take at the least."""
    start = perf_counter_ns()
    until = start + limit
    while (now := perf_counter_ns()) < until:
        pass
    return now - start


def row(limit: int, memory: str, seen: Overruns) -> dict[str, Any]:
    """Of the queries that ran out: those that finished in time have nothing to overrun."""
    ours = {name: _at(seen.query, share) for name, share in SHARES.items()}
    machine = {f"empty, {name}": _at(seen.empty, SHARES[name]) for name in ("99%", "99.9%", "worst")}
    return {
        "budget, us": limit,
        "memory": memory,
        "calls": seen.calls,
        "ran out, %": 100.0 * len(seen.query) / seen.calls,
        **ours,
        OVER: 100.0 * float(np.sum(seen.query > MOST)) / seen.calls,
        **machine,
        f"empty, {OVER}": 100.0 * float(np.mean(seen.empty > MOST)),
    }


def _at(values: Array, share: float) -> float:
    return float(np.percentile(values, share)) if len(values) else float("nan")


def unlimited(walk: Walk, steps: int = 50) -> float:
    """Microseconds that the question takes without a budget: median over some steps of the least of three."""
    least = []
    for _ in range(steps):
        walk.advance()
        call = walk.call()
        least.append(min(_ask(call)[0] for _ in range(3)))
    return 1e-3 * float(np.median(least))


def long_walks(settings: argparse.Namespace) -> Iterator[Walk]:
    """Questions that take longer than the budgets, or none would be overrun."""
    spring, ring = walks.spring(), er.Mesh(*scenes.torus(**walks.FINE))
    fine = er.Mesh(*scenes.spring(segments=999, sides=10))
    yield walks.rigid("fine springs, collide", er.collide, (fine, fine), walks.interleaved(STEPS))
    yield walks.rigid("fine springs, distance", er.distance, (fine, fine), walks.interleaved(STEPS))
    deep = scenes.spring_path(4 * STEPS)[STEPS : 3 * STEPS]
    yield walks.rigid("springs, within 0.3", er.within, (spring, spring, 0.3), deep)
    yield walks.rigid("springs, collide, every", er.collide, (spring, spring), deep, every=True)
    inside, beside = walks.falling(STEPS, -0.5, 0.5), walks.falling(STEPS, 1.6, 2.4)
    yield walks.rigid("tori of 20,000, collide, every", er.collide, (ring, ring), inside, every=True)
    yield walks.rigid("tori of 20,000, distance", er.distance, (ring, ring), beside)
    for name, question in (("self_collide", er.self_collide), ("self_distance", er.self_distance)):
        chain, turns = walks.loose_chain(settings.long, STEPS)
        yield walks.bending(f"chain of {settings.long}, {name}", question, chain, turns)
    try:
        body = robots.make(settings.robot)
    except ImportError as missing:
        print(f"the robot is left out: {missing}")
        return
    values = list(robots.motion(body, STEPS, 0.15, seed=0))
    yield walks.moving(f"{settings.robot}, self_distance", er.self_distance, body, values)


def run(settings: argparse.Namespace) -> dict[str, Any]:
    limits = [int(word) for word in settings.limits.split(",")]
    calls = CALLS if settings.full else settings.calls
    beginnings = tuple(settings.only.split(","))
    wanted = (walk for walk in long_walks(settings) if walk.name.startswith(beginnings))
    tables = [_along(walk, limits, calls) for walk in wanted]
    return {"tables": tables, "targets": [line for table in tables for line in targets(table)]}


def _along(walk: Walk, limits: list[int], calls: int) -> dict[str, Any]:
    """One walk, every budget, without and with a memory: a table."""
    plain, lines = unlimited(walk), []
    for memory, make in MEMORIES.items():
        for limit in limits:
            count = calls if limit == ASKED else max(1, calls // OTHERS)
            lines.append(row(limit, memory, measure(walk, limit, count, make())))
    title = f"{walk.name}, {plain:.0f} us unlimited: microseconds beyond the budget, of queries that ran out"
    common.show(tabulate(title, lines))
    return {"walk": walk.name, "unlimited": plain, "rows": lines}


def targets(table: dict[str, Any]) -> list[dict[str, Any]]:
    """The share of all calls that are over by more than 10 us, less the share of empty loops that are."""
    made = []
    for line in table["rows"]:
        if line["budget, us"] == ASKED:
            own, machine = line[OVER], line[f"empty, {OVER}"]
            parts = f"{own:.2f} less {machine:.2f} of the empty loop"
            name = f"{table['walk']}, memory {line['memory']}: % over {ASKED} + 10 us, {parts}"
            made.append(Target(name, max(0.0, own - machine), at_most=MOST_CALLS).shown())
    return made
