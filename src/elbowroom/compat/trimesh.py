"""The collision manager of trimesh, over a World: the same methods and types of answers.

Change one import, `from trimesh.collision import CollisionManager`:

    from elbowroom.compat.trimesh import CollisionManager

As there, a convex mesh is solid, and any other mesh is its surface. What differs: the two names, the points
and the distance of an answer belong together; a distance is 0 or less exactly where `in_collision_*` says
True, and its negative is then the depth of the deepest contact; a scaled or mirrored transform is an error.
python-fcl is not needed.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from elbowroom.mesh import Mesh
from elbowroom.pose import Pose
from elbowroom.questions import collide, distance, self_collide, self_distance
from elbowroom.shapes import Convex
from elbowroom.world import World

if TYPE_CHECKING:
    from elbowroom._core import WorldCollision, WorldDistance
    from elbowroom._types import Floats
    from elbowroom.body import Body

__all__ = ["CollisionManager", "ContactData", "DistanceData", "scene_to_collision"]

#: What a body that is not in the manager is called.
EXTERNAL = "__external"


class TrimeshLike(Protocol):
    """A mesh of trimesh."""

    @property
    def vertices(self) -> ArrayLike: ...
    @property
    def faces(self) -> ArrayLike: ...
    @property
    def is_convex(self) -> bool: ...
    def __hash__(self) -> int: ...


class ContactData:
    """A contact: `names`, `point`, `normal`, `depth`, and `index(name)`, the face of a body."""

    def __init__(
        self, names: tuple[Hashable, Hashable], faces: tuple[int, int], contact: tuple[Floats, Floats, float]
    ):
        self.names = set(names)
        self.point, self.normal, self.depth = contact
        self._faces = dict(zip(names, faces, strict=True))

    def index(self, name: Hashable) -> int:
        """The face of a body that the contact is on."""
        return self._faces[name]

    def __repr__(self) -> str:
        return f"ContactData({self.names}, depth {self.depth:.6g} at {self.point})"


class DistanceData:
    """A distance: `names`, `distance`, and of each body `point(name)` and its face, `index(name)`."""

    def __init__(
        self, names: tuple[Hashable, Hashable], faces: tuple[int, int], points: Floats, length: float
    ):
        self.names = set(names)
        self.distance = length
        self._faces = dict(zip(names, faces, strict=True))
        self._points = dict(zip(names, points, strict=True))

    def index(self, name: Hashable) -> int:
        """The face of a body that its nearest point is on."""
        return self._faces[name]

    def point(self, name: Hashable) -> Floats:
        """The point of a body that is nearest to the other."""
        point: Floats = self._points[name]
        return point

    def __repr__(self) -> str:
        return f"DistanceData({self.names}, {self.distance:.6g})"


class _Named:
    """A mesh in a manager, or one that is asked about."""

    def __init__(self, name: Hashable, mesh: TrimeshLike) -> None:
        self.name, self.mesh, self.body = name, mesh, _body_of(mesh)

    def face(self, part: int, point: Floats, pose: Pose) -> int:
        """The face that a part of the body, or of a convex one a point on it, belongs to."""
        if isinstance(self.body, Mesh):
            return part
        corners = np.asarray(self.mesh.vertices)[np.asarray(self.mesh.faces)]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
        inside = pose.inverse().apply(point[None])[0]
        return int(np.einsum("ij,ij->i", normals, inside - corners[:, 0]).argmax())


class CollisionManager:
    """Many meshes of trimesh, each with a name and a transform, that are compared with each other.

    Examples
    --------
    >>> import trimesh
    >>> from elbowroom.compat.trimesh import CollisionManager
    >>> manager = CollisionManager()
    >>> _ = manager.add_object("ball", trimesh.creation.icosphere(radius=1.0))
    >>> _ = manager.add_object("box", trimesh.creation.box(extents=[1, 1, 1]),
    ...                        trimesh.transformations.translation_matrix([0.9, 0, 0]))
    >>> manager.in_collision_internal(return_names=True)
    (True, {('ball', 'box')})
    >>> manager.set_transform("box", trimesh.transformations.translation_matrix([2.5, 0, 0]))
    >>> round(manager.min_distance_internal(), 6)
    1.0
    """

    def __init__(self) -> None:
        self.world = World()  # its bodies are called by numbers, since names here may be of any kind
        self._objects: dict[Hashable, str] = {}
        self._named: dict[str, _Named] = {}
        self._made = 0

    def add_object(self, name: Hashable, mesh: TrimeshLike, transform: ArrayLike | None = None) -> Body:
        """Adds a mesh; one with the same name is replaced. Gives the body that it becomes."""
        named = _Named(name, mesh)
        pose = _pose(transform, "transform")
        if name in self._objects:
            self.remove_object(name)
        self._made += 1
        own = str(self._made)
        self.world.add(own, named.body, pose)
        self._objects[name], self._named[own] = own, named
        return named.body

    def remove_object(self, name: Hashable) -> None:
        """Removes a mesh."""
        own = self._own(name)
        self.world.remove(own)
        del self._objects[name], self._named[own]

    def set_transform(self, name: Hashable, transform: ArrayLike) -> None:
        """Moves a mesh to a transform."""
        self.world.move(self._own(name), _pose(transform, "transform"))

    def in_collision_single(
        self,
        mesh: TrimeshLike,
        transform: ArrayLike | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Does a mesh overlap any of the manager's? With the set of their names, or the contacts."""
        one, pose = _Named(EXTERNAL, mesh), _pose(transform, "transform")
        every = return_names or return_data
        found = collide(self.world, one.body, None, pose, every=every, depth=return_data)
        names = {self._name(a) for a, _ in found.names}
        return _packed(found, names, self._contacts(found, (one, pose)), return_names, return_data)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Do any two overlap? With the set of their names, sorted in each pair, or the contacts."""
        found = self_collide(self.world, every=return_names or return_data, depth=return_data)
        names = {_sorted(self._name(a), self._name(b)) for a, b in found.names}
        return _packed(found, names, self._contacts(found), return_names, return_data)

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Does any overlap one of another manager? With the set of (name here, name there), or contacts."""
        every = return_names or return_data
        found = collide(self.world, other_manager.world, every=every, depth=return_data)
        names = {(self._name(a), other_manager._name(b)) for a, b in found.names}
        return _packed(found, names, self._contacts(found, other_manager), return_names, return_data)

    def min_distance_single(
        self,
        mesh: TrimeshLike,
        transform: ArrayLike | None = None,
        return_name: bool = False,
        return_data: bool = False,
    ) -> Any:
        """The least distance of a mesh to the manager's, with the name of the nearest, or a DistanceData."""
        one, pose = _Named(EXTERNAL, mesh), _pose(transform, "transform")
        found = distance(self.world, one.body, None, pose)
        length = found.value or -_deepest(collide(self.world, one.body, None, pose, depth=True))
        data = self._distance(found, length, (one, pose))
        name = None if found.names is None else self._name(found.names[0])
        return _chosen(length, name, data, return_name, return_data)

    def min_distance_internal(
        self, name: Hashable | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of two meshes, or of one to all others, with their names, or a DistanceData."""
        if name is None:
            found = self_distance(self.world)
            length = found.value or -_deepest(self_collide(self.world, depth=True))
        else:
            member = self.world[self._own(name)]
            found = distance(member, self.world)
            length = found.value or -_deepest(collide(member, self.world, depth=True))
        named = None if found.names is None else [self._name(one) for one in found.names]
        data = self._distance(found, length)
        return _chosen(length, named and _sorted(*named), data, return_names, return_data)

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance to another manager's meshes, with (name here, name there), or a DistanceData."""
        found = distance(self.world, other_manager.world)
        length = found.value or -_deepest(collide(self.world, other_manager.world, depth=True))
        named = None
        if found.names is not None:
            named = (self._name(found.names[0]), other_manager._name(found.names[1]))
        data = self._distance(found, length, other_manager)
        return _chosen(length, named, data, return_names, return_data)

    def _own(self, name: Hashable) -> str:
        if name not in self._objects:
            raise ValueError(f"{name!r} is not in this collision manager")
        return self._objects[name]

    def _name(self, own: str | None) -> Any:
        """As it was given, from what it is called in the world."""
        return self._named[own or ""].name

    def _side(self, own: str | None, other: Any) -> tuple[_Named, Pose]:
        """A body of an answer: of this manager, or of the other side."""
        if isinstance(other, tuple):
            return other
        where = self if other is None else other
        return where._named[own or ""], where.world[own or ""].pose

    def _contacts(self, found: WorldCollision, other: Any = None) -> list[ContactData]:
        if found.contacts is None:
            return []
        out = []
        contacts = zip(found.contacts.points, found.contacts.normals, found.contacts.depths, strict=True)
        for (a, b), parts, (point, normal, depth) in zip(
            found.names, found.pairs.tolist(), contacts, strict=True
        ):
            sides = self._side(a, None), self._side(b, other)
            out.append(
                ContactData(*_names_and_faces(sides, parts, (point, point)), (point, normal, float(depth)))
            )
        return out

    def _distance(self, found: WorldDistance, length: float, other: Any = None) -> DistanceData | None:
        if found.names is None:
            return None
        sides = self._side(found.names[0], None), self._side(found.names[1], other)
        names, faces = _names_and_faces(sides, found.pair.tolist(), found.points)
        return DistanceData(names, faces, found.points, length)


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[str, Body]]:
    """The meshes of a trimesh.Scene in a manager, and the body of each node."""
    manager = CollisionManager()
    bodies = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        bodies[node] = manager.add_object(node, scene.geometry[geometry], transform)
    return manager, bodies


@lru_cache(maxsize=16)
def _body_of(mesh: TrimeshLike) -> Body:
    """Kept for a while: the hash of a mesh of trimesh is that of its data."""
    return Convex(mesh.vertices) if mesh.is_convex else Mesh(mesh.vertices, mesh.faces)


def _pose(transform: ArrayLike | None, name: str) -> Pose:
    return Pose() if transform is None else Pose(Pose._read(transform, name))


def _sorted(a: Any, b: Any) -> tuple[Any, Any]:
    try:
        return (a, b) if a <= b else (b, a)
    except TypeError:  # names that cannot be compared
        return a, b


def _deepest(found: WorldCollision) -> float:
    return float(found.contacts.depths.max(initial=0.0)) if found.contacts is not None else 0.0


def _names_and_faces(sides: Any, parts: Any, points: Any) -> tuple[tuple[Any, Any], tuple[int, int]]:
    (a, at_a), (b, at_b) = sides
    return (a.name, b.name), (a.face(parts[0], points[0], at_a), b.face(parts[1], points[1], at_b))


def _packed(found: WorldCollision, names: Any, contacts: Any, with_names: bool, with_data: bool) -> Any:
    return _chosen(bool(found), names, contacts, with_names, with_data)


def _chosen(value: Any, names: Any, data: Any, with_names: bool, with_data: bool) -> Any:
    """The answer alone, or with what was asked for."""
    wanted = [value, *([names] if with_names else []), *([data] if with_data else [])]
    return wanted[0] if len(wanted) == 1 else tuple(wanted)
