"""What a report shows besides its text: tables and pictures, whoever made them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """A table of words and numbers besides the measurements."""

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Picture:
    """A PNG file, or a GIF file if it moves, what to say to those who cannot see it, and a caption."""

    png: bytes
    alt: str
    caption: str
    wide: bool = False
