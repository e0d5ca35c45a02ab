"""Pivots of self-avoiding chains in equilibrium: any rotation about any link, test, carry out if free.

Balls of diameter 1, one bond apart. Time for each attempted pivot: in the loop of er.sampling, from Python
calls, by a hash table in numba, by Clisby's SAW-tree on the cubic lattice, and what was published of that.

    python -m benchmarks.pivot.run --json pivot.json
    python -m benchmarks.pivot.run --quick
    python -m benchmarks.pivot.run --sizes 1000,1e6 --only loop,SAW-tree --rounds 9
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import SAW_TREE, Target, tabulate
from benchmarks.pivot import contest
from benchmarks.pivot.contest import CALLS, GRID, LOOP, SAW

QUOTED = "quoted"
TIMES = 5.0  # as long as our loop: what the SAW-tree is to take at least
GRIDS = {1_000: 10.0, 10_000: 50.0, 100_000: 200.0, 1_000_000: 1_000.0}  # as predicted, for the grid
QUICK = {"sizes": "1000,10000", "repetitions": 2, "seconds": 0.1, "attempts": 20_000}


@dataclass
class Result:
    """One size: microseconds an attempt by contestant, and who was wrong how often."""

    links: int
    microseconds: dict[str, float]
    accepted: dict[str, float]
    checked: contest.Checked
    rounds: dict[str, list[float]]

    def over(self, rival: str) -> float:
        """How many times as long as our loop somebody takes, or the SAW-tree is said to take."""
        taken = {**self.microseconds, QUOTED: SAW_TREE.get(self.links, math.nan)}
        return taken.get(rival, math.nan) / taken.get(LOOP, math.nan)

    def row(self) -> dict[str, Any]:
        taken = {f"{name}, us": value for name, value in self.microseconds.items()}
        ratios = {f"{rival} / loop": self.over(rival) for rival in (GRID, SAW, QUOTED)}
        accepted = next(iter(self.accepted.values()))
        return {"links": self.links, **taken, **ratios, "accepted": accepted, **self.checked.row()}


def measure(links: int, names: list[str], settings: argparse.Namespace) -> Result:
    """Rounds in which everybody takes a turn; each goes on with its own chain, the fastest round counts."""
    start = contest.equilibrated(links, settings.equilibrate, settings.seed)
    runners = {name: contest.CONTESTANTS[name](start, settings.seed) for name in names}
    rounds: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(settings.repetitions):
        for name, runner in runners.items():
            rounds[name].append(1e6 * runner.turn(settings.attempts, settings.seconds))
    best = {name: min(taken) for name, taken in rounds.items()}
    shares = {name: runner.accepted / runner.tried for name, runner in runners.items()}
    checked = contest.check(start, runners, settings.stretch, settings.seconds, settings.oracle)
    return Result(links, best, shares, checked, rounds)


def targets(results: list[Result]) -> list[Target]:
    """Five times as fast as the SAW-tree, published or here; far ahead of the grid; nothing wrong."""
    known = [one for one in results if one.links in SAW_TREE]
    calls = [one.microseconds.get(CALLS, math.nan) - one.microseconds.get(LOOP, math.nan) for one in results]
    wrong = sum(one.checked.wrong for one in results)
    return [
        *(Target(f"{one.links}: SAW-tree as published / loop", one.over(QUOTED), TIMES) for one in known),
        *(Target(f"{one.links}: SAW-tree / loop", one.over(SAW), TIMES) for one in results),
        *(Target(f"{one.links}: grid / loop", one.over(GRID), _at_least(one.links)) for one in results),
        Target("calls less loop, us, worst", max(calls, default=math.nan), at_most=0.5),
        Target("verdicts that are wrong", float(wrong), at_most=0.0),
    ]


def _at_least(links: int) -> float:
    """Of the grid over our loop: what was predicted for the next smaller size."""
    return max((most for size, most in GRIDS.items() if size <= links), default=1.0)


def options() -> argparse.Namespace:
    made = common.parser(__doc__, repetitions=7)
    made.add_argument("--rounds", type=int, dest="repetitions", default=argparse.SUPPRESS, help="the same")
    made.add_argument("--sizes", default="1e3,1e4,6.5e4,1e5,1e6", help="links of the chains")
    made.add_argument("--attempts", type=int, default=200_000, help="pivots a round, at most")
    made.add_argument("--seconds", type=float, default=1.0, help="about the longest round of a contestant")
    made.add_argument("--equilibrate", type=float, default=1.0, help="pivots a link before the clock runs")
    made.add_argument("--stretch", type=int, default=20_000, help="moves given to calls and grid alike")
    made.add_argument("--oracle", type=int, default=20, help="verdicts that a k-d tree is asked for")
    made.add_argument("--seed", type=int, default=1)
    return common.parsed(made, QUICK)


def main() -> None:
    settings = options()
    names = contest.present(common.chosen(contest.CONTESTANTS, settings.only))
    sizes = [int(float(word)) for word in settings.sizes.split(",") if word.strip()]
    results = [measure(links, names, settings) for links in sizes]
    common.show(tabulate("microseconds an attempted pivot", [one.row() for one in results]))
    reached = [one.shown() for one in targets(results)]
    common.show(tabulate("targets", reached))
    walks = import_module("benchmarks.pivot.saw_tree").check() if SAW in names else {}
    print("SAW-tree:", ", ".join(f"{name} {value:.2g}" for name, value in walks.items()) or "not run")
    lines = [{**one.row(), "accepted by": one.accepted, "rounds": one.rounds} for one in results]
    whole = {"isa": er.isa, "lines": lines, "targets": reached, "SAW-tree": walks}
    common.save(settings.json, "pivot", vars(settings), whole)


if __name__ == "__main__":
    main()
