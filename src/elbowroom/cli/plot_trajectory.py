"""The picture of `elbowroom check --plot` of a trajectory: closest gap and number of overlaps by frame."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from elbowroom import _writing
from elbowroom.pictures import PALETTE, png
from elbowroom.pictures.drawing import ACCENT, INK

from .check_trajectory import Seen
from .overlaps import Floats

#: With so few frames each gets a dot, as a line would not show them.
FEW = 40


def write_curves(file: Path, seen: Seen) -> None:
    """Two curves above each other; without any overlap, the gap alone."""
    counts = seen.looks.counts
    figure = Figure(figsize=(7.2, 4.6 if counts.any() else 3.4), layout="constrained")
    rows = 2 if counts.any() else 1
    axes = figure.subplots(rows, 1, sharex=True, squeeze=False, height_ratios=(2.6, 1)[:rows])[:, 0]
    frames, step = np.array(seen.trajectory.frames, float), seen.trajectory.frames.step
    _gaps(axes[0], frames, seen.looks.gaps, seen)
    if counts.any():
        _counts(axes[1], frames, counts.astype(float), step)
    axes[-1].set(xlabel="frame", xlim=(frames[0] - 0.5 * step, frames[-1] + 0.5 * step))
    for each in axes:
        _soften(each)
    _writing.write_bytes(file, png(figure, dpi=110, background="white"))


def _gaps(axes: Axes, frames: Floats, gaps: Floats, seen: Seen) -> None:
    """The line, what is below 0 in red, and a mark at the least."""
    dots = "o-" if len(frames) <= FEW else "-"
    axes.plot(frames, gaps, dots, color=PALETTE[0], linewidth=1.6, markersize=4)
    low = min(0.0, float(gaps.min()))
    below = Rectangle((0, 2 * low), 1, -2 * low, transform=axes.get_yaxis_transform())
    axes.fill_between(frames, gaps, 0, color=ACCENT, alpha=0.3, linewidth=0).set_clip_path(below)
    axes.axhline(0, color=INK, linewidth=1)
    axes.plot(
        frames[gaps <= 0], gaps[gaps <= 0], ".", color=ACCENT, markersize=5
    )  # one frame alone has no area
    near = seen.closest()
    axes.plot(near.frame, near.distance, "o", color=ACCENT, markeredgecolor="white", markersize=8, zorder=4)
    what = f"{near.names[0]} and {near.names[1]}"
    by = f"{near.distance:.3g} apart" if near.distance > 0 else f"overlap by {-near.distance:.3g}"
    title = f"{Path(seen.trajectory.file).name}: closest in frame {near.frame}, {what}, {by}"
    axes.set_title(fill(title, 105), color=INK, fontsize=9)
    axes.set_ylabel("closest gap")
    axes.margins(y=0.12)
    if gaps.min() > 0:
        axes.set_ylim(bottom=0)


def _counts(axes: Axes, frames: Floats, counts: Floats, step: int) -> None:
    edges = np.append(frames - 0.5 * step, frames[-1] + 0.5 * step)
    axes.stairs(counts, edges, fill=True, color=ACCENT, alpha=0.3)
    axes.stairs(counts, edges, color=ACCENT, linewidth=1.2)  # one frame of many would be too thin to see
    axes.set_ylabel("overlaps")
    axes.set_ylim(0, counts.max() * 1.15)
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True, min_n_ticks=1))


def _soften(axes: Axes) -> None:
    axes.grid(color=INK, alpha=0.25, linewidth=0.6)
    axes.tick_params(colors=INK, labelsize=8)
    axes.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(INK)
