"""What a stop of the tour is made of, and how it measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from ..report import Row, Section

COUNTERS = ("volume_tests", "leaf_tests", "pairs_visited")


class Progress:
    """Hears what a stop is about to do, and tells it whether to be quick. This one is silent."""

    def __init__(self, *, quick: bool = False) -> None:
        self.quick = quick

    def step(self, what: str) -> None:
        """Say what comes next."""

    def size(self, full: int) -> int:
        """How many queries to make where a full tour makes `full`."""
        return max(1, full // 10) if self.quick else full


@dataclass(frozen=True)
class Stop:
    """One stop of the tour. `code` are the lines a reader would type; the tests run them as they stand."""

    title: str
    shows: str
    code: str
    run: Callable[[Progress], Section]


def measure(what: str, ask: Callable[[], Any], *, queries: int = 1, repeats: int = 3) -> tuple[Any, Row]:
    """The answer to a question that stands for many queries, and its row: the best of some repeats."""
    best = float("inf")
    for _ in range(repeats):
        start = perf_counter()
        answer = ask()
        best = min(best, perf_counter() - start)
    return answer, Row(what, queries, 1e6 * best / queries, _work([answer], queries))


def measure_each(what: str, ask: Callable[[Any], Any], items: Iterable[Any]) -> tuple[list[Any], Row]:
    """The answers to one question about each item, one Python call each, and their row."""
    items = list(items)
    start = perf_counter()
    answers = [ask(item) for item in items]
    seconds = perf_counter() - start
    return answers, Row(what, len(items), 1e6 * seconds / len(items), _work(answers, len(items)))


def _work(answers: list[Any], queries: int) -> Mapping[str, float]:
    if not hasattr(answers[0], "counters"):
        return {}
    return {name: sum(getattr(answer.counters, name) for answer in answers) / queries for name in COUNTERS}
