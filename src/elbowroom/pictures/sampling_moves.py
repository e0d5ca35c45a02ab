"""What became of the moves of a run, and of its exchanges of temperatures, as bars."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from .drawing import INK
from .painting import PALETTE
from .scaling import soften

if TYPE_CHECKING:
    from elbowroom.sampling.run import Run

FATES = {"accepted": PALETTE[2], "refused": PALETTE[4], "collided": PALETTE[5]}
ROOM = 0.06  # share of a bar that a number fits into


def draw_moves(figure: SubFigure, run: Run) -> None:
    """Shares of the moves by what became of them; with tempering beside those of exchanges."""
    if run.swaps is None:
        _draw_fates(figure.subplots(), run)
        return
    fates, swaps = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_fates(fates, run)
    pairs = pairwise(f"{heat:g}" for heat in run.temperatures)
    names, shares = [f"{a} and {b}" for a, b in pairs], np.nan_to_num(run.swaps)
    swaps.barh(names, shares, 0.7, color=PALETTE[3], alpha=0.85)
    for k, share in enumerate(shares.tolist()):
        swaps.text(share + 0.01, k, f"{share:.0%}", color=INK, va="center", fontsize=8)
    _finish(swaps, "swapped")


def _draw_fates(axes: Axes, run: Run) -> None:
    """Accepted, refused for their energy, in collision; the moves of all temperatures together."""
    shares = np.array([_shares(tally) for tally in run.tallies.values()]).reshape(-1, len(FATES))
    begins = np.cumsum(shares, axis=1) - shares
    for k, (fate, colour) in enumerate(FATES.items()):
        if shares[:, k].any():
            axes.barh(
                list(run.tallies), shares[:, k], 0.7, begins[:, k], color=colour, alpha=0.85, label=fate
            )
    for (row, column), part in np.ndenumerate(shares):
        if part > ROOM:
            middle = begins[row, column] + part / 2
            axes.text(middle, row, f"{part:.0%}", color="white", ha="center", va="center", fontsize=8)
    _finish(axes, "moves")
    axes.legend(frameon=False, labelcolor=INK, fontsize=8, ncols=3, loc="lower right", bbox_to_anchor=(1, 1))


def _shares(tally: object) -> NDArray[np.float64]:
    tried, collided, accepted = np.asarray(tally, float).reshape(-1, 3).sum(axis=0)
    return np.array([accepted, tried - collided - accepted, collided], np.float64) / max(float(tried), 1.0)


def _finish(axes: Axes, title: str) -> None:
    axes.set_xlim(0, 1)
    axes.invert_yaxis()
    soften(axes)
    axes.grid(False, axis="y")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_title(title, color=INK, fontsize=10, loc="left")
