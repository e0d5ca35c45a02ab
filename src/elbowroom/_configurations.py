"""Articulated bodies at the `configurations` that were given with a question."""

from __future__ import annotations

from typing import Any

from elbowroom.articulated import Articulated


def one(body: Any, configurations: Any, name: str = "configurations") -> Articulated:
    """A body that shares everything with this one but is at many configurations (n, dof)."""
    if not isinstance(body, Articulated):
        raise ValueError(f"{name} are of an articulated body, and this is a {type(body).__name__}")
    return body._at(configurations, name)


def two(a: Any, b: Any, configurations: Any) -> tuple[Any, Any]:
    """The same for the articulated ones of two bodies."""
    if not isinstance(a, Articulated) or not isinstance(b, Articulated):
        return (a, one(b, configurations)) if isinstance(b, Articulated) else (one(a, configurations), b)
    if not isinstance(configurations, tuple) or len(configurations) != 2:
        raise ValueError(
            "configurations must be a pair (of a, of b) where both bodies are articulated; "
            "None leaves one of them as it is"
        )
    both = zip((a, b), configurations, strict=True)
    of_a, of_b = (x if c is None else one(x, c, f"configurations[{k}]") for k, (x, c) in enumerate(both))
    return of_a, of_b
