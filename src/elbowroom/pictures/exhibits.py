"""What a report shows besides its text: tables, pictures and scenes, whoever made them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


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


@dataclass(frozen=True)
class Scene:
    """A recorded scene that can be turned and played: `data` is what `player_data.recorded` makes.

    `alt` is for those who cannot see it. `layers` names what can be hidden, and whether it shows at first.
    """

    data: Mapping[str, Any]
    alt: str
    caption: str
    layers: Mapping[str, bool] = field(default_factory=dict)
