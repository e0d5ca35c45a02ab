"""What pictures of traversal trees have in common: colours and markers of states, axes, a legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from elbowroom.bvtt import APART, HIT, LEAF_APART, OPEN, OPENED, STATES

from .drawing import ACCENT, INK
from .painting import PALETTE

#: Colours of the states, in their order.
COLOURS = ("#5f6770", PALETTE[2], PALETTE[0], ACCENT, PALETTE[1])
#: States in the order in which they are drawn: the last is never hidden.
DRAWN = (OPENED, APART, LEAF_APART, OPEN, HIT)
SCALES = {OPENED: 0.8, APART: 0.8, LEAF_APART: 0.8, OPEN: 0.6, HIT: 1.3}
DANGER, CUT = PALETTE[4], PALETTE[3]
#: The name of small dots: what a test higher up has made needless.
SPARED = "free without further tests"
#: Inches of all pictures, and points that the axes have of them.
WIDTH = 9.6
ROOM = 72 * 0.9 * WIDTH


def dots(axes: Axes, x: ArrayLike, y: ArrayLike, state: int, size: float) -> None:
    """Nodes of a state: round if their volumes overlap or may do so, diamonds if they are apart."""
    marker = "D" if state in (APART, LEAF_APART) else "o"
    over = 4 if state == HIT else 3
    look: dict[str, Any] = {"color": COLOURS[state], "markeredgewidth": 0, "markersize": SCALES[state] * size}
    axes.plot(x, y, marker, **look, zorder=over, label=STATES[state] if np.size(x) else None)


def soften(axes: Axes) -> None:
    """Axes in whole numbers, that do not come to the fore."""
    axes.set_facecolor("none")
    axes.grid(color=INK, alpha=0.2, linewidth=0.6)
    axes.tick_params(colors=INK)
    axes.set_axisbelow(True)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
        axis.set_major_formatter("{x:,.0f}")
        axis.label.set_color(INK)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(INK)


def legend(figure: Figure, panels: Sequence[Axes], where: Literal["upper", "lower"] = "upper") -> None:
    """Names what is drawn in any of the panels, once: markers, lines, and the shade of danger."""
    named: dict[str, Artist] = {}
    for axes in panels:
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            named.setdefault(name, _sample(handle))
    wanted = [STATES[state] for state in DRAWN]
    names = sorted(named, key=lambda name: wanted.index(name) if name in wanted else len(wanted))
    handles = [named[name] for name in names]
    place: Any = f"outside {where} center"
    look: dict[str, Any] = {"frameon": False, "labelcolor": INK, "fontsize": 9}
    space: dict[str, Any] = {"columnspacing": 1.4, "handletextpad": 0.5}
    figure.legend(handles, names, loc=place, ncols=len(names) if len(names) < 7 else 4, **look, **space)


def _sample(handle: Artist) -> Artist:
    """What a thing looks like, but with a marker that can be seen however small those in the picture are."""
    if not isinstance(handle, Line2D):
        return Patch(color=DANGER, alpha=0.3)
    sample = Line2D([], [], color=handle.get_color(), marker=handle.get_marker(), markeredgewidth=0)
    sample.set(linestyle=handle.get_linestyle(), markersize=3 if handle.get_label() == SPARED else 6)
    return sample
