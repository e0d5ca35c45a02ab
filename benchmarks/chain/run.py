"""W1: self-collision of a chain of balls, one torsion a step; and pivots of an equilibrated chain.

Unit balls, 4 apart on a serpentine that fills a cube. A step turns all balls beyond a random bond by up to 10
degrees about it, asks whether any two touch, and undoes the turn if so. In "mc" accepted moves are kept, and
the chain unfolds; in "stay" they are undone too, and it remains compact.

    python -m benchmarks.chain.run --json chain.json
    python -m benchmarks.chain.run --quick
    python -m benchmarks.chain.run --sizes 10000 --only elbowroom,grid --rounds 3 --pivots ""
"""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np
from rich.table import Table

from benchmarks import common
from benchmarks.chain import pivots, torsions
from benchmarks.chain.torsions import CALLS, COAL, CORE, GRID, Moves, Trace
from benchmarks.common import Array, Difference
from elbowroom import scenes

Traces = dict[str, Trace]
Results = dict[tuple[int, str], Traces]
MODES = {"mc": False, "stay": True}
AMONG, LARGE = 10_000, 1_000_000  # the sizes that the targets speak of
RELATIVE = f"calls, relative to {AMONG}"
ORACLE = "k-d tree, some steps"
QUICK = {"sizes": "1000", "seconds": 0.3, "repetitions": 2, "steps": 1000, "pivots": "1000", "attempts": 2000}
SAW_TREE = {1_000: 3.4, 65_000: 8.1, 1_000_000: 27.0}  # Clisby's, in C++ on the cubic lattice, not run here


@dataclass(frozen=True)
class Target:
    """A figure, and what it should be at least or at most."""

    name: str
    seen: float
    at_least: float = -math.inf
    at_most: float = math.inf

    def shown(self) -> dict[str, Any]:
        least = self.at_most == math.inf
        wanted = f"at least {self.at_least:g}" if least else f"at most {self.at_most:g}"
        reached = "yes" if self.at_least <= self.seen <= self.at_most else "no"
        reached = "not run" if math.isnan(self.seen) else reached
        return {"name": self.name, "seen": self.seen, "wanted": wanted, "reached": reached}


def ask(size: int, mode: str, names: list[str], settings: argparse.Namespace) -> dict[str, Any]:
    """One size and mode: run everybody who can, compare the verdicts, print the table."""
    start, stay = scenes.serpentine(size), MODES[mode]
    moves = torsions.random_moves(size, settings.steps)
    traces = torsions.rounds(names, start, moves, stay, settings.seconds, settings.repetitions)
    found = differences(traces, start, moves, stay, settings)
    rows = [row(name, traces, found[name]) for name in traces]
    if ORACLE in found:
        rows.append({"contestant": ORACLE, **counts(found[ORACLE])})
    title = f"{mode}: {size} balls; microseconds a step, and ours over the same first steps"
    common.show(tabulate(title, rows), [one for some in found.values() for one in some])
    rungs = {name: {k: trace.microseconds(k) for k in trace.seconds} for name, trace in traces.items()}
    return {"size": size, "mode": mode, "rows": rows, "rungs": rungs, "traces": traces}


def differences(
    traces: Traces, start: Array, moves: Moves, stay: bool, settings: argparse.Namespace
) -> dict[str, list[Difference]]:
    """Verdicts unlike the first contestant's. In "mc" chains part ways at the first, so only that is told."""
    base = next(iter(traces.values())).hits
    truth = torsions.truth(start, moves, base, stay)
    found = {}
    for name, trace in traces.items():
        count = min(len(base), trace.steps)
        unlike = np.flatnonzero(trace.hits[:count] != base[:count])
        end = count if stay or not len(unlike) else int(unlike[0]) + 1
        given, expected = trace.hits[:end].astype(float), base[:end].astype(float)
        found[name] = common.compare(name, given, expected, 0.0, truth, settings.judge)
    if stay and settings.oracle:
        known = np.full(len(base), np.nan)
        for step in np.unique(np.linspace(0, len(base) - 1, settings.oracle).astype(int)):
            known[step] = truth(int(step))
        found[ORACLE] = common.compare(ORACLE, known, base.astype(float), 0.0, truth, settings.judge)
    return found


def counts(found: list[Difference]) -> dict[str, int]:
    one = common.summarise("", None, found, 0.0)
    return {"differs": one.differs, "wrong": one.wrong, "base wrong": one.base_wrong}


def row(name: str, traces: Traces, found: list[Difference]) -> dict[str, Any]:
    """One contestant, and ours over the same steps."""
    trace = traces[name]
    own = trace.microseconds(trace.steps)
    calls, core = (traces.get(ours, Trace()).microseconds(trace.steps) for ours in (CALLS, CORE))
    return {
        "contestant": name,
        "steps": trace.steps,
        "accepted": 1.0 - float(trace.hits.mean()),
        "us": own,
        "calls, us": calls,
        "own loop, us": core,
        "over calls": own / calls,
        "over own loop": own / core,
        **counts(found),
    }


def tabulate(title: str, rows: list[dict[str, Any]]) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in rows[0]:
        name = heading in ("contestant", "name")
        table.add_column(heading, justify="left" if name else "right", no_wrap=name)
    for one in rows:
        table.add_row(*(_text(one.get(heading)) for heading in rows[0]))
    return table


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return str(value)


def growth(results: Results) -> list[dict[str, Any]]:
    """Our chain alone: size by size, from Python and in its own loop."""
    lines = []
    for (size, mode), traces in results.items():
        calls, core = (traces.get(name, Trace()) for name in (CALLS, CORE))
        steps = max(calls.steps, core.steps)
        times = calls.microseconds(steps), core.microseconds(steps)
        base = results.get((AMONG, mode), {}).get(CALLS, Trace()).microseconds(steps)
        lines.append(
            {
                "mode": mode,
                "balls": size,
                "steps": steps,
                "calls, us": times[0],
                "own loop, us": times[1],
                "calls less own loop, us": times[0] - times[1],
                RELATIVE: times[0] / base,
                "bytes a link": calls.bytes_a_link,
            }
        )
    return sorted(lines, key=lambda one: (one["mode"], one["balls"]))


def over(results: Results, mode: str, rival: str) -> float:
    """How many times as long the rival takes as our calls, over the steps that it made."""
    traces = results.get((AMONG, mode), {})
    if rival not in traces or CALLS not in traces:
        return math.nan
    steps = traces[rival].steps
    return traces[rival].microseconds(steps) / traces[CALLS].microseconds(steps)


def targets(results: Results, lines: list[dict[str, Any]]) -> list[Target]:
    """What was predicted beside what is seen now; the costs of calls and of memory at their worst."""
    grown = [one for one in lines if one["balls"] == LARGE]
    rivals = (("mc", GRID, 80.0), ("mc", COAL, 1200.0), ("stay", GRID, 120.0))
    return [
        *(Target(f"{m}, {AMONG}: {r} over calls", over(results, m, r), at_least=x) for m, r, x in rivals),
        *(Target(f"{one['mode']}: {LARGE} over {AMONG}", one[RELATIVE], at_most=3.0) for one in grown),
        Target("calls less own loop, us", _worst("calls less own loop, us", lines), at_most=0.3),
        Target("bytes a link", _worst("bytes a link", lines), at_most=64.0),
    ]


def _worst(key: str, lines: list[dict[str, Any]]) -> float:
    return max((one[key] for one in lines if not math.isnan(one[key])), default=math.nan)


def run_pivots(settings: argparse.Namespace) -> list[dict[str, Any]]:
    """One line a size; the lattice figures of others are quoted, not measured."""
    sizes = _numbers(settings.pivots) + ([LARGE] if settings.full else [])
    lines = []
    for size in sizes:
        oracle, count = settings.oracle, settings.attempts
        line = pivots.measure(size, settings.equilibrate, count, settings.repetitions, oracle)
        named = {key.replace("_", " "): value for key, value in asdict(line).items()}
        lines.append({**named, "SAW-tree, quoted": SAW_TREE.get(size)})
    if lines:
        common.show(tabulate("pivots: one random rotation, test, undo if it collides", lines))
    return lines


def _numbers(text: str) -> list[int]:
    return [int(float(word)) for word in text.split(",") if word.strip()]


def options() -> argparse.Namespace:
    made = common.parser(__doc__, repetitions=5)
    made.add_argument("--rounds", type=int, dest="repetitions", default=argparse.SUPPRESS, help="the same")
    made.add_argument("--sizes", default="1000,10000,100000,1000000", help="balls of the serpentine")
    made.add_argument("--together", type=int, default=AMONG, help="above this size elbowroom runs alone")
    made.add_argument("--modes", default="mc,stay")
    made.add_argument("--steps", type=int, default=20_000, help="moves of those that are fast enough")
    made.add_argument("--seconds", type=float, default=5.0, help="about the longest turn of a contestant")
    made.add_argument("--oracle", type=int, default=5, help="verdicts that a k-d tree is asked for as well")
    made.add_argument("--pivots", default="1000,65000", help="links of the chains that pivot; empty for none")
    made.add_argument("--attempts", type=int, default=100_000, help="pivots a round")
    made.add_argument("--equilibrate", type=float, default=5.0, help="pivots a link before the clock runs")
    made.add_argument("--full", action="store_true", help=f"pivots of {LARGE} links as well")
    return common.parsed(made, QUICK)


def main() -> None:
    settings = options()
    names = torsions.present(common.chosen(torsions.CONTESTANTS, settings.only))
    modes = [mode for mode in MODES if mode in settings.modes.split(",")]
    asked = []
    for size, mode in product(_numbers(settings.sizes), modes):
        able = [name for name in names if size <= settings.together or name in torsions.ALONE]
        asked += [ask(size, mode, able, settings)] if able else []
    results: Results = {(one["size"], one["mode"]): one.pop("traces") for one in asked}
    lines = growth(results) if CALLS in names or CORE in names else []
    reached = targets(results, lines) if lines else []
    if lines:
        common.show(tabulate("elbowroom alone", lines))
        common.show(tabulate("targets", [one.shown() for one in reached]))
    turned = run_pivots(settings) if CALLS in names else []
    whole = {"tables": asked, "growth": lines, "targets": [one.shown() for one in reached], "pivots": turned}
    common.save(settings.json, "chain", vars(settings), whole)


if __name__ == "__main__":
    main()
