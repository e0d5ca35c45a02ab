"""Pictures drawn by matplotlib without a display: shaded bodies, witness points, contact normals, traces.

The bodies' triangles are projected and painted from far to near on ordinary axes: unlike matplotlib's own
3-D axes this keeps one depth order over all bodies and wastes no margin.
Text is a middle grey and backgrounds are transparent, so that a picture reads on a light and a dark page.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike, NDArray

from .painting import PALETTE, Camera, paint, skins

if TYPE_CHECKING:
    from typing import Unpack

    from elbowroom._types import TraceOptions

Array = NDArray[np.float64]

INK = "#7f858c"
ACCENT = "#e0245e"
ARROW = {"arrowstyle": "-|>", "color": ACCENT, "linewidth": 1.8}


def draw(
    bodies: Iterable[Sequence[object]],
    *,
    points: ArrayLike | None = None,
    normals: ArrayLike | None = None,
    title: str | None = None,
    camera: tuple[float, float] = (-60.0, 22.0),
    size: tuple[float, float] = (6.4, 4.8),
    ink: str = ACCENT,
) -> Figure:
    """A figure of the bodies: items (body, pose) or (body, pose, Look).

    `points` (n, 3) are dots, `points` (n, 2, 3) pairs of dots joined by a line: for the witness points of one
    distance, `distance.points[None]`. `normals` (n, 3) are arrows at the points. `camera` is (azimuth,
    elevation) in degrees. `ink` is the colour of dots and lines.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom import pictures
    >>> ball, box = er.Sphere(1), er.Box(2)
    >>> pose = er.Pose(translation=[4, 0, 0])
    >>> nearest = er.distance(ball, box, pose_b=pose)
    >>> figure = pictures.draw([(ball, None), (box, pose)], points=nearest.points[None])
    >>> pictures.png(figure, dpi=30)[1:4]
    b'PNG'
    """
    figure = Figure(figsize=size, layout="constrained")
    draw_on(figure.add_subplot(), bodies, points=points, normals=normals, title=title, camera=camera, ink=ink)
    return figure


def draw_on(
    axes: Axes,
    bodies: Iterable[Sequence[object]],
    *,
    points: ArrayLike | None = None,
    normals: ArrayLike | None = None,
    title: str | None = None,
    camera: tuple[float, float] = (-60.0, 22.0),
    ink: str = ACCENT,
) -> None:
    """The same on given axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import elbowroom as er
    >>> from elbowroom import pictures
    >>> figure = Figure()
    >>> left, right = figure.subplots(1, 2)
    >>> pictures.draw_on(left, [(er.Box(2), None)], title="a box")
    >>> left.get_title()
    'a box'
    """
    shown = [skin for k, item in enumerate(bodies) for skin in skins(item, k)]
    if not shown:
        raise ValueError("bodies is empty: give at least one (body, pose)")
    everything = np.concatenate([skin.triangles.reshape(-1, 3) for skin in shown])
    low, high = everything.min(axis=0), everything.max(axis=0)
    reach = max(float(np.linalg.norm(high - low)) / 2, 1e-12)
    eye = Camera(*camera, centre=(low + high) / 2, reach=reach)
    paint(axes, shown, eye)
    marks = np.zeros((0, 3)) if points is None else np.asarray(points, dtype=float)
    tips = marks if normals is None else marks + 0.2 * reach * np.asarray(normals, dtype=float)
    _mark(axes, eye, marks, tips, ink)
    _frame(axes, eye, np.concatenate([everything, tips.reshape(-1, 3)]))
    if title:
        axes.set_title(title, color=INK, fontsize=11)


def trace(
    values: ArrayLike,
    hits: ArrayLike | None = None,
    *,
    size: tuple[float, float] = (6.4, 3.2),
    **options: Unpack[TraceOptions],
) -> Figure:
    """A figure of values along a path; see `trace_on`.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom import pictures
    >>> spring, path = er.Mesh(*er.scenes.spring()), er.scenes.spring_path(50)
    >>> values = er.distance(spring, spring, pose_b=path).values
    >>> figure = pictures.trace(values, values == 0)
    >>> len(figure.axes)
    1
    """
    figure = Figure(figsize=size, layout="constrained")
    trace_on(figure.add_subplot(), values, hits, **options)
    return figure


def trace_on(
    axes: Axes,
    values: ArrayLike,
    hits: ArrayLike | None = None,
    *,
    labels: tuple[str, str] = ("pose", "distance"),
    mark: int | None = None,
    title: str | None = None,
) -> None:
    """Values against their index on given axes; intervals where `hits` is true are shaded.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from elbowroom import pictures
    >>> axes = Figure().subplots()
    >>> pictures.trace_on(axes, [3.0, 1.0, 0.0, 2.0], [False, False, True, False], labels=("frame", "gap"))
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('frame', 'gap')
    """
    values = np.asarray(values, dtype=float)
    axes.plot(values, color=PALETTE[0], linewidth=2)
    for first, last in _intervals([] if hits is None else hits):
        axes.axvspan(first, last, color=ACCENT, alpha=0.16, linewidth=0)
        axes.text(
            (first + last) / 2,
            0.5,
            "colliding",
            transform=axes.get_xaxis_transform(),
            color=ACCENT,
            ha="center",
            va="center",
        )
    if mark is not None:
        axes.plot(
            mark,
            values[mark],
            "o",
            color=ACCENT,
            markeredgecolor="white",
            markersize=8,
            zorder=4,
            clip_on=False,
        )
    axes.set(xlabel=labels[0], ylabel=labels[1], xlim=(0, len(values) - 1))
    axes.set_ylim(bottom=min(0.0, float(values.min())))
    _soften(axes)
    if title:
        axes.set_title(title, color=INK, fontsize=11)


def png(figure: Figure, *, dpi: int = 144, background: str | None = None) -> bytes:
    """The figure as a PNG file; transparent unless a background colour is given.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom import pictures
    >>> picture = pictures.png(pictures.draw([(er.Sphere(1), None)]), dpi=30)
    >>> picture[1:4]
    b'PNG'
    """
    buffer = io.BytesIO()
    ground = background or "none"
    figure.savefig(buffer, format="png", dpi=dpi, facecolor=ground)
    return buffer.getvalue()


def _mark(axes: Axes, eye: Camera, points: Array, tips: Array, ink: str) -> None:
    """Dots, a line between the two of a pair, and an arrow to each tip; all above the bodies."""
    dots = eye.see(points)[..., :2]
    if points.ndim == 3:
        for pair in dots:
            axes.plot(
                *pair.T,
                color=ink,
                linewidth=1.8,
                zorder=4,
                path_effects=[withStroke(linewidth=3.6, foreground="white")],
            )
    for dot, tip in zip(dots.reshape(-1, 2), eye.see(tips)[..., :2].reshape(-1, 2), strict=True):
        if not np.array_equal(dot, tip):
            axes.annotate("", (tip[0], tip[1]), (dot[0], dot[1]), zorder=4, arrowprops=ARROW | {"color": ink})
    x, y = dots.reshape(-1, 2).T
    axes.scatter(x, y, s=30, color=ink, edgecolors="white", linewidths=1, zorder=5)


def _frame(axes: Axes, eye: Camera, everything: Array) -> None:
    """Show all points, without distortion, on the whole of the axes."""
    axes.update_datalim(eye.see(everything)[:, :2])
    axes.margins(0.03)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()


def _intervals(hits: ArrayLike) -> list[tuple[int, int]]:
    """First and last index of every run of true values."""
    flags = np.concatenate([[False], np.asarray(hits, dtype=bool), [False]])
    changes = np.flatnonzero(flags[1:] != flags[:-1])
    return [(int(first), int(last) - 1) for first, last in zip(changes[::2], changes[1::2], strict=True)]


def _soften(axes: Axes) -> None:
    axes.set_facecolor("none")
    axes.grid(color=INK, alpha=0.25, linewidth=0.6)
    axes.tick_params(colors=INK)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(INK)
