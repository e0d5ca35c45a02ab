"""Puts the layers of an exhibit into a scene of viser, and sends only what changed since the last time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from viser import SceneApi, ViserServer

from .layers import Balls, Boxes, Layer, Segments, Triangulated
from .render_balls import Look, balls_node
from .render_shapes import BoxNode, MeshNode, SegmentNode


class Node(Protocol):
    """One layer in the scene."""

    def fits(self, layer: Layer) -> bool:
        """Can it show this layer?"""

    def update(self, layer: Any) -> None:
        """Show a layer that fits, by sending what differs from the last one."""

    def show(self, visible: bool) -> None:
        """Show or hide it."""

    def remove(self) -> None:
        """Take it out of the scene."""


class Painter:
    """The scene of one server.

    Layers that are gone are hidden, not taken away: a collision that comes and goes while something plays
    would be rebuilt each time.
    """

    def __init__(self, server: ViserServer, look: Look = "auto") -> None:
        self._server, self._look = server, look
        self._nodes: dict[str, Node] = {}
        self._seen: set[str] = set()

    def show(self, layers: Sequence[Layer]) -> None:
        """Show these layers and no others, all at once."""
        held = {layer.name: layer for layer in layers if _items(layer)}
        with self._server.atomic():
            for name, layer in held.items():
                self._show(name, layer)
            for name in self._seen - set(held):
                self._nodes[name].show(False)
            self._lay_bare(list(held.values()))
        self._seen = set(held)

    def clear(self) -> None:
        """Empty the scene, for another exhibit."""
        for node in self._nodes.values():
            node.remove()
        self._nodes, self._seen = {}, set()

    def look(self, look: Look) -> None:
        """How balls are drawn from now on."""
        if look != self._look:
            self.clear()
            self._look = look

    def _lay_bare(self, layers: list[Layer]) -> None:
        """Boxes about bodies that can be seen through."""
        clear = any(isinstance(layer, Triangulated) and layer.opacity < 1.0 for layer in layers)
        for name, node in self._nodes.items():
            if isinstance(node, BoxNode) and name in {layer.name for layer in layers}:
                node.bare(clear)

    def _show(self, name: str, layer: Layer) -> None:
        node = self._nodes.get(name)
        if node is not None and node.fits(layer):
            node.update(layer)
        else:
            if node is not None:
                node.remove()
            self._nodes[name] = node = _make(self._server.scene, layer, self._look)
        if name not in self._seen:
            node.show(True)


def _items(layer: Layer) -> int:
    """How many things the layer holds; viser does not take empty arrays."""
    if isinstance(layer, Triangulated):
        return len(layer.triangles)
    return len(layer.points) if isinstance(layer, Segments) else len(getattr(layer, "centres", ()))


def _make(scene: SceneApi, layer: Layer, look: Look) -> Node:
    if isinstance(layer, Balls):
        return balls_node(scene, layer, look)
    if isinstance(layer, Triangulated):
        return MeshNode(scene, layer)
    if isinstance(layer, Segments):
        return SegmentNode(scene, layer)
    if isinstance(layer, Boxes):
        return BoxNode(scene, layer)
    raise TypeError(f"{layer.name}: a layer of kind {layer.kind} cannot be drawn")
