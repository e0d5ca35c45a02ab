"""The page of the comparison, made from the answers: one table, then what was seen."""

from __future__ import annotations

import re
from typing import Any

from benchmarks.compare.questions import GROUPS

HEAD = """# Comparison

What elbowroom and its neighbours can be asked in Python. Answers were found by asking: with the defaults that
each library comes with, twice, about scenes of which the truth is known, by brute force or because they were
made so. Where a library has no call for a question, "no" says what it has instead; what was not run is said
to be. How fast they are is another question, which the benchmarks answer.

Asked on {day} with Python {python} on {system}, by `python -m benchmarks.compare.run`, which writes this
page.
"""
KEY = """**yes**: right about all of the scene. **partly**: some answers are wrong or less exact than asked,
and below is how. **no**: wrong, or there is no call for it. An empty field: not what the library is for.
Bullet and MuJoCo simulate, OMPL plans, MDAnalysis and freud analyse particles: "no" to what is not their
business is no blame.
"""
WORDS = {"-": "", "yes": "**yes**"}


def page(results: dict[str, Any]) -> str:
    """All of it, as Markdown."""
    head = HEAD.format(**{name: results[name] for name in ("day", "python", "system")})
    parts = [
        head,
        "## Who was asked",
        _who(results),
        "## Answers\n",
        KEY,
        _table(results),
        "## What was seen",
    ]
    parts += [_seen(results, group, title) for group, title in GROUPS.items()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def _who(results: dict[str, Any]) -> str:
    rows = ["| library | package | version | |", "| --- | --- | --- | --- |"]
    for name, each in results["libraries"].items():
        about = f"{each['about']}; {each['failed']}" if "failed" in each else each["about"]
        rows.append(f"| {name} | {each['package']} | {each['version'] or 'not run'} | {about} |")
    rows += [f"| {name} | | not run | {why} |" for name, why in results["not run"].items()]
    return "\n".join(["", *rows, ""])


def _table(results: dict[str, Any]) -> str:
    names = list(results["libraries"])
    rows = [f"| | {' | '.join(names)} |", "| --- |" + " :-: |" * len(names)]
    for question in results["questions"]:
        answers = [_answer(results, name, question["key"])["answer"] for name in names]
        rows.append(f"| {question['title']} | {' | '.join(WORDS.get(each, each) for each in answers)} |")
    return "\n".join(["", *rows, ""])


def _answer(results: dict[str, Any], name: str, key: str) -> dict[str, Any]:
    found: dict[str, Any] = results["libraries"][name]["answers"].get(key, {"answer": "not run", "what": ""})
    return found


def _seen(results: dict[str, Any], group: str, title: str) -> str:
    """Each question of a group, and what each library that was asked said."""
    lines = [f"\n### {title}\n"]
    for question in results["questions"]:
        if question["group"] == group:
            lines += [
                f"**{question['title']}.** {question['asked']}\n",
                *_lines(results, question["key"]),
                "",
            ]
    return "\n".join(lines)


def _lines(results: dict[str, Any], key: str) -> list[str]:
    """Libraries that said the same share a line."""
    said: dict[tuple[str, str], list[str]] = {}
    for name in results["libraries"]:
        found = _answer(results, name, key)
        if found["what"]:
            said.setdefault((found["answer"], found["what"]), []).append(name)
    return [f"- {', '.join(names)}: {answer}; {_plain(what)}" for (answer, what), names in said.items()]


def _plain(text: str) -> str:
    """Text of others that Markdown would take for its own."""
    return text.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
