"""Parts of OBJ files: what stands between lines `o` and `g`."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from elbowroom.files.assembly_parts import Found, Geometry, Reading
from elbowroom.files.opening import read_bytes

#: Object and group.
Key: TypeAlias = tuple[str, str, int]


class _Lines:
    """Vertices, and triangles by object and group."""

    def __init__(self) -> None:
        self.places = array("d")
        self.faces: dict[Key, array[int]] = {}
        self._key: Key = ("", "", 0)
        self._objects = 0  # so far: two may have the same name
        self._open: array[int] | None = None
        self.takes: dict[bytes, Callable[[list[bytes]], None]] = {
            b"v": self._vertex,
            b"f": self._face,
            b"o": self._object,
            b"g": self._group,
        }

    def _vertex(self, words: list[bytes]) -> None:
        if len(words) < 4:
            raise ValueError("a vertex needs three numbers")
        self.places.extend(map(float, words[1:4]))

    def _face(self, words: list[bytes]) -> None:
        corners = [self._corner(word) for word in words[1:]]
        if not corners:
            raise ValueError("a face needs corners")
        corners += corners[-1:] * (3 - len(corners))  # a segment or a point, as a triangle without area
        if self._open is None:
            self._open = self.faces.setdefault(self._key, array("q"))
        for k in range(1, len(corners) - 1):
            self._open.extend((corners[0], corners[k], corners[k + 1]))

    def _corner(self, word: bytes) -> int:
        """Vertices count from 1, or backwards from the last one so far."""
        number, count = int(word.split(b"/", 1)[0]), len(self.places) // 3
        if number == 0:
            raise ValueError("a face names vertex 0, but vertices count from 1")
        if number < -count:
            raise ValueError(f"a face names vertex {number}, but there are {count} so far")
        return number - 1 if number > 0 else count + number

    def _object(self, words: list[bytes]) -> None:
        self._objects += 1
        self._key, self._open = (_text(words), "", self._objects), None

    def _group(self, words: list[bytes]) -> None:
        self._key, self._open = (self._key[0], _text(words), self._objects), None


def _text(words: list[bytes]) -> str:
    return b" ".join(words[1:]).decode("utf-8", "replace")


def read(reading: Reading) -> None:
    """Every object is a part; an object of several groups, or groups alone: every group."""
    lines = _Lines()
    for number, words in _words(read_bytes(reading.file)):
        take = lines.takes.get(words[0])
        if take is not None:
            try:
                take(words)
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from error
    places = np.frombuffer(lines.places, np.float64).reshape(-1, 3)
    groups = Counter((name, number) for name, _, number in lines.faces)
    for key, corners in lines.faces.items():
        name, parents = _named(key, alone=groups[key[0], key[2]] == 1)
        faces = np.frombuffer(corners, np.int64).reshape(-1, 3)
        last = int(faces.max())
        if last >= len(places):
            raise ValueError(f"'{name}' names vertex {last + 1}, but there are {len(places)}")
        used, own = np.unique(faces, return_inverse=True)
        geometry = Geometry(places[used], own.reshape(-1, 3), name)
        reading.add(Found(name, geometry, np.eye(4), parents))


def _named(key: Key, *, alone: bool) -> tuple[str, tuple[str, ...]]:
    """The name of a part, and what is above it; no name for what is in no object and no group."""
    whole, group, _ = key
    if not whole or not group:
        return whole or group, ()
    return (whole, ()) if alone else (f"{whole}/{group}", (whole,))


def _words(content: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Lines that are not empty, with their numbers; a line that ends in a backslash goes on in the next."""
    if b"\\" in content:
        content = re.sub(rb"\\[ \t]*\r?\n", b" ", content)
    for number, line in enumerate(content.splitlines(), 1):
        words = line.split()
        if words:
            yield number, words
