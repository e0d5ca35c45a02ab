"""Readers of other packages, kept quiet, and what they stumbled over."""

from __future__ import annotations

import sys
import threading
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

# Filters of warnings and the hook belong to the process: the first thread that wants quiet changes them, and
# the last one puts them back.
_lock = threading.Lock()
_within: Counter[int] = Counter()  # how often each thread is
_changed = ExitStack()


@contextmanager
def quietly() -> Iterator[None]:
    """Without the warnings of MDAnalysis, which are about what is guessed here or not needed.

    Nor may a reader complain that it cannot be closed, when it is thrown away because it could not be opened.
    Several threads may be within at a time.
    """
    me = threading.get_ident()
    with _lock:
        if not _within:
            _silence()
        _within[me] += 1
    try:
        yield
    finally:
        with _lock:
            _within[me] -= 1
            if not _within[me]:
                del _within[me]
            if not _within:
                _changed.close()


def _silence() -> None:
    _changed.enter_context(warnings.catch_warnings())
    warnings.simplefilter("ignore")
    before = sys.unraisablehook

    def hook(unraisable: Any) -> None:
        if threading.get_ident() not in _within:
            before(unraisable)

    sys.unraisablehook = hook
    _changed.callback(setattr, sys, "unraisablehook", before)


def reason(error: BaseException) -> str:
    """What it says, in one line that is not too long; of readers of MDAnalysis what their parser said."""
    told = str(error).partition("\nError: ")[2] if str(error).startswith("Failed to ") else str(error)
    lines = (told or str(error)).strip().splitlines() or [type(error).__name__]
    return lines[0][:160]
