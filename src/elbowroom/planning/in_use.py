"""Planners are used by one thread at a time."""

from __future__ import annotations

import functools
from collections.abc import Callable
from threading import RLock
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
Planner = TypeVar("Planner")


class InUse:
    """A lock that refuses instead of waiting; copies and pickles of it are free."""

    def __init__(self) -> None:
        self._lock = RLock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("the planner is in use by another thread")

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[Any, ...]:
        return InUse, ()


def alone(
    method: Callable[Concatenate[Planner, P], R],
) -> Callable[Concatenate[Planner, P], R]:
    """A method that raises a RuntimeError while another thread is in one of these, by `self._in_use`."""

    @functools.wraps(method)
    def guarded(self: Planner, /, *args: P.args, **options: P.kwargs) -> R:
        with self._in_use:  # type: ignore[attr-defined]
            return method(self, *args, **options)

    return guarded
