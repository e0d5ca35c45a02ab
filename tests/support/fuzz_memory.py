"""Bodies of every make in random motion, asked through a memory on random budgets, every answer judged.

    python tests/support/fuzz_memory.py --moves 100000 --seed 0 [--makers chain-coil] [--methods auto]
    python tests/support/fuzz_memory.py --again "chain-coil auto 40 17"

Exit status 1 if any answer was wrong: "free" where primitives overlap, or a pair that is said to be proved
apart and is nearer than that (wrong free), a hit where there is none (wrong hit), or anything else that does
not hold: the share that is covered, bounds, an answer that differs from the unlimited one. A failure tells
the maker, the method, the size and the seed of its body; with --again that body alone moves again as it did.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import articulated_makers
import chain_makers
import nasty
import necklace_makers
import numpy as np
from articulated_oracle import made_free
from fuzzing import Fuzzer, MotionTally, Start
from memory_actors import Bending, Jointed, Wobbling
from memory_judge import WAYS, Judge
from memory_makers import BUDGETS, METHODS, Actor, Alone, Rigid, Stage, Two
from memory_oracle import FALSE, form_problems, proof_problems
from memory_things import rigid_things

import elbowroom as er

MOVES_OF_A_BODY = 60
BODIES_PER_CHUNK = 10
SIZES = (2, 3, 5, 9, 16, 17, 30, 33, 45, 70, 129, 300)
TALKING = 0.25  # the share of moves that are followed by any question; the others ask for a collision
Make = Callable[[np.random.Generator, int], Stage]


# Makers.


def links(make: str, rng: np.random.Generator, n: int) -> Jointed:
    recipe = articulated_makers.MAKERS[make](rng, min(n, 8))
    return Jointed(made_free(recipe) if rng.random() < 0.7 else recipe)


def chain(make: str, rng: np.random.Generator, n: int) -> Bending:
    volumes = list(chain_makers.FAST if make in chain_makers.WITH_SIDES else chain_makers.VOLUMES)
    settings = chain_makers.VOLUMES[str(rng.choice(volumes))]
    return Bending(chain_makers.MAKERS[make](rng, n), float(rng.choice([0.7, 0.95, 1.0])), **settings)


def necklace(make: str, rng: np.random.Generator, n: int) -> Wobbling:
    cages = str(rng.choice(necklace_makers.CAGES))
    return Wobbling(necklace_makers.MAKERS[make](rng, n), float(rng.choice([0.7, 0.95, 1.0])), cages=cages)


def rigid(rng: np.random.Generator, n: int) -> Rigid:
    if rng.random() < 0.5:
        pairs = [*rigid_things(rng).values()]
        return Rigid(pairs[rng.integers(len(pairs))][int(rng.integers(2))])
    return Rigid(nasty.thing(rng, str(rng.choice(nasty.KINDS)), str(rng.choice(nasty.STYLES))))


def any_actor(rng: np.random.Generator, n: int) -> Actor:
    kind = str(rng.choice(["rigid", "rigid", "chain", "necklace", "articulated"]))
    if kind == "chain":
        return chain(str(rng.choice(["coil", "unequal", "points"])), rng, min(n, 30))
    if kind == "necklace":
        return necklace(str(rng.choice(["coil", "flat-coil", "uneven"])), rng, min(n, 30))
    return links(str(rng.choice(["arm", "tree"])), rng, 4) if kind == "articulated" else rigid(rng, n)


def across(rng: np.random.Generator, one: Actor, other: Actor) -> Two:
    stage = Two(rng, one, other, carried=str(rng.choice(["still", "brisk", "pivot", "jump"])))
    if rng.random() < 0.2 and stage.size < 1e8:
        stage.frame[:3, 3] += 10.0 ** rng.uniform(0.0, 5.0) * stage.size
    return stage


def maker_of(kind: str, make: str) -> Make:
    actor = {"chain": chain, "necklace": necklace, "articulated": links}[kind]

    def made(rng: np.random.Generator, n: int) -> Stage:
        body: Any = actor(make, rng, n)
        return Alone(rng, body) if rng.random() < 0.6 else across(rng, body, any_actor(rng, n))

    return made


def rigid_pair(rng: np.random.Generator, n: int) -> Stage:
    return across(rng, rigid(rng, n), rigid(rng, n))


def named_pair(name: str) -> Make:
    def made(rng: np.random.Generator, n: int) -> Stage:
        one, other = rigid_things(rng)[name]
        return across(rng, Rigid(one), Rigid(other))

    return made


MAKERS: dict[str, Make] = {"rigid": rigid_pair}
MAKERS |= {
    f"rigid-{name.replace(' ', '-')}": named_pair(name) for name in rigid_things(np.random.default_rng(0))
}
MAKERS |= {f"chain-{make}": maker_of("chain", make) for make in chain_makers.MAKERS}
MAKERS |= {f"necklace-{make}": maker_of("necklace", make) for make in necklace_makers.MAKERS}
MAKERS |= {f"articulated-{make}": maker_of("articulated", make) for make in articulated_makers.MAKERS}


class Watch:
    """One stage under test, its memory and the tally."""

    def __init__(self, start: Start, tally: MotionTally) -> None:
        self.rng = np.random.default_rng((start.seed, start.size))
        self.start, self.tally, self.step = start, tally, 0
        self.stage = MAKERS[start.maker](self.rng, start.size)
        self.judge = Judge(self.stage, er.Memory(start.variant))

    def expect(self, good: Any, what: str, counter: str = "other") -> None:
        self.tally.expect(good, f"{what}: --again {self.start}, step {self.step}", counter)

    def collide(self) -> None:
        """A collision on a budget, and the tree behind it."""
        stage, memory, doubt = self.stage, self.judge.memory, self.stage.doubt
        budget = er.Budget(tests=int(self.rng.choice([0, 2, 10, 40, 150, 10**6])))
        answer, least = stage.ask("collide", memory=memory, budget=budget), float(stage.gaps().min())
        done = answer.status != "out of budget"
        self.tally.verdicts += done
        self.tally.collisions += bool(answer)
        self.tally.in_doubt += not done
        self.expect(answer or not done or least >= -doubt, f"free, but the gap is {least:.3g}", "wrong_free")
        self.expect(not answer or least <= doubt, f"a hit, but the gap is {least:.3g}", "wrong_hit")
        same = not done or bool(answer) == bool(stage.ask("collide"))
        self.expect(same, "not the unlimited answer")
        self.tree(answer)

    def tree(self, answer: Any) -> None:
        memory, stage = self.judge.memory, self.stage
        if (dump := memory._bvtt()) is None or dump["pairs"][0] == 0:
            self.expect(not np.isfinite(stage.gaps()).any(), "no tree, but there is something to compare")
            return
        wrong = form_problems(dump) + proof_problems(memory, stage)
        false = any(what.startswith(FALSE) for what in wrong)
        self.expect(not wrong, "; ".join(wrong[:3]), "wrong_free" if false else "other")
        try:
            self.judge.bounds(answer, float(stage.gaps().min()), stage.doubt)
            self.judge.tree(answer, proofs=False)
        except AssertionError as error:
            self.expect(False, f"{answer!r}: {str(error)[:200]}")

    def talk(self) -> None:
        """Any question, by one and the same memory."""
        tests, (question, how) = BUDGETS[self.rng.integers(len(BUDGETS))], WAYS[self.rng.integers(len(WAYS))]
        reach = float(self.rng.choice([0.0, 0.1, 1.0])) * self.stage.doubt * 1e11
        try:
            if question == "within":
                self.judge.within(tests, reach)
            elif question == "distance":
                self.judge.distance(tests, **dict.fromkeys(how, reach))
            else:
                self.judge.collide(tests, **how)
        except AssertionError as error:
            self.expect(False, f"{question} {how} {tests}: {str(error)[:200]}")

    def run(self) -> None:
        for self.step in range(MOVES_OF_A_BODY):
            self.stage.step()
            self.tally.moves += 1
            if self.rng.random() < TALKING:
                self.talk()
            else:
                self.collide()


def check(start: Start, tally: MotionTally) -> None:
    Watch(start, tally).run()


def makes(makers: list[str], methods: list[str]) -> list[tuple[str, str]]:
    """The default method as often as the two others."""
    return [(maker, method) for method in [*methods, "auto"] if method in methods for maker in makers]


def size(rng: np.random.Generator) -> int:
    return int(rng.choice(SIZES))


FUZZER = Fuzzer(
    about=__doc__,
    thing="body",
    things="bodies",
    variant="method",
    makers=list(MAKERS),
    variants=list(METHODS),
    makes=makes,
    size=size,
    check=check,
    check_again=check,
    tally=MotionTally,
    moves=100_000,
    moves_each=MOVES_OF_A_BODY,
    per_chunk=BODIES_PER_CHUNK,
)

if __name__ == "__main__":
    sys.exit(FUZZER.main())
