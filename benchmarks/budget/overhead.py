"""What a budget costs that is never spent: the same queries without one, with tests and with seconds.

All of them walk the same path in turn, each with bodies of its own, many times over, and of every step the
least time counts.
"""

from __future__ import annotations

import argparse
import gc
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import perf_counter, perf_counter_ns
from typing import Any

import numpy as np

import elbowroom as er
from benchmarks import common
from benchmarks.budget import robots, walks
from benchmarks.budget.walks import Question, Walk
from benchmarks.chain.run import Target, tabulate
from benchmarks.common import Array
from elbowroom import scenes

How = Callable[[], dict[str, Any]]
Maker = Callable[[], Walk]
MOST = 1.05
PLENTY, HOURS = er.Budget(tests=10**12), er.Budget(seconds=10_000.0)
NONE, TESTS, SECONDS, MEMORY = "no budget", "tests", "seconds", "and memory"
LIMITED = (TESTS, SECONDS)  # what the target speaks of
SELF: dict[str, Question] = {"self_collide": er.self_collide, "self_distance": er.self_distance}
SAME = 1e-12  # by which distances may differ, as a share: orders of summation


@dataclass(frozen=True)
class Sums:
    """One way of asking: microseconds a step, all tests, and how many answers differ from the first way's."""

    microseconds: float
    tests: int
    differ: int


def ways() -> dict[str, How]:
    """How to ask; the same keywords for all, so that reading them costs the same. A memory is made anew."""
    return {
        NONE: lambda: {"budget": None},
        TESTS: lambda: {"budget": PLENTY},
        SECONDS: lambda: {"budget": HOURS},
        MEMORY: lambda: {"budget": PLENTY, "memory": er.Memory()},
    }


def measure(make: Maker, steps: int, repetitions: int, seconds: float) -> dict[str, Sums]:
    """Every way to the end of the path and back, so often, and for so long: short queries need more turns."""
    asked = ways()
    own = {name: make() for name in asked}
    least = {name: np.full(2 * steps, np.inf) for name in asked}
    answers: dict[str, list[Any]] = {}
    turn, start = 0, perf_counter()
    while (turn := turn + 1) <= repetitions or perf_counter() - start < seconds:
        for name, how in asked.items():
            spent, answers[name] = _one_pass(own[name], how, 2 * steps)
            np.minimum(least[name], spent, out=least[name])
    return {name: _sums(least[name], answers[name], answers[NONE]) for name in asked}


def _one_pass(walk: Walk, how: How, steps: int) -> tuple[Array, list[Any]]:
    """Nanoseconds of every step, and the answers."""
    spent, answers = np.empty(steps), []
    gc.collect()
    gc.disable()
    for k in range(steps):
        walk.advance()
        call = walk.call(**how())
        start = perf_counter_ns()
        answer = call()
        spent[k] = perf_counter_ns() - start
        answers.append(answer)
    gc.enable()
    return spent, answers


def _sums(nanoseconds: Array, answers: list[Any], base: list[Any]) -> Sums:
    differ = sum(not agree(*both) for both in zip(answers, base, strict=True))
    own = float(np.maximum(nanoseconds - clock(), 1.0).mean())
    return Sums(1e-3 * own, sum(map(work, answers)), differ)


def clock(readings: int = 200) -> float:
    """Nanoseconds that two readings of the clock are apart."""
    return float(min(-(perf_counter_ns() - perf_counter_ns()) for _ in range(readings)))


def work(answer: Any) -> int:
    return int(answer.counters.volume_tests + answer.counters.leaf_tests)


def agree(answer: Any, other: Any) -> bool:
    """The same verdict and status, the same distance, the same pairs."""
    if answer.status != other.status:
        return False
    if hasattr(answer, "value"):
        return math.isclose(answer.value, other.value, rel_tol=SAME, abs_tol=SAME)
    if hasattr(answer, "indices"):
        return np.array_equal(answer.indices, other.indices)
    return bool(answer) == bool(other)


def rows(name: str, sums: dict[str, Sums]) -> list[dict[str, Any]]:
    """A line for every way but the first; per test where the tests are not the same."""
    base = sums[NONE]
    lines = []
    for way in (TESTS, SECONDS, MEMORY):
        one = sums[way]
        over, more = one.microseconds / base.microseconds, one.tests / max(base.tests, 1)
        lines.append(
            {
                "name": name,
                "budget": way,
                "us without": base.microseconds,
                "us with": one.microseconds,
                "with / without": over,
                "tests with / without": more,
                "per test": over / more if more else math.nan,
                "answers differ": one.differ,
            }
        )
    return lines


def rigid_walks(steps: int) -> Iterator[Maker]:
    a, path = walks.spring(), scenes.spring_path(steps)
    rings = er.Mesh(*scenes.torus()), er.Mesh(*scenes.torus(**walks.COARSE))
    through = walks.falling(steps, -4.5, 4.5)
    for name, pair, poses in (("springs", (a, a), path), ("tori", rings, through)):
        yield partial(walks.rigid, f"{name}, collide", er.collide, pair, poses)
        yield partial(walks.rigid, f"{name}, collide, every", er.collide, pair, poses, every=True)
        yield partial(walks.rigid, f"{name}, distance", er.distance, pair, poses)
        yield partial(walks.rigid, f"{name}, within 0.1", er.within, (*pair, 0.1), poses)


def chain_walks(steps: int, links: int) -> Iterator[Maker]:
    chain, turns = walks.loose_chain(links, steps)
    for name, question in SELF.items():
        yield partial(walks.bending, f"chain, {name}", question, chain, turns)
    where = walks.coiled(links)
    reach = float(np.ptp(where, axis=0).max())
    ring = er.Mesh(*scenes.torus(0.4 * reach, 0.02 * reach, **walks.COARSE))
    poses = walks.falling(steps, -reach, reach) + walks.shift(where.mean(axis=0))
    yield partial(walks.rigid, "chain and torus, collide", er.collide, (chain, ring), poses)
    yield partial(walks.rigid, "chain and torus, distance", er.distance, (chain, ring), poses)


def necklace_walks(steps: int, links: int) -> Iterator[Maker]:
    """Fast motion, so that the library keeps no list of pairs, and the tests are the same."""
    frames = list(scenes.brownian(walks.coiled(links), steps, 0.1))
    necklace = er.Necklace(frames[0], 0.5)
    for name, question in SELF.items():
        yield partial(walks.moving, f"necklace, {name}", question, necklace, frames)
    yield partial(walks.moving, "necklace, self_within 0.5", er.self_within, necklace, frames, (0.5,))


def articulated_walks(steps: int, robot: str) -> Iterator[Maker]:
    limbs = scenes.braided_chains(steps)
    body, motion = er.Articulated(limbs.links, limbs.joints), list(limbs.motion)
    yield partial(walks.moving, "braided chains, self_collide", er.self_collide, body, motion)
    try:
        humanoid = robots.make(robot)
    except ImportError as missing:
        print(f"the robot is left out: {missing}")
        return
    values = list(robots.motion(humanoid, 20 * steps, 0.15, seed=0)[::20])
    for name, question in SELF.items():
        yield partial(walks.moving, f"{robot}, {name}", question, humanoid, values)


def all_walks(settings: argparse.Namespace) -> Iterator[Maker]:
    yield from rigid_walks(settings.steps)
    yield from chain_walks(settings.steps, settings.links)
    yield from necklace_walks(settings.steps, settings.links)
    yield from articulated_walks(settings.steps, settings.robot)


def run(settings: argparse.Namespace) -> dict[str, Any]:
    lines: list[dict[str, Any]] = []
    for make in all_walks(settings):
        if (name := make().name).startswith(tuple(settings.only.split(","))):
            lines += rows(name, measure(make, settings.steps, settings.repetitions, settings.seconds))
    common.show(tabulate("a budget that is never spent: microseconds a query, clock taken off", lines))
    return {"rows": lines, "targets": targets(lines)}


def targets(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The costlier of the two budgets of every walk; and all answers."""
    made = []
    for name in dict.fromkeys(line["name"] for line in lines):
        mine = [line for line in lines if line["name"] == name and line["budget"] in LIMITED]
        same = all(line["tests with / without"] == 1.0 for line in mine)
        seen = max(line["with / without" if same else "per test"] for line in mine)
        label = f"{name}: with / without a budget{'' if same else ', per test'}"
        made.append(Target(label, seen, at_most=MOST).shown())
    wrong = sum(line["answers differ"] for line in lines)
    return [*made, Target("overhead: answers that differ", wrong, at_most=0).shown()]
