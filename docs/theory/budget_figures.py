"""Figures of the page on budgets: a traversal tree and its cut, what is proved when, gaps used up."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
from figure_kit import BLUE, GREEN, ORANGE, RED, VIOLET, Array, legend, panels, soft
from matplotlib.figure import Figure
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import INK
from elbowroom.pictures.bvtt_pictures import cut_figure, tree_figure

METHODS = {"depth-first": BLUE, "best-first": ORANGE, "auto": GREEN}
TESTS = 250
RISE = 1.2  # of a spring, in one turn


@cache
def spring() -> er.Mesh:
    """Two children a node, as in the paper."""
    return er.Mesh(*scenes.spring(), children=2)


def traversal_tree() -> er.BVTT:
    """Of a query that found the springs free, just before they touch."""
    memory = er.Memory("depth-first")
    er.collide(spring(), spring(), pose_b=scenes.spring_path(100)[11], memory=memory)
    tree = memory.bvtt
    assert tree is not None
    return tree


def tree() -> Figure:
    """The upper part of a traversal tree with its cut."""
    return tree_figure(traversal_tree(), levels=9)


def cut() -> Figure:
    """The whole cut of the same tree."""
    return cut_figure(traversal_tree(), threshold=2.0)


def screwed(count: int) -> Array:
    """Poses of a spring that is screwed to and fro in another, close to it everywhere and never touching."""
    turn = 0.3 * np.sin(np.linspace(0, 2 * np.pi, count))
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, :3, :3] = Rotation.from_rotvec(turn[:, None] * [0.0, 0.0, 1.0]).as_matrix()
    poses[:, 2, 3] = RISE * (0.5 + turn / (2 * np.pi)) + 0.05 * np.sin(np.linspace(0, 4 * np.pi, count))
    return poses


def ticks() -> Figure:
    """What is proved, and what is said of it, at every check on a budget, by each method."""
    figure, places = panels(3, (9.2, 2.9))
    path = screwed(200)
    assert not er.collide(spring(), spring(), pose_b=path).hits.any()
    for method, colour in METHODS.items():
        answers = replayed(method, path)
        lines = (
            [answer.covered for answer in answers],
            [answer.confidence for answer in answers],
            [answer.counters.volume_tests + answer.counters.leaf_tests for answer in answers],
        )
        for axes, values in zip(places, lines, strict=True):
            axes.plot(values, color=colour, linewidth=1.5, label=method)
    titles = ("share proved apart", "confidence, not calibrated", "tests")
    for axes, label in zip(places, titles, strict=True):
        soft(axes, "check", "", label)
        axes.set_ylim(bottom=0)
    legend(places[0], loc="center right")
    return figure


def replayed(method: str, path: Array, tests: int = TESTS) -> list[er.Collision]:
    """The answers along a path, with one memory; the first check is in full, as the paper's rule needs."""
    memory, answers = er.Memory(method), []
    for k, pose in enumerate(path):
        budget = er.Budget(tests=tests if k else 10**9)
        answers.append(er.collide(spring(), spring(), pose_b=pose, budget=budget, memory=memory))
    return answers[1:]


def gaps() -> Figure:
    """The gaps of some pairs on the cut from check to check: used up by motion, renewed by a test."""
    figure, (axes,) = panels(1, (7.6, 3.2))
    memory, seen = er.Memory(), []
    path = screwed(400)[:90]
    for pose in path:
        er.collide(spring(), spring(), pose_b=pose, budget=er.Budget(tests=5000), memory=memory)
        bvtt = memory.bvtt
        assert bvtt is not None
        on_cut = bvtt.cut
        pairs = zip(bvtt.a[on_cut].tolist(), bvtt.b[on_cut].tolist(), strict=True)
        seen.append(dict(zip(pairs, bvtt.gap[on_cut].tolist(), strict=True)))
    for pair, colour in zip(_telling(seen), (BLUE, ORANGE, GREEN, VIOLET, RED), strict=False):
        axes.plot([tick.get(pair, np.nan) for tick in seen], color=colour, linewidth=1.5)
    soft(axes, "check", "apart by at least")
    axes.set_ylim(bottom=0)
    return figure


def _telling(seen: list[dict[tuple[int, int], float]]) -> list[tuple[int, int]]:
    """Pairs that are on the cut all along, and were tested again once to thrice."""
    always = set(seen[0]).intersection(*seen[1:])
    rises = {}
    for pair in sorted(always):
        line = np.array([tick[pair] for tick in seen])
        rises[pair] = (int((np.diff(line) > 1e-3).sum()), -float(line.max()))
    chosen = [pair for pair, (count, _) in rises.items() if 1 <= count <= 3]
    chosen.sort(key=lambda pair: rises[pair][1])
    return chosen[:: max(1, len(chosen) // 5)]


def calibrated() -> Figure:
    """What unfinished checks said against what was so: as it is, and by a table that was learned."""
    figure, places = panels(2, (9.2, 3.4), sharey=True)
    for axes, method in zip(places, ("best-first", "auto"), strict=True):
        table = learned(method)
        assert table.held_out is not None
        assert table.paper is not None
        axes.plot([0, 1], [0, 1], "--", color=INK, linewidth=0.9)
        for part, colour, name in ((table.paper, ORANGE, "as it is"), (table.held_out, BLUE, "by a table")):
            label = f"{name}: off by {100 * part.error:.1f} percent"
            axes.plot(part.curve.predicted, part.curve.observed, "o-", color=colour, label=label)
        soft(axes, "confidence said", "", f"{method}: {table.held_out.runs:,} unfinished checks")
        axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
        legend(axes, loc="upper left")
    places[0].set_ylabel("share that was free", color=INK, fontsize=10)
    return figure


def learned(method: str, paths: int = 100) -> er.Calibration:
    """A table for coils that pass each other at different distances, on 50 tests a check."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that the table is rough shows in its error
        return er.Memory.calibrate(
            lambda pose, **how: er.collide(spring(), spring(), pose_b=pose, **how),
            [_aside(aside) for aside in np.linspace(-4, 4, paths)],
            budget=er.Budget(tests=50),
            method=method,
        )


def _aside(aside: float) -> Array:
    poses = scenes.spring_path(60)
    poses[:, 1, 3] += aside
    return poses


FIGURES = {
    "budget-tree": tree,
    "budget-cut": cut,
    "budget-ticks": ticks,
    "budget-gaps": gaps,
    "budget-calibrated": calibrated,
}
