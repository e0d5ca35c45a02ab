"""What the fuzzers share: a tally of what was asked and what came out wrong, and bodies by their makers.

A `Fuzzer` makes bodies of every maker in every variant, of many sizes, in chunks for several processes, and
shows the tallies as a table. A failure tells the `Start` of its body: with --again that body alone goes
through the same motion.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

SHOWN = 12  # failures shown
COUNTS = ("moves", "verdicts", "collisions", "in_doubt", "wrong_free", "wrong_hit", "other")


def size_up_to(longest: int, rng: np.random.Generator) -> int:
    """From 2 to the longest, each order of magnitude as often as the others."""
    return int(2.0 * (longest / 2.0) ** rng.random() + 0.5)


@dataclass
class Tally:
    """What came out wrong; more is counted in the tally of each fuzzer."""

    wrong_free: int = 0
    wrong_hit: int = 0
    other: int = 0

    def add(self, more: Any) -> None:
        """Counts and lists are added up, of errors the worst is kept, of failures by name the first."""
        for name, value in vars(more).items():
            mine = getattr(self, name)
            if isinstance(mine, dict):
                setattr(self, name, value | mine)
            else:
                setattr(self, name, max(mine, value) if name.endswith("error") else mine + value)

    @property
    def wrong(self) -> int:
        return self.wrong_free + self.wrong_hit + self.other


@dataclass
class MotionTally(Tally):
    """The tally of bodies that move, and their failures one by one."""

    bodies: int = 0
    moves: int = 0
    verdicts: int = 0
    collisions: int = 0
    in_doubt: int = 0
    failures: list[str] = field(default_factory=list)

    def expect(self, good: Any, what: str, counter: str = "other") -> None:
        if not good:
            setattr(self, counter, getattr(self, counter) + 1)
            self.failures.append(what)


class Start(NamedTuple):
    """A body and all that happens to it."""

    maker: str
    variant: str
    size: int
    seed: int

    def __str__(self) -> str:
        return f'"{self.maker} {self.variant} {self.size} {self.seed}"'


def start_of(told: str) -> Start:
    """The maker comes first, the numbers last; names of variants may have blanks."""
    maker, *variant, size, seed = told.split()
    return Start(maker, " ".join(variant), int(size), int(seed))


Check = Callable[[Start, Any], None]
Tallies = dict[tuple[str, str], Any]


def checked(check: Check, start: Start, tally: MotionTally) -> None:
    """Whatever the library raises on sound input is a failure to report."""
    tally.bodies += 1
    try:
        check(start, tally)
    except Exception:  # of any kind: it is counted, told with its trace, and the run ends with status 1
        tally.expect(False, f"raised {traceback.format_exc(limit=-2)}: --again {start}")


class Chunk(NamedTuple):
    starts: tuple[Start, ...]
    check: Check
    tally: type[MotionTally]
    deadline: float


def run_chunk(chunk: Chunk) -> Tallies:
    tallies: Tallies = {}
    for start in chunk.starts:
        if time.time() > chunk.deadline:
            break
        checked(chunk.check, start, tallies.setdefault((start.maker, start.variant), chunk.tally()))
    return tallies


@dataclass(frozen=True)
class Fuzzer:
    """What sets one fuzzer apart from the others. Its functions have names, by which processes find them."""

    about: str | None  # the text of --help
    thing: str  # what a body is called, such as "chain"
    things: str
    variant: str  # what variants are called, such as "volume"
    makers: Sequence[str]
    variants: Sequence[str]
    makes: Callable[[list[str], list[str]], Sequence[tuple[str, str]]]  # of chosen makers and variants
    size: Callable[[np.random.Generator], int]
    check: Check
    check_again: Check  # the same, and may explain more
    tally: type[MotionTally]
    moves: int  # in all, unless told otherwise
    moves_each: int
    per_chunk: int
    worst: tuple[tuple[str, str], ...] = ()  # further columns: the title, and the error in the tally

    def starts(self, makes: Sequence[tuple[str, str]], seed: int, first: int) -> tuple[Start, ...]:
        made = []
        for number in range(first, first + self.per_chunk):
            rng = np.random.default_rng((seed, number))
            size = self.size(rng)
            made.append(Start(*makes[number % len(makes)], size, int(rng.integers(10**6))))
        return tuple(made)

    def run(self, args: argparse.Namespace) -> Tallies:
        makes = self.makes(args.makers.split(","), args.variants.split(","))
        bodies, deadline = -(-args.moves // self.moves_each), time.time() + args.seconds
        parts = [self.starts(makes, args.seed, first) for first in range(0, bodies, self.per_chunk)]
        work = [Chunk(part, self.check, self.tally, deadline) for part in parts]
        tallies: Tallies = {}
        spawn = multiprocessing.get_context("spawn")
        # An executor, unlike a pool, says so when a process dies.
        with Progress() as progress, ProcessPoolExecutor(args.processes, mp_context=spawn) as pool:
            bar = progress.add_task("moves", total=args.moves)
            for done in as_completed([pool.submit(run_chunk, chunk) for chunk in work]):
                for key, tally in done.result().items():
                    tallies.setdefault(key, self.tally()).add(tally)
                whole = self.total(tallies)
                progress.update(bar, completed=whole.moves, description=f"moves ({whole.wrong} wrong)")
        return tallies

    def again(self, told: str) -> Tallies:
        start, tally = start_of(told), self.tally()
        checked(self.check_again, start, tally)
        return {(start.maker, start.variant): tally}

    def total(self, tallies: Tallies, maker: str | None = None, variant: str | None = None) -> MotionTally:
        whole = self.tally()
        for (m, v), tally in tallies.items():
            if maker in (None, m) and variant in (None, v):
                whole.add(tally)
        return whole

    def table(self, tallies: Tallies) -> Table:
        titles = [title for title, _ in self.worst]
        result = Table("", self.things, *(name.replace("_", " ") for name in COUNTS), *titles)
        makers, variants = (list(dict.fromkeys(key[k] for key in sorted(tallies))) for k in (0, 1))
        rows = {f"{m} ({self.thing})": self.total(tallies, maker=m) for m in makers}
        rows |= {f"{v} ({self.variant})": self.total(tallies, variant=v) for v in variants}
        for name, tally in (rows | {"all": self.total(tallies)}).items():
            cells = [str(getattr(tally, count)) for count in ("bodies", *COUNTS)]
            errors = [f"{getattr(tally, error):.1e}" for _, error in self.worst]
            result.add_row(name, *cells, *errors, style="red" if tally.wrong else None)
        return result

    def arguments(self, argv: list[str] | None) -> argparse.Namespace:
        plain = argparse.RawDescriptionHelpFormatter
        parser = argparse.ArgumentParser(description=self.about, formatter_class=plain)
        parser.add_argument("--moves", type=int, default=self.moves, help="moves in all")
        parser.add_argument("--seconds", type=float, default=600.0, help="stop after this time")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--makers", default=",".join(self.makers), help="only what these make")
        variants, told = ",".join(self.variants), f"only these {self.variant}s"
        parser.add_argument(f"--{self.variant}s", dest="variants", default=variants, help=told)
        parser.add_argument("--processes", type=int, default=2)
        parser.add_argument("--again", help=f"one {self.thing}: maker, {self.variant}, size, seed")
        return parser.parse_args(argv)

    def unknown(self, args: argparse.Namespace) -> set[str]:
        makers, variants = set(args.makers.split(",")), set(args.variants.split(","))
        return (makers - set(self.makers)) | (variants - set(self.variants))

    def main(self, argv: list[str] | None = None) -> int:
        """Exit status 1 if any answer was wrong, 2 if a name is not known."""
        args = self.arguments(argv)
        if unknown := self.unknown(args):
            names = ", ".join(sorted(unknown))
            print(f"no such maker or {self.variant}: {names}", file=sys.stderr)
            return 2
        tallies = self.again(args.again) if args.again else self.run(args)
        console, whole = Console(width=150), self.total(tallies)
        for failure in whole.failures[:SHOWN]:
            console.print(failure, markup=False, highlight=False, soft_wrap=True)
        console.print(self.table(tallies))
        if not args.again and whole.moves < args.moves:
            console.print(f"--seconds {args.seconds:g} stopped the run after {whole.moves} moves")
        return int(whole.wrong > 0)
