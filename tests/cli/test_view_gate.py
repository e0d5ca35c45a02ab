"""Who may use the viewer: checks of the Host and Origin headers, of the token, and of messages."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
import websockets
from view_makers import Row
from view_messages import server
from view_requests import (
    BINARY,
    PROTOCOL,
    TEXT,
    UPGRADE,
    answer,
    close_code,
    frame,
    opened,
    opening,
    port_of,
    received,
    request,
    sent,
)
from websockets.asyncio.server import ServerConnection, serve

from elbowroom.viewer.gate import Gate
from elbowroom.viewer.gate_messages import MAX_BYTES, is_expected
from elbowroom.viewer.render_stage import Server
from elbowroom.viewer.server import Viewer

CAMERA = {
    "type": "ViewerCameraMessage",
    "wxyz": [1, 0, 0, 0],
    "position": [3.5, 3, 3],
    "fov": 1.2,
    "near": 0.1,
    "far": 1000,
    "image_height": 720,
    "image_width": 1280,
    "look_at": [0, 0, 0],
    "up_direction": [0, 0, 1],
}


@pytest.fixture(scope="module")
def viewer() -> Iterator[Viewer]:
    with Viewer(Row(), port=0) as made:
        yield made


def is_page(status: int, body: bytes) -> bool:
    return status == 200 and b"<html" in body


def is_refused(status: int, body: bytes) -> bool:
    """Refused in one line of text, which has nothing of the page or the scene."""
    return status == 403 and body.count(b"\n") == 1 and b"<" not in body


# Host


@pytest.mark.parametrize("host", ["127.0.0.1:{}", "localhost:{}", "LocalHost:{}", "[::1]:{}"])
def test_the_page_is_served_under_the_names_of_this_machine(viewer: Viewer, host: str) -> None:
    assert is_page(*answer(viewer.address, [f"Host: {host.format(port_of(viewer.address))}"]))


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        [""],
        ["attacker.test:{}"],
        ["attacker.test"],
        ["127.0.0.1.attacker.test:{}"],
        ["localhost"],
        ["127.0.0.1:1"],
        ["0.0.0.0:{}"],
        ["127.0.0.1:{}:{}"],
        ["127.0.0.1:{}", "127.0.0.1:{}"],
        ["127.0.0.1:{}", "attacker.test:{}"],
        ["127.0.0.1:{}, attacker.test:{}"],
        ["\xff\xfe:{}"],
    ],
)
@pytest.mark.parametrize("upgrade", [False, True])
def test_a_wrong_host_is_refused_whatever_else_is_right(
    viewer: Viewer, hosts: list[str], upgrade: bool
) -> None:
    port = port_of(viewer.address)
    headers = [f"Host: {host.format(port, port)}" for host in hosts]
    if upgrade:
        headers += opening(viewer.address)[1:]
    assert is_refused(*answer(viewer.address, headers))


# Origin


@pytest.mark.parametrize("origin", ["http://attacker.test", "http://127.0.0.1:1", "https://{}", "null", ""])
def test_a_foreign_origin_is_refused(viewer: Viewer, origin: str) -> None:
    host = urlsplit(viewer.address).netloc
    headers = [f"Host: {host}", f"Origin: {origin.format(host)}"]
    assert is_refused(*answer(viewer.address, headers))
    assert is_refused(*answer(viewer.address, [*headers, f"Sec-WebSocket-Protocol: {PROTOCOL}", *UPGRADE]))
    both = [*headers, f"Origin: http://{host}", f"Sec-WebSocket-Protocol: {PROTOCOL}", *UPGRADE]
    assert is_refused(*answer(viewer.address, both))


def test_only_a_websocket_needs_an_origin(viewer: Viewer) -> None:
    host = f"Host: {urlsplit(viewer.address).netloc}"
    assert is_page(*answer(viewer.address, [host]))
    assert is_refused(*answer(viewer.address, [host, f"Sec-WebSocket-Protocol: {PROTOCOL}", *UPGRADE]))


def test_the_websocket_of_the_page_gets_the_scene(viewer: Viewer) -> None:
    with opened(viewer.address) as connection:
        assert connection.recv(1)[0] & 0xF == BINARY


def test_a_websocket_of_another_version_is_refused(viewer: Viewer, capfd: pytest.CaptureFixture[str]) -> None:
    for protocol in ("viser-v0.0.1", "other", f"viser-v0.0.1, {PROTOCOL}"):
        assert is_refused(*answer(viewer.address, opening(viewer.address, protocol)))
    assert capfd.readouterr() == ("", "")


# The token


def test_the_token_cannot_be_guessed() -> None:
    tokens = []
    for _ in range(2):
        with server() as made:
            tokens.append(urlsplit(made.address).path.strip("/"))
    assert tokens[0] != tokens[1] and min(map(len, tokens)) >= 22


def test_without_the_token_nothing_is_served(viewer: Viewer) -> None:
    token = urlsplit(viewer.address).path.strip("/")
    other = token[:-1] + ("A" if token[-1] != "A" else "B")
    paths = ["/", "/index.html", "//", "", "*", f"/{other}/", f"/{token[:-1]}/", f"/{token}x/", f"//{token}/"]
    paths += [f"/?token={token}", f"/x/{token}/", viewer.address, "/%00/", "/\xff/", f"/{token.swapcase()}/"]
    for path in paths:
        headers = opening(viewer.address)
        assert is_refused(*answer(viewer.address, headers, path)), path
        assert is_refused(*answer(viewer.address, headers[:1], path)), path


def test_the_token_opens_the_page_alone(viewer: Viewer) -> None:
    headers = opening(viewer.address)[:1]
    path = urlsplit(viewer.address).path
    for right in (path, path.rstrip("/"), f"{path}?a/b", f"{path}index.html"):
        assert is_page(*answer(viewer.address, headers, right))
    for wrong in ("../index.html", "%2e%2e/index.html", "..%5c..%5cinfra", "missing", "/etc/passwd"):
        assert answer(viewer.address, headers, path + wrong)[0] == 404


def test_browsers_do_not_pass_the_address_on(viewer: Viewer) -> None:
    with sent(viewer.address, request(viewer.address, opening(viewer.address)[:1])) as connection:
        head = received(connection).partition(b"\r\n\r\n")[0]
    assert b"Referrer-Policy: no-referrer" in head and b"Cache-Control: no-store" in head


def test_the_log_has_neither_the_token_nor_tracebacks(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), server() as made:
        with sent(made.address, b"garbage\r\n\r\n") as connection:
            connection.shutdown(1)
            received(connection)
        answer(made.address, opening(made.address)[:1], "/")
        answer(made.address, opening(made.address)[:1])
    assert "opening handshake failed" in caplog.text and "403 Forbidden" in caplog.text
    assert urlsplit(made.address).path.strip("/") not in caplog.text
    assert all(record.levelno == logging.DEBUG and not record.exc_info for record in caplog.records)


# Other machines


def test_a_server_for_other_machines_has_the_same_checks() -> None:
    with Viewer(Row(), host="0.0.0.0", port=0) as viewer:
        parts = urlsplit(viewer.address)
        assert parts.hostname == socket.gethostname().lower()
        for host in (parts.netloc, f"127.0.0.1:{parts.port}"):
            assert is_page(*answer(viewer.address, [f"Host: {host}"]))
            assert is_refused(*answer(viewer.address, [f"Host: {host}"], "/"))
        for host in ("attacker.test", "127.0.0.2", "0.0.0.0"):
            assert is_refused(*answer(viewer.address, [f"Host: {host}:{parts.port}"]))
        # An address is a right host on connections to that address.
        assert is_page(*answer(viewer.address, [f"Host: 127.0.0.2:{parts.port}"], to="127.0.0.2"))


def test_browsers_leave_out_the_port_of_http() -> None:
    gate: Any = Gate("Server.Example.org")
    assert gate.address(80).startswith("http://server.example.org:80/")
    for address in ("127.0.0.1", "fe80::1%eth0"):
        known = gate._hosts(SimpleNamespace(local_address=(address, 80)))
        assert {"server.example.org", "localhost", "localhost:80"} < known
    assert {"[fe80::1]", "[fe80::1]:80"} < known
    assert "localhost" not in gate._hosts(SimpleNamespace(local_address=("127.0.0.1", 8080)))


def test_a_viser_that_cannot_be_guarded_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as one that keeps a reference of its own to the function that starts servers."""
    started: list[Any] = []

    def kept(*args: Any, **options: Any) -> Any:
        started.append(serve(*args, **options))
        return started[-1]

    own = SimpleNamespace(serve=kept, ServerConnection=ServerConnection)
    names = SimpleNamespace(
        asyncio=SimpleNamespace(server=own),
        exceptions=websockets.exceptions,
        datastructures=websockets.datastructures,
    )
    monkeypatch.setattr("viser.infra._infra.websockets", names)
    with pytest.raises(ImportError, match=r"cannot be protected .* pip install elbowroom\[view\]"):
        Server("127.0.0.1", 0)
    assert len(started) == 1 and not started[0].server.is_serving()


# Messages


def control(viewer: Viewer, name: str, value: object) -> dict[str, object]:
    """What the page sends when a control is moved."""
    uuid = viewer._panel._handles[name]._impl.uuid
    return {"type": "GuiUpdateMessage", "uuid": uuid, "updates": {"value": value}}


def test_messages_of_the_page_are_expected(viewer: Viewer) -> None:
    for message in (CAMERA, control(viewer, "place", 1), control(viewer, "colour", "grey")):
        assert is_expected(msgspec.msgpack.encode(message))


UNEXPECTED = [
    b"",
    b"\xc1",
    b"\xa1\xff",
    b"\x91" * 60_000,
    *map(
        msgspec.msgpack.encode,
        [
            None,
            {},
            ["GuiUpdateMessage"],
            {"type": 1},
            {"type": "ShareUrlRequest"},
            {"type": "GuiFormDirtyMessage", "uuid": "x" * 1000},
            {"type": "GuiUpdateMessage", "uuid": "x", "updates": {"update_cb": []}},
            {"type": "GuiUpdateMessage", "uuid": "x", "updates": {"value": {}}},
            {"type": "GuiUpdateMessage", "uuid": "x", "updates": {"value": 1}, "more": 1},
            CAMERA | {"position": [1, 2]},
            CAMERA | {"position": "abc"},
            CAMERA | {"type": "FileTransferPart"},
        ],
    ),
]


def test_other_messages_are_ignored_and_the_connection_stays(
    viewer: Viewer, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert not any(map(is_expected, ["text", *UNEXPECTED]))
    row = viewer.exhibit
    assert isinstance(row, Row)
    with opened(viewer.address) as connection:
        connection.sendall(frame(BINARY, msgspec.msgpack.encode(CAMERA)))
        for data in UNEXPECTED:
            connection.sendall(frame(BINARY, data))
        connection.sendall(frame(TEXT, b"text"))
        for value in ("abc", float("nan"), 2.5):
            connection.sendall(frame(BINARY, msgspec.msgpack.encode(control(viewer, "place", value))))
        begin = time.monotonic()
        while row.place != 2.5:
            assert time.monotonic() - begin < 20
            time.sleep(0.01)
    assert capfd.readouterr() == ("", "") and caplog.text == ""


def test_a_message_that_is_too_long_ends_its_connection_alone(viewer: Viewer) -> None:
    with opened(viewer.address) as connection, opened(viewer.address) as other:
        connection.sendall(frame(BINARY, bytes(MAX_BYTES + 1)))
        assert close_code(connection) == 1009
        other.sendall(frame(BINARY, bytes(MAX_BYTES // 2), first=0))
        other.sendall(frame(0, bytes(MAX_BYTES // 2), first=0) + frame(0, b"x"))
        assert close_code(other) == 1009
    assert is_page(*answer(viewer.address, opening(viewer.address)[:1]))
