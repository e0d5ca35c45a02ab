"""Deprecated alias of `elbowroom.pictures`."""

from __future__ import annotations

import warnings
from typing import Any

from . import pictures

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    """A name of `elbowroom.pictures`, with a DeprecationWarning."""
    if name not in pictures.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        f"elbowroom.view.{name} is deprecated: use elbowroom.pictures.{name}",
        DeprecationWarning,
        stacklevel=2,
    )
    return getattr(pictures, name)
