"""Times of the necklace paper beside ours: to build cages, to verify them both ways, to separate the beads.

The paper's are those of a Pentium III of 700 MHz, and say little about ours; what is compared is which of two
ways is the faster. The least of some repeats counts, ways take turns, and the machine may do other things.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import elbowroom as er
from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table

from .findings import REPRODUCED, Chapter, Comparison, Findings, Settings, Tell
from .necklaces_counts import Beads
from .necklaces_table import helix_beads, horseshoe_beads, spline_beads
from .plots import growth, slope

REPEATS = 4
QUICK = 5  # times as often for what takes less
SIZES = (1_600, 6_400, 25_600, 102_400)  # of static helices, to see how times grow
SEPARATED = "separate"


@dataclass(frozen=True)
class Times:
    """Seconds: to build the cages, to verify them after a move naively and by cascade, to separate."""

    build: float
    naive: float
    cascade: float
    separate: float


#: What the paper says of some necklaces: the name, how it is made, and seconds by name of what they were for.
PAPER_SECONDS: dict[str, tuple[Callable[[Settings], Beads], dict[str, float]]] = {
    "(a) horseshoe": (horseshoe_beads, {"build": 42e-3}),
    "(d) spline, 800": (spline_beads(800), {"cascade": 6e-3}),
    "(e) static, 200": (helix_beads(200, 10), {SEPARATED: 3.25e-3}),
    "(e) static, 12,800": (helix_beads(12_800, 10), {SEPARATED: 20e-3}),
    "(e) scaling, 100": (helix_beads(100, 10), {SEPARATED: 2e-3}),
    "(e) scaling, 25k": (helix_beads(25_600, 640), {"naive": 0.8, SEPARATED: 18.0}),
}


def run(settings: Settings, tell: Tell) -> Findings:
    """Time the necklaces that the paper names, and static helices of growing size."""
    found = {}
    for name, (make, _) in PAPER_SECONDS.items():
        tell(f"{name}: times")
        found[name] = measure(make(settings))
    tell("helices of growing size: times")
    grown = {n: measure(helix_beads(n, 10)(settings)) for n in SIZES}
    return Findings(
        [*_ratios(found), _growth_comparison(grown)],
        [_table(found)],
        [_plot(grown)],
        {"seconds": {name: vars(times) for name, times in found.items()}},
    )


def measure(beads: Beads, repeats: int = REPEATS) -> Times:
    """The least of some repeats. Cages are verified after a move to where the beads are already.

    Whether a proof or not, and however many pairs overlap: all of them are found.
    """
    ways = {how: beads.necklace(verify=how) for how in ("naive", "cascade")}
    best = dict.fromkeys(("build", *ways, SEPARATED), float("inf"))
    for _ in range(repeats):
        best["build"] = min(best["build"], _timed(beads.necklace))
        for how, necklace in list(ways.items()) * QUICK:
            best[how] = min(best[how], _timed(partial(necklace.move, beads.positions)))
        best[SEPARATED] = min(best[SEPARATED], _timed(ways["naive"].separating_pairs))
    return Times(**best)


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _ratios(found: dict[str, Times]) -> list[Comparison]:
    """Cascade against naive, where the paper says which was twice as fast."""
    smooth, coiled = found["(d) spline, 800"], found["(e) scaling, 25k"]
    ratios = {"(d) spline, 800": (smooth.naive / smooth.cascade, "naive / cascade"),
              "(e) scaling, 25k": (coiled.cascade / coiled.naive, "cascade / naive")}  # fmt: skip
    compared = []
    for name, (ratio, what) in ratios.items():
        less = (
            "naive sees many beads at once"
            if what.startswith("naive")
            else "a cascade begins at its last end"
        )
        verdict = (
            REPRODUCED if 1.5 <= ratio <= 2 * 4 / 3 else f"differs: {less if ratio < 2 else 'more so here'}"
        )
        compared.append(Comparison(f"{name}: {what}", ratio, 2.0, verdict))
    return compared


def _growth_comparison(grown: dict[int, Times]) -> Comparison:
    """How the time to build grows: n log n has an exponent a little above 1 over these sizes."""
    exponent = slope(list(grown), [times.build for times in grown.values()])
    verdict = REPRODUCED if 0.9 <= exponent <= 1.3 else "differs: not n log n"
    return Comparison("building: growth exponent", exponent, None, verdict)


def _table(found: dict[str, Times]) -> Table:
    """Ours in milliseconds, and the paper's where it gives one."""
    parts = ("build", "naive", "cascade", SEPARATED)
    rows = []
    for name, times in found.items():
        printed = PAPER_SECONDS[name][1]
        rows.append([name, *(f"{1e3 * getattr(times, part):,.3f}" for part in parts)])
        rows.append(["paper", *(f"{1e3 * printed[part]:,g}" if part in printed else "" for part in parts)])
    caption = f"Milliseconds, one thread, elbowroom {er.__version__}; of the paper what its text gives"
    return Table(caption, ["", "build", "verify, naive", "verify, cascade", "separating pairs"], rows)


def _plot(grown: dict[int, Times]) -> Picture:
    sizes = [float(n) for n in grown]
    names = {
        "build": "build",
        "naive": "verify, naive",
        "cascade": "verify, cascade",
        SEPARATED: "separating pairs",
    }
    series = {name: (sizes, [1e3 * getattr(t, part) for t in grown.values()]) for part, name in names.items()}
    figure = growth(series, ("beads", "ms"))
    alt = "Milliseconds to build, to verify both ways and to separate helices of 1,600 to 102,400 beads."
    return Picture(png(figure), alt, "Static helices of ten turns, on this machine.", wide=True)


CHAPTER = Chapter(
    "Times",
    "The paper's times are those of a Pentium III of 700 MHz: 42 ms to build the cages of the first "
    "protein, 6 ms to verify those of the spline, 18 s to separate the largest helix. It found cascade "
    "verification twice as fast as naive on the smooth spline, and naive twice as fast on the tightly "
    "wound helix. Here naive verification tests several beads in one instruction, and a cascade begins "
    "where the last one ended, as the paper proposes; so both ratios are others. Times vary with what else "
    "the machine does.",
    run,
)
