"""Three orders on a budget: as the tree lies, where the last run went deepest, and from the cut that is kept.

Two springs along a path, every configuration on the same number of tests, with one memory for all.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from benchmarks import common
from benchmarks.budget import walks
from benchmarks.chain.run import Target, tabulate
from benchmarks.common import Array
from elbowroom import scenes

METHODS = ("depth-first", "best-first", "auto")
LEADS = (
    ("confidence, %", "best-first", "depth-first"),
    ("found, %", "best-first", "depth-first"),
    ("covered, %", "auto", "best-first"),
    ("found, %", "auto", "best-first"),
)
#: Mean confidence in percent that Lin and Li print for 100 configurations of their springs.
PRINTED = {
    "best-first": {200: 3.58, 400: 27.92, 600: 54.91, 800: 61.10, 1000: 75.84},
    "depth-first": {200: 2.18, 400: 13.10, 600: 35.68, 800: 36.12, 1000: 53.45},
}


@dataclass(frozen=True)
class Path:
    """A mesh against itself, step by step, and which steps collide."""

    name: str
    mesh: er.Mesh
    poses: Array
    hits: NDArray[np.bool_]


@dataclass(frozen=True)
class Along:
    """What one method made of a path on one budget."""

    confidence: Array
    covered: Array
    complete: NDArray[np.bool_]
    hits: NDArray[np.bool_]
    tests: Array


def follow(path: Path, method: str, tests: int) -> Along:
    """One memory and one budget along the path. Confidence is the paper's: nothing was calibrated."""
    memory, budget = er.Memory(method=method), er.Budget(tests=tests)
    answers = [
        er.collide(path.mesh, path.mesh, None, pose, budget=budget, memory=memory) for pose in path.poses
    ]
    return Along(
        np.array([answer.confidence for answer in answers], dtype=float),
        np.array([answer.covered for answer in answers], dtype=float),
        np.array([answer.status != "out of budget" for answer in answers]),
        np.array([bool(answer) for answer in answers]),
        np.array([answer.counters.volume_tests + answer.counters.leaf_tests for answer in answers], float),
    )


def row(path: Path, method: str, tests: int, seen: Along) -> dict[str, Any]:
    """Percentages; covered over the configurations without a hit, which are there to be covered."""
    free, hits = ~path.hits, path.hits
    return {
        "method": method,
        "budget": tests,
        "confidence, %": 100.0 * float(seen.confidence.mean()),
        "printed": PRINTED.get(method, {}).get(tests),
        "covered, %": 100.0 * float(seen.covered[free].mean()),
        "complete, %": 100.0 * float(seen.complete.mean()),
        "found, %": 100.0 * float(seen.hits[hits].mean()),
        "found, none there": int(np.sum(seen.hits & free)),
        "complete and wrong": int(np.sum(seen.complete & (seen.hits != path.hits))),
        "tests a query": float(seen.tests.mean()),
    }


def paths(settings: argparse.Namespace) -> list[Path]:
    """Sideways through each other, where most verdicts are cheap; and interleaved, where few are.

    Nodes have two children as in the paper, or eight as the library prefers.
    """
    through = scenes.spring_path(settings.configurations)
    close = walks.interleaved(settings.configurations)
    made = []
    for children in (2, 8):
        mesh = walks.spring(children)
        for name, poses in (("through", through), ("interleaved", close)):
            made.append(Path(f"springs {name}, {children} children", mesh, poses, _truth(mesh, poses)))
    return made


def _truth(mesh: er.Mesh, poses: Array) -> NDArray[np.bool_]:
    hits: NDArray[np.bool_] = np.asarray(er.collide(mesh, mesh, None, poses).hits)
    return hits


def run(settings: argparse.Namespace) -> dict[str, Any]:
    budgets = [int(word) for word in settings.tests.split(",")]
    lines = []
    for path in paths(settings):
        made = [
            row(path, method, tests, follow(path, method, tests)) for tests in budgets for method in METHODS
        ]
        title = f"{path.name}: {len(path.poses)} configurations, {int(path.hits.sum())} collide"
        common.show(tabulate(title, made))
        lines += [{"name": path.name, **line} for line in made]
    return {"rows": lines, "targets": targets(lines)}


def targets(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Who leads whom, at the budget where the lead is least."""
    found = {(line["name"], line["method"], line["budget"]): line for line in lines}
    made = []
    for name in dict.fromkeys(line["name"] for line in lines):
        for key, first, second in LEADS:
            leads = [
                found[name, first, tests][key] - found[name, second, tests][key]
                for tests in dict.fromkeys(line["budget"] for line in lines)
            ]
            label = f"{name}: {key}, {first} less {second}"
            made.append(Target(label, min(leads), at_least=0.0).shown())
    wrong = sum(line["found, none there"] + line["complete and wrong"] for line in lines)
    return [*made, Target("ahead: wrong verdicts", wrong, at_most=0).shown()]
