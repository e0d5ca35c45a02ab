"""Pivots of self-avoiding chains in equilibrium: any rotation about any link, test, carry out if free.

Balls of diameter 1, one bond apart. Time for each attempted pivot: in the loop of er.sampling, from Python
calls, by a hash table in numba, and, quoted, by Clisby's SAW-tree.

    python -m benchmarks.pivot.run --json pivot.json
    python -m benchmarks.pivot.run --quick
    python -m benchmarks.pivot.run --sizes 1000,1e6 --only elbowroom --rounds 9
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from typing import Any

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import SAW_TREE, Target, tabulate
from benchmarks.pivot import contest
from benchmarks.pivot.contest import CALLS, GRID, LOOP

SHARE = 5.0  # of the SAW-tree's time, at most one over this
QUICK = {"sizes": "1000,10000", "repetitions": 2, "seconds": 0.1, "attempts": 20_000, "equilibrate": 1.0}


@dataclass
class Result:
    """One size: microseconds an attempt by contestant, and who was wrong how often."""

    links: int
    microseconds: dict[str, float]
    accepted: dict[str, float]
    checked: contest.Checked
    rounds: dict[str, list[float]]

    def row(self) -> dict[str, Any]:
        taken = {f"{name}, us": value for name, value in self.microseconds.items()}
        loop = self.microseconds.get(LOOP, math.nan)
        quoted = SAW_TREE.get(self.links, math.nan)
        ratios = {
            "grid / loop": self.microseconds.get(GRID, math.nan) / loop,
            "SAW-tree, quoted": quoted,
            "SAW-tree / loop": quoted / loop,
        }
        return {
            "links": self.links,
            **taken,
            **ratios,
            "accepted": next(iter(self.accepted.values())),
            **self.checked.row(),
        }


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
    """A fifth of the SAW-tree's time at most, where it is known; calls that cost little; nothing wrong."""
    loops = {one.links: one.microseconds.get(LOOP, math.nan) for one in results}
    calls = [one.microseconds.get(CALLS, math.nan) - loops[one.links] for one in results]
    wrong = sum(one.checked.wrong for one in results)
    quoted = [(links, loops.get(links, math.nan), SAW_TREE[links] / SHARE) for links in SAW_TREE]
    return [
        *(Target(f"{links} links: loop, us", seen, at_most=most) for links, seen, most in quoted),
        Target("calls less loop, us", max(calls, default=math.nan), at_most=0.5),
        Target("verdicts that are wrong", float(wrong), at_most=0.0),
    ]


def options() -> argparse.Namespace:
    made = common.parser(__doc__, repetitions=7)
    made.add_argument("--rounds", type=int, dest="repetitions", default=argparse.SUPPRESS, help="the same")
    made.add_argument("--sizes", default="1e3,1e4,6.5e4,1e5,1e6", help="links of the chains")
    made.add_argument("--attempts", type=int, default=200_000, help="pivots a round, at most")
    made.add_argument("--seconds", type=float, default=1.0, help="about the longest round of a contestant")
    made.add_argument("--equilibrate", type=float, default=5.0, help="pivots a link before the clock runs")
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
    lines = [{**one.row(), "accepted by": one.accepted, "rounds": one.rounds} for one in results]
    common.save(settings.json, "pivot", vars(settings), {"isa": er.isa, "lines": lines, "targets": reached})


if __name__ == "__main__":
    main()
