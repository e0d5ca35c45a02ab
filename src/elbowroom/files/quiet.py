"""Readers of other packages, kept quiet, and what they stumbled over."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quietly() -> Iterator[None]:
    """Without the warnings of MDAnalysis, which are about what is guessed here or not needed.

    Nor may a reader complain that it cannot be closed, when it is thrown away because it could not be opened.
    """
    before = sys.unraisablehook
    sys.unraisablehook = lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.unraisablehook = before


def reason(error: BaseException) -> str:
    """The first line of what it says, at most so long."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:160]
