"""What the workloads share: interleaved timing, comparison of answers, tables, options, JSON."""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from rich.console import Console
from rich.table import Table

Array = NDArray[np.float64]
Run = Callable[[], ArrayLike]

RELATIVE = 1e-5
HEADINGS = (
    "us a query",
    "times as fast as rival",
    "differs from base",
    "judged",
    "it is wrong",
    "base is wrong",
)
PACKAGES = (
    "elbowroom",
    "python-fcl",
    "coal",
    "ompl",
    "trimesh",
    "numpy",
    "scipy",
    "numba",
    "vesin",
    "MDAnalysis",
    "pin",
    "example-robot-data",
    "yourdfpy",
    "mujoco",
    "pybullet",
)


@dataclass(frozen=True)
class Timing:
    """The fastest pass of a contestant over all inputs, and its answers."""

    seconds: float
    answers: Array


@dataclass(frozen=True)
class Difference:
    """One input on which a contestant and the base do not agree; truth is NaN where it was not judged."""

    contestant: str
    index: int
    answer: float
    base: float
    truth: float


@dataclass(frozen=True)
class Row:
    """One line of the table; seconds is None for answers that were not timed."""

    contestant: str
    seconds: float | None
    differs: int
    judged: int
    wrong: int
    base_wrong: int


def measure(contestants: Mapping[str, Run], repetitions: int) -> dict[str, Timing]:
    """Each contestant in turn over the same inputs, `repetitions` times; the minimum is kept.

    Taking turns spreads the slow phases of a shared machine over all of them.
    """
    best = dict.fromkeys(contestants, np.inf)
    answers: dict[str, Array] = {}
    for _ in range(repetitions):
        for name, run in contestants.items():
            seconds, given = _one_pass(run)
            best[name] = min(best[name], seconds)
            answers[name] = np.asarray(given, dtype=float)
    return {name: Timing(best[name], answers[name]) for name in contestants}


def _one_pass(run: Run) -> tuple[float, ArrayLike]:
    gc.collect()
    gc.disable()
    try:
        start = perf_counter()
        given = run()
        return perf_counter() - start, given
    finally:
        gc.enable()


def contest(
    title: str,
    contestants: Mapping[str, Run],
    untimed: Mapping[str, Array],
    truth: Callable[[int], float],
    floor: float,
    rival: str,
    settings: argparse.Namespace,
) -> dict[str, Any]:
    """Time the contestants, compare every answer with the first one's, print the table, return it all."""
    timings = measure(contestants, settings.repetitions)
    base = next(iter(timings))
    answers = {name: timing.answers for name, timing in timings.items()} | dict(untimed)
    rows: list[Row] = []
    found: list[Difference] = []
    for name, given in answers.items():
        differences = compare(name, given, answers[base], floor, truth, settings.judge)
        rows.append(summarise(name, timings[name].seconds if name in timings else None, differences, floor))
        found += differences
    show(tabulate(title, rows, len(answers[base]), rival, base), found)
    return {"title": title, "queries": len(answers[base]), "rows": rows, "differences": found}


def compare(
    name: str, answers: Array, base: Array, floor: float, truth: Callable[[int], float], limit: int
) -> list[Difference]:
    """Where two lists of answers differ by more than 1e-5 relative (or `floor`); `limit` of them are judged.

    NaN marks an input that was not asked. A negative distance means overlap, as 0 does.
    """
    theirs, ours = np.maximum(answers, 0), np.maximum(base, 0)
    allowed = floor + RELATIVE * np.maximum(theirs, ours)
    where = np.flatnonzero(np.abs(theirs - ours) > allowed)
    judged = [truth(int(i)) if k < limit else np.nan for k, i in enumerate(where)]
    return [
        Difference(name, int(i), float(answers[i]), float(base[i]), verdict)
        for i, verdict in zip(where, judged, strict=True)
    ]


def summarise(name: str, seconds: float | None, found: Sequence[Difference], floor: float) -> Row:
    """Counts of one contestant's differences, and of who was wrong in those that were judged."""
    judged = [one for one in found if not np.isnan(one.truth)]
    wrong = sum(not _close(one.answer, one.truth, floor) for one in judged)
    base_wrong = sum(not _close(one.base, one.truth, floor) for one in judged)
    return Row(name, seconds, len(found), len(judged), wrong, base_wrong)


def _close(answer: float, truth: float, floor: float) -> bool:
    return abs(max(answer, 0.0) - truth) <= floor + RELATIVE * truth


def tabulate(title: str, rows: Sequence[Row], count: int, rival: str, base: str) -> Table:
    """Microseconds a query, times as fast as `rival`, and the disagreements with `base`."""
    table = Table(title=f"{title}; rival: {rival}; base: {base}", title_justify="left")
    table.add_column("contestant")
    for heading in HEADINGS:
        table.add_column(heading, justify="right")
    rival_seconds = next((row.seconds for row in rows if row.contestant == rival), None)
    for row in rows:
        counts = (row.differs, row.judged, row.wrong, row.base_wrong)
        table.add_row(row.contestant, *_times(row.seconds, count, rival_seconds), *map(str, counts))
    return table


def _times(seconds: float | None, count: int, rival: float | None) -> tuple[str, str]:
    if seconds is None:
        return "-", "-"
    return f"{1e6 * seconds / count:.3f}", "-" if rival is None else f"{rival / seconds:.2f}"


def show(table: Table, found: Sequence[Difference] = (), listed: int = 5) -> None:
    """Print a table and the first few differences of each contestant below it."""
    console = Console()
    console.width = max(console.width, 130)
    console.print(table)
    shown: dict[str, int] = {}
    for one in found:
        shown[one.contestant] = shown.get(one.contestant, 0) + 1
        if shown[one.contestant] <= listed:
            values = f"{one.answer:.9g}, base {one.base:.9g}, truth {one.truth:.9g}"
            console.print(f"  {one.contestant}, input {one.index}: {values}")


def parser(description: str | None, repetitions: int) -> argparse.ArgumentParser:
    """The options that every workload has."""
    raw = argparse.RawDescriptionHelpFormatter
    made = argparse.ArgumentParser(description=description, formatter_class=raw)
    made.add_argument("--repetitions", type=int, default=repetitions, help="passes; minima are kept")
    made.add_argument("--judge", type=int, default=50, help="differences of each that the oracle judges")
    made.add_argument("--only", default="", help="comma-separated beginnings of contestants' names")
    made.add_argument("--json", type=Path, metavar="FILE", help="also write everything to FILE")
    return made


def parsed(made: argparse.ArgumentParser, quick: Mapping[str, Any]) -> argparse.Namespace:
    """What was asked for; --quick stands for other defaults."""
    made.add_argument("--quick", action="store_true", help="a small and short run, to see that it works")
    if made.parse_known_args()[0].quick:
        made.set_defaults(**quick)
    return made.parse_args()


def run_parts(
    workload: str,
    parts: Mapping[str, Callable[[argparse.Namespace], dict[str, Any]]],
    settings: argparse.Namespace,
    table: Callable[[str, list[Any]], Table],
) -> None:
    """Run the parts that were asked for, show which targets were reached, and save everything."""
    wanted = [name for name in parts if name in settings.parts.split(",")]
    results = {name: parts[name](settings) for name in wanted}
    reached = [line for one in results.values() for line in one.get("targets", [])]
    if reached:
        show(table("targets", reached))
    save(settings.json, workload, vars(settings), {**results, "targets": reached})


def chosen(names: Iterable[str], only: str) -> list[str]:
    """The contestants that take part: all, or those that begin with a word of `only`."""
    beginnings = tuple(word.strip() for word in only.split(","))
    found = [name for name in names if name.startswith(beginnings)]
    if not found:
        raise SystemExit(f"no contestant begins with {only!r}; there are: {', '.join(names)}")
    return found


def save(path: Path | None, workload: str, settings: Mapping[str, Any], results: Mapping[str, Any]) -> None:
    """Write results, settings, machine and versions as JSON, where a file was asked for."""
    if path is None:
        return
    plain = {key: value for key, value in settings.items() if key != "json"}
    whole = {"workload": workload, "machine": machine(), "versions": versions(), "settings": plain, **results}
    path.write_text(json.dumps(whole, indent=1, default=_plain) + "\n")


def _plain(value: Any) -> Any:
    """What json does not know: dataclasses, arrays, paths."""
    if isinstance(value, Row | Difference):
        return asdict(value)
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else str(value)


def machine() -> dict[str, Any]:
    """Processor, cores that may be used, system and Python."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": models[0] if models else platform.processor(),
        "cores": cores(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def cores() -> int:
    """Cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def versions() -> dict[str, str]:
    """Versions of the packages that take part."""
    return {name: metadata.version(name) for name in PACKAGES if any(metadata.distributions(name=name))}


def split(poses: Array) -> list[tuple[Array, Array]]:
    """Poses as (rotation, translation), contiguous: the form in which the peers take them."""
    return [(np.ascontiguousarray(pose[:3, :3]), pose[:3, 3].copy()) for pose in poses]
