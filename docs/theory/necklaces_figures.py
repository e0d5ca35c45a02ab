"""Figures of the page on necklaces: two hierarchies, how far apart they can be, proofs, the power diagram."""

from __future__ import annotations

import math

import numpy as np
from figure_kit import BLUE, GREEN, ORANGE, RED, VIOLET, Array, bare, discs, legend, panels, soft
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import INK

BEADS, RADIUS = 24, 0.45


def wave(bend: float) -> Array:
    """Beads in the plane, one apart, on a line that winds more or less."""
    heading = bend * np.cos(2.0 * math.pi * np.arange(BEADS) / (BEADS - 1))
    steps = np.stack([np.cos(heading), np.sin(heading)], axis=1)
    return np.asarray(np.cumsum(steps, axis=0))


def cages() -> Figure:
    """Wrapped and layered cages of one necklace, and wrapped ones after it moved, with the same bases."""
    figure, places = panels(3, (9.2, 3.3))
    before, after = wave(1.5), wave(1.75)
    wrapped = er.Necklace(before, RADIUS, cages="wrapped")
    _caged(places[0], wrapped, "wrapped: about the beads")
    _caged(places[1], er.Necklace(before, RADIUS, cages="layered"), "layered: about two cages")
    bases = [basis.tolist() for basis in wrapped.cage_bases()]
    wrapped.move(after)
    same = sum(a == b.tolist() for a, b in zip(bases, wrapped.cage_bases(), strict=True))
    _caged(places[2], wrapped, f"moved: {same} of {len(bases)} bases are the same")
    return figure


def _caged(axes: Axes, necklace: er.Necklace, title: str) -> None:
    """Beads, cages of three levels, and a red rim about the beads that hold them."""
    for level, colour in ((0, INK), (1, BLUE), (2, GREEN)):
        balls = necklace.cage_balls(level)
        discs(axes, balls[:, :2], balls[:, 2], colours=colour, fill=0.06, width=1.3, order=1)
    axes.plot(*necklace.positions().T, color=INK, linewidth=0.8, zorder=2)
    discs(axes, necklace.positions(), RADIUS)
    if necklace.cages == "wrapped":
        bases = necklace.cage_bases()
        held = sorted({int(bead) for number in _top(necklace) for bead in bases[number]})
        discs(axes, necklace.positions()[held], RADIUS, colours=RED, fill=0.0, width=1.8, order=4)
    bare(axes, title)


def _top(necklace: er.Necklace) -> list[int]:
    """Numbers of the cages of the first three levels: those with at least a quarter of the beads."""
    counts = np.diff(necklace.cage_ranges()).ravel()
    return np.flatnonzero(counts >= BEADS // 4).tolist()


def ratio() -> Figure:
    """Lemma 4.3: points whose layered root is as large as it can be, and how the ratio grows."""
    figure, (left, right) = panels(2, (9.2, 3.6), width_ratios=(1.0, 1.1))
    points = scenes.sqrt_log(4)
    layered = er.Necklace(points, 0.0, cages="layered")
    for level, colour in ((0, RED), (1, ORANGE), (2, INK), (3, INK)):
        balls = layered.cage_balls(level)
        discs(left, balls[:, :2], balls[:, 2], colours=colour, fill=0.03, width=1.6 - 0.3 * level, order=1)
    wrapped = er.Necklace(points, 0.0, cages="wrapped").cage_balls(0)
    discs(left, wrapped[:, :2], wrapped[:, 2], colours=BLUE, fill=0.10, width=1.8, order=2)
    discs(left, points, 0.04, colours=VIOLET, order=5)
    bare(left, "16 points: blue wrapped root, red layered root")
    powers = np.arange(2, 13)
    right.plot(2.0**powers, np.sqrt(powers), "-", color=INK, linewidth=1.0, label="√log₂ n")
    right.plot(2.0**powers, [_ratio(scenes.sqrt_log(int(k))) for k in powers], "o", color=RED,
               markersize=5, label="the construction of Lemma 4.3")  # fmt: skip
    right.plot(2.0**powers, [_ratio(scenes.coil(2**int(k))) for k in powers], "o-", color=BLUE,
               markersize=4, label="a random coil")  # fmt: skip
    right.set_xscale("log", base=2)
    right.set_ylim(0.8, 4.2)
    soft(right, "points", "layered root / wrapped root")
    legend(right)
    return figure


def _ratio(points: Array) -> float:
    roots = [er.Necklace(points, 0.0, cages=kind).cage_balls(0)[0, -1] for kind in ("layered", "wrapped")]
    return float(roots[0] / roots[1])


def families() -> Figure:
    """The pairs of a separating family, as lines between the middles of the two, and how many are needed."""
    figure, (left, middle, right) = panels(3, (9.2, 3.2), width_ratios=(1.0, 1.0, 1.15))
    frames = scenes.spiral(48, frames=60, turns=2.2)
    for axes, frame in ((left, 25), (middle, 59)):
        necklace = er.Necklace(frames[frame], 0.4, cages="wrapped")
        family = necklace.separating_pairs()
        assert family.verify()
        _family_on(axes, family)
        bare(axes, f"48 beads, {len(family)} pairs")
    for name, colour, dimension, sizes in (
        ("grid in the plane", BLUE, 2, (8, 16, 32, 64)),
        ("grid in space", RED, 3, (4, 6, 8, 12, 16)),
    ):
        counts = [_pairs_of(side, dimension) for side in sizes]
        beads = [side**dimension for side in sizes]
        right.plot(beads, counts, "o-", color=colour, markersize=4, label=name)
    n = np.array([64.0, 4096.0])
    right.plot(n, 1.6 * n * np.log2(n), "--", color=BLUE, linewidth=0.9, label="n log n")
    right.plot(n, 3.2 * n ** (4 / 3), "--", color=RED, linewidth=0.9, label="slope 4/3")
    right.set(xscale="log", yscale="log")
    soft(right, "beads", "pairs in the proof")
    legend(right)
    return figure


def _family_on(axes: Axes, family: er.SeparatingPairs) -> None:
    balls = np.concatenate([family.cages[:, :2], family.positions])
    sizes = np.concatenate([np.diff(family.ranges).ravel(), np.ones(len(family.positions))])
    weight = sizes[family.pairs].min(axis=1)
    order = np.argsort(-weight)
    tints = [ORANGE if w > 6 else GREEN if w > 1 else INK for w in weight[order]]
    axes.add_collection(
        LineCollection(list(balls[family.pairs[order]]), colors=tints, linewidths=0.6, alpha=0.75, zorder=4)
    )
    discs(axes, family.positions, 0.4, fill=0.55)


def _pairs_of(side: int, dimension: int) -> int:
    beads = scenes.grid_necklace(side**dimension, dimension)
    return len(er.Necklace(beads, 0.3, cages="wrapped").separating_pairs())


def power() -> Figure:
    """The triangulation dual to the power diagram of a necklace, and the pairs that decide."""
    figure, (left, right) = panels(2, (9.2, 3.4))
    positions = scenes.spiral(60, frames=40, turns=3)[-1]
    radii = 0.3 + 0.12 * np.sin(np.arange(60))
    diagram = er.PowerDiagram.of(positions, radii)
    edges, looked_at = diagram.edges, diagram.candidates()
    for axes, pairs, title, colour in (
        (left, edges, f"{len(edges)} edges of the power diagram", INK),
        (right, looked_at, f"{len(looked_at)} pairs to look at, of {60 * 59 // 2}", ORANGE),
    ):
        lines = list(positions[pairs])
        axes.add_collection(LineCollection(lines, colors=colour, linewidths=0.9, zorder=2))
        discs(axes, positions, radii)
        bare(axes, title)
    _, closest = diagram.closest()
    right.plot(*positions[list(closest)].T, color=RED, linewidth=2.4, zorder=5)
    return figure


FIGURES = {
    "necklaces-cages": cages,
    "necklaces-ratio": ratio,
    "necklaces-families": families,
    "necklaces-power": power,
}
