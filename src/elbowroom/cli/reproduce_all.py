"""`elbowroom reproduce all`: all papers in one report, with a count of the verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import elbowroom as er
from elbowroom.pictures.exhibits import Scene
from elbowroom.pictures.player import stage
from elbowroom.reproduce import PAPERS, Comparison, Paper, Settings
from elbowroom.reproduce import paper as find_paper
from elbowroom.reproduce.findings import KINDS, UNJUDGED, verdict_kind
from elbowroom.reproduce.motion_tree import grow, hook, obstacles

from .complaint import check_file, check_folder, write_json
from .display import progress_display
from .overwriting import write_page
from .report import shell, table
from .reproduce import Result, beside, check_settings, exhibited, machine, measured, run_under
from .stops import scene_bodies, scene_chain, scene_motion
from .stops.motion import motion_scene

REPORT = "elbowroom-papers.html"
#: Sizes that take some minutes in all; of what is asked for otherwise, only what differs from the default.
QUICK = Settings(steps=10_000, frames=5_000, checks=15_000)
HEADINGS = ("paper", "numbers", *KINDS, "not judged", "seconds")
TITLE = "Five papers, measured again"
LEAD = (
    "The tables and figures of the five papers behind the library, counted and timed on this machine, beside "
    "what the papers print. Reproduced: equal, or within a third of a cost. What differs says why."
)


@dataclass(frozen=True)
class Outcome:
    """A paper with what its chapters found, and the seconds that took."""

    paper: Paper
    settings: Settings
    results: Sequence[Result]
    seconds: float

    @property
    def comparisons(self) -> list[Comparison]:
        """Those of all chapters."""
        return [comparison for _, findings in self.results for comparison in findings.comparisons]

    def verdicts(self) -> dict[str, int]:
        """How many of each kind."""
        found = Counter(verdict_kind(comparison.verdict) for comparison in self.comparisons)
        return {kind: found[kind] for kind in (*KINDS, UNJUDGED)}

    def cells(self) -> list[str]:
        """Words and numbers under `HEADINGS`."""
        counts = self.verdicts()
        return [
            self.paper.name,
            str(sum(counts.values())),
            *(str(count) for count in counts.values()),
            f"{self.seconds:.0f}",
        ]


def reproduce_all(settings: Settings, out: Path, json_file: Path | None = None) -> int:
    """Run every paper, print how it went, write one report, and say where it is."""
    papers = [find_paper(name) for name in PAPERS]
    chosen = [sizes(paper, settings) for paper in papers]
    for paper, own in zip(papers, chosen, strict=True):
        check_settings(paper, own)
    check_folder("--out", out)
    check_file("--json", json_file)
    console = Console()
    start = perf_counter()
    outcomes = run_papers(papers, chosen, console)
    seconds = perf_counter() - start
    console.print(summary(outcomes))
    report = out / REPORT
    write_page(report, page(outcomes, seconds))
    write_json(json_file, told(outcomes, seconds))
    console.print(f"{len(outcomes)} papers in {seconds:.0f} s. Report:")
    print(report.resolve())  # not through rich, which would wrap a long path
    return 0


def sizes(paper: Paper, settings: Settings) -> Settings:
    """What a paper listens to: sizes that were asked for, else quick ones, or its own in a full run."""
    default, quick = Settings(), Settings() if settings.full else QUICK
    own = {name: getattr(quick, name) for name in paper.takes}
    asked = {name for name in paper.takes if getattr(settings, name) != getattr(default, name)}
    return replace(default, full=settings.full, **own | {name: getattr(settings, name) for name in asked})


def run_papers(papers: Sequence[Paper], chosen: Sequence[Settings], console: Console) -> list[Outcome]:
    """Run the papers one after the other under one progress display."""
    outcomes: list[Outcome] = []
    with progress_display(console) as display:
        task = display.add_task("starting", total=sum(len(paper.chapters) for paper in papers))
        for paper, settings in zip(papers, chosen, strict=True):
            display.console.print(f"[bold]{paper.name}[/] {paper.title}")
            start = perf_counter()
            results = list(run_under(display, task, paper, settings))
            outcomes.append(Outcome(paper, settings, results, perf_counter() - start))
    return outcomes


def summary(outcomes: Sequence[Outcome]) -> Table:
    """How many numbers of each paper came out how."""
    shown = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    for heading in HEADINGS:
        shown.add_column(heading, justify="left" if heading == HEADINGS[0] else "right")
    for outcome in outcomes:
        shown.add_row(*outcome.cells())
    return shown


def told(outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    """Every number, for the JSON file."""
    return {
        "machine": dict(machine(seconds)),
        "seconds": seconds,
        "verdicts": {outcome.paper.name: outcome.verdicts() for outcome in outcomes},
        "papers": [measured(one.paper, one.settings, list(one.results), one.seconds) for one in outcomes],
    }


def page(outcomes: Sequence[Outcome], seconds: float) -> str:
    """The report: one HTML page that needs nothing but itself."""
    titles = [("verdicts", "How it went"), *((one.paper.name, one.paper.title) for one in outcomes)]
    counts = table("Numbers, by their verdicts", HEADINGS, [one.cells() for one in outcomes])
    first = f'<section id="verdicts">\n<h2>How it went</h2>\n{counts}{_differing(outcomes)}</section>\n'
    body = first + "".join(_section(k, outcome) for k, outcome in enumerate(outcomes, 1))
    return shell(TITLE, LEAD, machine(seconds), titles, body)


def _differing(outcomes: Sequence[Outcome]) -> str:
    """What differs, and why, with how many numbers do for that reason."""
    reasons = Counter(
        (one.paper.name, comparison.verdict.partition(": ")[2] or comparison.verdict)
        for one in outcomes
        for comparison in one.comparisons
        if verdict_kind(comparison.verdict) == "differs"
    )
    rows = [[paper, str(count), why] for (paper, why), count in reasons.items()]
    return table("What differs, and why", ["paper", "numbers", "why"], rows, "measured") if rows else ""


def _section(number: int, outcome: Outcome) -> str:
    paper = outcome.paper
    sized = [
        f"{name} {value:,}"
        for name, value in asdict(outcome.settings).items()
        if _is_size(paper, name, value)
    ]
    parts = [
        f'<section id="{paper.name}">\n<h2>{number}. {escape(paper.title)}</h2>\n',
        f"<p>{escape(paper.lead)}</p>\n",
        f"<p>Sizes: {escape(', '.join(sized))}.</p>\n" if sized else "",
        stage(SCENES[paper.name]()),
        beside(outcome.comparisons),
    ]
    for chapter, findings in outcome.results:
        words = f"<summary>{escape(chapter.title)}</summary>\n<p>{escape(chapter.shows)}</p>\n"
        parts.append(f"<details>{words}{exhibited(findings)}</details>\n")
    return "".join([*parts, "</section>\n"])


def _is_size(paper: Paper, name: str, value: object) -> bool:
    return name in paper.takes and isinstance(value, int)


def _motion_scene() -> Scene:
    body, others = hook(), obstacles()
    return motion_scene(body, others, grow(er.MotionChecker(body, others), 400))


#: What is shown of each paper's method, to be turned and played.
SCENES: dict[str, Callable[[], Scene]] = {
    "chaintree": scene_chain.torsions,
    "cab": lambda: scene_bodies.hand(er.scenes.hand_and_ball(4_001)),
    "necklaces": scene_bodies.rolling,
    "motion": _motion_scene,
    "budget": scene_motion.budgeted,
}
