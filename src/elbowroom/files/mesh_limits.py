"""Mesh files that would grow without bound when trimesh reads them, refused before it does.

An archive may unpack to far more than it has; a scene may place one mesh many times, and in COLLADA nodes
that contain nodes multiply; an accessor of glTF without a buffer is as many zeros as it says.
"""

from __future__ import annotations

import io
import json
import os
import struct
import tarfile
import zipfile
from collections.abc import Iterator
from typing import IO, Any, cast
from xml.etree import ElementTree

from elbowroom.files.unpacking import OPENERS, Allowance, Counted, TooLarge

#: A scene of 3MF or COLLADA may place its meshes so many times; trimesh takes a millisecond for each.
MOST_PLACED = 10_000
#: Bytes that a vertex or an index takes once it is read.
VERTEX, INDEX = 24, 8
#: Members of archives that are looked into: archives, and what can grow by itself.
INNER = (".zip", ".3mf", ".3dxml", ".zae", ".tar", ".gz", ".bz2", ".dae", ".glb", ".gltf")


def refuse_large_mesh(path: str) -> None:
    """Raises TooLarge if the file holds too much, or places too often what it holds."""
    with open(path, "rb") as file:
        _check(os.path.basename(path), file, Allowance(path))


def refuse_large_scene(scene: Any, path: str) -> None:
    """The same for a scene that trimesh has read and is about to make one mesh of."""
    allowance = Allowance(path)
    for node in scene.graph.nodes_geometry:
        geometry = scene.geometry[scene.graph[node][1]]
        vertices, faces = (len(getattr(geometry, name, ())) for name in ("vertices", "faces"))
        allowance.take(VERTEX * vertices + 3 * INDEX * faces)


def _check(name: str, file: IO[bytes], allowance: Allowance) -> None:
    start, suffix = file.read(6), os.path.splitext(name)[1].lower()
    file.seek(0)
    opener = next((opener for magic, opener in OPENERS.items() if start.startswith(magic)), None)
    try:
        if opener is not None:
            _check_stream(name.removesuffix(suffix), opener(file, "rb"), allowance)
        elif start.startswith(b"PK"):
            _check_zip(file, allowance)
        elif suffix == ".dae":
            _check_placed(allowance.file, sum(_placed_by_collada(file)))
        elif suffix == ".model":
            _check_placed(allowance.file, _placed_by_3mf(file))
        elif suffix in (".glb", ".gltf"):
            allowance.take(_size_of_gltf(_gltf(file.read())))
    except TooLarge:
        raise
    except Exception:  # of whatever is damaged: the reader will say what is wrong
        return


def _check_stream(name: str, stream: IO[bytes], allowance: Allowance) -> None:
    """One compressed file, which may be a tar archive."""
    if not name.lower().endswith(".tar"):
        _check(name, io.BytesIO(allowance.read(stream)), allowance)
        return
    with tarfile.open(fileobj=cast(IO[bytes], Counted(stream, allowance)), mode="r|") as archive:
        for member in archive:
            held = archive.extractfile(member) if member.isfile() else None
            if held is not None and member.name.lower().endswith(INNER):
                allowance.take(member.size)
                _check(member.name, io.BytesIO(held.read()), allowance)


def _check_zip(file: IO[bytes], allowance: Allowance) -> None:
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            allowance.take(member.file_size)  # zipfile reads no more
            if member.filename.lower().endswith((*INNER, ".model")):
                _check(member.filename, io.BytesIO(archive.read(member)), allowance)


def _check_placed(file: str, count: int) -> None:
    if count > MOST_PLACED:
        raise TooLarge(
            f"{file}: places its meshes {_shown(count)} times, more than {MOST_PLACED:,}: join them first"
        )


def _shown(count: int) -> str:
    return f"{count:,}" if count < 10**12 else f"1e{len(str(count)) - 1}"


def _elements(file: IO[bytes]) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Events, names without their namespaces, and attributes; what has been read is forgotten."""
    for event, element in ElementTree.iterparse(file, ("start", "end")):
        yield event, element.tag.rpartition("}")[2], element.attrib
        if event == "end":
            element.clear()


def _placed_by_3mf(file: IO[bytes]) -> int:
    """How often objects are named in the build or in another object."""
    return sum(event == "start" and tag in ("item", "component") for event, tag, _ in _elements(file))


def _placed_by_collada(file: IO[bytes]) -> Iterator[int]:
    """How many geometries each scene has in the end: nodes may be placed within nodes."""
    holds: list[list[str | int]] = []  # of each node or scene: nodes within it, by number or by name
    geometries: list[int] = []
    names, scenes, inside = dict[str, int](), list[int](), list[int]()
    for event, tag, attributes in _elements(file):
        if tag in ("node", "visual_scene"):
            if event == "end":
                inside.pop()
                continue
            number = len(holds)
            holds.append([])
            geometries.append(0)
            names.setdefault(f"#{attributes.get('id', '')}", number)
            if tag == "visual_scene":
                scenes.append(number)
            elif inside:
                holds[inside[-1]].append(number)
            inside.append(number)
        elif event == "start" and inside:
            if tag in ("instance_geometry", "instance_controller"):
                geometries[inside[-1]] += 1
            elif tag == "instance_node":
                holds[inside[-1]].append(attributes.get("url", ""))
    within = [[names.get(k, -1) if isinstance(k, str) else k for k in each] for each in holds]
    found = _totals(geometries, [[k for k in each if k >= 0] for each in within])
    return (found[number] for number in scenes)


def _totals(own: list[int], within: list[list[int]]) -> list[int]:
    """For each node its own number and those of all below, however deep; loops add nothing."""
    found: dict[int, int] = {}
    for root in range(len(own)):
        todo = [root]
        entered: set[int] = set()
        while todo:
            node = todo[-1]
            missing = [k for k in within[node] if k not in found and k not in entered]
            if node not in found and node not in entered and missing:
                entered.add(node)
                todo += missing
                continue
            todo.pop()
            if node not in found:
                found[node] = own[node] + sum(found.get(k, 0) for k in within[node])
    return [found[k] for k in range(len(own))]


def _gltf(content: bytes) -> dict[str, Any]:
    """The description of a glTF file, which in a binary one is its first chunk."""
    if content.startswith(b"glTF"):
        length = struct.unpack("<I", content[12:16])[0]
        content = content[20 : 20 + length]
    found = json.loads(content)
    return found if isinstance(found, dict) else {}


def _size_of_gltf(held: dict[str, Any]) -> int:
    """Bytes of all accessors, of all meshes, and of all meshes as often as nodes place them."""
    accessors = [max(int(each.get("count", 0)), 0) for each in held.get("accessors", [])]
    meshes = [
        sum(_size_of_primitive(part, accessors) for part in each["primitives"])
        for each in held.get("meshes", [])
    ]
    placed = sum(meshes[int(node["mesh"])] for node in held.get("nodes", []) if "mesh" in node)
    return VERTEX * sum(accessors) + sum(meshes) + placed


def _size_of_primitive(part: dict[str, Any], accessors: list[int]) -> int:
    vertices = accessors[int(part["attributes"]["POSITION"])]
    indices = accessors[int(part["indices"])] if "indices" in part else vertices
    return VERTEX * vertices + INDEX * indices
