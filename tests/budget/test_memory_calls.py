"""Memories of rigid bodies over several calls: what is spread over them, what is kept, and what it costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from memory_judge import check_settling, facts, spent
from memory_makers import METHODS
from memory_oracle import proved_in
from memory_things import linked_path, offset, ring
from test_memory import THINGS, two

import elbowroom as er


@pytest.mark.parametrize("tests", [1, 10, 100])
@pytest.mark.parametrize("name", THINGS)
def test_where_nothing_moves_any_budget_decides_in_the_end(name: str, tests: int) -> None:
    stage, _ = two(name, "settle")
    for _ in range(6):
        stage.step()
        check_settling(stage, er.Memory(), tests)


def test_a_check_can_be_spread_over_many_calls() -> None:
    memory, (thing, poses) = er.Memory(), linked_path(12)
    for pose in poses:
        asked = (thing.body, thing.body, None, pose)
        full = er.collide(*asked, memory=er.Memory(), budget=er.Budget(tests=10**9))
        calls, work, covered = 0, 0, [0.0]
        while True:
            answer = er.collide(*asked, memory=memory, budget=er.Budget(tests=100))
            calls, work = calls + 1, work + spent(answer)
            covered.append(answer.covered)
            if answer.status != "out of budget":
                break
        assert bool(answer) == bool(full) and work <= 2 * spent(full) + 100
        assert bool(answer) or covered[1:] == sorted(covered[1:])


def test_age_says_when_the_oldest_part_was_proved() -> None:
    memory, nothing, all_of_it = er.Memory(), er.Budget(tests=0), er.Budget(tests=10**9)
    assert memory.age is None and memory.calls == 0
    thing, poses = linked_path(7)
    body = thing.body
    assert er.collide(body, body, None, poses[0], memory=memory, budget=nothing).covered == 0.0
    assert memory.age is None, "nothing was ever proved"
    assert not er.collide(body, body, None, poses[0], memory=memory, budget=all_of_it) and memory.age == 0
    for k in range(1, 6):
        answer = er.collide(body, body, None, poses[k], memory=memory, budget=nothing)
        assert answer.status == "out of budget" and memory.age == k and 0.0 < answer.covered < 1.0
    er.collide(body, body, None, poses[6], memory=memory, budget=all_of_it)
    assert memory.age == 0 and memory.calls == 8


@pytest.mark.parametrize("name", ["rings", "clusters", "rods", "offset"])
def test_bodies_that_move_together_need_no_tests(name: str) -> None:
    stage, _ = two(name, "together", walk="still", carried="brisk")
    memory = er.Memory()
    while stage.ask("collide"):
        stage.away[:3, 3] *= 1.5
    stage.ask("collide", memory=memory, budget=er.Budget(tests=10**6))
    for _ in range(50):
        stage.step()
        answer = stage.ask("collide", memory=memory, budget=er.Budget(tests=0))
        assert spent(answer) == 0 and answer.covered == 1.0 and answer.status != "out of budget"
        assert not answer and answer.confidence == 1.0 and memory.age == 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["rings", "clusters", "twins", "ring and ball", "one of many"])
def test_the_same_numbers_on_every_run_and_both_ways_round(name: str, method: Any) -> None:
    stage, rng = two(name, "same")
    memories = [er.Memory(method) for _ in range(3)]
    for _ in range(40):
        stage.step()
        budget = er.Budget(tests=int(rng.choice([0, 2, 15, 80])))
        one, again, swapped = (
            stage.ask("collide", memory=memory, budget=budget, swapped=k == 2)
            for k, memory in enumerate(memories)
        )
        assert facts(one) == facts(again) == facts(swapped)
        assert one.pairs.tolist() == swapped.pairs[:, ::-1].tolist()
        assert len({memory.age for memory in memories}) == 1


def test_a_little_motion_needs_little_work() -> None:
    """Otherwise the cut was kept in vain."""
    stage, _ = two("rings", "little", walk="creep")
    stage.away[:3, 3] = [3.0, 0.0, 0.0]
    memory, work = er.Memory(), []
    for _ in range(30):
        stage.step()
        work.append(spent(stage.ask("collide", memory=memory, budget=er.Budget(tests=10**6))))
    assert sum(work[1:]) < work[0] and proved_in(memory._bvtt()).any()


@pytest.mark.parametrize("tests", [0, 1, 50, 700])
def test_a_budget_is_kept_to_within_one_node(tests: int) -> None:
    thing, poses = linked_path(10)
    memories, budget = [er.Memory(method) for method in METHODS], er.Budget(tests=tests)
    for pose in poses:
        for memory in memories:
            asked: dict[str, Any] = {"memory": memory, "budget": budget}
            assert spent(er.collide(thing.body, thing.body, None, pose, **asked)) <= tests + 9
            assert spent(er.distance(thing.body, thing.body, None, pose, **asked)) <= tests + 9
            assert spent(er.within(thing.body, thing.body, 0.1, None, pose, **asked)) <= tests + 9


def test_the_tree_shrinks_again_when_bodies_part() -> None:
    """Else a memory would grow for as long as it is used."""
    thing, poses = linked_path(60)
    poses[40:, :3, :3], poses[40:, 1, 3] = poses[0, :3, :3], np.linspace(0.0, 6.0, 20)
    memory, sizes = er.Memory(), []
    for pose in poses:
        er.collide(thing.body, thing.body, None, pose, memory=memory, budget=er.Budget(tests=10**6))
        sizes.append(len(memory._bvtt()["parent"]))
    assert max(sizes[:40]) < 2 * sizes[0] and sizes[-1] < 20 < sizes[0]


def test_bodies_with_one_primitive_each_have_a_tree_of_one_node() -> None:
    memory, budget = er.Memory(), er.Budget(tests=9)
    for x, hit in ((3.0, False), (1.0, True), (3.0, False)):
        pose = er.Pose(translation=[x, 0.0, 0.0])
        answer = er.collide(er.Sphere(1), er.Sphere(0.5), None, pose, memory=memory, budget=budget)
        assert bool(answer) == hit and len(memory._bvtt()["parent"]) == 1
        assert answer.covered == (0.0 if hit else 1.0)


def test_a_turn_about_a_far_point_is_a_long_way() -> None:
    """Its rotation is small, and so would be a bound that forgets where the body is in its own frame."""
    far, ball, memory = offset(ring(), 1e6), er.Sphere(0.5), er.Memory()
    beside = er.Pose(translation=[1e6, -1e6, 0.5e6 + 2.0])
    assert not er.collide(far.body, ball, None, beside, memory=memory, budget=er.Budget(tests=10**6))
    for k in range(1, 200):
        turned = er.Pose([1.0, 0.0, 0.0, 1e-8 * k])
        answer = er.collide(far.body, ball, turned, beside, memory=memory, budget=er.Budget(tests=10**6))
        assert bool(answer) == bool(er.collide(far.body, ball, turned, beside))
