"""What the figures of the theory pages share: colours, discs, boxes seen from above, small files."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection, PolyCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image
from scipy.spatial import ConvexHull

from elbowroom.pictures import INK, PALETTE, png
from elbowroom.reproduce.paint import ALONG

Array = NDArray[np.float64]

BLUE, ORANGE, GREEN, VIOLET, YELLOW, RED = PALETTE
SIGNS = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T


def svg(figure: Figure) -> bytes:
    """The figure as SVG: the same bytes on every run, no background, coordinates to a hundredth."""
    buffer = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "elbowroom", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", facecolor="none", metadata={"Date": None, "Creator": None})
    return re.sub(r'(?<= d=")[^"]*', _rounded, buffer.getvalue().decode()).encode()


def _rounded(path: re.Match[str]) -> str:
    """The path's numbers to a hundredth of a point; scales, which must stay as they are, lie elsewhere."""
    return re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.2f}", path[0])


def pixels(figure: Figure) -> bytes:
    """The figure as PNG of 256 colours, without a background."""
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(png(figure, dpi=110))) as picture:
        few = picture.convert("RGBA").quantize(256, Image.Quantize.FASTOCTREE)
        few.save(buffer, format="png", optimize=True)
    return buffer.getvalue()


def panels(
    columns: int, size: tuple[float, float], rows: int = 1, **options: Any
) -> tuple[Figure, list[Axes]]:
    """A figure and its axes, from left to right."""
    figure = Figure(figsize=size, layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False, **options).ravel())


def bare(axes: Axes, title: str | None = None, *, margin: float = 0.03) -> None:
    """No frame, no distortion."""
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(margin)
    axes.set_axis_off()
    if title:
        axes.set_title(title, color=INK, fontsize=11)


def soft(axes: Axes, xlabel: str, ylabel: str, title: str | None = None) -> None:
    """A plot with few lines, in the grey that reads on light and dark pages."""
    axes.set_facecolor("none")
    axes.set_axisbelow(True)
    axes.grid(color=INK, alpha=0.22, linewidth=0.6)
    axes.tick_params(colors=INK, labelsize=9, which="both")
    axes.set_xlabel(xlabel, color=INK, fontsize=10)
    axes.set_ylabel(ylabel, color=INK, fontsize=10)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(INK)
    if title:
        axes.set_title(title, color=INK, fontsize=11)


def legend(axes: Axes, **options: Any) -> None:
    """Names of the lines, without a frame."""
    axes.legend(frameon=False, labelcolor=INK, fontsize=9, **options)


def discs(
    axes: Axes,
    centres: Array,
    radii: Array | float,
    *,
    colours: Any = None,
    fill: float = 1.0,
    width: float = 0.0,
    order: int = 3,
) -> None:
    """Circles: filled as much as `fill` says, with a rim of some width; coloured along the row by default."""
    centres = np.asarray(centres)[:, :2]
    sizes = 2 * np.broadcast_to(np.asarray(radii, dtype=float), len(centres))
    tints = ALONG(np.linspace(0, 1, len(centres))) if colours is None else mpl.colors.to_rgba_array(colours)
    tints = np.broadcast_to(tints, (len(centres), 4)).copy()
    faces = tints.copy()
    faces[:, 3] *= fill
    axes.add_collection(
        EllipseCollection(
            sizes,
            sizes,
            np.zeros(len(sizes)),
            units="xy",
            offsets=centres,
            offset_transform=axes.transData,
            facecolors=faces,
            edgecolors=tints if width else "none",
            linewidths=width,
            zorder=order,
        )
    )
    half = sizes[:, None] / 2
    axes.update_datalim(np.concatenate([centres - half, centres + half]))


def outline(box: Any) -> Array:
    """The corners (k, 2) of a box of the library, seen along z."""
    corners = np.asarray(box.centre) + (SIGNS * np.asarray(box.half)) @ np.asarray(box.axes)
    return np.asarray(corners[ConvexHull(corners[:, :2]).vertices, :2])


def boxes_on(
    axes: Axes, boxes: Sequence[Any], colours: Any, *, fill: float = 0.08, width: float = 1.2, order: int = 1
) -> None:
    """Boxes of the library, seen along z."""
    tints = mpl.colors.to_rgba_array(colours)
    tints = np.broadcast_to(tints, (len(boxes), 4)).copy()
    faces = tints.copy()
    faces[:, 3] *= fill
    shapes = [outline(box) for box in boxes]
    axes.add_collection(
        PolyCollection(shapes, facecolors=faces, edgecolors=tints, linewidths=width, zorder=order)
    )
    axes.update_datalim(np.concatenate(shapes))


def arrow(axes: Axes, start: Array, vector: Array, colour: str, label: str, *, shift: float) -> None:
    """A vector from a point, with its name beside the tip."""
    tip = np.asarray(start) + np.asarray(vector)
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", tuple(tip), tuple(start), arrowprops=style, zorder=6)
    across = np.array([-vector[1], vector[0]]) / float(np.linalg.norm(vector))
    x, y = np.asarray(start) + 0.6 * np.asarray(vector) + shift * across
    axes.text(x, y, label, color=colour, fontsize=10, ha="center", va="center", zorder=7)
