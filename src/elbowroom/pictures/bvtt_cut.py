"""The profile cut of a traversal tree on axes: depths from left to right, downwards.

A cut with more nodes than the picture has room for is drawn column by column: a band from the least depth to
the greatest, in which every depth that occurs has the mean colour of its nodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from elbowroom.bvtt import BVTT, HIT

from .bvtt_marks import COLOURS, CUT, DANGER, DRAWN, ROOM, dots, soften
from .drawing import INK

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

COLUMNS = 900


def cut_on(axes: Axes, bvtt: BVTT, group: int, threshold: float) -> None:
    """Draws the cut with its troughs, and shades the dangerous regions."""
    count = len(bvtt.cut)
    _shade(axes, bvtt.dangerous(group, threshold))
    _draw_columns(axes, bvtt) if count > COLUMNS else _draw_nodes(axes, bvtt)
    for place in troughs(bvtt):
        depth = int(bvtt.depths[place])
        below: dict[str, Any] = {"xytext": (0, -12), "textcoords": "offset points", "ha": "center"}
        axes.annotate(str(depth), (place, depth), **below, color=INK, fontsize=8)
    axes.set(xlim=(-0.5, count - 0.5), ylim=(bvtt.deepest + 0.1 * bvtt.deepest + 0.5, 0.4))
    axes.set(xlabel="place in the cut list", ylabel="depth")
    soften(axes)


def troughs(bvtt: BVTT, most: int = 8) -> list[int]:
    """Where the cut list is deeper than on either side, as places in it: the deepest first, none close by."""
    starts = np.flatnonzero(np.diff(bvtt.depths, prepend=0))
    levels = np.concatenate([[0], bvtt.depths[starts], [0]])
    places = starts[(levels[1:-1] > levels[:-2]) & (levels[1:-1] > levels[2:])]
    kept: list[int] = []
    for place in places[np.argsort(-bvtt.depths[places], kind="stable")].tolist():
        if len(kept) < most and all(abs(place - other) > 0.03 * len(bvtt.cut) for other in kept):
            kept.append(place)
    return kept


def _shade(axes: Axes, dangerous: NDArray[np.bool_]) -> None:
    """Bars behind the cut; where they are too thin to see, as dark as there are many."""
    edges = _edges(len(dangerous))
    shares = np.add.reduceat(dangerous, edges[:-1], dtype=float) / np.diff(edges)
    (shown,) = np.nonzero(shares)
    left, right = edges[:-1][shown] - 0.5, edges[1:][shown] - 0.5
    low, high = np.zeros(len(shown)), np.ones(len(shown))
    corners = np.stack([left, low, right, low, right, high, left, high], axis=1).reshape(-1, 4, 2)
    colours = [(*to_rgb(DANGER), 0.3 * share) for share in shares[shown]]
    bars = PolyCollection(list(corners), facecolors=colours, linewidths=0, antialiased=False)
    bars.set(transform=axes.get_xaxis_transform(), zorder=0)
    if len(shown):
        bars.set_label("dangerous region")
        axes.add_collection(bars)


def _edges(count: int) -> Numbers:
    """Where columns begin, one node each if there is room, and where the last ends."""
    columns = min(count, COLUMNS)
    return -(-np.arange(columns + 1) * count // columns)


def _draw_nodes(axes: Axes, bvtt: BVTT) -> None:
    """Every node: a stepped line, and a dot in the colour of its state."""
    places = np.arange(len(bvtt.cut))
    axes.step(places, bvtt.depths, where="mid", color=CUT, linewidth=0.9, label="profile cut")
    for state in DRAWN:
        of = bvtt.state[bvtt.cut] == state
        dots(axes, places[of], bvtt.depths[of], state, float(np.clip(ROOM / len(places), 2.0, 6.5)))


def _draw_columns(axes: Axes, bvtt: BVTT) -> None:
    """So many columns of cells, and a dot for every cell with a hit: that must not be overlooked."""
    states, edges = bvtt.state[bvtt.cut], _edges(len(bvtt.cut))
    low, high = (bound.reduceat(bvtt.depths, edges[:-1]) for bound in (np.minimum, np.maximum))
    axes.stairs(high + 0.5, edges - 0.5, baseline=low - 0.5, fill=True, color=INK, alpha=0.3)
    column = np.repeat(np.arange(COLUMNS), np.diff(edges))
    shape = (bvtt.deepest + 1, COLUMNS)
    extent = (-0.5, len(bvtt.cut) - 0.5, bvtt.deepest + 0.5, -0.5)
    cells = _mixed(bvtt.depths, column, states, shape)
    axes.imshow(cells, extent=extent, aspect="auto", interpolation="nearest", zorder=2)
    for state in DRAWN:
        at = np.flatnonzero(states == state)
        dots(axes, at[:1] - len(bvtt.cut), bvtt.depths[at[:1]], state, 5.0)  # outside, for the legend
        if state == HIT:
            cell = np.unique(bvtt.depths[at] * COLUMNS + column[at])
            dots(axes, (edges[:-1] + edges[1:])[cell % COLUMNS] / 2, cell // COLUMNS, state, 5.0)


def _mixed(
    depths: NDArray[np.int32], column: Numbers, states: NDArray[np.uint8], shape: tuple[int, int]
) -> Array:
    """(depths, columns, 4): the mean colour of the nodes in each cell; none where there are none."""
    cell = depths.astype(np.int64) * shape[1] + column
    counts = np.bincount(cell, minlength=shape[0] * shape[1])
    paints = np.array([to_rgb(colour) for colour in COLOURS])[states]
    sums = [np.bincount(cell, paints[:, k], len(counts)) for k in range(3)]
    return np.stack([*(total / np.maximum(counts, 1) for total in sums), counts > 0], axis=1).reshape(
        *shape, 4
    )
