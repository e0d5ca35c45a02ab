"""What a file holds, unpacked if it was compressed; and what an XML file holds, if it is in order."""

from __future__ import annotations

import bz2
import gzip
import logging
import lzma
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from elbowroom.files.unpacking import DAMAGED, Allowance, opened

#: Messages are not longer: a broken file may make a reader quote without end.
LONGEST_MESSAGE = 600
COMPRESSED = (gzip.GzipFile, bz2.BZ2File, lzma.LZMAFile)


@contextmanager
def blaming(path: str | os.PathLike[str], *arguments: str) -> Iterator[None]:
    """What goes wrong within is a ValueError that names the file, and is not too long.

    Messages that begin with the name of one of the `arguments` are about those and stay as they are.
    """
    file = os.fspath(path)
    try:
        yield
    except (ValueError, OverflowError, RecursionError) as error:
        said = "it contains bytes that are not text" if isinstance(error, UnicodeError) else str(error)
        if arguments and said.startswith(arguments):
            raise
        named = said if file in said else f"{file}: {said}"
        if type(error) is not ValueError or named != str(error) or len(named) > LONGEST_MESSAGE:
            raise ValueError(shortened(named)) from error
        raise


def shortened(message: str) -> str:
    """The beginning of what is too long."""
    return message if len(message) <= LONGEST_MESSAGE else f"{message[: LONGEST_MESSAGE - 4]} ..."


def hush(name: str) -> None:
    """Keeps what a package logs from the screen, where it goes if nobody has set up logging."""
    logger = logging.getLogger(name)
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a file, compressed by gzip, bzip2 or xz, or not."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be a file name, got {type(path).__name__}")
    name = os.fspath(path)
    if not os.path.isfile(name):
        raise FileNotFoundError(f"'{name}': no such file{', it is a folder' if os.path.isdir(name) else ''}")
    with opened(name) as stream:
        if not isinstance(stream, COMPRESSED):
            return stream.read()
        try:
            return Allowance(name).read(stream)
        except DAMAGED as error:
            kind = type(stream).__name__.removesuffix("File").lower()
            raise ValueError(f"{name}: damaged {kind} file: {error}") from error


def etree() -> Any:
    """The module lxml.etree, or an ImportError that says how to get it."""
    try:
        from lxml import etree
    except ImportError as error:
        raise ImportError(
            "reading URDF and SRDF files needs lxml, which is not installed: pip install elbowroom[robots]"
        ) from error
    return etree


def read_robot_element(path: str | os.PathLike[str], format: str) -> Any:
    """The root of an XML file, which must be <robot>, without comments.

    Prefixes that are declared nowhere are let pass: files for old simulators are full of them, in parts that
    are not read.
    """
    content, name, library = read_bytes(path).rstrip(b"\0 \t\r\n"), os.fspath(path), etree()
    parser = library.XMLParser(
        recover=True, remove_comments=True, remove_pis=True, resolve_entities=False, no_network=True
    )
    try:
        root = library.fromstring(content, parser) if content else None
    except library.XMLSyntaxError as error:  # of what is so broken that nothing is left
        raise ValueError(f"{name}: not XML: {error}") from error
    faults = [fault for fault in parser.error_log if fault.domain_name != "NAMESPACE"]
    if faults:
        raise ValueError(shortened(f"{name}: not XML: line {faults[0].line}: {faults[0].message}"))
    if root is None or root.tag != "robot":
        found = "is empty" if root is None else f"begins with <{root.tag}>"
        raise ValueError(f"{name}: not {format}, which begins with <robot>: it {found}")
    _refuse_macros(root, name)
    return root


def _refuse_macros(root: Any, name: str) -> None:
    for element in root.iter("{*}*", "*"):
        prefix = element.tag.rpartition("}")[0] or element.tag.rpartition(":")[0]
        if "xacro" in prefix:
            raise ValueError(
                f"{name}: line {element.sourceline}: it contains xacro macros: expand them with xacro first"
            )
