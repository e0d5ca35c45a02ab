"""The reliability of a calibration as a picture: what was said beside what came true, and how often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .drawing import INK
from .painting import PALETTE

if TYPE_CHECKING:
    from elbowroom._reliability import Reliability
    from elbowroom.calibration import Calibration

OURS, THEIRS = PALETTE[0], PALETTE[1]
SURE = 1.96  # standard errors to either side: 95 of 100


def reliability_figure(table: Calibration) -> Figure:
    """The curve on the held-out runs above, with that of the paper's confidence; the statements below."""
    if table.held_out is None or table.paper is None:
        raise ValueError("held_out: no runs were held out, so there is no curve")
    figure = Figure(figsize=(5.6, 6.4), layout="constrained")
    above, below = figure.subplots(2, 1, height_ratios=(3, 1), sharex=True)
    above.plot([0, 1], [0, 1], "--", color=INK, linewidth=1, label="as stated")
    for part, colour, name in ((table.paper, THEIRS, "paper"), (table.held_out, OURS, "calibrated")):
        _draw_curve(above, part, colour, f"{name}: error {part.error:.3f}, Brier {part.brier:.3f}")
        _draw_counts(below, part, colour)
    above.axhline(table.held_out.base_rate, color=INK, linewidth=1, linestyle=":", label="share of free runs")
    above.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), ylabel="share that was free")
    below.set(xlabel="stated confidence", ylabel="runs")
    above.set_title(f"{table.held_out.runs:,} unfinished runs, not learned from", color=INK, fontsize=11)
    above.legend(frameon=False, labelcolor=INK, fontsize=8, loc="best")
    for axes in (above, below):
        _soften(axes)
    return figure


def _draw_curve(axes: Axes, part: Reliability, colour: str, label: str) -> None:
    """With bars that would hold 95 of 100 such shares, if the runs were independent of each other."""
    said, true, count = part.curve.predicted, part.curve.observed, part.curve.count
    spread = np.sqrt(np.maximum(true * (1 - true), 1 / (count + 2)) / count)
    reach = SURE * spread
    bars = np.stack([np.minimum(reach, true), np.minimum(reach, 1 - true)])
    axes.errorbar(
        said, true, bars, fmt="o-", color=colour, markersize=5, linewidth=1.8, capsize=2, label=label
    )


def _draw_counts(axes: Axes, part: Reliability, colour: str) -> None:
    edges = np.linspace(0, 1, len(part.histogram) + 1)
    axes.stairs(part.histogram, edges, color=colour, fill=True, alpha=0.35)
    axes.stairs(part.histogram, edges, color=colour, linewidth=1.4)


def _soften(axes: Axes) -> None:
    axes.set_facecolor("none")
    axes.grid(color=INK, alpha=0.25, linewidth=0.6)
    axes.tick_params(colors=INK)
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(INK)
