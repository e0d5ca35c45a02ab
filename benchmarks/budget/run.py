"""On a budget: what a limit costs, how well it is kept, and what the answers are worth.

overhead: a budget that is never spent. overrun: a budget in seconds. loop: a robot that checks itself at
1 kHz. ahead: three orders on few tests. calibration: is a confidence of 0.9 right nine times in ten?

    python -m benchmarks.budget.run --json budget.json
    python -m benchmarks.budget.run --quick
    python -m benchmarks.budget.run --parts overrun --full
    python -m benchmarks.budget.run --parts overhead --only springs,chain
    python -m benchmarks.budget.run --parts loop --ticks 20000 --ticktests 1450,1600
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from benchmarks import common
from benchmarks.budget import ahead, calibration, loop, overhead, overrun, robots
from benchmarks.chain.run import tabulate

PARTS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "overhead": overhead.run,
    "overrun": overrun.run,
    "loop": loop.run,
    "ahead": ahead.run,
    "calibration": calibration.run,
}
QUICK = {
    "seconds": 0.0,
    "steps": 10,
    "repetitions": 5,
    "links": 300,
    "calls": 200,
    "long": 1000,
    "ticks": 500,
    "configurations": 60,
    "tests": "200,1000",
}


def options() -> argparse.Namespace:
    made = common.parser(__doc__, repetitions=20)
    made.add_argument("--parts", default=",".join(PARTS), help="which of them to run")
    made.add_argument("--robot", default="g1", choices=tuple(robots.FILES), help="of example-robot-data")
    made.add_argument("--steps", type=int, default=100, help="overhead: of every path")
    made.add_argument("--links", type=int, default=2000, help="overhead: of the chain and of the necklace")
    made.add_argument("--seconds", type=float, default=1.0, help="overhead: at least, for each walk")
    made.add_argument("--limits", default="20,50,100,200", help="overrun: budgets in microseconds")
    made.add_argument("--calls", type=int, default=5000, help=f"overrun: queries on {overrun.ASKED} us")
    made.add_argument("--full", action="store_true", help=f"overrun: {overrun.CALLS} queries")
    made.add_argument("--long", type=int, default=5000, help="overrun: links of the chain")
    made.add_argument("--ticks", type=int, default=10_000, help="loop: of one millisecond")
    made.add_argument("--ticktests", default="1450,1550", help="loop: budgets in tests")
    made.add_argument("--tickmicros", default="5,50", help="loop: budgets in microseconds")
    made.add_argument("--questions", default="self_collide,self_distance", help="loop: what is asked")
    made.add_argument("--share", type=float, default=0.15, help="loop: of the way to the joints' limits")
    made.add_argument("--seed", type=int, default=1, help="loop: of the motion")
    made.add_argument("--configurations", type=int, default=400, help="ahead: along a path of the springs")
    made.add_argument("--tests", default="50,100,200,400,600,800,1000,1500,2000", help="ahead: budgets")
    calibration.add_options(made)
    return common.parsed(made, {**calibration.QUICK, **QUICK})


def main() -> None:
    common.run_parts("budget", PARTS, options(), tabulate)


if __name__ == "__main__":
    main()
