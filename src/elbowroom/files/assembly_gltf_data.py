"""The content of glTF and GLB files: their description, and arrays out of their buffers."""

from __future__ import annotations

import base64
import binascii
import json
import os
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from elbowroom._arrays import shown
from elbowroom.files.mesh_limits import VERTEX
from elbowroom.files.unpacking import Allowance

TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942


class Document:
    """The description of a glTF file, and its buffers, which are read when they are first needed."""

    def __init__(self, held: dict[str, Any], binary: bytes, file: str, allowance: Allowance) -> None:
        self.held, self._binary, self._file, self._allowance = held, binary, Path(file), allowance
        self._buffers: dict[int, bytes] = {}
        self._arrays: dict[int, NDArray[Any]] = {}

    # Values of JSON, which may be anything.

    def items(self, name: str) -> list[dict[str, Any]]:
        """A list of the description, such as its nodes."""
        found = self.listed(name)
        if not all(isinstance(each, dict) for each in found):
            raise ValueError(f"'{name}' has entries that are not objects")
        return found

    def listed(self, name: str, held: dict[str, Any] | None = None) -> list[Any]:
        """A list, which may be missing."""
        found = (self.held if held is None else held).get(name, [])
        if not isinstance(found, list):
            raise ValueError(f"'{name}' must be a list, got {shown(found)}")
        return found

    def item(self, name: str, number: Any, what: str) -> dict[str, Any]:
        """One entry of a list of the description."""
        found = self.listed(name)
        if self.whole(number, what) >= len(found):
            raise ValueError(f"{what}: there is no number {number} among {len(found)} {name}")
        return self.mapping(found[number], f"{name}[{number}]")

    def mapping(self, value: Any, what: str) -> dict[str, Any]:
        """An object of JSON."""
        if not isinstance(value, dict):
            raise ValueError(f"{what} must be an object, got {shown(value)}")
        return value

    def whole(self, value: Any, what: str) -> int:
        """A whole number, not negative."""
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ValueError(f"{what} must be a whole number, got {shown(value)}")
        return value

    def primitives(self, mesh: dict[str, Any]) -> list[dict[str, Any]]:
        """The primitives of a mesh."""
        return [self.mapping(each, "a primitive") for each in self.listed("primitives", mesh)]

    # Arrays.

    def array(self, number: Any, kind: str, what: str) -> NDArray[Any]:
        """An accessor, (n, 3) for "VEC3" and (n,) for "SCALAR"; normalized whole numbers are shares."""
        accessor = self.item("accessors", number, what)
        if accessor.get("type") != kind:
            raise ValueError(f"{what} must be of type {kind}, got {shown(accessor.get('type'))}")
        if number not in self._arrays:
            self._arrays[number] = self._read(accessor, WIDTHS[kind], what)
        return self._arrays[number]

    def _read(self, accessor: dict[str, Any], width: int, what: str) -> NDArray[Any]:
        count, kind = self.whole(accessor.get("count"), f"count of {what}"), self._type(accessor, what)
        if "bufferView" in accessor:
            out = self._viewed(accessor, kind, (count, width), what)
        else:
            self._allowance.take(VERTEX * count * width)  # zeros, as many as the file likes
            out = np.zeros((count, width), kind)
        if "sparse" in accessor:
            out = self._replaced(out, self.mapping(accessor["sparse"], f"sparse of {what}"), what)
        if width > 1:
            shares = accessor.get("normalized") and kind.kind != "f"
            out = np.maximum(out / np.iinfo(kind).max, -1.0) if shares else out.astype(np.float64)
        return out if width > 1 else out[:, 0]

    def _type(self, accessor: dict[str, Any], what: str) -> np.dtype[Any]:
        code = accessor.get("componentType")
        if not isinstance(code, int) or code not in TYPES:
            raise ValueError(f"{what} has an unknown type of numbers, {shown(code)}")
        return np.dtype(TYPES[code])

    def _replaced(self, array: NDArray[Any], sparse: dict[str, Any], what: str) -> NDArray[Any]:
        """With some rows in place of others."""
        count = self.whole(sparse.get("count"), f"sparse of {what}")
        where = self.mapping(sparse.get("indices"), f"sparse of {what}")
        values = self.mapping(sparse.get("values"), f"sparse of {what}")
        rows = self._viewed(where, self._type(where, what), (count, 1), what)[:, 0].astype(np.int64)
        if len(rows) and rows.max() >= len(array):
            raise ValueError(f"{what} replaces a value that it does not have")
        out = array.copy()
        out[rows] = self._viewed(values, array.dtype, (count, array.shape[1]), what)
        return out

    def _viewed(
        self, holder: dict[str, Any], kind: np.dtype[Any], shape: tuple[int, int], what: str
    ) -> NDArray[Any]:
        """Rows of numbers from a view of a buffer."""
        view = self.item("bufferViews", holder.get("bufferView"), f"bufferView of {what}")
        if any("meshopt" in name for name in self.mapping(view.get("extensions", {}), what)):
            raise ValueError(f"{what} is compressed by meshopt: export it without compression")
        content = self._buffer(self.whole(view.get("buffer"), f"buffer of {what}"))
        start = self.whole(view.get("byteOffset", 0), f"byteOffset of {what}")
        length = self.whole(view.get("byteLength"), f"byteLength of {what}")
        offset = self.whole(holder.get("byteOffset", 0), f"byteOffset of {what}")
        row = kind.itemsize * shape[1]
        stride = self.whole(view.get("byteStride", row), f"byteStride of {what}") or row
        needed = offset + stride * (shape[0] - 1) + row if shape[0] else 0
        if stride < row or needed > length or start + length > len(content):
            raise ValueError(f"{what} reaches beyond the end of its buffer")
        if not shape[0]:
            return np.empty(shape, kind)
        return np.ndarray(shape, kind, content, start + offset, (stride, kind.itemsize))

    def _buffer(self, number: int) -> bytes:
        if number not in self._buffers:
            self._buffers[number] = self._loaded(number)
        return self._buffers[number]

    def _loaded(self, number: int) -> bytes:
        buffer = self.item("buffers", number, "buffer")
        uri = buffer.get("uri")
        if uri is None:
            if number or not self._binary:
                raise ValueError(f"buffer {number} has no content")
            return self._binary
        if not isinstance(uri, str):
            raise ValueError(f"uri of buffer {number} must be a text")
        if uri.startswith("data:"):
            return _decoded(uri, number)
        return self._beside(unquote(uri))

    def _beside(self, name: str) -> bytes:
        """A file in the folder of this one, or below; no others, for the file may come from anywhere."""
        path = Path(os.path.normpath(name))
        if "://" in name or path.is_absolute() or ".." in path.parts:
            raise ValueError(f"buffer {shown(name)} is not in the folder of the file")
        file = self._file.parent / path
        if not file.is_file():
            raise FileNotFoundError(f"{self._file}: its buffer '{file}': no such file")
        return file.read_bytes()


def open_document(file: str, allowance: Allowance) -> Document:
    """The description, and the binary part of a GLB file."""
    content, binary = Path(file).read_bytes(), b""
    if content[:4] == b"glTF":
        content, binary = _chunks(content)
    try:
        held = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a glTF file: {error}") from error
    if not isinstance(held, dict) or "asset" not in held:
        raise ValueError("not a glTF file: it has no 'asset'")
    version = str(held["asset"].get("version", "")) if isinstance(held["asset"], dict) else ""
    if not version.startswith("2"):
        raise ValueError(f"glTF version {shown(version)} is not supported; supported: 2")
    return Document(held, binary, file, allowance)


def _chunks(content: bytes) -> tuple[bytes, bytes]:
    """The description and the binary part."""
    if len(content) < 20 or struct.unpack("<I", content[4:8])[0] != 2:
        raise ValueError("not a GLB file of version 2")
    found: dict[int, bytes] = {}
    at = 12
    while at + 8 <= len(content):
        length, kind = struct.unpack("<II", content[at : at + 8])
        if at + 8 + length > len(content):
            raise ValueError("damaged GLB file: it ends too early")
        found.setdefault(kind, content[at + 8 : at + 8 + length])
        at += 8 + length
    if JSON_CHUNK not in found:
        raise ValueError("damaged GLB file: it has no description")
    return found[JSON_CHUNK], found.get(BINARY_CHUNK, b"")


def _decoded(uri: str, number: int) -> bytes:
    head, _, text = uri.partition(",")
    try:
        return base64.b64decode(text, validate=True) if head.endswith(";base64") else unquote(text).encode()
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"buffer {number} is damaged: {error}") from error
