"""Lotan, Schwarzer, Halperin and Latombe, "Efficient Maintenance and Self-Collision Testing for Kinematic
Chains" (SoCG 2002): Table 1, Figures 7 and 8, the worst cases, and the choices that the paper left open.

Its seconds are those of a machine of 2002; box tests are counted, and of times only the ratios are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from matplotlib.figure import Figure

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table

from . import chaintree_variants, chaintree_worst
from .chaintree_walks import ALL, COUNTED, Scene, Tally, measure, random_moves
from .findings import REPRODUCED, Chapter, Comparison, Findings, Paper, Settings, Tell, judge
from .paint import paint_chain
from .plots import bars, growth

#: Box tests per self-collision test in the paper's Table 1: ChainTree, K-OBBTree.
TABLE_1A = {1_000: (703, 114), 2_500: (715, 131), 5_000: (905, 163), 10_000: (964, 178)}
TABLE_1B = {"1SHG": (242, 73), "1B4E": (664, 113), "1LOX": (747, 146)}
RESIDUES = {"1SHG": 57, "1B4E": 323, "1LOX": 647}
SPEEDUP = 30  # "better than 30 time speed up over all other algorithms for chains of 10000 links"

ATOM_SCALE = 0.7  # of van der Waals radii
ATOM_RADIUS, ATOM_EXCLUDE = 1.15, 3  # of made-up backbones: what a PDB file gives on average
STRUCTURES = ("ChainTree", "Grid", "1-OBBTree", "K-OBBTree", "fast tree")
ANY_ANGLE = ", any angle"

#: What is counted, which column of Table 1 it belongs to, and why it may be lower or higher here.
COUNTS = {
    "ChainTree": (0, "rows fit tight boxes", "stays folded"),
    "ChainTree, any angle": (0, "rows fit tight boxes", "looser trees"),
    "ChainTree, pieces": (0, "rigid pieces skipped", "stays folded"),
    "K-OBBTree": (1, "tighter trees", "stays folded"),
    "K-OBBTree, any angle": (1, "tighter trees", "looser trees"),
}

Tallies = Mapping[str, Mapping[str, Tally]]  # by scene, then by structure


def run_compact(settings: Settings, tell: Tell) -> Findings:
    """Table 1(a) and Figure 7."""
    compact = [Scene(f"N = {n:,}", scenes.serpentine(n), 1.0, 1) for n in TABLE_1A]
    tallies = _measured(compact, settings, tell)
    counts = dict(zip(tallies, TABLE_1A.values(), strict=True))
    largest = tallies[compact[-1].name]
    tell("painting the chain at the start and at the end")
    return Findings(
        [*_count_comparisons(tallies, counts), *_speed_comparisons(compact[-1].name, largest)],
        [_times_table("Figure 7: microseconds per operation", tallies)],
        [
            _walked(compact[0], settings),
            _count_plot(tallies),
            _time_plot("Figure 7", tallies),
        ],
        _figures(tallies),
    )


def run_backbones(settings: Settings, tell: Tell) -> Findings:
    """Table 1(b) and Figure 8."""
    proteins = backbones(settings.pdb)
    tallies = _measured(proteins, settings, tell)
    counts = {scene.name: TABLE_1B[scene.name[:4]] for scene in proteins if scene.name[:4] in TABLE_1B}
    return Findings(
        _count_comparisons(tallies, counts),
        [_times_table("Figure 8: microseconds per operation", tallies)],
        [_walked(proteins[1], settings), _time_plot("Figure 8", tallies)],
        _figures(tallies),
    )


def backbones(files: tuple[Path, ...]) -> list[Scene]:
    """The paper's three proteins and any others: from the files given, else made up at the same length."""
    given = {file.name[:4].upper(): file for file in files}
    named = [_from_file(name, given.pop(name)) if name in given else _made_up(name) for name in TABLE_1B]
    return named + [_from_file(name, file) for name, file in given.items()]


def _from_file(name: str, file: Path) -> Scene:
    chain = er.Chain.from_pdb(file, breaks="bridge", scale=ATOM_SCALE)
    return Scene(name, chain.positions(), chain.radii, ATOM_EXCLUDE)  # across gaps too


def _made_up(name: str) -> Scene:
    n = 3 * RESIDUES[name]
    return Scene(f"{name}, made up", scenes.backbone(n), ATOM_RADIUS, ATOM_EXCLUDE)


def _measured(where: list[Scene], settings: Settings, tell: Tell) -> dict[str, dict[str, Tally]]:
    """Every structure at the step asked for, and box tests with torsions of any angle besides."""
    tallies = {}
    free = replace(settings, step=180.0, full=False)
    for scene in where:
        tell(f"{scene.name}: torsions of up to {settings.step:g} degrees, every structure")
        tallies[scene.name] = measure(scene, settings)
        if settings.step < 180.0:
            tell(f"{scene.name}: torsions of any angle")
            unbounded = measure(scene, free, COUNTED)
            tallies[scene.name] |= {name + ANY_ANGLE: tally for name, tally in unbounded.items()}
    return tallies


def _count_comparisons(tallies: Tallies, counts: Mapping[str, tuple[int, int]]) -> list[Comparison]:
    """Box tests of one self-collision test beside Table 1."""
    found = []
    for name, by_structure in tallies.items():
        for structure, (column, lower, higher) in COUNTS.items():
            if structure in by_structure:
                ours = by_structure[structure].box_tests
                paper = counts[name][column] if name in counts else None
                verdict = "not in the paper" if paper is None else judge(ours, paper, lower, higher)
                found.append(Comparison(f"{name}: {structure}", ours, paper, verdict))
    return found


def _speed_comparisons(name: str, tallies: Mapping[str, Tally]) -> list[Comparison]:
    """How many times longer the others take than the ChainTree, and the ChainTree than the fast tree."""
    tree = tallies["ChainTree"].total_us
    found = []
    for structure in ("Grid", "1-OBBTree", "K-OBBTree"):
        ratio = tallies[structure].total_us / tree
        verdict = REPRODUCED if ratio >= SPEEDUP * 3 / 4 else "differs: it is faster here"
        found.append(Comparison(f"{name}: {structure} / ChainTree, time", ratio, SPEEDUP, verdict))
    ratio = tree / tallies["fast tree"].total_us
    found.append(Comparison(f"{name}: ChainTree / fast tree, time", ratio, None, "not in the paper"))
    return found


def _times_table(caption: str, tallies: Tallies) -> Table:
    rows = []
    for name, by_structure in tallies.items():
        for structure in ALL:
            tally = by_structure[structure]
            ratio = tally.total_us / by_structure["ChainTree"].total_us
            cells = (tally.update_us, tally.test_us, tally.total_us)
            rows.append([f"{name}: {structure}", *(f"{value:,.1f}" for value in cells), f"{ratio:.2f}"])
    return Table(caption, ["structure", "update", "test", "both", "times ChainTree"], rows)


def _count_plot(tallies: Tallies) -> Picture:
    sizes = [float(n) for n in TABLE_1A]
    papers = {name: [float(row[k]) for row in TABLE_1A.values()] for k, name in enumerate(COUNTED)}
    series = {}
    for structure in COUNTS:
        if all(structure in by for by in tallies.values()):
            series[structure] = (sizes, [by[structure].box_tests for by in tallies.values()])
        if structure in papers:
            series[f"{structure}, paper"] = (sizes, papers[structure])
    figure = growth(series, ("links", "box tests"))
    alt = "Box tests per self-collision test against the number of links, ours and the paper's."
    caption = "Table 1(a). Dashed: the paper. Pieces: pairs that lie within one rigid piece are skipped."
    return Picture(png(figure), alt, caption, wide=True)


def _time_plot(name: str, tallies: Tallies) -> Picture:
    panels = {
        "update": {s: [by[s].update_us for by in tallies.values()] for s in STRUCTURES},
        "self-collision test": {s: [by[s].test_us for by in tallies.values()] for s in STRUCTURES},
    }
    figure = bars(panels, list(tallies), "µs per operation")
    alt = f"{name}: bars of the time to update and to test, for five structures, on a logarithmic scale."
    caption = (
        f"{name}, on this machine. Grid and OBB trees are rebuilt within the test; the fast tree tests a "
        "change before it makes it."
    )
    return Picture(png(figure), alt, caption, wide=True)


def _walked(scene: Scene, settings: Settings) -> Picture:
    """The chain at the start of the benchmark and at its end."""
    moves = random_moves(len(scene.positions), settings)
    chain = er.Chain(scene.positions, scene.radii, exclude=scene.exclude)
    chain.try_torsions(moves.joints, moves.angles)
    figure = Figure(figsize=(9.6, 4.2), layout="constrained")
    first, last = figure.subplots(1, 2)
    paint_chain(first, scene.positions, scene.radii, title=f"{scene.name}: start")
    paint_chain(last, chain.positions(), scene.radii, title=f"after {settings.steps:,} steps", tube=0.6)
    alt = "A compact chain of balls, coloured along its length, and the same chain unfolded by the walk."
    caption = "The chain unfolds while it walks, so the averages are over both shapes."
    return Picture(png(figure), alt, caption, wide=True)


def _figures(tallies: Tallies) -> dict[str, dict[str, dict[str, float]]]:
    return {
        scene: {structure: tally.figures() for structure, tally in by_structure.items()}
        for scene, by_structure in tallies.items()
    }


PAPER = Paper(
    "chaintree",
    "Efficient Maintenance and Self-Collision Testing for Kinematic Chains",
    "Lotan, Schwarzer, Halperin and Latombe, SoCG 2002: a chain's links in a tree of boxes that follows the "
    "chain, so that one joint changes in O(log N). Measured again on this machine.",
    (
        Chapter(
            "Compact chains: Table 1(a) and Figure 7",
            "Unit balls spaced 4 apart in a cube-like chain; 20,000 steps of one random torsion, a "
            "self-collision test, and a step back on collision. The numbers are box tests per self-collision "
            "test; reproduced means within a third. The paper tells neither the path through the cube nor "
            "the size of a torsion, so torsions of any angle stand beside small ones. The path here runs in "
            "straight rows, which no torsion bends and which fit tight boxes. Pieces: pairs of boxes within "
            "one rigid piece are skipped, which the paper's rule does only for a box and itself. Of times "
            "the paper says that every other structure takes more than 30 times as long at N = 10,000.",
            run_compact,
        ),
        Chapter(
            "Protein backbones: Table 1(b) and Figure 8",
            "The same walk on three backbones, three links a residue. Without files of the proteins the "
            "backbones are made up, with the same number of links at the density of a protein. With small "
            "torsions a backbone stays folded for long, which costs more tests; with torsions of any angle "
            "it unfolds, and the paper's counts come out.",
            run_backbones,
        ),
        chaintree_worst.CHAPTER,
        chaintree_variants.CHAPTER,
    ),
    frozenset({"step", "steps", "pdb"}),
    partial(er.Chain.from_pdb, breaks="bridge", scale=ATOM_SCALE),
)
