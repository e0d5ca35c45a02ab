"""Which pairs of parts are compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product

from elbowroom._clash_pairs import Item

WILD = frozenset("*?[")
#: Pairs of patterns that stand for at most so many pairs of parts are listed one by one.
FEW = 4

Numbers = frozenset[int]


@dataclass(frozen=True)
class Filter:
    """Which pairs are compared: by names of parts, of what is above them in the file, and by patterns.

    Attributes
    ----------
    between
        Only a part that matches the first with one that matches the second; None: all with all.
    ignore
        Pairs that are not compared.

    Examples
    --------
    >>> from elbowroom.clashes import Filter
    >>> pipes_and_beams = Filter(between=("pipe*", "beam*"), ignore=[("pipe-3", "beam-7")])
    """

    between: tuple[str, str] | None = None
    ignore: Sequence[tuple[str, str]] = ()

    @property
    def patterns(self) -> tuple[str, ...]:
        """All patterns, each once."""
        pairs = [*([self.between] if self.between else []), *self.ignore]
        return tuple(dict.fromkeys(pattern for pair in pairs for pattern in pair))


class Sieve:
    """A filter for certain parts, which are numbered."""

    def __init__(self, wanted: Filter, items: Sequence[Item]) -> None:
        self._named: dict[str, set[int]] = {}
        for k, item in enumerate(items):
            for name in (item.name, *item.parents):
                self._named.setdefault(name, set()).add(k)
        found = {pattern: self._matching(pattern) for pattern in wanted.patterns}
        self.unused = tuple(pattern for pattern, numbers in found.items() if not numbers)
        self._between = None if wanted.between is None else tuple(found[each] for each in wanted.between)
        self._never: set[tuple[int, int]] = set()
        self._groups: list[tuple[Numbers, Numbers]] = []
        for first, second in wanted.ignore:
            self._ignore(found[first], found[second])

    def admits(self, i: int, j: int) -> bool:
        """Are these two compared?"""
        if self._between is not None and not _across(i, j, *self._between):
            return False
        return (i, j) not in self._never and not any(_across(i, j, *pair) for pair in self._groups)

    def _ignore(self, first: Numbers, second: Numbers) -> None:
        if len(first) * len(second) <= FEW:
            self._never.update(_both_ways(product(first, second)))
        else:
            self._groups.append((first, second))

    def _matching(self, pattern: str) -> Numbers:
        if pattern in self._named or not WILD & set(pattern):
            return frozenset(self._named.get(pattern, ()))
        some = (numbers for name, numbers in self._named.items() if fnmatchcase(name, pattern))
        return frozenset().union(*some)


def _across(i: int, j: int, first: Numbers, second: Numbers) -> bool:
    return (i in first and j in second) or (j in first and i in second)


def _both_ways(pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for i, j in pairs:
        yield i, j
        yield j, i
