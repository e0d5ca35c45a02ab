"""What He and van den Berg leave to others in their last section: a radius about the axis, and a metric."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.pictures import PALETTE, png
from elbowroom.pictures.exhibits import Picture, Table

from .findings import REPRODUCED, Chapter, Comparison, Findings, Settings, Tell
from .motion_check import Rule, check
from .motion_paint import bars_from_zero
from .motion_table import WHICH
from .motion_tree import METHODS, Connections, Tally, grow, hook, measure, obstacles

LOOKED_AT = 1_500  # connections that are checked in Python
STANDARD, HOURGLASS, ABOUT = "standard", "hourglass", "hourglass, axis"
RULES = {
    STANDARD: Rule(directed=False),
    "standard, axis, chords": Rule(directed=False, about="axis", chord=True),
    HOURGLASS: Rule(directed=True),
    ABOUT: Rule(directed=True, about="axis"),
    "hourglass, axis, chords": Rule(directed=True, about="axis", chord=True),
}
TINTS = dict(zip(RULES, ("#d9727f", "#eab6bd", "#4f8fd0", "#8fb7e1", "#c2d7ee"), strict=True)) | {
    "auto": PALETTE[1]
}
CORE = {STANDARD: "isotropic", HOURGLASS: "hourglass", ABOUT: "hourglass-axis"}


def run(settings: Settings, tell: Tell) -> Findings:
    """Count by every rule on connections spread over the tree, and hold the core's counts against them."""
    body, others = hook(), obstacles()
    tell(f"a tree of {settings.nodes:,} nodes")
    chosen = spread(
        grow(er.MotionChecker(body, others), settings.nodes), None if settings.full else LOOKED_AT
    )
    calls: dict[str, NDArray[np.int64]] = {}
    for name, rule in RULES.items():
        tell(f"{len(chosen):,} connections in Python: {name}")
        calls[name] = count(rule, body, others, chosen)
    tallies: dict[str, Tally] = {method: measure(body, others, chosen, method) for method in METHODS}
    return Findings(
        [*_agreement(calls, tallies), *_savings(calls, tallies, chosen)],
        [_table(calls, tallies, chosen)],
        [_plot(calls, tallies, chosen)],
        {name: int(found.sum()) for name, found in calls.items()},
    )


def spread(connections: Connections, most: int | None) -> Connections:
    """At most so many of the connections, evenly from the first to the last."""
    if most is None or len(connections) <= most:
        return connections
    which = np.linspace(0, len(connections) - 1, most).round().astype(int)
    return Connections(connections.starts[which], connections.goals[which], connections.free[which])


def count(rule: Rule, body: er.Body, others: er.Body, connections: Connections) -> NDArray[np.int64]:
    """Distance computations for each connection; an error if one that is free is refuted, or the reverse."""
    calls = np.zeros(len(connections), dtype=np.int64)
    motions = er.Motion(connections.starts, connections.goals)
    for k, free in enumerate(connections.free):
        outcome = check(rule, body, others, motions[k])
        if outcome.free is not None and outcome.free != free:
            raise RuntimeError(f"{rule} disagrees on connection {k}")
        calls[k] = outcome.calls
    return calls


def _agreement(calls: Mapping[str, NDArray[np.int64]], tallies: Mapping[str, Tally]) -> list[Comparison]:
    """The core and these few lines of Python count the same, connection by connection."""
    found = []
    for name, method in CORE.items():
        unlike = int((calls[name] != tallies[method].calls).sum())
        verdict = f"{REPRODUCED}: exactly" if unlike == 0 else "differs: rounding ends some a step apart"
        found.append(Comparison(f"{name}: counts unlike Python's", unlike, None, verdict))
    return found


def _savings(
    calls: Mapping[str, NDArray[np.int64]], tallies: Mapping[str, Tally], chosen: Connections
) -> list[Comparison]:
    """Percent fewer than the standard method on all of these connections."""
    base = calls[STANDARD].sum()
    by_name = {name: int(found.sum()) for name, found in calls.items() if name != STANDARD}
    by_name["auto"] = tallies["auto"].of("calls")[0]
    return [
        Comparison(f"{name}: % fewer", 100 * (1 - total / base), None, "not in the paper")
        for name, total in by_name.items()
    ]


def _each(found: NDArray[np.int64], free: NDArray[np.bool_]) -> list[float]:
    """Calls for one connection: of all, the free and the failed."""
    parts = (np.ones_like(free), free, ~free)
    return [float(found[part].mean()) if part.any() else 0.0 for part in parts]


def _table(
    calls: Mapping[str, NDArray[np.int64]], tallies: Mapping[str, Tally], chosen: Connections
) -> Table:
    everything = {**calls, "auto": tallies["auto"].calls}
    base = calls[STANDARD].sum()
    rows = [
        [
            name,
            *(f"{each:.2f}" for each in _each(found, chosen.free)),
            f"{100 * (1 - found.sum() / base):.1f}%",
        ]
        for name, found in everything.items()
    ]
    headings = ["", "all", "successful", "failed", "fewer than standard"]
    return Table(f"Distance computations for one of {len(chosen):,} connections", headings, rows)


def _plot(
    calls: Mapping[str, NDArray[np.int64]], tallies: Mapping[str, Tally], chosen: Connections
) -> Picture:
    everything = {**calls, "auto": tallies["auto"].calls}
    series = {name: _each(found, chosen.free) for name, found in everything.items()}
    figure = bars_from_zero({"distance computations for one connection": series}, WHICH, TINTS)
    alt = "Bars of distance computations for one connection, by six bounds, of all, free and failed ones."
    return Picture(png(figure), alt, "What smaller radii and chords save, and what auto does.", wide=True)


CHAPTER = Chapter(
    "Section V: what was left open",
    "The paper's radius is that of the farthest point from the origin of the body, whatever the axis; it "
    "proposes the radius about the axis of each motion. Besides, a point that turns moves by a chord, which "
    "is shorter than the arc. Both are counted here by the paper's Figure 5 as it stands, in a few lines of "
    "Python that ask er.distance, on connections spread over the tree; with the paper's own bounds these "
    "lines must count what the library counts. Auto needs neither: it looks at the hulls of the moving legs.",
    run,
)
