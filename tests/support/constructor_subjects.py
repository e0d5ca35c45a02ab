"""The constructors as a subject of fuzzing: sound calls in which one or two arguments are odd."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from constructor_makers import MAKERS
from fuzz_children import Case
from odd_values import UNMADE, odd
from sound_arguments import Arguments, Rng

#: Messages about a run name a table of it.
TABLES = ("table", "[chain]", "[energy]", "[moves", "[run]")


def weight(value: Any, depth: int = 0) -> int:
    """Bytes of the arrays and texts in an argument."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, (str, bytes, bytearray)):
        return len(value)
    if isinstance(value, (list, tuple)) and depth < 3:
        return sum(weight(item, depth + 1) for item in value[:10_000]) + 8 * len(value)
    return 64


@dataclass
class Constructors:
    """All constructors, or those of some names; a case is known by its number."""

    name: str
    names: tuple[str, ...]
    _folder: Path = Path()

    def prepare(self, folder: Path) -> None:
        self._folder = folder
        for name in self.names:
            for k in range(5):
                maker = MAKERS[name]
                maker.use(maker.call(**maker.sound(np.random.default_rng(k), 20)))

    def large(self) -> Case:
        """Of the heaviest of them: a chain, a necklace or a mesh."""
        name = next(name for name in ("Chain", "Necklace", "Mesh", *self.names) if name in self.names)
        arguments = MAKERS[name].sound(np.random.default_rng(0), 20_000)
        return self.case(name, arguments, "large")

    def draw(self, rng: Rng) -> Case:
        number = int(rng.integers(2**62))
        case = self.numbered(number)
        (self._folder / "case.txt").write_text(case.told)
        return case

    def numbered(self, number: int) -> Case:
        """A constructor with one or two odd arguments."""
        rng = np.random.default_rng(number)
        name = self.names[int(rng.integers(len(self.names)))]
        maker = MAKERS[name]
        arguments = maker.sound(rng, 2 + int(60 ** rng.random()))
        count = min(len(arguments), int(rng.choice([1, 1, 1, 2])))
        chosen = rng.choice(list(arguments), size=count, replace=False)
        for each in chosen.tolist():
            value = odd(arguments[each], rng)
            huge = isinstance(value, (int, float, np.generic)) and np.real(value) > 1000
            arguments[each] = arguments[each] if each in maker.counts and huge else value
        lenient = rng.random() < 0.02
        if lenient:  # an object that was never made: no more is asked than to live through it
            arguments[str(chosen[0])] = UNMADE[int(rng.integers(len(UNMADE)))]
        return self.case(name, arguments, f"{name} {number}", lenient)

    def case(self, name: str, arguments: Arguments, told: str, lenient: bool = False) -> Case:
        maker = MAKERS[name]

        def run() -> None:
            maker.use(maker.call(**arguments))

        size = sum(map(weight, arguments.values())) + sys.getsizeof(arguments)
        path = arguments.get("path")
        files = (str(path), "sound-") if isinstance(path, (str, Path)) else ()
        return Case(run, size, (*arguments, *TABLES, *files), told, lenient=lenient)

    def learn(self, case: Case) -> None:
        """Cases are all drawn anew."""


def constructors(name: str, names: tuple[str, ...]) -> Constructors:
    return Constructors(name, names)
