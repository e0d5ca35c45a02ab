"""Confidence as a probability: the checks of Tables 1 and 2 of Lin and Li by a table of other runs."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom._reliability import Reliability, judged
from elbowroom.calibration import Calibration
from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table

from .budget_paint import reliability
from .budget_replay import AUTO, BEST, DEPTH, GROUP, IN_FULL, METHODS, THRESHOLD, Answers, replay
from .budget_roadmap import BUDGET, OTHER_SEED, recorded
from .budget_scene import expected, spring
from .budget_table1 import BUDGETS, SEED, chosen_paths, path_count
from .budget_table2 import Bins, bins_of, checks_of, replayed
from .findings import Chapter, Comparison, Findings, Settings, Tell

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

ALLOWED = 0.02  # expected calibration error
ROADMAP, PATHS = "roadmap", "paths"


@dataclass(frozen=True)
class Trial:
    """Runs to learn from and others to judge by: paths, which of their configurations collide, budgets."""

    learned: Sequence[Array]
    truths: Sequence[Flags]
    judged: Sequence[Array]
    hits: Flags
    budgets: Sequence[int]


@dataclass(frozen=True)
class Outcome:
    """What unfinished checks said by the table, and by the paper's rule; None if there were none."""

    calibrated: Reliability | None
    paper: Reliability | None
    unfinished: int
    missed: int


def run(settings: Settings, tell: Tell) -> Findings:
    """Learn and judge, for either table, by every method."""
    trials = {ROADMAP: roadmap_trial(checks_of(settings)), PATHS: path_trial(path_count(settings))}
    outcomes: dict[str, dict[str, Outcome]] = {}
    for name, trial in trials.items():
        outcomes[name] = {}
        for method in METHODS:
            tell(f"{name}: a table for {method}")
            outcomes[name][method] = judge(trial, method)
    bins = {method: _table_2(checks_of(settings), method) for method in METHODS}
    return Findings(
        [*_auto_comparisons(bins), *_comparisons(outcomes)],
        [_outcome_table(outcomes), *(_curve_table(name, one[AUTO]) for name, one in outcomes.items())],
        [_plot(outcomes)],
        {name: {m: _plain(one) for m, one in by.items()} for name, by in outcomes.items()},
    )


def roadmap_trial(checks: int) -> Trial:
    """Another roadmap to learn from, that of Table 2 to judge by."""
    other, own = recorded(checks, OTHER_SEED), recorded(checks)
    return Trial(other.motions, other.truths, own.motions, own.hits, (BUDGET,))


def path_trial(count: int) -> Trial:
    """Other paths to learn from, those of Table 1 to judge by; all budgets in one table."""
    learned, own = chosen_paths(count, SEED + 1), chosen_paths(count)
    return Trial(learned, [expected()] * count, own, np.tile(expected(), count), BUDGETS)


def ask(pose: Any, *, budget: er.Budget | None = None, memory: er.Memory | None = None) -> er.Collision:
    """About the two springs; what follows no other check is asked in full."""
    first = memory is not None and memory.empty
    given = IN_FULL if first else budget
    answer: er.Collision = er.collide(spring(), spring(), pose_b=pose, budget=given, memory=memory)
    return answer


def learn(trial: Trial, method: str) -> Calibration:
    """A table from all of the runs to learn from."""
    budgets = [er.Budget(tests=tests) for tests in trial.budgets]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that the table is rough shows in its error
        return er.Memory.calibrate(
            ask,
            trial.learned,
            budget=budgets,
            method=method,
            group=GROUP,
            threshold=THRESHOLD,
            truth=trial.truths,
            held_out=0.0,
            progress=False,
        )


def judge(trial: Trial, method: str) -> Outcome:
    """What both confidences are worth on the other runs."""
    table = learn(trial, method)
    said, printed, free = [], [], []
    for tests in trial.budgets:
        answers = replay(trial.judged, method, tests, calibration=table, forget=True)
        chosen = answers.unfinished & answers.limited
        said.append(answers.confidence[chosen])
        printed.append(answers.paper[chosen])
        free.append(~trial.hits[chosen])
    truth = np.concatenate(free)
    ours, theirs = (_judged(np.concatenate(values), truth) for values in (said, printed))
    return Outcome(ours, theirs, len(truth), int((~truth).sum()))


def _judged(said: Array, free: Flags) -> Reliability | None:
    return judged(said, free) if len(free) else None


def _table_2(checks: int, method: str) -> tuple[Bins, Answers]:
    answers = replayed(checks, method)
    return bins_of(answers, recorded(checks).hits), answers


def _auto_comparisons(bins: Mapping[str, tuple[Bins, Answers]]) -> list[Comparison]:
    """Table 2 by auto: how many checks reach the limit, and how many collisions are missed."""
    rows = []
    for what, number in (("checks at the limit", _at_limit), ("collisions missed", _missed)):
        auto, best, depth = (number(bins[method][0]) for method in (AUTO, BEST, DEPTH))
        words = f"BF {best:,}, DF {depth:,}"
        verdict = f"better: {words}" if auto < min(best, depth) else words
        rows.append(Comparison(f"roadmap: {what} by auto", auto, None, verdict))
    return rows


def _at_limit(bins: Bins) -> int:
    return int(bins.all.sum())


def _missed(bins: Bins) -> int:
    return int(bins.colliding.sum())


def _comparisons(outcomes: Mapping[str, Mapping[str, Outcome]]) -> list[Comparison]:
    rows = []
    for name, by_method in outcomes.items():
        for method, outcome in by_method.items():
            if outcome.calibrated is None or outcome.paper is None:
                continue
            error, theirs = outcome.calibrated.error, outcome.paper.error
            small = f"at most {ALLOWED}" if error <= ALLOWED else f"above {ALLOWED}"
            verdict = f"{small}; the paper's rule: {theirs:.3f}"
            rows.append(Comparison(f"{name}, {method}: calibration error", error, None, verdict))
    return rows


def _outcome_table(outcomes: Mapping[str, Mapping[str, Outcome]]) -> Table:
    rows = []
    for name, by_method in outcomes.items():
        for method, outcome in by_method.items():
            counts = [f"{outcome.unfinished:,}", f"{outcome.missed:,}"]
            rows.append([f"{name}, {method}", *counts, *_cells(outcome.calibrated), *_cells(outcome.paper)])
    headings = ["", "unfinished", "colliding", "error", "Brier", "AUC", "paper: error", "Brier", "AUC"]
    return Table("Unfinished checks that the tables were not learned from", headings, rows)


def _cells(part: Reliability | None) -> list[str]:
    if part is None:
        return ["", "", ""]
    return [f"{part.error:.4f}", f"{part.brier:.4f}", "" if np.isnan(part.auc) else f"{part.auc:.3f}"]


def _curve_table(name: str, outcome: Outcome) -> Table:
    rows = []
    if outcome.calibrated is not None:
        curve = outcome.calibrated.curve
        for said, true, count in zip(curve.predicted, curve.observed, curve.count, strict=True):
            rows.append([f"{100 * said:.2f}%", f"{100 * true:.2f}%", f"{count:,}"])
    headings = ["confidence said", "free in truth", "checks"]
    return Table(f"Calibrated confidence by auto, {name}: bins of about as many checks each", headings, rows)


def _plot(outcomes: Mapping[str, Mapping[str, Outcome]]) -> Picture:
    panels: dict[str, dict[str, tuple[list[float], list[float]]]] = {}
    for name, by_method in outcomes.items():
        lines = {}
        for method, outcome in ((m, by_method[m]) for m in (BEST, AUTO)):
            for label, part in ((method, outcome.calibrated), (f"{method}, paper", outcome.paper)):
                if part is not None:
                    lines[label] = (part.curve.predicted.tolist(), part.curve.observed.tolist())
        panels[name] = lines
    alt = (
        "Two plots of the share of free checks against the confidence that was said. Dots of calibrated "
        "confidences lie on the diagonal, those of the paper's rule far above it."
    )
    caption = (
        "What was said against what was so; dashed, by the paper's rule, by auto without its product. "
        "In the roadmap nearly all checks are free, and calibrated confidences are all near 1."
    )
    return Picture(png(reliability(panels)), alt, caption, wide=True)


def _plain(outcome: Outcome) -> dict[str, object]:
    parts = {"calibrated": outcome.calibrated, "paper": outcome.paper}
    plain = {name: None if part is None else part.plain() for name, part in parts.items()}
    return plain | {"unfinished": outcome.unfinished, "missed": outcome.missed}


CHAPTER = Chapter(
    "Confidence that is a probability",
    "The paper proposes to look its confidence up in a statistical table made beforehand. "
    "er.Memory.calibrate makes one: of runs on a budget, and of what they missed, it learns how likely an "
    "unfinished check with such signs is free. Here it learns from another roadmap, and is judged by the "
    "checks of Table 2; and from other paths like those of Table 1, on all five budgets, and is judged by "
    "these. The error is the expected calibration error: how far the share of free checks is from the "
    "confidence that was said, over ten bins of as many checks each. The paper's confidence is no "
    "probability: a roadmap's unfinished checks are nearly all free, whatever it says. Auto keeps its "
    "proofs from check to check, so that far fewer checks are unfinished.",
    run,
)
