"""Random changes of chains of every make and length, every verdict judged by brute force.

    python tests/support/fuzz_chain.py --moves 100000 --seed 0 [--makers coil,rows] [--volumes auto,obb]
    python tests/support/fuzz_chain.py --again "coil auto 300 17"

Exit status 1 if any answer was wrong. Verdicts are judged where the clearance is larger than 1e-9 of the size
of the chain; those nearer to touching are counted as in doubt. A failure tells the maker, the volume, the
number of links and the seed of its chain: with --again that chain alone goes through the same changes.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from chain_makers import COMBINATIONS, MAKERS, VOLUMES, Recipe
from chain_oracle import ROUNDING, SlowChain, Twin, random_move, touching_angle
from fuzzing import Fuzzer, MotionTally, Start, size_up_to
from numba import njit

import elbowroom as er

MOVES_OF_A_CHAIN = 60
LONGEST = 2000
ASK_MORE = 0.05  # the share of moves after which everything else is asked, and balls brought to touch
CHAINS_PER_CHUNK = 20


@dataclass
class Tally(MotionTally):
    position_error: float = 0.0


@njit(cache=True)
def smallest_gap(balls, radii, owner, exclude, allowed):  # type: ignore[no-untyped-def]
    """The least surface distance over all pairs that are tested."""
    least = np.inf
    for i in range(len(balls)):
        for j in range(i + 1, len(balls)):
            if abs(owner[i] - owner[j]) > exclude and not allowed[i, j]:
                x, y, z = balls[i, 0] - balls[j, 0], balls[i, 1] - balls[j, 1], balls[i, 2] - balls[j, 2]
                least = min(least, np.sqrt(x * x + y * y + z * z) - radii[i] - radii[j])
    return least


def allowed_matrix(recipe: Recipe) -> np.ndarray:
    n = len(recipe.positions) + (0 if recipe.side is None else len(recipe.side.owner))
    allowed = np.zeros((n, n), dtype=np.bool_)
    for p, q in recipe.allowed:
        allowed[p, q] = allowed[q, p] = True
    return allowed


class Judge:
    """One chain under test, its slow twin and the tally."""

    def __init__(self, start: Start, tally: Tally) -> None:
        self.rng = np.random.default_rng((start.seed, start.size))
        self.start, self.tally, self.step = start, tally, 0
        self.recipe = MAKERS[start.maker](self.rng, start.size)
        self.allowed = allowed_matrix(self.recipe)
        self.twin = Twin(self.recipe.chain(**VOLUMES[start.variant]), SlowChain(self.recipe))

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
        slow, joint = self.twin.slow, int(self.rng.integers(self.start.size - 1))
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


def check(start: Start, tally: Tally) -> None:
    Judge(start, tally).run()


def makes(makers: list[str], volumes: list[str]) -> list[tuple[str, str]]:
    return [(m, v) for m, v in COMBINATIONS if m in makers and v in volumes]


FUZZER = Fuzzer(
    about=__doc__,
    thing="chain",
    things="chains",
    variant="volume",
    makers=list(MAKERS),
    variants=list(VOLUMES),
    makes=makes,
    size=partial(size_up_to, LONGEST),
    check=check,
    check_again=check,
    tally=Tally,
    moves=100_000,
    moves_each=MOVES_OF_A_CHAIN,
    per_chunk=CHAINS_PER_CHUNK,
    worst=(("worst position", "position_error"),),
)

if __name__ == "__main__":
    sys.exit(FUZZER.main())
