"""What parts of bodies are called in answers."""

from __future__ import annotations

from typing import Any


def called(body: Any, part: int) -> str | int:
    """The name of a link or an atom, or the number of a ball or primitive."""
    names = getattr(body, "link_names", None) or getattr(body, "labels", None)
    return str(names[part]) if names else part
