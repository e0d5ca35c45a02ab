"""Random motion of necklaces of every make, with every kind of cages, every verdict judged by all pairs.

    python tests/support/fuzz_necklace.py --moves 120000 --seed 0 [--makers coil,ring] [--cages boxes]
    python tests/support/fuzz_necklace.py --again "coil boxes 300 17"

Exit status 1 if any answer was wrong. Beads whose gap is less than 1e-14 of their distance and radii may be
said to touch; verdicts that hang on such pairs alone are counted as in doubt. A failure tells the maker, the
cages, the number of beads and the seed of its necklace. With --again that necklace alone goes through the
same motion, and the first wrong verdict is told as a program of its own, with every frame and bead left out
that is not needed.
"""

from __future__ import annotations

import sys
from typing import Any

import nasty
import numpy as np
from fuzzing import Fuzzer, MotionTally, Start
from necklace_makers import CAGES, MAKERS, SPHERES
from necklace_motions import GENTLE, MOTIONS
from necklace_oracle import Twin, cage_ranges, family_problems, holds, proved_least
from necklace_others import any_pose, pose_near, rigid
from necklace_smallest import Story, reproduction

import elbowroom as er

MOVES_OF_A_NECKLACE = 12
MOST = 600
FEW = 60  # beads of the necklaces whose cages and families are checked one by one
ASK_MORE = 0.2  # the share of moves after which everything else is asked
NECKLACES_PER_CHUNK = 20


class Judge:
    """One necklace under test, its slow twin and the tally."""

    def __init__(self, start: Start, tally: MotionTally, explain: bool = False) -> None:
        self.rng = np.random.default_rng((start.seed, start.size))
        self.start, self.tally, self.step, self.explain = start, tally, 0, explain
        self.recipe = MAKERS[start.maker](self.rng, start.size)
        self.twin = Twin.of(self.recipe, cages=start.variant)
        self.frames: list[np.ndarray] = []
        self.family: Any = None

    def expect(self, good: Any, what: str, counter: str = "other") -> None:
        self.tally.expect(good, f"{what}: --again {self.start}, step {self.step}", counter)

    def move(self, positions: np.ndarray) -> None:
        self.twin.move(positions)
        self.frames.append(self.twin.slow.positions)
        self.tally.moves += 1

    def judge(self) -> None:
        """The verdict and every pair."""
        slow, wrong = self.twin.slow, self.tally.wrong
        gaps, doubts = slow.gaps(), slow.doubts()
        verdict = bool(er.self_collide(self.twin.necklace))
        pairs = er.self_collide(self.twin.necklace, every=True).pairs
        listed = np.zeros(gaps.shape, dtype=bool)
        listed[pairs[:, 0], pairs[:, 1]] = True
        hit, near = gaps <= 0.0, gaps <= doubts
        self.tally.verdicts += 1
        self.tally.collisions += verdict
        self.tally.in_doubt += bool(near.any() and not hit.any())
        self.expect(verdict or not hit.any(), f"free, but beads overlap by {-gaps.min():.3g}", "wrong_free")
        self.expect(not verdict or near.any(), f"collision, but the gap is {gaps.min():.3g}", "wrong_hit")
        self.expect(listed[hit].all(), "a pair that overlaps is not listed", "wrong_free")
        self.expect(near[listed].all(), "a pair that is apart is listed", "wrong_hit")
        self.expect(bool(len(pairs)) == verdict, "the verdict contradicts the pairs")
        if self.explain and self.tally.wrong > wrong:
            self.tally.failures.append(reproduction(Story(self.recipe, self.frames), self.start.variant))
            self.explain = False

    def ask_more(self) -> None:
        """The distance, the near pairs, the state of the tree, and another body."""
        necklace, slow = self.twin.necklace, self.twin.slow
        gaps, doubts, true = slow.gaps(), slow.doubts(), slow.self_distance()
        necklace.validate()
        found = er.self_distance(necklace)
        if np.isfinite(true):
            i, j = found.pair.tolist()
            self.expect(abs(found.value - true) <= doubts[i, j], f"self_distance {found.value}, not {true}")
            self.expect(found.lower <= found.value <= found.upper, "bounds of self_distance")
        else:
            self.expect(found.value == np.inf, "self_distance without a pair")
        reach = float(self.rng.choice([0.0, 1.1, 3.0])) * (true if np.isfinite(true) else 1.0)
        near, listed = er.self_within(necklace, reach), np.zeros(gaps.shape, dtype=bool)
        listed[near.indices[:, 0], near.indices[:, 1]] = True
        self.expect(listed[gaps < reach - doubts].all(), "self_within misses a pair", "wrong_free")
        self.expect((gaps - doubts <= reach)[listed].all(), "self_within lists a pair too many", "wrong_hit")

    def ask_cages(self) -> None:
        """Every cage is the least, and the family of pairs proves what it says."""
        necklace, slow = self.twin.necklace, self.twin.slow
        slack = 4e-15 * float(np.abs(slow.positions).max())
        if self.start.variant == "wrapped":
            ranges = cage_ranges(0, self.start.size)
            for (low, high), ball in zip(ranges, necklace.cage_balls(), strict=True):
                least = proved_least(ball[:-1], slow.positions[low:high], slow.radii[low:high])
                self.expect(
                    ball[-1] <= least * (1.0 + 1e-10) + slack, f"cage of {low} to {high} is too large"
                )
        if self.start.variant in SPHERES or self.rng.random() < 0.3:
            self.family = necklace.separating_pairs(start=self.family)
            verdict = bool(er.self_collide(necklace))
            self.expect(self.family.free is not verdict, "the family contradicts the verdict", "wrong_free")
            verified = holds(self.family)
            self.expect(verified is self.family.free, "the family does not verify", "wrong_free")
            if self.family.free:
                wrong = family_problems(self.family, self.start.size)
                self.expect(not wrong, "; ".join(wrong[:3]), "wrong_free")

    def ask_other(self) -> None:
        """A rigid body near one of the beads, both ways round."""
        twin, size = self.twin, 0.4 * self.twin.slow.extent or 1.0
        other = rigid(nasty.thing(self.rng, str(self.rng.choice(nasty.KINDS)), "plain", size))
        pose_a = any_pose(self.rng, size)
        pose_b = pose_near(self.rng, twin, other, pose_a)
        least = float(other.gaps(twin.slow, pose_a, pose_b).min())
        doubt = 1e-9 * (np.abs(twin.slow.positions).max() + other.reach + np.abs(pose_b).max())
        asked = (twin.necklace, other.body, pose_a, pose_b)
        for args in (asked, (asked[1], asked[0], pose_b, pose_a)):
            verdict, value = bool(er.collide(*args)), er.distance(*args).value
            self.expect(verdict or least >= -doubt, f"free of another, overlap {-least:.3g}", "wrong_free")
            self.expect(not verdict or least <= doubt, f"hits another, gap {least:.3g}", "wrong_hit")
            self.expect(abs(value - max(least, 0.0)) <= doubt, f"distance to another {value}, not {least}")

    def approach(self) -> None:
        """One bead is put next to another, a hair from touching or a hair deep."""
        slow = self.twin.slow
        pairs = np.argwhere(slow.tested)
        if not len(pairs):
            return
        i, j = pairs[self.rng.integers(len(pairs))]
        hair = float(self.rng.choice([-1.0, 1.0]) * 10.0 ** self.rng.uniform(-13.0, -3.0))
        direction = nasty.directions(self.rng, 1)[0][: slow.positions.shape[1]]
        x = slow.positions.copy()
        x[i] = x[j] + direction / np.linalg.norm(direction) * slow.sums[i, j] * (1.0 + hair)
        self.move(x)
        self.judge()

    def run(self) -> None:
        self.judge()
        while self.step < MOVES_OF_A_NECKLACE:
            names = GENTLE if self.rng.random() < 0.6 else [*MOTIONS]
            motion = MOTIONS[str(self.rng.choice(names))]
            self.step += 1
            self.move(motion(self.rng, self.twin.slow.positions, self.recipe.size))
            self.judge()
            if self.rng.random() < ASK_MORE:
                self.approach()
                self.ask_more()
                if self.start.size <= FEW:
                    self.ask_cages()
                    self.ask_other()
        self.ask_more()


def check(start: Start, tally: MotionTally) -> None:
    Judge(start, tally).run()


def check_again(start: Start, tally: MotionTally) -> None:
    Judge(start, tally, explain=True).run()


def makes(makers: list[str], cages: list[str]) -> list[tuple[str, str]]:
    return [(m, c) for c in cages for m in makers]


def beads(rng: np.random.Generator) -> int:
    """From 1 to 600, each order of magnitude as often as the others."""
    return int(MOST ** rng.random() + 0.5)


FUZZER = Fuzzer(
    about=__doc__,
    thing="necklace",
    things="necklaces",
    variant="cage",
    makers=list(MAKERS),
    variants=list(CAGES),
    makes=makes,
    size=beads,
    check=check,
    check_again=check_again,
    tally=MotionTally,
    moves=120_000,
    moves_each=MOVES_OF_A_NECKLACE,
    per_chunk=NECKLACES_PER_CHUNK,
)

if __name__ == "__main__":
    sys.exit(FUZZER.main())
