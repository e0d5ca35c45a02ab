"""Figure 7 of He and van den Berg: how distance computations grow with the tree; and the tree itself."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from elbowroom import scenes
from elbowroom.pictures import INK, png
from elbowroom.pictures.exhibits import Picture

from .findings import REPRODUCED, Comparison
from .motion_paint import growth_over_nodes, paint_tree
from .motion_tree import METHODS, Connections, Tally

Array = NDArray[np.float64]

AGES = (0.01, 0.1, 1.0)  # shares of the tree that are painted
CURVED = 2.0  # percent of the variance of calls that a line leaves over, up to which it is fairly linear
WINDOW = 100  # connections over which lengths are averaged


def figure_comparisons(connections: Connections, tallies: Mapping[str, Tally]) -> list[Comparison]:
    """Figure 7: calls grow with nodes fairly linearly, and connections become shorter."""
    found, nodes = [], connections.nodes.astype(float)
    for method in METHODS:
        left = 100 * (1 - float(np.corrcoef(nodes, np.cumsum(tallies[method].calls))[0, 1] ** 2))
        verdict = f"{REPRODUCED}: fairly linear" if left < CURVED else "differs: not linear"
        found.append(Comparison(f"Figure 7: {method}, % off a line", left, None, verdict))
    smooth = sliding(connections.lengths)
    ratio = float(smooth[-1] / smooth[0])
    verdict = f"{REPRODUCED}: it decreases" if ratio < 0.5 else "differs: it does not decrease"
    found.append(Comparison("Figure 7: last length / first length", ratio, None, verdict))
    return found


def sliding(values: Array, window: int = WINDOW) -> Array:
    """Means over so many values, or over all if there are fewer."""
    window = min(window, len(values))
    return np.convolve(values, np.full(window, 1 / window), mode="valid")


def figure_7(
    connections: Connections, tallies: Mapping[str, Tally], marks: Mapping[str, tuple[float, float]]
) -> Picture:
    """Calls against nodes; `marks` are where the paper's lines end, shown if the tree is as large."""
    calls: dict[str, Array] = {m: np.cumsum(tallies[m].calls).astype(float) for m in METHODS}
    nodes = connections.nodes.astype(float)
    ends = {name: mark for name, mark in marks.items() if mark[0] == nodes[-1]}
    figure = growth_over_nodes(nodes, calls, sliding(connections.lengths), ends)
    alt = (
        "Distance computations grow in nearly straight lines with the nodes, steepest for the isotropic "
        "bound and flattest for auto; the length of connections falls."
    )
    caption = (
        "Figure 7: distance computations so far (left), and how long connections are, averaged over 100 of "
        "them (right)."
    )
    return Picture(png(figure), alt, caption, wide=True)


def tree_picture(connections: Connections) -> Picture:
    """Figure 6, with the tree at three ages."""
    ends = np.stack([connections.starts[:, :3, 3], connections.goals[:, :3, 3]], axis=1)[connections.free]
    figure = Figure(figsize=(9.6, 3.5), layout="constrained")
    corners = scenes.tetrahedra()
    for axes, share in zip(figure.subplots(1, len(AGES)), AGES, strict=True):
        count = max(1, int(share * len(ends)))
        paint_tree(axes, ends[:count], corners, width=0.5 if count > 5_000 else 0.9)
        axes.set_title(f"{count + 1:,} nodes", color=INK, fontsize=11)
    alt = (
        "A cube full of faint tetrahedra three times, and in it a tree of lines that fills it more and more."
    )
    caption = (
        "The tree among 1330 tetrahedra: its motions, as the corner of the hook goes, from first to last."
    )
    return Picture(png(figure), alt, caption, wide=True)
