"""What is asked: scenarios by part, each with its share of the queries, run round by round.

A scenario is a generator that asks one round of questions and yields after each call. Round k of a scenario
depends on the seed, its name and k alone, so that each can be repeated by itself.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np

from .reading import Notes
from .sheet import Sheet

Round = Iterator[None]
Ask = Callable[[np.random.Generator, Notes], Round]


@dataclass(frozen=True)
class Scenario:
    """A name `part/scenario`, its share of the queries beside the shares of the others, and what it asks."""

    name: str
    share: float
    ask: Ask

    @property
    def part(self) -> str:
        """The first half of the name."""
        return self.name.partition("/")[0]

    def run(self, sheet: Sheet, seed: int, quota: int, only: Sequence[int] = ()) -> Iterator[int]:
        """Asks so many queries, or so many of the rounds `only`; yields how many were asked so far."""
        begin = sheet.queries
        for number in only or count():
            sheet.begin(f"{self.name}#{number}")
            for _ in self._round(sheet, seed, number):
                yield sheet.queries - begin
                if sheet.queries - begin >= quota:
                    return

    def _round(self, sheet: Sheet, seed: int, number: int) -> Iterator[None]:
        """One round; an error ends it, and is an answer."""
        rng = np.random.default_rng([seed, zlib.crc32(self.name.encode()), number])
        notes = Notes(sheet, rng, number)
        try:
            yield from self.ask(rng, notes)
        except Exception as error:
            notes.failure(error)
            print(f"{self.name}#{number}: {type(error).__name__}: {error}", file=sys.stderr)
            yield


SCENARIOS: list[Scenario] = []


def scenario(part: str, share: float) -> Callable[[Ask], Ask]:
    """Adds a generator function to the scenarios of a part."""

    def add(ask: Ask) -> Ask:
        SCENARIOS.append(Scenario(f"{part}/{ask.__name__}", share, ask))
        return ask

    return add


def all_scenarios() -> list[Scenario]:
    """Those of all modules, sorted by name."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name.startswith("ask_"):
            importlib.import_module(f"{__package__}.{module.name}")
    return sorted(SCENARIOS, key=lambda each: each.name)


def quotas(scenarios: Sequence[Scenario], queries: int) -> list[int]:
    """How many queries each gets: by its share, and at least one."""
    total = sum(each.share for each in scenarios)
    return [max(1, round(queries * each.share / total)) for each in scenarios]
