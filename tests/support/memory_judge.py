"""Asks about moving bodies through a memory, and holds every answer against the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from memory_makers import BUDGETS, Stage
from memory_oracle import covered_by, form_problems, proof_problems, proved_in

import elbowroom as er


def spent(answer: Any) -> int:
    return int(answer.counters.volume_tests + answer.counters.leaf_tests)


def budget_of(tests: int | None) -> dict[str, Any]:
    return {} if tests is None else {"budget": er.Budget(tests=tests)}


@dataclass
class Judge:
    """Asks a stage through one memory, and holds every answer against the truth."""

    stage: Stage
    memory: Any
    seen: dict[str, int] = field(default_factory=dict)
    proved: int = 0  # nodes of the last tree that are said to be apart

    def note(self, what: str) -> None:
        self.seen[what] = self.seen.get(what, 0) + 1

    def collide(self, tests: int | None, **how: Any) -> Any:
        answer = self.stage.ask("collide", memory=self.memory, **budget_of(tests), **how)
        gaps, doubt = self.stage.gaps(), self.stage.doubt
        done = answer.status != "out of budget"
        assert (gaps[tuple(answer.pairs.T)] <= doubt).all(), f"{answer!r}, but the gap is {gaps.min()}"
        assert not done or bool(answer) == bool(self.stage.ask("collide", **how)), "the unlimited answer"
        if done and not answer:
            assert gaps.min() >= -doubt, f"free, but the gap is {gaps.min()}"
        if done and how.get("every"):
            full = self.stage.ask("collide", **how)
            assert sorted(map(tuple, answer.pairs.tolist())) == sorted(map(tuple, full.pairs.tolist()))
        self.bounds(answer, float(gaps.min()), doubt)
        self.note(answer.status if not answer else "hit")
        return answer

    def bounds(self, answer: Any, least: float, doubt: float) -> None:
        """What every collision says of itself."""
        done = answer.status != "out of budget"
        assert answer.upper == (0.0 if answer else np.inf) and answer.lower >= 0.0
        if done and not answer:
            assert answer.lower <= least + doubt and answer.confidence in (1.0, None)
        if answer.covered is not None:
            assert 0.0 <= answer.covered <= 1.0 and 0.0 <= answer.confidence <= 1.0
            assert answer.confidence == 1.0 or not done
            assert answer.covered == 1.0 or answer or not done, "all is proved, or it is not free"
            assert done or answer or answer.covered < 1.0

    def tree(self, answer: Any, proofs: bool = True) -> None:
        """The tree behind the last collision."""
        dump = self.memory._bvtt()
        if dump is None or dump["pairs"][0] == 0:
            assert not np.isfinite(self.stage.gaps()).any() and answer.covered == 1.0, "nothing to compare"
            return
        self.proved = int(proved_in(dump).sum())
        assert form_problems(dump) == []
        assert covered_by(dump, self.stage.whole()) == pytest.approx(answer.covered, abs=1e-12)
        assert dump["pairs"][0] == self.stage.whole() or len(self.stage.tables()) > 1
        if proofs:
            assert proof_problems(self.memory, self.stage) == []
            gaps = dump["gap"][proved_in(dump)]
            assert not len(gaps) or answer.lower <= gaps.min() + self.stage.doubt

    def distance(self, tests: int | None, **how: Any) -> Any:
        answer, full = (
            self.stage.ask("distance", **how, **more)
            for more in ({"memory": self.memory, **budget_of(tests)}, {})
        )
        doubt = self.stage.doubt
        assert answer.lower <= full.upper + doubt and full.lower <= answer.upper + doubt
        if not how:
            true = max(float(self.stage.gaps().min()), 0.0)
            assert answer.lower <= true + doubt and true <= answer.upper + doubt
        if answer.status != "out of budget" and "enough" not in how:
            assert answer.value == full.value or abs(answer.value - full.value) <= doubt
            assert (answer.value == 0.0) == (full.value == 0.0)
        self.note("distance " + answer.status)
        return answer

    def within(self, tests: int | None, reach: float) -> Any:
        answer = self.stage.ask("within", reach, memory=self.memory, **budget_of(tests))
        full = self.stage.ask("within", reach)
        known = dict(zip(map(tuple, full.indices.tolist()), full.distances, strict=True))
        found = dict(zip(map(tuple, answer.indices.tolist()), answer.distances, strict=True))
        assert len(found) == len(answer) and found.keys() <= known.keys(), "pairs that are within reach, once"
        errors = np.array([found[pair] - known[pair] for pair in found])
        done = answer.status != "out of budget"
        assert (errors >= -self.stage.doubt).all()
        if done or len(self.stage.tables()) == 1:  # of links, nearer primitives may be left
            assert (errors <= self.stage.doubt).all()
        assert not done or found.keys() == known.keys()
        self.note("within " + answer.status)
        return answer


# What is done with a stage.

WAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("collide", {}),
    ("collide", {}),
    ("collide", {"every": True}),
    ("collide", {"every": True, "depth": True}),
    ("collide", {"depth": True}),
    ("distance", {}),
    ("distance", {"enough": 0.1}),
    ("within", {}),
)


def any_questions(judge: Judge, rng: np.random.Generator, steps: int, reach: float) -> None:
    """One memory for whatever is asked next, on whatever budget."""
    for _ in range(steps):
        judge.stage.step()
        tests, (question, more) = BUDGETS[rng.integers(len(BUDGETS))], WAYS[rng.integers(len(WAYS))]
        if question == "within":
            judge.within(tests, reach * float(rng.choice([0.0, 0.1, 1.0])))
        elif question == "distance":
            judge.distance(tests, **{name: value * reach for name, value in more.items()})
        else:
            judge.collide(tests, **more)


def proofs_along(judge: Judge, rng: np.random.Generator, steps: int, tests: Sequence[int]) -> int:
    """Every proof that is still said to hold is looked at after every step; how many were, in all."""
    count = 0
    for _ in range(steps):
        judge.stage.step()
        answer = judge.collide(int(rng.choice(tests)))
        judge.tree(answer)
        count += judge.proved
    return count


def settled_in(stage: Stage, memory: Any, tests: int, most: int) -> list[Any]:
    """The answers to one question asked again and again where nothing moves, until it is decided."""
    answers: list[Any] = []
    while len(answers) < most:
        answers.append(stage.ask("collide", memory=memory, budget=er.Budget(tests=tests)))
        if answers[-1].status != "out of budget" or answers[-1]:
            return answers
    raise AssertionError(f"not decided in {most} calls of {tests} tests: {answers[-1]!r}")


def check_settling(stage: Stage, memory: Any, tests: int) -> list[Any]:
    """Decided in the end, rightly, with nothing lost and next to nothing done twice on the way."""
    full = stage.ask("collide", every=True, memory=er.Memory(), budget=er.Budget(tests=10**9))
    answers = settled_in(stage, memory, tests, 10 + 4 * spent(full))
    assert bool(answers[-1]) == bool(full) == bool(stage.ask("collide"))
    covered = [answer.covered for answer in answers]
    assert covered == sorted(covered) or answers[-1]
    assert answers[-1] or covered[-1] == 1.0
    assert answers[-1] or memory.age == 0
    again = spent(stage.ask("collide", memory=memory, budget=er.Budget(tests=10**9)))  # what every call costs
    assert sum(map(spent, answers)) <= 3 * spent(full) + 40 + len(answers) * again
    return answers


def facts(answer: Any) -> tuple[Any, ...]:
    """All that must not depend on which body comes first, nor on the run."""
    c = answer.counters
    work = c.volume_tests, c.leaf_tests, c.pairs_visited
    return answer.status, answer.covered, answer.confidence, answer.lower, answer.upper, work
