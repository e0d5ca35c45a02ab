"""What the necklace paper proves, on the necklaces that come nearest to its bounds.

Theorem 4.1 and Lemma 4.3: how much larger a layered hierarchy may be than a wrapped one. Theorem 5.1: how
many pairs a separating family may need, on a grid that is traced line by line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import INK, png
from elbowroom.pictures.exhibits import Picture, Table

from .findings import REPRODUCED, Chapter, Comparison, Findings, Settings, Tell, judge_exponent
from .necklaces_paint import paint_flat
from .plots import growth, slope

Array = NDArray[np.float64]
Growth = tuple[list[float], list[float]]  # beads and pairs

LEVELS = tuple(range(1, 13))  # k of the 2**k points of Lemma 4.3
SHOWN = 4  # the paper's Figure 4 has 16 points
NEAR = 1e-12
RANDOM = 300  # necklaces on which Theorem 4.1 is tried
GRID_RADIUS = 0.4
SIDES = {2: (16, 32, 64, 128), 3: (8, 16, 32)}
FULL_SIDES = {2: (16, 32, 64, 128, 256), 3: (8, 16, 32, 48)}


def run(settings: Settings, tell: Tell) -> Findings:
    """Ratios of radii, then pairs on grids."""
    tell("Lemma 4.3 and Theorem 4.1: roots of layered and wrapped hierarchies")
    ratios = {k: looseness(scenes.sqrt_log(k)) for k in LEVELS}
    nearest = nearest_to_bound(RANDOM)
    found = {}
    for dimension, sides in (FULL_SIDES if settings.full else SIDES).items():
        tell(f"Theorem 5.1: separating a grid in {dimension}-D")
        found[dimension] = pairs_on_grids(dimension, sides)
    return Findings(
        [*_lemma(ratios), _theorem(nearest), *(_exponent(*item) for item in found.items())],
        [_grid_table(found)],
        [_lemma_picture(), _growth_plot(found)],
        {
            "ratios": ratios,
            "nearest_to_bound": nearest,
            "pairs": {f"{d}-D": counts for d, counts in found.items()},
        },
    )


def looseness(positions: Array, radius: float = 0.0) -> float:
    """How many times larger the root of the layered hierarchy is than that of the wrapped one."""
    roots = [
        er.Necklace(positions, radius, cages=kind).cage_balls(0)[0, -1] for kind in ("layered", "wrapped")
    ]
    return float(roots[0] / roots[1])


def bound(n: int) -> float:
    """Theorem 4.1, for n points."""
    return math.sqrt(math.ceil(math.log2(n)))


def nearest_to_bound(count: int, seed: int = 5) -> float:
    """The largest share of the bound over random walks and random points, in the plane and in space."""
    rng = np.random.default_rng(seed)
    shares = []
    for k in range(count):
        n = int(rng.integers(8, 400))
        points = rng.normal(size=(n, 2 + k % 2))
        shares.append(looseness(points if k % 4 < 2 else np.cumsum(points, axis=0)) / bound(n))
    return max(shares)


def pairs_on_grids(dimension: int, sides: Sequence[int]) -> Growth:
    """Beads of grids with these sides, and the pairs of a family that separates them."""
    beads, pairs = [], []
    for side in sides:
        positions = scenes.grid_necklace(side**dimension, dimension)
        proof = er.Necklace(positions, GRID_RADIUS, cages="wrapped").separating_pairs()
        if not proof.free:
            raise RuntimeError(f"a grid of side {side} collides with itself")
        beads.append(float(len(positions)))
        pairs.append(float(len(proof)))
    return beads, pairs


def _lemma(ratios: dict[int, float]) -> list[Comparison]:
    """The smallest, the paper's own and the largest of the constructions."""
    found = []
    for k in (LEVELS[0], SHOWN, LEVELS[-1]):
        exact = abs(ratios[k] - math.sqrt(k)) <= NEAR * math.sqrt(k)
        verdict = f"{REPRODUCED}: exactly" if exact else "differs: the construction is not reached"
        found.append(Comparison(f"Lemma 4.3, {2**k:,} points: ratio", ratios[k], math.sqrt(k), verdict))
    return found


def _theorem(nearest: float) -> Comparison:
    verdict = f"{REPRODUCED}: the bound holds" if nearest <= 1 + NEAR else "differs: the bound is broken"
    return Comparison("Theorem 4.1: largest share", nearest, 1.0, verdict)


def _exponent(dimension: int, found: Growth) -> Comparison:
    """In the plane the exponent of n log n over the same sizes, which tends to 1; in space 4/3."""
    beads, pairs = found
    law = slope(beads, [n * math.log2(n) for n in beads]) if dimension == 2 else 4 / 3
    verdict = judge_exponent(
        slope(beads, pairs), law, "fewer pairs than the bound", "lower levels still weigh"
    )
    name = "n log n" if dimension == 2 else "n^(4/3)"
    return Comparison(f"grid, {name}: growth exponent", slope(beads, pairs), law, verdict)


def _grid_table(found: dict[int, Growth]) -> Table:
    rows = []
    for dimension, (beads, pairs) in found.items():
        for n, count in zip(beads, pairs, strict=True):
            law = n * math.log2(n) if dimension == 2 else n ** (4 / 3)
            rows.append(
                [f"{dimension}-D", f"{n:,.0f}", f"{count:,.0f}", f"{count / n:.2f}", f"{count / law:.2f}"]
            )
    headings = ["grid", "beads", "pairs", "pairs / beads", "pairs / law"]
    return Table("Separating families of grids; the law is n log n in 2-D and n^(4/3) in 3-D", headings, rows)


def _growth_plot(found: dict[int, Growth]) -> Picture:
    laws = {2: "n log n", 3: "n^(4/3)"}
    series: dict[str, tuple[Sequence[float], Sequence[float]]] = {}
    for dimension, (beads, pairs) in found.items():
        name = f"{dimension}-D grid"
        series[name] = beads, pairs
        law = [n * math.log2(n) if dimension == 2 else n ** (4 / 3) for n in beads]
        series[f"{name}, paper"] = beads, [value * pairs[-1] / law[-1] for value in law]
    figure = growth(series, ("beads", "pairs"), size=(6.0, 4.6))
    alt = "Pairs of separating families against beads, on logarithmic scales, beside the paper's laws."
    words = " and ".join(laws.values())
    return Picture(
        png(figure), alt, f"Grids: pairs of a separating family. Dashed: {words}, through the last."
    )


def _lemma_picture() -> Picture:
    """The 16 points of the paper's Figure 4, with the balls of the layered hierarchy and the circle."""
    points = scenes.sqrt_log(SHOWN)
    layered = er.Necklace(points, 0.0, cages="layered")
    figure = Figure(figsize=(6.0, 4.6), layout="constrained")
    axes = figure.add_subplot()
    cages = [layered.cage_balls(level) for level in range(SHOWN)]
    paint_flat(axes, points, 0.03, cages=cages)
    circle = er.Necklace(points, 0.0, cages="wrapped").cage_balls(0)[0]
    axes.add_patch(_ring(circle))
    axes.set_title(f"layered root: {cages[0][0, -1]:.3f}, wrapped: {circle[-1]:.3f}", color=INK, fontsize=11)
    alt = "Sixteen points on a circle, and balls about two, four, eight and all: the last is twice as large."
    return Picture(png(figure), alt, "Lemma 4.3 for 16 points: the circle is the wrapped root, dashed.")


def _ring(ball: Array) -> Circle:
    return Circle((ball[0], ball[1]), ball[2], fill=False, color=INK, linestyle="--", linewidth=1.4)


CHAPTER = Chapter(
    "Bounds: Theorem 4.1, Lemma 4.3, Theorem 5.1",
    "A layered hierarchy takes the smallest ball about the two balls below, a wrapped one about the beads. "
    "The ratio of their roots is at most sqrt(ceil(log2 n)) for points, and 2^k points on a circle reach "
    "sqrt(k) to the last bit but some. Random points and random walks do not come near it: the number is "
    "the largest share of the bound. A grid that is traced line by line needs in the order of n log n "
    "separating pairs in the plane and n^(4/3) in space; the exponents are fitted to what the library's "
    "own families need, and for n log n stands the exponent that a fit to it gives over the same sizes. In "
    "the proof of Theorem 5.1 the printed 5 R should be 9 R; the bound stays.",
    run,
)
