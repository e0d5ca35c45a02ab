"""`elbowroom tour`: visits the stops, shows a table, writes the report."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress as Display
from rich.progress import TaskID
from rich.table import Table

from .complaint import check_file, check_folder, write_json
from .display import progress_display
from .overwriting import write_page
from .report import Visit, page
from .stops import STOPS, Progress, Stop
from .stops.stop import HEADINGS

REPORT = "elbowroom-tour.html"


class ShownProgress(Progress):
    """Shows the steps of the stops in the terminal."""

    def __init__(self, display: Display, task: TaskID, *, quick: bool) -> None:
        super().__init__(quick=quick)
        self._display, self._task = display, task

    def step(self, what: str) -> None:
        self._display.update(self._task, description=what)

    def done(self, number: int, stop: Stop, seconds: float) -> None:
        """Strike a stop off the list."""
        self._display.console.print(f"{number}  {stop.title} [dim]{seconds:.1f} s[/]")
        self._display.advance(self._task)


def take_tour(out: Path, *, quick: bool = False, json_file: Path | None = None) -> int:
    """Visit every stop, print the table, write the report, and say where it is."""
    check_folder("--out", out)
    check_file("--json", json_file)
    console = Console()
    start = perf_counter()
    visits = visit(STOPS, console, quick=quick)
    seconds = perf_counter() - start
    console.print(summary(visits))
    report = out / REPORT
    write_page(report, _page(visits, seconds))
    write_json(json_file, measured(visits, seconds))
    console.print(f"{len(visits)} sections in {seconds:.1f} s. Report:")
    print(report.resolve())  # not through rich, which would wrap a long path
    return 0


def visit(stops: tuple[Stop, ...], console: Console, *, quick: bool) -> list[Visit]:
    """Run the stops one after the other under a progress display."""
    visits: list[Visit] = []
    with progress_display(console) as display:
        progress = ShownProgress(display, display.add_task("starting", total=len(stops)), quick=quick)
        for number, stop in enumerate(stops, 1):
            start = perf_counter()
            visits.append((stop, stop.run(progress)))
            progress.done(number, stop, perf_counter() - start)
    return visits


def summary(visits: list[Visit]) -> Table:
    """The closing table: every measurement, by the number of the stop."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("")
    table.add_column(HEADINGS[0], no_wrap=True)
    for heading in HEADINGS[1:-1]:
        table.add_column(heading.replace(" ", "\n"), justify="right", no_wrap=True)
    table.add_column(HEADINGS[-1])
    for number, (_, section) in enumerate(visits, 1):
        for row in section.rows:
            table.add_row(str(number), *row.cells())
        table.add_section()
    return table


def measured(visits: list[Visit], seconds: float) -> dict[str, Any]:
    """The same figures, for the JSON file."""
    return {
        "machine": dict(machine_facts(seconds)),
        "seconds": seconds,
        "stops": [
            {
                "title": stop.title,
                "rows": [
                    {
                        "what": row.what,
                        "queries": row.queries,
                        "microseconds": row.microseconds,
                        "counters": dict(row.counters),
                        "answer": row.answer,
                    }
                    for row in section.rows
                ],
                "figures": dict(section.figures),
            }
            for stop, section in visits
        ],
    }


def _page(visits: list[Visit], seconds: float) -> str:
    lead = (
        "Queries of every kind on built-in scenes, measured on this machine. Scenes can be rotated and "
        "played. Where a paper gives counts, they are shown next to ours."
    )
    return page("A tour of elbowroom", lead, machine_facts(seconds), visits)


def machine_facts(seconds: float) -> list[tuple[str, str]]:
    """What a report says of where and how long it ran."""
    return [
        ("elbowroom", version("elbowroom")),
        ("Python", platform.python_version()),
        ("NumPy", np.__version__),
        ("machine", f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"),
        ("tour", f"{seconds:.1f} s"),
    ]
