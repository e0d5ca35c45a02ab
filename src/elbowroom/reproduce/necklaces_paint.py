"""Pictures of necklaces in the plane: beads are discs, coloured along the necklace, and cages circles."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.animation import FuncAnimation, PillowWriter
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.pictures import INK

from .paint import ALONG

Array = NDArray[np.float64]

GROUND = "#fbfbfa"  # of animations, which cannot be transparent in all viewers
CAGED = (1, 3, 5)  # levels of cages that an animation shows
FPS = 12


def paint_flat(axes: Axes, positions: Array, radius: float, *, cages: Sequence[Array] = ()) -> None:
    """Paint the beads, the string through them, and the cages of some levels, each an array (m, 3)."""
    share = np.linspace(0, 1, len(positions))
    for level in cages:
        tints = ALONG((np.arange(len(level)) + 0.5) / len(level))
        axes.add_collection(_discs(axes, level[:, :2], level[:, 2], tints))
    axes.plot(*positions.T, color=INK, linewidth=0.6, zorder=2)
    axes.add_collection(_discs(axes, positions, np.full(len(positions), radius), ALONG(share), solid=True))
    _frame(axes, positions, radius, cages)


def _discs(
    axes: Axes, centres: Array, radii: Array, colours: Array, *, solid: bool = False
) -> EllipseCollection:
    faint = colours.copy()
    faint[:, 3] = 1.0 if solid else 0.06
    return EllipseCollection(
        2 * radii,
        2 * radii,
        np.zeros(len(radii)),
        units="xy",
        offsets=centres,
        offset_transform=axes.transData,
        facecolors=faint,
        edgecolors=colours if not solid else to_rgba(INK, 0.0),
        linewidths=0.0 if solid else 0.9,
        zorder=3 if solid else 1,
    )


def _frame(axes: Axes, positions: Array, radius: float, cages: Sequence[Array]) -> None:
    """Show all of it, without distortion, on the whole of the axes."""
    balls = np.concatenate([np.column_stack([positions, np.full(len(positions), radius)]), *cages])
    axes.update_datalim(np.concatenate([balls[:, :2] - balls[:, 2:], balls[:, :2] + balls[:, 2:]]))
    axes.autoscale_view()
    axes.margins(0.02)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()


def rolled_up(frames: Array, radius: float, *, size: float = 4.8, dpi: int = 72) -> bytes:
    """A GIF file of a necklace in the plane in its cages, frame by frame, each as large as the picture."""
    figure = Figure(figsize=(size, size), facecolor=GROUND)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    necklace = er.Necklace(frames[0], radius, cages="wrapped")

    def show(positions: Array) -> list[Axes]:
        axes.clear()
        necklace.move(positions)
        paint_flat(axes, positions, radius, cages=[necklace.cage_balls(level) for level in CAGED])
        return [axes]

    film = FuncAnimation(figure, show, frames=list(frames), cache_frame_data=False)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "film.gif")
        film.save(file, writer=PillowWriter(fps=FPS), dpi=dpi, savefig_kwargs={"facecolor": GROUND})
        return file.read_bytes()
