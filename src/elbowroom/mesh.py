"""Triangle meshes."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays
from elbowroom.body import Body, read_only


class Mesh(Body):
    """Triangles, open or closed, connected or not: the surface, not what it encloses.

    A body wholly inside a closed mesh does not touch it. Triangles without area are segments or points, and
    are right.

    Parameters
    ----------
    vertices
        (n, 3) coordinates.
    faces
        (m, 3) indices into the vertices.
    children
        Children a node of the tree: 8 (fastest), or 2 as in the literature.

    Examples
    --------
    >>> import elbowroom as er
    >>> square = er.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    >>> er.distance(square, er.Sphere(0.25), pose_b=er.Pose(translation=[0.5, 0.5, 1])).value
    0.75
    """

    def __init__(self, vertices: ArrayLike, faces: ArrayLike, *, children: int = 8) -> None:
        self.vertices: NDArray[np.float64] = read_only(_arrays.points(vertices, "vertices"))
        self.faces: NDArray[np.int32] = read_only(_arrays.faces(faces, len(self.vertices), "faces"))
        corners = np.ascontiguousarray(self.vertices[self.faces].reshape(-1, 3))
        first = np.arange(0, len(corners) + 1, 3, dtype=np.int32)
        super().__init__(corners, first, np.zeros(len(self.faces)), _arrays.children(children, "children"))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, children: int = 8) -> Mesh:
        """Reads a mesh file (STL, OBJ, PLY, OFF, GLB and what else trimesh reads); a scene becomes one mesh.

        Vertices and faces are kept as they stand in the file, in its order.
        """
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"path must be a file name, got {type(path).__name__}")
        vertices, faces = _read(os.fspath(path))
        try:
            return cls(vertices, faces, children=children)
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.vertices, self.faces, self.children)

    def __repr__(self) -> str:
        return f"Mesh({len(self.vertices)} vertices, {len(self.faces)} triangles)"


def _rebuild(vertices: NDArray[np.float64], faces: NDArray[np.int32], children: int) -> Mesh:
    return Mesh(vertices, faces, children=children)


#: How trimesh is told to leave each format as it stands.
_AS_IT_STANDS: dict[str, dict[str, Any]] = {
    ".obj": {"maintain_order": True, "skip_materials": True, "group_material": False}
}


def _read(path: str) -> tuple[ArrayLike, ArrayLike]:
    import trimesh

    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: no such file")
    ending = os.path.splitext(path)[1].lower()
    if ending == ".obj":
        _refuse_vertex_zero(path)
    try:
        mesh = trimesh.load(path, force="mesh", process=False, **_AS_IT_STANDS.get(ending, {}))
    except Exception as error:
        raise ValueError(f"{path}: could not be read as a mesh: {error}") from error
    vertices, faces = getattr(mesh, "vertices", ()), getattr(mesh, "faces", ())
    if len(faces) == 0:
        raise ValueError(f"{path}: holds no triangles")
    return np.asarray(vertices), np.asarray(faces)


def _refuse_vertex_zero(path: str) -> None:
    """OBJ files count vertices from 1 (or backwards from -1); a 0 would be read as the last vertex."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("f ") and any(corner.split("/")[0] == "0" for corner in line.split()[1:]):
                raise ValueError(f"{path}: line {number} names vertex 0, but vertices count from 1")
