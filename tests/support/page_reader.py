"""Reads what a page with a recorded scene holds."""

from __future__ import annotations

import base64
import json
from html.parser import HTMLParser
from typing import Any

import numpy as np


class Reader(HTMLParser):
    """Keeps the tags, what they refer to, and the scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: set[str] = set()
        self.names: set[str] = set()
        self.checked: set[str] = set()
        self.links: list[str] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        held = dict(attributes)
        self.ids |= {held["id"] or ""} if "id" in held else set()
        self.names |= {held["name"] or ""} if "name" in held else set()
        self.checked |= {held["name"] or ""} if "checked" in held else set()
        self.links += [held[name] or "" for name in ("src", "href") if name in held]

    def handle_data(self, text: str) -> None:
        if self.tags and self.tags[-1] == "script" and text.strip():
            self.scripts.append(text)


def floats(text: str, *shape: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4").reshape(shape)


def data_of(page: str) -> dict[str, Any]:
    return json.loads(Reader(page).scripts[0])
