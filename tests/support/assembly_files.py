"""Small files of assemblies, written for the tests that read them."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

TYPES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
WIDTHS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}

#: A tetrahedron with its outer sides outside.
CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


class Gltf:
    """A glTF file in the making: accessors go into one buffer."""

    def __init__(self) -> None:
        self.binary = b""
        self.held: dict[str, Any] = {
            "asset": {"version": "2.0"},
            "accessors": [],
            "bufferViews": [],
            "meshes": [],
            "nodes": [],
        }

    def view(self, content: bytes, **more: Any) -> int:
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.held["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(content), **more}
        )
        self.binary += content
        return len(self.held["bufferViews"]) - 1

    def accessor(self, values: Any, kind: str = "f4", **more: Any) -> int:
        array = np.asarray(values, dtype=f"<{kind}")
        width = array.shape[1] if array.ndim > 1 else 1
        held = {"componentType": TYPES[kind], "count": len(array), "type": WIDTHS[width]}
        self.held["accessors"].append({"bufferView": self.view(array.tobytes()), **held, **more})
        return len(self.held["accessors"]) - 1

    def mesh(self, corners: Any = CORNERS, faces: Any = FACES, name: str = "", **more: Any) -> int:
        part: dict[str, Any] = {"attributes": {"POSITION": self.accessor(corners)}}
        if faces is not None:
            part["indices"] = self.accessor(np.ravel(faces), "u2")
        self.held["meshes"].append({"primitives": [part | more]} | ({"name": name} if name else {}))
        return len(self.held["meshes"]) - 1

    def node(self, name: str = "", **more: Any) -> int:
        self.held["nodes"].append(({"name": name} if name else {}) | more)
        return len(self.held["nodes"]) - 1

    def glb(self) -> bytes:
        held = self.held | {"buffers": [{"byteLength": len(self.binary)}]}
        text = json.dumps(held).encode()
        text += b" " * (-len(text) % 4)
        binary = self.binary + b"\0" * (-len(self.binary) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        chunks += struct.pack("<II", len(binary), 0x004E4942) + binary
        return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks

    def write(self, path: Path) -> Path:
        path.write_bytes(self.glb())
        return path


def three_mf(objects: str, build: str, unit: str = "millimeter", more: dict[str, str] | None = None) -> bytes:
    """A 3MF file from the inside of <resources> and <build>, and further members of the archive."""
    model = (
        f'<?xml version="1.0"?><model unit="{unit}" '
        'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02" '
        'xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06">'
        f"<resources>{objects}</resources><build>{build}</build></model>"
    )
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("3D/3dmodel.model", model)
        for name, text in (more or {}).items():
            archive.writestr(name, text)
    return content.getvalue()


def object_3mf(number: int, name: str = "", corners: Any = CORNERS, faces: Any = FACES) -> str:
    vertices = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in np.asarray(corners).tolist())
    triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in np.asarray(faces).tolist())
    named = f' name="{name}"' if name else ""
    return (
        f'<object id="{number}"{named}><mesh><vertices>{vertices}</vertices>'
        f"<triangles>{triangles}</triangles></mesh></object>"
    )


def seeds() -> dict[str, bytes]:
    """A sound file of each kind."""
    made = Gltf()
    mesh = made.mesh(name="tetrahedron")
    inner = made.node("inner", mesh=mesh, translation=[1, 2, 3], scale=[1, -2, 1])
    made.node("outer", children=[inner], rotation=[0, 0, 0.6, 0.8])
    made.node("twin", mesh=mesh, matrix=np.diag([2.0, 2, 2, 1]).ravel().tolist())
    placed = '<item objectid="2" transform="1 0 0 0 1 0 0 0 1 5 0 0" partnumber="a"/><item objectid="1"/>'
    group = '<object id="2"><components><component objectid="1"/></components></object>'
    obj = "o plate\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\ng side\nf 1/1 4/2 3/3\nf -3 -2 -1\n"
    return {
        "assembly.glb": made.glb(),
        "assembly.3mf": three_mf(object_3mf(1, "part") + group, placed),
        "assembly.obj": obj.encode(),
    }


def large() -> bytes:
    """Many nodes of one mesh."""
    made = Gltf()
    mesh = made.mesh()
    for k in range(3000):
        made.node(f"n{k}", mesh=mesh, translation=[3 * k, 0, 0])
    return made.glb()
