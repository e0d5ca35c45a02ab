"""Fifth stop: chains that bend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table
from elbowroom.reproduce.chaintree import TABLE_1A
from elbowroom.reproduce.paint import paint_chain
from elbowroom.reproduce.plots import growth

from . import scene_chain
from .measure import COUNTERS, measure
from .stop import Progress, Row, Section, Stop, short

Array = NDArray[np.float64]

LINKS = 10_000
STEPS = 20_000
RESIDUES = 647  # as many as the file of 1LOX has, the paper's long protein
TEN_DEGREES = np.radians(10.0)
CODE = """chain = er.Chain(scenes.serpentine(10_000), radii=1.0)
chain.rotate(5_000, 0.02)  # the 4,999 links beyond turn about the bond from link 5,000 to link 5,001
free = not chain.collides()"""


def run(progress: Progress) -> Section:
    """Torsions on a compact chain, pivots on a coil, torsions on a backbone; then the pictures."""
    steps = progress.size(STEPS)
    progress.step(f"{steps:,} torsions of a chain of {LINKS:,} links")
    compact = scenes.serpentine(LINKS)
    chain = er.Chain(compact, 1.0)
    joints, angles = _torsions(LINKS, steps)
    free, single = _walk("torsion, a call each", chain, lambda k: chain.rotate(joints[k], angles[k]), steps)
    _, together = measure(
        "torsion, all in one call",
        lambda: er.Chain(compact, 1.0).try_torsions(joints, angles),
        queries=steps,
        repeats=1,
    )
    tree = er.Chain(compact, 1.0, volume="obb", children=2, skip="paper")
    _, paper = _walk("the same, the paper's tree", tree, lambda k: tree.rotate(joints[k], angles[k]), steps)
    progress.step("pivots of a coil, torsions of a backbone")
    pivots, coil = _pivots(progress.size(5_000))
    backbone_free, backbone = _backbone(progress.size(5_000))
    progress.step("the paper's tree on chains of its lengths")
    grown = {n: _box_tests(n, steps) for n in TABLE_1A if n < LINKS}
    grown[LINKS] = paper.counters["volume_tests"]
    progress.step("painting and recording chains")
    return Section(
        [single, together, paper, pivots, backbone],
        [_growth_picture(grown, progress.dpi), _compact(compact, chain.positions(), steps, progress.dpi)],
        [_beside(grown)],
        {
            "steps": steps,
            "free": free,
            "pivots_free": coil,
            "backbone_free": backbone_free,
            "box_tests": {"fast": single.counters["volume_tests"], "paper": paper.counters["volume_tests"]},
            "box_tests_by_length": grown,
        },
        [scene_chain.torsions()],
    )


def _torsions(n: int, steps: int) -> tuple[list[int], list[float]]:
    rng = np.random.default_rng(1)
    return rng.integers(1, n - 2, steps).tolist(), rng.uniform(-TEN_DEGREES, TEN_DEGREES, steps).tolist()


def _walk(what: str, chain: er.Chain, change: Callable[[int], None], steps: int) -> tuple[float, Row]:
    """Take every step, go back where it collides; the share of free steps, and the row."""
    seen: list[er.Counters] = []
    hits = 0

    def take_steps() -> None:
        nonlocal hits
        for k in range(steps):
            change(k)
            if chain.collides():
                chain.undo()
                hits += 1
            seen.append(chain.counters)

    _, row = measure(what, take_steps, queries=steps, repeats=1)
    free = 1 - hits / steps
    means = {name: sum(getattr(counters, name) for counters in seen) / steps for name in COUNTERS}
    return free, replace(row, counters=means, answer=f"{free:.0%} free")


def _pivots(steps: int) -> tuple[Row, float]:
    positions = scenes.coil(LINKS)
    chain = er.Chain(positions, 0.5)
    rng = np.random.default_rng(2)
    joints = rng.integers(1, LINKS - 1, steps).tolist()
    turns = Rotation.random(steps, random_state=3).as_matrix()
    free, row = _walk("pivot of a coil", chain, lambda k: chain.turn(joints[k], turns[k]), steps)
    return row, free


def _backbone(steps: int) -> tuple[float, Row]:
    n = 3 * RESIDUES
    chain = er.Chain(scenes.backbone(n), 1.15, exclude=3)
    joints, angles = _torsions(n, steps)
    return _walk("torsion of a backbone", chain, lambda k: chain.rotate(joints[k], angles[k]), steps)


def _box_tests(n: int, steps: int) -> float:
    """Box tests of one self-collision test of the paper's tree, on the way of its walk."""
    chain = er.Chain(scenes.serpentine(n), 1.0, volume="obb", children=2, skip="paper")
    joints, angles = _torsions(n, steps)
    _, row = _walk("", chain, lambda k: chain.rotate(joints[k], angles[k]), steps)
    return row.counters["volume_tests"]


def _beside(grown: Mapping[int, float]) -> Table:
    """Box tests beside the paper's."""
    return Table(
        "Box tests of one self-collision test, by the paper's tree: two children a node",
        ["links", "measured", "in the paper"],
        [[f"{n:,}", short(tests), f"{TABLE_1A[n][0]:,}"] for n, tests in grown.items()],
    )


def _growth_picture(grown: Mapping[int, float], dpi: int) -> Picture:
    sizes = [float(n) for n in grown]
    printed = [float(TABLE_1A[n][0]) for n in grown]
    series = {"box tests": (sizes, list(grown.values())), "box tests, paper": (sizes, printed)}
    alt = "Lines of box tests over the number of links, ours and the paper's, which rise slowly."
    caption = "Ten times as many links take little more work. Dashed: the paper, on a similar chain."
    return Picture(png(growth(series, ("links", "box tests")), dpi=dpi), alt, caption, wide=True)


def _compact(start: Array, end: Array, steps: int, dpi: int) -> Picture:
    figure = Figure(figsize=(9.6, 4.4), layout="constrained")
    first, last = figure.subplots(1, 2)
    paint_chain(first, start, 1.0, title=f"{len(start):,} links")
    paint_chain(last, end, 1.0, title=f"after {steps:,} steps", tube=0.8)
    alt = "A cube filled with balls on a string that goes to and fro, and the same string partly unfolded."
    caption = "The compact chain before and after the walk, coloured from its first link to its last."
    return Picture(png(figure, dpi=dpi), alt, caption, wide=True)


STOP = Stop(
    "Chains that bend",
    "A torsion moves thousands of links at once, yet changing the chain and asking whether it is still free "
    "of itself takes microseconds: a tree follows the chain, and only what the change can have brought "
    "together is tested.",
    CODE,
    run,
)
