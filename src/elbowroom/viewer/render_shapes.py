"""Meshes, segments and boxes in a scene of viser; each node sends what differs from the last it showed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation
from viser import BatchedMeshHandle, LineSegmentsHandle, MeshHandle, SceneApi

from .layers import Array, Boxes, Colour, Layer, Segments, Triangulated
from .render_balls import instance_colours

Floats = NDArray[np.float32]

#: Most boxes whose edges are drawn; of more the faces alone.
EDGED = 1500
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
EDGES = np.array([[a, b] for a in range(8) for b in range(a + 1, 8) if (a ^ b) in (1, 2, 4)])
#: Two triangles for each face of a box, counter-clockwise from outside.
FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                  [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])  # fmt: skip


class MeshNode:
    """One mesh; while it moves as a whole, its pose alone is sent."""

    def __init__(self, scene: SceneApi, layer: Triangulated) -> None:
        self._layer = layer
        self._handle: MeshHandle = scene.add_mesh_simple(
            f"/{layer.name}",
            layer.vertices,
            layer.triangles,
            color=_one(layer.colour),
            opacity=_opacity(layer),
            flat_shading=not layer.smooth,
            side="double",
            cast_shadow=False,
            receive_shadow=False,
        )
        self._place(layer.pose)

    def fits(self, layer: Layer) -> bool:
        """Any mesh that is lit in the same way."""
        return isinstance(layer, Triangulated) and layer.smooth == self._layer.smooth

    def update(self, layer: Any) -> None:
        """Send what differs."""
        handle, old = self._handle, self._layer
        if not layer.same(old, "vertices", "triangles"):
            handle.vertices = layer.vertices.astype(np.float32)
            handle.faces = layer.triangles.astype(np.uint32)
        if not layer.same(old, "pose"):
            self._place(layer.pose)
        if not layer.same(old, "colour"):
            handle.color = _one(layer.colour)
        if not layer.same(old, "opacity"):
            handle.opacity = _opacity(layer)
        self._layer = layer

    def show(self, visible: bool) -> None:
        """Show or hide it."""
        self._handle.visible = visible

    def remove(self) -> None:
        """Take it out of the scene."""
        self._handle.remove()

    def _place(self, pose: Array) -> None:
        self._handle.wxyz = quaternions(pose[None, :3, :3])[0]
        self._handle.position = pose[:3, 3]


class SegmentNode:
    """Lines of a width in pixels."""

    def __init__(self, scene: SceneApi, layer: Segments) -> None:
        self._layer = layer
        self._handle: LineSegmentsHandle = scene.add_line_segments(
            f"/{layer.name}",
            layer.points.astype(np.float32),
            _ends(layer.colour),
            thickness=layer.width,
            thickness_units="screen",
        )

    def fits(self, layer: Layer) -> bool:
        """Any lines."""
        return isinstance(layer, Segments)

    def update(self, layer: Any) -> None:
        """Send what differs."""
        if not layer.same(self._layer, "points"):
            self._handle.points = layer.points.astype(np.float32)
        if not layer.same(self._layer, "colour"):
            self._handle.colors = _ends(layer.colour)
        if not layer.same(self._layer, "width"):
            self._handle.thickness = layer.width
        self._layer = layer

    def show(self, visible: bool) -> None:
        """Show or hide them."""
        self._handle.visible = visible

    def remove(self) -> None:
        """Take them out of the scene."""
        self._handle.remove()


class BoxNode:
    """Boxes: one cube drawn at every box, seen through, and its edges unless there are too many."""

    def __init__(self, scene: SceneApi, layer: Boxes) -> None:
        self._layer = layer
        self._faces: BatchedMeshHandle = scene.add_batched_meshes_simple(
            f"/{layer.name}/faces",
            CORNERS,
            FACES,
            quaternions(layer.rotations),
            layer.centres,
            batched_scales=layer.halves,
            batched_colors=instance_colours(layer.colour),
            opacity=_opacity(layer),
            flat_shading=True,
            lod="off",
            cast_shadow=False,
            receive_shadow=False,
        )
        self._edges = SegmentNode(scene, _edges(layer)) if len(layer.centres) <= EDGED else None
        self._visible, self._bare = True, False

    def fits(self, layer: Layer) -> bool:
        """Boxes that are to have edges, or not, as these have."""
        return isinstance(layer, Boxes) and (len(layer.centres) <= EDGED) == (self._edges is not None)

    def update(self, layer: Any) -> None:
        """Send what differs."""
        handle, old = self._faces, self._layer
        if not layer.same(old, "centres", "halves", "rotations"):
            handle.batched_wxyzs = quaternions(layer.rotations)
            handle.batched_positions = layer.centres.astype(np.float32)
            handle.batched_scales = layer.halves.astype(np.float32)
        if not layer.same(old, "colour"):
            handle.batched_colors = instance_colours(layer.colour)
        if not layer.same(old, "opacity"):
            handle.opacity = _opacity(layer)
        if self._edges is not None and not layer.same(old):
            self._edges.update(_edges(layer))
        self._layer = layer

    def show(self, visible: bool) -> None:
        """Show or hide them."""
        self._visible = visible
        self._faces.visible = visible and not self._bare
        if self._edges is not None:
            self._edges.show(visible)

    def bare(self, bare: bool) -> None:
        """Edges alone, if there are any: faces hide what lies behind them and can itself be seen through."""
        self._bare = bare and self._edges is not None
        self._faces.visible = self._visible and not self._bare

    def remove(self) -> None:
        """Take them out of the scene."""
        self._faces.remove()
        if self._edges is not None:
            self._edges.remove()


def quaternions(rotations: Array) -> Floats:
    """(n, 4), the scalar first, of rotations (n, 3, 3)."""
    if not len(rotations):
        return np.zeros((0, 4), dtype=np.float32)
    turned = Rotation.from_matrix(rotations).as_quat()
    return np.asarray(np.roll(turned, 1, axis=-1), dtype=np.float32)


def _edges(layer: Boxes) -> Segments:
    corners = (CORNERS * layer.halves[:, None]) @ layer.rotations.transpose(0, 2, 1) + layer.centres[:, None]
    colour = layer.colour
    if isinstance(colour, np.ndarray):
        colour = np.repeat(colour, len(EDGES), axis=0)
    points = corners[:, EDGES].reshape(-1, 2, 3)
    return Segments(f"{layer.name}/edges", points, 1.2, colour=colour)


def _opacity(layer: Layer) -> float | None:
    return None if layer.opacity >= 1.0 else layer.opacity


def _one(colour: Colour) -> tuple[int, int, int]:
    """A mesh has one colour."""
    red, green, blue = np.asarray(colour).reshape(-1, 3)[0]
    return int(red), int(green), int(blue)


def _ends(colour: Colour) -> NDArray[np.uint8]:
    """A colour for both ends of each line, or one for all."""
    held = np.asarray(colour, dtype=np.uint8)
    return held if held.ndim == 1 else np.repeat(held[:, None], 2, axis=1)
