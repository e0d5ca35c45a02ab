"""What a server of viser sends to browsers, read from its own recordings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import numpy as np
import zstandard

from elbowroom.viewer.render_stage import Server

Message = dict[str, Any]


@contextmanager
def server() -> Iterator[Server]:
    """One that listens on this machine alone, at any port."""
    made = Server("127.0.0.1", 0)
    try:
        yield made
    finally:
        made.stop()


class Listener:
    """Notes what is sent about the scene from now on."""

    def __init__(self, server: Server) -> None:
        self._serializer = server.get_scene_serializer()
        self._before = len(self._messages())
        self._serializer = server.get_scene_serializer()

    def heard(self) -> list[Message]:
        """All that was sent since; once only."""
        return self._messages()[self._before :]

    def _messages(self) -> list[Message]:
        return [message for _, message in unpacked(self._serializer.serialize())]


def unpacked(recording: bytes) -> list[tuple[float, Message]]:
    """Times and messages: 8 bytes of length, then compressed 8 bytes of length, the messages and the arrays.

    In place of an array stands how many numbers it has.
    """
    held = zstandard.ZstdDecompressor().decompress(recording[8:], max_output_size=1 << 28)
    length = int.from_bytes(held[:8], "little")
    read = msgspec.msgpack.decode(held[8 : 8 + length])
    return [(time, _counted(message, read["binaryBufferLengths"])) for time, message in read["messages"]]


def _counted(value: Any, lengths: list[int]) -> Any:
    if not isinstance(value, dict):
        return value
    if "__binary_index" in value:
        return lengths[value["__binary_index"]] // np.dtype(value["dtype"]).itemsize
    return {name: _counted(each, lengths) for name, each in value.items()}


def updates(messages: list[Message]) -> list[tuple[str, str]]:
    """Of each change the node, and the names of what changed."""
    return [(each["name"], " ".join(sorted(each["updates"]))) for each in messages if "updates" in each]
