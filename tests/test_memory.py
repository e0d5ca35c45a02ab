"""Memories of rigid bodies: every answer is right, every proof holds where the bodies stand now."""

from __future__ import annotations

from typing import Any

import nasty
import numpy as np
import pytest
from chain_makers import rng_of
from memory_judge import Judge, any_questions, check_settling, facts, proofs_along, spent
from memory_makers import METHODS, Rigid, Two, linked_path, offset, rigid_things, ring, rod
from memory_oracle import proved_in
from memory_walks import WALKS

import elbowroom as er

THINGS = [*rigid_things(rng_of("names"))]


def two(*what: Any, walk: str = "any", carried: str = "still") -> tuple[Two, np.random.Generator]:
    """The things of that name, on a walk that depends on all that is told."""
    rng = rng_of(*what, walk, carried)
    one, other = rigid_things(rng)[str(what[0])]
    return Two(rng, Rigid(one), Rigid(other), walk, carried), rng


# Answers.


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", THINGS)
def test_every_answer_is_right_whatever_was_asked_before(name: str, method: Any) -> None:
    stage, rng = two(name, method)
    judge = Judge(stage, er.Memory(method))
    any_questions(judge, rng, 60, stage.size)
    assert {"exhausted", "hit"} & judge.seen.keys()


@pytest.mark.parametrize("family", nasty.FAMILIES)
@pytest.mark.parametrize("method", METHODS)
def test_hard_poses_one_after_another(method: Any, family: str) -> None:
    """Of every kind of body: one memory over poses that have nothing in common but that they are nasty."""
    for kinds in nasty.KIND_PAIRS[:: 1 if family in ("touching", "near") else 3]:
        rng = rng_of("nasty", family, kinds, method)
        case, memory = nasty.case(rng, kinds, 12, family), er.Memory(method)
        for pose_a, pose_b in zip(case.pose_a, case.pose_b, strict=True):
            asked, budget = (case.a.body, case.b.body, pose_a, pose_b), er.Budget(tests=int(rng.integers(60)))
            answer, full = er.collide(*asked, budget=budget, memory=memory), er.collide(*asked)
            assert answer.status == "out of budget" or bool(answer) == bool(full), case.code(0)
            assert bool(full) >= bool(answer)
            found, true = er.distance(*asked, budget=budget, memory=memory), er.distance(*asked)
            slack = 1e-12 * true.value
            assert found.lower <= true.value + slack and true.value <= found.upper + slack, case.code(0)


# Proofs.


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize("name", THINGS)
def test_what_is_proved_apart_is_apart_now(name: str, walk: str) -> None:
    stage, rng = two(name, "proofs", walk=walk)
    stage.part()
    assert proofs_along(Judge(stage, er.Memory()), rng, 15, (0, 3, 20, 60)) > 0


@pytest.mark.parametrize("carried", ["pivot", "spin", "jump", "brisk"])
@pytest.mark.parametrize("name", ["rings", "clusters", "offset", "rods"])
def test_proofs_hold_where_both_bodies_move(name: str, carried: str) -> None:
    stage, rng = two(name, "carried", carried=carried)
    stage.part()
    assert proofs_along(Judge(stage, er.Memory()), rng, 30, (0, 3, 20, 60)) > 30


@pytest.mark.parametrize("scale", [1e-9, 1e-6, 1e6, 1e9])
@pytest.mark.parametrize("away", [0.0, 1e5])
def test_proofs_hold_at_any_scale_and_far_from_the_origin(scale: float, away: float) -> None:
    rng = rng_of("scale", scale, away)
    vertices, faces = ring().args
    thing = nasty.Thing("mesh", (vertices * scale, faces))
    stage = Two(rng, Rigid(thing), Rigid(thing))
    stage.frame[:3, 3] = away * scale * np.array([1.0, -1.0, 0.5])
    assert proofs_along(Judge(stage, er.Memory()), rng, 30, (0, 3, 20, 60)) > 30


@pytest.mark.parametrize("method", ["best-first", "depth-first"])
@pytest.mark.parametrize("name", THINGS)
def test_a_run_from_the_root_proves_what_it_says(name: str, method: Any) -> None:
    stage, rng = two(name, method, "proofs")
    stage.part()
    assert proofs_along(Judge(stage, er.Memory(method)), rng, 15, (0, 3, 20, 60, 1000)) > 0


def test_a_long_way_of_tiny_steps_uses_up_a_gap() -> None:
    """A rod that turns by 6e-5 at a time until it meets a ball: it says so at once, not a step later."""
    rail, ball, memory, budget = rod(20).body, er.Sphere(0.1), er.Memory(), er.Budget(tests=40)
    beside = er.Pose(translation=[0.0, 5.0, 0.0])

    def turned(k: int) -> er.Pose:
        return er.Pose([np.cos(3e-5 * k), 0.0, 0.0, np.sin(3e-5 * k)])

    for k in range(30_000):
        answer = er.collide(rail, ball, turned(k), beside, memory=memory, budget=budget)
        assert answer.status != "out of budget", "forty tests are plenty for what moves so little"
        if answer:
            break
    assert er.collide(rail, ball, turned(k), beside) and not er.collide(rail, ball, turned(k - 1), beside)


def test_distances_under_a_linear_map_leave_the_cut_alone() -> None:
    """Their bounds are of another space."""
    stage, rng = two("rings", "linear")
    judge = Judge(stage, er.Memory())
    for k in range(40):
        stage.step()
        linear = np.diag(10.0 ** rng.uniform(-2.0, 2.0, 3)) @ nasty.rotations(rng, 1)[0]
        budget = er.Budget(tests=(0, 30, 10**6)[k % 3])
        found = stage.ask("distance", linear=linear, memory=judge.memory, budget=budget)
        full = stage.ask("distance", linear=linear)
        doubt = 100.0 * stage.doubt
        assert found.lower <= full.upper + doubt and full.lower <= found.upper + doubt
        judge.tree(judge.collide(int(rng.choice([0, 20, 1000]))))


def test_seconds_are_a_budget_for_a_memory_too() -> None:
    thing, poses = linked_path(10)
    memory, body = er.Memory(), thing.body
    for pose in poses:
        for _ in range(10_000):
            answer = er.collide(body, body, None, pose, memory=memory, budget=er.Budget(seconds=2e-5))
            if answer or answer.status != "out of budget":
                break
        assert bool(answer) == bool(er.collide(body, body, None, pose))


# Over several calls.


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
            asked = {"memory": memory, "budget": budget}
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
