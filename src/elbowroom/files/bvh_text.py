"""The text of BVH files: the skeleton, and the values of its channels.

Parsed here, and not by a package: those at hand keep single precision, take a second for a dance of 2000
frames, and let lines with missing values pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elbowroom._arrays import LARGEST

Floats = NDArray[np.float64]
Line = tuple[int, str]

CHANNELS = tuple(axis + kind for kind in ("position", "rotation") for axis in "xyz")


@dataclass
class Node:
    """A joint or, without a name, an end site. `parent` is the number of a node, -1 for a root."""

    name: str
    parent: int
    line: int
    offset: Floats | None = None
    channels: tuple[str, ...] = ()

    @property
    def what(self) -> str:
        """How messages name it."""
        return f"joint '{self.name}'" if self.name else "an end site"


@dataclass(frozen=True)
class BvhText:
    """Nodes in the order of the file, values (frames, channels) in that order, seconds between frames."""

    nodes: list[Node]
    values: Floats
    frame_time: float


def parse_bvh(text: str) -> BvhText:
    """Takes a BVH file apart; a ValueError names the line that is wrong."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.strip().upper() == "MOTION"), len(lines))
    nodes = _skeleton(_tokens(_numbered(lines[:start], 1)))
    if start == len(lines):
        raise ValueError("it has no MOTION after the skeleton")
    rows = _numbered(lines[start + 1 :], start + 2)
    frames = _header(next(rows, None), "Frames")
    seconds = _header(next(rows, None), "Frame Time")
    if frames != int(frames) or frames < 1 or seconds <= 0:
        raise ValueError(f"Frames must be at least 1 and Frame Time above 0, got {frames:g} and {seconds:g}")
    values = _values(rows, sum(len(node.channels) for node in nodes), int(frames))
    return BvhText(nodes, values, seconds)


def _numbered(lines: list[str], first: int) -> Iterator[Line]:
    """Lines that are not blank, with their numbers."""
    return ((number, line.strip()) for number, line in enumerate(lines, first) if line.strip())


def _tokens(lines: Iterator[Line]) -> Iterator[Line]:
    """Lines, with braces on lines of their own: names of joints may have spaces in them."""
    for number, line in lines:
        for part in re.split(r"([{}])", line):
            if part.strip():
                yield number, part.strip()


def _skeleton(tokens: Iterator[Line]) -> list[Node]:
    if next(tokens, (0, ""))[1].upper() != "HIERARCHY":
        raise ValueError("not BVH: it does not begin with HIERARCHY")
    reading = _Reading(tokens)
    for number, text in tokens:
        word, *rest = text.split(maxsplit=1)
        try:
            reading.take(word.upper(), "".join(rest), number)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
    nodes, inside = reading.nodes, reading.inside
    if inside or not nodes:
        raise ValueError(f"{nodes[inside[-1]].what} is not closed by '}}'" if nodes else "it has no ROOT")
    return nodes


class _Reading:
    """A skeleton of which a part has been read. Nodes may be nested to any depth."""

    def __init__(self, tokens: Iterator[Line]) -> None:
        self.tokens = tokens
        self.nodes: list[Node] = []
        self.inside: list[int] = []  # the nodes whose braces are open, the innermost last
        self.names: set[str] = set()

    def take(self, word: str, rest: str, number: int) -> None:
        """One line, or one brace."""
        top = self.nodes[self.inside[-1]] if self.inside else None
        if word in ("ROOT", "JOINT", "END"):
            self._open(word, rest, number)
            if next(self.tokens, (0, ""))[1] != "{":
                raise ValueError(f"{self.nodes[-1].what} is not followed by '{{'")
        elif top is None:
            raise ValueError(f"expected ROOT or MOTION, got {word!r:.80}")
        elif word == "OFFSET":
            top.offset = _offset(rest)
        elif word == "CHANNELS" and top.name:
            top.channels = _channels(rest)
        elif word == "}" and top.offset is not None:
            self.inside.pop()
        else:
            wrong = "has no OFFSET" if word == "}" else f"cannot have {word!r:.80}"
            raise ValueError(f"{top.what} {wrong}")

    def _open(self, word: str, rest: str, number: int) -> None:
        """Adds a joint or end site."""
        name, nodes, inside = "" if word == "END" else rest, self.nodes, self.inside
        if word != "END" and not name:
            raise ValueError(f"{word} has no name")
        if (word == "ROOT") == bool(inside) or (inside and not nodes[inside[-1]].name):
            raise ValueError(f"{word} cannot be here")
        if name in self.names:
            raise ValueError(f"there are two joints named '{name}'")
        if name:
            self.names.add(name)
        nodes.append(Node(name, inside[-1] if inside else -1, number))
        inside.append(len(nodes) - 1)


def _offset(rest: str) -> Floats:
    offset = _numbers(rest.split())
    if len(offset) != 3:
        raise ValueError(f"OFFSET must have three numbers, got {len(offset)}")
    return offset


def _channels(rest: str) -> tuple[str, ...]:
    count, *names = rest.lower().split() or [""]
    unknown = [name for name in names if name not in CHANNELS]
    if unknown:
        raise ValueError(f"channel '{unknown[0]}' is not known: there are {', '.join(CHANNELS)}")
    if count != str(len(names)):
        raise ValueError(f"CHANNELS says {count or 'nothing'}, but names {len(names)}")
    return tuple(names)


def _header(row: Line | None, name: str) -> float:
    found = re.fullmatch(rf"{name}\s*:\s*(\S+)", row[1], re.IGNORECASE) if row else None
    if row is None or found is None:
        where = f"line {row[0]}: " if row else ""
        raise ValueError(f"{where}expected '{name}:' and a number after MOTION")
    try:
        return float(_numbers([found[1]])[0])
    except ValueError as error:
        raise ValueError(f"line {row[0]}: {error}") from None


def _values(rows: Iterator[Line], channels: int, frames: int) -> Floats:
    """Row by row, since the words of all rows take many times the room of their numbers."""
    values = [_row(number, line.split(), channels) for number, line in rows]
    if len(values) != frames:
        raise ValueError(f"Frames says {frames}, but there are {len(values)} lines of values")
    return np.array(values).reshape(frames, channels)


def _row(number: int, words: list[str], channels: int) -> Floats:
    if len(words) != channels:
        raise ValueError(f"line {number} has {len(words)} values, but there are {channels} channels")
    try:
        return _numbers(words)
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from None


def _numbers(words: list[str]) -> Floats:
    try:
        values = np.array(words, dtype=np.float64)
    except ValueError as error:
        raise ValueError(f"not a number: {str(error).rpartition(': ')[2]}") from None
    if not np.isfinite(values).all():
        raise ValueError("a number is not finite")
    if values.size and np.abs(values).max() > LARGEST:
        raise ValueError(f"a number is beyond {LARGEST:g}")
    return values
