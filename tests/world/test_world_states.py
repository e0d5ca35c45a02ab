"""Worlds in any order of changes, against all pairs by brute force; the tree is checked after every step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from world_twin import MAKERS, RIGID, Twin, Unit, random_pose

import elbowroom as er

SEEDS = st.integers(0, 2**32 - 1)
REACH = 0.4
CHANGES = ("move", "remove", "bend", "attach", "detach", "exclude", "include")
QUESTIONS = ("within", "every", "free", "distance")
ASK = {
    "within": lambda world: er.self_within(world, REACH),
    "every": lambda world: er.self_collide(world, every=True),
    "free": er.self_collide,
    "distance": er.self_distance,
}


class Walk:
    """One random change after the other."""

    def __init__(self, seed: int, most: int) -> None:
        self.twin = Twin()
        self.rng = np.random.default_rng(seed)
        self.most = most
        self.made = 0

    def any_of(self, *types: type) -> str | None:
        """A body at random, or none."""
        names = [n for n, body in self.twin.bodies.items() if not types or isinstance(body, types)]
        return names[self.rng.integers(len(names))] if names else None

    def unit(self) -> Unit:
        """A body at random, or a link of one."""
        name = self.any_of()
        body = self.twin.bodies[name]
        link = isinstance(body, er.Articulated) and self.rng.random() < 0.7
        return name, int(self.rng.integers(len(body))) if link else None

    def add(self) -> None:
        kinds = list(MAKERS) if self.rng.random() < 0.3 else [k for k in RIGID if k != "floor"]
        kind = kinds[self.rng.integers(len(kinds))]
        self.made += 1
        self.twin.add(f"{kind} {self.made}", MAKERS[kind](self.rng), random_pose(self.rng))

    def remove(self) -> None:
        self.twin.remove(self.any_of())

    def move(self) -> None:
        names = {self.any_of() for _ in range(self.rng.choice([1, 1, 1, 2, 5, 20]))}
        spread = self.rng.choice([0.1, 2, 30])
        changes = {}
        for name in names:
            changes[name] = random_pose(self.rng, spread)
            if spread < 1:
                changes[name] = self.twin.poses[name] @ changes[name]
        self.twin.move(changes)

    def bend(self) -> None:
        name = self.any_of(er.Articulated, er.Chain, er.Necklace)
        if name is not None:
            self.twin.bend(name, self.rng.uniform(-0.5, 0.5, 2))

    def attach(self) -> None:
        name, (to, link) = self.any_of(), self.unit()
        if not self.twin.hangs_on(to, name):
            self.twin.attach(name, to, link)

    def detach(self) -> None:
        if self.twin.parents:
            self.twin.detach(list(self.twin.parents)[self.rng.integers(len(self.twin.parents))])

    def exclude(self) -> None:
        a, b = self.unit(), self.unit()
        if a[0] != b[0]:
            self.twin.exclude(a, b)

    def include(self) -> None:
        a, b = self.unit(), self.unit()
        if a[0] != b[0]:
            self.twin.include(a, b)

    def step(self) -> str:
        """One of these, more of those that happen often; its name."""
        size = len(self.twin.bodies)
        often = {
            "add": 3 if size < self.most else 0,
            "remove": 2,
            "move": 8,
            "bend": 2,
            "attach": 1,
            "detach": 1,
        }
        often |= {"exclude": 1, "include": 1}
        if size == 0:
            often = {"add": 1}
        names = list(often)
        weights = np.array([often[name] for name in names], float)
        name = names[self.rng.choice(len(names), p=weights / weights.sum())]
        getattr(self, name)()
        return name


class WorldMachine(RuleBasedStateMachine):
    """The changes as hypothesis draws them."""

    def __init__(self) -> None:
        super().__init__()
        self.walk = Walk(0, 14)
        self.asked: tuple[str, ...] = QUESTIONS

    @rule(seed=SEEDS)
    def add(self, seed: int) -> None:
        self._seed(seed)
        self.walk.add()

    @precondition(lambda self: self.walk.twin.bodies)
    @rule(
        seed=SEEDS, what=st.sampled_from(["move", "remove", "bend", "attach", "detach", "exclude", "include"])
    )
    def change(self, seed: int, what: str) -> None:
        self._seed(seed)
        getattr(self.walk, what)()

    @precondition(lambda self: self.walk.twin.bodies)
    @rule(seed=SEEDS)
    def ask(self, seed: int) -> None:
        self._seed(seed)
        self.walk.twin.check_member(self.walk.any_of(), REACH)
        body = MAKERS[list(MAKERS)[self.walk.rng.integers(len(MAKERS))]](self.walk.rng)
        self.walk.twin.check_stranger(body, random_pose(self.walk.rng), REACH)

    @rule()
    def copy(self) -> None:
        self.walk.twin.copied()

    @rule(question=st.sampled_from(QUESTIONS))
    def change_question(self, question: str) -> None:
        self.asked = (question,)

    @invariant()
    def agrees(self) -> None:
        self.walk.twin.check(REACH, self.asked)

    def _seed(self, seed: int) -> None:
        self.walk.rng = np.random.default_rng(seed)


TestWorld = WorldMachine.TestCase
TestWorld.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)


def run_walk(seed: int, steps: int, most: int, every: int = 1) -> int:
    """So many random changes, the tree checked after each and the answers after some; the changes made."""
    walk = Walk(seed, most)
    asked: tuple[str, ...] = QUESTIONS
    for i in range(steps):
        walk.step()
        if i % 20 == 0:  # mostly the same question many times, which is answered from the last answer
            asked = QUESTIONS if i % 40 == 0 else (QUESTIONS[walk.rng.integers(len(QUESTIONS))],)
        if i % every == 0:
            walk.twin.check(REACH, asked)
        else:
            walk.twin.world.validate()
            for question in asked:
                ASK[question](walk.twin.world)
    return steps


@pytest.mark.parametrize(("most", "steps", "every"), [(12, 150, 1), (150, 600, 60)])
def test_random_walks(most: int, steps: int, every: int) -> None:
    run_walk(most, steps, most, every)


@pytest.mark.fuzz
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(20))
def test_long_walks(seed: int) -> None:
    run_walk(1000 + seed, 2000, 12)
    run_walk(2000 + seed, 3000, 400, 500)
