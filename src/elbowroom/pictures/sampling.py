"""Runs of sampling as pictures: traces, distributions, autocorrelations, and what became of the moves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray

from elbowroom.sampling._angles import scalars
from elbowroom.sampling._correlation import CorrelationTime, correlation_time, correlations
from elbowroom.sampling.series import CONSTANT

from .drawing import INK
from .painting import PALETTE
from .sampling_moves import draw_moves
from .scaling import soften, written

if TYPE_CHECKING:
    from elbowroom.sampling.run import Run

Floats = NDArray[np.float64]

TRACE, MEAN = PALETTE[0], PALETTE[1]
MOST_DOTS = 1000  # on a trace; of longer ones the least and the greatest of each stretch are drawn
MOST_NAMES = 6  # of temperatures
BINS = 40
LAGS = 2.5  # windows of lags that are shown


def run_figure(run: Run) -> Figure:
    """A row for each observable: trace, distribution, autocorrelation. Below, what became of the moves."""
    if not run.samples:
        raise ValueError("run: it has no samples to draw")
    names = scalars(run.observables)
    heights = 0.4 + 2.1 * len(names), 0.75 + 0.3 * max(len(run.tallies), len(run.temperatures) - 1)
    figure = Figure(figsize=(9.6, sum(heights)), layout="constrained")
    parts: Any = figure.subfigures(2, 1, height_ratios=heights)
    above, below = parts
    for part in (figure, above, below):
        part.set_facecolor("none")
    rows = above.subplots(len(names), 3, squeeze=False, width_ratios=(3.2, 1, 1.7))
    for row, name in zip(rows, names, strict=True):
        _draw_observable(row, run, name)
    for axes, title in zip(rows[0, 1:], ("distribution", "autocorrelation"), strict=True):
        axes.set_title(title, color=INK, fontsize=10)
    rows[-1, 0].set_xlabel("step")
    rows[-1, 2].set_xlabel("lag in steps")
    if run.tempered or run.several:
        _name_copies(rows[0, 0], run)
    draw_moves(below, run)
    return figure


def _draw_observable(row: Sequence[Axes], run: Run, name: str) -> None:
    trace, distribution, memory = row
    series = run.observables[name].reshape(-1, run.samples)
    for values, colour in zip(series, _colours(len(series)), strict=True):
        _draw_trace(trace, run.steps_at, values, colour)
        _draw_histogram(distribution, values, colour, 0.3 if len(series) == 1 else 0.0)
    _draw_memory(memory, series, run.every)
    if len(series) == 1:
        _draw_mean(trace, run, name)
    trace.set_ylabel(name.replace("_", " "))
    trace.set_xlim(run.steps_at[0] - run.every, run.steps_at[-1])
    trace.xaxis.set_major_locator(MaxNLocator(5))
    distribution.set_xlim(left=0)
    distribution.set_ylim(trace.get_ylim())
    distribution.tick_params(labelleft=False)
    distribution.set_xticks([])
    for axes in row:
        soften(axes)
    for axes in (trace, memory):
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))


def _colours(count: int) -> list[Any]:
    """Of temperatures from cold to hot; a single series has the first of the palette."""
    return [TRACE] if count == 1 else list(colormaps["plasma"](np.linspace(0.05, 0.85, count)))


def _name_copies(axes: Axes, run: Run) -> None:
    """Temperatures or chains, above the axes; of many some, always the first and the last."""
    count = run._copies
    named = np.unique(np.linspace(0, count - 1, min(count, MOST_NAMES)).round().astype(int))
    colours = _colours(count)
    handles = [Line2D([], [], color=colours[k], linewidth=2) for k in named]
    names = [f"{k}" if run.several else f"{run.temperatures[k]:g}" for k in named]
    found = axes.legend(
        handles,
        names,
        title="chain" if run.several else "temperature",
        alignment="left",
        ncols=len(named),
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0.2,
        frameon=False,
        labelcolor=INK,
        fontsize=8,
        handlelength=1.2,
        columnspacing=1.0,
    )
    found.get_title().set(color=INK, fontsize=8)


def _draw_trace(axes: Axes, steps: NDArray[np.int64], values: Floats, colour: Any) -> None:
    stretch = -(-len(values) // MOST_DOTS)
    if stretch > 1:
        starts = np.arange(0, len(values), stretch)
        low, high = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
        steps, values = np.repeat(steps[starts], 2), np.stack([low, high], axis=1).ravel()
    axes.plot(steps, values, color=colour, linewidth=0.6, alpha=0.55)


def _draw_mean(axes: Axes, run: Run, name: str) -> None:
    """The mean of all samples so far, and the error that it had by then, from that of all."""
    found, values = run.estimate(name), run.series(name)
    if not math.isfinite(found.error):
        return
    first = 2 * found.block  # of fewer the error could not be told
    count = np.unique(np.linspace(min(first, len(values)), len(values), MOST_DOTS).astype(int))
    mean = np.cumsum(values)[count - 1] / count
    error = found.error * np.sqrt(len(values) / count)
    steps = run.steps_at[count - 1]
    low, high = axes.get_ylim()
    axes.fill_between(steps, mean - error, mean + error, color=MEAN, alpha=0.3, linewidth=0, zorder=3)
    label = f"mean {written(found.mean, found.error)}{'' if found.converged else ', not converged'}"
    axes.plot(steps, mean, color=MEAN, linewidth=1.6, zorder=4, label=label)
    axes.set_ylim(low, high + 0.18 * (high - low))  # room for the legend
    axes.legend(frameon=False, labelcolor=INK, fontsize=8, loc="upper right", borderaxespad=0.1)


def _draw_histogram(axes: Axes, values: Floats, colour: Any, fill: float) -> None:
    known = values[np.isfinite(values)]
    if not len(known):
        return
    density, edges = np.histogram(known, bins=_bins(known), density=True)
    if fill:
        axes.stairs(density, edges, orientation="horizontal", color=colour, fill=True, alpha=fill)
    axes.stairs(density, edges, orientation="horizontal", color=colour, linewidth=1.2)


def _bins(known: Floats) -> Any:
    """Of counts as many in each bin, or some would stand out."""
    if np.ptp(known) == 0 or (known != np.round(known)).any():
        return min(BINS, 10 + len(known) // 20)
    width = max(1.0, np.ceil(np.ptp(known) / BINS))
    return np.arange(known.min() - 0.5, known.max() + width, width)


def _draw_memory(axes: Axes, series: Floats, every: int) -> None:
    """Autocorrelations up to a few windows; of a single series also the window and the integrated time."""
    axes.axhline(0, color=INK, linewidth=0.8)
    colours = _colours(len(series))
    rests = {k: values - values.mean() for k, values in enumerate(series) if _varies(values)}
    times = {k: correlation_time(rest) for k, rest in rests.items()}
    longest = max((time.window for time in times.values()), default=0)
    lags = np.arange(int(np.clip(LAGS * longest, 10, max(series.shape[1] - 1, 1))) + 1)
    for k, rest in rests.items():
        axes.plot(lags * every, correlations(rest)[lags], color=colours[k], linewidth=1.4)
    axes.set_xlim(0, lags[-1] * every)
    axes.set_ylim(min(-0.1, axes.get_ylim()[0]), 1.05)
    axes.xaxis.set_major_locator(MaxNLocator(3, integer=True))
    if len(series) == 1 and times:
        _tell_time(axes, times[0], every)


def _tell_time(axes: Axes, time: CorrelationTime, every: int) -> None:
    axes.axvspan(0, time.window * every, color=INK, alpha=0.12, linewidth=0)
    words = f"time {written(every * time.value, every * time.error)}"
    axes.text(0.97, 0.95, words, color=INK, fontsize=8, ha="right", va="top", transform=axes.transAxes)


def _varies(values: Floats) -> bool:
    finite = len(values) > 1 and bool(np.isfinite(values).all())
    return finite and bool(np.ptp(values) > CONSTANT * np.abs(values).max())
