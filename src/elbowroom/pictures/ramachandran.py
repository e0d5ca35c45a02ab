"""Ramachandran plots: psi over phi, as dots or, of many, as a density."""

from __future__ import annotations

import os

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays

from .drawing import INK
from .painting import PALETTE
from .saving import saved
from .scaling import soften

Floats = NDArray[np.float64]

#: Of more samples squares of so many degrees are coloured by how many they hold.
MOST_DOTS, SQUARE = 2000, 5


def ramachandran(
    phi: ArrayLike, psi: ArrayLike, path: str | os.PathLike[str] | None = None, *, title: str | None = None
) -> Figure:
    """A Ramachandran plot; to a file if one is named.

    Parameters
    ----------
    phi, psi
        (k,) each, in radians; residues with a NaN, such as the first and the last, are left out.
    path
        File for the picture; its suffix is the format.
    title
        Text above it.

    Examples
    --------
    >>> from elbowroom.pictures.ramachandran import ramachandran
    >>> figure = ramachandran([-1.1, -2.1], [-0.7, 2.3], title="a helix and a strand")
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['phi (degrees)']
    """
    x, y = (
        np.asarray(_arrays.any_array(each, name), np.float64) for each, name in ((phi, "phi"), (psi, "psi"))
    )
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"phi and psi must be as many, (k,) each, got {x.shape} and {y.shape}")
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        raise ValueError("phi and psi have no pair of numbers to draw")
    figure = Figure(figsize=(5.4, 5.0), layout="constrained")
    figure.patch.set_alpha(0.0)
    axes = figure.subplots()
    _draw(figure, axes, _degrees(x[known]), _degrees(y[known]))
    if title is not None:
        axes.set_title(title, color=INK, fontsize=10)
    return saved(figure, path)


def _degrees(angles: Floats) -> Floats:
    return np.asarray((np.degrees(angles) + 180.0) % 360.0 - 180.0)


def _draw(figure: Figure, axes: Axes, x: Floats, y: Floats) -> None:
    soften(axes)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.axvline(0, color=INK, linewidth=0.8)
    if len(x) <= MOST_DOTS:
        axes.plot(x, y, "o", color=PALETTE[0], markersize=4, alpha=0.7, markeredgewidth=0)
    else:
        edges = np.arange(-180, 181, SQUARE)
        counts = np.histogram2d(x, y, bins=(edges, edges))[0].T
        shown = np.ma.masked_equal(counts, 0)
        mesh = axes.pcolormesh(edges, edges, shown, cmap="viridis", norm=LogNorm(1, max(2, counts.max())))
        bar = figure.colorbar(mesh, ax=axes, shrink=0.85)
        bar.set_label(f"samples in {SQUARE} x {SQUARE} degrees", color=INK)
        bar.ax.tick_params(colors=INK, labelsize=8)
    ticks = np.arange(-180, 181, 60)
    axes.set(
        xlim=(-180, 180), ylim=(-180, 180), xticks=ticks, yticks=ticks, aspect="equal",
        xlabel="phi (degrees)", ylabel="psi (degrees)",
    )  # fmt: skip
