"""A part of a traversal tree on axes: its nodes with the lines between them, and the cut below them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.bvtt import APART, BVTT

from .bvtt_marks import CUT, DRAWN, ROOM, SPARED, dots, soften
from .drawing import INK

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

PLACES = 400  # nodes that there is room for side by side
PART = 64  # cut nodes of the part about a trough


@dataclass(frozen=True)
class Part:
    """Nodes of a part of the tree, and where they lie."""

    nodes: Numbers
    x: Array
    y: Array
    lowest: Flags  # nothing of the part lies below
    on_cut: Flags  # nothing at all does


def trough(bvtt: BVTT, most: int = PART) -> int:
    """The node with the deepest node of the cut below it, and as many others as `most` allows.

    Of several that are as deep, a hit is taken before one left open, and that before one that is apart.
    """
    telling = np.argsort(DRAWN)[bvtt.state[bvtt.cut]]
    node = int(bvtt.cut[np.argmax(bvtt.depths * len(DRAWN) + telling)])
    while bvtt.parent[node] >= 0:
        above = int(bvtt.parent[node])
        first, end = np.searchsorted(bvtt.cut, [above, bvtt.ends[above]])
        if end - first > most:
            break
        node = above
    return node


def tree_on(axes: Axes, bvtt: BVTT, root: int, levels: int) -> None:
    """Draws what lies below a node, so many levels or as many as there is room for."""
    root = _arrays.count(root, "root", 0, len(bvtt) - 1)
    part = _fitting_part(bvtt, root, _arrays.count(levels, "levels", 1))
    places = int(part.lowest.sum())
    size = float(np.clip(0.75 * ROOM / places, 1.5, 8.0))
    up = np.searchsorted(part.nodes, bvtt.parent[part.nodes[1:]])
    _lines(axes, part.x[up], part.y[up], part.x[1:], part.y[1:], min(0.9, 0.15 * size))
    _draw_rest(axes, bvtt, part, size)
    for state in DRAWN:
        of = bvtt.state[part.nodes] == state
        dots(axes, part.x[of], part.y[of], state, size)
    _draw_cut(axes, part)
    soften(axes)
    axes.grid(visible=False, axis="x")
    axes.set(xlim=(-1.2, places + 0.2), ylim=(part.y.max() + 1.2, part.y.min() - 0.6), ylabel="depth")
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.set_xlabel(_told(bvtt, part), fontsize=9)


def _fitting_part(bvtt: BVTT, root: int, levels: int) -> Part:
    below = np.arange(root, bvtt.ends[root])
    levels = min(levels, int(np.ptp(bvtt.depth[below])) + 1)
    part = _part(bvtt, below, levels)
    while levels > 2 and part.lowest.sum() > PLACES:
        levels -= 1
        part = _part(bvtt, below, levels)
    return part


def _part(bvtt: BVTT, below: Numbers, levels: int) -> Part:
    """What is lowest takes one place each, from left to right; what is above lies over its middle."""
    nodes = below[bvtt.depth[below] < bvtt.depth[below[0]] + levels]
    after = np.searchsorted(nodes, bvtt.ends[nodes])
    lowest = after == np.arange(1, len(nodes) + 1)
    before = np.concatenate([[0], np.cumsum(lowest)])
    x = (before[:-1] + before[after] - 1) / 2
    return Part(nodes, x, bvtt.depth[nodes].astype(float), lowest, bvtt.ends[nodes] == nodes + 1)


def _lines(axes: Axes, x: Array, y: Array, to_x: Array, to_y: Array, width: float) -> None:
    ends = np.stack([x, y, to_x, to_y], axis=1).reshape(-1, 2, 2)
    axes.add_collection(LineCollection(list(ends), colors=INK, linewidths=width, zorder=1))


def _draw_rest(axes: Axes, bvtt: BVTT, part: Part, size: float) -> None:
    """Below what is apart, two dots for what needed no test; below what goes on beyond the part, a line."""
    on = part.lowest & ~part.on_cut
    axes.vlines(part.x[on], part.y[on], part.y[on] + 0.45, color=INK, linewidth=0.12 * size, zorder=1)
    spared = part.on_cut & (bvtt.state[part.nodes] == APART) & (bvtt.pairs[part.nodes] > 1)
    if size < 3 or not spared.any():
        return  # they would be a blur
    x, y = part.x[spared], part.y[spared]
    to_x, to_y = np.concatenate([x - 0.22, x + 0.22]), np.tile(y + 0.62, 2)
    _lines(axes, np.tile(x, 2), np.tile(y, 2), to_x, to_y, 0.4)
    look: dict[str, Any] = {"color": INK, "markeredgewidth": 0, "markersize": 0.3 * size}
    axes.plot(to_x, to_y, "o", **look, label=SPARED)


def _draw_cut(axes: Axes, part: Part) -> None:
    """A line just below the lowest nodes, with gaps where the tree goes on below the part."""
    x, y = part.x[part.lowest], np.where(part.on_cut, part.y + 0.36, np.nan)[part.lowest]
    across = np.stack([x - 0.35, x + 0.35], axis=1).ravel()
    look: dict[str, Any] = {"color": CUT, "linewidth": 1.2, "linestyle": (0, (4, 2))}
    axes.plot(across, np.repeat(y, 2), **look, label="profile cut")


def _told(bvtt: BVTT, part: Part) -> str:
    if len(part.nodes) == len(bvtt):
        return f"the whole tree: {len(bvtt):,} node{'' if len(bvtt) == 1 else 's'}"
    first, end = np.searchsorted(bvtt.cut, [part.nodes[0], bvtt.ends[part.nodes[0]]])
    return (
        f"{len(part.nodes):,} of {len(bvtt):,} nodes, above places {first:,} to {end - 1:,} of the cut list"
    )
