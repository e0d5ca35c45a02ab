"""Eighth stop: necklaces, all of whose beads move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import png, trace
from elbowroom.pictures.exhibits import Picture, Table
from elbowroom.reproduce.findings import Settings
from elbowroom.reproduce.necklaces_counts import count
from elbowroom.reproduce.necklaces_table import COLUMNS, ROWS
from elbowroom.reproduce.paint import paint_chain

from . import scene_bodies
from .measure import measure, measure_each
from .stop import Progress, Row, Section, Stop, short

Array = NDArray[np.float64]

BEADS, FRAMES = 5_000, 100
COIL, STEPS, STEP = 10_000, 100, 0.02
RADIUS = 0.45
SMALL = 500  # beads of the spiral on which the kinds of cages are compared
#: By what self-collisions are found, in words.
KINDS = {
    "boxes": "boxes, the default",
    "wrapped": "wrapped cages, the paper's",
    "layered": "layered cages, the paper's",
    "power": "the power diagram",
    "hybrid": "wrapped cages or power diagram",
}
#: Rows of the paper's Figure 7 that are counted again.
SHOWN = ("(c) grill, 90 beads", "(d) spline, 1600", "(e) static, 1600", "(f) hairpin", "(g) spiral")
CODE = """frames = scenes.spiral(5_000, frames=100)  # a line of beads rolls up
rope = er.Necklace(frames[0], radii=0.45)
for positions in frames:
    rope.move(positions)  # all 5,000 beads
    free = not er.self_collide(rope)
proof = rope.separating_pairs()  # that it is free; proof.verify() goes through it"""


def run(progress: Progress) -> Section:
    """A line that rolls up, a coil in Brownian motion, a proof; then every kind of cages."""
    progress.step(f"a line of {BEADS:,} beads rolls up")
    spiral = list(scenes.spiral(BEADS, progress.size(FRAMES)))
    turns, rolled = _moved("roll up, self-collision", spiral, er.self_collide)
    gaps, nearest = _moved("roll up, closest pair", spiral, er.self_distance)
    proof, proved = measure("separating pairs of a spiral", _rope(spiral[-1]).separating_pairs)
    progress.step(f"a coil of {COIL:,} beads in Brownian motion")
    coil = list(scenes.brownian(scenes.coil(COIL), progress.size(STEPS), STEP, diameter=2 * RADIUS))
    hits, brownian = _moved("Brownian coil, self-collision", coil, er.self_collide)
    progress.step("every kind of cages on a spiral of 500 beads")
    small = scenes.spiral(SMALL, progress.size(FRAMES))
    table, tests = _kinds(small)
    progress.step("painting and recording necklaces")
    return Section(
        [
            replace(rolled, answer=_colliding(turns)),
            replace(nearest, answer=f"{gaps[0].value:.2f} to {gaps[-1].value:.2f}"),
            replace(proved, answer=f"{len(proof):,} pairs"),
            replace(brownian, answer=_colliding(hits)),
        ],
        [
            _proof_picture(small, progress.dpi),
            _coil_picture(coil[-1], progress.dpi),
        ],
        [_beside(), table],
        {
            "frames": len(spiral),
            "gaps": [gap.value for gap in gaps],
            "separating_pairs": len(proof),
            "tests": tests,
        },
        [scene_bodies.rolling()],
    )


def _rope(positions: Array, cages: str = "boxes") -> er.Necklace:
    return er.Necklace(positions, RADIUS, cages=cages)


def _moved(what: str, frames: Sequence[Array], ask: Callable[[er.Necklace], Any]) -> tuple[list[Any], Row]:
    """The answers to a question in every frame, and the row, in which a query is a move and the question."""
    rope = _rope(frames[0])

    def step(positions: Array) -> Any:
        rope.move(positions)
        return ask(rope)

    return measure_each(what, step, frames)


def _colliding(answers: Sequence[er.Collision]) -> str:
    return f"{sum(map(bool, answers))} collide"


def _kinds(frames: Array) -> tuple[Table, dict[str, float]]:
    """What a frame costs with each kind of cages."""
    rows, tests = [], {}
    for kind, words in KINDS.items():
        rope = _rope(frames[0], kind)

        def step(positions: Array, rope: er.Necklace = rope) -> er.Collision:
            rope.move(positions)
            return er.self_collide(rope)

        _, row = measure_each(words, step, frames)
        tests[kind] = row.counters["volume_tests"]
        rows.append([words, short(row.microseconds), short(tests[kind]), short(row.counters["leaf_tests"])])
    headings = ["self-collisions by", "µs a frame", "volume tests", "leaf tests"]
    return Table(f"A line of {SMALL} beads that rolls up, {len(frames)} frames", headings, rows), tests


def _beside() -> Table:
    """Some rows of the paper's Figure 7, counted again."""
    rows = []
    for row in ROWS:
        if row.name in SHOWN:
            ours = count(row.make(Settings())).columns()
            cells = [f"{short(value)} / {paper}" for value, paper in zip(ours, row.printed, strict=True)]
            rows.append([row.name, *cells])
    caption = "Figure 7 of the paper: for each cage, measured / in the paper. The shapes are ours"
    return Table(caption, ["necklace", *COLUMNS], rows)


def _coil_picture(positions: Array, dpi: int) -> Picture:
    figure = Figure(figsize=(6.0, 5.4), layout="constrained")
    paint_chain(figure.add_subplot(), positions, RADIUS)
    alt = "A long loose coil of balls on a string, coloured from the first to the last."
    return Picture(png(figure, dpi=dpi), alt, f"The coil of {COIL:,} beads after its Brownian steps.")


def _proof_picture(frames: Array, dpi: int) -> Picture:
    """How many pairs prove a line free while it rolls up."""
    rope, pairs = _rope(frames[0], "wrapped"), []
    for positions in frames:
        rope.move(positions)
        pairs.append(len(rope.separating_pairs()))
    figure = trace(pairs, labels=("frame", "pairs"), size=(6.0, 5.4))
    alt = "Line plot of the number of separating pairs, which grows while the line rolls up."
    caption = f"Pairs of balls that prove the {SMALL} beads free: the more the line is rolled up, the more."
    return Picture(png(figure, dpi=dpi), alt, caption)


STOP = Stop(
    "Necklaces: every bead moves",
    "Ropes, polymers and molecules: beads in a sequence, of which only neighbours may touch, and all of "
    "which move between two queries. Nothing is assumed about the motion. Pairs of balls that are apart "
    "prove that a necklace is free; the proof can be saved and verified by others.",
    CODE,
    run,
)
