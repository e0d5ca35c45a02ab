"""Fits of exponents as pictures: what is left of a power law when the power is taken off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from elbowroom.sampling._telling import told

from .drawing import INK
from .painting import PALETTE

if TYPE_CHECKING:
    from elbowroom.sampling.scaling import ExponentFit

Floats = NDArray[np.float64]

DOTS, CURVE = PALETTE[0], PALETTE[1]


def scaling_figure(fit: ExponentFit) -> Figure:
    """R^2 / N^(2 nu) against N with the fit and the level it goes to; below, deviations in errors."""
    figure = Figure(figsize=(6.8, 5.6), layout="constrained")
    above, below = figure.subplots(2, 1, height_ratios=(3, 1), sharex=True)
    _draw_fit(above, fit)
    _draw_residuals(below, fit)
    for axes in (above, below):
        soften(axes)
    return figure


def _draw_fit(axes: Axes, fit: ExponentFit) -> None:
    sizes = np.geomspace(fit.links.min() / 1.5, fit.links.max() * 1.5, 300)
    power = fit.links ** (2 * fit.exponent)
    curve = fit.at(sizes) / sizes ** (2 * fit.exponent)
    axes.axhline(fit.amplitude, color=INK, linewidth=1, linestyle="--", label=_level(fit))
    axes.plot(sizes, curve, color=CURVE, linewidth=1.8, label=_law(fit))
    axes.errorbar(
        fit.links,
        fit.values / power,
        fit.errors / power,
        fmt="o",
        color=DOTS,
        markersize=5,
        capsize=2.5,
        label="measured",
        zorder=3,
    )
    axes.set(xscale="log", xlim=(sizes[0], sizes[-1]))
    axes.set_ylabel(r"$R^2 \; / \; N^{2\nu}$")
    axes.set_title(rf"$\nu$ = {written(fit.exponent, fit.error)}", color=INK, fontsize=12)
    axes.legend(frameon=False, labelcolor=INK, fontsize=9, loc="best")


def _level(fit: ExponentFit) -> str:
    return f"A = {written(fit.amplitude, fit.amplitude_error)}"


def _law(fit: ExponentFit) -> str:
    parts = [rf"a\,N^{{-{fit.correction:g}}}", "b/N"][: len(fit.terms)]
    return "$" + " + ".join(["A" if not parts else r"A\,(1", *parts]) + (")$" if parts else "$")


def _draw_residuals(axes: Axes, fit: ExponentFit) -> None:
    axes.axhspan(-1, 1, color=INK, alpha=0.15, linewidth=0)
    axes.axhline(0, color=CURVE, linewidth=1.8)
    axes.errorbar(fit.links, fit.residuals, 1.0, fmt="o", color=DOTS, markersize=5, capsize=2.5)
    reach = 1.3 * max(2.0, float(np.abs(fit.residuals).max()) + 1)
    axes.set(ylim=(-reach, reach), xlabel="links N", ylabel="deviation in errors")
    words = rf"$\chi^2$ = {fit.chi2:.1f} for {fit.freedom} degrees of freedom"
    axes.set_title(words, color=INK, fontsize=9, loc="right")


def written(value: float, error: float) -> str:
    """Both as in print."""
    return told(value, error).replace("+-", "\u00b1")


def soften(axes: Axes) -> None:
    """Middle grey on nothing, so that it reads on a light and a dark page; no frame but the scales."""
    axes.set_facecolor("none")
    axes.set_axisbelow(True)
    axes.grid(color=INK, alpha=0.25, linewidth=0.6)
    axes.tick_params(colors=INK, which="both", labelsize=8)
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(INK)
