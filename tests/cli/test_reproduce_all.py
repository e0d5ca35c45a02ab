"""All papers in one report: what each of them is run with, and how the verdicts are counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import Show
from test_reproduce import Reader, complaint

from elbowroom.cli import reproduce_all
from elbowroom.reproduce import PAPERS, Paper, Settings, paper
from elbowroom.reproduce.findings import judge, verdict_kind

pytestmark = pytest.mark.reproduce

Ask = Callable[..., tuple[int, str, str]]

#: Of each paper the chapter that takes least.
QUICKEST = {"chaintree": 3, "cab": 6, "necklaces": 1, "motion": 0, "budget": 2}
SMALL = ("--steps", 50, "--frames", 20, "--nodes", 100, "--checks", 5000)


def quickest(name: str) -> Paper:
    whole = paper(name)
    return replace(whole, chapters=whole.chapters[QUICKEST[name] :][:1])


@pytest.fixture
def run(ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, str, dict[str, Any]]:
    """The command with one chapter of each paper: its report, what it said, and its figures."""
    monkeypatch.setattr(reproduce_all, "find_paper", quickest)
    figures = tmp_path / "figures.json"
    status, out, err = ask("reproduce", "all", *SMALL, "--out", tmp_path / "new", "--json", figures)
    assert (status, err) == (0, "")
    return tmp_path / "new" / "elbowroom-papers.html", out, json.loads(figures.read_text())


def test_one_report_of_all_papers(run: tuple[Path, str, dict[str, Any]], show: Show) -> None:
    report, said, figures = run
    assert said.splitlines()[-1] == str(report.resolve())
    assert all(name in said for name in (*PAPERS, "reproduced", "better", "differs"))
    reader = Reader()
    reader.feed(report.read_text(encoding="utf-8"))
    assert all(link.startswith(("data:image/", "#")) for link in reader.links)
    assert reader.tags.count("section") == 1 + len(PAPERS) and reader.tags.count("canvas") == len(PAPERS)
    assert reader.tags.count("details") == len(PAPERS)
    _judge_figures(figures)
    _judge_page(report, figures, show)


def _judge_figures(figures: dict[str, Any]) -> None:
    """Every number is there, and is counted once."""
    assert [one["paper"] for one in figures["papers"]] == list(PAPERS) == list(figures["verdicts"])
    for one in figures["papers"]:
        rows = [row for chapter in one["chapters"] for row in chapter["comparisons"]]
        counts = figures["verdicts"][one["paper"]]
        assert sum(counts.values()) == len(rows)
        assert counts["differs"] == sum(row["verdict"].startswith("differs") for row in rows)
        assert not any(row["verdict"] in ("differs", "better") for row in rows)  # they say why


def _judge_page(report: Path, figures: dict[str, Any], show: Show) -> None:
    """A verdict on each row, in words and by a mark; scenes are drawn, and chapters fold out."""
    shown = show(report, still=True)
    for kind in ("reproduced", "better", "differs"):
        marked = shown.page.locator(f"tr.{kind} td:last-child").all_inner_texts()
        assert all(words.startswith(kind) for words in marked)
        assert len(marked) == sum(counts[kind] for counts in figures["verdicts"].values())
    scene = shown.page.locator("#necklaces .scene")
    scene.scroll_into_view_if_needed()
    scene.locator("canvas[data-drawn]").wait_for()
    picture = shown.page.locator("#necklaces details img").first
    assert not picture.is_visible()
    shown.page.locator("#necklaces summary").click()
    assert picture.is_visible()
    shown.judge()


def test_each_paper_gets_what_it_listens_to() -> None:
    asked = Settings(steps=77, nodes=500)
    chain, motion, budget = (
        reproduce_all.sizes(paper(name), asked) for name in ("chaintree", "motion", "budget")
    )
    assert (chain.steps, chain.nodes) == (77, Settings.nodes)
    assert (motion.steps, motion.nodes) == (Settings.steps, 500)
    assert budget == Settings(checks=reproduce_all.QUICK.checks)
    assert reproduce_all.sizes(paper("budget"), Settings(full=True)) == Settings(full=True)


def test_sizes_that_make_no_sense_are_refused_before_anything_runs(ask: Ask, tmp_path: Path) -> None:
    assert "--nodes: must be at least 100" in complaint(ask("reproduce", "all", "--nodes", 5))
    assert "--json: " in complaint(ask("reproduce", "all", "--out", tmp_path, "--json", tmp_path))
    assert "choose chaintree, cab, necklaces, motion, budget or all" in complaint(ask("reproduce", "al"))


def test_kinds_of_verdicts() -> None:
    for ours, kind in ((100, "reproduced"), (10, "better"), (1000, "differs")):
        assert verdict_kind(judge(ours, 100, "fewer", "more")) == kind
    assert verdict_kind("not in the paper") == "unjudged"
