"""Memories of rigid bodies: every answer is right, every proof holds where the bodies stand now."""

from __future__ import annotations

from typing import Any

import nasty
import numpy as np
import pytest
from chain_makers import rng_of
from memory_judge import Judge, any_questions, proofs_along
from memory_makers import METHODS, Rigid, Two
from memory_oracle import FALSE, proof_problems
from memory_things import linked_path, rigid_things, ring, rod
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


def test_the_judge_sees_a_proof_that_no_longer_holds() -> None:
    """Or all these tests would show nothing: the body moves, and the memory is not told."""
    stage, _ = two("rings", "judge")
    stage.part()
    judge = Judge(stage, er.Memory())
    judge.tree(judge.collide(10**6))
    assert proof_problems(judge.memory, stage) == []
    stage.away[:3, 3] *= 0.7
    assert any(what.startswith(FALSE) for what in proof_problems(judge.memory, stage))


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
