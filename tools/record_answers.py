#!/usr/bin/env python3
"""Records what a build of elbowroom answers: a million queries over all bodies, questions and options.

The build is the one that Python imports: choose it by the interpreter, or by PYTHONPATH. The same build, seed
and number of queries give the same answers; compare_answers.py compares two files.

For example:
  tools/record_answers.py before.npz
  PYTHONPATH=/tmp/other/src tools/record_answers.py after.npz
  tools/record_answers.py few.npz --queries 20000 --parts rigid,chain
  tools/record_answers.py one.npz --cases 'rigid/springs#12'      one round, to repeat what differs
"""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path
from typing import Any

from answers.progress import Bar
from answers.scenarios import Scenario, all_scenarios, quotas
from answers.sheet import Recording, Sheet

import elbowroom as er


def main() -> int:
    """Records, and says where the answers come from."""
    given = arguments()
    scenarios = all_scenarios()
    if given.list:
        for each, quota in zip(scenarios, quotas(scenarios, given.queries), strict=True):
            print(f"{each.name:32} {quota:9,} queries   {(each.ask.__doc__ or '').splitlines()[0]}")
        return 0
    rounds = chosen(scenarios, given)
    recording = record(rounds, given)
    recording.save(given.out)
    print(f"{given.out}: {len(recording.columns['verdict']):,} queries of {er.__file__}, {er.isa}")
    return 0


def arguments() -> argparse.Namespace:
    """What was asked for."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("out", metavar="OUT", type=Path, nargs="?", help="the .npz file to write")
    parser.add_argument("--queries", type=int, default=1_000_000, help="how many, about (1000000)")
    parser.add_argument("--seed", type=int, default=0, help="of all random numbers (0)")
    parser.add_argument("--parts", default="", help="only these, separated by commas")
    parser.add_argument("--cases", default="", help="only these rounds, as part/scenario#number")
    parser.add_argument("--list", action="store_true", help="say what there is, and record nothing")
    given = parser.parse_args()
    if given.queries < 1 or given.seed < 0:
        parser.error("--queries must be at least 1, and --seed must not be negative")
    if given.out is None and not given.list:
        parser.error("OUT is missing")
    return given


def chosen(scenarios: list[Scenario], given: argparse.Namespace) -> list[tuple[Scenario, int, list[int]]]:
    """Scenarios, their queries, and rounds if these were named."""
    parts, cases = (set(filter(None, text.split(","))) for text in (given.parts, given.cases))
    named = {case.partition("#")[0] for case in cases}
    unknown = parts - {each.part for each in scenarios} | named - {each.name for each in scenarios}
    if unknown:
        raise SystemExit(f"there is no {', '.join(sorted(unknown))}: see --list")
    made = []
    for each, quota in zip(scenarios, quotas(scenarios, given.queries), strict=True):
        rounds = sorted(
            int(case.partition("#")[2] or 0) for case in cases if case.partition("#")[0] == each.name
        )
        if (not parts or each.part in parts) and (rounds or not cases):
            made.append((each, quota, rounds))
    return made


def record(rounds: list[tuple[Scenario, int, list[int]]], given: argparse.Namespace) -> Recording:
    """Asks everything, with a bar."""
    sheet, done = Sheet(), 0
    bar = Bar(sum(quota for _, quota, _ in rounds))
    for scenario, quota, only in rounds:
        for asked in scenario.run(sheet, given.seed, quota, only):
            bar(done + asked, scenario.name)
        done += quota
    bar.end()
    return Recording.of(sheet, about(given))


def about(given: argparse.Namespace) -> dict[str, Any]:
    """What the answers depend on, and where they come from."""
    asked = {name: getattr(given, name) for name in ("queries", "seed", "parts", "cases")}
    made = {"elbowroom": er.__file__, "python": platform.python_version(), "machine": platform.machine()}
    return {"asked": asked, "isa": er.isa, "made by": made}


if __name__ == "__main__":
    sys.exit(main())
