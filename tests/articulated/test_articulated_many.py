"""Many configurations at once: exactly the answers of one at a time, whatever the number of threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import nasty
import numpy as np
import pytest
from articulated_makers import MAKERS, REFITS, Recipe, arm, hand, skins, tree
from articulated_oracle import SlowBody, made_free
from chain_makers import coil, rng_of
from query_checks import rows_of

import elbowroom as er

COUNT = 20
TORUS = er.Mesh(*er.scenes.torus(segments=10, sides=6))
Ask = Callable[..., Any]


def configurations(rng: np.random.Generator, recipe: Recipe, count: int) -> np.ndarray:
    """Half of them near to rest, so that some are free."""
    slow = SlowBody(recipe)
    return np.array([slow.random(rng, (0.05, 1.0)[k % 2]) for k in range(count)])


def one_by_one(recipe: Recipe, q: np.ndarray, ask: Ask, **settings: Any) -> list[Any]:
    """The answers of a single body that is moved from one configuration to the next."""
    body, answers = recipe.body(**settings), []
    for k, row in enumerate(q):
        body.move(row)
        answers.append(ask(body, k))
    return answers


def contact_rows(frames: Any, pairs: np.ndarray, contacts: Any) -> list[list[float]]:
    """In one order: the contacts of a pair of links come in any."""
    return sorted(
        np.column_stack([frames, pairs, contacts.depths, contacts.points, contacts.normals]).tolist()
    )


def check_frames(many: Any, single: list[Any]) -> None:
    """Pairs and contacts of all configurations, in their order."""
    assert many.hits.tolist() == [bool(answer) for answer in single]
    frames = [k for k, answer in enumerate(single) for _ in answer.pairs]
    assert many.frames.tolist() == frames and many.pairs.shape == (len(frames), 2)
    assert rows_of(many.pairs) == [pair for answer in single for pair in rows_of(answer.pairs)]
    if many.contacts is None:
        return
    assert len(many.contacts) == len(frames)
    expected = []
    for k, answer in enumerate(single):
        if answer.contacts is not None:
            expected += contact_rows([k] * len(answer.pairs), answer.pairs, answer.contacts)
    assert contact_rows(many.frames, many.pairs, many.contacts) == expected


def check_values(many: Any, single: list[Any]) -> None:
    for name, one in (("values", "value"), ("lower", "lower"), ("upper", "upper")):
        assert getattr(many, name).tolist() == [getattr(answer, one) for answer in single]
    assert many.pairs.tolist() == [answer.pair.tolist() for answer in single]
    finite = np.isfinite(many.values)
    expected = np.array([answer.points for answer in single])
    assert np.array_equal(many.points[finite], expected[finite])


@pytest.mark.parametrize("refit", REFITS)
@pytest.mark.parametrize("maker", ["arm", "tree", "skins", "points"])
def test_questions_about_itself(maker: str, refit: str) -> None:
    rng = rng_of("many", maker)
    recipe = made_free(MAKERS[maker](rng, 10))
    q = configurations(rng, recipe, COUNT)
    body = recipe.body(refit=refit)
    body.move(q)
    plain = er.self_collide(body)
    assert isinstance(plain, er.Collisions) and plain.hits.shape == (COUNT,) and plain.finished.all()
    single = one_by_one(recipe, q, lambda b, _: er.self_collide(b), refit=refit)
    assert plain.hits.tolist() == [bool(answer) for answer in single]
    more: Any
    for more in ({"every": True}, {"depth": True}, {"every": True, "depth": True}):
        single = one_by_one(recipe, q, lambda b, _, more=more: er.self_collide(b, **more), refit=refit)
        check_frames(er.self_collide(body, **more), single)
    found = er.self_distance(body)
    assert isinstance(found, er.Distances)
    check_values(found, one_by_one(recipe, q, lambda b, _: er.self_distance(b), refit=refit))
    near = er.self_distance(body, enough=0.1)
    check_values(near, one_by_one(recipe, q, lambda b, _: er.self_distance(b, enough=0.1), refit=refit))


def some_others(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "box": er.Box([1, 2, 3]),
        "mesh": TORUS,
        "chain": coil(rng, 20).chain(),
        "articulated": skins(rng, 5).body(),
    }


@pytest.mark.parametrize("other", ["box", "mesh", "chain", "articulated"])
@pytest.mark.parametrize("refit", ["auto", "cab", "aabb", "none"])
def test_questions_about_others(refit: str, other: str) -> None:
    rng = rng_of("many others", other)
    recipe, thing = tree(rng, 10), some_others(rng)[other]
    q = configurations(rng, recipe, COUNT)
    poses = nasty.matrices(nasty.rotations(rng, COUNT), rng.normal(size=(COUNT, 3)) * 2.0)
    body = recipe.body(refit=refit)
    body.move(q)
    for pose, each in ((None, lambda _: None), (poses[0], lambda _: poses[0]), (poses, lambda k: poses[k])):
        check_values(
            er.distance(body, thing, None, pose),
            one_by_one(recipe, q, lambda b, k, e=each: er.distance(b, thing, None, e(k)), refit=refit),
        )
        single = one_by_one(recipe, q, lambda b, k, e=each: er.collide(thing, b, e(k), None), refit=refit)
        assert er.collide(thing, body, pose).hits.tolist() == [bool(answer) for answer in single]
        for depth in (False, True):
            more: Any = {"every": True, "depth": depth}
            single = one_by_one(
                recipe, q, lambda b, k, e=each, m=more: er.collide(b, thing, e(k), None, **m), refit=refit
            )
            check_frames(er.collide(body, thing, pose, **more), single)


def test_one_configuration_and_many_poses() -> None:
    rng = rng_of("many poses")
    body = hand(rng, 10).body()
    poses = nasty.matrices(nasty.rotations(rng, COUNT), rng.normal(size=(COUNT, 3)))
    found, hits = er.distance(body, TORUS, None, poses), er.collide(TORUS, body, poses)
    for k, pose in enumerate(poses):
        assert found.values[k] == er.distance(body, TORUS, None, pose).value
        assert hits.hits[k] == bool(er.collide(TORUS, body, pose))
    assert hits.hits.any() and not hits.hits.all()


def test_two_bodies_with_many_configurations_go_together() -> None:
    rng = rng_of("both many")
    one, two = tree(rng, 7), skins(rng, 5)
    p, q = configurations(rng, one, 12), configurations(rng, two, 12)
    a, b = one.body(), two.body()
    a.move(p)
    b.move(q)
    found, hits = er.distance(a, b), er.collide(b, a)
    for k in range(12):
        a.move(p[k])
        b.move(q[k])
        assert found.values[k] == er.distance(a, b).value and hits.hits[k] == bool(er.collide(a, b))
    a.move(p[0])
    b.move(q)
    assert er.distance(a, b).values.shape == (12,), "one configuration goes with any number"


@pytest.mark.parametrize("refit", REFITS)
def test_pairs_within_reach_of_many_configurations(refit: str) -> None:
    rng = rng_of("within many", refit)
    recipe = tree(rng, 9)
    q = configurations(rng, recipe, COUNT)
    body = recipe.body(refit=refit)
    body.move(q)
    asks: list[Ask] = [
        lambda b, _=0: er.self_within(b, 0.5),
        lambda b, _=0: er.within(TORUS, b, 0.5),
        lambda b, _=0: er.within(b, coil(rng_of("coil"), 12).chain(), 0.5),
    ]
    for ask in asks:
        many, single = ask(body), one_by_one(recipe, q, ask, refit=refit)
        assert many.frames.tolist() == [k for k, one in enumerate(single) for _ in range(len(one))]
        assert rows_of(many.indices) == [pair for one in single for pair in rows_of(one.indices)]
        assert many.distances.tolist() == [d for one in single for d in one.distances.tolist()]
        assert len(many) > 0 and many.finished.tolist() == [True] * COUNT


@pytest.mark.parametrize("threads", [1, 2, 3, 7, 64, None])
def test_the_number_of_threads_changes_nothing(threads: int | None) -> None:
    rng = rng_of("threads")
    recipe = tree(rng, 16)
    body = recipe.body()
    body.move(configurations(rng, recipe, 80))
    asks: list[Ask] = [
        lambda **t: er.self_collide(body, every=True, depth=True, **t),
        lambda **t: er.collide(body, TORUS, every=True, depth=True, **t),
    ]
    for ask in asks:
        one, more = ask(threads=1), ask(threads=threads)
        assert one.hits.tolist() == more.hits.tolist() and one.frames.tolist() == more.frames.tolist()
        assert one.pairs.tolist() == more.pairs.tolist() and one.counters == more.counters
        assert one.contacts.depths.tolist() == more.contacts.depths.tolist()
    first, other = er.distance(body, TORUS, threads=1), er.distance(body, TORUS, threads=threads)
    assert first.values.tolist() == other.values.tolist() and first.points.tolist() == other.points.tolist()


@pytest.mark.parametrize("refit", REFITS)
def test_two_threads_ask_the_same_body(refit: str) -> None:
    """Also the first questions after a move, when boxes are not made yet."""
    rng = rng_of("two threads", refit)
    recipe = tree(rng, 16)
    q, single = configurations(rng, recipe, 15), recipe.body(refit=refit)

    def ask(body: Any, gate: Any = None) -> list[Any]:
        if gate is not None:
            gate.wait()
        collision, near = er.self_collide(body, every=True), er.self_within(body, 0.3)
        return [
            rows_of(collision.pairs), er.self_distance(body).value, rows_of(near.indices),
            rows_of(er.collide(body, TORUS, every=True).pairs), er.distance(TORUS, body).value,
            body.candidates().tolist(), body.link_poses().tolist(),
        ]  # fmt: skip

    for row in q:
        body, gate = recipe.body(refit=refit), threading.Barrier(3)
        body.move(row)
        single.move(row)
        with ThreadPoolExecutor(3) as pool:
            together = [pool.submit(ask, body, gate) for _ in range(3)]
            assert [t.result() for t in together] == [ask(single)] * 3


def test_a_budget_is_for_each_configuration() -> None:
    rng = rng_of("many budget")
    recipe = tree(rng, 16)
    q = configurations(rng, recipe, 30)
    body = recipe.body()
    body.move(q)
    for tests in (0, 3, 20, 10**6):
        budget = er.Budget(tests=tests)
        many = er.self_collide(body, budget=budget)
        single = one_by_one(recipe, q, lambda b, _, budget=budget: er.self_collide(b, budget=budget))
        assert many.hits.tolist() == [bool(answer) for answer in single]
        assert many.finished.tolist() == [a.status != "out of budget" or bool(a) for a in single]
        found = er.self_distance(body, budget=budget)
        single = one_by_one(recipe, q, lambda b, _, budget=budget: er.self_distance(b, budget=budget))
        assert found.lower.tolist() == [answer.lower for answer in single]
        assert found.upper.tolist() == [answer.upper for answer in single]


def test_candidates_of_many_configurations() -> None:
    rng = rng_of("many candidates")
    recipe = arm(rng, 20)
    q = configurations(rng, recipe, 15)
    for refit in REFITS:
        body, single = recipe.body(refit=refit), recipe.body(refit=refit)
        body.move(q)
        expected = []
        for k, row in enumerate(q):
            single.move(row)
            expected += [[k, i, j] for i, j in rows_of(single.candidates())]
        assert body.candidates().shape == (len(expected), 3) and body.candidates().tolist() == expected
