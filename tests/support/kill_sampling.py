"""Kills runs with SIGKILL at random moments, lets them go on, and compares what comes of them.

    python tests/support/kill_sampling.py --kills 100 --seed 0 [--cases hard,energy,tempering]

Each run is first made without a break. Then it is made again, killed again and again until it has come to its
end, and its folder must be the same: trajectories and topology byte for byte, observables table for table,
tallies, and the last checkpoint with the states of all samplers. Every other run is patient, as runs are: it
passes over checkpoints that follow too soon upon another. Exit status 1 if anything differed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from sampling_kills import CASES, differences, started

from elbowroom.sampling._disk.reading import read_folder
from elbowroom.sampling.folder import PATIENCE


@dataclass
class Tally:
    """What happened. `resumed`: times that a run went on from a checkpoint; `torn`: with files beyond it."""

    kills: int = 0
    runs: int = 0
    resumed: int = 0
    torn: int = 0
    wrong: list[str] = field(default_factory=list)


def seconds_of(case: str, out: Path, patience: float) -> float:
    """How long a run takes that is left alone."""
    began = time.perf_counter()
    process = started(case, out, patience)
    process.join()
    assert process.exitcode == 0, f"{case} failed"
    return time.perf_counter() - began


def kill_once(case: str, out: Path, patience: float, wait: float) -> bool:
    """Starts a run, or goes on with it, and kills it after some time. False if it came to its end before."""
    process = started(case, out, patience)
    process.join(wait)
    process.kill()
    process.join()
    assert process.exitcode in (0, -9), f"{case} failed with exit status {process.exitcode}"
    return bool(process.exitcode != 0)


def look(out: Path, tally: Tally) -> None:
    """What a killed run has left."""
    tally.kills += 1
    tally.torn += any(out.rglob(".*.new"))
    if (out / "run.json").exists():
        tally.resumed += (out / "checkpoint.bin").exists()
        read_folder(out)  # can be looked at, however it was killed


def kill_often(case: str, root: Path, chance: random.Random, tally: Tally, kills: int) -> None:
    """Runs that are killed, compared with one that was not, until there were so many kills."""
    until = tally.kills + kills
    for patience in (0.0, PATIENCE):
        seconds_of(case, root / f"{case}-{patience}-first", patience)  # it may have to start the server
        whole = root / f"{case}-{patience}"
        took = seconds_of(case, whole, patience)
        enough = until if patience else tally.kills + kills // 2
        while tally.kills < enough:
            out = root / f"{case}-{patience}-{tally.runs}"
            while kill_once(case, out, patience, chance.uniform(0.0, took)):
                look(out, tally)
            tally.runs += 1
            tally.wrong += [f"{out.name}: {name}" for name in differences(whole, out, patience)]


def main() -> int:
    """Status 1 if anything was wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", default=",".join(CASES))
    asked = parser.parse_args()
    cases, chance, tally = asked.cases.split(","), random.Random(asked.seed), Tally()
    with tempfile.TemporaryDirectory() as root:
        for number, case in enumerate(cases):
            share = asked.kills * (number + 1) // len(cases) - asked.kills * number // len(cases)
            kill_often(case, Path(root), chance, tally, share)
            print(f"{case}: {tally}")
    print(f"{tally.kills} kills in {tally.runs} runs, {len(tally.wrong)} differences")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
