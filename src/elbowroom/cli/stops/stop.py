"""What a stop of the tour is made of, and what it brings back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from elbowroom.pictures.exhibits import Picture, Scene, Table

WORK = ("volume_tests", "leaf_tests")
HEADINGS = ("what", "queries", "µs each", "volume tests", "leaf tests", "answer")


@dataclass(frozen=True)
class Row:
    """One measurement: so many queries, the time and the counted work of each on average."""

    what: str
    queries: int
    microseconds: float
    counters: Mapping[str, float]
    answer: str = ""

    def cells(self) -> tuple[str, ...]:
        """Words and numbers under `HEADINGS`."""
        work = [short(self.counters[name]) if self.counters else "" for name in WORK]
        return (self.what, f"{self.queries:,}", short(self.microseconds), *work, self.answer)


@dataclass(frozen=True)
class Section:
    """What a stop brings back. `figures` go into the JSON file only."""

    rows: Sequence[Row]
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    scenes: Sequence[Scene] = ()


class Progress:
    """Hears what a stop is about to do, and tells it whether to be quick. This one is silent."""

    def __init__(self, *, quick: bool = False) -> None:
        self.quick = quick

    def step(self, what: str) -> None:
        """Say what comes next."""

    def size(self, full: int) -> int:
        """How many queries to make where a full tour makes `full`."""
        return max(1, full // 10) if self.quick else full

    @property
    def dpi(self) -> int:
        """Resolution of pictures."""
        return 72 if self.quick else 144


@dataclass(frozen=True)
class Stop:
    """One stop of the tour. `code` are the lines a reader would type; the tests run them as they stand."""

    title: str
    shows: str
    code: str
    run: Callable[[Progress], Section]


def short(value: float) -> str:
    """About three significant digits, without an exponent; counts whole."""
    if isinstance(value, int):
        return f"{value:,}"
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    digits = 3 if abs(value) < 0.1 else 2 if abs(value) < 10 else 1
    return f"{value:.{digits}f}"
