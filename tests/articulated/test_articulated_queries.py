"""What can be asked of an articulated body about itself, against all pairs of shapes."""

from __future__ import annotations

from typing import Any

import nasty
import numpy as np
import pytest
from articulated_makers import (
    MAKERS,
    REFITS,
    Part,
    Recipe,
    arm,
    at,
    hand,
    larger,
    scaled,
    skins,
    touching,
    tree,
)
from articulated_oracle import SlowBody, Twin, made_free, signed
from chain_makers import rng_of
from nasty import Thing
from query_checks import TESTS, check_pairs, rows_of

import elbowroom as er

SIZES = (1, 2, 6, 19)  # one block of boxes, and more than one
SEPARATE = ("sphere", "capsule", "box", "convex")


def check_self_collide(twin: Twin, gaps: np.ndarray) -> bool:
    """The first pair found, and all of them."""
    found, first = er.self_collide(twin.body, every=True), er.self_collide(twin.body)
    check_pairs(found.pairs, gaps, 0.0, twin.doubt)
    assert bool(found) == bool(first) == (len(found.pairs) > 0)
    assert len(first.pairs) == int(bool(first)) and set(rows_of(first.pairs)) <= set(rows_of(found.pairs))
    assert found.contacts is None and first.contacts is None
    assert found.status != "out of budget" and first.status != "out of budget"
    return bool(found)


def shapes_on(slow: SlowBody, poses: np.ndarray, link: int) -> list[tuple[Any, np.ndarray]]:
    """The rigid bodies of a link, in the world."""
    placed = zip(slow.shapes, slow.shape_poses(poses), strict=True)
    return [(thing.body, pose) for (owner, thing, _), pose in placed if owner == link]


def true_depths(slow: SlowBody, poses: np.ndarray, i: int, j: int) -> list[float]:
    """Depths of all contacts of two links, primitive by primitive."""
    depths: list[float] = []
    for a, pose_a in shapes_on(slow, poses, i):
        for b, pose_b in shapes_on(slow, poses, j):
            contacts = er.collide(a, b, pose_a, pose_b, every=True, depth=True).contacts
            depths += contacts.depths.tolist() if contacts is not None else []
    return sorted(depths)


def check_self_depth(twin: Twin, gaps: np.ndarray) -> None:
    slow, poses, doubt = twin.slow, twin.poses, twin.doubt
    found, deepest = (er.self_collide(twin.body, every=e, depth=True) for e in (True, False))
    assert bool(deepest) == bool(found) == bool(er.self_collide(twin.body))
    check_pairs(np.unique(found.pairs, axis=0).reshape(-1, 2), gaps, 0.0, doubt)
    if not found:
        return
    depths, normals = found.contacts.depths, found.contacts.normals
    assert len(found.pairs) == len(depths) == len(normals) == len(found.contacts.points)
    assert (depths >= 0.0).all() and np.linalg.norm(normals, axis=1) == pytest.approx(np.ones(len(normals)))
    assert len(deepest.pairs) == len(deepest.contacts) == 1
    assert deepest.contacts.depths[0] == pytest.approx(depths.max(), abs=doubt)
    for i, j in np.unique(found.pairs, axis=0):
        there = np.sort(depths[(found.pairs == (i, j)).all(axis=1)])
        truth = np.array(true_depths(slow, poses, i, j))
        sure, agreed = truth[truth > doubt], there[there > doubt]
        assert len(sure) == len(agreed) and np.abs(sure - agreed).max(initial=0.0) <= doubt


def check_contacts_part(twin: Twin) -> None:
    """Of links with one convex shape: pushed along the normal by the depth they are apart, by less not."""
    slow, poses, doubt = twin.slow, twin.poses, twin.doubt
    found = er.self_collide(twin.body, every=True, depth=True)
    rows = () if not found else zip(found.pairs, *contact_rows(found.contacts), strict=True)
    for (i, j), point, normal, depth in rows:
        ((a, pose_a),), ((b, pose_b),) = shapes_on(slow, poses, i), shapes_on(slow, poses, j)
        assert signed(a, b, pose_a, at(*normal * depth) @ pose_b) >= -doubt
        assert signed(a, b, pose_a, at(*normal * 0.9 * depth) @ pose_b) <= doubt
        for body, pose in ((a, pose_a), (b, pose_b)):
            assert er.distance(er.Sphere(0), body, at(*point), pose).value <= depth + doubt


def contact_rows(contacts: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return contacts.points, contacts.normals, contacts.depths


def check_self_distance(twin: Twin, gaps: np.ndarray) -> None:
    found, doubt = er.self_distance(twin.body), twin.doubt
    true = max(float(gaps.min()), 0.0)
    assert found.status != "out of budget" and found.lower <= found.value <= found.upper
    if np.isinf(true):
        assert found.value == np.inf, "no pair is compared"
        return
    assert abs(found.value - true) <= doubt
    assert found.lower <= true + doubt and true <= found.upper + doubt
    i, j = found.pair.tolist()
    assert i < j and abs(max(gaps[i, j], 0.0) - true) <= doubt
    assert abs(np.linalg.norm(found.points[1] - found.points[0]) - found.value) <= doubt
    for point, link in zip(found.points, (i, j), strict=True):
        near = [
            er.distance(er.Sphere(0), *(s[0], at(*point), s[1]))
            for s in shapes_on(twin.slow, twin.poses, link)
        ]
        assert min(d.value for d in near) <= doubt


def check_self_within(twin: Twin, gaps: np.ndarray, reach: float) -> None:
    found = er.self_within(twin.body, reach)
    check_pairs(found.indices, gaps, reach, twin.doubt)
    true = np.maximum(gaps[found.indices[:, 0], found.indices[:, 1]], 0.0)
    assert found.distances.shape == true.shape and found.status == "exhausted"
    assert (np.abs(found.distances - true) <= twin.doubt).all()


def check_itself(twin: Twin, rng: np.random.Generator) -> bool:
    """Every question about the body as it stands."""
    gaps = twin.gaps
    check_self_depth(twin, gaps)
    check_self_distance(twin, gaps)
    check_self_within(twin, gaps, float(rng.choice([0.0, 0.1, 1.0, 50.0])) * twin.slow.recipe.reach)
    return check_self_collide(twin, gaps)


@pytest.mark.parametrize("maker", MAKERS)
def test_questions_about_itself(maker: str) -> None:
    verdicts = set()
    for n in SIZES:
        rng = rng_of("itself", maker, n)
        recipe = MAKERS[maker](rng, n)
        for made, share in ((recipe, 1.0), (made_free(recipe), 0.3)):
            twin = Twin.of(made)
            for _ in range(2 if n < 9 else 7):
                verdicts.add(check_itself(twin, rng))
                twin.wander(rng, share)
    assert verdicts == {True, False}, "with one verdict alone, nothing would have been told apart"


@pytest.mark.parametrize("refit", REFITS)
@pytest.mark.parametrize("maker", ["tree", "straight", "folded", "points", "skins", "tiny"])
def test_every_refit_answers_all_questions(maker: str, refit: str) -> None:
    rng = rng_of("refit", maker)
    twin = Twin.of(MAKERS[maker](rng, 9), refit=refit)
    for _ in range(3):
        check_itself(twin, rng)
        twin.wander(rng, 0.5)


@pytest.mark.parametrize("maker", ["arm", "straight", "hand", "folded", "parallel"])
def test_contacts_tell_how_to_part_the_links(maker: str) -> None:
    rng, contacts = rng_of("part", maker), 0
    twin = Twin.of(MAKERS[maker](rng, 25))
    for _ in range(12):
        check_contacts_part(twin)
        contacts += len(er.self_collide(twin.body, every=True).pairs)
        twin.wander(rng)
    assert contacts > 2


def test_contacts_of_every_pair_of_convex_shapes_part_them() -> None:
    rng, contacts = rng_of("convex pairs"), 0
    for kinds in ((a, b) for a in SEPARATE for b in SEPARATE):
        things = [nasty.thing(rng, kind, "plain") for kind in kinds]
        parts = tuple(Part(f"l{k}", ((thing, np.eye(4)),)) for k, thing in enumerate(things))
        free = er.Joint("j", "free", "l0", "l1")
        twin = Twin.of(Recipe(parts, (free,), None))
        for _ in range(4):
            twin.move(twin.slow.random(rng) * [0.4, 0.4, 0.4, 1, 1, 1, 1])
            check_contacts_part(twin)
            contacts += bool(er.self_collide(twin.body))
    assert contacts > 30


def test_two_hundred_links() -> None:
    for maker in ("arm", "tree"):
        rng = rng_of("two hundred", maker)
        twin = Twin.of(made_free(MAKERS[maker](rng, 200)))
        check_self_collide(twin, twin.gaps)
        twin.wander(rng, 0.02)
        gaps = twin.gaps
        check_self_collide(twin, gaps)
        check_self_distance(twin, gaps)
        twin.body.validate()


# Exact cases: what touches collides.


def touching_pairs(body: Any, places: np.ndarray, ball: bool) -> list[tuple[int, int]]:
    """On a grid, unit cubes touch where no coordinate differs by two, balls where a single one by one."""
    apart = np.abs(places[:, None] - places[None])
    near = (apart**2).sum(axis=2) <= 1 if ball else apart.max(axis=2) <= 1
    near[tuple(body.excluded.T)] = False
    return rows_of(np.argwhere(np.triu(near, 1)))


@pytest.mark.parametrize("refit", REFITS)
@pytest.mark.parametrize(
    "thing", [Thing("box", (np.ones(3),)), Thing("sphere", (0.5,))], ids=["cube", "ball"]
)
@pytest.mark.parametrize("factor", [1.0, 2.0**-20, 2.0**20])
def test_links_that_touch_collide(refit: str, thing: Thing, factor: float) -> None:
    rng = rng_of("touch")
    base = scaled(touching, factor)(rng, 20)
    parts = tuple(Part(part.name, ((larger(thing, factor), np.eye(4)),)) for part in base.parts)
    body = Recipe(parts, base.joints).body(refit=refit)
    for step in range(8):
        body.move(rng.integers(-1, 2, body.dof) * factor * (step > 0))
        places = np.round(body.link_poses()[:, :3, 3] / factor).astype(int)
        expected = touching_pairs(body, places, thing.kind == "sphere")
        assert rows_of(er.self_collide(body, every=True).pairs) == expected
        assert bool(er.self_collide(body)) == bool(expected)
        assert rows_of(er.self_within(body, 0.0).indices) == expected
        assert (er.self_distance(body).value == 0.0) == bool(expected)


def test_the_least_gap_is_free_and_none_is_not() -> None:
    made = [er.Link(name, er.Box(1)) for name in "abc"]
    slides = [
        er.Joint("1", "prismatic", "a", "b", axis=(1, 0, 0)),
        er.Joint("2", "prismatic", "b", "c", axis=(1, 0, 0)),
    ]
    for refit in REFITS:
        body = er.Articulated(made, slides, refit=refit)
        body.move([5.0, -4.0])
        assert er.self_collide(body) and er.self_distance(body).value == 0.0
        body.move([5.0, -4.0 + 2.0**-40])
        assert not er.self_collide(body) and er.self_distance(body).value == 2.0**-40


# Budgets and options.


@pytest.mark.parametrize("refit", REFITS)
def test_enough_settles_the_question_of_a_clearance(refit: str) -> None:
    rng = rng_of("enough")
    twin = Twin.of(made_free(tree(rng, 25)), refit=refit)
    for _ in range(6):
        twin.wander(rng, 0.05)
        true, doubt = max(float(twin.gaps.min()), 0.0), twin.doubt
        for enough in (0.0, 0.5 * true, 0.999 * true, 1.001 * true, 2.0 * true):
            found = er.self_distance(twin.body, enough=enough)
            assert found.lower - doubt <= true <= found.upper + doubt
            assert found.lower >= enough - doubt or found.upper <= enough + doubt


@pytest.mark.parametrize("refit", REFITS)
@pytest.mark.parametrize("make", [arm, hand, skins, tree])
def test_on_a_budget_nothing_wrong_is_said(refit: str, make: Any) -> None:
    rng = rng_of("budget", make.__name__)
    twin, cut = Twin.of(make(rng, 22), refit=refit), set()
    for _ in range(3):
        twin.wander(rng)
        gaps, doubt = twin.gaps, twin.doubt
        hits = set(rows_of(er.self_collide(twin.body, every=True).pairs))
        reach, true = 0.5 * twin.slow.recipe.reach, max(float(gaps.min()), 0.0)
        near = set(rows_of(er.self_within(twin.body, reach).indices))
        for tests in TESTS:
            budget = er.Budget(tests=tests)
            one, every, deep = (
                er.self_collide(twin.body, every=e, depth=d, budget=budget)
                for e, d in ((False, False), (True, False), (True, True))
            )
            assert one.status == "out of budget" or bool(one) == bool(hits)
            for all_of in (every, deep):
                assert all_of.status == "out of budget" or set(rows_of(all_of.pairs)) == hits
                assert set(rows_of(all_of.pairs)) <= hits
            assert set(rows_of(one.pairs)) <= hits
            some = er.self_within(twin.body, reach, budget=budget)
            assert set(rows_of(some.indices)) <= near
            assert some.status == "out of budget" or set(rows_of(some.indices)) == near
            found = er.self_distance(twin.body, budget=budget)
            assert found.lower <= true + doubt and true <= found.upper + doubt
            assert found.status == "out of budget" or found.value == pytest.approx(true, abs=doubt)
            cut |= {(a.status, tests) for a in (one, every, deep, some, found)}
    assert ("out of budget", 0) in cut and ("out of budget", 10**8) not in cut


def test_an_empty_budget_never_says_free() -> None:
    for refit in REFITS:
        body = hand(rng_of("empty"), 10).body(refit=refit)
        body.move(np.full(body.dof, 1.7))
        assert er.self_collide(body)
        answer = er.self_collide(body, budget=er.Budget(tests=0))
        assert answer.status == "out of budget" and "free" not in repr(answer)
        assert er.self_collide(body, budget=er.Budget(seconds=0)).status == "out of budget"
        body.move(np.tile(body.configuration, (3, 1)))
        many = er.self_collide(body, budget=er.Budget(tests=0))
        assert many.status == "out of budget" and not many.finished.any()


def test_questions_leave_the_body_as_it_was() -> None:
    rng = rng_of("left")
    twin = Twin.of(skins(rng, 8))
    for _ in range(5):
        twin.wander(rng)
        before = (
            twin.body.link_poses().tobytes(),
            twin.body.configuration.tobytes(),
            twin.body.excluded.tobytes(),
        )
        first = check_itself(twin, rng)
        twin.body.candidates()
        twin.body.boxes(0)
        assert check_itself(twin, rng) == first
        after = (
            twin.body.link_poses().tobytes(),
            twin.body.configuration.tobytes(),
            twin.body.excluded.tobytes(),
        )
        assert before == after
