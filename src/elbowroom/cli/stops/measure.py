"""Measuring queries for the tour: times and counted work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from time import perf_counter
from typing import Any

from .stop import Row

COUNTERS = ("volume_tests", "leaf_tests", "pairs_visited")


def measure(what: str, ask: Callable[[], Any], *, queries: int = 1, repeats: int = 3) -> tuple[Any, Row]:
    """The answer to a call that makes many queries, and its row: the best of some repeats."""
    best = float("inf")
    for _ in range(repeats):
        start = perf_counter()
        answer = ask()
        best = min(best, perf_counter() - start)
    return answer, Row(what, queries, 1e6 * best / queries, _work([answer], queries))


def measure_each(what: str, ask: Callable[[Any], Any], items: Iterable[Any]) -> tuple[list[Any], Row]:
    """The answers to one question about each item, one Python call each, and their row."""
    items = list(items)
    best = float("inf")
    for _ in range(3):
        start = perf_counter()
        answers = [ask(item) for item in items]
        best = min(best, perf_counter() - start)
    return answers, Row(what, len(items), 1e6 * best / len(items), _work(answers, len(items)))


def _work(answers: list[Any], queries: int) -> Mapping[str, float]:
    """Counters of the answers, on average over the queries; none where a call answers without counting."""
    if not hasattr(answers[0], "counters"):
        return {}
    return {name: sum(getattr(answer.counters, name) for answer in answers) / queries for name in COUNTERS}
