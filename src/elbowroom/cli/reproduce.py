"""`elbowroom reproduce`: a paper's tables and figures, measured again, beside the paper's own numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table

from elbowroom.reproduce import PAPERS, Chapter, Comparison, Findings, Paper, Settings
from elbowroom.reproduce import paper as find_paper
from elbowroom.reproduce.findings import verdict_kind

from .complaint import Complaint, check_file, check_folder, write_json
from .display import progress_display
from .overwriting import write_page
from .report import figure, shell, table
from .stops.stop import short
from .tour import machine_facts

Result = tuple[Chapter, Findings]

ALL = "all"  # in place of a paper's name
HEADINGS = ("what", "ours", "paper", "verdict")


def reproduce(name: str, settings: Settings, out: Path, json_file: Path | None = None) -> int:
    """Run every chapter, print the comparisons, write the report, and say where it is."""
    if name == ALL:
        from .reproduce_all import reproduce_all

        return reproduce_all(settings, out, json_file)
    paper = _known(name)
    check_settings(paper, settings)
    check_folder("--out", out)
    check_file("--json", json_file)
    console = Console()
    start = perf_counter()
    results = run_chapters(paper, settings, console)
    seconds = perf_counter() - start
    console.print(summary(results))
    report = out / f"elbowroom-{paper.name}.html"
    write_page(report, page(paper, results, seconds))
    write_json(json_file, measured(paper, settings, results, seconds))
    console.print(f"{len(results)} sections in {seconds:.1f} s. Report:")
    print(report.resolve())  # not through rich, which would wrap a long path
    return 0


def _known(name: str) -> Paper:
    if name not in PAPERS:
        raise Complaint(f"PAPER: unknown paper '{name}'; choose {', '.join(PAPERS)} or {ALL}")
    return find_paper(name)


def check_settings(paper: Paper, settings: Settings) -> None:
    """Complain about settings that the paper does not listen to, or that make no sense."""
    for option, default in asdict(Settings()).items():
        if option != "full" and option not in paper.takes and getattr(settings, option) != default:
            raise Complaint(f"--{option}: not supported for '{paper.name}'; remove it")
    if settings.steps < 1:
        raise Complaint(f"--steps: must be at least 1, got {settings.steps}")
    if settings.frames < 1:
        raise Complaint(f"--frames: must be at least 1, got {settings.frames}")
    if settings.nodes < 100:
        raise Complaint(f"--nodes: must be at least 100, got {settings.nodes}")
    if settings.checks < 5_000:
        raise Complaint(f"--checks: must be at least 5,000, got {settings.checks:,}")
    if not 0 < settings.step <= 180:
        raise Complaint(f"--step: must be above 0 and at most 180 degrees, got {settings.step:g}")
    for file in settings.pdb:
        if not file.is_file():
            raise Complaint(f"--pdb: no such file '{file}'; expected a PDB or mmCIF file")
        try:
            if paper.reads is not None:
                paper.reads(file)
        except (ImportError, OSError, ValueError) as error:
            raise Complaint(f"--pdb: cannot read '{file}' ({error})") from error


def run_chapters(paper: Paper, settings: Settings, console: Console) -> list[Result]:
    """Run the chapters one after the other under a progress display."""
    with progress_display(console) as display:
        task = display.add_task("starting", total=len(paper.chapters))
        return list(run_under(display, task, paper, settings))


def run_under(display: Progress, task: TaskID, paper: Paper, settings: Settings) -> Iterator[Result]:
    """The same under a display that is there already, which moves on by one for each chapter."""
    for number, chapter in enumerate(paper.chapters, 1):
        start = perf_counter()
        findings = chapter.run(settings, lambda what: display.update(task, description=what))
        display.console.print(f"{number}  {chapter.title} [dim]{perf_counter() - start:.1f} s[/]")
        display.advance(task)
        yield chapter, findings


def summary(results: list[Result]) -> Table:
    """Every comparison, by the number of its chapter."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("")
    table.add_column(HEADINGS[0], no_wrap=True)
    for heading in HEADINGS[1:3]:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column(HEADINGS[3])
    for number, (_, findings) in enumerate(results, 1):
        for comparison in findings.comparisons:
            table.add_row(str(number), *_cells(comparison))
        table.add_section()
    return table


def _cells(comparison: Comparison) -> tuple[str, ...]:
    paper = "" if comparison.paper is None else short(comparison.paper)
    return (comparison.what, short(comparison.ours), paper, comparison.verdict)


def measured(paper: Paper, settings: Settings, results: list[Result], seconds: float) -> dict[str, Any]:
    """Every number, for the JSON file."""
    return {
        "paper": paper.name,
        "title": paper.title,
        "machine": dict(machine(seconds)),
        "settings": asdict(settings) | {"pdb": [str(file) for file in settings.pdb]},
        "seconds": seconds,
        "chapters": [
            {
                "title": chapter.title,
                "comparisons": [asdict(comparison) for comparison in findings.comparisons],
                "figures": dict(findings.figures),
            }
            for chapter, findings in results
        ],
    }


def page(paper: Paper, results: list[Result], seconds: float) -> str:
    """The report: one HTML page that needs nothing but itself."""
    titles = [(f"chapter-{k}", chapter.title) for k, (chapter, _) in enumerate(results, 1)]
    chapters = "".join(_section(k, *result) for k, result in enumerate(results, 1))
    return shell(paper.title, paper.lead, machine(seconds), titles, chapters)


def _section(number: int, chapter: Chapter, findings: Findings) -> str:
    parts = [
        f'<section id="chapter-{number}">\n<h2>{number}. {escape(chapter.title)}</h2>\n',
        f"<p>{escape(chapter.shows)}</p>\n",
        beside(findings.comparisons),
        exhibited(findings),
        "</section>\n",
    ]
    return "".join(parts)


def beside(comparisons: Sequence[Comparison]) -> str:
    """Every number of ours beside the paper's as HTML, with a verdict."""
    marks = [verdict_kind(comparison.verdict) for comparison in comparisons]
    return table("Our results and the paper's", HEADINGS, map(_cells, comparisons), "measured", marks)


def exhibited(findings: Findings) -> str:
    """The plots and tables of a chapter as HTML."""
    pictures = "".join(figure(picture) for picture in findings.plots)
    tables = "".join(table(t.caption, t.headings, t.rows) for t in findings.tables)
    return f'<div class="pictures">{pictures}</div>\n{tables}'


def machine(seconds: float) -> list[tuple[str, str]]:
    """The facts of the tour's report, under the name of this command."""
    return [(name if name != "tour" else "run", value) for name, value in machine_facts(seconds)]
