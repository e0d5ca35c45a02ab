"""Balls in a scene of viser: instances of one round mesh, or where they are many, points that look round."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import numpy as np
import trimesh
from numpy.typing import NDArray
from viser import BatchedMeshHandle, PointCloudHandle, SceneApi

from .layers import Array, Balls, Bytes, Colour, Layer

Floats = NDArray[np.float32]
Look = Literal["auto", "solid", "points"]

#: Most balls of 320 and of 80 triangles, and the most that "auto" draws as meshes: a browser without a
#: graphics card draws some ten thousand triangles smoothly, and points at no cost to speak of.
FINE, MIDDLE, SOLID = 150, 2000, 1000
#: Most sizes of points: each size is a cloud of its own; where there are more, radii are rounded.
SIZES = 24


def balls_node(scene: SceneApi, layer: Balls, look: Look) -> BallNode | PointNode:
    """What suits so many balls; points cannot be seen through."""
    if look == "points" or (look == "auto" and len(layer.radii) > SOLID and layer.opacity >= 1.0):
        return PointNode(scene, layer, look)
    return BallNode(scene, layer, look)


class BallNode:
    """One mesh, drawn at every ball; a change of places alone sends places alone."""

    def __init__(self, scene: SceneApi, layer: Balls, look: Look) -> None:
        self._detail, self._look = _detail(len(layer.radii)), look
        vertices, faces = _round(self._detail)
        self._layer = layer
        self._handle: BatchedMeshHandle = scene.add_batched_meshes_simple(
            f"/{layer.name}",
            vertices,
            faces,
            _no_turns(len(layer.radii)),
            layer.centres,
            batched_scales=layer.radii,
            batched_colors=instance_colours(layer.colour),
            opacity=None if layer.opacity >= 1.0 else layer.opacity,
            lod="off",
            cast_shadow=False,
            receive_shadow=False,
        )

    def fits(self, layer: Layer) -> bool:
        """Can this node show the layer, with the balls as round as they should be?"""
        return (
            isinstance(layer, Balls)
            and not (self._look == "auto" and len(layer.radii) > SOLID and layer.opacity >= 1.0)
            and _detail(len(layer.radii)) == self._detail
        )

    def update(self, layer: Any) -> None:
        """Send what differs."""
        handle, old = self._handle, self._layer
        if len(layer.radii) != len(old.radii):
            handle.batched_wxyzs = _no_turns(len(layer.radii))
        if not layer.same(old, "centres"):
            handle.batched_positions = layer.centres.astype(np.float32)
        if not layer.same(old, "radii"):
            handle.batched_scales = layer.radii.astype(np.float32)
        if not layer.same(old, "colour"):
            handle.batched_colors = instance_colours(layer.colour)
        if not layer.same(old, "opacity"):
            handle.opacity = None if layer.opacity >= 1.0 else layer.opacity
        self._layer = layer

    def show(self, visible: bool) -> None:
        """Show or hide it."""
        self._handle.visible = visible

    def remove(self) -> None:
        """Take it out of the scene."""
        self._handle.remove()


class PointNode:
    """Clouds of round points, one for each size; those further inside are darker, which gives them depth."""

    def __init__(self, scene: SceneApi, layer: Balls, look: Look) -> None:
        self._scene, self._look, self._layer = scene, look, layer
        self._sizes = _sizes(layer.radii)
        shades = _shaded(layer)
        self._handles: list[PointCloudHandle] = [
            scene.add_point_cloud(
                f"/{layer.name}/{number}",
                layer.centres[members].astype(np.float32),
                shades[members],
                point_size=2.0 * size,
                point_shape="circle",
                precision="float32",
            )
            for number, (size, members) in enumerate(self._sizes)
        ]

    def fits(self, layer: Layer) -> bool:
        """Balls of the same sizes that are still too many for meshes."""
        return (
            isinstance(layer, Balls)
            and layer.opacity >= 1.0
            and (self._look == "points" or len(layer.radii) > SOLID)
            and layer.same(self._layer, "radii")
        )

    def update(self, layer: Any) -> None:
        """Send what differs: places and shades."""
        moved = not layer.same(self._layer, "centres")
        if moved or not layer.same(self._layer, "colour"):
            shades = _shaded(layer)
            for handle, (_, members) in zip(self._handles, self._sizes, strict=True):
                handle.points = layer.centres[members].astype(np.float32)
                handle.colors = shades[members]
        self._layer = layer

    def show(self, visible: bool) -> None:
        """Show or hide them."""
        for handle in self._handles:
            handle.visible = visible

    def remove(self) -> None:
        """Take them out of the scene."""
        for handle in self._handles:
            handle.remove()


def instance_colours(colour: Colour) -> Bytes:
    """Viser takes colours of instances, unlike all others, for amounts of light, and they would be pale."""
    share = np.asarray(colour, dtype=float) / 255
    light = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.asarray(np.round(light * 255), dtype=np.uint8)


def _detail(count: int) -> int:
    return 2 if count <= FINE else 1 if count <= MIDDLE else 0


@cache
def _round(detail: int) -> tuple[Array, NDArray[np.int64]]:
    """Vertices and triangles of a ball of radius 1."""
    ball = trimesh.creation.icosphere(subdivisions=detail)
    return np.asarray(ball.vertices), np.asarray(ball.faces)


def _no_turns(count: int) -> Floats:
    return np.tile(np.array([1, 0, 0, 0], dtype=np.float32), (count, 1))


def _sizes(radii: Array) -> list[tuple[float, NDArray[np.int64]]]:
    """Radii and who has them; where there are many different ones they are rounded, to equal ratios."""
    sizes, owner = np.unique(radii, return_inverse=True)
    if len(sizes) > SIZES:
        logs = np.log(np.maximum(radii, radii.max() * 1e-3))
        step = max((logs.max() - logs.min()) / (SIZES - 1), 1e-9)
        rounded = np.round((logs - logs.min()) / step)
        sizes, owner = np.unique(rounded, return_inverse=True)
        sizes = np.exp(logs.min() + sizes * step)
    return [(float(size), np.flatnonzero(owner == number)) for number, size in enumerate(sizes)]


def _shaded(layer: Balls) -> Bytes:
    """Points have no light on them: what lies near the middle of the cloud is darkened instead."""
    count = len(layer.centres)
    colour = np.broadcast_to(np.asarray(layer.colour, dtype=float), (count, 3))
    out = np.linalg.norm(layer.centres - layer.centres.mean(axis=0), axis=1)
    light = 0.55 + 0.5 * out / max(float(out.max()), 1e-300)
    return np.asarray(np.clip(colour * light[:, None], 0, 255), dtype=np.uint8)
