"""Compressed files are unpacked up to a limit: a few kilobytes can hold a terabyte of zeros.

A file may unpack to `DEFAULT_LIMIT` bytes, or to as many as it has itself if these are more. The environment
variable ELBOWROOM_READ_LIMIT sets another limit, such as 4G, for Python and for the command line.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import zipfile
import zlib
from typing import IO, Any, Protocol

from elbowroom._arrays import shown

VARIABLE, DEFAULT_LIMIT = "ELBOWROOM_READ_LIMIT", 1 << 30
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
#: What damaged files make the standard library raise.
DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError)
#: How compressed files begin, and what opens them.
OPENERS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
#: Bytes that are read at once.
CHUNK = 1 << 20


def read_limit() -> int:
    """How many bytes a compressed file may unpack to."""
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return DEFAULT_LIMIT
    found = re.fullmatch(r"(\d{1,18})([KMGT]?)", text.upper())
    if found is None:
        raise ValueError(f"{VARIABLE} must be a number of bytes, such as 500M or 4G, got {shown(text)}")
    return int(found[1]) * UNITS[found[2]]


class Readable(Protocol):
    """What a stream is asked for."""

    def read(self, size: int, /) -> bytes: ...


class TooLarge(ValueError):
    """A file holds more than is read."""


class Allowance:
    """How much one file may still unpack to."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.left = self.limit = max(read_limit(), os.path.getsize(file))

    def take(self, count: int) -> None:
        """Counts bytes that were unpacked, or are about to be; raises TooLarge if they are too many."""
        self.left -= count
        if self.left < 0:
            raise TooLarge(
                f"{self.file}: unpacks to more than {self.limit:,} bytes; if you trust it, "
                f"set the environment variable {VARIABLE} to a larger number of bytes, such as 8G"
            )

    def read(self, stream: Readable) -> bytes:
        """All of a stream."""
        parts = []
        while part := stream.read(CHUNK):
            self.take(len(part))
            parts.append(part)
        return b"".join(parts)


class Counted:
    """A stream of which every byte that is read is counted."""

    def __init__(self, stream: Readable, allowance: Allowance) -> None:
        self._stream, self._allowance = stream, allowance

    def read(self, size: int = -1) -> bytes:
        """Up to so many bytes."""
        part = self._stream.read(CHUNK if size < 0 else size)
        self._allowance.take(len(part))
        return part


def opened(file: str) -> IO[bytes]:
    """The content of a file, plain or compressed by gzip, bzip2 or xz, which its first bytes tell."""
    with open(file, "rb") as held:
        start = held.read(6)
    opener = next((opener for magic, opener in OPENERS.items() if start.startswith(magic)), open)
    stream: IO[bytes] = opener(file, "rb")
    return stream


def refuse_large(file: str) -> int:
    """How many bytes a file has when unpacked, that another package is about to read; may raise TooLarge."""
    with opened(file) as stream:
        if not isinstance(stream, (gzip.GzipFile, bz2.BZ2File, lzma.LZMAFile)):
            return os.path.getsize(file)
        allowance = Allowance(file)
        try:
            while part := stream.read(CHUNK):
                allowance.take(len(part))
        except DAMAGED as error:
            raise ValueError(f"{file}: damaged compressed file: {error}") from error
        return allowance.limit - allowance.left


def refuse_large_zip(file: str) -> None:
    """Raises TooLarge for a zip archive that another package is about to read; what is no zip is let pass.

    The sizes that the archive states are a bound: zipfile does not read beyond them.
    """
    allowance = Allowance(file)
    try:
        with zipfile.ZipFile(file) as archive:
            for member in archive.infolist():
                allowance.take(member.file_size)
    except DAMAGED:
        return
