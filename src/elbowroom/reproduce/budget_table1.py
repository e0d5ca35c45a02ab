"""Table 1 of Lin and Li: the mean confidence of checks on budgets of 200 to 1000 tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table

from .budget_paint import line_panels
from .budget_replay import BEST, DEPTH, GROUP, METHODS, THRESHOLD, Answers, replay
from .budget_scene import LENGTH, expected, figure_path, paths
from .findings import REPRODUCED, Chapter, Comparison, Findings, Settings, Tell

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

BUDGETS = (200, 400, 600, 800, 1000)
PRINTED = {
    BEST: (3.58, 27.92, 54.91, 61.10, 75.84),
    DEPTH: (2.18, 13.10, 35.68, 36.12, 53.45),
}
PATHS, FULL_PATHS, SEED = 60, 300, 11
POINTS = 10.0  # percentage points within which a mean is reproduced
SHORT = {BEST: "BF", DEPTH: "DF"}
SOME = (200, 600, 1000)  # budgets at which settings are varied


@dataclass(frozen=True)
class Variant:
    """Another choice of what the paper does not say. `every`: each so-manieth configuration alone."""

    group: int = GROUP
    threshold: float = THRESHOLD
    in_full: bool = True
    every: int = 1


VARIANTS = {
    **{
        f"group {group}, threshold {threshold:g}": Variant(group, threshold)
        for group in (4, GROUP, 32)
        for threshold in (1.0, 2.0, 3.0)
    },
    "nothing in full": Variant(in_full=False),
    "every other configuration": Variant(every=2),
    "every fourth configuration": Variant(every=4),
}


def path_count(settings: Settings) -> int:
    """How many paths to take; fewer if few checks were asked for."""
    return FULL_PATHS if settings.full else int(np.clip(settings.checks // 500, 4, PATHS))


@cache
def chosen_paths(count: int, seed: int = SEED) -> list[Array]:
    """The paths, which chapters share."""
    return paths(count, seed)


def on_path(count: int) -> Flags:
    """Which configurations of so many paths collide."""
    return np.tile(expected(), count)


def run(settings: Settings, tell: Tell) -> Findings:
    """Every budget by every method, then other settings."""
    count = path_count(settings)
    tell(f"looking for {count} paths")
    found = chosen_paths(count)
    results: dict[str, list[Answers]] = {}
    for method in METHODS:
        tell(f"{method}: {len(BUDGETS)} budgets on {count} paths of {LENGTH} configurations")
        results[method] = [along(count, method, tests) for tests in BUDGETS]
    tell("other settings")
    varied = {name: vary(found[: max(4, count // 3)], variant) for name, variant in VARIANTS.items()}
    means = {method: [one.mean() for one in results[method]] for method in METHODS}
    return Findings(
        [*_comparisons(means), _robust(varied), *_own_path()],
        [_table(results), _split_table(results, on_path(count)), _variant_table(varied)],
        [_plot(means, results, on_path(count))],
        {"paths": count, "means": means, "variants": varied},
    )


@cache
def along(count: int, method: str, tests: int) -> Answers:
    """Checks on a budget along so many paths, the first of each in full; chapters share them."""
    return replay(chosen_paths(count), method, tests, forget=True)


def vary(found: Sequence[Array], variant: Variant) -> dict[str, list[float]]:
    """Mean confidences at some budgets under other settings."""
    chosen = [path[:: variant.every] for path in found]

    def mean(method: str, tests: int) -> float:
        settings = {"group": variant.group, "threshold": variant.threshold, "in_full": variant.in_full}
        return replay(chosen, method, tests, **settings, forget=True).mean()  # type: ignore[arg-type]

    return {method: [mean(method, tests) for tests in SOME] for method in (BEST, DEPTH)}


def _comparisons(means: Mapping[str, Sequence[float]]) -> list[Comparison]:
    """Each mean beside the paper's, and who is ahead."""
    rows = []
    for method in (BEST, DEPTH):
        for tests, ours, paper in zip(BUDGETS, means[method], PRINTED[method], strict=True):
            near = abs(ours - paper) <= POINTS
            verdict = REPRODUCED if near else "differs: other configurations"
            rows.append(Comparison(f"{tests} tests: {method}", ours, paper, verdict))
    ahead = zip(BUDGETS, means[BEST], means[DEPTH], PRINTED[BEST], PRINTED[DEPTH], strict=True)
    for tests, best, depth, paper_best, paper_depth in ahead:
        verdict = f"{REPRODUCED}: best-first ahead" if best > depth else "differs: depth-first ahead"
        what = f"{tests} tests: best-first less depth-first"
        rows.append(Comparison(what, best - depth, paper_best - paper_depth, verdict))
    return rows


def _robust(varied: Mapping[str, Mapping[str, Sequence[float]]]) -> Comparison:
    """In how many of the other settings best-first is ahead."""
    ahead = [a > b for one in varied.values() for a, b in zip(one[BEST], one[DEPTH], strict=True)]
    verdict = "ahead in all" if all(ahead) else f"behind in {ahead.count(False)} of {len(ahead)}"
    return Comparison("other settings: % with best-first ahead", 100 * float(np.mean(ahead)), None, verdict)


def _own_path() -> list[Comparison]:
    """The path of Figure 4 alone."""
    rows = []
    for method in (BEST, DEPTH):
        value = replay([figure_path()], method, BUDGETS[1]).mean()
        paper = PRINTED[method][1]
        rows.append(Comparison(f"Figure 4's path, 400 tests: {method}", value, paper, "one path alone"))
    return rows


def _table(results: Mapping[str, Sequence[Answers]]) -> Table:
    rows = []
    for k, tests in enumerate(BUDGETS):
        cells = []
        for method in (BEST, DEPTH):
            cells += [f"{results[method][k].mean():.2f}", f"{PRINTED[method][k]:.2f}"]
        auto = results["auto"][k]
        rows.append([f"{tests:,}", *cells, f"{auto.mean():.2f}", *_finished(results, k)])
    headings = ["tests", "BF", "BF, paper", "DF", "DF, paper", "auto", "BF ends", "DF ends", "auto ends"]
    caption = "Table 1: mean confidence in percent; and how many checks ended within the budget"
    return Table(caption, headings, rows)


def _finished(results: Mapping[str, Sequence[Answers]], k: int) -> list[str]:
    return [f"{100 * (1 - results[method][k].unfinished.mean()):.0f}%" for method in METHODS]


def _split_table(results: Mapping[str, Sequence[Answers]], hits: Flags) -> Table:
    """The same for colliding and for free configurations."""
    rows = []
    for k, tests in enumerate(BUDGETS):
        best, depth = results[BEST][k], results[DEPTH][k]
        cells = [f"{one.mean(which):.1f}" for which in (hits, ~hits) for one in (best, depth)]
        found = [f"{100 * one.hit[hits].mean():.0f}%" for one in (best, depth)]
        rows.append([f"{tests:,}", *cells, *found])
    headings = ["tests", "BF, colliding", "DF, colliding", "BF, free", "DF, free", "BF finds", "DF finds"]
    caption = "The same for colliding and free configurations, and the share of collisions that are found"
    return Table(caption, headings, rows)


def _variant_table(varied: Mapping[str, Mapping[str, Sequence[float]]]) -> Table:
    rows = [
        [name, *(f"{a:.1f} / {b:.1f}" for a, b in zip(one[BEST], one[DEPTH], strict=True))]
        for name, one in varied.items()
    ]
    headings = ["setting", *(f"{tests:,} tests" for tests in SOME)]
    return Table("Other settings, a third of the paths: best-first / depth-first", headings, rows)


def _plot(
    means: Mapping[str, Sequence[float]], results: Mapping[str, Sequence[Answers]], hits: Flags
) -> Picture:
    budgets = [float(tests) for tests in BUDGETS]
    whole = {method: (budgets, list(means[method])) for method in (BEST, DEPTH)}
    whole |= {f"{method}, paper": (budgets, list(PRINTED[method])) for method in (BEST, DEPTH)}
    panels = {"all configurations": whole}
    for title, which in (("colliding", hits), ("free", ~hits)):
        panels[title] = {m: (budgets, [one.mean(which) for one in results[m]]) for m in (BEST, DEPTH)}
    figure = line_panels(panels, ("tests allowed", "mean confidence, %"))
    alt = (
        "Lines that rise with the budget: best-first above depth-first for all configurations and for the "
        "colliding ones, about the same or below for the free ones."
    )
    caption = "Table 1 as lines, and the same for colliding and for free configurations."
    return Picture(png(figure), alt, caption, wide=True)


CHAPTER = Chapter(
    "Table 1: confidence on a budget",
    "A check that ends within its budget has a confidence of 100, else the share of the nodes in dangerous "
    "regions of the last cut list that it found apart, times the last confidence. The paper does not say of "
    "which configurations its means are, nor how large a group is, what the threshold, how fine the path. "
    "Here they are of paths like that of Figure 4: 100 configurations each, colliding from the 14th to the "
    f"83rd, with one spring screwed into the other by random amounts; groups of {GROUP}, threshold "
    f"{THRESHOLD:g}; the first check of a path, which follows no other, is made in full and not counted. "
    "Best-first is ahead at every budget because it finds the collisions sooner; where the springs are free "
    "the two are about the same. The scene was searched for, and it matters: with thinner springs of more "
    "turns, whose collisions any order finds soon, the two were level or depth-first a little ahead. "
    "Confidence by auto is not the paper's: proofs are carried over, and there is no product.",
    run,
)
