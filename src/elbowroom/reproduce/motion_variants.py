"""What Table I hangs on: the random numbers, and what the paper does not say of its hook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

import elbowroom as er
from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table

from .findings import Chapter, Comparison, Findings, Settings, Tell
from .motion_paint import bars_from_zero
from .motion_table import OTHERS, PRINTED, WHICH, counts, fewer, judge_saving, of_size
from .motion_tree import HOOKS, METHODS, OWN, Tally, compare, grow, hook, measure, obstacles

SEEDS, FULL_SEEDS = 3, 10
ALIKE = 2.5  # percentage points within which as many connections fail
WHY = "thicker or longer about its origin"


@dataclass(frozen=True)
class Trial:
    """One tree: connections in all, free and failed, and what each method spent on them."""

    connections: tuple[int, int, int]
    tallies: Mapping[str, Tally]

    def saves(self, method: str) -> tuple[float, ...]:
        """Percent of the distance computations of the isotropic bound, for all, free and failed."""
        return fewer(self.tallies[method], self.tallies["isotropic"])

    def figures(self) -> dict[str, object]:
        """For the JSON file."""
        calls = {method: tally.of("calls") for method, tally in self.tallies.items()}
        return {"connections": self.connections, "calls": calls}


def run(settings: Settings, tell: Tell) -> Findings:
    """Other random numbers for the same hook, then other hooks."""
    seeds = {}
    for seed in range(FULL_SEEDS if settings.full else SEEDS):
        tell(f"random numbers {seed + 1}: a tree of {settings.nodes:,} nodes")
        seeds[seed + 1] = trial(OWN, settings.nodes, 101 + seed, 201 + seed)
    hooks = {}
    for name in HOOKS:
        tell(f"hook {name}: a tree of {settings.nodes:,} nodes")
        hooks[name] = trial(name, settings.nodes)
    return Findings(
        of_size(settings.nodes, [*_seed_comparisons(list(seeds.values())), *_hook_comparisons(hooks)]),
        [_table({f"seed {k}": t for k, t in seeds.items()} | hooks)],
        [_plot(hooks)],
        {"seeds": [t.figures() for t in seeds.values()], "hooks": {n: t.figures() for n, t in hooks.items()}},
    )


def trial(name: str, nodes: int, world: int = 7, samples: int = 11) -> Trial:
    """Grow a tree of a hook among tetrahedra with these random numbers, and check it by every method."""
    body, others = hook(name), obstacles(world)
    connections = grow(er.MotionChecker(body, others), nodes, samples)
    tallies: dict[str, Tally] = {method: measure(body, others, connections, method) for method in METHODS}
    compare(tallies)
    return Trial(counts(connections), tallies)


def _seed_comparisons(trials: list[Trial]) -> list[Comparison]:
    """Means over random numbers; the verdict names how far the least and the most are apart."""
    found = []
    for method in OTHERS:
        savings = np.array([t.saves(method) for t in trials])
        for which, column in zip(WHICH, savings.T, strict=True):
            paper = PRINTED[which].fewer
            verdict = judge_saving(float(column.mean()), paper, "the hook is ours")
            spread = f"{column.min():.1f} to {column.max():.1f}"
            what = f"seeds, {which}: {method} %"
            found.append(Comparison(what, float(column.mean()), paper, f"{verdict} ({spread})"))
    return found


def _hook_comparisons(hooks: Mapping[str, Trial]) -> list[Comparison]:
    """Connections that fail, and what the hourglass and `auto` save on all of them."""
    found = []
    for name, one in hooks.items():
        failed = 100 * one.connections[2] / one.connections[0]
        paper = 100 * PRINTED["failed"].connections / PRINTED["all"].connections
        more = "more fail" if failed > paper else "fewer fail"
        verdict = "as many fail" if abs(failed - paper) < ALIKE else more
        found.append(Comparison(f"{name}: % failed", failed, paper, verdict))
        for method in OTHERS:
            saved = one.saves(method)[0]
            verdict = judge_saving(saved, PRINTED["all"].fewer, WHY)
            found.append(Comparison(f"{name}: {method} %", saved, PRINTED["all"].fewer, verdict))
    return found


def _table(trials: Mapping[str, Trial]) -> Table:
    rows = []
    for name, one in trials.items():
        calls = [f"{one.tallies[method].of('calls')[0]:,}" for method in METHODS]
        savings = ["/".join(f"{percent:.0f}" for percent in one.saves(method)) for method in OTHERS]
        rows.append([name, f"{one.connections[0]:,}", f"{one.connections[2]:,}", *calls, *savings])
    printed = PRINTED["all"]
    saved = "/".join(f"{PRINTED[which].fewer:.0f}" for which in WHICH)
    cells = [f"{printed.connections:,}", f"{PRINTED['failed'].connections:,}"]
    rows.append(["paper", *cells, f"{printed.standard:,}", f"{printed.hourglass:,}", "", "", saved, "", ""])
    headings = ["", "tried", "failed", "standard", *OTHERS, *(f"{method} %" for method in OTHERS)]
    return Table("Distance computations; savings on all, successful and failed connections", headings, rows)


def _plot(hooks: Mapping[str, Trial]) -> Picture:
    series: dict[str, list[float]] = {
        method: [one.tallies[method].of("calls")[0] / one.connections[0] for one in hooks.values()]
        for method in METHODS
    }
    groups = [name.replace(", ", ",\n") for name in hooks]
    figure = bars_from_zero({"distance computations for one connection": series}, groups)
    alt = "Bars of distance computations for one connection, by four methods, for hooks of several kinds."
    caption = "Hooks with thin and thick legs that turn about their corner or about the middle of their ball."
    return Picture(png(figure), alt, caption, wide=True)


CHAPTER = Chapter(
    "Other random numbers, other hooks",
    "The same experiment with other tetrahedra and other configurations, and with hooks of other widths; the "
    "numbers are percent of the calls of the standard method that are saved. The "
    "paper does not say what its hook turns about. In its last section the radius is that of the smallest "
    "ball about the body, which fits an origin in the middle of that ball: with it the radius is 3.7, not 5, "
    "and distance computations become about as many as in the paper. With the paper's 10,000 nodes random "
    "numbers change savings by less than a point, and the width of the legs by about one; in small trees a "
    "few motions that graze an obstacle change them more.",
    run,
)
