"""Tenth stop: checks that may take only so many tests, and what they then know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.pictures import png
from elbowroom.pictures.bvtt_pictures import picture_figure
from elbowroom.pictures.exhibits import Picture, Table
from elbowroom.reproduce.budget_covered import calls_until
from elbowroom.reproduce.budget_paint import line_panels
from elbowroom.reproduce.budget_replay import IN_FULL, METHODS, THRESHOLD, UNFINISHED
from elbowroom.reproduce.budget_scene import FIRST, figure_path, spring
from elbowroom.reproduce.budget_table1 import BUDGETS, PRINTED, along

from . import scene_motion
from .measure import measure_each
from .stop import Progress, Row, Section, Stop

Array = NDArray[np.float64]

POSES, TESTS = 1_000, 200
PATHS = 6  # for the paper's table
SHOWN = 200  # values that a line is drawn through, at most
WORDS = {
    "best-first": "best-first, the paper's",
    "depth-first": "depth-first, for comparison",
    "auto": "auto, the default",
}
CODE = """spring, poses = er.Mesh(*scenes.spring()), scenes.spring_path(1_000)
memory, budget = er.Memory(), er.Budget(tests=100)
answers = [er.collide(spring, spring, pose_b=pose, budget=budget, memory=memory) for pose in poses]
undecided = [answer for answer in answers if answer.status == "out of budget"]
covered = [answer.covered for answer in undecided]  # the share that is proved apart
story = repr(memory.bvtt)  # what the last check visited; memory.bvtt.picture(path) draws it"""


def run(progress: Progress) -> Section:
    """A path of two springs, one screwed into the other, on a budget by every method."""
    poses = figure_path(progress.size(POSES))
    progress.step(f"{len(poses):,} checks of {TESTS} tests each")
    body = spring()
    _, whole = measure_each("no budget, a call each", lambda p: er.collide(body, body, pose_b=p), poses)
    found = {method: _on_budget(method, poses) for method in METHODS}
    calls = {method: calls_until(figure_path()[FIRST - 1], method, TESTS) for method in METHODS}
    progress.step("the paper's table of confidences")
    beside, means = _beside(PATHS)
    progress.step("painting a traversal tree")
    return Section(
        [replace(whole, answer="all decided"), *(row for _, row in found.values())],
        [
            _covered_picture({method: answers for method, (answers, _) in found.items()}, progress.dpi),
            _tree_picture(progress.dpi),
        ],
        [beside, _table({method: answers for method, (answers, _) in found.items()}, calls)],
        {
            "poses": len(poses),
            "decided": {method: _decided(answers) for method, (answers, _) in found.items()},
            "calls": calls,
            "confidence": means,
        },
        [scene_motion.budgeted()],
    )


def _on_budget(method: str, poses: Array) -> tuple[Sequence[er.Collision], Row]:
    """The answers along the path, and what they cost."""
    answers, row = measure_each(f"{TESTS} tests, {method}", _asker(method), enumerate(poses))
    return answers, replace(row, answer=f"{_decided(answers):.0%} decided")


def _asker(method: str) -> Callable[[tuple[int, Array]], er.Collision]:
    """Asks about one pose after the other; the first of a path, which follows no other, in full."""
    body, memory, budget = spring(), er.Memory(method), er.Budget(tests=TESTS)

    def ask(item: tuple[int, Array]) -> er.Collision:
        number, pose = item
        if number == 0:
            memory.forget()
        given = IN_FULL if number == 0 else budget
        return er.collide(body, body, pose_b=er.Pose.from_matrix(pose), budget=given, memory=memory)

    return ask


def _decided(answers: Sequence[er.Collision]) -> float:
    return float(np.mean([answer.status != UNFINISHED for answer in answers]))


def _table(found: dict[str, Sequence[er.Collision]], calls: dict[str, int | None]) -> Table:
    rows = []
    for method, answers in found.items():
        hits = sum(map(bool, answers))
        free = sum(not answer and answer.status != UNFINISHED for answer in answers)
        left = [answer.covered or 0.0 for answer in answers if answer.status == UNFINISHED]
        covered = f"{np.mean(left):.1%}" if left else ""
        ends = "never" if calls[method] is None else f"{calls[method]}"
        rows.append([WORDS[method], f"{hits:,}", f"{free:,}", f"{len(left):,}", covered, ends])
    headings = ["method", "hits found", "proved free", "undecided", "covered then", "calls for one check"]
    return Table(f"Results of checks with {TESTS} tests each along the path", headings, rows)


def _beside(count: int) -> tuple[Table, dict[str, list[float]]]:
    """Table 1 of the paper on so many paths."""
    means = {method: [along(count, method, tests).mean() for tests in BUDGETS] for method in METHODS}
    rows = []
    for k, tests in enumerate(BUDGETS):
        cells = [f"{value:.1f}" for m in PRINTED for value in (means[m][k], PRINTED[m][k])]
        rows.append([f"{tests:,}", *cells, f"{means['auto'][k]:.1f}"])
    headings = ["tests", *(word for m in PRINTED for word in (m, f"{m}, paper")), "auto"]
    caption = f"Mean confidence in percent on {count} paths; the paper shows its springs in a picture alone"
    return Table(caption, headings, rows), means


def _tree_picture(dpi: int) -> Picture:
    memory, body = er.Memory(), spring()
    for _ in range(2):
        pose: Any = figure_path()[FIRST - 1]
        er.collide(body, body, pose_b=pose, budget=er.Budget(tests=TESTS), memory=memory)
    tree = memory.bvtt
    assert tree is not None  # a run on a budget is recorded
    title = f"After two calls of {TESTS} tests: {tree.covered:.0%} of the pairs proved apart"
    alt = "The cut of a traversal tree as a line with troughs, and the part about the deepest as a tree."
    caption = "The nodes that an unfinished check visited. The next call continues from the open nodes."
    return Picture(
        png(picture_figure(tree, threshold=THRESHOLD, title=title), dpi=dpi), alt, caption, wide=True
    )


def _covered_picture(found: dict[str, Sequence[er.Collision]], dpi: int) -> Picture:
    def line(values: Sequence[float]) -> tuple[list[float], list[float]]:
        chosen = np.unique(np.linspace(0, len(values) - 1, min(SHOWN, len(values))).astype(int))
        return (chosen + 1.0).tolist(), [100 * values[k] for k in chosen]

    panels = {
        "proved apart": {m: line([a.covered or 0.0 for a in answers]) for m, answers in found.items()},
        "confidence": {m: line([a.confidence or 0.0 for a in answers]) for m, answers in found.items()},
    }
    figure = line_panels(panels, ("configuration", "%"), marker="")
    alt = (
        "Lines over the path. By auto everything is proved where the springs are free, by depth-first half "
        "and by best-first little; confidence is 100 by auto, falls to 0 by depth-first, and is 100 by "
        "best-first where the springs collide."
    )
    caption = (
        f"Along the path, {TESTS} tests for each check. A check that finds a hit has a confidence of 100 "
        "and need not prove the rest."
    )
    return Picture(png(figure, dpi=dpi), alt, caption, wide=True)


STOP = Stop(
    "On a budget",
    "In a control loop a check has a budget of tests or microseconds. When it is used up, the answer states "
    "the share of all pairs that is proved apart, and a confidence. A memory carries the proofs to the next "
    "call, as far as the motion of the bodies allows, so that a check can be spread over several calls.",
    CODE,
    run,
)
