"""The boxes of an articulated body: whatever refits them, they hold their shapes and miss no pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import oracle
import pytest
from articulated_makers import MAKERS, REFITS, Recipe, arm, at, folded, hand, skins, straight, tree
from articulated_oracle import SlowBody, Twin, made_free, placed
from chain_makers import rng_of
from nasty import Thing
from query_checks import rows_of

import elbowroom as er
from elbowroom import volumes

TREES = tuple(refit for refit in REFITS if refit not in ("auto", "none"))
EXACT_LEAVES = ("cab", "cab-sum", "obb")
DEEP = 40  # below all leaves of these bodies
LEVELS = (0, 1, 2, 3, 5, DEEP)

Balls = tuple[np.ndarray, np.ndarray]


def balls_of(thing: Thing, pose: np.ndarray) -> Balls:
    """Points of a shape in the world, each with the radius about it."""
    solid = oracle.moved(thing.solid, pose[:3, :3], pose[:3, 3])
    return solid.vertices, np.repeat(solid.radii, np.diff(solid.starts[:, 0]))


def world_balls(slow: SlowBody, poses: np.ndarray) -> list[Balls]:
    where = slow.shape_poses(poses)
    return [balls_of(thing, pose) for (_, thing, _), pose in zip(slow.shapes, where, strict=True)]


def check_level(body: Any, level: int, shapes: list[Balls], slack: float) -> int:
    """Every shape lies in one of the boxes, as a whole; how many boxes there are."""
    boxes = body.boxes(level)
    if shapes:
        points, radii = (np.concatenate(column) for column in zip(*shapes, strict=True))
        starts = np.cumsum([0] + [len(points) for points, _ in shapes[:-1]])
        inside = [volumes.contains(box, points, radii, tolerance=slack) for box in boxes]
        assert np.logical_and.reduceat(inside, starts, axis=1).any(axis=0).all()
    return len(boxes)


def check_boxes(twin: Twin, refit: str) -> None:
    precision = 1e-5 if refit == "auto" else 1e-12  # blocks are boxes in single precision
    shapes, slack = world_balls(twin.slow, twin.poses), precision * twin.slow.size(twin.poses)
    counts = [check_level(twin.body, level, shapes, slack) for level in LEVELS]
    assert counts == sorted(counts) and counts[-1] <= max(len(shapes), 1)
    if refit in TREES and shapes:
        assert counts[0] == 1 and counts[-1] == len(shapes)
    kind = volumes.Aabb if refit.startswith("a") else volumes.Obb
    assert all(isinstance(box, kind) for box in twin.body.boxes(0))


def true_pairs(slow: SlowBody, poses: np.ndarray, doubt: float) -> set[tuple[int, int]]:
    """Pairs of shapes that overlap beyond doubt."""
    return set(rows_of(np.argwhere(slow.shape_gaps(poses) < -doubt)))


def all_pairs(slow: SlowBody) -> set[tuple[int, int]]:
    counted, owner = slow.counted | slow.counted.T, [link for link, _, _ in slow.shapes]
    count = range(len(owner))
    return {(i, j) for i in count for j in count if i < j and counted[owner[i], owner[j]]}


def check_candidates(twin: Twin, refit: str) -> list[tuple[int, int]]:
    found = rows_of(twin.body.candidates())
    assert len(found) == len(set(found)), "each once"
    possible = all_pairs(twin.slow)
    assert set(rows_of(np.argwhere(twin.shape_gaps < -twin.doubt))) <= set(found) <= possible
    assert refit != "none" or set(found) == possible
    return found


@pytest.mark.parametrize("refit", REFITS)
@pytest.mark.parametrize("maker", MAKERS)
def test_boxes_hold_their_shapes_through_every_motion(maker: str, refit: str) -> None:
    for n in (1, 18):
        rng = rng_of("boxes", maker, n)
        twin = Twin.of(MAKERS[maker](rng, n), refit=refit)
        assert twin.body.refit == refit
        for step in range(3):
            twin.body.validate()
            check_boxes(twin, refit)
            check_candidates(twin, refit)
            twin.check_verdict()
            twin.wander(rng, (0.05, 1.0)[step % 2])


@pytest.mark.parametrize("maker", MAKERS)
def test_boxes_about_two_are_no_more_than_a_way_down(maker: str) -> None:
    """The pairs of leaf boxes that overlap do not hang on how the boxes above them are made."""
    for n in (2, 7, 30):
        rng = rng_of("same leaves", maker, n)
        recipe = MAKERS[maker](rng, n)
        twins = [Twin.of(recipe, refit=refit) for refit in EXACT_LEAVES]
        for _ in range(3):
            q = twins[0].slow.random(rng)
            for twin in twins:
                twin.move(q)
            first, *others = (sorted(rows_of(twin.body.candidates())) for twin in twins)
            assert all(first == other for other in others)


@pytest.mark.parametrize("refit", REFITS)
def test_placed_links_have_boxes_about_them(refit: str) -> None:
    rng = rng_of("placed boxes", refit)
    recipe = tree(rng, 15)
    body, slow = recipe.body(refit=refit), SlowBody(recipe)
    for size in (1.0, 1e-3, 1e3):
        poses = np.array([placed(rng, size) for _ in range(15)])
        body.place(poses)
        body.validate()
        check_level(body, 0, world_balls(slow, poses), 1e-5 * slow.size(poses))
        assert true_pairs(slow, poses, 1e-9 * slow.size(poses)) <= set(rows_of(body.candidates()))


def fresh(recipe: Recipe, q: np.ndarray, refit: str) -> Any:
    body = recipe.body(refit=refit)
    body.move(q)
    return body


def numbers(box: Any) -> list[Any]:
    names = ("low", "high") if isinstance(box, volumes.Aabb) else ("axes", "centre", "half")
    return [np.asarray(getattr(box, name)).tolist() for name in names]


def told(body: Any) -> list[Any]:
    """Boxes and candidates, to the last bit."""
    boxes = [numbers(box) for level in (0, 1, 2, DEEP) for box in body.boxes(level)]
    return [boxes, sorted(body.candidates().tolist()), rows_of(er.self_collide(body, every=True).pairs)]


@pytest.mark.parametrize("refit", REFITS)
@pytest.mark.parametrize("make", [arm, tree, skins, hand])
def test_partial_moves_leave_the_boxes_of_a_fresh_body(make: Any, refit: str) -> None:
    """Some joints, some more before anything is asked, a whole configuration, and back."""
    rng = rng_of("partial", make.__name__)
    recipe = make(rng, 19)
    twin = Twin.of(recipe, refit=refit)
    start = twin.q.copy()
    for step in range(8):
        for _ in range(int(rng.integers(1, 4))):
            twin.wander(rng, (1.0, 1e-3)[step % 2])
        if step % 3 == 0:
            er.self_distance(twin.body)
        assert told(twin.body) == told(fresh(recipe, twin.q, refit))
    twin.move(start)
    assert told(twin.body) == told(fresh(recipe, start, refit))
    twin.move(start)
    assert told(twin.body) == told(fresh(recipe, start, refit)), "a move to where it is"


@pytest.mark.parametrize("refit", REFITS)
def test_boxes_after_many_configurations_and_after_placing(refit: str) -> None:
    rng = rng_of("mixed", refit)
    recipe = tree(rng, 12)
    body, slow = recipe.body(refit=refit), SlowBody(recipe)
    for _ in range(4):
        q = np.array([slow.random(rng) for _ in range(5)])
        body.move(q)
        er.self_collide(body)
        body.validate()
        body.move(q[2])
        assert told(body) == told(fresh(recipe, q[2], refit))
        body.place(np.array([placed(rng, 2.0) for _ in range(12)]))
        er.self_collide(body)
        body.move(q[3])
        assert told(body) == told(fresh(recipe, q[3], refit))


@pytest.mark.parametrize("refit", REFITS)
def test_exclusions_after_a_question(refit: str) -> None:
    """What is remembered of the last search must not outlive a change of the pairs that count."""
    rng = rng_of("exclusions", refit)
    recipe = tree(rng, 14)
    twin = Twin.of(recipe, refit=refit)
    for _ in range(5):
        twin.wander(rng)
        hits = rows_of(er.self_collide(twin.body, every=True).pairs)
        twin.body.exclude(hits)
        assert not er.self_collide(twin.body) and len(er.self_collide(twin.body, every=True).pairs) == 0
        twin.body.include(hits)
        assert rows_of(er.self_collide(twin.body, every=True).pairs) == hits
        twin.body.validate()


@pytest.mark.parametrize("refit", REFITS)
def test_candidates_beside_another_body(refit: str) -> None:
    rng = rng_of("beside", refit)
    twin, recipe = Twin.of(tree(rng, 12), refit=refit), skins(rng, 7)
    other, slow = recipe.body(refit=refit), SlowBody(recipe)
    thing = Thing("mesh", er.scenes.torus(segments=8, sides=5))
    for _ in range(4):
        twin.wander(rng)
        other.move(slow.random(rng))
        mine, theirs = twin.slow.shape_poses(twin.poses), slow.shape_poses(slow.poses(other.configuration))
        near = {
            (i, j)
            for i, (_, a, _) in enumerate(twin.slow.shapes)
            for j, (_, b, _) in enumerate(slow.shapes)
            if er.collide(a.body, b.body, mine[i], theirs[j])
        }
        found = rows_of(twin.body.candidates(other))
        assert near <= set(found) and len(found) == len(set(found))
        assert refit != "none" or len(found) == len(mine) * len(theirs)
        near = {
            (i, 0) for i, (_, a, _) in enumerate(twin.slow.shapes) if er.collide(a.body, thing.body, mine[i])
        }
        assert near <= set(rows_of(twin.body.candidates(thing.body)))


def test_boxes_of_a_straight_and_of_a_folded_limb_are_tight() -> None:
    """All but as small as the limb: a straight one of ten bones of length one is ten long."""
    for refit in ("cab", "cab-sum", "obb"):
        for make, longest in ((straight, 10.0), (folded, 2.25)):
            recipe = make(None, 10)
            (box,) = recipe.body(refit=refit).boxes(0)
            assert 2.0 * float(np.max(box.half)) <= 1.6 * longest


def test_nearly_straight_and_nearly_folded_limbs() -> None:
    for refit in REFITS:
        for make in (straight, folded):
            twin = Twin.of(made_free(make(None, 12)), refit=refit)
            for exponent in (-17, -12, -9, -8, -7, -5, -3, -1):
                twin.move(np.full(twin.slow.dof, 10.0**exponent) * np.resize([1.0, -1.0, 0.0], twin.slow.dof))
                twin.body.validate()
                check_boxes(twin, refit)
                twin.check_verdict()


def test_the_work_is_counted() -> None:
    recipe = arm(rng_of("work"), 20)
    for refit in REFITS:
        body = recipe.body(refit=refit)
        body.move(np.full(19, 0.3))
        answer = er.self_collide(body, every=True)
        assert answer.counters.leaf_tests <= 2 * 190
        if refit == "none":
            assert answer.counters.leaf_tests >= 171, "all pairs that count"


def test_one_shape_far_from_its_link() -> None:
    """Boxes are about shapes, not about joints."""
    for refit in REFITS:
        links = [
            er.Link("a", [(er.Box(1), at(1e4, 0, 0))]),
            er.Link("b"),
            er.Link("c", [(er.Box(1), at(1e4, 0, 0))]),
        ]
        body = er.Articulated(
            links,
            [er.Joint("1", "revolute", "a", "b"), er.Joint("2", "revolute", "b", "c")],
            refit=refit,
            exclude=None,
        )
        for angle, hit in ((0.0, True), (1e-3, False), (0.5e-4, True), (np.pi, False)):
            body.move([angle, 0.0])
            body.validate()
            assert bool(er.self_collide(body)) == hit
