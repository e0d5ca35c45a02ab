"""Pictures of motions: a tree of them among tetrahedra, a body along one, ellipsoids, calls over nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.pictures import INK, PALETTE, Look, surface
from elbowroom.pictures.painting import Camera, paint, skins

from .paint import ALONG, MIST
from .plots import _legend

Array = NDArray[np.float64]
Item = tuple[Any, Any, Look]

OBSTACLE, BODY, BOUND = PALETTE[0], "#d8485a", PALETTE[2]  # blue, red and green, as in the paper
FAINT = 0.10  # of the tetrahedra, through which the tree is seen
TREE_CAMERA = (-58.0, 20.0)
LENGTHS = "length of connections"
LINES = {
    "isotropic": PALETTE[5],
    "hourglass": PALETTE[0],
    "hourglass-axis": "#9cc0e6",
    "auto": PALETTE[1],
    LENGTHS: PALETTE[2],
}


def paint_tree(
    axes: Axes, edges: Array, corners: Array, *, camera: tuple[float, float] = TREE_CAMERA, width: float = 0.8
) -> None:
    """The motions of a tree as lines between positions, edges (n, 2, 3), coloured from first to last.

    `corners` (m, 4, 3) are tetrahedra. The first edges are the longest, and are drawn a little thicker.
    """
    everything = np.concatenate([edges.reshape(-1, 3), corners.reshape(-1, 3)])
    low, high = everything.min(axis=0), everything.max(axis=0)
    eye = Camera(*camera, centre=(low + high) / 2, reach=float(np.linalg.norm(high - low)) / 2)
    paint(axes, skins((_tetrahedra(corners), None, Look(OBSTACLE, FAINT, False)), 0), eye)
    axes.add_collection(_lines(edges, eye, width))
    axes.update_datalim(eye.see(everything)[:, :2])
    axes.autoscale_view()
    axes.margins(0.02)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()


def _tetrahedra(corners: Array) -> er.Mesh:
    """All of them as one mesh, which is painted faster than as many hulls."""
    faces = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])
    return er.Mesh(
        corners.reshape(-1, 3), (faces + 4 * np.arange(len(corners))[:, None, None]).reshape(-1, 3)
    )


def _lines(edges: Array, eye: Camera, width: float) -> LineCollection:
    """The edges from far to near; what is far fades."""
    seen = eye.see(edges)
    depth = seen[..., 2].mean(axis=1)
    age = np.linspace(0, 1, len(edges))
    near = np.clip(0.5 + 0.5 * depth / eye.reach, 0, 1)[:, None]
    colours = MIST + (ALONG(age)[:, :3] - MIST) * (0.3 + 0.7 * near)
    order = np.argsort(depth, kind="stable")
    return LineCollection(
        list(seen[order, :, :2]),
        colors=colours[order],
        linewidths=(width * (1.0 + 0.8 * (1.0 - age) ** 2))[order],
        capstyle="round",
        zorder=2,
    )


def ellipsoid(linear: Array, radius: float, centre: Array) -> er.Convex:
    """All points whose image under a linear map is within the radius of that of the centre."""
    ball = np.unique(surface(er.Sphere(radius)).reshape(-1, 3).round(12), axis=0)
    return er.Convex(np.linalg.solve(linear, ball.T).T + centre)


def mapped(body: er.Body, pose: Any, linear: Array) -> list[er.Convex]:
    """The convex parts of a body at a pose under a linear map, whose images are convex again."""
    matrix = pose.matrix if isinstance(pose, er.Pose) else np.eye(4) if pose is None else np.asarray(pose)
    first, points = body._first, body._points @ matrix[:3, :3].T + matrix[:3, 3]
    return [er.Convex(points[i:j] @ linear.T) for i, j in pairwise(first)]


def ghosts(body: er.Body, motion: er.Motion, times: Sequence[float], strong: float = 0.5) -> list[Item]:
    """The body along its motion: at the time `strong` as it is, at the others translucent."""
    return [(body, motion.at(t), Look(BODY, 1.0 if t == strong else 0.3, True)) for t in times]


def growth_over_nodes(
    nodes: Array, calls: Mapping[str, Array], lengths: Array, marks: Mapping[str, tuple[float, float]]
) -> Figure:
    """Figure 7: cumulative calls against nodes, and on the right the length of connections.

    `marks` are points of the paper's, by the name of their line.
    """
    figure = Figure(figsize=(9.6, 4.4), layout="constrained")
    left = figure.add_subplot()
    right = left.twinx()
    for name, values in calls.items():
        left.plot(nodes, values, color=LINES[name], linewidth=2, label=name)
    for name, (x, y) in marks.items():
        left.plot(x, y, "D", color=LINES[name], markerfacecolor="none", label=f"{name}, paper's end")
    right.plot(nodes[-len(lengths) :], lengths, color=LINES[LENGTHS], linewidth=1, label=LENGTHS)
    left.set(xlabel="nodes in the tree", ylabel="distance computations", xlim=(0, None), ylim=(0, None))
    right.set_ylabel("length, mean of 100")
    right.set_ylim(0, None)
    _soften(left, ("left", "bottom"))
    _soften(right, ("right",))
    handles, names = left.get_legend_handles_labels()
    more, words = right.get_legend_handles_labels()
    _legend(figure, [*handles, *more], [*names, *words])
    return figure


def bars_from_zero(
    panels: Mapping[str, Mapping[str, Sequence[float]]],
    groups: Sequence[str],
    colours: Mapping[str, str] = MappingProxyType(LINES),
) -> Figure:
    """Panels side by side, each with a scale of its own that begins at zero; numbers stand above the bars."""
    figure = Figure(figsize=(9.6, 3.4), layout="constrained")
    panel_axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (title, series) in zip(panel_axes, panels.items(), strict=True):
        width = 0.84 / len(series)
        for k, (name, values) in enumerate(series.items()):
            places = np.arange(len(groups)) + (k - (len(series) - 1) / 2) * width
            colour = colours.get(name, PALETTE[k % len(PALETTE)])
            drawn = axes.bar(places, values, 0.9 * width, color=colour, label=name)
            axes.bar_label(drawn, fmt="%.1f", color=INK, fontsize=8)
        axes.set_title(title, color=INK, fontsize=11)
        _soften(axes, ("left", "bottom"))
        axes.set_xticks(range(len(groups)), groups)
    _legend(figure, *panel_axes[0].get_legend_handles_labels())
    return figure


def _soften(axes: Axes, sides: Sequence[str]) -> None:
    axes.set_facecolor("none")
    axes.tick_params(colors=INK)
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    axes.xaxis.set_major_formatter("{x:,.10g}")
    axes.yaxis.set_major_formatter("{x:,.10g}")
    if "left" in sides:
        axes.grid(axis="y", color=INK, alpha=0.25, linewidth=0.6)
    for side, spine in axes.spines.items():
        spine.set_visible(side in sides)
        spine.set_color(INK)
