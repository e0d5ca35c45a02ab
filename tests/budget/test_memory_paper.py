"""The paper's two methods of a memory, step by step as the paper has them, and its confidence."""

from __future__ import annotations

from typing import Any, Literal

import chain_makers
import necklace_makers
import numpy as np
import pytest
from chain_makers import rng_of
from memory_actors import Bending, Wobbling
from memory_judge import spent
from memory_makers import Alone, Rigid, Stage, Two
from memory_oracle import (
    OPEN,
    Dump,
    Paper,
    checked_share,
    cut_of,
    dangerous,
    deepest_below,
    keys_of,
    taken_in_order,
    visiting_order,
)
from memory_things import linked_path, ring

import elbowroom as er

PAPERS: tuple[Literal["best-first", "depth-first"], ...] = ("best-first", "depth-first")
THING, POSES = linked_path(60)
RING = er.Mesh(*THING.args, children=2)


def ask(memory: er.Memory, pose: np.ndarray, tests: int | None = None) -> Any:
    how = {} if tests is None else {"budget": er.Budget(tests=tests)}
    return er.collide(RING, RING, None, pose, memory=memory, **how)


# The order.


@pytest.mark.parametrize("tests", [10, 40, 150, 600])
@pytest.mark.parametrize("method", PAPERS)
def test_pairs_are_taken_up_as_the_paper_says(method: Any, tests: int) -> None:
    """Best-first by the depths of the last run, whatever came of it; depth-first from left to right."""
    memory, last, cut = er.Memory(method), None, 0
    for pose in POSES:
        answer = ask(memory, pose, tests)
        dump = memory._bvtt()
        assert taken_in_order(dump, last if method == "best-first" else None)
        cut += answer.status == "out of budget"
        last = dump
    assert cut > 10


def test_best_first_is_another_order() -> None:
    """Or the test before this one could not tell."""
    memory, last, odd = er.Memory("best-first"), None, 0
    for pose in POSES:
        ask(memory, pose, 300)
        dump = memory._bvtt()
        odd += not taken_in_order(dump, None)
        last = dump
    assert odd > 5 and last is not None


@pytest.mark.parametrize("method", PAPERS)
def test_every_run_begins_at_the_root(method: Any) -> None:
    """Nothing is carried over but the order: a budget of three tests proves as little the tenth time."""
    memory = er.Memory(method)
    assert {ask(memory, POSES[0], 3).covered for _ in range(10)} == {0.0}
    first = ask(er.Memory(method), POSES[0], 10**6)
    assert [spent(ask(memory, POSES[0], 10**6)) for _ in range(3)] == 3 * [spent(first)]


def test_without_a_last_run_both_go_from_left_to_right() -> None:
    dumps = []
    for method in PAPERS:
        memory = er.Memory(method)
        ask(memory, POSES[0], 90)
        dumps.append(memory._bvtt())
    assert all(np.array_equal(dumps[0][name], dumps[1][name]) for name in dumps[0])


def test_the_deeper_child_of_the_root_comes_first() -> None:
    """Two rows of balls, of which only the right ends come close: the second time it begins there."""

    def row(x: float, z: float) -> list[tuple[Any, er.Pose]]:
        return [(er.Sphere(0.1), er.Pose(translation=[x + 0.3 * k, 0.0, z])) for k in range(8)]

    a = er.Group([*row(0.0, 0.0), *row(100.0, 0.0)], children=2)
    b = er.Group([*row(0.0, 3.0), *row(100.0, 0.25)], children=2)
    memory = er.Memory("best-first")
    assert not er.collide(a, b, memory=memory, budget=er.Budget(tests=10**6))
    whole = memory._bvtt()
    er.collide(a, b, memory=memory, budget=er.Budget(tests=4))
    part = memory._bvtt()
    deep = dict(zip(keys_of(whole), deepest_below(whole).tolist(), strict=True))
    order = visiting_order(part, whole)
    assert order != visiting_order(part, None) or part["state"][order[1]] != OPEN
    levels = [deep[keys_of(part)[k]] for k in order if part["parent"][k] == 0]
    assert levels == sorted(levels, reverse=True)


# Confidence.


@pytest.mark.parametrize("group", [1, 3, 8, 20])
@pytest.mark.parametrize("threshold", [0.0, 0.5, 1.0, 2.5])
def test_dangerous_regions_are_those_of_the_paper(group: int, threshold: float) -> None:
    memory = er.Memory("depth-first", group=group, threshold=threshold)
    for pose in POSES[:8]:
        ask(memory, pose, 300)
        dump, tree = memory._bvtt(), memory.bvtt
        cut = cut_of(dump)
        assert tree is not None and np.array_equal(tree.cut, cut)
        assert np.array_equal(
            tree.dangerous(group, threshold), dangerous(dump["depth"][cut], group, threshold)
        )


@pytest.mark.parametrize("tests", [60, 250, 600])
@pytest.mark.parametrize(
    ("group", "threshold"), [(8, 1.0), (3, 0.5), (16, 2.0), (1, 1.0), (8, 0.0), (5, 1e9)]
)
@pytest.mark.parametrize("method", PAPERS)
def test_confidence_is_the_share_times_the_last_one(
    method: Any, group: int, threshold: float, tests: int
) -> None:
    memory, paper = er.Memory(method, group=group, threshold=threshold), Paper(group, threshold)
    unfinished, between = 0, 0
    for k, pose in enumerate(POSES[:50]):
        limit = 10**9 if k % 6 == 0 else tests
        answer = ask(memory, pose, limit)
        done = answer.status != "out of budget" or bool(answer)
        assert answer.confidence == pytest.approx(paper.after(memory._bvtt(), done), abs=1e-12)
        unfinished += not done
        between += 0.0 < answer.confidence < 1.0
    assert unfinished > 5 and (between or threshold > 1.0 or tests < 100)


def bodies_that_bend() -> dict[str, Stage]:
    rng = rng_of("bending")
    chain, beads = chain_makers.serpentine(rng, 300), necklace_makers.compact(rng, 300)
    return {
        "chain": Alone(rng, Bending(chain, 1.0)),
        "necklace": Alone(rng, Wobbling(beads, 1.0)),
        "chain and ring": Two(rng, Bending(chain_makers.coil(rng, 150), 1.0), Rigid(ring(24, 12))),
        "ring and necklace": Two(rng, Rigid(ring(24, 12)), Wobbling(necklace_makers.coil(rng, 150), 1.0)),
    }


@pytest.mark.parametrize("name", bodies_that_bend())
@pytest.mark.parametrize("method", PAPERS)
def test_bodies_that_bend_go_by_the_same_rules(method: Any, name: str) -> None:
    stage, memory, paper, last = bodies_that_bend()[name], er.Memory(method), Paper(8, 1.0), None
    unfinished = 0
    for k in range(40):
        stage.step()
        budget = er.Budget(tests=10**9 if k % 5 == 0 else 40 if " and " in name else 700)
        answer = stage.ask("collide", memory=memory, budget=budget)
        done, dump = answer.status != "out of budget" or bool(answer), memory._bvtt()
        assert taken_in_order(dump, last if method == "best-first" else None)
        assert answer.confidence == pytest.approx(paper.after(dump, done), abs=1e-12)
        unfinished, last = unfinished + (not done), dump
    assert unfinished > 5


def test_signs_tell_the_share_and_the_product() -> None:
    memory, last = er.Memory("best-first"), None
    for k, pose in enumerate(POSES[:30]):
        limit = 10**9 if k % 5 == 0 else 300
        answer = ask(memory, pose, limit)
        dump: Dump = memory._bvtt()
        if last is not None and answer.status == "out of budget":
            signs = answer._signs
            assert signs[0] == answer.covered and signs[2] == answer.confidence
            assert signs[1] == pytest.approx(checked_share(last, dump, 8, 1.0), abs=1e-12)
            cut = cut_of(dump)
            left = dump["state"][cut] == OPEN
            assert signs[3] == pytest.approx(np.log1p(left.sum())) and signs[5] == pytest.approx(
                dump["depth"][cut].mean() / 32.0
            )
            assert signs[4] == dump["depth"].max() / 32.0
        last = dump


@pytest.mark.parametrize("method", PAPERS)
def test_an_unlimited_query_is_recorded_too(method: Any) -> None:
    memory = er.Memory(method)
    answer = ask(memory, POSES[0])
    assert not answer and answer.covered == 1.0 and answer.confidence == 1.0
    assert memory.bvtt is not None and memory.bvtt.covered == 1.0 and memory.age == 0


def test_age_of_the_papers_methods_counts_from_the_last_whole_run() -> None:
    memory, pose = er.Memory("best-first"), POSES[0]
    ask(memory, pose, 2)
    assert memory.age is None
    ask(memory, pose)
    assert memory.age == 0
    for k in range(1, 4):
        ask(memory, pose, 2)
        assert memory.age == k
