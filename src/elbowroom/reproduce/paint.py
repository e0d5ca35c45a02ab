"""Pictures of chains: shaded balls painted from far to near, coloured along the chain.

Thousands of balls are far too many for triangles, so each is three discs: a dark rim, the ball, a highlight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb
from numpy.typing import ArrayLike, NDArray

from elbowroom.pictures import INK, PALETTE, Look
from elbowroom.pictures.links import solid_box
from elbowroom.pictures.painting import REMOVE, Camera, paint, skins

Array = NDArray[np.float64]

#: From the first link to the last.
ALONG = LinearSegmentedColormap.from_list("along", [PALETTE[k] for k in (0, 2, 4, 1, 5)])
MIST = np.array(to_rgb("#8f979f"))  # what is far fades into this
# Discs of a ball: size, offset across and up, brightness.
BALL = (
    (1.0, 0.0, 0.0, 0.58),
    (0.86, -0.05, 0.07, 1.0),
    (0.30, -0.26, 0.30, 1.35),
)


@dataclass(frozen=True)
class Dots:
    """Balls (n, 3) with radii (n,) and colours (n, 3)."""

    centres: Array
    radii: Array
    colours: Array


def paint_chain(
    axes: Axes,
    positions: Array,
    radius: ArrayLike,
    *,
    colours: Array | None = None,
    boxes: Sequence[Any] = (),
    camera: tuple[float, float] = (-60.0, 22.0),
    tube: float = 0.35,
    title: str | None = None,
) -> None:
    """Paint the links, thin bonds between them (`tube` in radii), and boxes around stretches of the chain."""
    positions = np.asarray(positions, dtype=float)
    radii = np.broadcast_to(np.asarray(radius, dtype=float), len(positions))
    if colours is None:
        colours = ALONG(np.linspace(0, 1, len(positions)))[:, :3]
    links, bonds = Dots(positions, radii, colours), _bonds(positions, radii, colours, tube)
    low, high = (positions - radii[:, None]).min(axis=0), (positions + radii[:, None]).max(axis=0)
    reach = float(np.linalg.norm(high - low)) / 2
    eye = Camera(*camera, centre=(low + high) / 2, reach=reach)
    _paint_dots(axes, [bonds, links], eye)
    if boxes:
        tints = [to_hex(ALONG(tint)) for tint in np.linspace(0, 1, len(boxes))]
        looks = [Look(tint, 0.09, True) for tint in tints]
        items = [(*solid_box(box), look) for box, look in zip(boxes, looks, strict=True)]
        paint(axes, [skin for item in items for skin in skins(item, 0)], eye)
    _frame(axes, links, eye, boxes)
    if title:
        axes.set_title(title, color=INK, fontsize=11)


def _bonds(positions: Array, radii: Array, colours: Array, tube: float) -> Dots:
    """Dots along the bonds, close enough to make a line; those inside a ball of the bond are left out."""
    thin = tube * float(radii.min())
    lengths = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    count = int(np.clip(np.ceil(lengths.max() / max(thin, 1e-9)), 1, 8))
    share = (np.arange(count) + 0.5)[:, None] / count
    outside = (share * lengths > radii[:-1]) & ((1 - share) * lengths > radii[1:])
    share = share[..., None]
    centres = positions[:-1] * (1 - share) + positions[1:] * share
    between = colours[:-1] * (1 - share) + colours[1:] * share
    return Dots(centres[outside], np.full(int(outside.sum()), thin), 0.8 * between[outside])


def _paint_dots(axes: Axes, kinds: Sequence[Dots], eye: Camera) -> None:
    """All discs in one collection, each dot's after those of all that are farther away."""
    parts = [_discs(dots, eye, BALL if k == len(kinds) - 1 else BALL[1:2]) for k, dots in enumerate(kinds)]
    places, widths, colours, depth = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(depth, kind="stable")
    axes.add_collection(
        EllipseCollection(
            2 * widths[order],
            2 * widths[order],
            np.zeros(len(order)),
            units="xy",
            offsets=places[order],
            offset_transform=axes.transData,
            facecolors=colours[order],
            linewidths=0,
        )
    )


def _discs(
    dots: Dots, eye: Camera, layers: Sequence[tuple[float, float, float, float]]
) -> tuple[Array, Array, Array, Array]:
    """Places (k, 2), radii, colours and depths of the discs, the layers of a dot one after the other."""
    seen = eye.see(dots.centres)
    sizes = dots.radii / (1.0 - seen[:, 2] / (REMOVE * eye.reach))
    near = 0.5 + 0.5 * np.clip(seen[:, 2] / eye.reach, -1, 1)
    faded = MIST + (dots.colours - MIST) * (0.35 + 0.65 * near)[:, None]
    layer = np.array(layers)
    places = seen[:, None, :2] + sizes[:, None, None] * layer[:, 1:3]
    colours = np.clip(faded[:, None] * layer[:, 3:] * (0.8 + 0.2 * near)[:, None, None], 0, 1)
    depth = np.repeat(seen[:, 2], len(layer))
    return places.reshape(-1, 2), np.outer(sizes, layer[:, 0]).ravel(), colours.reshape(-1, 3), depth


def _frame(axes: Axes, links: Dots, eye: Camera, boxes: Sequence[Any]) -> None:
    """Show all of it, without distortion, on the whole of the axes."""
    places = eye.see(links.centres)[:, :2]
    pad = 1.3 * float(links.radii.max())
    corners = [places - pad, places + pad]
    for body, pose in map(solid_box, boxes):
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
        ends = signs * np.asarray(body.extents) / 2
        corners.append(eye.see(ends @ pose.matrix[:3, :3].T + pose.matrix[:3, 3])[:, :2])
    everything = np.concatenate(corners)
    axes.update_datalim(everything)
    axes.autoscale_view()
    axes.margins(0.02)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()
