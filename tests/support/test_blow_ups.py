"""Small inputs that took hours or all memory: work is bounded by counts, and what does not fit is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom import _core

CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
ABOVE = er.Pose(translation=[0, 0, 1.0])


def pile(copies: int, *others: Any) -> er.Mesh:
    """Copies of one triangle, in both orders of its corners, and others beside it."""
    faces = np.tile([[0, 1, 2], [2, 1, 0]], (copies // 2, 1))
    vertices = np.vstack([CORNERS, *[CORNERS + offset for offset in others]])
    more = np.arange(3, len(vertices)).reshape(-1, 3)
    return er.Mesh(vertices, np.vstack([faces, more]))


@pytest.fixture
def _memory_as_before() -> Iterator[None]:
    before = _core.memory_for_pairs()
    yield
    _core.set_memory_for_pairs(before)


@pytest.fixture
def _little_memory(_memory_as_before: None) -> None:
    _core.set_memory_for_pairs(20_000)


def test_the_distance_of_piles_of_triangles_is_not_quadratic() -> None:
    mesh = pile(20_000)
    answer = er.distance(mesh, mesh, pose_b=ABOVE)
    assert answer.value == 1.0
    assert answer.counters.leaf_tests < 100
    chain = er.Chain(np.arange(100.0)[:, None] * [2.0, 0, 0] + [0, 0, 3.0], 0.5)
    assert er.distance(chain, mesh).counters.leaf_tests < 2000
    mesh.validate()


@pytest.mark.parametrize("children", [2, 8])
def test_every_copy_is_named(children: int) -> None:
    one, other = pile(6, [0, 0, 0.5], [3, 0, 0]), pile(4, [0.2, 0, 0.5])
    one = er.Mesh(one.vertices, one.faces, children=children)
    other = er.Mesh(other.vertices, other.faces, children=children)
    close = er.Pose(translation=[0.1, 0.1, 0.0])
    triangles = [[er.Convex(m.vertices[face]) for face in m.faces] for m in (one, other)]
    expected = [
        (i, j, er.distance(a, b, pose_b=close).value)
        for i, a in enumerate(triangles[0])
        for j, b in enumerate(triangles[1])
    ]
    touching = [[i, j] for i, j, d in expected if d == 0]
    assert er.collide(one, other, pose_b=close, every=True).pairs.tolist() == touching
    assert er.collide(other, one, close, every=True).pairs.tolist() == sorted([j, i] for i, j in touching)
    near = er.within(one, other, 0.6, pose_b=close)
    assert near.indices.tolist() == [[i, j] for i, j, d in expected if d <= 0.6]
    assert np.allclose(near.distances, [d for _, _, d in expected if d <= 0.6])
    budget = er.collide(one, other, pose_b=ABOVE, budget=er.Budget(tests=10**6))
    assert budget.covered == 1.0


def test_copies_move_like_one() -> None:
    checker = er.MotionChecker(pile(20_000), pile(20_000))
    start, goal = er.Pose(translation=[0, 0, 1]), er.Pose(translation=[0, 0, 2.0])
    assert checker.free(start, goal)
    assert not checker.free(start, er.Pose(translation=[0, 0, -1.0]))
    assert checker.counters.leaf_tests < 200
    few = er.MotionChecker(pile(20), pile(20))  # the verifier proves every pair by itself
    few.check(er.Motion(start, goal)).verify()  # raises if it fails


def test_copies_of_other_shapes() -> None:
    boxes, balls = (er.Box(1), er.Pose()), (er.Sphere(1), er.Pose(translation=[3, 0, 0]))
    group = er.Group([boxes] * 2000 + [balls] * 2000)
    answer = er.distance(group, group, pose_b=er.Pose(translation=[0, 9, 0]))
    assert answer.counters.leaf_tests < 100
    assert answer.value == 7.0


def answers() -> Iterator[tuple[str, Any]]:
    rng = np.random.default_rng(0)
    mesh = er.Mesh(rng.normal(size=(600, 3)), np.arange(600).reshape(-1, 3))
    chain = er.Chain(er.scenes.serpentine(2000), 1.0)
    paper = er.Chain(er.scenes.serpentine(500), 1.0, volume="obb")
    rope = er.Necklace(rng.normal(size=(300, 3)), 0.5)
    caged = er.Necklace(rng.normal(size=(300, 3)), 0.5, cages="wrapped")
    crowd = er.Articulated([er.Link(f"{k}", er.Box(1)) for k in range(300)], exclude=None)
    poses = np.tile(np.eye(4), (50, 1, 1))
    yield "mesh", lambda: er.collide(mesh, mesh, every=True)
    yield "mesh, depth", lambda: er.collide(mesh, mesh, every=True, depth=True)
    yield "mesh, within", lambda: er.within(mesh, mesh, 1.0)
    yield "mesh, many", lambda: er.collide(mesh, mesh, pose_b=poses, every=True)
    yield "chain", lambda: er.self_within(chain, 30.0)
    yield "chain, budget", lambda: er.self_within(chain, 30.0, budget=er.Budget(tests=10**9))
    yield "chain, mesh", lambda: er.within(chain, mesh, 100.0)
    yield "binary chain", lambda: er.self_within(paper, 60.0)
    yield "necklace", lambda: er.self_collide(rope, every=True)
    yield "necklace, within", lambda: er.self_within(rope, 3.0)
    yield "cages", lambda: er.self_collide(caged, every=True)
    yield "cages, within", lambda: er.self_within(caged, 3.0)
    yield "links", lambda: er.self_collide(crowd, every=True)


@pytest.mark.usefixtures("_little_memory")
@pytest.mark.parametrize("ask", [pytest.param(ask, id=name) for name, ask in answers()])
def test_more_pairs_than_there_is_memory_for_are_refused(ask: Any) -> None:
    with pytest.raises(MemoryError, match=r"more than [\d,]+ pairs, and room for twice as many takes .* GB"):
        ask()


def arm(links: int) -> er.Articulated:
    names = [f"l{k}" for k in range(links)]
    joints = [
        er.Joint(f"j{k}", "revolute", names[k - 1], names[k], er.Pose(translation=[1, 0, 0]))
        for k in range(1, links)
    ]
    return er.Articulated([er.Link(name, er.Sphere(0.3)) for name in names], joints)


def test_the_pairs_of_a_long_arm_are_made_in_time_proportional_to_their_number() -> None:
    def checks(links: int) -> int:
        body = arm(links)
        _core.interrupt_at(0)
        er.MotionChecker(body)
        return int(_core.checks())

    assert checks(400) < 5 * checks(200)


@pytest.mark.usefixtures("_little_memory")
def test_the_pairs_of_an_arm_that_do_not_fit_are_refused() -> None:
    with pytest.raises(MemoryError, match=r"body has 300 links with shapes, which make 44,850 pairs"):
        er.MotionChecker(arm(300))
    er.MotionChecker(arm(300), er.Sphere(1), self_too=False)


def test_a_power_diagram_is_left_out_where_most_beads_may_touch() -> None:
    line = np.stack([np.arange(3000.0), np.zeros(3000)], axis=1)
    line[2500] = line[0] + [0.1, 0.1]
    rope = er.Necklace(line, 0.3, cages="power", exclude=1000)
    assert er.self_collide(rope).pairs.tolist() == [[0, 2500]]
    assert rope.counters.diagram_rebuilds == 0
    assert er.Necklace(line, 0.3, cages="power", exclude=8)._candidates() is not None


@pytest.mark.usefixtures("_little_memory")
@pytest.mark.parametrize("children", [2, 8])
def test_a_group_that_does_not_fit_is_refused(children: int) -> None:
    ten = er.Group([er.Box(1)] * 10, children=children)
    with pytest.raises(MemoryError, match=r"members have 800 points in all, which take 8e-05 GB"):
        er.Group([ten] * 10, children=children)


@pytest.mark.usefixtures("_memory_as_before")
def test_a_group_of_groups_with_more_points_than_can_be_numbered_is_refused() -> None:
    _core.set_memory_for_pairs(2**62)
    with pytest.raises(MemoryError, match=r"members have 2,400,000,000 points in all"):
        er.Group([er.Group([er.Box(1)] * 10_000)] * 30_000)


def test_a_mesh_has_no_more_triangles_than_can_be_numbered() -> None:
    faces = np.broadcast_to(np.zeros(3, np.int32), (2**30, 3))
    with pytest.raises(ValueError, match="faces has 1,073,741,824 triangles, at most 715,827,882 are"):
        er.Mesh(CORNERS, faces)
