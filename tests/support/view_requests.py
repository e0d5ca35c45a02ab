"""Requests to the viewer over plain sockets: HTTP and websockets, as a browser or an attacker sends them."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

import viser

PROTOCOL = f"viser-v{viser.__version__}"
UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)
TEXT, BINARY, CLOSE = 1, 2, 8


def port_of(address: str) -> int:
    """The port of an address."""
    port = urlsplit(address).port
    assert port is not None
    return port


def sent(address: str, data: bytes, to: str = "127.0.0.1") -> socket.socket:
    """A connection that has sent these bytes to the port of the address."""
    connection = socket.create_connection((to, port_of(address)), timeout=20)
    connection.sendall(data)
    return connection


def received(connection: socket.socket) -> bytes:
    """All that comes until the server ends the connection."""
    data = b""
    try:
        while part := connection.recv(1 << 16):
            data += part
    except ConnectionResetError:
        pass
    return data


def request(address: str, headers: Sequence[str], path: str | None = None) -> bytes:
    """A request for the address, or for another path there."""
    path = urlsplit(address).path if path is None else path
    return "\r\n".join([f"GET {path} HTTP/1.1", *headers, "", ""]).encode()


def answer(
    address: str, headers: Sequence[str], path: str | None = None, to: str = "127.0.0.1"
) -> tuple[int, bytes]:
    """The status, and what follows the headers of the response."""
    with sent(address, request(address, headers, path), to) as connection:
        head, _, body = received(connection).partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def opening(address: str, protocol: str = PROTOCOL) -> list[str]:
    """Headers with which the page opens its websocket."""
    host = urlsplit(address).netloc
    return [f"Host: {host}", f"Origin: http://{host}", f"Sec-WebSocket-Protocol: {protocol}", *UPGRADE]


def opened(address: str) -> socket.socket:
    """A websocket, opened as the page does."""
    connection = sent(address, request(address, opening(address)))
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(1)
    assert head.startswith(b"HTTP/1.1 101 ")
    return connection


def frame(kind: int, data: bytes, first: int = 0x80) -> bytes:
    """A frame of a websocket, from a client. `first` has the other bits of the first byte."""
    size = len(data)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 1 << 16:
        length = bytes([0x80 | 126]) + size.to_bytes(2, "big")
    else:
        length = bytes([0x80 | 127]) + size.to_bytes(8, "big")
    return bytes([first | kind]) + length + bytes(4) + data


def close_code(connection: socket.socket) -> int:
    """Why the server closes a websocket: the code in the last frame that it sends."""
    data, code = received(connection), 0
    while len(data) >= 2:
        kind, size, begin = data[0] & 0xF, data[1], 2
        if size >= 126:
            begin = 4 if size == 126 else 10
            size = int.from_bytes(data[2:begin], "big")
        if kind == CLOSE:
            code = int.from_bytes(data[begin : begin + 2], "big")
        data = data[begin + size :]
    return code
