"""Memories of articulated bodies: alone and with others; moved, placed, allowed to overlap and not."""

from __future__ import annotations

from typing import Any

import chain_makers
import numpy as np
import pytest
from articulated_makers import MAKERS, REFITS, Part, Recipe, arm, at, hand, hinge, skins, tree
from articulated_oracle import made_free
from chain_makers import rng_of
from memory_actors import Bending, Jointed, Wobbling
from memory_judge import Judge, any_questions, check_settling, facts, proofs_along, spent
from memory_makers import METHODS, Alone, Rigid, Two
from memory_things import cluster, ring
from nasty import Thing
from necklace_makers import coil as beads

import elbowroom as er

ALL_OF_IT, NOTHING = er.Budget(tests=10**9), er.Budget(tests=0)


def alone(make: str, *what: Any, n: int = 7, free: bool = True, **settings: Any) -> tuple[Alone, Any]:
    rng = rng_of(make, *what)
    recipe = MAKERS[make](rng, n)
    return Alone(rng, Jointed(made_free(recipe) if free else recipe, **settings)), rng


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("make", MAKERS)
def test_every_answer_about_itself_is_right(make: str, method: Any) -> None:
    for free in (True, False):
        stage, rng = alone(make, method, free=free)
        any_questions(Judge(stage, er.Memory(method)), rng, 20, 0.1 * stage.size)


@pytest.mark.parametrize("refit", REFITS)
def test_every_refit_answers_right(refit: str) -> None:
    for make in ("arm", "skins"):
        stage, rng = alone(make, refit, refit=refit)
        any_questions(Judge(stage, er.Memory()), rng, 30, 0.1 * stage.size)
        proofs_along(Judge(stage, er.Memory()), rng, 20, (0, 3, 20, 60, 300))


@pytest.mark.parametrize("make", MAKERS)
def test_what_is_proved_apart_is_apart_now(make: str) -> None:
    """Hinges, slides, balls, free joints, and joints that follow others."""
    stage, rng = alone(make, "proofs", n=6)
    proofs_along(Judge(stage, er.Memory()), rng, 20, (0, 3, 20, 60, 300))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("other", ["ring", "cluster", "ball", "chain", "necklace", "articulated", "itself"])
@pytest.mark.parametrize("make", ["arm", "tree", "skins", "frames"])
def test_every_answer_about_another_is_right_and_proved(make: str, other: str, method: Any) -> None:
    rng = rng_of("others", make, other, method)
    one = Jointed(MAKERS[make](rng, 4))
    others: dict[str, Any] = {
        "ring": lambda: Rigid(ring()), "cluster": lambda: Rigid(cluster(rng, 12)), "itself": lambda: one,
        "ball": lambda: Rigid(cluster(rng, 1)), "articulated": lambda: Jointed(hand(rng, 4)),
        "chain": lambda: Bending(chain_makers.coil(rng, 20), 0.9),
        "necklace": lambda: Wobbling(beads(rng, 20), 0.95),
    }  # fmt: skip
    stage = Two(rng, one, others[other]())
    any_questions(Judge(stage, er.Memory(method)), rng, 20, 0.1 * stage.size)
    proofs_along(Judge(stage, er.Memory(method)), rng, 10, (0, 3, 20, 60, 300))


@pytest.mark.parametrize("make", ["arm", "hand", "tree", "skins"])
def test_where_nothing_moves_any_budget_decides_in_the_end(make: str) -> None:
    stage, _ = alone(make, "settle")
    for tests in (1, 10, 100):
        stage.step()
        check_settling(stage, er.Memory(), tests)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_numbers_on_every_run_and_both_ways_round(method: Any) -> None:
    rng = rng_of("same", method)
    stage = Two(rng, Jointed(skins(rng, 4)), Rigid(ring()))
    memories = [er.Memory(method) for _ in range(3)]
    for _ in range(30):
        stage.step()
        budget = er.Budget(tests=int(rng.choice([0, 2, 15, 80, 400])))
        one, again, swapped = (
            stage.ask("collide", memory=memory, budget=budget, swapped=k == 2)
            for k, memory in enumerate(memories)
        )
        assert facts(one) == facts(again) == facts(swapped)


# Bodies with little in them.


def test_a_body_of_one_shape_is_free_of_itself_at_once() -> None:
    body = er.Articulated([er.Link("only", [er.Box(1.0)])], [])
    for method in METHODS:
        memory = er.Memory(method)
        answer = er.self_collide(body, memory=memory, budget=NOTHING)
        assert not answer and answer.status != "out of budget"
        assert answer.covered == 1.0 and answer.confidence == 1.0 and memory.age == 0


@pytest.mark.parametrize("method", METHODS)
def test_links_without_shapes_are_no_hindrance(method: Any) -> None:
    rng = rng_of("bare")
    parts = (Part("l0"), Part("l1", ((Thing("sphere", (0.2,)), np.eye(4)),)), Part("l2"))
    body = Jointed(Recipe(parts, (hinge(1, 0, at(0, 0, 1), (1, 0, 0)), hinge(2, 1, at(0, 0, 1), (1, 0, 0)))))
    any_questions(Judge(Alone(rng, body), er.Memory(method)), rng, 10, 1.0)
    any_questions(Judge(Two(rng, body, Rigid(ring())), er.Memory(method)), rng, 30, 1.0)


# What could keep a proof alive that no longer holds.


def test_what_may_no_longer_overlap_is_looked_at() -> None:
    """Links that were excluded were never proved apart."""
    recipe = arm(rng_of("exclude"), 4)
    body, memory = recipe.body(), er.Memory()
    assert not er.self_collide(body, memory=memory, budget=ALL_OF_IT)
    body.include([("l0", "l1")])
    zero = er.self_collide(body, memory=memory, budget=NOTHING)
    assert not zero and zero.status == "out of budget" and zero.covered < 1.0
    assert bool(er.self_collide(body, memory=memory, budget=ALL_OF_IT)) == bool(er.self_collide(body)) is True
    body.exclude([("l0", "l1")])
    assert not er.self_collide(body, memory=memory, budget=ALL_OF_IT)


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "spherical", "free"])
def test_every_kind_of_joint_is_seen_to_move(kind: Any) -> None:
    """A ball on a long lever, carried into another by a small change of one joint."""
    lever, rest = Thing("sphere", (0.5,)), Thing("sphere", (0.5,))
    parts = (Part("l0", ((rest, at(0.0, 20.0, 1.1)),)), Part("l1", ((lever, at(0.0, 20.0, 0.0)),)))
    joint = er.Joint("j1", kind, "l0", "l1", None, (1.0, 0.0, 0.0) if kind != "prismatic" else (0, 0, 1))
    body, memory = Recipe(parts, (joint,), exclude=None).body(), er.Memory()
    still = body.configuration
    for share in np.linspace(0.0, 1.2, 400):
        half = 0.0025 * share
        turn = np.array([np.cos(half), np.sin(half), 0.0, 0.0])
        body.move(
            {
                "revolute": np.array([2.0 * half]),
                "prismatic": np.array([0.1 * share]),
                "spherical": turn,
                "free": np.concatenate([[0.0, 0.0, 0.05 * share], turn]),
            }[kind]
        )
        answer = er.self_collide(body, memory=memory, budget=ALL_OF_IT)
        assert bool(answer) == bool(er.self_collide(body))
    assert answer, "it got there"
    body.move(still)
    assert not er.self_collide(body, memory=memory, budget=ALL_OF_IT)


def test_a_joint_that_follows_another_is_seen_to_move() -> None:
    recipe = hand(rng_of("mimic"), 7)
    body, memory = recipe.body(), er.Memory()
    for share in np.linspace(0.0, 1.0, 300):
        q = body.zero()
        q[:] = body.limits[:, 0] + share * (body.limits[:, 1] - body.limits[:, 0])
        body.move(q)
        answer = er.self_collide(body, memory=memory, budget=er.Budget(tests=10**6))
        assert bool(answer) == bool(er.self_collide(body))


def test_placed_and_moved_in_turn() -> None:
    rng = rng_of("placed")
    actor = Jointed(made_free(tree(rng, 6)))
    judge = Judge(Alone(rng, actor), er.Memory())
    for k in range(40):
        if k % 2:
            actor.place(rng, 0.02)
        else:
            actor.twin.move(actor.slow.random(rng, 0.1))
        judge.tree(judge.collide(int(rng.choice([0, 10, 1000]))))


def test_many_configurations_in_between_change_nothing() -> None:
    """They are asked without a memory, which then goes on from the last one that it has seen."""
    rng = rng_of("many between")
    actor = Jointed(made_free(skins(rng, 5)))
    judge = Judge(Alone(rng, actor), er.Memory())
    for _ in range(20):
        judge.stage.step()
        judge.tree(judge.collide(int(rng.choice([0, 50, 1000]))))
        actor.body.move(actor.body.random(3, seed=int(rng.integers(100))))
        assert len(er.self_collide(actor.body).hits) == 3
        actor.twin.move(actor.near(rng, 1e-3))
        judge.tree(judge.collide(int(rng.choice([0, 50, 1000]))))


def test_another_configuration_needs_work_only_where_it_moved() -> None:
    """An arm of which the last joint turns: all pairs of links before it stay proved."""
    body, memory = arm(rng_of("tip"), 12).body(), er.Memory()
    first = spent(er.self_collide(body, memory=memory, budget=ALL_OF_IT))
    q = body.zero()
    for k in range(1, 20):
        q[-1] = 1e-4 * k
        body.move(q)
        answer = er.self_collide(body, memory=memory, budget=ALL_OF_IT)
        assert not answer and answer.covered == 1.0 and spent(answer) <= first
