"""The picture of `elbowroom check --plot`: bodies at the worst moment, and a timeline below."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import _writing
from elbowroom.pictures import PALETTE, Look, draw_on, png
from elbowroom.pictures.links import RED, placed_links
from elbowroom.pictures.timeline import Row, timeline_on

from .overlaps import Interval

Floats = NDArray[np.float64]

ROWS = 12  # pairs of parts in a timeline, those that overlap longest
#: Obstacles do not hide what moves in it.
THIN = Look("#b9bec4", 0.3)
#: Motion capture has y up, pictures have z up.
Y_UP = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])


@dataclass(frozen=True, eq=False)
class Scene:
    """Bodies that each hold one configuration, where they overlap, and the obstacles."""

    bodies: Sequence[er.Articulated]
    found: er.Collision
    title: str
    upright: Floats
    obstacle: tuple[er.Mesh, er.Pose | None] | None = None
    nearest: Floats | None = None  # (2, 3): of bodies that are apart, the points where they are nearest
    standing: Collection[int] = ()  # links of the only body that are obstacles


@dataclass(frozen=True, eq=False)
class Timeline:
    """Bars by pairs of parts, the moment of the picture, and the unit of time."""

    intervals: Sequence[Interval]
    span: tuple[float, float]
    mark: float
    unit: str
    scale: float = 1.0  # from frames to the unit


def write_picture(file: Path, scene: Scene, timeline: Timeline | None) -> None:
    """Paint the bodies, what overlaps in red, and the timeline if anything is in it."""
    rows, more = ([], 0) if timeline is None else _rows(timeline)
    below = 0.75 + 0.19 * len(rows) if rows else 0.01
    figure = Figure(figsize=(7.2, 4.0 + below), layout="constrained")
    above, under = figure.subplots(2, 1, height_ratios=(4.0, below))
    points = None if scene.nearest is None else _upright(scene, scene.nearest)[None]
    draw_on(above, _items(scene), points=points, title=scene.title, camera=_camera(scene))
    under.set_axis_off()
    if timeline is not None and rows:
        under.set_axis_on()
        unit = timeline.unit + (f"; {more} more pairs with shorter contacts" if more else "")
        timeline_on(under, rows, timeline.span, unit=unit, mark=timeline.mark)
    _writing.write_bytes(file, png(figure, dpi=110, background="white"))


def _items(scene: Scene) -> list[Any]:
    """What is drawn, upright; a colour for each body."""
    items: list[Any] = []
    for k, body in enumerate(scene.bodies):
        red = set(_touching(scene, k).tolist())
        colour = PALETTE[k % len(PALETTE)]
        looks = [replace(THIN, colour=RED) if j in red else THIN for j in range(len(body))]
        placed = placed_links(body, [colour] * len(body), red)
        items += [
            (shape, scene.upright @ pose, looks[link] if link in scene.standing else look)
            for (link, _, _), (shape, pose, look) in zip(body.shapes, placed, strict=True)
        ]
    if scene.obstacle is not None:
        mesh, pose = scene.obstacle
        items.append((mesh, scene.upright @ (np.eye(4) if pose is None else pose.matrix), THIN))
    return items


def _touching(scene: Scene, k: int) -> NDArray[Any]:
    """Numbers of the links of body k that overlap something."""
    pairs = np.asarray(scene.found.pairs)
    alone = len(scene.bodies) == 1 and scene.obstacle is None
    return pairs.ravel() if alone else pairs[:, k]


def _camera(scene: Scene) -> tuple[float, float]:
    """Azimuth and elevation from which the contact is in front; two bodies are beside each other."""
    middles = [_upright(scene, body.link_poses()[:, :3, 3]).mean(axis=0) for body in scene.bodies]
    contacts = scene.found.contacts
    points = contacts.points if contacts is not None and len(contacts) else scene.nearest
    if points is None:
        return (-60.0, 12.0)
    towards = _upright(scene, points).mean(axis=0) - np.mean(middles, axis=0)
    if len(middles) == 2:
        across = middles[1] - middles[0]
        side = np.array([-across[1], across[0], 0.0])
        towards = side if side @ towards >= 0 else -side
    return float(np.degrees(np.arctan2(towards[1], towards[0]))), 12.0


def _upright(scene: Scene, points: Floats) -> Floats:
    return np.asarray(points @ scene.upright[:3, :3].T)


def _rows(timeline: Timeline) -> tuple[list[Row], int]:
    """The pairs that overlap longest, in the order of their first contact, and how many others there are."""
    bars: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for each in timeline.intervals:
        ends = (timeline.scale * each.first, timeline.scale * each.last)
        bars.setdefault(each.names, []).append(ends)
    longest = sorted(bars, key=lambda names: -sum(end - start for start, end in bars[names]))[:ROWS]
    rows: list[Row] = [(f"{a}, {b}", spans) for (a, b), spans in bars.items() if (a, b) in longest]
    return rows, len(bars) - len(rows)
