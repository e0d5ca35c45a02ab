"""Roadmaps drawn with matplotlib. Imported only on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from elbowroom.pictures import INK, PALETTE

from .pictures import GOAL, ROOT, START, _camera, _directions, _label, _names
from .rigid_space import RigidSpace
from .spaces import Floats

if TYPE_CHECKING:
    from .path import Path
    from .roadmap import Roadmap


def roadmap_figure(roadmap: Roadmap, path: Path | None, camera: tuple[float, float]) -> Figure:
    """Nodes as dots and motions as lines, dashed if they are only assumed free; a path upon them."""
    figure = Figure(figsize=(6.4, 6.0), layout="constrained")
    axes = figure.add_subplot()
    places = _flat(roadmap, roadmap.states, camera)
    lines = places[roadmap.edges]
    for mine, style in ((roadmap.tested, "solid"), (~roadmap.tested, "dashed")):
        axes.add_collection(
            LineCollection(list(lines[mine]), linewidths=0.5, colors=PALETTE[0], alpha=0.5, linestyles=style)
        )
    axes.plot(*places.T, "o", color=ROOT, markersize=2.5, zorder=2)
    if path is not None and path.found:
        _draw_path(axes, _flat(roadmap, path.states, camera))
    axes.autoscale_view()
    axes.set_title(_title(roadmap), color=INK, fontsize=11)
    if isinstance(roadmap.space, RigidSpace):
        axes.set_aspect("equal", adjustable="datalim")
        axes.set_axis_off()
        _directions(axes, roadmap.states[:, :3, 3], camera)
    else:
        _label(axes, *_names(roadmap.space))
    return figure


def _draw_path(axes: Axes, places: Floats) -> None:
    axes.plot(*places.T, "-", color=GOAL, linewidth=2.0, zorder=3)
    axes.plot(*places[0], "o", color=START, markeredgecolor="white", zorder=4, label="start")
    axes.plot(*places[-1], "o", color=GOAL, markeredgecolor="white", zorder=4, label="goal")
    axes.legend(frameon=False, labelcolor=INK, fontsize=8)


def _title(roadmap: Roadmap) -> str:
    from .roadmap import counted

    assumed = int((~roadmap.tested).sum())
    told = f", {assumed:,} of them assumed (dashed)" if assumed else ""
    return f"{counted(len(roadmap), 'state')}, {counted(len(roadmap.edges), 'motion')}{told}"


def _flat(roadmap: Roadmap, states: Floats, camera: tuple[float, float]) -> Floats:
    """Where states are on the paper, seen as the roadmap is: (n, 2)."""
    if isinstance(roadmap.space, RigidSpace):
        eye = _camera(roadmap.states[:, :3, 3], camera)
        return np.ascontiguousarray(eye.see(states[:, :3, 3].copy())[:, :2])
    one = states[:, 0]
    return np.stack([one, states[:, 1] if states.shape[1] > 1 else np.zeros(len(states))], axis=1)
