"""Figure 7 of the necklace paper as printed, and the necklace that stands for each of its rows here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from elbowroom import scenes
from elbowroom.files import read_chain
from elbowroom.files.structures import read_structure

from .findings import REPRODUCED, Settings, judge
from .necklaces_counts import Beads

Array = NDArray[np.float64]

COLUMNS = ("self tests", "self front", "cascade tests", "cascade front", "naive tests")
PROTEINS = ("1A4Y", "1CEM")
ATOM = 2.0  # radius of the atoms of proteins, as in the paper
THIN = 0.01  # radius of the beads of smooth curves, in distances of neighbours: "the small size of the beads"
GRILL = 0.15  # the same of the grill
PER_TURN = 40  # beads of a turn of the largest scaling helices

SHIFTED = "the row is misprinted"
LESS_ONE = "less one for each cage"
#: Why numbers in a column may differ.
REASONS = {
    "self tests": "the shape is ours",
    "self front": "the shape is ours",
    "cascade tests": "the shape is ours",
    "cascade front": "the shape is ours",
    "naive tests": "the tree is not the paper's",
}


@dataclass(frozen=True, eq=False)
class Row:
    """A row: its name, its numbers as printed, what stands for it, and why some of its cells may differ.

    `exact` are the columns that hang on the tree alone, in which digits must agree.
    """

    name: str
    printed: tuple[str, str, str, str, str]
    make: Callable[[Settings], Beads]
    reasons: Mapping[str, str] = field(default_factory=dict)
    exact: tuple[str, ...] = ("naive tests",)
    only_full: bool = False


def verdict(row: Row, column: str, ours: float) -> str:
    """Equal to the last printed digit where that can be expected, else within a third, or different.

    The shapes are not those of the paper. Only naive tests, and self tests where no two cages overlap, are
    the same for all shapes; on the others a small change of shape has a small effect.
    """
    printed = row.printed[COLUMNS.index(column)]
    reason = row.reasons.get(column, REASONS[column])
    if column in row.exact:
        return f"{REPRODUCED}: in all digits printed" if same_digits(ours, printed) else f"differs: {reason}"
    found = judge(ours, float(printed), reason, reason).replace("better", "differs")
    if (
        found != REPRODUCED
        and column == "self front"
        and judge(ours, float(printed) - 1, "", "") == REPRODUCED
    ):
        return f"{REPRODUCED}: {LESS_ONE}"
    return found


def same_digits(ours: float, printed: str) -> bool:
    """Is the printed number ours, cut off or rounded to as many digits? The paper does both."""
    scale = 10 ** len(printed.partition(".")[2])
    digits = round(float(printed) * scale)
    return digits in (math.floor(ours * scale), math.floor(ours * scale + 0.5))


def models(settings: Settings) -> list[Row]:
    """All rows, or all but the largest."""
    return [row for row in ROWS if settings.full or not row.only_full]


def horseshoe_beads(settings: Settings) -> Beads:
    """Row (a): the backbone of 1A4Y."""
    return _protein(PROTEINS[0], settings, scenes.horseshoe())


def globular_beads(settings: Settings) -> Beads:
    """Row (b): the backbone of 1CEM."""
    return _protein(PROTEINS[1], settings, scenes.barrel())


def _protein(name: str, settings: Settings, made_up: Array) -> Beads:
    """The backbone in the file given for that name, or a made-up one. Lowest cages are not opened."""
    files = given(settings)
    return Beads(backbone(files[name]) if name in files else made_up, ATOM, open_lowest=False)


def given(settings: Settings) -> dict[str, Path]:
    """The files by the four letters that their names begin with."""
    return {file.name[:4].upper(): file for file in settings.pdb}


def backbone(file: Path) -> Array:
    """N, CA and C of the first protein chain of a file, whose name tells the protein."""
    if file.name[:4].upper() not in PROTEINS:
        raise ValueError(f"its name begins with none of {', '.join(PROTEINS)}")
    first = next((chain.name for chain in read_structure(file)[0] if chain.get_polymer()), None)
    return read_chain(file, chain=first, breaks="bridge", missing="drop").positions


def _thin(make: Callable[[], Array]) -> Callable[[Settings], Beads]:
    """Beads that are small compared to their distance."""

    def made(_: Settings) -> Beads:
        positions = make()
        return Beads(positions, THIN * float(np.linalg.norm(positions[1] - positions[0])))

    return made


def helix_beads(n: int, turns: float) -> Callable[[Settings], Beads]:
    """Rows (e), with thin beads."""
    return _thin(lambda: scenes.helix(n, turns))


def spline_beads(n: int) -> Callable[[Settings], Beads]:
    """Rows (d), with thin beads."""
    return _thin(lambda: scenes.spline(n))


MADE_UP = {"self tests": "the protein is made up", "self front": "the protein is made up"}
QUADRATIC = {
    "self tests": "with sqrt(n) turns it is n log n",
    "self front": "with sqrt(n) turns it is n log n",
}
STRAIGHT = ("naive tests", "self tests")
ROWS = (
    Row("(a) horseshoe", ("9.8", "5.7", "7.6", "5.8", "13"), horseshoe_beads, MADE_UP),
    Row("(b) globular", ("7.2", "5.0", "6.4", "4.8", "10"), globular_beads, MADE_UP),
    Row(
        "(c) grill, 90 beads",
        ("6.5", "4.9", "6.2", "4.4", "8.5"),
        lambda _: Beads(scenes.grill(90, 12, gap=2), GRILL),
    ),
    Row(
        "(c) grill, 63 beads",
        ("6.5", "4.9", "6.2", "4.4", "8.5"),
        lambda _: Beads(scenes.grill(), GRILL),
        {"naive tests": "63 are the cages, not the beads"},
    ),
    Row("(d) spline, 100", (".98", "1.4", "7.0", "4.2", "8.6"), spline_beads(100), exact=STRAIGHT),
    Row(
        "(d) spline, 400",
        ("1.0", "2", "7.0", "4.3", "11"),
        spline_beads(400),
        {"self front": "1.5 in the rows beside it"},
        STRAIGHT,
    ),
    Row("(d) spline, 1600", ("1.0", "1.5", "7.0", "4.3", "14"), spline_beads(1_600), exact=STRAIGHT),
    Row(
        "(e) static, 400",
        ("9.7", "7.2", "6.1", "15", "3.9"),
        helix_beads(400, 10),
        {
            "cascade tests": f"{SHIFTED}: 15 belongs here",
            "cascade front": f"{SHIFTED}: 15 is not its own",
            "naive tests": f"{SHIFTED}: 400 beads have 11",
        },
    ),
    Row("(e) static, 1600", ("3.5", "3.3", "14", "7.7", "14"), helix_beads(1_600, 10)),
    Row("(e) static, 6400", ("1.7", "2.0", "13", "6.9", "16"), helix_beads(6_400, 10)),
    Row(
        "(e) scaling, 100",
        ("19", "11", "12", "5.7", "8.6"),
        helix_beads(100, 10),
        {"self front": "its text has 1000 pairs, 14 a cage"},
    ),
    Row("(e) scaling, 400", ("28", "22", "16", "8.1", "11"), helix_beads(400, 20)),
    Row("(e) scaling, 1600", ("41", "32", "19", "10", "14"), helix_beads(1_600, 40)),
    Row("(e) scaling, 6.4k", ("166", "130", "23", "12", "16"), helix_beads(6_400, 6_400 / PER_TURN)),
    Row("(e) sqrt(n), 6.4k", ("166", "130", "23", "12", "16"), helix_beads(6_400, 80), QUADRATIC),
    Row(
        "(e) scaling, 25k",
        ("672", "530", "28", "15", "19"),
        helix_beads(25_600, 25_600 / PER_TURN),
        only_full=True,
    ),
    Row(
        "(e) sqrt(n), 25k",
        ("672", "530", "28", "15", "19"),
        helix_beads(25_600, 160),
        QUADRATIC,
        only_full=True,
    ),
    Row(
        "(f) hairpin",
        ("6.0", "3.3", "5.6", "3.5", "7.2"),
        lambda _: Beads(scenes.hairpin(1)[0], ATOM, open_lowest=False),
    ),
    Row(
        "(g) line",
        ("1.0", "1.5", "3.1", "2.5", "9.1"),
        _thin(lambda: scenes.spiral()[0]),
        {"cascade tests": "balls that just touch hang on rounding"},
        STRAIGHT,
    ),
    Row("(g) spiral", ("8.1", "5.7", "8.1", "4.6", "9.1"), _thin(lambda: scenes.spiral()[-1])),
)
