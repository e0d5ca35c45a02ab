"""What an unfinished check states: the share that is proved, and a bound; and how many calls there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table

from .budget_paint import line_panels
from .budget_replay import AUTO, BEST, DEPTH, METHODS, Answers
from .budget_scene import FIRST, spring
from .budget_table1 import BUDGETS, along, chosen_paths, path_count
from .findings import Chapter, Comparison, Findings, Settings, Tell

Array = NDArray[np.float64]

MOST_CALLS = 100  # after which a check counts as never ending
CONFIGURATIONS = 30  # from how many paths a free configuration is asked about again and again


@dataclass(frozen=True)
class Stated:
    """Of the checks on one budget the share that ended; of the others the mean share that is covered.

    `lower`, `largest`: how far apart what is covered is at least, on average and at most.
    """

    ended: float
    covered: float
    lower: float
    largest: float


def run(settings: Settings, tell: Tell) -> Findings:
    """Shares and bounds along the paths of Table 1, then calls for one configuration."""
    count = path_count(settings)
    stated: dict[str, list[Stated]] = {}
    for method in METHODS:
        tell(f"what {method} proves on {len(BUDGETS)} budgets")
        stated[method] = [summed(along(count, method, tests)) for tests in BUDGETS]
    tell("one configuration in several calls")
    poses = [path[FIRST - 1] for path in chosen_paths(count)[:CONFIGURATIONS]]
    calls = {method: [[calls_until(p, method, n) for p in poses] for n in BUDGETS] for method in METHODS}
    return Findings(
        [*_comparisons(stated), *_call_comparisons(calls)],
        [_table(stated), _call_table(calls)],
        [_plot(stated)],
        {
            "stated": {method: [vars(one) for one in rows] for method, rows in stated.items()},
            "calls": calls,
        },
    )


def summed(answers: Answers) -> Stated:
    """Of the checks on the budget."""
    left = answers.unfinished & answers.limited
    covered, lower = answers.covered[left], answers.lower[left]
    return Stated(
        float(1 - answers.unfinished[answers.limited].mean()),
        float(covered.mean()) if len(covered) else 1.0,
        float(lower.mean()) if len(lower) else 0.0,
        float(lower.max(initial=0.0)),
    )


def calls_until(pose: Array, method: str, tests: int) -> int | None:
    """How many calls on a budget until a configuration is decided; None if that never happens."""
    memory, body, budget = er.Memory(method), spring(), er.Budget(tests=tests)
    for call in range(1, MOST_CALLS + 1):
        if er.collide(body, body, pose_b=pose, budget=budget, memory=memory).status != "out of budget":
            return call
    return None


def _comparisons(stated: Mapping[str, Sequence[Stated]]) -> list[Comparison]:
    rows = []
    for k, tests in enumerate(BUDGETS):
        auto, best, depth = (stated[method][k] for method in (AUTO, BEST, DEPTH))
        words = f"BF {100 * best.ended:.0f}, DF {100 * depth.ended:.0f}"
        verdict = f"better: {words}" if auto.ended > max(best.ended, depth.ended) else words
        rows.append(Comparison(f"{tests} tests: % that end, auto", 100 * auto.ended, None, verdict))
    for k, tests in enumerate(BUDGETS):
        auto, best, depth = (stated[method][k] for method in (AUTO, BEST, DEPTH))
        words = f"BF {100 * best.covered:.1f}, DF {100 * depth.covered:.1f}"
        verdict = f"better: {words}" if auto.covered > max(best.covered, depth.covered) else words
        what = f"{tests} tests: % covered if unfinished, auto"
        rows.append(Comparison(what, 100 * auto.covered, None, verdict))
    return rows


def _call_comparisons(calls: Mapping[str, Sequence[Sequence[int | None]]]) -> list[Comparison]:
    rows = []
    for k, tests in enumerate(BUDGETS):
        auto = [n for n in calls[AUTO][k] if n is not None]
        never = sum(n is None for n in calls[DEPTH][k])
        whole = len(auto) == len(calls[AUTO][k])
        verdict = (
            f"{'all end' if whole else 'some never end'}; DF: {never} of {len(calls[DEPTH][k])} never end"
        )
        rows.append(Comparison(f"{tests} tests: calls for one check, auto", _mean(auto), None, verdict))
    return rows


def _mean(numbers: Sequence[int]) -> float:
    return float(np.mean(numbers)) if numbers else 0.0


def _table(stated: Mapping[str, Sequence[Stated]]) -> Table:
    rows = []
    for k, tests in enumerate(BUDGETS):
        for method in METHODS:
            one = stated[method][k]
            cells = [
                f"{100 * one.ended:.1f}%",
                f"{100 * one.covered:.2f}%",
                f"{one.lower:.4f}",
                f"{one.largest:.4f}",
            ]
            rows.append([f"{tests:,}, {method}", *cells])
    headings = ["tests, method", "ended", "covered", "apart, mean", "apart, most"]
    caption = "Checks that ended; and of the others the share of pairs proved apart, and by how much at least"
    return Table(caption, headings, rows)


def _call_table(calls: Mapping[str, Sequence[Sequence[int | None]]]) -> Table:
    rows = []
    for k, tests in enumerate(BUDGETS):
        cells = []
        for method in METHODS:
            ended = [n for n in calls[method][k] if n is not None]
            most = f"{min(ended)} to {max(ended)}" if ended else "none"
            cells += [most, f"{len(calls[method][k]) - len(ended)}"]
        rows.append([f"{tests:,}", *cells])
    headings = ["tests", *(cell for method in METHODS for cell in (method, "never"))]
    return Table("Calls until a free configuration just before contact is decided", headings, rows)


def _plot(stated: Mapping[str, Sequence[Stated]]) -> Picture:
    budgets = [float(tests) for tests in BUDGETS]
    panels = {
        "checks that end": {m: (budgets, [100 * s.ended for s in rows]) for m, rows in stated.items()},
        "covered, if unfinished": {
            m: (budgets, [100 * s.covered for s in rows]) for m, rows in stated.items()
        },
    }
    figure = line_panels(panels, ("tests allowed", "%"))
    alt = "Two plots over the budget: by auto far more checks end, and more is covered of those that do not."
    caption = "Along the paths of Table 1: checks that end within their budget, and what the others prove."
    return Picture(png(figure), alt, caption, wide=True)


CHAPTER = Chapter(
    "What the better answer adds",
    "An unfinished answer can say more than a number between 0 and 100. `covered` is the share of all pairs "
    "of triangles that is proved apart, and `lower` by how much at least. With auto the cut is kept from "
    "call to call: each pair of boxes on it was proved apart by some gap, from which the motion since "
    "takes, and only what is used up is tested again. So a check can be spread over several calls, and ends "
    "with a proof, where the paper's methods begin at the root again and never end if the budget is too "
    "small for all of it.",
    run,
)
