"""Triangle meshes."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom.body import Body, Plan, read_only, usable_plan

if TYPE_CHECKING:
    from elbowroom._types import MeshLike


class Mesh(Body):
    """Triangles, open or closed, connected or not: the surface, not what it encloses.

    A body wholly inside a closed mesh does not touch it. Triangles without area are segments or points, and
    are right.

    Parameters
    ----------
    vertices
        (n, 3) coordinates. Or alone, an object with `vertices` and `faces`, such as a mesh of trimesh.
    faces
        (m, 3) indices into the vertices.
    children
        Children a node of the tree: 8 (fastest), or 2 as in the literature.

    Attributes
    ----------
    vertices, faces
        The arrays as given, read-only; triangle i is primitive i. `move` replaces the vertices.

    Examples
    --------
    >>> import elbowroom as er
    >>> square = er.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    >>> er.distance(square, er.Sphere(0.25), pose_b=er.Pose(translation=[0.5, 0.5, 1])).value
    0.75
    """

    @overload
    def __init__(self, vertices: MeshLike, faces: None = None, *, children: int = 8) -> None: ...
    @overload
    def __init__(
        self, vertices: ArrayLike, faces: ArrayLike, *, children: int = 8, _plan: Plan | None = None
    ) -> None: ...
    def __init__(
        self,
        vertices: ArrayLike | MeshLike,
        faces: ArrayLike | None = None,
        *,
        children: int = 8,
        _plan: Plan | None = None,
    ) -> None:
        places, faces = _both(vertices) if faces is None else (vertices, faces)
        self.vertices: NDArray[np.float64] = read_only(_arrays.points(places, "vertices"))  # type: ignore[arg-type]
        self.faces: NDArray[np.int32] = read_only(_arrays.faces(faces, len(self.vertices), "faces"))
        corners = np.take(self.vertices, self.faces.ravel(), axis=0)
        first = np.arange(0, len(corners) + 1, 3, dtype=np.int32)
        width = _arrays.children(children, "children")
        super().__init__(corners, first, np.zeros(len(self.faces)), width, *(_plan or ()))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, children: int = 8) -> Mesh:
        """Reads a mesh file (STL, OBJ, PLY, OFF, GLB and what else trimesh reads); a scene becomes one mesh.

        Vertices and faces are kept as they stand in the file, in its order. A file that `save` has written
        (.npz) holds the tree too; it is used if it has so many children a node.
        """
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"path must be a file name, got {type(path).__name__}")
        from elbowroom.files.opening import blaming

        with blaming(path, "children"):
            name = os.fspath(path)
            if os.path.splitext(name)[1].lower() == ".npz":
                from elbowroom.files.saved_mesh import read_saved

                places, corners, width, plan = read_saved(name)
                return cls(places, corners, children=children, _plan=plan if width == children else None)
            vertices, faces = _read(name)
            return cls(vertices, faces, children=children)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes vertices, faces and the tree to a file with the suffix .npz, which `load` reads.

        The tree need not be built again, which is several times faster.

        Examples
        --------
        >>> import elbowroom as er
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     er.Mesh(*er.scenes.spring()).save(f"{folder}/spring.npz")
        ...     print(er.Mesh.load(f"{folder}/spring.npz"))
        Mesh(902 vertices, 1800 triangles)
        """
        from elbowroom.files.saved_mesh import write_saved

        write_saved(path, self.vertices, self.faces, self.children, self._plan())

    def move(self, vertices: ArrayLike, *, rebuild: bool | None = None) -> None:
        """Gives the mesh other vertices; the faces stay.

        The boxes of the tree are fitted again, in a small part of the time in which a tree is built. The more
        a mesh is bent, the larger they get (see `wear`), and the slower are questions; answers are right
        whatever the tree. Groups, articulated bodies, motion checkers and proofs that were made with the mesh
        keep the shape that it had; a World follows it.

        Parameters
        ----------
        vertices
            (n, 3) coordinates, as many as the mesh has.
        rebuild
            Whether to build a new tree. None: if the last move left boxes that are too large, `wear` above
            1.5.

        Raises
        ------
        ValueError
            If the vertices are wrong. The mesh stays as it was.
        RuntimeError
            If another thread asks about the mesh just now, or if it is one that a group, a link or a checker
            keeps.

        Examples
        --------
        >>> import elbowroom as er
        >>> sheet = er.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
        >>> sheet.move(sheet.vertices + [0, 0, 2])
        >>> er.distance(sheet, er.Sphere(0.5)).value
        1.5
        """
        if vars(self).get("_is_kept"):
            raise RuntimeError("this mesh is a part of something that keeps its shape: move a copy of it")
        places = _arrays.points(vertices, "vertices")
        if places.shape != self.vertices.shape:
            raise ValueError(
                f"vertices must be as many as the mesh has, {len(self.vertices)}, got {len(places)}"
            )
        if rebuild is not None:
            rebuild = _arrays.flag(rebuild, "rebuild")
        self._move(read_only(places), self.faces, rebuild)

    @property
    def wear(self) -> float:
        """How large the boxes of the tree are since it was built: 1 for a mesh that was never bent.

        The sum of the areas of all boxes, relative to that of the squares of all edges, over its value when
        the tree was built. A rigid motion of parts with many triangles raises it, growth does not.
        """
        return float(self._wear)

    def copy(self) -> Mesh:
        """Another mesh of the same shape, which can be moved for itself. They share what they can."""
        out = Mesh.__new__(type(self))
        _core.RigidBody.__init__(out, self)
        out.vertices, out.faces = self.vertices, self.faces
        return out

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Mesh:
        return self.copy()

    def _as_it_is(self) -> Mesh:
        if vars(self).get("_is_kept"):
            return self
        kept: Mesh | None = vars(self).get("_kept")
        if kept is None:
            kept = vars(self)["_kept"] = self.copy()
            vars(kept)["_is_kept"] = True
        return kept

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.vertices, self.faces, self.children, self._plan())

    def __repr__(self) -> str:
        return f"Mesh({len(self.vertices)} vertices, {len(self.faces)} triangles)"


def _both(mesh: ArrayLike | MeshLike) -> tuple[ArrayLike, ArrayLike]:
    """The arrays of an object that has them."""
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        return np.asarray(mesh.vertices), np.asarray(mesh.faces)
    raise ValueError(
        "faces is missing: give vertices and faces, or one object that has both, and not a "
        f"{type(mesh).__name__} alone"
    )


def _rebuild(
    vertices: NDArray[np.float64], faces: NDArray[np.int32], children: int, plan: Plan | None = None
) -> Mesh:
    """A mesh from a pickle; see `body.usable_plan`."""
    return Mesh(vertices, faces, children=children, _plan=usable_plan(plan))


def _read(path: str) -> tuple[ArrayLike, ArrayLike]:
    import trimesh

    from elbowroom.files.mesh_limits import refuse_large_mesh, refuse_large_scene
    from elbowroom.files.opening import hush
    from elbowroom.files.unpacking import TooLarge

    hush("trimesh")
    if not os.path.isfile(path):
        raise FileNotFoundError(f"'{path}': no such file")
    refuse_large_mesh(path)
    try:
        if os.path.splitext(path)[1].lower() == ".obj":
            scene = trimesh.load_scene(_bare_obj(path), file_type="obj", maintain_order=True, process=False)
        else:
            scene = trimesh.load_scene(path, process=False)
        refuse_large_scene(scene, path)
        for geometry in scene.geometry.values():
            if isinstance(geometry, trimesh.Trimesh):
                geometry.visual = trimesh.visual.ColorVisuals()  # pictures would be unpacked and joined
        mesh = scene.to_mesh()
    except TooLarge:
        raise
    except Exception as error:
        raise ValueError(f"{path}: not a mesh that can be read: {error}") from error
    vertices, faces = getattr(mesh, "vertices", ()), getattr(mesh, "faces", ())
    if len(faces) == 0:
        raise ValueError(f"{path}: contains no triangles")
    return np.asarray(vertices), np.asarray(faces)


def _bare_obj(path: str) -> io.StringIO:
    """The vertices and faces of an OBJ file alone: at groups and materials the faces would be reordered."""
    kept = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            words = line.split()
            if not words or words[0] not in ("v", "f"):
                continue
            corners = [word.split("/")[0] for word in words[1:]] if words[0] == "f" else words[1:4]
            if words[0] == "f" and "0" in corners:  # would be read as the last vertex
                raise ValueError(f"line {number} names vertex 0, but vertices count from 1")
            kept.append(" ".join([words[0], *corners]))
    return io.StringIO("\n".join(kept) + "\n")
