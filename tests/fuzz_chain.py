"""Random changes of chains of every make and length, every verdict judged by brute force.

    python tests/fuzz_chain.py --moves 100000 --seconds 600 --seed 0 [--makers coil,rows] [--volumes auto,obb]
    python tests/fuzz_chain.py --again "coil auto 300 17"

Exit status 1 if any answer was wrong. Verdicts are judged where the clearance is larger than 1e-9 of the size
of the chain; those nearer to touching are counted as in doubt. A failure tells the maker, the volume, the
number of links and the seed of its chain: with --again that chain alone goes through the same changes.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from chain_makers import COMBINATIONS, MAKERS, VOLUMES, Recipe
from chain_oracle import ROUNDING, SlowChain, Twin, random_move, touching_angle
from numba import njit
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import elbowroom as er

MOVES_OF_A_CHAIN = 60
LONGEST = 2000
SHOWN = 12  # failures shown
ASK_MORE = 0.05  # the share of moves after which everything else is asked, and balls brought to touch
CHAINS_PER_CHUNK = 20


class Start(NamedTuple):
    """A chain and all that happens to it."""

    maker: str
    volume: str
    links: int
    seed: int

    def __str__(self) -> str:
        return f'"{self.maker} {self.volume} {self.links} {self.seed}"'


@dataclass
class Tally:
    """What was asked, and what came out wrong."""

    chains: int = 0
    moves: int = 0
    verdicts: int = 0
    collisions: int = 0
    in_doubt: int = 0
    wrong_free: int = 0
    wrong_hit: int = 0
    other: int = 0
    position_error: float = 0.0
    failures: list[str] = field(default_factory=list)

    def add(self, more: Tally) -> None:
        self.position_error = max(self.position_error, more.position_error)
        for name, value in vars(more).items():
            if name != "position_error":
                setattr(self, name, getattr(self, name) + value)

    def expect(self, good: bool, what: str, counter: str = "other") -> None:
        if not good:
            setattr(self, counter, getattr(self, counter) + 1)
            self.failures.append(what)

    @property
    def wrong(self) -> int:
        return self.wrong_free + self.wrong_hit + self.other


@njit(cache=True)
def smallest_gap(balls, radii, owner, exclude, allowed):  # type: ignore[no-untyped-def]
    """The least surface distance over all pairs that are tested."""
    least = np.inf
    for i in range(len(balls)):
        for j in range(i + 1, len(balls)):
            apart = abs(owner[i] - owner[j])
            if apart > exclude and apart > 0 and not allowed[owner[i], owner[j]]:
                x, y, z = balls[i, 0] - balls[j, 0], balls[i, 1] - balls[j, 1], balls[i, 2] - balls[j, 2]
                least = min(least, np.sqrt(x * x + y * y + z * z) - radii[i] - radii[j])
    return least


def allowed_matrix(recipe: Recipe) -> np.ndarray:
    n = len(recipe.positions)
    allowed = np.zeros((n, n), dtype=np.bool_)
    for p, q in recipe.allowed:
        allowed[p, q] = allowed[q, p] = True
    return allowed


class Judge:
    """One chain under test, its slow twin and the tally."""

    def __init__(self, start: Start, tally: Tally) -> None:
        self.rng = np.random.default_rng((start.seed, start.links))
        self.start, self.tally, self.step = start, tally, 0
        self.recipe = MAKERS[start.maker](self.rng, start.links)
        self.allowed = allowed_matrix(self.recipe)
        self.twin = Twin(self.recipe.chain(**VOLUMES[start.volume]), SlowChain(self.recipe))

    def expect(self, good: Any, what: str, counter: str = "other") -> None:
        self.tally.expect(bool(good), f"{what}: --again {self.start}, step {self.step}", counter)

    def clearance(self) -> float:
        slow = self.twin.slow
        gap = smallest_gap(slow.balls, slow.radii, slow.owner, self.recipe.exclude, self.allowed)
        return float(gap)

    def judge(self) -> bool:
        verdict, gap, doubt = self.twin.chain.collides(), self.clearance(), self.twin.slow.doubt
        self.tally.verdicts += 1
        self.tally.collisions += verdict
        if abs(gap) <= doubt:
            self.tally.in_doubt += 1
            return bool(verdict)
        self.expect(verdict or gap > 0.0, f"free, but balls overlap by {-gap:.3g}", "wrong_free")
        self.expect(not verdict or gap < 0.0, f"collision, but the clearance is {gap:.3g}", "wrong_hit")
        return bool(verdict)

    def ask_more(self) -> None:
        """Positions, the distance, and the state of the tree."""
        chain, slow, gap = self.twin.chain, self.twin.slow, self.clearance()
        off = float(np.abs(chain.positions(side=True) - slow.positions(side=True)).max()) / slow.size
        self.tally.position_error = max(self.tally.position_error, off)
        self.expect(off <= ROUNDING, f"positions are off by {off:.1e} of the size")
        if np.isfinite(gap):
            found = er.self_distance(chain)
            self.expect(abs(found.value - max(gap, 0.0)) <= slow.doubt, "self_distance is wrong")
            near = len(er.self_within(chain, max(gap, 0.0) + 2.0 * slow.doubt))
            self.expect(near >= 1, "self_within misses the nearest pair")
        chain.validate()

    def make_changes(self) -> int:
        """One or a few; tells how many can be undone, which torsions without an axis cannot."""
        before, count = len(self.twin.slow.history), int(self.rng.choice([1] * 10 + [2, 5]))
        for _ in range(count):
            self.twin.make(random_move(self.rng, self.twin.slow, gentle=self.rng.random() < 0.7))
        self.tally.moves += count
        self.step += count
        return len(self.twin.slow.history) - before

    def approach(self) -> None:
        """From a free chain, a torsion that ends next to touching: one side of it or the other."""
        slow, joint = self.twin.slow, int(self.rng.integers(self.start.links - 1))
        hit = float(self.rng.uniform(-np.pi, np.pi))
        bond = np.linalg.norm(slow.balls[joint + 1] - slow.balls[joint])
        if self.clearance() <= 0.0 or bond <= slow.doubt:
            return
        slow.rotate(joint, hit)
        collides = self.clearance() < 0.0
        slow.undo()
        if collides:
            hair = float(self.rng.choice([-1.0, 1.0]) * 10.0 ** self.rng.uniform(-11.0, -4.0))
            angle = touching_angle(slow, joint, hit, self.clearance) + hair
            self.twin.make(("rotate", (joint, angle)))
            self.tally.moves += 1
            self.judge()
            self.twin.undo()

    def run(self) -> None:
        self.judge()
        while self.step < MOVES_OF_A_CHAIN:
            made = self.make_changes()
            verdict = self.judge()
            if made and self.rng.random() < (0.85 if verdict else 0.1):
                self.twin.undo(int(self.rng.integers(1, made + 1)))
            if self.rng.random() < ASK_MORE:
                self.ask_more()
                self.approach()
        self.ask_more()


def check_chain(start: Start, tally: Tally) -> None:
    tally.chains += 1
    try:
        Judge(start, tally).run()
    except Exception:  # whatever the library raises on sound input is a failure to report
        trace = traceback.format_exc(limit=-2)
        tally.expect(False, f"raised {trace}: --again {start}")


class Chunk(NamedTuple):
    makes: tuple[tuple[str, str], ...]  # makers and volumes
    seed: int
    first: int
    deadline: float


def starts(chunk: Chunk) -> Iterator[Start]:
    """Lengths from 2 to 2000, each order of magnitude as often as the others."""
    for number in range(chunk.first, chunk.first + CHAINS_PER_CHUNK):
        rng = np.random.default_rng((chunk.seed, number))
        links = int(2.0 * (LONGEST / 2.0) ** rng.random() + 0.5)
        yield Start(*chunk.makes[number % len(chunk.makes)], links, int(rng.integers(10**6)))


Tallies = dict[tuple[str, str], Tally]


def run_chunk(chunk: Chunk) -> Tallies:
    tallies: Tallies = {}
    for start in starts(chunk):
        if time.time() > chunk.deadline:
            break
        check_chain(start, tallies.setdefault((start.maker, start.volume), Tally()))
    return tallies


def total(tallies: Tallies, maker: str | None = None, volume: str | None = None) -> Tally:
    whole = Tally()
    for (m, v), tally in tallies.items():
        if maker in (None, m) and volume in (None, v):
            whole.add(tally)
    return whole


def fuzz(args: argparse.Namespace) -> Tallies:
    makers, volumes = args.makers.split(","), args.volumes.split(",")
    makes = tuple((m, v) for m, v in COMBINATIONS if m in makers and v in volumes)
    chains, deadline = -(-args.moves // MOVES_OF_A_CHAIN), time.time() + args.seconds
    firsts = range(0, chains, CHAINS_PER_CHUNK)
    work = [Chunk(makes, args.seed, first, deadline) for first in firsts]
    tallies: Tallies = {}
    spawn = multiprocessing.get_context("spawn")
    # An executor, unlike a pool, says so when a process dies.
    with Progress() as progress, ProcessPoolExecutor(args.processes, mp_context=spawn) as pool:
        bar = progress.add_task("moves", total=args.moves)
        for part in as_completed([pool.submit(run_chunk, chunk) for chunk in work]):
            for key, tally in part.result().items():
                tallies.setdefault(key, Tally()).add(tally)
            whole = total(tallies)
            progress.update(bar, completed=whole.moves, description=f"moves ({whole.wrong} wrong)")
    return tallies


def table(tallies: Tallies) -> Table:
    counts = ("chains", "moves", "verdicts", "collisions", "in_doubt", "wrong_free", "wrong_hit", "other")
    result = Table("", *(name.replace("_", " ") for name in counts), "worst position")
    makers, volumes = (list(dict.fromkeys(key[k] for key in sorted(tallies))) for k in (0, 1))
    rows = {f"{m} (chain)": total(tallies, maker=m) for m in makers}
    rows |= {f"{v} (volume)": total(tallies, volume=v) for v in volumes}
    for name, tally in (rows | {"all": total(tallies)}).items():
        cells = [str(getattr(tally, count)) for count in counts]
        result.add_row(name, *cells, f"{tally.position_error:.1e}", style="red" if tally.wrong else None)
    return result


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--moves", type=int, default=100_000, help="changes in all")
    parser.add_argument("--seconds", type=float, default=600.0, help="stop after this time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--makers", default=",".join(MAKERS), help="only chains of these makes")
    parser.add_argument("--volumes", default=",".join(VOLUMES), help="only these volumes")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--again", help="one chain: maker, volume, number of links, seed")
    return parser.parse_args(argv)


def unknown_names(args: argparse.Namespace) -> set[str]:
    makers, volumes = set(args.makers.split(",")), set(args.volumes.split(","))
    return (makers - set(MAKERS)) | (volumes - set(VOLUMES))


def again(told: str) -> Tallies:
    """The maker and the number come first and last; names of volumes may have blanks."""
    maker, *volume, links, seed = told.split()
    start = Start(maker, " ".join(volume), int(links), int(seed))
    tally = Tally()
    check_chain(start, tally)
    return {(start.maker, start.volume): tally}


def main(argv: list[str] | None = None) -> int:
    args = arguments(argv)
    if unknown := unknown_names(args):
        print(f"no such maker or volume: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    tallies = again(args.again) if args.again else fuzz(args)
    console, whole = Console(width=150), total(tallies)
    for failure in whole.failures[:SHOWN]:
        console.print(failure, markup=False, highlight=False, soft_wrap=True)
    console.print(table(tallies))
    if not args.again and whole.moves < args.moves:
        console.print(f"--seconds {args.seconds:g} stopped the run after {whole.moves} moves")
    return int(whole.wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
