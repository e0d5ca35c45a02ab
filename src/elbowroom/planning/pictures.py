"""Trees and paths drawn with matplotlib. Imported only on demand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from elbowroom._motion_pieces import obstacle_list
from elbowroom.view import INK, PALETTE, Look, draw
from elbowroom.view.painting import Camera

from .joint_space import JointSpace
from .rigid_space import RigidSpace
from .spaces import Floats

if TYPE_CHECKING:
    from .path import Path
    from .tree import Tree

GHOSTS = 12  # places on the way at which a body is drawn
ACCENT = "#e0245e"


def saved(figure: Figure, file: str | os.PathLike[str] | None) -> Figure:
    """The figure, written to a file if one is named."""
    if file is not None:
        figure.savefig(os.fspath(file), dpi=144, transparent=True)
    return figure


def tree_figure(tree: Tree, camera: tuple[float, float]) -> Figure:
    """The motions of a tree as lines, late ones darker, and its root as a dot."""
    figure = Figure(figsize=(6.4, 6.0), layout="constrained")
    axes = figure.add_subplot()
    places = _flat(tree, camera)
    lines = np.stack([places[tree.parents[1:]], places[1:]], axis=1)
    drawn = LineCollection(list(lines), linewidths=0.6, cmap="viridis_r", array=np.arange(len(lines)))
    axes.add_collection(drawn)
    axes.plot(*places[0], "o", color=ACCENT, markeredgecolor="white", zorder=3)
    axes.autoscale_view()
    axes.set_title(f"{len(tree):,} states", color=INK, fontsize=11)
    if isinstance(tree.space, RigidSpace):
        axes.set_aspect("equal", adjustable="datalim")
        axes.set_axis_off()
    else:
        _label(axes, *_names(tree.space))
    return figure


def path_figure(path: Path, camera: tuple[float, float]) -> Figure:
    """A rigid body at places on its way among the obstacles; the values of configurations against time."""
    if isinstance(path.space, JointSpace):
        return _values_figure(path)
    places = path.states[:, :3, 3]
    segments = np.stack([places[:-1], places[1:]], axis=1) if len(path) > 1 else places[:1, None]
    body = getattr(path.checker, "body", None)
    if body is None:
        return _places_figure(places, camera)
    items: list[Any] = [(what, where, Look(INK, 0.25)) for what, where in _still(path.checker.obstacles)]
    shades = np.linspace(0.25, 1.0, GHOSTS)
    for pose, alpha in zip(path.spaced(GHOSTS), shades.tolist(), strict=True):
        items.append((body, pose, Look(PALETTE[0], alpha)))
    return draw(items, points=segments if len(path) > 1 else None, camera=camera)


def _still(obstacles: Any) -> Iterator[tuple[Any, Any]]:
    """Obstacles that stay where they are, with their poses."""
    for obstacle in obstacle_list(obstacles):
        if obstacle.motion is None and obstacle.path is None:
            yield obstacle.body, obstacle.pose


def _places_figure(places: Floats, camera: tuple[float, float]) -> Figure:
    figure = Figure(figsize=(6.4, 4.8), layout="constrained")
    axes = figure.add_subplot()
    seen = _camera(places, camera).see(places.copy())
    axes.plot(seen[:, 0], seen[:, 1], "o-", color=PALETTE[0])
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()
    return figure


def _values_figure(path: Path) -> Figure:
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.add_subplot()
    times = np.linspace(0.0, 1.0, len(path))
    assert isinstance(path.space, JointSpace)
    for k, name in enumerate(path.space.names):
        axes.plot(times, path.states[:, k], "o-", markersize=3, color=PALETTE[k % len(PALETTE)], label=name)
    _label(axes, "time", "value")
    axes.legend(frameon=False, labelcolor=INK, fontsize=8, ncols=-(-path.space.dof // 12))
    return figure


def _flat(tree: Tree, camera: tuple[float, float]) -> Floats:
    """Where the states are on the paper: (n, 2)."""
    if isinstance(tree.space, RigidSpace):
        places = tree.states[:, :3, 3]
        return np.ascontiguousarray(_camera(places, camera).see(places.copy())[:, :2])
    one = tree.states[:, 0]
    return np.stack([one, tree.states[:, 1] if tree.states.shape[1] > 1 else np.arange(len(tree))], axis=1)


def _camera(places: Floats, camera: tuple[float, float]) -> Camera:
    low, high = places.min(axis=0), places.max(axis=0)
    return Camera(*camera, centre=(low + high) / 2, reach=max(float(np.linalg.norm(high - low)) / 2, 1e-12))


def _names(space: Any) -> tuple[str, str]:
    return (space.names[0], space.names[1]) if space.dof > 1 else (space.names[0], "state")


def _label(axes: Axes, x: str, y: str) -> None:
    axes.set_facecolor("none")
    axes.grid(color=INK, alpha=0.25, linewidth=0.6)
    axes.tick_params(colors=INK)
    axes.set_xlabel(x, color=INK)
    axes.set_ylabel(y, color=INK)
    for spine in axes.spines.values():
        spine.set_color(INK)
