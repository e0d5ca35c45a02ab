"""W2 and what belongs to it: bodies of many links, all of which move.

chains: two chains of boxes, the overlapping pairs of every frame. robots: self-collision of robots in random
configurations. mocap: a whole body, refitted and tested frame by frame.

    python -m benchmarks.articulated.run --json articulated.json
    python -m benchmarks.articulated.run --quick
    python -m benchmarks.articulated.run --parts chains --links 16 --only elbowroom,numba,coal
    python -m benchmarks.articulated.run --parts robots --robots talos --repetitions 3
    python -m benchmarks.articulated.run --parts mocap --bvh walk.bvh dance.bvh.gz
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import common
from benchmarks.articulated import chains, mocap, robots
from benchmarks.articulated.files import FILES
from benchmarks.articulated.frames import CASES
from benchmarks.chain.run import tabulate

PARTS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "chains": chains.run,
    "robots": robots.run,
    "mocap": mocap.run,
}
QUICK = {"links": "16,64", "frames": 200, "configurations": 200, "repetitions": 2, "oracle": 20}


def options() -> argparse.Namespace:
    made = common.parser(__doc__, repetitions=5)
    made.add_argument("--rounds", type=int, dest="repetitions", default=argparse.SUPPRESS, help="the same")
    made.add_argument("--parts", default=",".join(PARTS), help="which of the three to run")
    made.add_argument("--cases", default=",".join(CASES), help="motions of the chains")
    made.add_argument("--links", default="16,64,256,1024,4096", help="boxes of a chain")
    made.add_argument("--frames", type=int, default=10_000, help="of chains of 16, and of the figure")
    made.add_argument("--fewest", type=int, default=20, help="frames of the longest chains, at least")
    made.add_argument("--robots", default=",".join(FILES), help="of example-robot-data")
    made.add_argument("--configurations", type=int, default=10_000, help="of each robot")
    made.add_argument("--seed", type=int, default=0, help="of the configurations")
    made.add_argument("--oracle", type=int, default=500, help="configurations compared pair by pair")
    made.add_argument("--bvh", nargs="*", type=Path, default=[], metavar="FILE", help="recorded motions")
    return common.parsed(made, QUICK)


def main() -> None:
    common.run_parts("articulated", PARTS, options(), tabulate)


if __name__ == "__main__":
    main()
