"""Proteins: Monte Carlo of torsions with clash tests and a Lennard-Jones energy, beside recomputing it all.

A step turns a random phi or psi by up to 5 degrees, asks whether atoms clash, and if not, accepts by the
rule of Metropolis. The moves are drawn beforehand. At the start of each stretch the peers take over where our
chain is, make the same next moves, and verdicts and energies are compared.

    python -m benchmarks.protein.run 1shg.pdb 1lox.pdb --json protein.json
    python -m benchmarks.protein.run --quick
"""

from __future__ import annotations

import argparse
import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any, Protocol

import numpy as np

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import Target, tabulate
from benchmarks.chain.torsions import no_garbage
from benchmarks.common import Array
from benchmarks.protein.moves import ACCEPTED, CLOCKS, COLLIDED, REJECTED, Clock, Moves, Outcome, random_moves
from benchmarks.protein.systems import System, read

CALLS, OWN = "elbowroom, calls", "elbowroom, its own loop"
WHOLE, ONE_PASS, CLASHES_FIRST = (
    "numba cells, all of it",
    "numba cells, one pass",
    "numba cells, clashes first",
)
PEERS = (WHOLE, ONE_PASS, CLASHES_FIRST)
LARGE = 4000  # atoms of the proteins that the target speaks of: 1LOX has 5109
TARGET, SAME = 50.0, 1e-9
OUTCOMES = {"clashed": COLLIDED, "rejected": REJECTED, "accepted": ACCEPTED}
QUICK = {"steps": 2000, "stretches": 2, "taken": 20, "atoms": "backbone"}


class Peer(Protocol):
    def walk(self, points: Array, moves: Moves) -> Outcome:
        """Make the moves from there."""

    def energy(self, points: Array) -> float:
        """Summed anew."""


@dataclass
class Line:
    """What a contestant did, over all stretches, and ours over the same moves."""

    moves: int = 0
    seconds: float = 0.0
    ours: float = 0.0
    differing: int = 0
    off: float = 0.0
    verdicts: list[np.ndarray] = field(default_factory=list)

    def add(self, outcome: Outcome, base: Outcome) -> None:
        self.moves += len(outcome.verdicts)
        self.seconds, self.ours = self.seconds + outcome.seconds, self.ours + base.seconds
        self.differing += int((outcome.verdicts != base.verdicts).sum())
        self.off = max(self.off, unlike(outcome.energy, base.energy))
        self.verdicts.append(outcome.verdicts)

    def shown(self, name: str) -> dict[str, Any]:
        return {
            "contestant": name,
            "moves": self.moves,
            "us": 1e6 * self.seconds / self.moves,
            "ours, us": 1e6 * self.ours / self.moves,
            "over ours": self.seconds / self.ours,
            "verdicts differ": self.differing,
            "energies off": f"{self.off:.1e}",
        }


def unlike(a: float, b: float) -> float:
    """How far two energies are apart, relative to the larger."""
    return abs(a - b) / max(abs(a), abs(b), 1e-300)


def walk(chain: er.Chain, moves: Moves, temperature: float, clock: Clock) -> Outcome:
    """Ours, call by call from Python."""
    rotate, collides, energy, undo = chain.rotate, chain.collides, chain.energy, chain.undo
    steps = zip(moves.joints.tolist(), moves.angles.tolist(), moves.exponents.tolist(), strict=True)
    verdicts = np.zeros(len(moves), np.int8)
    here = energy()
    with no_garbage():
        start = clock()
        for k, (joint, angle, exponent) in enumerate(steps):
            rotate(joint, angle)
            if collides():
                undo()
                continue
            proposed = energy()
            if here - proposed >= -temperature * exponent:
                verdicts[k], here = ACCEPTED, proposed
            else:
                verdicts[k] = REJECTED
                undo()
        return Outcome(clock() - start, here, verdicts)


def peers(names: Sequence[str], system: System, clock: Clock) -> dict[str, Peer]:
    """Made here, so that numba is needed only where there are any."""
    from benchmarks.protein.recompute import Recompute

    return {
        name: Recompute(system, clock, first_clashes=name == CLASHES_FIRST, whole=name == WHOLE)
        for name in PEERS
        if name in names
    }


def contest(
    system: System, moves: Moves, names: Sequence[str], settings: argparse.Namespace
) -> dict[str, Line]:
    """Our chain makes all moves; in each stretch everybody makes the first ones from the same state."""
    chain = copy.copy(system.chain)
    chain.set_energy(system.energy, system.kinds_by_ball)
    if chain.collides():
        raise SystemExit(f"{system.name}: clashes before it moves")
    clock = CLOCKS[settings.clock]
    beside = peers(names, system, clock)
    for peer in beside.values():
        peer.walk(system.points(chain), moves.part(0, 1))  # compiles it
    lines = {name: Line() for name in (CALLS, *beside)}
    ends = np.linspace(0, len(moves), settings.stretches + 1).astype(int).tolist()
    for begin, end in pairwise(ends):
        points, taken = system.points(chain), min(end, begin + settings.taken)
        theirs = {name: peer.walk(points, moves.part(begin, taken)) for name, peer in beside.items()}
        ours = walk(chain, moves.part(begin, taken), system.temperature, clock)
        for name, outcome in theirs.items():
            lines[name].add(outcome, ours)
        lines[CALLS].add(ours, ours)
        rest = walk(chain, moves.part(taken, end), system.temperature, clock)
        lines[CALLS].add(rest, rest)
    return lines


def own_loop(system: System, settings: argparse.Namespace) -> tuple[float, float]:
    """Microseconds a step of er.sampling.sample, on its own random numbers; how far energies were off."""
    from benchmarks.protein.recompute import Recompute

    clock, off, away = CLOCKS[settings.clock], 0.0, 0.0
    peer = Recompute(system, clock)
    every = max(1, settings.steps // settings.stretches)

    def look(state: er.sampling.State) -> None:
        nonlocal off, away
        left = clock()
        off = max(off, unlike(state.observables["energy"], peer.energy(system.points(state.chain))))
        away += clock() - left

    peer.energy(system.points(system.chain))
    turn = er.sampling.Move(size=math.radians(settings.angle), joints=system.joints.tolist())
    start = clock()
    run = er.sampling.sample(
        system.chain,
        {"torsion": turn},
        system.energy,
        kinds=system.kinds_by_ball,
        temperature=system.temperature,
        steps=settings.steps,
        every=every,
        callback=look,
        progress=False,
    )
    return 1e6 * (clock() - start - away) / run.steps, off


def ask(system: System, names: Sequence[str], settings: argparse.Namespace) -> dict[str, Any]:
    """One protein: run, compare, print."""
    moves = random_moves(system.joints, math.radians(settings.angle), settings.steps)
    lines = contest(system, moves, names, settings)
    rows = [line.shown(name) for name, line in lines.items()]
    if OWN in names:
        us, off = own_loop(system, settings)
        rows.insert(1, {"contestant": OWN, "moves": settings.steps, "us": us, "energies off": f"{off:.1e}"})
    became = np.concatenate(lines[CALLS].verdicts)
    shares = {word: float((became == k).mean()) for word, k in OUTCOMES.items()}
    story = ", ".join(f"{word} {share:.1%}" for word, share in shares.items())
    common.show(tabulate(f"{system.name}: {system.count} atoms, {len(moves)} moves; {story}", rows))
    return {"name": system.name, "atoms": system.count, "links": len(system.chain), **shares, "rows": rows}


def targets(asked: Sequence[dict[str, Any]]) -> list[Target]:
    """The ratio on large proteins, and the largest difference of energies on all."""
    found = []
    for one in asked:
        rows = {row["contestant"]: row for row in one["rows"]}
        for name in PEERS:
            if name in rows and one["atoms"] > LARGE:
                found.append(Target(f"{one['name']}: {name} over ours", rows[name]["over ours"], TARGET))
        off = max(float(row["energies off"]) for row in one["rows"])
        found.append(Target(f"{one['name']}: energies off", off, at_most=SAME))
    return found


def options() -> argparse.Namespace:
    made = common.parser(__doc__, repetitions=1)
    made.add_argument("files", nargs="*", default=[""], help="PDB or mmCIF files; none: a made-up backbone")
    made.add_argument("--atoms", default="all,backbone", help="what is read of files")
    made.add_argument("--steps", type=int, default=1_000_000, help="moves")
    made.add_argument("--angle", type=float, default=5.0, help="largest angle of a move, in degrees")
    made.add_argument("--cutoff", type=float, default=8.0, help="of the energy, in angstrom")
    made.add_argument(
        "--epsilon", type=float, default=0.1, help="depth of the energy of two atoms, kcal / mol"
    )
    made.add_argument("--temperature", type=float, default=0.6, help="in kcal / mol")
    made.add_argument("--stretches", type=int, default=20, help="times that the peers take over")
    made.add_argument("--taken", type=int, default=200, help="moves that they make each time")
    made.add_argument("--clock", choices=list(CLOCKS), default="wall", help="processor if it is busy")
    return common.parsed(made, QUICK)


def main() -> None:
    settings = options()
    names = common.chosen((CALLS, OWN, *PEERS), settings.only)
    kinds = settings.atoms.split(",") if any(settings.files) else ["backbone"]
    physics = (settings.epsilon, settings.cutoff, settings.temperature)
    asked = [
        ask(read(path, atoms, *physics), names, settings) for path, atoms in product(settings.files, kinds)
    ]
    reached = [one.shown() for one in targets(asked)]
    common.show(tabulate("targets", reached))
    common.save(settings.json, "protein", vars(settings), {"tables": asked, "targets": reached})


if __name__ == "__main__":
    main()
