"""Roadmaps: their motions are proved anew, and paths on them are the shortest, whoever tested the motions."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from planning_scenes import (
    ARM_GOAL,
    ARM_START,
    HIGH,
    LEFT,
    LOW,
    RIGHT,
    ROD,
    arm_among_discs,
    discs,
    locked_in,
    maze,
    planar_arm,
    rod_in_maze,
)
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

import elbowroom as er
from elbowroom.planning import PRM, Discrete, JointSpace, Path, RigidSpace, Roadmap, RoadmapPath
from elbowroom.planning.prm_net import Net

TURNING: dict[str, Any] = {"metric": "weighted", "weight": 1.0}
SPACES: dict[str, Any] = {
    "position": RigidSpace(LOW, HIGH),
    "weighted": RigidSpace(LOW, HIGH, **TURNING),
    "hourglass": RigidSpace(LOW, HIGH, metric="hourglass", radius=1.6),
    "joints": JointSpace([-1, -2, 0], [1, 2, 5], weights=[1, 2, 0.5]),
    "quaternions": JointSpace([0] * 6, [1] * 6, turns=[1]),
    "one place": RigidSpace([0, 0, 0], [0, 0, 0]),
}


def leads(path: Path, start: Any, goal: Any) -> bool:
    first, last = (np.asarray(getattr(end, "matrix", end)) for end in (start, goal))
    return np.array_equal(path.states[0], first) and np.array_equal(path.states[-1], last)


def same(a: Roadmap, b: Roadmap) -> bool:
    return np.array_equal(a.states, b.states) and np.array_equal(a.edges, b.edges)


# The learning phase.


@pytest.mark.parametrize("name", SPACES)
def test_the_nearest_are_what_a_look_at_all_states_finds(name: str) -> None:
    space = SPACES[name]
    states, net = space.sample(np.random.default_rng(3), 120), Net(space)
    for n, state in enumerate(states):
        distances = space.distances(np.repeat(state[None], n, axis=0), states[:n])
        order = np.lexsort((np.arange(n), distances))
        key = net.key(state)
        for most, radius in ((1, math.inf), (7, math.inf), (7, 0.2 * space.extent), (500, 2.0)):
            wanted = [int(i) for i in order[:most] if distances[i] <= radius]
            found = net.near(key, most, radius)
            assert [number for number, _ in found] == wanted
            assert [distance for _, distance in found] == distances[wanted].tolist()
        assert net.add(key, state) == n == len(net) - 1


def test_the_roadmap_is_that_of_a_plain_loop() -> None:
    """The learning phase, written down as it is stated."""
    space, checker = rod_in_maze(**TURNING)
    rng, nodes, edges, drawn, tried = np.random.default_rng(5), [], [], 0, 0
    while len(nodes) < 80:
        state, drawn = space.sample(rng), drawn + 1
        if er.collide(ROD, maze(), state):
            continue
        order = np.argsort([space.distance(state, node) for node in nodes], kind="stable")
        for near in order[:6].tolist():
            tried += 1
            if er.check(ROD, er.Motion(nodes[near], state), maze()).free:
                edges.append((near, len(nodes)))
        nodes.append(state)
    roadmap = PRM(space, checker, neighbours=6, seed=5).grow(nodes=80)
    assert np.array_equal(roadmap.states, nodes) and roadmap.edges.tolist() == [
        list(edge) for edge in sorted(edges)
    ]
    assert (roadmap.work.attempts, roadmap.work.motions) == (drawn, tried)
    assert roadmap.tested.all() and roadmap.proved.all() and roadmap.certificates(checker).free.all()


def test_the_same_seed_gives_the_same_roadmap_however_it_is_grown() -> None:
    space, checker = arm_among_discs()
    once, in_parts = PRM(space, checker, seed=1).grow(nodes=90), PRM(space, checker, seed=1)
    in_parts.grow(nodes=20)
    in_parts.grow(attempts=13)
    in_parts.query(ARM_START, ARM_GOAL)
    in_parts.solve(ARM_START, ARM_GOAL, attempts=7)
    assert same(in_parts.grow(nodes=90), once) and len(once) == 90
    assert not same(PRM(space, checker, seed=2).grow(nodes=90), once)


def test_a_radius_is_kept_and_used() -> None:
    space, checker = arm_among_discs()
    roadmap = PRM(space, checker, neighbours=1000, radius=1.2).grow(nodes=60)
    assert 0.9 < roadmap.lengths.max() <= 1.2
    numbers = np.stack(np.triu_indices(60, 1), axis=1)
    near = space.distances(*roadmap.states[numbers.T]) <= 1.2
    free = [checker.free(*roadmap.states[pair]) for pair in numbers[near]]
    assert np.array_equal(roadmap.edges, numbers[near][free])


def test_parts_are_what_hangs_together() -> None:
    space, checker = arm_among_discs()
    roadmap = PRM(space, checker, neighbours=2, seed=3).grow(nodes=60)
    label = list(range(60))
    for a, b in roadmap.edges.tolist() * 60:
        label[a] = label[b] = min(label[a], label[b])
    together = np.equal.outer(label, label)
    assert np.array_equal(together, np.equal.outer(roadmap.parts, roadmap.parts)) and not together.all()


# The query phase.


def shortest_length(path: RoadmapPath, prm: PRM) -> float:
    """By Dijkstra of SciPy on the roadmap, with the ends connected to what is nearest."""
    roadmap, ends, checker = path.roadmap, path.states[[0, -1]], prm.exact
    n = len(roadmap)
    rows = [(a, b, d) for (a, b), d in zip(roadmap.edges.tolist(), roadmap.lengths, strict=True)]
    for i, end in enumerate(ends):
        distances = roadmap.space.distances(np.repeat(end[None], n, axis=0), roadmap.states)
        nearest = np.argsort(distances, kind="stable")[: prm.neighbours].tolist()
        rows += [(n + i, k, distances[k]) for k in nearest if checker.free(end, roadmap.states[k])]
    a, b, lengths = zip(*rows, strict=True)
    return float(dijkstra(coo_array((lengths, (a, b)), (n + 2, n + 2)), False, n)[n + 1])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("metric", [{}, TURNING, {"metric": "hourglass", "radius": 1.6, "weight": 4.0}])
def test_a_rod_finds_the_shortest_way_through_a_maze(metric: dict[str, Any], seed: int) -> None:
    space, checker = rod_in_maze(**metric)
    prm = PRM(space, checker, seed=seed)
    path = prm.solve(LEFT, RIGHT)
    assert path.found and path and path.proved and path.reason == "" and leads(path, LEFT, RIGHT)
    assert path.certificate.free is True
    for a, b in zip(path.states[:-1], path.states[1:], strict=True):
        certificate = er.check(ROD, er.Motion(a, b), maze())
        assert certificate.free is True
        certificate.verify()
    asked = prm.query(LEFT, RIGHT)
    assert asked.length == pytest.approx(shortest_length(asked, prm), rel=1e-9)
    assert path.length <= asked.length * (1 + 1e-9)  # it also knows what was nearest before
    again = PRM(space, checker, seed=seed).solve(LEFT, RIGHT, seconds=100.0)
    assert np.array_equal(path.states, again.states)


@pytest.mark.parametrize("seed", range(3))
def test_an_arm_reaches_around_discs(seed: int) -> None:
    space, checker = arm_among_discs()
    prm = PRM(space, checker, seed=seed)
    prm.grow(nodes=400)
    path = prm.query(ARM_START, ARM_GOAL)
    assert path.found and leads(path, ARM_START, ARM_GOAL)
    certificate = er.check(planar_arm(), path.states, discs())
    assert certificate.free is True and path.certificate.free is True
    certificate.verify()
    assert path.length == pytest.approx(shortest_length(path, prm), rel=1e-9)


def test_one_roadmap_answers_many_questions_in_any_order() -> None:
    space, checker = arm_among_discs()
    states = [s for s in space.sample(np.random.default_rng(8), 40) if checker.valid(s)][:8]
    questions = list(zip(states[::2], states[1::2], strict=True))
    forth, back = (PRM(space, checker, seed=4) for _ in range(2))
    before = forth.grow(nodes=300)
    back.grow(nodes=300)
    one, other = [forth.query(*q) for q in questions], [back.query(*q) for q in questions[::-1]][::-1]
    assert sum(path.found for path in one) >= 3
    assert all(np.array_equal(a.states, b.states) for a, b in zip(one, other, strict=True))
    assert same(before, forth.roadmap) and same(before, back.roadmap)


@pytest.mark.parametrize("scene", ["rod", "arm"])
def test_a_lazy_roadmap_finds_the_same_path_by_fewer_tests(scene: str) -> None:
    space, checker = rod_in_maze(**TURNING) if scene == "rod" else arm_among_discs()
    ends = (LEFT, RIGHT) if scene == "rod" else (ARM_START, ARM_GOAL)
    eager, lazy = (PRM(space, checker, lazy=lazy, seed=1).solve(*ends) for lazy in (False, True))
    assert np.array_equal(eager.states, lazy.states) and lazy.certificate.free is True
    assert lazy.work.motions < 0.5 * eager.work.motions and eager.work.removed == 0 < lazy.work.removed
    assert len(eager.roadmap) == len(lazy.roadmap) and not lazy.roadmap.tested.all()
    assert lazy.roadmap.proved[lazy.roadmap.tested].all()
    kept = {tuple(edge) for edge in lazy.roadmap.edges.tolist()}
    assert kept > {tuple(edge) for edge in eager.roadmap.edges.tolist()}


def test_what_is_in_sight_is_reached_at_once() -> None:
    space, checker = rod_in_maze()
    near = er.Pose(translation=[-7, 1, 1])
    for lazy in (False, True):
        path = PRM(space, checker, lazy=lazy).solve(LEFT, near)
        assert len(path) == 2 and path.attempts == 0 and path.work.motions == 1
    still = PRM(space, checker).query(LEFT, LEFT)
    assert still.found and still.length == 0 and still.certificate.free is True
    assert not PRM(space, checker, radius=0.5).query(LEFT, near).found


# Why there is none, and limits.


def test_nothing_is_found_where_there_is_no_way() -> None:
    inside, outside = er.Pose(), er.Pose(translation=[5, 0, 0])
    for lazy in (False, True):
        prm = PRM(RigidSpace([-6] * 3, [6] * 3), locked_in(), lazy=lazy)
        path = prm.solve(inside, outside, attempts=200)
        assert not path.found and not path and len(path) == 0 and path.attempts == 200
        assert path.roadmap.parts.max() >= 0 and not path.proved
        assert re.match(r"the (start|goal) cannot be connected|the start and the goal are in", path.reason)
        assert repr(path).startswith(f"<RoadmapPath: none found, {path.reason}; ")
        for ask in (lambda path=path: path.certificate, path.shortened, path.plot):
            with pytest.raises(ValueError, match="none was found"):
                ask()


def test_the_reason_says_which_end_is_alone() -> None:
    space, checker = rod_in_maze(**TURNING)
    prm = PRM(space, checker, radius=1.0)
    assert prm.query(LEFT, RIGHT).reason == "the straight motion is not free, and the roadmap has no nodes"
    beside = er.Pose(translation=[-7, 0.5, 0]).matrix
    prm._net.add(prm._net.key(beside), beside)
    assert prm.query(LEFT, RIGHT).reason == "the goal cannot be connected to the roadmap"
    assert prm.query(RIGHT, LEFT).reason == "the start cannot be connected to the roadmap"


def test_limits_end_learning_and_solving() -> None:
    space, checker = rod_in_maze(**TURNING)
    prm = PRM(space, checker, seed=1)
    assert prm.grow(attempts=0).work.attempts == 0 and len(prm.grow(seconds=0)) == 0
    assert prm.grow(attempts=33).work.attempts == 33
    assert prm.grow(nodes=1).work.attempts == 33  # there are as many already
    assert not prm.solve(LEFT, RIGHT, nodes=60).found and len(prm.roadmap) == 60
    assert prm.solve(LEFT, RIGHT, attempts=10).attempts == prm.roadmap.work.attempts
    before = prm.roadmap.work
    after = prm.grow(seconds=0.05).work
    assert after.attempts > before.attempts and 0.05 <= after.seconds - before.seconds < 1.0


def test_a_search_that_is_too_late_says_so() -> None:
    space, checker = rod_in_maze(**TURNING)
    prm = PRM(space, checker, lazy=True, seed=1)
    prm.grow(nodes=500)
    path = prm.query(LEFT, RIGHT, seconds=0.0)
    assert not path.found and path.reason == "the time is over"
    assert prm.query(LEFT, RIGHT).found


def test_a_roadmap_without_room_is_given_up() -> None:
    space = RigidSpace([-0.1, 0, 0], [9e9, 0, 0])
    blocked = Discrete(lambda pose: True, 1.0)
    roadmap = PRM(space, blocked, exact=False).grow(nodes=2)
    assert len(roadmap) == 0 and roadmap.work.attempts == 2000 and len(roadmap.parts) == 0
    assert repr(roadmap).startswith("<Roadmap: 0 nodes, 0 edges, 0 parts; 0 motions tested in 2,000 checks")
    for ask in (lambda: roadmap.certificates(locked_in()), roadmap.plot):
        with pytest.raises(ValueError, match="the roadmap has no"):
            ask()
