"""The collision geometry of URDF files, as shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.body import Body
from elbowroom.files.urdf_meshes import MeshFiles
from elbowroom.pose import Pose
from elbowroom.shapes import Box, Capsule, Convex, Sphere

#: Objects of yourdfpy, which is imported when a file is read: it is an optional dependency.
Parsed = Any

#: Sides of the prism about a cylinder, and how much farther out than the cylinder its edges are. The last
#: factor covers the rounding of its corners.
SIDES = 32
OUTWARD = (1 + 1e-12) / np.cos(np.pi / SIDES)


def body_of(geometry: Parsed, capsule: bool, meshes: MeshFiles) -> Body:
    """The shape of a geometry element; `capsule`: what seems a cylinder was a capsule."""
    if geometry.box is not None:
        return Box(geometry.box.size)
    if geometry.sphere is not None:
        return Sphere(geometry.sphere.radius)
    if geometry.mesh is not None:
        return _mesh(geometry.mesh, meshes)
    radius, length = geometry.cylinder.radius, geometry.cylinder.length
    return Capsule(radius, length) if capsule else prism(radius, length)


def prism(radius: float, length: float) -> Convex:
    """The prism about a cylinder."""
    angles = np.arange(SIDES) * (2 * np.pi / SIDES)
    half = 0.5 * _arrays.size(length, "length")
    ring = OUTWARD * _arrays.size(radius, "radius") * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return Convex(np.concatenate([np.column_stack([ring, np.full(SIDES, z)]) for z in (-half, half)]))


def _mesh(mesh: Parsed, meshes: MeshFiles) -> Body:
    if not mesh.filename:
        raise ValueError("a mesh has no filename")
    scale: NDArray[np.float64] = np.array(1.0 if mesh.scale is None else mesh.scale)
    if scale.shape not in ((), (3,)) or not np.isfinite(scale).all() or (scale == 0).any():
        raise ValueError(f"scale of mesh '{mesh.filename}' must be one or three numbers, none of them 0")
    return meshes.load(mesh.filename, np.broadcast_to(scale, 3))


def pose_of(origin: NDArray[np.float64] | None) -> Pose:
    """The pose of an origin element, if there is one."""
    return Pose() if origin is None else Pose.from_matrix(origin)
