"""Pictures drawn by matplotlib without a display: shaded bodies, witness points, contact normals, traces.

The bodies' triangles are projected here and painted from far to near on ordinary axes: unlike matplotlib's
own 3-D axes this keeps one depth order over all bodies, wastes no margin, and is several times faster.
Text is a middle grey and backgrounds are transparent, so that a picture reads on a light and a dark page.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike, NDArray

import elbowroom as er

from .surfaces import creases, divided, placed, surface, unit_normals

Array = NDArray[np.float64]

INK = "#7f858c"
ACCENT = "#e0245e"
PALETTE = ("#4f8fd0", "#f0973a", "#4fae86", "#a87fd1", "#c9b458", "#d9727f")
KEY_LIGHT = np.array([-0.45, 0.65, 0.62]) / np.linalg.norm([-0.45, 0.65, 0.62])


@dataclass(frozen=True)
class Look:
    """How a body is painted. `edges` None: creases are drawn on boxes and hulls only."""

    colour: str = PALETTE[0]
    alpha: float = 1.0
    edges: bool | None = None


@dataclass(frozen=True)
class Camera:
    """Looks at `centre` from a direction given in degrees; near things are a little larger."""

    azimuth: float
    elevation: float
    centre: Array
    reach: float

    def see(self, points: Array) -> Array:
        """Points as (right, up, towards the viewer), the first two in perspective."""
        seen = (points - self.centre) @ self._axes().T
        seen[..., :2] *= 1.0 / (1.0 - seen[..., 2:] / (5.0 * self.reach))
        return seen

    def turned(self, directions: Array) -> Array:
        return directions @ self._axes().T

    def _axes(self) -> Array:
        a, e = np.radians([self.azimuth, self.elevation])
        towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        return np.stack([right, np.cross(towards, right), towards])


@dataclass(frozen=True)
class Paint:
    """Polygons of one size with what painting them needs, in camera coordinates."""

    corners: Array
    faces: Array
    edges: Array
    widths: Array


def draw(
    bodies: Iterable[Sequence[Any]],
    *,
    points: ArrayLike | None = None,
    normals: ArrayLike | None = None,
    title: str | None = None,
    camera: tuple[float, float] = (-60.0, 22.0),
    size: tuple[float, float] = (6.4, 4.8),
) -> Figure:
    """A figure of the bodies: items (body, pose) or (body, pose, Look).

    `points` (n, 3) are dots, (n, 2, 3) pairs of dots joined by a line, as `er.distance(...).points` gives
    one; `normals` (n, 3) are arrows at the points. `camera` is (azimuth, elevation) in degrees.
    """
    figure = Figure(figsize=size, layout="constrained")
    draw_on(figure.add_subplot(), bodies, points=points, normals=normals, title=title, camera=camera)
    return figure


def draw_on(
    axes: Axes,
    bodies: Iterable[Sequence[Any]],
    *,
    points: ArrayLike | None = None,
    normals: ArrayLike | None = None,
    title: str | None = None,
    camera: tuple[float, float] = (-60.0, 22.0),
    focus: tuple[ArrayLike, float] | None = None,
) -> None:
    """The same on given axes. `focus` (world point, radius) shows only the surroundings of the point."""
    shown = [_seen(item, k) for k, item in enumerate(bodies)]
    if not shown:
        raise ValueError("bodies is empty: give at least one (body, pose)")
    everything = np.concatenate([triangles.reshape(-1, 3) for triangles, _ in shown])
    low, high = everything.min(axis=0), everything.max(axis=0)
    reach = max(float(np.linalg.norm(high - low)) / 2, 1e-12)
    eye = Camera(*camera, centre=(low + high) / 2, reach=reach)
    _paint(axes, [part for triangles, look in shown for part in _painted(triangles, look, eye)])
    marks = np.zeros((0, 3)) if points is None else np.asarray(points, dtype=float)
    tips = marks if normals is None else marks + 0.2 * reach * np.asarray(normals, dtype=float)
    _mark(axes, eye, marks, tips)
    _frame(axes, eye, np.concatenate([everything, tips.reshape(-1, 3)]), focus)
    if title:
        axes.set_title(title, color=INK, fontsize=11)


def trace(values: ArrayLike, hits: ArrayLike | None = None, **options: Any) -> Figure:
    """A figure of values along a path; see `trace_on`."""
    figure = Figure(figsize=options.pop("size", (6.4, 3.2)), layout="constrained")
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
    """Values against their index on given axes; intervals where `hits` is true are shaded."""
    values = np.asarray(values, dtype=float)
    axes.plot(values, color=PALETTE[0], linewidth=2)
    for first, last in _intervals([] if hits is None else hits):
        axes.axvspan(first, last, color=ACCENT, alpha=0.16, linewidth=0)
        axes.text((first + last) / 2, 0.5, "colliding", transform=axes.get_xaxis_transform(), color=ACCENT,
                  ha="center", va="center")
    if mark is not None:
        axes.plot(mark, values[mark], "o", color=ACCENT, markeredgecolor="white", markersize=8, zorder=4)
    axes.set(xlabel=labels[0], ylabel=labels[1], xlim=(0, len(values) - 1))
    axes.set_ylim(bottom=min(0.0, float(values.min())))
    _soften(axes)
    if title:
        axes.set_title(title, color=INK, fontsize=11)


def png(figure: Figure, *, dpi: int = 144, background: str | None = None) -> bytes:
    """The figure as a PNG file; transparent unless a background colour is given."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, facecolor=background or "none", bbox_inches="tight", pad_inches=0.08)
    return buffer.getvalue()


def _seen(item: Sequence[Any], k: int) -> tuple[Array, Look]:
    body, pose = item[0], item[1]
    look = item[2] if len(item) > 2 else Look(PALETTE[k % len(PALETTE)])
    if look.edges is None:
        look = Look(look.colour, look.alpha, isinstance(body, er.Box | er.Convex | er.Group))
    return placed(surface(body), pose), look


def _painted(triangles: Array, look: Look, eye: Camera) -> list[Paint]:
    opaque = look.alpha >= 1.0
    # The seams between parts of a triangle would show in a translucent one, so that one stays whole.
    pieces, origin = divided(triangles, eye.reach / 9 if opaque else np.inf)
    colours = _shaded(eye.turned(unit_normals(triangles)), look)[origin]
    # Painting the rim of an opaque triangle in its own colour hides the seam to its neighbour.
    rims = colours if opaque else np.zeros_like(colours)
    parts = [Paint(eye.see(pieces), colours, rims, np.full(len(pieces), 0.35 if opaque else 0.0))]
    if look.edges:
        parts.append(_outlined(creases(triangles), look, eye))
    return parts


def _outlined(edges: Array, look: Look, eye: Camera) -> Paint:
    """Creases as polygons of two corners, cut short and lifted a little so that their own faces lie below."""
    longest = float(np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1).max(initial=0.0))
    steps = np.linspace(0, 1, 2 + int(9 * longest / eye.reach))[:, None]
    dots = edges[:, None, 0] * (1 - steps) + edges[:, None, 1] * steps
    seen = eye.see(np.stack([dots[:, :-1], dots[:, 1:]], axis=2).reshape(-1, 2, 3))
    seen[..., 2] += 0.02 * eye.reach
    colour = np.append(0.5 * np.array(to_rgb(look.colour)), min(1.0, look.alpha + 0.35))
    colours = np.tile(colour, (len(seen), 1))
    return Paint(seen, np.zeros_like(colours), colours, np.full(len(seen), 0.8))


def _shaded(normals: Array, look: Look) -> Array:
    """Colours (n, 4): diffuse light from above left, a weak fill from the viewer, a soft highlight."""
    facing = normals * np.where(normals[:, 2:] < 0, -1.0, 1.0)
    key = np.clip(facing @ KEY_LIGHT, 0, 1)
    half = (KEY_LIGHT + [0, 0, 1]) / np.linalg.norm(KEY_LIGHT + [0, 0, 1])
    shine = 0.35 * np.clip(facing @ half, 0, 1) ** 24
    strength = 0.38 + 0.52 * key + 0.18 * facing[:, 2]
    colours = np.clip(strength[:, None] * np.array(to_rgb(look.colour)) + shine[:, None], 0, 1)
    return np.column_stack([colours, np.full(len(colours), look.alpha)])


def _paint(axes: Axes, parts: list[Paint]) -> None:
    depth = np.concatenate([part.corners[..., 2].mean(axis=1) for part in parts])
    order = np.argsort(depth, kind="stable")
    polygons = [corners for part in parts for corners in part.corners[..., :2]]
    faces, edges = (np.concatenate([getattr(part, name) for part in parts])[order] for name in ("faces", "edges"))
    widths = np.concatenate([part.widths for part in parts])[order]
    axes.add_collection(PolyCollection(
        [polygons[k] for k in order], facecolors=faces, edgecolors=edges, linewidths=widths,
        closed=False, capstyle="round"))


def _mark(axes: Axes, eye: Camera, points: Array, tips: Array) -> None:
    """Dots, a line between the two of a pair, and an arrow to each tip; all above the bodies."""
    dots = eye.see(points)[..., :2]
    if points.ndim == 3:
        for pair in dots:
            axes.plot(*pair.T, color=ACCENT, linewidth=1.8, zorder=4,
                      path_effects=[withStroke(linewidth=3.6, foreground="white")])
    for dot, tip in zip(dots.reshape(-1, 2), eye.see(tips)[..., :2].reshape(-1, 2), strict=True):
        if not np.array_equal(dot, tip):
            axes.annotate("", tip, dot, zorder=4, arrowprops={"arrowstyle": "-|>", "color": ACCENT, "linewidth": 1.8})
    axes.scatter(*dots.reshape(-1, 2).T, s=30, color=ACCENT, edgecolors="white", linewidths=1, zorder=5)


def _frame(axes: Axes, eye: Camera, everything: Array, focus: tuple[ArrayLike, float] | None) -> None:
    if focus is None:
        flat = eye.see(everything)[:, :2]
        low, high = flat.min(axis=0), flat.max(axis=0)
    else:
        middle = eye.see(np.asarray(focus[0], dtype=float)[None])[0, :2]
        low, high = middle - focus[1], middle + focus[1]
    margin = 0.03 * float((high - low).max())
    axes.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin), aspect="equal")
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
