"""Trees and paths drawn with matplotlib. Imported only on demand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from elbowroom._motion_pieces import obstacle_list
from elbowroom.pictures import INK, PALETTE, Look, draw
from elbowroom.pictures.painting import Camera

from .joint_space import JointSpace
from .rigid_space import RigidSpace
from .spaces import Floats

if TYPE_CHECKING:
    from .path import Path
    from .tree import Tree

GHOSTS = 12  # places on the way at which a body is drawn
FEW = 60  # parts of obstacles whose outlines do not hide the rest
START, GOAL, ROOT = PALETTE[2], PALETTE[1], "#3c4248"


def tree_figure(tree: Tree, camera: tuple[float, float]) -> Figure:
    """The motions of a tree as lines, from yellow for the first to violet for the last, its root as a dot."""
    figure = Figure(figsize=(6.4, 6.0), layout="constrained")
    axes = figure.add_subplot()
    places = _flat(tree, camera)
    lines = np.stack([places[tree.parents[1:]], places[1:]], axis=1)
    drawn = LineCollection(list(lines), linewidths=0.6, cmap="viridis_r", array=np.arange(len(lines)))
    axes.add_collection(drawn)
    axes.plot(*places[0], "o", color=ROOT, markeredgecolor="white", zorder=3, label="root")
    axes.autoscale_view()
    count = f"{len(tree):,} state{'' if len(tree) == 1 else 's'}"
    axes.set_title(f"{count}; motions from first (yellow) to last (violet)", color=INK, fontsize=11)
    axes.legend(frameon=False, labelcolor=INK, fontsize=8)
    if isinstance(tree.space, RigidSpace):
        axes.set_aspect("equal", adjustable="datalim")
        axes.set_axis_off()
        _directions(axes, tree.states[:, :3, 3], camera)
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
    still = list(_still(path.checker.obstacles))
    # The outlines of many would hide the body, and so would their faces.
    look = Look(INK, 0.25) if sum(len(what) for what, _ in still) <= FEW else Look(INK, 0.06, False)
    items: list[Any] = [(what, where, look) for what, where in still]
    colours = [START, *[PALETTE[0]] * (GHOSTS - 2), GOAL]
    for pose, colour in zip(path.spaced(GHOSTS), colours, strict=True):
        items.append((body, pose, Look(colour, 0.4 if colour == PALETTE[0] else 1.0)))
    title = f"{len(path):,} states from the start (green) to the goal (orange)"
    return draw(items, points=segments if len(path) > 1 else None, camera=camera, title=title, ink=ROOT)


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


def _directions(axes: Axes, places: Floats, camera: tuple[float, float]) -> None:
    """Three edges of the box about the places, with the names of the axes."""
    low, high = places.min(axis=0), places.max(axis=0)
    eye = _camera(places, camera)
    for k, name in enumerate("xyz"):
        edge = eye.see(np.stack([low, np.where(np.arange(3) == k, high, low)]))[:, :2]
        axes.plot(*edge.T, color=INK, linewidth=0.8, alpha=0.6, zorder=1)
        axes.annotate(name, (edge[1, 0], edge[1, 1]), color=INK, fontsize=9)


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
