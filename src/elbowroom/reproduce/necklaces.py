"""Guibas, Nguyen, Russel and Zhang, "Collision Detection for Deforming Necklaces" (SoCG 2002): Figure 7, the
separating sets of its section 6, its two motions, its bounds and its times.

Tests, pairs and changes are counted; its seconds are those of a Pentium III.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from elbowroom import scenes
from elbowroom.pictures import INK, png
from elbowroom.pictures.exhibits import Picture, Table

from . import necklaces_bounds, necklaces_motion, necklaces_times
from .findings import REPRODUCED, Chapter, Comparison, Findings, Paper, Settings, Tell, judge
from .necklaces_counts import Beads, Counts, count
from .necklaces_paint import paint_flat
from .necklaces_table import (
    COLUMNS,
    Row,
    backbone,
    given,
    globular_beads,
    helix_beads,
    horseshoe_beads,
    models,
    spline_beads,
    verdict,
)
from .paint import paint_chain

#: Sizes of separating sets in the text of section 6, and how well it says so.
SETS: dict[str, tuple[Callable[[Settings], Beads], float, float]] = {
    "(d) spline, 100": (spline_beads(100), 35, 1.0),
    "(d) spline, 1600": (spline_beads(1_600), 575, 1.0),
    "(g) line": (lambda _: Beads(scenes.spiral()[0], 0.01), 243, 1.0),
    "(g) spiral": (lambda _: Beads(scenes.spiral()[-1], 0.01), 2_868, 4 / 3),
    "(c) grill, 63 beads": (lambda _: Beads(scenes.grill(), 0.15), 309, 4 / 3),
    "(e) static, 200": (helix_beads(200, 10), 2_000, 4 / 3),
    "(e) static, 12,800": (helix_beads(12_800, 10), 6_800, 4 / 3),
    "(e) scaling, 100": (helix_beads(100, 10), 1_000, 4 / 3),
}
CAGES = {51: 37, 500: 487}


def run_figure_7(settings: Settings, tell: Tell) -> Findings:
    """Every row of Figure 7, and what Figure 6 shows."""
    counted: dict[Row, Counts] = {}
    for row in models(settings):
        tell(f"{row.name}: counting tests")
        counted[row] = count(row.make(settings))
    tell("painting the necklaces")
    compared = [
        Comparison(f"{row.name}: {column}", ours, float(printed), verdict(row, column, ours))
        for row, counts in counted.items()
        for column, ours, printed in zip(COLUMNS, counts.columns(), row.printed, strict=True)
    ]
    return Findings(
        compared,
        [_table(counted, settings)],
        [_gallery(settings)],
        {row.name: counts.figures() for row, counts in counted.items()},
    )


def run_sets(settings: Settings, tell: Tell) -> Findings:
    """Numbers of cages and of separating pairs that the text gives."""
    found = {n: count(Beads(scenes.spiral(n, 1)[0], 0.01)).cages for n in CAGES}
    compared = [
        Comparison(f"{n} beads: cages", ours, CAGES[n], _exactly(ours, CAGES[n])) for n, ours in found.items()
    ]
    rows = []
    for name, (make, printed, within) in SETS.items():
        tell(f"{name}: separating")
        counts = count(make(settings))
        same = _exactly(counts.apart, printed)
        said = (
            same
            if within == 1.0
            else judge(counts.apart, printed, "the shape is ours", "the shape is ours", within=within)
        )
        compared.append(
            Comparison(f"{name}: pairs", counts.apart, printed, said.replace("better", "differs"))
        )
        rows.append([name, f"{counts.apart:,}", f"{counts.own_pairs:,}", f"{printed:,.0f}"])
    headings = ["", "both opened", "the larger opened", "paper"]
    table = Table("Pairs of separating sets", headings, rows)
    return Findings(compared, [table], [_proof_picture()], {"cages": {str(n): m for n, m in found.items()}})


def _exactly(ours: float, paper: float) -> str:
    return f"{REPRODUCED}: exactly" if ours == paper else "differs: the tree is not the paper's"


def _table(counted: Mapping[Row, Counts], settings: Settings) -> Table:
    """Ours above the printed row, and the library's own way of opening cages."""
    rows = []
    for row, counts in counted.items():
        own = (counts.own_tests / counts.cages, counts.own_pairs / counts.cages)
        cells = [f"{value:.2f}" for value in (*counts.columns(), *own)]
        rows.append([row.name, f"{counts.beads:,}", f"{counts.cages:,}", *cells])
        rows.append(["paper", "", "", *row.printed, "", ""])
    files = ", ".join(file.name for file in given(settings).values())
    source = f"proteins from {files}, the others made up" if files else "the proteins are made up"
    headings = ["", "beads", "cages", *COLUMNS, "own tests", "own pairs"]
    return Table(f"Figure 7, for one cage on average; {source}", headings, rows)


def _gallery(settings: Settings) -> Picture:
    """The necklaces of Figure 6."""
    solid = {
        "(a) horseshoe": (horseshoe_beads(settings).positions, 1.2, (-60.0, 55.0)),
        "(b) globular": (globular_beads(settings).positions, 1.2, (-60.0, 22.0)),
        "(e) static helix": (scenes.helix(400), 0.06, (-60.0, 12.0)),
        "(e) scaling helix, 1600": (scenes.helix(1_600, 40), 0.05, (-60.0, 12.0)),
        "(f) hairpin": (scenes.hairpin(1)[0], 0.6, (-100.0, 60.0)),
    }
    flat = {
        "(c) grill": (scenes.grill(90, 12, gap=2), 0.3),
        "(d) spline": (scenes.spline(100) * [1.0, 4.0], 0.02),
        "(g) spiral": (scenes.spiral()[-1], 0.45),
    }
    figure = Figure(figsize=(9.6, 4.6), layout="constrained")
    places = dict(zip(sorted({**solid, **flat}, key=str.lower), figure.subplots(2, 4).ravel(), strict=True))
    for title, (positions, radius, camera) in solid.items():
        paint_chain(places[title], positions, radius, camera=camera, title=title)
    for title, (positions, radius) in flat.items():
        paint_flat(places[title], positions, radius)
        places[title].set_title(title, color=INK, fontsize=11)
    alt = "Eight necklaces: two proteins, two helices, a hairpin, a grill, a flat S and a spiral."
    caption = "The necklaces, coloured along their length. The S of the spline is drawn four times as high."
    return Picture(png(figure), alt, caption, wide=True)


def _proof_picture() -> Picture:
    """Cages of the spiral level by level."""
    positions = scenes.spiral()[-1]
    necklace = Beads(positions, 0.01).necklace()
    figure = Figure(figsize=(9.6, 3.4), layout="constrained")
    panels: list[Axes] = list(figure.subplots(1, 3))
    for axes, level in zip(panels, (2, 4, 6), strict=True):
        cages = necklace.cage_balls(level)
        paint_flat(axes, positions, 0.3, cages=[cages])
        axes.set_title(f"level {level}: {len(cages)} cages", color=INK, fontsize=11)
    alt = "A spiral of beads three times, in 4, in 16 and in 64 circles, each about a stretch of it."
    caption = "Cages of the spiral: large ones overlap all others, and only small ones can be told apart."
    return Picture(png(figure), alt, caption, wide=True)


PAPER = Paper(
    "necklaces",
    "Collision Detection for Deforming Necklaces",
    "Guibas, Nguyen, Russel and Zhang, SoCG 2002: beads on a string that all move, each stretch of them in "
    "the smallest ball about it, its cage. Counted and measured again on this machine.",
    (
        Chapter(
            "Figure 7: tests for each cage",
            "Seven kinds of necklaces at rest. Self tests are intersection tests that separate the beads, "
            "and the self front is the pairs of balls found apart; cascade and naive tests are those of "
            "containment that verify the cages, and the cascade front is the cages and beads found inside; "
            "all for one cage on average. Naive tests hang on the tree alone: beads are halved until there "
            "are three or fewer, and the printed digits come out. The other numbers hang on shapes that "
            "the paper shows and does not give. Those here were chosen so that the counts come near: the "
            "height of the helix, 4 radii, the 10 turns of the spiral, the lines and gaps of the grill. "
            "Reproduced means within a third; a tenth more or less of those measures makes a fifth at "
            "most. The counts are the paper's if both of two overlapping cages are opened, not only the "
            "one with more beads as its section 5.1 says, and if each cage that has cages below it counts "
            "as one test besides. The library opens the one with more beads: the last two columns of the "
            "table. Slips. Where next to nothing overlaps (spline, line, static helices) the printed self "
            "front is larger than the sets that the text gives, by one for each cage. Row (c) says 63, "
            "which is the number of cages of 90 beads; 63 beads have 6.1 naive tests. In row (e) static, "
            "400 the last three numbers are not in their columns. The scaling helices of 6.4k and 25k "
            "beads do not have sqrt(n) turns but 40 beads a turn, like that of 1600: only then tests grow "
            "with n squared as printed; with sqrt(n) turns they grow as n log n. Atoms of radius 2 overlap "
            "the next but one, and the counts of the proteins come out if cages of three beads or fewer "
            "are not opened. Balls that just touch count as inside here; in the paper rounding decided, "
            "one way or the other.",
            run_figure_7,
        ),
        Chapter(
            "Section 6: cages and separating sets",
            "Numbers of the text. A set is counted as in Figure 7, both cages opened and nothing tested "
            "within a cage that has beads alone below it; then the sets of smooth necklaces are the pairs "
            "of sibling cages, and exactly the paper's. The text rounds 1000 and 2000 to one digit. It "
            "gives about 30 pairs for the hairpin, whose printed frontier is 3.3 for each of 37 cages, "
            "which is 122.",
            run_sets,
        ),
        necklaces_motion.CHAPTER,
        necklaces_bounds.CHAPTER,
        necklaces_times.CHAPTER,
    ),
    frozenset({"pdb"}),
    backbone,
)
