"""Sixth stop: polymers sampled by pivots, and how their size grows with their length."""

from __future__ import annotations

from collections.abc import Mapping

import elbowroom as er
from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table
from elbowroom.pictures.scaling import scaling_figure, written
from elbowroom.sampling import Estimate, ExponentFit, Run, fit_exponent
from elbowroom.sampling.scaling import FLORY

from . import scene_chain
from .stop import Progress, Row, Section, Stop, short

LINKS = (100, 300, 1_000, 3_000, 10_000)
PIVOTS, BURN_IN, EVERY = 100_000, 1_000, 10
KNOWN = 2 * FLORY
WIDE = (9.6, 4.8)
CODE = """links = [100, 300, 1_000, 3_000, 10_000]
runs = [
    er.sampling.sample(er.sampling.polymer(n), {"pivot": 1}, steps=100_000, burn_in=1_000, every=10, seed=n)
    for n in links
]
squares = [run.estimate("end_to_end", power=2) for run in runs]  # means, and errors by blocking
fit = er.sampling.fit_exponent(links, [s.mean for s in squares], [s.error for s in squares], terms=1)"""


def run(progress: Progress) -> Section:
    """Pivots of chains of several lengths, then the power by which they grow; then the picture."""
    pivots = progress.size(PIVOTS)
    runs = {links: _sampled(links, pivots, progress) for links in LINKS}
    squares = {links: found.estimate("end_to_end", power=2) for links, found in runs.items()}
    pure, corrected = _fit(squares, 0), _fit(squares, 1)
    progress.step("drawing how polymers grow")
    return Section(
        [_row(links, found) for links, found in runs.items()],
        [_picture(corrected, pivots, progress.dpi)],
        [_sizes(squares), _slopes(pure, corrected)],
        {
            "pivots": pivots,
            "links": list(LINKS),
            "squares": [found.mean for found in squares.values()],
            "errors": [found.error for found in squares.values()],
            "accepted": [found.acceptance["pivot"] for found in runs.values()],
            "slopes": {"pure": _slope(pure), "corrected": _slope(corrected)},
            "known_slope": KNOWN,
        },
        [scene_chain.pivots()],
    )


def _sampled(links: int, pivots: int, progress: Progress) -> Run:
    progress.step(f"{pivots:,} pivots of a polymer of {links:,} links")
    return er.sampling.sample(
        er.sampling.polymer(links),
        {"pivot": 1},
        steps=pivots,
        burn_in=BURN_IN,
        every=EVERY,
        seed=links,  # or chains of all lengths would make the same turns, and their errors agree
        progress=False,  # the tour shows its own
    )


def _fit(squares: Mapping[int, Estimate], terms: int) -> ExponentFit:
    means, errors = zip(*((found.mean, found.error) for found in squares.values()), strict=True)
    return fit_exponent(list(squares), means, errors, terms=terms)


def _slope(fit: ExponentFit) -> tuple[float, float]:
    """Of the logarithms, with its error."""
    return 2 * fit.exponent, 2 * fit.error


def _row(links: int, found: Run) -> Row:
    microseconds = 1e6 * found.seconds / found.steps
    return Row(
        f"pivot, {links:,} links", found.steps, microseconds, {}, f"{found.acceptance['pivot']:.0%} free"
    )


def _sizes(squares: Mapping[int, Estimate]) -> Table:
    rows = [
        [
            f"{links:,}",
            written(found.mean, found.error),
            f"{found.error / found.mean:.1%}",
            short(2 * found.time),
        ]
        for links, found in squares.items()
    ]
    headings = ["links", "mean R²", "error", "pivots between independent samples"]
    return Table("Mean square distance R² of the ends, in bonds; errors by blocking", headings, rows)


def _slopes(pure: ExponentFit, corrected: ExponentFit) -> Table:
    """What was measured beside what is known."""

    def row(what: str, fit: ExponentFit) -> list[str]:
        return [what, written(*_slope(fit)), f"{fit.deviation(FLORY):+.1f} errors"]

    return Table(
        "Slope of log R² over log N",
        ["by", "slope", "off by"],
        [
            row("a straight line", pure),
            row(f"a line with a correction that shrinks as N^-{corrected.correction:g}", corrected),
            [f"the known exponent, 2 x {FLORY}", f"{KNOWN:.6f}", ""],
        ],
    )


def _picture(fit: ExponentFit, pivots: int, dpi: int) -> Picture:
    alt = "Mean squares over the power of N that fits them, with errors, along a curve that becomes level."
    caption = (
        f"Mean square distances of the ends after {pivots:,} pivots at each length, over N to the power that "
        f"fits them: twice {written(fit.exponent, fit.error)}, where {FLORY} is known. The curve bends where "
        "chains are too short for the power alone."
    )
    figure = scaling_figure(fit)
    figure.set_size_inches(WIDE)
    return Picture(png(figure, dpi=dpi), alt, caption, wide=True)


STOP = Stop(
    "Polymers by pivots",
    "A pivot turns all of a polymer beyond one link at random, and is accepted if the chain is then free of "
    "itself. It takes microseconds even where thousands of links move, and some dozens of pivots give a "
    "nearly independent shape. So a short run measures how a self-avoiding chain grows with its number N "
    "of links: the mean square end-to-end distance is proportional to N to the power 2 x 0.587597.",
    CODE,
    run,
)
