"""Memories given wrongly, handed from body to body, and asked on an empty budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import articulated_makers
import chain_makers
import necklace_makers
import numpy as np
import pytest
from chain_makers import rng_of
from memory_judge import facts, spent
from memory_makers import METHODS
from memory_things import ring
from test_arrays import COUNTS, LENGTHS, NONE

import elbowroom as er

BALL, CUBE = er.Sphere(1.0), er.Box(1.0)
POSES = np.tile(np.eye(4), (3, 1, 1))
ALL_OF_IT, NOTHING = er.Budget(tests=10**9), er.Budget(tests=0)
CHAIN = chain_makers.coil(rng_of("input"), 40).chain()
NECKLACE = necklace_makers.coil(rng_of("input"), 40).necklace()
ARM = articulated_makers.arm(rng_of("input"), 4).body()
SPRING = er.Mesh(*er.scenes.spring())
TORUS = er.Mesh(*er.scenes.torus(segments=24, sides=12))

Ask = Callable[..., Any]


def across(ask: Ask, *more: Any) -> dict[str, Ask]:
    """A question about two bodies, of every kind."""
    bodies: dict[str, Any] = {"rigid": CUBE, "chain": CHAIN, "necklace": NECKLACE, "articulated": ARM}
    names = [(x, y) for x in bodies for y in bodies]
    return {
        f"{ask.__name__} {x} {y}": lambda x=x, y=y, **how: ask(bodies[x], bodies[y], *more, **how)
        for x, y in names
    }


def about_itself() -> dict[str, Ask]:
    out: dict[str, Ask] = {}
    for name, body in {"chain": CHAIN, "necklace": NECKLACE, "articulated": ARM}.items():
        out[f"self_collide {name}"] = lambda body=body, **how: er.self_collide(body, **how)
        out[f"self_distance {name}"] = lambda body=body, **how: er.self_distance(body, **how)
        out[f"self_within {name}"] = lambda body=body, **how: er.self_within(body, 0.5, **how)
    return out


ASKS = across(er.collide) | across(er.distance) | across(er.within, 0.5) | about_itself()

# Wrong arguments.
# fmt: off

Row = tuple[Callable[[Any], Any], str, dict[str, Any]]
METHOD: dict[str, Any] = NONE | {
    "unknown": "depth", "number": 1, "bytes": b"auto", "list": ["auto"], "case": "Auto",
}
MAKING: dict[str, Row] = {
    "method": (lambda x: er.Memory(x), "method", METHOD),
    "group": (lambda x: er.Memory(group=x), "group", NONE | COUNTS | {"zero": 0}),
    "threshold": (lambda x: er.Memory(threshold=x), "threshold", NONE | LENGTHS),
    "calibration": (lambda x: er.Memory(calibration=x), "calibration",
                    {"number": 1.0, "text": "table.json", "dict": {}, "memory": er.Memory()}),
}
# fmt: on
MADE = [(row, what) for row, (_, _, bad) in MAKING.items() for what in bad]
NOT_MEMORIES: dict[str, Any] = {"number": 5, "budget": NOTHING, "text": "auto", "class": er.Memory}
NOT_BUDGETS: dict[str, Any] = {"number": 5, "memory": er.Memory(), "text": "5", "class": er.Budget}


@pytest.mark.parametrize(("row", "what"), MADE)
def test_a_memory_that_cannot_be_made_is_an_error_that_names_the_argument(row: str, what: str) -> None:
    make, name, bad = MAKING[row]
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}"):
        make(bad[what])


@pytest.mark.parametrize("what", NOT_MEMORIES)
@pytest.mark.parametrize("ask", ASKS)
def test_what_is_no_memory_is_named(ask: str, what: str) -> None:
    with pytest.raises((ValueError, TypeError), match=r"\bmemory"):
        ASKS[ask](memory=NOT_MEMORIES[what])


@pytest.mark.parametrize("what", NOT_BUDGETS)
@pytest.mark.parametrize("ask", ASKS)
def test_what_is_no_budget_is_named(ask: str, what: str) -> None:
    memory = er.Memory()
    with pytest.raises((ValueError, TypeError), match=r"\bbudget"):
        ASKS[ask](budget=NOT_BUDGETS[what], memory=memory)
    assert memory.empty and memory.calls == 0, "an error comes before any work"


@pytest.mark.parametrize("ask", [er.collide, er.distance])
@pytest.mark.parametrize("body", [CUBE, CHAIN, NECKLACE, ARM])
def test_many_poses_have_no_memory(body: Any, ask: Ask) -> None:
    for how in ({"pose_a": POSES}, {"pose_b": POSES}, {"pose_b": POSES, "budget": NOTHING}):
        memory = er.Memory()
        with pytest.raises((ValueError, TypeError), match=r"\bmemory"):
            ask(body, BALL, memory=memory, **how)
        assert memory.empty


def test_many_configurations_have_no_memory() -> None:
    body = articulated_makers.arm(rng_of("many"), 4).body()
    body.move(body.random(5, seed=0))
    for ask in (er.self_collide, er.self_distance, lambda b, **how: er.collide(b, BALL, **how)):
        with pytest.raises((ValueError, TypeError), match=r"\bmemory"):
            ask(body, memory=er.Memory())


def test_settings_can_be_read_and_not_written() -> None:
    memory = er.Memory("best-first", group=5, threshold=0.5)
    assert (memory.method, memory.group, memory.threshold, memory.calibration) == ("best-first", 5, 0.5, None)
    assert (er.Memory().method, er.Memory().group, er.Memory().threshold) == ("auto", 8, 1.0)
    for name in ("method", "group", "threshold", "age", "calls", "empty", "bvtt"):
        with pytest.raises(AttributeError):
            setattr(memory, name, getattr(memory, name))


# An empty budget.


@pytest.mark.parametrize("method", [None, *METHODS])
@pytest.mark.parametrize("ask", ASKS)
def test_on_an_empty_budget_nothing_is_tested_and_nothing_wrong_said(ask: str, method: Any) -> None:
    how = {} if method is None else {"memory": er.Memory(method)}
    full = ASKS[ask]()
    for _ in range(3):
        answer = ASKS[ask](budget=NOTHING, **how)
        assert spent(answer) <= 4 or "articulated" in ask, (
            "two primitives may be measured, for an upper bound"
        )
        assert 0.0 <= answer.covered <= 1.0 and 0.0 <= answer.confidence <= 1.0
        if hasattr(answer, "value"):
            assert answer.lower <= full.value <= answer.upper
        if answer.status == "out of budget":
            assert answer.covered < 1.0 and answer.confidence < 1.0 and "free" not in repr(answer)


@pytest.mark.parametrize("ask", ASKS)
def test_without_a_budget_there_is_nothing_to_say_about_it(ask: str) -> None:
    answer = ASKS[ask]()
    assert answer.covered is None and answer.confidence is None and answer._signs is None


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ask", ASKS)
def test_a_large_budget_gives_the_unlimited_answer(ask: str, method: Any) -> None:
    answer, full = ASKS[ask](budget=ALL_OF_IT, memory=er.Memory(method)), ASKS[ask]()
    assert answer.status != "out of budget" and answer.confidence == 1.0
    if hasattr(full, "value"):
        assert answer.value == pytest.approx(full.value, rel=1e-12)
        assert answer.covered == 1.0 or answer.value == 0.0
    elif hasattr(full, "pairs"):
        assert bool(answer) == bool(full) and (answer or answer.covered == 1.0)
    else:
        assert answer.indices.tolist() == full.indices.tolist() and answer.covered == 1.0


# From body to body.


def test_forget_makes_it_new() -> None:
    memory, pose = er.Memory(), er.Pose(translation=[9.0, 1.0, 0.0])
    first = er.collide(SPRING, TORUS, None, pose, memory=memory, budget=er.Budget(tests=50))
    er.collide(SPRING, TORUS, None, pose, memory=memory, budget=er.Budget(tests=50))
    assert not memory.empty and memory.calls == 2 and memory.bvtt is not None
    memory.forget()
    assert memory.empty and memory.calls == 0 and memory.age is None and memory.bvtt is None
    again = er.collide(SPRING, TORUS, None, pose, memory=memory, budget=er.Budget(tests=50))
    assert facts(first) == facts(again)


@pytest.mark.parametrize("method", METHODS)
def test_a_memory_of_other_bodies_begins_anew(method: Any) -> None:
    pairs = [
        (SPRING, TORUS),
        (TORUS, CUBE),
        (CHAIN, TORUS),
        (NECKLACE, TORUS),
        (ARM, TORUS),
        (ARM, CHAIN),
        (CUBE, BALL),
    ]
    used, pose = er.Memory(method), er.Pose(translation=[3.0, 0.5, 0.0])
    for a, b in [*pairs, *pairs[-2::-1], *pairs[1:]]:
        for tests in (0, 30, 10**9):
            budget = er.Budget(tests=tests)
            answer = er.collide(a, b, None, pose, memory=used, budget=budget)
            assert answer.status == "out of budget" or bool(answer) == bool(er.collide(a, b, None, pose))
            if tests == 0:
                fresh = er.collide(a, b, None, pose, memory=er.Memory(method), budget=budget)
                assert (answer.covered, answer.status) == (fresh.covered, fresh.status)


@pytest.mark.parametrize("method", METHODS)
def test_one_memory_for_two_pairs_in_turn(method: Any) -> None:
    """Each forgets what the other left there."""
    memory = er.Memory(method)
    for k in range(40):
        free = er.Pose(translation=[9.0 + 0.01 * k, 0.0, 0.0])
        meets = er.Pose(translation=[1.0, 0.3, 0.01 * k])
        budget = er.Budget(tests=(0, 40, 10**9)[k % 3])
        for a, b, pose in ((SPRING, TORUS, free), (TORUS, TORUS, meets), (TORUS, SPRING, free)):
            answer = er.collide(a, b, None, pose, memory=memory, budget=budget)
            assert answer.status == "out of budget" or bool(answer) == bool(er.collide(a, b, None, pose))
            assert bool(er.collide(a, b, None, pose)) >= bool(answer)


def test_the_same_body_with_another_tree_is_another_body() -> None:
    """Nodes of the one tree mean nothing in the other."""
    vertices, faces = ring(24, 12).args
    trees = [er.Mesh(vertices, faces, children=n) for n in (8, 2)]
    memory, rng = er.Memory(), rng_of("trees")
    for k in range(60):
        body = trees[k % 2]
        pose = er.Pose(translation=[1.2 + 0.6 * rng.random(), 0.4 * rng.normal(), 0.2])
        answer = er.collide(
            body, body, None, pose, memory=memory, budget=er.Budget(tests=(30, 400, 10**9)[k % 3])
        )
        assert answer.status == "out of budget" or bool(answer) == bool(er.collide(body, body, None, pose))


def test_a_mesh_in_place_of_another_of_the_same_size() -> None:
    vertices, faces = ring(24, 12).args
    pose, memory = er.Pose(translation=[2.6, 0.0, 0.0]), er.Memory()
    for k in range(30):
        grown = er.Mesh(vertices * (1.0 + 0.02 * k), faces)
        answer = er.collide(grown, TORUS, None, pose, memory=memory, budget=ALL_OF_IT)
        assert bool(answer) == bool(er.collide(grown, TORUS, None, pose))
        zero = er.collide(
            er.Mesh(vertices * (1.01 + 0.02 * k), faces), TORUS, None, pose, memory=memory, budget=NOTHING
        )
        assert zero.status == "out of budget" and zero.covered == 0.0
        del grown


def test_one_body_with_itself_and_with_others_through_one_memory() -> None:
    memory, pose = er.Memory(), er.Pose(translation=[0.5, 0.0, 0.0])
    asks: list[Ask] = [
        lambda **how: er.self_collide(CHAIN, **how),
        lambda **how: er.collide(CHAIN, CHAIN, None, pose, **how),
        lambda **how: er.self_collide(NECKLACE, **how),
        lambda **how: er.collide(NECKLACE, CHAIN, **how),
        lambda **how: er.self_collide(ARM, **how),
        lambda **how: er.collide(ARM, ARM, None, pose, **how),
    ]
    for k in range(36):
        ask = asks[(k * 5) % 6 if k % 2 else k % 6]
        for budget in (NOTHING, er.Budget(tests=20), ALL_OF_IT):
            answer = ask(memory=memory, budget=budget)
            assert answer.status == "out of budget" or bool(answer) == bool(ask())
