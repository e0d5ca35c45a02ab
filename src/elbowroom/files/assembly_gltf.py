"""Parts of glTF and GLB files: every node with a mesh is one, with all primitives of the mesh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom.files.assembly_gltf_data import Document, open_document
from elbowroom.files.assembly_parts import DEEPEST, MOST_PARTS, Floats, Found, Geometry, Reading
from elbowroom.files.mesh_limits import INDEX, VERTEX
from elbowroom.files.unpacking import TooLarge

#: How a primitive lists its triangles; others are points and lines.
TRIANGLES, STRIP, FAN = 4, 5, 6
#: Extensions without which a file can be read as if they were not there, by their beginnings.
HARMLESS = ("KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "KHR_xmp", "EXT_lights_")
KNOWN = ("KHR_mesh_quantization", "EXT_mesh_gpu_instancing")
COMPRESSED = (
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
)
INSTANCING = "EXT_mesh_gpu_instancing"


def read(reading: Reading) -> None:
    """All parts of the scene that the file shows, in metres."""
    document = open_document(reading.file, reading.allowance)
    _refuse_extensions(document)
    reading.unit = "m"
    if document.items("animations"):
        reading.note("is animated: it is taken as its nodes stand, without the animation")
    walk = _Walk(document, reading)
    for number in _roots(document):
        walk.below(number)


def _refuse_extensions(document: Document) -> None:
    for name in map(str, document.listed("extensionsRequired")):
        if name in COMPRESSED:
            raise ValueError(f"its meshes are compressed by {name}: export it without compression")
        if name not in KNOWN and not name.startswith(HARMLESS):
            raise ValueError(f"it requires the extension {name}, which is not supported")


def _roots(document: Document) -> list[int]:
    """The nodes of the scene that is shown first; without scenes, those that are below no other."""
    if document.items("scenes"):
        scene = document.item("scenes", document.held.get("scene", 0), "scene")
        return [document.whole(k, "a node of the scene") for k in document.listed("nodes", scene)]
    nodes = document.items("nodes")
    below = {k for node in nodes for k in document.listed("children", node) if isinstance(k, int)}
    return [k for k in range(len(nodes)) if k not in below]


@dataclass(frozen=True)
class _Placed:
    """A node that is to be visited."""

    number: int
    matrix: Floats
    parents: tuple[str, ...]


class _Walk:
    """Visits nodes from the top, each once."""

    def __init__(self, document: Document, reading: Reading) -> None:
        self.document, self.reading = document, reading
        self._seen: set[int] = set()
        self._made: dict[int, Geometry | None] = {}
        self._world: dict[int, Floats] | None = None

    def below(self, root: int) -> None:
        """The node and all below it, in the order of the file."""
        todo = [_Placed(root, np.eye(4), ())]
        while todo:
            placed = todo.pop()
            node, name = self._entered(placed)
            matrix = placed.matrix @ local_matrix(node, name)
            if "mesh" in node:
                self._add(node, name, _Placed(placed.number, matrix, placed.parents))
            parents = (*placed.parents, name)
            children = self.document.listed("children", node)
            if children and len(parents) > DEEPEST:
                raise ValueError(f"nodes are nested more than {DEEPEST} deep")
            todo += [_Placed(self.document.whole(k, "children"), matrix, parents) for k in children[::-1]]

    def _entered(self, placed: _Placed) -> tuple[dict[str, Any], str]:
        node = self.document.item("nodes", placed.number, "node")
        name = self._name(node, placed)
        if placed.number in self._seen:
            raise ValueError(f"node '{name}' has two parents, or is below itself")
        self._seen.add(placed.number)
        return node, name

    def _name(self, node: dict[str, Any], placed: _Placed) -> str:
        """Of the node, of its mesh, or of what is above it."""
        if node.get("name"):
            return str(node["name"])
        if "mesh" in node:
            mesh = self.document.item("meshes", node["mesh"], "mesh")
            if mesh.get("name"):
                return str(mesh["name"])
            named = next((name for name in placed.parents[::-1] if not name.startswith("node ")), None)
            if named is not None:
                return named
        return f"node {placed.number}"

    def _add(self, node: dict[str, Any], name: str, placed: _Placed) -> None:
        mesh = self.document.item("meshes", node["mesh"], f"mesh of '{name}'")
        if "skin" in node:
            geometry, matrix = self._skinned(node, mesh, name), np.eye(4)
        else:
            geometry, matrix = self._geometry(node["mesh"], mesh), placed.matrix
        if geometry is None:
            return
        for each in self._instances(node, name):
            if not (matrix @ each)[:3, :3].any():  # how files hide nodes
                self.reading.note("has nodes scaled to nothing, which are left out")
                continue
            self.reading.add(Found(name, geometry, matrix @ each, placed.parents))

    def _geometry(self, number: int, mesh: dict[str, Any]) -> Geometry | None:
        if number not in self._made:
            self._made[number] = self._joined(mesh, None)
        return self._made[number]

    def _joined(self, mesh: dict[str, Any], bones: Floats | None) -> Geometry | None:
        """All triangles of a mesh; None if it has none. With bones, vertices are moved by them."""
        name = str(mesh.get("name") or "mesh")
        vertices, faces = [np.empty((0, 3))], [np.empty((0, 3), np.int64)]
        if self.document.listed("weights", mesh) or any(
            "targets" in part for part in self.document.primitives(mesh)
        ):
            self.reading.note("has morph targets, which are left out")
        for part in self.document.primitives(mesh):
            if part.get("mode", TRIANGLES) not in (TRIANGLES, STRIP, FAN):
                self.reading.note("has points or lines, which are left out")
                continue
            places, corners = self._primitive(part, name)
            if bones is not None:
                places = _moved(places, *self._weights(part, len(places), len(bones), name), bones)
            faces.append(corners + sum(map(len, vertices)))
            vertices.append(places)
        if not sum(map(len, faces)):
            return None
        return Geometry(np.concatenate(vertices), np.concatenate(faces), name)

    def _primitive(self, part: dict[str, Any], name: str) -> tuple[Floats, NDArray[np.int64]]:
        attributes = self.document.mapping(part.get("attributes"), f"attributes of '{name}'")
        if "POSITION" not in attributes:
            raise ValueError(f"mesh '{name}' has a primitive without POSITION")
        places = self.document.array(attributes["POSITION"], "VEC3", f"POSITION of '{name}'")
        if "indices" in part:
            order = self.document.array(part["indices"], "SCALAR", f"indices of '{name}'").astype(np.int64)
        else:
            order = np.arange(len(places))
        mode = int(part.get("mode", TRIANGLES))
        faces = len(order) // 3 if mode == TRIANGLES else len(order)
        self.reading.allowance.take(VERTEX * len(places) + 3 * INDEX * faces)
        return places, _triangles(order.ravel(), mode, name)

    def _instances(self, node: dict[str, Any], name: str) -> Floats:
        """Matrices (n, 4, 4) within the node: one, or as many as the extension for instances lists."""
        extensions = self.document.mapping(node.get("extensions", {}), f"extensions of '{name}'")
        if INSTANCING not in extensions:
            return np.eye(4)[None]
        held = self.document.mapping(extensions[INSTANCING], f"instances of '{name}'")
        lists = self.document.mapping(held.get("attributes"), f"instances of '{name}'")
        kinds = {"TRANSLATION": "VEC3", "ROTATION": "VEC4", "SCALE": "VEC3"}
        arrays = {
            key: self.document.array(lists[key], kind, f"{key} of the instances of '{name}'")
            for key, kind in kinds.items()
            if key in lists
        }
        count = {len(array) for array in arrays.values()}
        if len(count) != 1:
            raise ValueError(f"the instances of '{name}' must have arrays of one length")
        many = count.pop()
        if many > MOST_PARTS:
            raise TooLarge(f"'{name}' has more than {MOST_PARTS:,} instances")
        shift = arrays.get("TRANSLATION", np.zeros((many, 3)))
        turn = arrays.get("ROTATION", np.tile([0.0, 0, 0, 1], (many, 1)))
        scale = arrays.get("SCALE", np.ones((many, 3)))
        return np.stack([composed(*each, name) for each in zip(shift, turn, scale, strict=True)])

    # Skins: vertices follow several nodes, and the node of the mesh itself does not matter.

    def _skinned(self, node: dict[str, Any], mesh: dict[str, Any], name: str) -> Geometry | None:
        self.reading.note("has skinned meshes: they are taken in the pose in which the nodes stand")
        skin = self.document.item("skins", node["skin"], f"skin of '{name}'")
        joints = [self.document.whole(k, f"joints of '{name}'") for k in self.document.listed("joints", skin)]
        bones = np.stack([self._of_world(k) for k in joints]) if joints else np.empty((0, 4, 4))
        if "inverseBindMatrices" in skin:
            columns = self.document.array(skin["inverseBindMatrices"], "MAT4", f"bind matrices of '{name}'")
            if len(columns) < len(joints):
                raise ValueError(f"the skin of '{name}' has fewer bind matrices than joints")
            bones = bones @ columns[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)
        return self._joined(mesh, bones)

    def _of_world(self, number: int) -> Floats:
        if self._world is None:
            self._world = _world_matrices(self.document)
        if number not in self._world:
            raise ValueError(f"there is no node {number}, which a skin names")
        return self._world[number]

    def _weights(
        self, part: dict[str, Any], vertices: int, bones: int, name: str
    ) -> tuple[NDArray[np.int64], Floats]:
        """Numbers of bones, and what share each has, (n, 4) both."""
        attributes = self.document.mapping(part.get("attributes"), f"attributes of '{name}'")
        if "JOINTS_0" not in attributes or "WEIGHTS_0" not in attributes:
            raise ValueError(f"'{name}' has a skin, but neither joints nor weights")
        joints = self.document.array(attributes["JOINTS_0"], "VEC4", f"joints of '{name}'").astype(np.int64)
        shares = self.document.array(attributes["WEIGHTS_0"], "VEC4", f"weights of '{name}'")
        if len(joints) != vertices or len(shares) != vertices:
            raise ValueError(f"'{name}' has not as many joints and weights as vertices")
        if joints.size and not 0 <= joints.min() <= joints.max() < bones:
            raise ValueError(f"'{name}' names joints that its skin does not have")
        sums = shares.sum(axis=1, keepdims=True)
        return joints, shares / np.where(sums > 0, sums, 1.0)


def _moved(places: Floats, joints: NDArray[np.int64], shares: Floats, bones: Floats) -> Floats:
    """Linear blend skinning."""
    out = np.zeros_like(places)
    for k in range(joints.shape[1]):
        bone = bones[joints[:, k]]
        out += shares[:, k, None] * (np.einsum("nij,nj->ni", bone[:, :3, :3], places) + bone[:, :3, 3])
    return out


def _world_matrices(document: Document) -> dict[int, Floats]:
    """Of all nodes, from the top; `_Walk` refuses loops."""
    nodes, found = document.items("nodes"), dict[int, Floats]()
    below = {k for node in nodes for k in document.listed("children", node) if isinstance(k, int)}
    todo = [(k, np.eye(4)) for k in range(len(nodes)) if k not in below]
    while todo:
        number, above = todo.pop()
        if number in found or not 0 <= number < len(nodes):
            continue
        found[number] = above @ local_matrix(nodes[number], f"node {number}")
        todo += [(k, found[number]) for k in document.listed("children", nodes[number]) if isinstance(k, int)]
    return found


def local_matrix(node: dict[str, Any], name: str) -> Floats:
    """Of a node within its parent."""
    if "matrix" in node:
        return _numbers(node["matrix"], 16, f"matrix of '{name}'").reshape(4, 4).T
    return composed(
        _numbers(node.get("translation", (0, 0, 0)), 3, f"translation of '{name}'"),
        _numbers(node.get("rotation", (0, 0, 0, 1)), 4, f"rotation of '{name}'"),
        _numbers(node.get("scale", (1, 1, 1)), 3, f"scale of '{name}'"),
        name,
    )


def composed(shift: Floats, quaternion: Floats, scale: Floats, name: str) -> Floats:
    """Scale first, then the rotation (x, y, z, w), then the translation."""
    length = float(np.linalg.norm(quaternion))
    if not 0.5 < length < 2:
        raise ValueError(f"rotation of '{name}' is not a unit quaternion: {quaternion.tolist()}")
    x, y, z, w = quaternion / length
    out = np.eye(4)
    out[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    out[:3, :3] *= scale
    out[:3, 3] = shift
    return out


def _numbers(value: Any, count: int, what: str) -> Floats:
    try:
        out = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what} must be {count} numbers") from error
    if out.shape != (count,) or not np.isfinite(out).all():
        raise ValueError(f"{what} must be {count} finite numbers")
    return out


def _triangles(order: NDArray[np.int64], mode: int, name: str) -> NDArray[np.int64]:
    """Corners (n, 3) from indices in a list, a strip or a fan."""
    if mode == TRIANGLES:
        if len(order) % 3:
            raise ValueError(f"mesh '{name}' has {len(order)} corners, which is no multiple of three")
        return order.reshape(-1, 3)
    if len(order) < 3:
        return np.empty((0, 3), np.int64)
    if mode == FAN:
        return np.column_stack([np.full(len(order) - 2, order[0]), order[1:-1], order[2:]])
    corners = np.column_stack([order[:-2], order[1:-1], order[2:]])
    corners[1::2] = corners[1::2, ::-1]
    return corners
