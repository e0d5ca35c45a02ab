"""Pictures of traversal trees: figures 4, 5 and 6 of [Lin2006]_. Depth grows downwards, as it does there."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from elbowroom import _arrays
from elbowroom.bvtt import BVTT

from .bvtt_cut import cut_on
from .bvtt_marks import WIDTH, legend
from .bvtt_tree import tree_on, trough
from .drawing import INK, trace


def depth_figure(mean_depths: ArrayLike, hits: ArrayLike) -> Figure:
    """The mean depth of the tree at every configuration of a path; where they collide is shaded."""
    values = _arrays.numbers(mean_depths, "mean_depths")
    figure = trace(values, hits, labels=("configuration", "mean depth"), size=(WIDTH, 3.0))
    room = max(0.1 * float(np.ptp(values)), 0.1)
    figure.axes[0].set_ylim(float(values.min()) - room, float(values.max()) + room)
    return figure


def difference_figure(zero_shares: ArrayLike) -> Figure:
    """The share of cut depths that are the same as one configuration before, along a path."""
    values = 100 * _arrays.numbers(zero_shares, "zero_shares")
    figure = trace(values, labels=("configuration", "unchanged depths, %"), size=(WIDTH, 2.6))
    axes = figure.axes[0]
    axes.set_ylim(max(0.0, 10 * np.floor((values.min() - 1) / 10)), 100.8)
    axes.axhline(100, color=INK, linewidth=0.8, linestyle=(0, (3, 2)))
    return figure


def cut_figure(bvtt: BVTT, *, group: int = 8, threshold: float = 1.0) -> Figure:
    """The whole profile cut: states in colours, the troughs with their depths, dangerous regions shaded."""
    figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
    axes = figure.add_subplot()
    cut_on(axes, bvtt, group, threshold)
    legend(figure, [axes])
    return figure


def tree_figure(bvtt: BVTT, *, root: int = 0, levels: int = 12) -> Figure:
    """The part of the tree below a node, so many levels of it, with the profile cut as a dashed line.

    Round nodes overlap, diamonds were found apart, and what lies below those needed no tests: two dots stand
    for it. Small round nodes were left open. Levels are left out if there is no room for them.
    """
    figure = Figure(figsize=(WIDTH, 4.4), layout="constrained")
    axes = figure.add_subplot()
    tree_on(axes, bvtt, root, levels)
    legend(figure, [axes])
    return figure


def picture_figure(bvtt: BVTT, *, group: int = 8, threshold: float = 1.0, title: str | None = None) -> Figure:
    """The whole cut, and below it the tree about the deepest trough, whose place is marked in the cut."""
    figure = Figure(figsize=(WIDTH, 7.2), layout="constrained")
    upper, lower = figure.subplots(2, 1, height_ratios=(3, 4))
    cut_on(upper, bvtt, group, threshold)
    root = trough(bvtt)
    tree_on(lower, bvtt, root, bvtt.deepest)
    if root:
        _mark(upper, bvtt, root)
    legend(figure, [lower, upper], "lower")
    upper.set_title(repr(bvtt)[1:-1] if title is None else title, color=INK, fontsize=11)
    return figure


def _mark(axes: Axes, bvtt: BVTT, node: int) -> None:
    """A bar along the top, above the part of the cut below a node; at least as wide as can be seen."""
    first, end = np.searchsorted(bvtt.cut, [node, bvtt.ends[node]]) - 0.5
    spare = max(0.0, 0.006 * len(bvtt.cut) - (end - first)) / 2
    axes.axvspan(first - spare, end + spare, ymin=0.98, color=INK, linewidth=0)
