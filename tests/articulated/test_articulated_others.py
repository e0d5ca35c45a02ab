"""An articulated body and others: rigid bodies, chains, articulated bodies; many configurations at once."""

from __future__ import annotations

from typing import Any

import nasty
import numpy as np
import pytest
from articulated_makers import MAKERS, REFITS, Recipe, arm, hand, skins, touching, tree
from articulated_oracle import ROUNDING, SlowBody, Twin, placed
from chain_makers import MAKERS as CHAINS
from chain_makers import rng_of
from query_checks import TESTS, check_depths, check_distances, check_verdicts, rows_of

import elbowroom as er

OTHERS = (*nasty.KINDS, "chain", "articulated")


def some_other(rng: np.random.Generator, kind: str, size: float) -> tuple[Any, Recipe | None, float]:
    """A body of that kind, the recipe of an articulated one, and how far it reaches."""
    if kind == "chain":
        chain = CHAINS["coil"](rng, 12)
        reach = float(np.abs(chain.positions).max() + chain.radii.max())
        return er.Chain(chain.positions * size / reach, chain.radii * size / reach), None, size
    if kind == "articulated":
        recipe = skins(rng, 5)
        return recipe.body(), recipe, 5.0
    thing = nasty.thing(rng, kind, "plain", size)
    return thing.body, None, thing.reach


def gaps_between(
    twin: Twin, other: Any, recipe: Recipe | None, pose_a: np.ndarray, pose_b: np.ndarray
) -> np.ndarray:
    """Links against primitives, balls or links."""
    poses = pose_a @ twin.poses
    if recipe is not None:
        slow = SlowBody(recipe)
        return twin.slow.gaps_to_links(slow, poses, pose_b @ slow.poses(other.configuration))
    return twin.slow.gaps_to(other, poses, pose_b, 1e6 * (1.0 + twin.slow.size(poses)))


def check_other(
    twin: Twin, other: Any, recipe: Recipe | None, pose_a: np.ndarray, pose_b: np.ndarray
) -> bool:
    gaps = gaps_between(twin, other, recipe, pose_a, pose_b)
    offsets = sum(float(np.linalg.norm(pose[:3, 3])) for pose in (pose_a, pose_b))
    size = twin.slow.size(twin.poses) + offsets + (np.abs(other.link_poses()).max() if recipe else 0.0)
    asked, doubt = (twin.body, other, pose_a, pose_b), ROUNDING * size
    check_depths(asked, gaps, doubt)
    finite = gaps[np.isfinite(gaps)]
    check_distances(
        asked, gaps, doubt, max(float(finite.min(initial=1.0)), 0.0) + 0.3 * twin.slow.recipe.reach
    )
    return check_verdicts(asked, gaps, doubt)


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("maker", ["arm", "tree", "skins", "straight", "points", "huge", "far", "frames"])
def test_a_body_and_another(maker: str, kind: str) -> None:
    rng = rng_of("other", maker, kind)
    verdicts = set()
    for n in (1, 14):
        twin = Twin.of(MAKERS[maker](rng, n))
        reach = twin.slow.recipe.reach or 1.0
        other, recipe, _ = some_other(rng, kind, reach)
        for _ in range(3):
            twin.wander(rng)
            pose_a = placed(rng, reach)
            at_link = (pose_a @ twin.poses)[rng.integers(n)]
            pose_b = at_link @ placed(rng, 3.0 * reach)
            verdicts.add(check_other(twin, other, recipe, pose_a, pose_b))
    assert kind != "box" or maker in ("frames", "points") or verdicts == {True, False}


@pytest.mark.parametrize("refit", REFITS)
@pytest.mark.parametrize("other_refit", ["auto", "cab", "aabb", "none"])
def test_two_articulated_bodies_of_any_refit(refit: str, other_refit: str) -> None:
    rng = rng_of("two", refit, other_refit)
    twin, recipe = Twin.of(tree(rng, 10), refit=refit), skins(rng, 6)
    other, slow = recipe.body(refit=other_refit), SlowBody(recipe)
    for _ in range(3):
        twin.wander(rng)
        other.move(slow.random(rng))
        check_other(twin, other, recipe, placed(rng, 1.0), placed(rng, 3.0))


@pytest.mark.parametrize("refit", REFITS)
@pytest.mark.parametrize("kind", ["box", "mesh", "group", "chain"])
def test_every_refit_meets_every_kind(refit: str, kind: str) -> None:
    rng = rng_of("meets", refit, kind)
    twin = Twin.of(tree(rng, 18), refit=refit)
    other, recipe, _ = some_other(rng, kind, 1.0)
    for _ in range(3):
        twin.wander(rng)
        check_other(twin, other, recipe, np.eye(4), placed(rng, 3.0))


def test_a_body_and_itself_elsewhere() -> None:
    rng = rng_of("elsewhere")
    recipe = tree(rng, 12)
    for refit in REFITS:
        twin = Twin.of(recipe, refit=refit)
        twin.wander(rng)
        check_other(twin, twin.body, recipe, placed(rng, 1.0), placed(rng, 3.0))
        shaped = {link for link, _, _ in twin.slow.shapes}
        met = er.collide(twin.body, twin.body, every=True).pairs
        assert shaped <= {i for i, j in rows_of(met) if i == j}, "every link meets itself"


def test_nothing_is_excluded_between_two_bodies() -> None:
    recipe = arm(rng_of("nothing"), 4)
    a, b = recipe.body(), recipe.body()
    assert set(rows_of(er.collide(a, b, every=True).pairs)) >= {
        (0, 0),
        (0, 1),
        (1, 1),
        (1, 2),
        (2, 2),
        (2, 3),
        (3, 3),
    }


@pytest.mark.parametrize("refit", REFITS)
def test_what_touches_another_body_collides(refit: str) -> None:
    body = touching(None, 16).body(refit=refit)
    cells = body.link_poses()[:, :3, 3]
    cube, ball, chain = er.Box(1), er.Sphere(1), er.Chain([[0, 0, 0], [0, 0, 9]], 0.5)
    for place in ([4, 0, 0], [4, 4, 1], [-1, -1, -1], [0, 0, 1], [5, 0, 0], [2, 1, 2]):
        pose = er.Pose(translation=place)
        near = np.abs(cells - place).max(axis=1) <= 1
        expected = [(int(i), 0) for i in np.flatnonzero(near)]
        assert rows_of(er.collide(body, cube, None, pose, every=True).pairs) == expected
        assert rows_of(er.within(body, cube, 0.0, None, pose).indices) == expected
        assert (er.distance(cube, body, pose).value == 0.0) == near.any()
    assert er.collide(body, ball, None, er.Pose(translation=[1, 1, 1.5]))
    above = er.Pose(translation=[0, 0, 1])
    assert rows_of(er.collide(body, chain, None, above, every=True).pairs) == [(0, 0)]
    beside = er.collide(body, body, None, er.Pose(translation=[4, 0, 0]), every=True).pairs
    near = np.abs(cells[:, None] - (cells + np.array([4, 0, 0]))[None]).max(axis=2) <= 1
    assert rows_of(beside) == rows_of(np.argwhere(near))


# Budgets.


@pytest.mark.parametrize("refit", REFITS)
@pytest.mark.parametrize("kind", ["mesh", "group", "chain", "articulated"])
def test_on_a_budget_nothing_wrong_is_said_of_others(refit: str, kind: str) -> None:
    rng, cut = rng_of("budget", kind), 0
    body = hand(rng, 19).body(refit=refit)
    other = er.Mesh(*er.scenes.torus()) if kind == "mesh" else some_other(rng, kind, 2.0)[0]
    for _ in range(3):
        pose = placed(rng, 2.5)
        hits = set(rows_of(er.collide(body, other, None, pose, every=True).pairs))
        true = er.distance(body, other, None, pose).value
        near = set(rows_of(er.within(body, other, 0.2, None, pose).indices))
        for tests in TESTS:
            budget = er.Budget(tests=tests)
            one, every = (
                er.collide(body, other, None, pose, every=e, depth=e, budget=budget) for e in (False, True)
            )
            found = er.distance(body, other, None, pose, budget=budget)
            some = er.within(other, body, 0.2, pose, budget=budget)
            assert one.status == "out of budget" or bool(one) == bool(hits)
            assert every.status == "out of budget" or set(rows_of(every.pairs)) == hits
            assert set(rows_of(one.pairs)) | set(rows_of(every.pairs)) <= hits
            assert found.lower <= true + 1e-12 and true <= found.upper + 1e-12
            assert set(rows_of(some.indices[:, ::-1])) <= near
            assert some.status == "out of budget" or len(some) == len(near)
            cut += sum(answer.status == "out of budget" for answer in (one, every, found, some))
            assert tests < 10**8 or "out of budget" not in (
                one.status,
                every.status,
                found.status,
                some.status,
            )
    assert cut > 10
