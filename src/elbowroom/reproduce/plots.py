"""Plots of findings: bars and growth, both on logarithmic scales, in the colours of the tour.

Text is a middle grey and backgrounds are transparent, so that a plot reads on a light and a dark page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator

from elbowroom.pictures import INK, PALETTE

Series = Mapping[str, Sequence[float]]


def bars(panels: Mapping[str, Series], groups: Sequence[str], label: str, *, height: float = 3.6) -> Figure:
    """Panels side by side with one scale; in each, a group of bars for every group, one bar a series."""
    figure = Figure(figsize=(9.6, height), layout="constrained")
    panel_axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, (title, series) in zip(panel_axes, panels.items(), strict=True):
        _draw_bars(axes, series, groups)
        axes.set_title(title, color=INK, fontsize=11)
        _soften(axes)
    panel_axes[0].set_ylabel(label)
    handles, names = panel_axes[0].get_legend_handles_labels()
    _legend(figure, handles, names)
    return figure


def growth(
    series: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    labels: tuple[str, str],
    *,
    size: tuple[float, float] = (9.6, 3.6),
) -> Figure:
    """Lines of (x, y) on two logarithmic scales. "Name, paper" is dashed, in the colour of "Name"."""
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.add_subplot()
    colours: dict[str, str] = {}
    for name, (x, y) in series.items():
        ours = name.removesuffix(", paper")
        colour = colours.setdefault(ours, PALETTE[len(colours) % len(PALETTE)])
        style, fill = ("o-", colour) if name == ours else ("o--", "none")
        axes.plot(x, y, style, color=colour, markerfacecolor=fill, label=name)
    axes.set(xscale="log", yscale="log", xlabel=labels[0], ylabel=labels[1])
    axes.set_xticks(_sparse(sorted({value for x, _ in series.values() for value in x})))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.minorticks_off()
    _soften(axes)
    _legend(figure, *axes.get_legend_handles_labels())
    return figure


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Exponent of the power law through the points, by least squares of the logarithms."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def _draw_bars(axes: Axes, series: Series, groups: Sequence[str]) -> None:
    width = 0.84 / len(series)
    for k, (name, values) in enumerate(series.items()):
        places = np.arange(len(groups)) + (k - (len(series) - 1) / 2) * width
        axes.bar(places, values, 0.9 * width, color=PALETTE[k % len(PALETTE)], label=name)
    axes.set_yscale("log")
    axes.set_xticks(range(len(groups)), groups)
    axes.minorticks_off()


def _sparse(ticks: Sequence[float]) -> list[float]:
    """The ticks less those that would be printed over the one before."""
    room = max(1.5, (ticks[-1] / ticks[0]) ** 0.11)
    kept = [ticks[0]]
    for tick in ticks[1:]:
        if tick >= room * kept[-1]:
            kept.append(tick)
    return kept


def _legend(figure: Figure, handles: Sequence[Artist], names: Sequence[str]) -> None:
    figure.legend(
        handles,
        names,
        loc="outside upper center",
        ncols=len(names) if sum(map(len, names)) < 9 * figure.get_figwidth() else -(-len(names) // 2),
        frameon=False,
        labelcolor=INK,
        fontsize=9,
    )


def _soften(axes: Axes) -> None:
    axes.set_facecolor("none")
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=INK, alpha=0.25, linewidth=0.6)
    axes.tick_params(colors=INK, which="both")
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 300 * low else (1.0,)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.{0 if value >= 1 else 2}f}"))
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(INK)
