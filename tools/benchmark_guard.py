#!/usr/bin/env python3
"""Says whether a build of elbowroom became slower: key benchmarks of two builds that take turns.

A build is a Python interpreter, or a folder to put on PYTHONPATH of this interpreter. Each has a process of
its own. The table gives the least processor times, their ratio, and the median of the ratios of runs next to
each other; the spread is half the distance of their quartiles. What is more than 3 % slower beyond its spread
is marked, and the exit status is 1 then, also if the builds computed something else. Keep other work off the
machine.

For example:
  tools/benchmark_guard.py --before old/venv/bin/python --after new/venv/bin/python
  taskset -c 0 tools/benchmark_guard.py --before /tmp/old/src --after src --repeats 31
  tools/benchmark_guard.py --before /tmp/old/src --after src --only 'pivots,mesh'
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from answers.guard import Build, Row, measure
from answers.progress import Bar

HEADINGS = ("benchmark", "before, ms", "after, ms", "after/before", "median", "spread", "")


def main() -> int:
    """Measures, and prints a table."""
    given = arguments()
    try:
        with Build(given.before) as before, Build(given.after) as after:
            for build in (before, after):
                print(f"{build.given}: {build.about['elbowroom']}, {build.about['isa']}")
            names = [name for name in before.names if name.startswith(tuple(given.only.split(",")))]
            rows = list(measured(names, before, after, given.repeats))
    except (ValueError, OSError) as error:
        print(f"benchmark_guard.py: {error}", file=sys.stderr)
        return 2
    show(rows, given.limit)
    return int(any(row.slower(given.limit) or not row.same for row in rows))


def arguments() -> argparse.Namespace:
    """What was asked for."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--before", metavar="PYTHON_OR_PATH", required=True, help="the build to compare with")
    parser.add_argument(
        "--after", metavar="PYTHON_OR_PATH", required=True, help="the build that may be slower"
    )
    parser.add_argument("--repeats", type=int, default=15, help="runs of each benchmark by each build (15)")
    parser.add_argument("--only", default="", help="beginnings of names, separated by commas")
    parser.add_argument("--limit", type=float, default=0.03, help="how much slower is marked (0.03)")
    given = parser.parse_args()
    if given.repeats < 1:
        parser.error("--repeats must be at least 1")
    return given


def measured(names: list[str], before: Build, after: Build, repeats: int) -> Iterator[Row]:
    """One benchmark after the other, with a bar."""
    bar = Bar(len(names))
    for k, name in enumerate(names):
        bar(k, name)
        yield measure(name, before, after, repeats)
    bar.end()


def show(rows: list[Row], limit: float) -> None:
    """The table."""
    table = [HEADINGS, *(cells(row, limit) for row in rows)]
    widths = [max(len(line[k]) for line in table) for k in range(len(HEADINGS))]
    for line in table:
        numbers = (cell.rjust(width) for cell, width in zip(line[1:-1], widths[1:], strict=False))
        print("  ".join((line[0].ljust(widths[0]), *numbers, line[-1])).rstrip())


def cells(row: Row, limit: float) -> tuple[str, ...]:
    """One line of it."""
    marks = ["slower"] * row.slower(limit) + ["computed something else"] * (not row.same)
    times = (f"{1e3 * row.before:.2f}", f"{1e3 * row.after:.2f}")
    return row.name, *times, f"{row.best:.3f}", f"{row.median:.3f}", f"{row.spread:.3f}", ", ".join(marks)


if __name__ == "__main__":
    sys.exit(main())
