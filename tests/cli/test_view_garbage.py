"""`elbowroom view` under attack: garbage and floods do not end it, make it print, or fill the memory."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from view_requests import BINARY, CLOSE, TEXT, answer, frame, opened, opening, received, request, sent

MEGABYTE = 1 << 20
ENDED = (143, "", "elbowroom: stopped by SIGTERM\n")


class Running:
    """`elbowroom view` in a process of its own, where logging is not set up and prints warnings to stderr."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "elbowroom", "view", "--scene", "ring", "--port", "0"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        _, self.address, _ = (self._process.stdout.readline().strip() for _ in range(3))

    def answers(self) -> bool:
        """Whether the page is served, and the scene."""
        with opened(self.address) as connection:
            return answer(self.address, opening(self.address)[:1])[0] == 200 and bool(connection.recv(1))

    def peak(self) -> int:
        """The most memory that it has used so far, in bytes."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return 1024 * int(status.partition("VmHWM:")[2].split()[0])

    def stop(self) -> tuple[int, str, str]:
        """End it: its exit status, and what it has printed since the address."""
        self._process.terminate()
        out, error = self._process.communicate(timeout=60)
        return self._process.returncode, out.strip(), error

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def running() -> Iterator[Running]:
    made = Running()
    yield made
    made.kill()


def malformed(address: str) -> list[bytes]:
    """What is no request, and requests that HTTP or the viewer has not."""
    right = request(address, opening(address)[:1])
    return [
        os.urandom(1000),
        bytes(1000),
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(500),  # the beginning of TLS
        right.replace(b"GET", b"POST"),
        right.replace(b"GET", b"DELETE"),
        right.replace(b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\nhello"),
        right.replace(b"\r\n\r\n", b"\r\nContent-Length: much\r\n\r\n"),
        right.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
        right.replace(b"\r\n\r\n", b"\r\nno header\r\n\r\n"),
        right.replace(b"\r\n\r\n", b"\r\nUpgrade: websocket\r\nUpgrade: other\r\n\r\n"),
        right.replace(b"\r\n\r\n", b"\r\nx: " + b"x" * 10_000 + b"\r\n\r\n"),
        right.replace(b"\r\n\r\n", b"\r\nx: y" * 200 + b"\r\n\r\n"),
        right + right,
        right + os.urandom(1000),
        right + frame(BINARY, b"early"),
        request(address, opening(address)[:-1]),  # a websocket without its key
    ]


def broken(address: str) -> list[bytes]:
    """Frames that websockets do not have, after a right opening."""
    return [
        os.urandom(1000),
        b"\x82\x05hello",  # not masked
        frame(3, b"a kind that there is not"),
        frame(BINARY, b"reserved bits", first=0xF0),
        frame(0, b"continues nothing"),
        frame(9, b"x" * 126),
        frame(TEXT, b"\xff\xfe"),
        frame(CLOSE, b"x"),
        frame(CLOSE, b"\x00\x01"),
        b"\x82\xff" + b"\xff" * 8,
        frame(BINARY, b"a first part", first=0) + frame(BINARY, b"another first part"),
        frame(BINARY, b"\xc1"),
    ]


def test_garbage_changes_nothing_and_prints_nothing(running: Running) -> None:
    for data in malformed(running.address):
        with sent(running.address, data) as connection, contextlib.suppress(OSError):
            connection.shutdown(1)
            assert b" 101 " not in received(connection)
    for data in broken(running.address):
        with opened(running.address) as connection, contextlib.suppress(OSError):
            connection.sendall(data)
            connection.shutdown(1)
            received(connection)
    with opened(running.address) as connection:
        connection.sendall(b"\x82")  # and gone, within a frame
    sent(running.address, b"GET / HT").close()
    assert running.answers()
    assert running.stop() == ENDED


def test_floods_do_not_fill_the_memory(running: Running) -> None:
    assert running.answers()
    before = running.peak()
    page = request(running.address, opening(running.address)[:1])
    flood = b"x" * (48 * MEGABYTE)
    for begin in (b"GET /", page[:-2] + b"x: ", page.replace(b"GET", b"POST"), page):
        with sent(running.address, begin) as connection, contextlib.suppress(OSError):
            connection.sendall(flood)
    for _ in range(3):
        with opened(running.address) as connection, contextlib.suppress(OSError):
            connection.sendall(frame(BINARY, flood))
    with opened(running.address) as connection, contextlib.suppress(OSError):
        connection.sendall(frame(BINARY, b"x", first=0))
        for _ in range(48):
            connection.sendall(frame(0, flood[:MEGABYTE], first=0))
    assert running.answers()
    assert running.peak() - before < 24 * MEGABYTE
    assert running.stop() == ENDED
