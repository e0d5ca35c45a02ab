"""FCL's own tests of motions, each in a process of its own, with the memory as it is and with zeros in it.

FCL's interpolated motion begins with a number it never set, so its verdicts depend on what the memory held
before. glibc can be told to fill new memory with zeros: those verdicts are the same on every run.
Conservative advancement takes tens of milliseconds a motion, and is timed here only.

    python -m benchmarks.motion.advancement sampled 500 100
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benchmarks.motion import data
from benchmarks.motion.peers import FclMotion

#: MALLOC_PERTURB_ fills what is handed out with the complement of its value, but not what a thread keeps.
MEMORY = {
    "as it is": {},
    "zeroed": {"MALLOC_PERTURB_": "255", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"},
}


@dataclass(frozen=True)
class Told:
    """What FCL said of the first motions, and how long it took for each."""

    free: NDArray[np.bool_]
    microseconds: float


def ask(solver: str, memory: str, motions: int, count: int) -> Told | None:
    """FCL on the first `count` of so many motions; None, and a line about it, if its process fails."""
    command = [sys.executable, "-m", "benchmarks.motion.advancement", solver, str(motions), str(count)]
    done = subprocess.run(command, env=os.environ | MEMORY[memory], capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["nothing said"])[-1]
        print(f"fcl, {solver}, memory {memory}: the process ended with {done.returncode}: {last}")
        return None
    given = json.loads(done.stdout.splitlines()[-1])
    return Told(np.array(given["free"], bool), float(given["us"]))


def main() -> None:
    solver, count = sys.argv[1], int(sys.argv[3])
    scene = data.scene()
    motions = data.short_motions(scene, int(sys.argv[2])).first(count)
    fcl = FclMotion(scene, solver)
    start = perf_counter()
    free = [fcl.free(*poses) for poses in zip(motions.starts, motions.goals, strict=True)]
    spent = perf_counter() - start
    print(json.dumps({"free": free, "us": 1e6 * spent / count}))


if __name__ == "__main__":
    main()
