"""Memories of necklaces: alone and with others, every kind of cages, in space and in the plane."""

from __future__ import annotations

import gc
from typing import Any

import chain_makers
import numpy as np
import pytest
from chain_makers import rng_of
from memory_actors import Bending, Wobbling
from memory_judge import Judge, any_questions, check_settling, facts, proofs_along, spent
from memory_makers import METHODS, Alone, Rigid, Two
from memory_things import cluster, ring
from necklace_makers import CAGES, MAKERS, SIZES, coil

import elbowroom as er

ALL_OF_IT = er.Budget(tests=10**9)
SHAPES = ("coil", "compact", "line", "helix", "twins", "nested", "swallowed", "cospherical", "uneven",
          "bonds", "ring", "knot", "points", "tiny", "huge", "far", "flat-coil", "spiral", "flat-bonds",
          "flat-tiny", "flat-far")  # fmt: skip


def alone(shape: str, *what: Any, n: int = 40, gentle: float = 0.9, **settings: Any) -> tuple[Alone, Any]:
    rng = rng_of(shape, *what)
    return Alone(rng, Wobbling(MAKERS[shape](rng, n), gentle, **settings)), rng


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_answer_about_itself_is_right(shape: str, method: Any) -> None:
    """With a memory all kinds of cages take the same way, so each is asked with some of the shapes."""
    cages = CAGES[list(SHAPES).index(shape) % len(CAGES)]
    stage, rng = alone(shape, method, cages=cages)
    any_questions(Judge(stage, er.Memory(method)), rng, 30, 0.1 * stage.size)


@pytest.mark.parametrize("cages", CAGES)
@pytest.mark.parametrize("n", SIZES)
def test_what_is_proved_apart_is_apart_now(n: int, cages: str) -> None:
    for shape in ("coil", "flat-coil", "bonds", "points"):
        stage, rng = alone(shape, "proofs", n, cages, n=n, gentle=0.97, cages=cages)
        proofs_along(Judge(stage, er.Memory()), rng, 10, (0, 3, 20, 60, 300))


@pytest.mark.parametrize("shape", SHAPES)
def test_proofs_of_every_shape_hold(shape: str) -> None:
    stage, rng = alone(shape, "proofs", gentle=0.97)
    proofs_along(Judge(stage, er.Memory()), rng, 25, (0, 3, 20, 60, 300))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("other", ["ring", "cluster", "ball", "chain", "necklace", "itself"])
@pytest.mark.parametrize("shape", ["coil", "flat-coil", "uneven", "points"])
def test_every_answer_about_another_is_right_and_proved(shape: str, other: str, method: Any) -> None:
    rng = rng_of("others", shape, other, method)
    one = Wobbling(MAKERS[shape](rng, 30), 0.95, cages=str(rng.choice(CAGES)))
    others: dict[str, Any] = {
        "ring": lambda: Rigid(ring()), "cluster": lambda: Rigid(cluster(rng, 12)), "itself": lambda: one,
        "ball": lambda: Rigid(cluster(rng, 1)), "chain": lambda: Bending(chain_makers.coil(rng, 25), 0.9),
        "necklace": lambda: Wobbling(MAKERS["knot"](rng, 25), 0.95),
    }  # fmt: skip
    stage = Two(rng, one, others[other]())
    any_questions(Judge(stage, er.Memory(method)), rng, 30, 0.1 * stage.size)
    proofs_along(Judge(stage, er.Memory(method)), rng, 15, (0, 3, 20, 60, 300))


@pytest.mark.parametrize("cages", CAGES)
@pytest.mark.parametrize("shape", ["coil", "flat-coil", "knot", "bonds"])
def test_where_nothing_moves_any_budget_decides_in_the_end(shape: str, cages: str) -> None:
    stage, _ = alone(shape, "settle", n=60, gentle=1.0, cages=cages)
    for tests in (1, 10, 100):
        stage.step()
        check_settling(stage, er.Memory(), tests)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_numbers_on_every_run(method: Any) -> None:
    stage, rng = alone("coil", "same", method, n=130, gentle=1.0)
    memories = [er.Memory(method) for _ in range(2)]
    for _ in range(30):
        stage.step()
        budget = er.Budget(tests=int(rng.choice([0, 2, 15, 80, 400])))
        one, again = (stage.ask("collide", memory=memory, budget=budget) for memory in memories)
        assert facts(one) == facts(again)


# What could keep a proof alive that no longer holds.


@pytest.mark.parametrize("cages", CAGES)
def test_one_bead_that_moves_alone_is_seen(cages: str) -> None:
    """All others stand still, so a bound that takes the mean, or looks at some, sees nothing."""
    recipe = coil(rng_of("one bead"), 100)
    necklace, memory = recipe.necklace(cages=cages), er.Memory()
    for bead in (0, 1, 15, 16, 50, 98, 99):
        necklace.move(recipe.positions)
        assert not er.self_collide(necklace, memory=memory, budget=ALL_OF_IT)
        moved = recipe.positions.copy()
        moved[bead] = moved[(bead + 40) % 100]
        necklace.move(moved)
        zero = er.self_collide(necklace, memory=memory, budget=er.Budget(tests=0))
        assert zero or zero.status == "out of budget"
        assert er.self_collide(necklace, memory=memory, budget=ALL_OF_IT)


@pytest.mark.parametrize("cages", CAGES)
def test_there_and_back_without_a_question_in_between(cages: str) -> None:
    """Where a bead has been in between does not matter; that it came back does not prove more than before."""
    rng = rng_of("back")
    recipe = coil(rng, 60)
    necklace, memory = recipe.necklace(cages=cages), er.Memory()
    assert not er.self_collide(necklace, memory=memory, budget=ALL_OF_IT)
    for _ in range(20):
        for _ in range(3):
            necklace.move(recipe.positions + rng.normal(size=recipe.positions.shape))
        necklace.move(recipe.positions)
        answer = er.self_collide(necklace, memory=memory, budget=er.Budget(tests=0))
        assert not answer
    assert not er.self_collide(necklace, memory=memory, budget=ALL_OF_IT) and memory.age == 0


def test_many_tiny_moves_add_up() -> None:
    """One end is drawn to the other by 1e-4 at a time, and met in the very step."""
    n = 24
    line = np.stack([np.arange(n) * 1.0, np.zeros(n), np.zeros(n)], axis=1)
    necklace, memory = er.Necklace(line, 0.3, exclude=0), er.Memory()
    target, start = line[3] + [0.0, 0.6, 0.0], line[20] + [0.0, 3.0, 0.0]
    hit_at = None
    for k in range(12_000):
        line[20] = start + (target - start) * (k / 10_000)
        necklace.move(line)
        answer = er.self_collide(necklace, memory=memory, budget=ALL_OF_IT)
        if answer:
            hit_at = k
            break
    assert hit_at is not None and abs(hit_at - 10_000) <= 1 and er.self_collide(necklace)


@pytest.mark.parametrize(("away", "step"), [(1e6, 5e-4), (1e9, 5e-4), (1e12, 5e-3), (1e14, 5e-3)])
def test_a_long_way_before_does_not_hide_a_small_step(away: float, step: float) -> None:
    """A bead was far away and came back: steps of another that are lost in that length still count."""
    line = np.stack([np.arange(24.0), np.zeros(24), np.zeros(24)], axis=1)
    line[20] = [3.0, 3.0, 0.0]
    necklace, memory = er.Necklace(line, 0.3, exclude=0), er.Memory()
    assert not er.self_collide(necklace, memory=memory, budget=ALL_OF_IT)
    far = line.copy()
    far[10, 1] = away
    for positions in (far, line):
        necklace.move(positions)
    assert not er.self_collide(necklace, memory=memory, budget=ALL_OF_IT)
    for _ in range(round(2.41 / step)):
        line[20, 1] -= step
        necklace.move(line)
        answer = er.self_collide(necklace, memory=memory, budget=ALL_OF_IT)
        assert bool(answer) == bool(er.self_collide(necklace))
    assert answer, "it got there"


def test_a_necklace_made_anew_in_the_same_place_is_another() -> None:
    memory, recipe = er.Memory(), coil(rng_of("anew"), 30)
    bent = recipe.positions.copy()
    bent[25] = bent[3]
    for _ in range(4):
        necklace = recipe.necklace()
        assert not er.self_collide(necklace, memory=memory, budget=ALL_OF_IT)
        del necklace
        gc.collect()
        other = er.Necklace(bent, recipe.radii)
        zero = er.self_collide(other, memory=memory, budget=er.Budget(tests=0))
        assert zero or zero.status == "out of budget"
        assert er.self_collide(other, memory=memory, budget=ALL_OF_IT)
        del other


def test_little_moves_need_little_work() -> None:
    rng = rng_of("little")
    recipe = coil(rng, 500)
    necklace, memory = recipe.necklace(), er.Memory()
    work = [spent(er.self_collide(necklace, memory=memory, budget=ALL_OF_IT))]
    for _ in range(20):
        necklace.move(necklace.positions() + 1e-9 * rng.normal(size=(500, 3)))
        answer = er.self_collide(necklace, memory=memory, budget=ALL_OF_IT)
        assert not answer and answer.covered == 1.0
        work.append(spent(answer))
    assert sum(work[1:]) < work[0]
