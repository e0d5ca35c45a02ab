"""What libraries can be asked, found by asking them: each twice, in processes that may crash or hang.

    python -m benchmarks.compare.run --json benchmarks/compare/results.json --page docs/comparison.md
    python -m benchmarks.compare.run --only FCL,Coal
    python -m benchmarks.compare.run --from benchmarks/compare/results.json --page docs/comparison.md

The last one makes the page again from answers that were kept.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.compare.engines import Bullet, Mujoco
from benchmarks.compare.other_libraries import NOT_RUN, Freud, MDAnalysis, Ompl
from benchmarks.compare.page import page
from benchmarks.compare.questions import QUESTIONS
from benchmarks.compare.rigid_libraries import Coal, Elbowroom, Fcl
from benchmarks.compare.seen import Library

LIBRARIES: dict[str, type[Library]] = {
    each.name: each for each in (Elbowroom, Fcl, Coal, Bullet, Mujoco, Ompl, MDAnalysis, Freud)
}
ORDER = ("-", "yes", "partly", "no", "not run")
PATIENCE = 900.0  # seconds for all questions to one library
MARK = "answers: "


def main() -> None:
    """Ask those that were named, show the table, write what was asked for."""
    settings = _settings()
    if settings.library:
        print(MARK + json.dumps(ask(settings.library)))
        return
    results = json.loads(settings.source.read_text()) if settings.source else {"libraries": {}}
    if settings.only or not settings.source:
        results = compare(settings.only or ",".join(LIBRARIES), results["libraries"])
    show(results)
    if settings.json:
        settings.json.write_text(json.dumps(results, indent=1) + "\n")
    if settings.page:
        settings.page.write_text(page(results), encoding="utf-8")


def _settings() -> argparse.Namespace:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument(
        "--only", help="names of libraries; with --from, these again and the others as they are"
    )
    made.add_argument("--json", type=Path, metavar="FILE", help="write the answers to FILE")
    made.add_argument("--page", type=Path, metavar="FILE", help="write the page to FILE")
    made.add_argument(
        "--from", type=Path, dest="source", metavar="FILE", help="answers that are there already"
    )
    made.add_argument("--library", choices=LIBRARIES, help=argparse.SUPPRESS)
    return made.parse_args()


def compare(only: str, kept: dict[str, Any]) -> dict[str, Any]:
    """The answers, with versions and the day; `kept` are those of libraries that are not asked again."""
    asked = {name: apart(name) for name in LIBRARIES if name in only.split(",")}
    return {
        "day": date.today().isoformat(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "questions": [
            {"key": each.key, "group": each.group, "title": each.title, "asked": each.asked}
            for each in QUESTIONS
        ],
        "libraries": {name: (kept | asked)[name] for name in LIBRARIES if name in kept | asked},
        "not run": NOT_RUN,
    }


def apart(name: str) -> dict[str, Any]:
    """Ask one library, twice."""
    library = LIBRARIES[name]
    facts = {"package": library.package, "version": library.version(), "about": library.about}
    if library.version() is None:
        return facts | {"failed": "not installed", "answers": {}}
    try:
        return facts | {"answers": both(_asked(name), _asked(name))}
    except subprocess.TimeoutExpired:
        return facts | {"failed": f"no answer in {PATIENCE:.0f} s", "answers": {}}
    except subprocess.CalledProcessError as error:
        return facts | {"failed": f"ended with status {error.returncode}", "answers": {}}


def _asked(name: str) -> dict[str, Any]:
    words = [sys.executable, "-m", "benchmarks.compare.run", "--library", name]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=True)
    told = next(line for line in done.stdout.splitlines() if line.startswith(MARK))
    return dict(json.loads(told.removeprefix(MARK)))


def both(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """The worse of two answers, and what was seen both times where that differs; times always do."""
    found = {}
    for key, one in first.items():
        other = second[key]
        worse = max(one, other, key=lambda each: ORDER.index(each["answer"]))
        if key != "threads" and one["what"] != other["what"]:
            worse = worse | {"what": f"{one['what']}; in a second run {other['what']}"}
        found[key] = worse
    return found


def ask(name: str) -> dict[str, Any]:
    """All questions, one after the other."""
    library = LIBRARIES[name]()
    return {question.key: asdict(question.put(library)) for question in QUESTIONS}


def show(results: dict[str, Any]) -> None:
    """The table in the terminal."""
    table = Table(title=f"asked on {results['day']}", title_justify="left")
    table.add_column("")
    for name, each in results["libraries"].items():
        table.add_column(f"{name}\n{each['version']}")
    for question in results["questions"]:
        answers = [each["answers"].get(question["key"], {}) for each in results["libraries"].values()]
        table.add_row(question["title"], *(each.get("answer", "not run") for each in answers))
    console = Console()
    console.width = max(console.width, 130)
    console.print(table)


if __name__ == "__main__":
    main()
