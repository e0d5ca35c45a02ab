"""Random motion of articulated bodies of every make, every verdict judged by all pairs of rigid bodies.

    python tests/support/fuzz_articulated.py --moves 20000 --seed 0 [--makers arm,tree] [--refits auto]
    python tests/support/fuzz_articulated.py --again "tree auto 12 17"

Exit status 1 if any answer was wrong. Verdicts are judged where the clearance is larger than 1e-9 of the size
of the scene; those nearer to touching are counted as in doubt. A failure tells the maker, the refit, the
number of links and the seed of its body. With --again that body alone goes through the same motion, and the
first wrong verdict is told as a program of its own, with every link and joint left out that is not needed.
"""

from __future__ import annotations

import sys
from typing import Any

import nasty
import numpy as np
from articulated_makers import MAKERS, REFITS
from articulated_oracle import SlowBody, Twin, made_free, placed
from articulated_smallest import reproduction
from fuzzing import Fuzzer, MotionTally, Start

import elbowroom as er

MOVES_OF_A_BODY = 20
MOST = 200
FEW = 40  # links of the bodies that are brought to touch, which takes many slow looks at all pairs
ASK_MORE = 0.3  # the share of moves after which everything else is asked
BODIES_PER_CHUNK = 10


class Judge:
    """One body under test, its slow twin and the tally."""

    def __init__(self, start: Start, tally: MotionTally, explain: bool = False) -> None:
        self.rng = np.random.default_rng((start.seed, start.size))
        self.start, self.tally, self.step, self.explain = start, tally, 0, explain
        recipe = MAKERS[start.maker](self.rng, start.size)
        self.recipe = made_free(recipe) if self.rng.random() < 0.5 else recipe
        self.twin = Twin.of(self.recipe, refit=start.variant)

    def expect(self, good: Any, what: str, counter: str = "other") -> None:
        self.tally.expect(good, f"{what}: --again {self.start}, step {self.step}", counter)

    def judge(self) -> np.ndarray:
        """The verdict and every pair; the gaps, for further questions."""
        twin, wrong = self.twin, self.tally.wrong
        gaps, doubt = twin.gaps, twin.doubt
        verdict, pairs = bool(er.self_collide(twin.body)), er.self_collide(twin.body, every=True).pairs
        listed = np.zeros(gaps.shape, dtype=bool)
        listed[pairs[:, 0], pairs[:, 1]] = True
        least = gaps.min()
        self.tally.verdicts += 1
        self.tally.collisions += verdict
        self.tally.in_doubt += bool(abs(least) <= doubt)
        self.expect(verdict or least >= -doubt, f"free, but links overlap by {-least:.3g}", "wrong_free")
        self.expect(not verdict or least <= doubt, f"collision, but the gap is {least:.3g}", "wrong_hit")
        self.expect(listed[gaps < -doubt].all(), "a pair that overlaps is not listed", "wrong_free")
        self.expect((gaps[listed] <= doubt).all(), "a pair that is apart is listed", "wrong_hit")
        if self.explain and self.tally.wrong > wrong:
            self.tally.failures.append(reproduction(self.recipe, twin.q, self.start.variant))
            self.explain = False
        return gaps

    def ask_more(self, gaps: np.ndarray) -> None:
        """The boxes, the candidates, the distance, the near pairs, and the same in one call for many."""
        body, doubt, least = self.twin.body, self.twin.doubt, max(float(gaps.min()), 0.0)
        body.validate()
        overlapping = np.argwhere(self.twin.shape_gaps < -doubt).tolist()
        self.expect(
            all(pair in body.candidates().tolist() for pair in overlapping), "no candidate", "wrong_free"
        )
        found = er.self_distance(body)
        self.expect(found.lower <= found.value <= found.upper, "bounds of self_distance")
        if np.isfinite(least):
            self.expect(abs(found.value - least) <= doubt, f"self_distance {found.value}, but it is {least}")
        reach = least * float(self.rng.choice([0.0, 1.1, 3.0])) if np.isfinite(least) else 1.0
        near, listed = er.self_within(body, reach), np.zeros(gaps.shape, dtype=bool)
        listed[near.indices[:, 0], near.indices[:, 1]] = True
        self.expect(listed[gaps < reach - doubt].all(), "self_within misses a pair", "wrong_free")
        self.expect((gaps[listed] <= reach + doubt).all(), "self_within lists a pair too many", "wrong_hit")

    def ask_many(self) -> None:
        slow, body = self.twin.slow, self.recipe.body(refit=self.start.variant)
        q = np.array([slow.random(self.rng, 0.5) for _ in range(int(self.rng.integers(1, 9)))])
        body.move(q)
        many, distances = er.self_collide(body, every=True), er.self_distance(body)
        for k, row in enumerate(q):
            self.twin.move(row)
            single = er.self_collide(self.twin.body, every=True)
            self.expect(many.hits[k] == bool(single), "many configurations: another verdict", "wrong_free")
            same = many.pairs[many.frames == k].tolist() == single.pairs.tolist()
            self.expect(same, "many configurations: other pairs")
            self.expect(
                distances.values[k] == er.self_distance(self.twin.body).value, "many: another distance"
            )

    def ask_other(self) -> None:
        """A rigid body near one of the links, both ways round."""
        twin, reach = self.twin, self.recipe.reach or 1.0
        thing = nasty.thing(self.rng, str(self.rng.choice(nasty.KINDS)), "plain", reach)
        pose = twin.poses[self.rng.integers(len(twin.poses))] @ placed(self.rng, 3.0 * reach)
        gaps = twin.slow.gaps_to(thing.body, twin.poses, pose, 1e3 * twin.slow.size(twin.poses))
        least, doubt = float(gaps.min()), 10.0 * twin.doubt
        for args in ((twin.body, thing.body, None, pose), (thing.body, twin.body, pose, None)):
            verdict, found = bool(er.collide(*args)), er.distance(*args)
            self.expect(verdict or least >= -doubt, f"free of another, overlap {-least:.3g}", "wrong_free")
            self.expect(not verdict or least <= doubt, f"hits another, gap {least:.3g}", "wrong_hit")
            if np.isfinite(least):
                self.expect(abs(found.value - max(least, 0.0)) <= doubt, "distance to another")

    def run(self) -> None:
        gaps = self.judge()
        while self.step < MOVES_OF_A_BODY:
            self.twin.wander(self.rng, float(self.rng.choice([1.0, 0.1, 1e-3])))
            self.step += 1
            self.tally.moves += 1
            gaps = self.judge()
            if self.rng.random() < ASK_MORE:
                self.ask_more(gaps)
                self.ask_other()
                if self.start.size <= FEW:
                    self.approach()
        self.ask_many()

    def approach(self) -> None:
        """Between two configurations, one free and one not, the one at which links touch; a hair aside."""
        twin, ends = self.twin, [self.twin.slow.random(self.rng, 0.5) for _ in range(2)]
        clear = [float(twin.slow.gaps(twin.slow.poses(q)).min()) for q in ends]
        if min(clear) >= 0.0 or max(clear) <= 0.0 or not twin.slow.dof:
            return
        free, hit = ends if clear[0] > clear[1] else ends[::-1]
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = 0.5 * (low + high)
            gap = twin.slow.gaps(twin.slow.poses(between(twin.slow, free, hit, middle))).min()
            low, high = (middle, high) if gap > 0.0 else (low, middle)
        hair = float(self.rng.choice([-1.0, 1.0]) * 10.0 ** self.rng.uniform(-10.0, -4.0))
        twin.move(between(twin.slow, free, hit, high + hair))
        self.judge()


def between(slow: SlowBody, a: np.ndarray, b: np.ndarray, share: float) -> np.ndarray:
    """On the way from one configuration to another; quaternions stay of unit length."""
    q = (1.0 - share) * a + share * b
    for part in slow.slices.values():
        if part.stop - part.start > 1:
            q[part.stop - 4 : part.stop] /= np.linalg.norm(q[part.stop - 4 : part.stop])
    return q


# All together.


def check(start: Start, tally: MotionTally) -> None:
    Judge(start, tally).run()


def check_again(start: Start, tally: MotionTally) -> None:
    Judge(start, tally, explain=True).run()


def makes(makers: list[str], refits: list[str]) -> list[tuple[str, str]]:
    return [(m, r) for r in refits for m in makers]


def links(rng: np.random.Generator) -> int:
    """From 1 to 200, each order of magnitude as often as the others, most of them few."""
    return int(MOST ** rng.random() ** 2)


FUZZER = Fuzzer(
    about=__doc__,
    thing="body",
    things="bodies",
    variant="refit",
    makers=list(MAKERS),
    variants=list(REFITS),
    makes=makes,
    size=links,
    check=check,
    check_again=check_again,
    tally=MotionTally,
    moves=20_000,
    moves_each=MOVES_OF_A_BODY,
    per_chunk=BODIES_PER_CHUNK,
)

if __name__ == "__main__":
    sys.exit(FUZZER.main())
