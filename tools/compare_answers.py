#!/usr/bin/env python3
"""Compares two recordings of record_answers.py, and says which answers of the two builds differ.

Verdicts, statuses and named pairs must be the same, values within the tolerance relative to the scale of the
scene, and the counters of the work must be the same too: the same input gives the same counters. The exit
status is 1 if anything differs and 2 if the files cannot be compared. With builds for different
instructions (er.isa) values are compared with a tolerance of at least 1e-6, and counters are left out; what
depends on the order of the search can still differ: any contact of several, bounds on a budget.

For example:
  tools/compare_answers.py before.npz after.npz
  tools/compare_answers.py before.npz after.npz --no-counters      after a change of the search order
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from answers.comparing import Comparison, Part, compare, obstacle
from answers.sheet import Recording

HEADINGS = ("part", "queries", "verdicts", "pairs", "values", "largest", "counters", "other rounds")
ACROSS_ISAS = 1e-6


def main() -> int:
    """Compares, and prints a table."""
    given = arguments()
    try:
        a, b = Recording.load(given.a), Recording.load(given.b)
    except (OSError, ValueError) as error:
        return refuse(str(error))
    if obstacle(a, b):
        return refuse(f"{given.a} and {given.b} cannot be compared: {obstacle(a, b)}")
    tolerance, counters = given.tolerance, not given.no_counters
    if a.about["isa"] != b.about["isa"]:
        tolerance, counters = max(tolerance, ACROSS_ISAS), False
        print(f"{a.about['isa']} and {b.about['isa']}: tolerance {tolerance:g}, counters are left out")
    found = compare(a, b, tolerance, counters=counters, listed=given.cases)
    show(found, a, given.b)
    return int(any(part.differs or part.counters for part in found.parts.values()))


def refuse(why: str) -> int:
    """Says why, and how it ends."""
    print(f"compare_answers.py: {why}", file=sys.stderr)
    return 2


def arguments() -> argparse.Namespace:
    """What was asked for."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("a", metavar="A", type=Path, help="a recording")
    parser.add_argument("b", metavar="B", type=Path, help="another")
    parser.add_argument(
        "--tolerance", type=float, default=1e-12, help="of values, relative to the scale (1e-12)"
    )
    parser.add_argument("--no-counters", action="store_true", help="leave the counters of the work out")
    parser.add_argument(
        "--cases", type=int, default=5, help="how many queries that differ to list of a part (5)"
    )
    return parser.parse_args()


def show(found: Comparison, a: Recording, second: Path) -> None:
    """The table, and the first queries that differ with what repeats them."""
    rows = [HEADINGS, *(line(name, part) for name, part in found.parts.items())]
    widths = [max(len(row[k]) for row in rows) for k in range(len(HEADINGS))]
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
        ]
        print("  ".join(cells))
    if not any(part.differs or part.counters for part in found.parts.values()):
        print("no differences")
        return
    asked = a.about["asked"]
    print(f"\nthe first that differ, A -> B (seed {asked['seed']}):")
    for case in found.cases:
        print(f"  {case}")
    repeat = found.cases[0].split(",")[0].split(":")[0]
    options = f"--queries {asked['queries']} --seed {asked['seed']} --cases '{repeat}'"
    print(f"\nto repeat one round with either build: tools/record_answers.py OUT {options}")


def line(name: str, part: Part) -> tuple[str, ...]:
    """One row of the table."""
    counts = (part.verdicts, part.pairs, part.values)
    largest = f"{part.largest:.1e}" if part.largest else "0"
    return name, f"{part.queries:,}", *map(str, counts), largest, str(part.counters), str(part.lost)


if __name__ == "__main__":
    sys.exit(main())
