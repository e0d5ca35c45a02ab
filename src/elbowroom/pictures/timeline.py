"""Timelines: when which two parts of a moving body overlap."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from .drawing import ACCENT, INK

#: A name, and from when to when.
Row = tuple[str, Sequence[tuple[float, float]]]


def timeline_on(
    axes: Axes, rows: Sequence[Row], span: tuple[float, float], *, unit: str, mark: float | None = None
) -> None:
    """Bars on given axes, a row for each name, the first on top; a line at `mark`."""
    whole = span[1] - span[0] or 1.0  # a single moment
    for k, (_, bars) in enumerate(rows):
        axes.axhline(k, color=INK, alpha=0.25, linewidth=0.6, zorder=0)
        # A moment would be too thin to see.
        wide = [(start, max(end - start, 0.004 * whole)) for start, end in bars]
        axes.broken_barh(wide, (k - 0.34, 0.68), facecolors=ACCENT, linewidth=0)
    if mark is not None:
        axes.axvline(mark, color=INK, linewidth=1.1, linestyle=(0, (3, 2)), zorder=3)
    axes.set(xlim=(span[0], span[0] + whole), ylim=(len(rows) - 0.4, -0.6), facecolor="none")
    axes.set_yticks(range(len(rows)), [name for name, _ in rows], fontsize=8)
    axes.set_xlabel(unit, color=INK)
    axes.tick_params(colors=INK, labelsize=8)
    axes.tick_params(axis="y", length=0)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(INK)
