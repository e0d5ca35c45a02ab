"""The worst cases of the ChainTree paper: its Figures 4 and 5, and the construction of Lemma 7.

One torsion at the middle joint, and the box tests of the self-collision test after it, for growing chains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table

from .chaintree_walks import Structure
from .findings import Chapter, Comparison, Findings, Settings, Tell, judge_exponent
from .paint import paint_chain
from .plots import growth, slope

Array = NDArray[np.float64]
Growth = dict[str, tuple[list[float], list[float]]]  # links and counts, by name

HALVES = (128, 512, 2_048, 4_096)
ROWS = (128, 512, 2_048, 8_192)
SIDES = (32, 64, 128)
FULL_SIDES = (32, 64, 128, 256)


def run(settings: Settings, tell: Tell) -> Findings:
    """Count, fit, and draw the constructions."""
    tell("Figures 4 and 5: counting box tests")
    found: Growth = {"Figure 4: boxes kept": _kept(HALVES)}
    found["Figure 4: ChainTree"] = _counted(scenes.worst_spatial, HALVES, chain_tree)
    found["Figure 5: ChainTree"] = _counted(scenes.tangent_rows, ROWS, chain_tree)
    found["Figure 5: K-OBBTree"] = _counted(scenes.tangent_rows, ROWS, er.baselines.KObbTree)
    sides = FULL_SIDES if settings.full else SIDES
    tell("Lemma 7: counting box tests")
    found["Lemma 7: ChainTree"] = _counted(scenes.lemma7, sides, chain_tree)
    found["Lemma 7: spheres"] = _counted(scenes.lemma7, sides, sphere_tree)
    found["Lemma 7: K-OBBTree"] = _counted(scenes.lemma7, sides, er.baselines.KObbTree)
    tell("Lemma 7: painting one layer")
    lines = {"Figure": "Figures 4 and 5 (where both trees need the same)", "Lemma": "Lemma 7"}
    plots = [_constructions(), *(_plot(found, begins, what) for begins, what in lines.items())]
    return Findings(_comparisons(found), [_table(found)], plots, {"counts": found})


def chain_tree(positions: Array, radius: float) -> er.Chain:
    """The paper's tree."""
    return er.Chain(positions, radius, volume="obb", children=2)


def sphere_tree(positions: Array, radius: float) -> er.Chain:
    """The same tree of spheres, for which the paper proves its bound first (Lemma 4)."""
    return er.Chain(positions, radius, volume="sphere", children=2)


def _counted(
    make: Callable[[int], scenes.Fold], sizes: Sequence[int], build: Callable[[Array, float], Structure]
) -> tuple[list[float], list[float]]:
    """Numbers of links, and the box tests of one test after the torsion in the middle."""
    links, counts = [], []
    for size in sizes:
        fold = make(size)
        chain = build(fold.positions, 1.0)
        if chain.collides():  # asked before the torsion too, so that the chain is known to be free
            raise RuntimeError(f"{make.__name__}({size}) collides")
        chain.rotate(fold.joint, fold.angle)
        if chain.collides():
            raise RuntimeError(f"{make.__name__}({size}) collides")
        links.append(float(len(fold.positions)))
        counts.append(float(chain.counters.volume_tests))
    return links, counts


def _kept(sizes: Sequence[int]) -> tuple[list[float], list[float]]:
    """Figure 4: pairs of boxes that overlap after the torsion if each keeps its two links.

    A box holds link k and its partner across the gap, as a tree adapted to the shape before has it.
    """
    counts = []
    for n in sizes:
        fold = scenes.worst_spatial(n)
        chain = er.Chain(fold.positions, 1.0)
        chain.rotate(fold.joint, fold.angle)
        ends = np.stack([chain.positions()[: n // 2], chain.positions()[n // 2 :][::-1]], axis=1)
        low, high = ends.min(axis=1) - 1, ends.max(axis=1) + 1
        meet = (low[:, None] <= high).all(axis=2) & (high[:, None] >= low).all(axis=2)
        counts.append(float(np.triu(meet, 1).sum()))
    return [float(n) for n in sizes], counts


#: What is compared, the paper's exponent, and why ours may be lower or higher.
EXPONENTS = {
    "Figure 4: boxes kept": (2.0, "fewer boxes meet", "more boxes meet"),
    "Figure 5: ChainTree": (1.0, "fewer boxes meet", "more boxes meet"),
    "Figure 5: K-OBBTree": (1.0, "fewer boxes meet", "more boxes meet"),
    "Lemma 7: spheres": (4 / 3, "the lower levels still weigh", "the lower levels still weigh"),
    "Lemma 7: ChainTree": (4 / 3, "the lower levels still weigh", "the lower levels still weigh"),
}


def _comparisons(found: Growth) -> list[Comparison]:
    compared = []
    for name, (links, counts) in found.items():
        ours = slope(links, counts)
        if name in EXPONENTS:
            paper, lower, higher = EXPONENTS[name]
            verdict = judge_exponent(ours, paper, lower, higher)
            compared.append(Comparison(f"{name}: growth exponent", ours, paper, verdict))
        else:
            compared.append(Comparison(f"{name}: growth exponent", ours, None, "not in the paper"))
    return compared


def _table(found: Growth) -> Table:
    rows = [
        [name, *(f"{int(n):,}: {int(count):,}" for n, count in zip(links, counts, strict=True))]
        for name, (links, counts) in found.items()
    ]
    width = max(map(len, rows))
    rows = [row + [""] * (width - len(row)) for row in rows]
    return Table("Links and box tests", ["scene", *[""] * (width - 1)], rows)


def _plot(found: Growth, begins: str, what: str) -> Picture:
    """Growth in the scenes whose names begin so."""
    shown = {name: line for name, line in found.items() if name.startswith(begins)}
    figure = growth(shown, ("links", "box tests"), size=(6.0, 4.2))
    alt = f"{what}: box tests against links on logarithmic scales."
    return Picture(png(figure), alt, f"{what}: box tests of one self-collision test after the torsion.")


def _constructions() -> Picture:
    """Figures 4, 5 and 6 as they are here."""
    figure = Figure(figsize=(9.6, 4.2), layout="constrained")
    axes = figure.subplot_mosaic("ad;bd;cd", width_ratios=(1.2, 1))
    fold, flat = scenes.worst_spatial(20), (-90.0, 89.0)
    chain = er.Chain(fold.positions, 1.0)
    chain.rotate(fold.joint, fold.angle)
    rows = scenes.tangent_rows(40).positions
    paint_chain(axes["a"], fold.positions, 1.0, title="Figure 4: before", camera=flat)
    paint_chain(axes["b"], chain.positions(), 1.0, title="Figure 4: after", camera=flat)
    paint_chain(axes["c"], rows, 1.0, title="Figure 5", camera=flat)
    layer = scenes.lemma7(32).positions[: 4 * 96]
    paint_chain(axes["d"], layer, 1.0, title="Figure 6: one layer of Lemma 7", camera=(-50.0, 25.0))
    alt = (
        "Two strands side by side, and stretched out; two rows of balls that touch; "
        "four bundled units of three legs each."
    )
    return Picture(png(figure), alt, "The constructions, coloured along the chain.", wide=True)


CHAPTER = Chapter(
    "Worst cases: Figures 4 and 5, Lemma 7",
    "A torsion in the middle of the chain and one self-collision test after it. The numbers are growth "
    "exponents, fitted to box tests against links. In Figure 4, boxes around two links that were neighbours "
    "across the gap keep these links: after one torsion every two of them overlap. In Figure 5 no tree does "
    "better than linear, and Lemma 7 makes a tree along the chain pay N to the power 4/3.",
    run,
)
