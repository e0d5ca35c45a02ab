"""W4 with motions: a hook among 1330 tetrahedra, and robot arms in their scenes.

distance: one distance. check: one motion checked. rrt: a tree of 10,000 nodes. mbm: MotionBenchMaker problems
for two robots, where --problems says where they are.

    python -m benchmarks.motion.run --json motion.json
    python -m benchmarks.motion.run --quick
    python -m benchmarks.motion.run --parts check,rrt --only elbowroom,coal
    python -m benchmarks.motion.run --parts mbm --problems FOLDER --count 100
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import common
from benchmarks.chain.run import tabulate
from benchmarks.convex import run as convex
from benchmarks.motion import checks, mbm, rrt

PARTS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "distance": convex.run,
    "check": checks.run,
    "rrt": rrt.run,
    "mbm": mbm.run,
}
QUICK = {
    "poses": 200,
    "motions": 40,
    "advancement": 5,
    "nodes": 150,
    "count": 1,
    "limit": 2.0,
    "repetitions": 2,
    "rounds": 1,
    "oracle": 10,
}


def options() -> argparse.Namespace:
    made = common.parser(__doc__, repetitions=5)
    made.add_argument("--parts", default=",".join(PARTS), help="which of the four to run")
    made.add_argument("--poses", type=int, default=20_000, help="distance: poses")
    made.add_argument("--motions", type=int, default=500, help="check: motions")
    made.add_argument("--advancement", type=int, default=100, help="check: motions by FCL's advancement")
    made.add_argument("--nodes", type=int, default=10_000, help="rrt: nodes of the tree")
    made.add_argument("--rounds", type=int, default=3, help="rrt: runs; minima are kept")
    made.add_argument("--seed", type=int, default=0, help="rrt, mbm: of the random numbers")
    made.add_argument("--oracle", type=int, default=200, help="inputs at which the oracle is asked as well")
    made.add_argument("--problems", type=Path, metavar="FOLDER", help="mbm: robots and their problems")
    made.add_argument("--robots", default="panda,ur5", help="mbm: names of robots in that folder")
    made.add_argument("--count", type=int, default=20, help="mbm: problems of each family, at most")
    made.add_argument("--limit", type=float, default=5.0, help="mbm: seconds for a problem")
    made.add_argument("--spacings", default="0.02,0.05,0.1,0.2,0.4", help="mbm: radians between states")
    return common.parsed(made, QUICK)


def main() -> None:
    common.run_parts("motion", PARTS, options(), tabulate)


if __name__ == "__main__":
    main()
