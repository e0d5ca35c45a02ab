"""The two motions of the necklace paper: how often bases of cages change, and how often power diagrams do."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import INK, PALETTE, png, trace
from elbowroom.pictures.exhibits import Picture, Table

from .findings import REPRODUCED, Chapter, Comparison, Findings, Settings, Tell, judge
from .necklaces_paint import paint_flat, rolled_up
from .plots import _legend, _soften

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

HAIRPIN, SPIRAL = "(f) hairpin", "(g) spiral"
OURS = "the motion is ours"
THIN = 0.01
FILMED = 2  # every so many frames of the spiral are in the film
STILLS = (0, 12, 33, 99)


@dataclass(frozen=True)
class Printed:
    """What the paper says of a motion: changes of bases and of the diagram, and the last diagram."""

    basis_changes: float
    events: float
    edges: float
    triangles: float


PRINTED = {HAIRPIN: Printed(19, 1_500, 300, 450), SPIRAL: Printed(500, 50_000, 1_425, 926)}


@dataclass(frozen=True, eq=False)
class Story:
    """What happens to a necklace from frame to frame.

    `basis_changes` and `events` are those of each step, `pairs` the separating pairs of each frame; edges
    and triangles are those of the last regular triangulation, which is dual to the power diagram.
    """

    basis_changes: Integers
    events: Integers
    pairs: Integers
    edges: int
    triangles: int

    def figures(self) -> dict[str, float | list[int]]:
        """Sums, and the pairs frame by frame, for the JSON file."""
        return {
            "basis_changes": int(self.basis_changes.sum()),
            "events": int(self.events.sum()),
            "edges": self.edges,
            "triangles": self.triangles,
            "pairs": [int(count) for count in self.pairs],
        }


def run(settings: Settings, tell: Tell) -> Findings:
    """Move both, count, and paint the spiral."""
    del settings  # the motions are those of the paper in any case
    tell("the hairpin trembles: cages and power diagram")
    stories = {HAIRPIN: follow(scenes.hairpin(), 2.0)}
    tell("the line rolls up: cages and power diagram")
    spiral = scenes.spiral()
    stories[SPIRAL] = follow(spiral, THIN)
    tell("painting the spiral")
    return Findings(
        [row for name, story in stories.items() for row in _comparisons(name, story)],
        [_table(stories)],
        [_film(spiral), _stills(spiral), _changes_plot(stories), _pairs_plot(stories[SPIRAL])],
        {name: story.figures() for name, story in stories.items()},
    )


def follow(frames: Array, radius: float) -> Story:
    """Move a necklace through its frames."""
    necklace = er.Necklace(frames[0], radius, cages="wrapped")
    bases, events, pairs = [_bases(necklace)], [necklace.power_diagram().events], [_separated(necklace)]
    for positions in frames[1:]:
        necklace.move(positions)
        bases.append(_bases(necklace))
        events.append(necklace.power_diagram().events)
        pairs.append(_separated(necklace))
    diagram = necklace.power_diagram()
    changes = [sum(a != b for a, b in zip(*both, strict=True)) for both in pairwise(bases)]
    return Story(
        np.array(changes), np.diff(events), np.array(pairs), len(diagram.edges), triangles(diagram.simplices)
    )


def _bases(necklace: er.Necklace) -> list[frozenset[int]]:
    return [frozenset(basis.tolist()) for basis in necklace.cage_bases()]


def _separated(necklace: er.Necklace) -> int:
    return len(necklace.separating_pairs())


def triangles(simplices: NDArray[np.int32]) -> int:
    """How many triangles there are among simplices: themselves in the plane, their sides in space."""
    corners = range(simplices.shape[1])
    sides = [np.sort(simplices[:, list(side)], axis=1) for side in combinations(corners, 3)]
    return len(np.unique(np.concatenate(sides), axis=0)) if sides else 0


def _comparisons(name: str, story: Story) -> list[Comparison]:
    printed, changes, events = PRINTED[name], int(story.basis_changes.sum()), int(story.events.sum())
    over = name == SPIRAL and events >= printed.events  # the paper says "over"
    words = f"{REPRODUCED}: over {printed.events:,.0f}" if over else _judged(events, printed.events)
    ratio, papers = events / max(changes, 1), printed.events / printed.basis_changes
    return [
        Comparison(
            f"{name}: basis changes",
            changes,
            printed.basis_changes,
            _judged(changes, printed.basis_changes),
        ),
        Comparison(f"{name}: diagram changes", events, printed.events, words),
        Comparison(f"{name}: diagram / bases", ratio, papers, _judged(ratio, papers)),
        Comparison(f"{name}: diagram edges", story.edges, printed.edges, _judged(story.edges, printed.edges)),
        Comparison(
            f"{name}: diagram triangles",
            story.triangles,
            printed.triangles,
            _judged(story.triangles, printed.triangles),
        ),
    ]


def _judged(ours: float, paper: float) -> str:
    """Neither fewer nor more is better: they hang on the motion."""
    return judge(ours, paper, OURS, OURS).replace("better", "differs")


def _table(stories: dict[str, Story]) -> Table:
    rows = []
    for name, story in stories.items():
        most = [int(series.max()) for series in (story.basis_changes, story.events)]
        first, last = int(story.pairs[0]), int(story.pairs[-1])
        rows.append([name, f"{len(story.pairs)}", *(f"{value:,}" for value in (*most, first, last))])
    headings = [
        "",
        "frames",
        "bases, most in a step",
        "diagram, most in a step",
        "pairs, first",
        "pairs, last",
    ]
    return Table("The motions frame by frame; pairs are those of the library's own families", headings, rows)


def _changes_plot(stories: dict[str, Story]) -> Picture:
    """Changes so far, of bases and of the diagram."""
    figure = Figure(figsize=(9.6, 3.4), layout="constrained")
    panels = list(figure.subplots(1, len(stories)))
    for axes, (name, story) in zip(panels, stories.items(), strict=True):
        for k, (what, steps) in enumerate(
            {"power diagram": story.events, "bases of cages": story.basis_changes}.items()
        ):
            axes.plot(
                np.arange(1, len(steps) + 1), np.maximum(np.cumsum(steps), 0.8), color=PALETTE[k], label=what
            )
        axes.set(yscale="log", xlabel="frame")
        axes.set_title(name, color=INK, fontsize=11)
        _soften(axes)
    panels[0].set_ylabel("changes so far")
    _legend(figure, *panels[0].get_legend_handles_labels())
    alt = "Changes so far against the frame, for both motions: those of the power diagram are far above."
    caption = "Changes of the power diagram, in edges that come or go, and of the bases of cages."
    return Picture(png(figure), alt, caption, wide=True)


def _pairs_plot(story: Story) -> Picture:
    figure = trace(story.pairs, labels=("frame", "separating pairs"), size=(9.6, 2.6))
    alt = "Line plot of the number of separating pairs, which grows while the line rolls up."
    caption = "The rolling line: pairs that prove it free of collisions, the cage with more beads opened."
    return Picture(png(figure), alt, caption, wide=True)


def _stills(spiral: Array) -> Picture:
    """Some frames in the cages of two levels."""
    figure = Figure(figsize=(9.6, 2.7), layout="constrained")
    for axes, frame in zip(figure.subplots(1, len(STILLS)), STILLS, strict=True):
        necklace = er.Necklace(spiral[frame], THIN, cages="wrapped")
        paint_flat(axes, spiral[frame], 0.4, cages=[necklace.cage_balls(level) for level in (1, 3, 5)])
        axes.set_title(f"frame {frame + 1}", color=INK, fontsize=11)
    alt = "A line of beads in circles, and the same rolled up into ever more turns, in circles that overlap."
    return Picture(png(figure), alt, "The line rolls up; cages of three levels.", wide=True)


def _film(spiral: Array) -> Picture:
    alt = (
        "A film of a line of beads that rolls up into a spiral of ten turns, with cages around its stretches."
    )
    caption = (
        "All 500 beads move in every frame, and the cages with them. The scale changes from frame to frame."
    )
    return Picture(rolled_up(spiral[::FILMED], 0.4), alt, caption)


CHAPTER = Chapter(
    "Under motion: a hairpin and a spiral",
    "A hairpin of 51 atoms trembles for 300 frames, and a straight line of 500 beads rolls up into a "
    "spiral over 100. Each step counts the cages whose basis is another than in the frame before, and the "
    "edges of the power diagram that come or go. The paper's hairpin comes from a simulation that it does "
    "not give; its line and its spiral may roll another way. What holds for any motion is that cages are "
    "far more stable: the paper's diagrams change 79 and 100 times as often as the bases. It counts the "
    "faces of the triangulation that is dual to the diagram; of a straight line rounding makes 498 of "
    "them, where there are none here.",
    run,
)
