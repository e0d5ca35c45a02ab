"""Plots of checks on a budget: lines, shares in bins, reliability. Scales begin at zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from elbowroom.pictures import INK, PALETTE

from .motion_paint import _soften
from .plots import _legend

Line = tuple[Sequence[float], Sequence[float]]

COLOURS = {"best-first": PALETTE[1], "depth-first": PALETTE[0], "auto": PALETTE[2]}
PAPER = ", paper"


def colour_of(name: str, number: int = 0) -> str:
    """That of the method which a name begins with, or one of the palette."""
    for method, colour in COLOURS.items():
        if name.startswith(method):
            return colour
    return PALETTE[number % len(PALETTE)]


def line_panels(
    panels: Mapping[str, Mapping[str, Line]],
    labels: tuple[str, str],
    *,
    height: float = 3.4,
    marker: str = "o",
) -> Figure:
    """Lines of (x, y) in panels side by side; "name, paper" is dashed, in the colour of its method."""
    figure = Figure(figsize=(9.6, height), layout="constrained")
    panel_axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (title, lines) in zip(panel_axes, panels.items(), strict=True):
        for k, (name, (x, y)) in enumerate(lines.items()):
            _line(axes, name, x, y, colour_of(name, k), marker)
        _finish(axes, title, labels if axes is panel_axes[0] else (labels[0], ""))
    _legend(figure, *_all_labels(panel_axes))
    return figure


def _line(axes: Axes, name: str, x: Sequence[float], y: Sequence[float], colour: str, marker: str) -> None:
    style, fill = ("--", "none") if name.endswith(PAPER) else ("-", colour)
    axes.plot(
        x,
        y,
        style,
        color=colour,
        marker=marker,
        markerfacecolor=fill,
        markersize=5,
        linewidth=1.6,
        label=name,
    )


def bin_panels(
    panels: Mapping[str, Mapping[str, Sequence[float]]], bins: Sequence[str], label: str
) -> Figure:
    """Bars for each bin, side by side in panels that share a scale, one bar a series."""
    figure = Figure(figsize=(9.6, 3.4), layout="constrained")
    panel_axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axes, (title, series) in zip(panel_axes, panels.items(), strict=True):
        width = 0.84 / len(series)
        for k, (name, values) in enumerate(series.items()):
            places = np.arange(len(bins)) + (k - (len(series) - 1) / 2) * width
            axes.bar(places, values, 0.9 * width, color=colour_of(name, k), label=name)
        _finish(axes, title, ("confidence", label if axes is panel_axes[0] else ""))
        axes.set_xticks(range(len(bins)), bins, fontsize=8, rotation=45)
    highest = max(max(values) for series in panels.values() for values in series.values())
    panel_axes[0].set_ylim(0, 1.05 * highest or 1.0)  # the scale of all
    _legend(figure, *panel_axes[0].get_legend_handles_labels())
    return figure


def reliability(curves: Mapping[str, Mapping[str, Line]]) -> Figure:
    """What was said against what was so, in panels; on the dashed line the two are the same."""
    figure = line_panels(curves, ("confidence said", "share free in truth"), height=4.0)
    for axes in figure.axes:
        axes.plot([0, 1], [0, 1], color=INK, linewidth=0.8, linestyle=(0, (3, 2)))
        axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    return figure


def _finish(axes: Axes, title: str, labels: tuple[str, str]) -> None:
    axes.set_title(title, color=INK, fontsize=11)
    axes.set(xlabel=labels[0], ylabel=labels[1], ylim=(0, None))
    _soften(axes, ("left", "bottom"))


def _all_labels(panel_axes: Sequence[Axes]) -> tuple[list[Artist], list[str]]:
    """Every name once, with the first of its lines."""
    seen: dict[str, Artist] = {}
    for axes in panel_axes:
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            seen.setdefault(name, handle)
    return list(seen.values()), list(seen)
