"""Figures of the page on the one traversal: boxes of a body, what rules out which pairs, bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from figure_kit import BLUE, GREEN, ORANGE, RED, Array, legend, panels, soft
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import elbowroom as er
from elbowroom import scenes
from elbowroom.bvtt import HIT, OPEN
from elbowroom.pictures import INK, PALETTE, Look, draw_on
from elbowroom.pictures.links import placed_boxes

DEPTH = LinearSegmentedColormap.from_list("depth", ["#dbe6f2", BLUE, "#1d4570"])


@dataclass(frozen=True)
class Blocks:
    """For each node of a traversal tree the primitives of either body below it: begin and end, (n, 2)."""

    a: Array
    b: Array


def blocks_of(tree: er.BVTT, count_a: int, count_b: int) -> Blocks:
    """Where the nodes lie in the square of all pairs, the primitives in the order of the bodies' trees."""
    a, b = np.zeros((len(tree), 2)), np.zeros((len(tree), 2))
    a[0], b[0] = (0, count_a), (0, count_b)
    used = np.zeros(len(tree))  # how much of a node's opened side its children have taken so far
    for node in range(1, len(tree)):
        above = tree.parent[node]
        a[node], b[node] = a[above], b[above]
        side, other = (a, b) if tree.b[node] == tree.b[above] else (b, a)
        size = tree.pairs[node] / np.diff(other[above])[0]
        side[node] = side[above][0] + used[above] + np.array([0, size])
        used[above] += size
    return Blocks(a, b)


def square() -> Figure:
    """All pairs of triangles of two springs as a square, and the tests that ruled them out."""
    figure, places = panels(3, (9.2, 3.5), sharey=True)
    spring = er.Mesh(*scenes.spring(), children=2)
    path = scenes.spring_path(100)
    for axes, at, tests in ((places[0], 4, None), (places[1], 11, None), (places[2], 11, 40)):
        memory = er.Memory("depth-first")
        budget = None if tests is None else er.Budget(tests=tests)
        answer = er.collide(spring, spring, pose_b=path[at], memory=memory, budget=budget)
        tree = memory.bvtt
        assert tree is not None
        _square_on(axes, tree, len(spring))
        words = "a proof" if tree.covered == 1 else f"{100 * tree.covered:.0f} % proved"
        soft(axes, "triangle of one spring", "", f"{answer.counters.volume_tests} tests of boxes: {words}")
        axes.grid(visible=False)
    places[0].set_ylabel("triangle of the other", color=INK, fontsize=10)
    return figure


def _square_on(axes: Axes, tree: er.BVTT, count: int) -> None:
    blocks = blocks_of(tree, count, count)
    cut = tree.cut
    a, b = blocks.a[cut], blocks.b[cut]
    assert (np.diff(a) * np.diff(b)).sum() == count * count
    patches = [
        Rectangle((x[0], y[0]), x[1] - x[0], y[1] - y[0]) for x, y in zip(a.tolist(), b.tolist(), strict=True)
    ]
    tints = DEPTH(np.clip((tree.depths - 1) / 20, 0, 1))
    tints[np.isin(tree.state[cut], (HIT, OPEN))] = [0.94, 0.59, 0.23, 1.0]
    axes.add_collection(PatchCollection(patches, facecolors=tints, edgecolors="white", linewidths=0.5))
    axes.set(xlim=(0, count), ylim=(0, count), aspect="equal")


def bounds() -> Figure:
    """Lower and upper bound of a distance by the tests that may be spent."""
    figure, (axes,) = panels(1, (6.4, 3.2))
    spring = er.Mesh(*scenes.spring())
    pose = scenes.spring_path(100)[9]
    true = er.distance(spring, spring, pose_b=pose)
    budgets = np.unique(np.geomspace(8, 3000, 60).astype(int))
    answers = [
        er.distance(spring, spring, pose_b=pose, budget=er.Budget(tests=int(tests))) for tests in budgets
    ]
    spent = [a.counters.volume_tests + a.counters.leaf_tests for a in answers]
    lower, upper = [a.lower for a in answers], [min(a.upper, 2.5) for a in answers]
    axes.fill_between(spent, lower, upper, color=BLUE, alpha=0.15, linewidth=0)
    axes.plot(spent, upper, color=ORANGE, linewidth=1.6, label="upper: two points so near were found")
    axes.plot(spent, lower, color=GREEN, linewidth=1.6, label="lower: least bound of what is left")
    axes.axhline(true.value, color=RED, linewidth=1.0, linestyle="--", label="distance")
    axes.set(xscale="log", ylim=(0, 2.5))
    soft(axes, "tests of volumes and of leaves", "distance")
    legend(axes)
    return figure


def levels() -> Figure:
    """A spring in the boxes of its tree, level by level, eight children a node."""
    figure, places = panels(4, (9.2, 2.5))
    spring = er.Mesh(*scenes.spring())
    for level, axes in enumerate(places):
        boxes = spring.boxes(level)
        items = [(spring, None, Look(PALETTE[0], 1.0, False)), *placed_boxes(boxes)]
        draw_on(axes, items if level < 3 else items[1:], camera=(-62.0, 20.0))
        axes.set_title(f"level {level}: {len(boxes)} box{'es' if level else ''}", color=INK, fontsize=11)
    return figure


FIGURES = {"engine-levels": levels, "engine-square": square, "engine-bounds": bounds}
