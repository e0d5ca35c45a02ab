"""Parts of all other mesh files that trimesh reads: STL, PLY and OFF as one part, COLLADA by its nodes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from elbowroom.files.assembly_parts import Found, Geometry, Reading
from elbowroom.files.mesh_limits import refuse_large_mesh
from elbowroom.files.opening import hush
from elbowroom.files.unpacking import TooLarge
from elbowroom.files.urdf_meshes import metres, need_collada

COLLADA = ".dae"


def read(reading: Reading) -> None:
    """Every node of the scene with triangles is a part."""
    import trimesh

    hush("trimesh")
    refuse_large_mesh(reading.file)
    collada = os.path.splitext(reading.file)[1].lower() == COLLADA
    if collada:
        need_collada()
    try:
        scene = trimesh.load_scene(reading.file, process=False)
    except TooLarge:
        raise
    except Exception as error:
        raise ValueError(f"not a mesh that can be read: {error}") from error
    made = {name: _geometry(name, each) for name, each in scene.geometry.items()}
    placed = [(node, *scene.graph[node]) for node in scene.graph.nodes_geometry]
    alone = len(placed) == 1 and not collada  # trimesh calls it like the file, or as it likes
    grown = np.eye(4)
    if collada:
        reading.unit, grown[:3, :3] = "m", metres(Path(reading.file)) * np.eye(3)
    for node, matrix, name in placed:
        geometry = made[name]
        if geometry is not None:
            own = "" if alone else str(node)
            reading.add(Found(own, geometry, grown @ np.asarray(matrix, dtype=float)))


def _geometry(name: str, found: Any) -> Geometry | None:
    faces = getattr(found, "faces", ())
    return Geometry(np.asarray(found.vertices), np.asarray(faces), name) if len(faces) else None
