"""The shapes of MoveIt's collision objects, as bodies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from elbowroom import _arrays
from elbowroom._arrays import shown
from elbowroom.body import Body
from elbowroom.files.moveit_yaml import Fields, Floats, fields, items, numbers, pose, text
from elbowroom.files.urdf_meshes import MeshFiles, Packages, package_folders
from elbowroom.files.urdf_shapes import OUTWARD, SIDES, prism
from elbowroom.group import Group
from elbowroom.mesh import Mesh
from elbowroom.pose import Pose
from elbowroom.shapes import Box, Convex, Sphere

#: Numbers of the kinds of primitives in messages of ROS.
KINDS = {1: "box", 2: "sphere", 3: "cylinder", 4: "cone", 5: "prism"}
#: What the dimensions of a kind are.
DIMENSIONS = {
    "box": ("x", "y", "z"),
    "sphere": ("radius",),
    "cylinder": ("height", "radius"),
    "cone": ("height", "radius"),
}
Placed = tuple[Body, Pose]


class Shapes:
    """Makes the bodies of one file; meshes that are named several times are loaded once."""

    def __init__(self, file: Path, packages: Packages = None) -> None:
        self._meshes = MeshFiles(file, package_folders(packages))

    def of(self, held: Fields, what: str) -> Placed | None:
        """The body of a collision object in its place: one shape, or a group; None if it has no shape."""
        if items(held.get("planes"), f"{what}: planes"):
            raise ValueError(f"{what}: planes are not supported: use a box instead")
        parts = [
            *_parts(held, "primitives", "primitive_poses", what, _primitive),
            *_parts(held, "meshes", "mesh_poses", what, self._mesh),
        ]
        whole = pose(held.get("pose"), f"{what}: pose")
        if not parts:
            return None
        if len(parts) == 1:
            return parts[0][0], whole @ parts[0][1]
        return Group(parts), whole

    def _mesh(self, held: Fields, what: str) -> Body:
        """A mesh as a file with its scale, or with its own vertices and triangles."""
        if held.get("resource"):
            scale = held.get("dimensions", held.get("scale"))
            factors = np.ones(3) if scale is None else numbers(scale, f"{what}: dimensions", "xyz")
            return self._meshes.load(text(held["resource"], f"{what}: resource"), factors)
        vertices = [numbers(each, f"{what}: vertices", "xyz") for each in items(held.get("vertices"), what)]
        faces = [_triangle(each, f"{what}: triangles") for each in items(held.get("triangles"), what)]
        if not vertices or not faces:
            raise ValueError(f"{what} has neither a resource nor vertices and triangles")
        return Mesh(np.array(vertices), np.array(faces))


def _parts(
    held: Fields, key: str, poses: str, what: str, make: Callable[[Fields, str], Body]
) -> list[Placed]:
    """Shapes of one kind with their places; without any places, they are where the object is."""
    listed, places = items(held.get(key), f"{what}: {key}"), items(held.get(poses), f"{what}: {poses}")
    if places and len(places) != len(listed):
        raise ValueError(f"{what}: there are {len(listed)} {key}, but {len(places)} {poses}")
    out = []
    for k, each in enumerate(listed):
        body = make(fields(each, f"{what}: {key}[{k}]"), f"{what}: {key}[{k}]")
        out.append((body, pose(places[k] if places else None, f"{what}: {poses}[{k}]")))
    return out


def _primitive(held: Fields, what: str) -> Body:
    kind = held.get("type")
    kind = KINDS.get(kind, kind) if isinstance(kind, int) else str(kind).lower()
    if kind not in DIMENSIONS:
        known = ", ".join(DIMENSIONS)
        raise ValueError(f"{what}: type must be one of {known}, got {shown(held.get('type'))}")
    sizes, names = numbers(held.get("dimensions"), f"{what}: dimensions"), DIMENSIONS[kind]
    if len(sizes) != len(names):
        raise ValueError(f"{what}: dimensions of a {kind} are {', '.join(names)}, got {len(sizes)} numbers")
    return _made(kind, sizes, what)


def _made(kind: str, sizes: Floats, what: str) -> Body:
    try:
        if kind == "box":
            return Box(sizes)
        if kind == "sphere":
            return Sphere(float(sizes[0]))
        height, radius = sizes.tolist()
        return prism(radius, height) if kind == "cylinder" else cone(radius, height)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None


def cone(radius: float, height: float) -> Convex:
    """The pyramid of 32 sides about a cone with its tip up, in the middle of its height."""
    angles = np.arange(SIDES) * (2 * np.pi / SIDES)
    half = 0.5 * _arrays.size(height, "height")
    ring = OUTWARD * _arrays.size(radius, "radius") * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return Convex(np.vstack([np.column_stack([ring, np.full(SIDES, -half)]), [0.0, 0.0, half]]))


def _triangle(value: Any, what: str) -> list[int]:
    """Three numbers of vertices, bare or under their name in messages of ROS."""
    if not isinstance(value, (list, tuple)):
        value = fields(value, what).get("vertex_indices")
    corners = numbers(value, what)
    if corners.shape != (3,) or (corners != np.round(corners)).any():
        raise ValueError(f"{what} must have three whole numbers each, got {shown(value)}")
    return [int(corner) for corner in corners]
