"""What the viewer's page sends: where its camera is, and which control was set to what.

viser would accept more: files, messages that it keeps for other browsers, any attribute of a control. The
viewer uses none of these, so everything but the two messages below is ignored.
"""

from __future__ import annotations

import msgspec

#: The largest message of a browser that is read. Those below have some hundred bytes.
MAX_BYTES = 1 << 16

Three = tuple[float, float, float]


class _Camera(msgspec.Struct, tag="ViewerCameraMessage", forbid_unknown_fields=True):
    wxyz: tuple[float, float, float, float]
    position: Three
    fov: float
    near: float
    far: float
    image_height: int
    image_width: int
    look_at: Three
    up_direction: Three


class _Value(msgspec.Struct, forbid_unknown_fields=True):
    value: bool | int | float | str


class _Control(msgspec.Struct, tag="GuiUpdateMessage", forbid_unknown_fields=True):
    uuid: str
    updates: _Value


_decoder = msgspec.msgpack.Decoder(_Camera | _Control)


def is_expected(message: str | bytes) -> bool:
    """Whether the viewer's page sends such messages."""
    if isinstance(message, str):
        return False
    try:
        _decoder.decode(message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True
