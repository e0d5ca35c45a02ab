"""Memories of chains: alone, with rigid bodies, with each other; bent, bent back, and made anew."""

from __future__ import annotations

import gc
from typing import Any

import nasty
import numpy as np
import pytest
from articulated_makers import tree
from chain_makers import MAKERS, VOLUMES, WITH_SIDES, coil, rng_of, serpentine
from memory_actors import Bending, Jointed, Wobbling
from memory_judge import Judge, any_questions, check_settling, facts, proofs_along, spent
from memory_makers import METHODS, Alone, Rigid, Two
from memory_things import cluster, ring
from necklace_makers import coil as beads

import elbowroom as er

SHAPES = ("coil", "serpentine", "protein", "rod", "unequal", "branched", "bonded", "tolerant", "points",
          "stacked", "tiny", "huge", "tangle")  # fmt: skip
FAST = ("auto", "sphere of eight", "obb of eight")
ALL_OF_IT = er.Budget(tests=10**9)


def alone(shape: str, *what: Any, n: int = 40, gentle: float = 0.8, **settings: Any) -> tuple[Alone, Any]:
    rng = rng_of(shape, *what)
    return Alone(rng, Bending(MAKERS[shape](rng, n), gentle, **settings)), rng


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_answer_about_itself_is_right(shape: str, method: Any) -> None:
    stage, rng = alone(shape, method)
    judge = Judge(stage, er.Memory(method))
    any_questions(judge, rng, 40, 0.1 * stage.size)


@pytest.mark.parametrize("volume", VOLUMES)
def test_every_tree_answers_right(volume: str) -> None:
    stage, rng = alone("coil", volume, **VOLUMES[volume])
    any_questions(Judge(stage, er.Memory()), rng, 60, 0.1 * stage.size)


@pytest.mark.parametrize("n", [2, 3, 9, 40, 70])
@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_proved_apart_is_apart_now(shape: str, n: int) -> None:
    stage, rng = alone(shape, "proofs", n, n=n, gentle=0.95)
    proofs_along(Judge(stage, er.Memory()), rng, 25, (0, 3, 20, 60, 300))


@pytest.mark.parametrize("volume", FAST)
def test_proofs_of_every_fast_tree_hold(volume: str) -> None:
    stage, rng = alone("protein", "proofs", volume, gentle=1.0, **VOLUMES[volume])
    assert proofs_along(Judge(stage, er.Memory()), rng, 60, (0, 20, 60, 300)) > 60


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("other", ["ring", "cluster", "ball", "chain", "itself"])
@pytest.mark.parametrize("shape", ["coil", "branched", "bonded", "unequal", "points"])
def test_every_answer_about_another_is_right_and_proved(shape: str, other: str, method: Any) -> None:
    rng = rng_of("others", shape, other, method)
    one = Bending(MAKERS[shape](rng, 30), 0.9)
    others: dict[str, Any] = {
        "ring": lambda: Rigid(ring()), "cluster": lambda: Rigid(cluster(rng, 12)), "itself": lambda: one,
        "ball": lambda: Rigid(cluster(rng, 1)), "chain": lambda: Bending(coil(rng, 25), 0.9),
    }  # fmt: skip
    stage = Two(rng, one, others[other]())
    any_questions(Judge(stage, er.Memory(method)), rng, 20, 0.1 * stage.size)
    proofs_along(Judge(stage, er.Memory(method)), rng, 15, (0, 3, 20, 60, 300))


@pytest.mark.parametrize("shape", ["coil", "protein", "branched", "rod"])
@pytest.mark.parametrize("volume", ["auto", "obb", "sphere"])
def test_where_nothing_moves_any_budget_decides_in_the_end(shape: str, volume: str) -> None:
    if shape in WITH_SIDES and volume != "auto":
        volume = "sphere of eight"  # the binary tree has no side balls
    stage, _ = alone(shape, "settle", gentle=1.0, **VOLUMES[volume])
    for tests in (1, 10, 100):
        stage.step()
        check_settling(stage, er.Memory(), tests)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_numbers_on_every_run(method: Any) -> None:
    stage, rng = alone("protein", "same", method, gentle=1.0)
    memories = [er.Memory(method) for _ in range(2)]
    for _ in range(30):
        stage.step()
        budget = er.Budget(tests=int(rng.choice([0, 2, 15, 80, 400])))
        one, again = (stage.ask("collide", memory=memory, budget=budget) for memory in memories)
        assert facts(one) == facts(again)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("other", ["ring", "chain", "necklace", "articulated"])
def test_both_ways_round_is_the_same(other: str, method: Any) -> None:
    rng = rng_of("round", other)
    others: dict[str, Any] = {
        "ring": lambda: Rigid(ring()), "chain": lambda: Bending(MAKERS["branched"](rng, 20), 1.0),
        "necklace": lambda: Wobbling(beads(rng, 30), 1.0), "articulated": lambda: Jointed(tree(rng, 4)),
    }  # fmt: skip
    stage = Two(rng, Bending(coil(rng, 40), 1.0), others[other]())
    memories = er.Memory(method), er.Memory(method)
    for _ in range(40):
        stage.step()
        budget = er.Budget(tests=int(rng.choice([0, 2, 15, 80])))
        one, other = (
            stage.ask("collide", memory=memory, budget=budget, swapped=bool(k))
            for k, memory in enumerate(memories)
        )
        assert facts(one) == facts(other)


@pytest.mark.parametrize("other", ["chain", "mesh"])
def test_a_far_ball_is_no_farther_than_it_is(other: str) -> None:
    """Seen from a speck at the first ball, where slack that is relative to the speck is nothing."""
    rng, speck = rng_of("far ball", other), np.array([[0.0, 0.0, 0.0], [1e-12, 0.0, 0.0], [0.0, 1e-12, 0.0]])
    small = er.Chain(speck, 0.0, exclude=0) if other == "chain" else er.Mesh(speck, [[0, 1, 2]])
    for turn in nasty.rotations(rng, 800):
        balls = 9.0 * nasty.directions(rng, 17)
        balls[0], balls[16] = 0.0, balls[16] * rng.uniform(0.2, 0.4)
        chain, memory, true = er.Chain(balls, 0.0, exclude=0), er.Memory(), float(np.linalg.norm(balls[16]))
        near = er.within(chain, small, true * (1.0 + 1e-9), None, (turn, np.zeros(3)))
        assert (near.indices[:, 0] == 16).any()
        er.collide(chain, small, None, (turn, np.zeros(3)), memory=memory, budget=ALL_OF_IT)
        dump = memory._bvtt()
        gaps = dump["gap"][(dump["a"] == 1) | (dump["b"] == 1)]  # the second leaf: ball 16 alone
        assert (gaps <= true * (1.0 + 1e-11)).all()


# What could keep a proof alive that no longer holds.


def closed_hand(n: int = 60) -> tuple[er.Chain, float]:
    """A chain that is free, and the turn of its middle joint that makes it meet itself."""
    rng = rng_of("closed")
    recipe = coil(rng, n)
    chain = recipe.chain()
    for angle in np.linspace(0.1, 6.2, 60):
        chain.rotate(n // 2, float(angle))
        if chain.collides():
            chain.undo()
            return chain, float(angle)
        chain.undo()
    raise AssertionError("no turn makes it collide")


def test_a_change_is_seen_however_it_is_made() -> None:
    chain, angle = closed_hand()
    memory = er.Memory()
    middle = len(chain) // 2
    for change in (
        lambda: chain.rotate(middle, angle),
        lambda: chain.change({middle: angle}),
        lambda: chain.try_torsions([middle], [angle], stay=True),
        lambda: chain.change(([middle, 0], [angle, 0.0])),
    ):
        assert not er.self_collide(chain, memory=memory, budget=ALL_OF_IT) and memory.age == 0
        change()
        hit = bool(er.self_collide(chain))
        assert bool(er.self_collide(chain, memory=memory, budget=ALL_OF_IT)) == hit
        zero = er.self_collide(chain, memory=memory, budget=er.Budget(tests=0))
        assert zero.status == "out of budget" or bool(zero) == hit
        if hit:
            chain.undo()


def test_a_copy_is_another_chain_and_the_memory_forgets() -> None:
    chain, angle = closed_hand()
    memory, twin = er.Memory(), coil(rng_of("closed"), 60).chain()
    twin.rotate(30, angle)
    assert not er.self_collide(chain, memory=memory, budget=ALL_OF_IT)
    assert er.self_collide(twin, memory=memory, budget=ALL_OF_IT)
    assert not er.self_collide(chain, memory=memory, budget=ALL_OF_IT)
    zero = er.self_collide(twin, memory=memory, budget=er.Budget(tests=0))
    assert not zero and zero.status == "out of budget"


def test_a_chain_made_anew_in_the_same_place_is_another() -> None:
    """One after the other, the last one deleted: a new chain may have its address."""
    memory, (_, angle) = er.Memory(), closed_hand(20)
    for _ in range(4):
        chain = coil(rng_of("closed"), 20).chain()
        assert not er.self_collide(chain, memory=memory, budget=ALL_OF_IT)
        del chain
        gc.collect()
        bent = coil(rng_of("closed"), 20).chain()
        bent.rotate(10, angle)
        zero = er.self_collide(bent, memory=memory, budget=er.Budget(tests=0))
        assert zero or zero.status == "out of budget"
        assert er.self_collide(bent, memory=memory, budget=ALL_OF_IT)
        del bent


def test_changes_and_undoing_them_between_questions() -> None:
    """Far away and back again: the way counts, not where it ends."""
    stage, rng = alone("coil", "there and back", gentle=1.0)
    judge, chain = Judge(stage, er.Memory()), stage.actor.body
    judge.collide(10**9)
    for _ in range(30):
        for _ in range(int(rng.integers(1, 5))):
            chain.rotate(int(rng.integers(0, 38)), float(rng.uniform(-3.0, 3.0)))
            if rng.random() < 0.3:
                chain.collides()
            chain.undo()
        judge.tree(judge.collide(int(rng.choice([0, 10, 1000]))))


@pytest.mark.parametrize("away", [1e6, 1e10, 1e13])
def test_a_long_way_before_does_not_hide_a_small_step(away: float) -> None:
    """The end was far away and came back: steps that are lost in that length still count."""
    hook = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [2, 2, 0], [1, 2, 0], [0, 2, 0]]
    chain, memory = er.Chain(np.array([*hook, [0, 1.2, 0.5], [0.6, 0.6, 2.0]]), 0.3), er.Memory()
    far, step = np.eye(4), np.eye(4)
    far[1, 3], step[:3, 3] = away, [0.0, -0.00015, -0.00075]
    assert not er.self_collide(chain, memory=memory, budget=ALL_OF_IT)
    chain.move(3, far)
    chain.positions()  # carries it out
    chain.undo()
    for k in range(2400):
        chain.move(7, step)
        if k % 3:
            chain.positions()
        answer = er.self_collide(chain, memory=memory, budget=ALL_OF_IT)
        assert bool(answer) == bool(er.self_collide(chain))
    assert answer, "it got there"


def test_two_memories_of_one_chain_each_count_for_themselves() -> None:
    stage, rng = alone("protein", "two memories", gentle=1.0)
    often, seldom = Judge(stage, er.Memory()), Judge(stage, er.Memory())
    for k in range(60):
        stage.step()
        often.tree(often.collide(int(rng.choice([0, 50, 500]))))
        if k % 7 == 0:
            seldom.tree(seldom.collide(int(rng.choice([0, 50, 500]))))


def test_little_bends_need_little_work() -> None:
    chain, memory = serpentine(None, 1000).chain(), er.Memory()
    work = [spent(er.self_collide(chain, memory=memory, budget=ALL_OF_IT))]
    for k in range(20):
        chain.rotate(500 + k, 1e-6)
        answer = er.self_collide(chain, memory=memory, budget=ALL_OF_IT)
        assert not answer and answer.covered == 1.0
        work.append(spent(answer))
    assert sum(work[1:]) < work[0]
