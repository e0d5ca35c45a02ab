"""What can be asked of a chain: of itself, of other bodies and of other chains, against all pairs."""

from __future__ import annotations

from typing import Any

import nasty
import numpy as np
import oracle
import pytest
from chain_makers import COMBINATIONS, MAKERS, VOLUMES, coil, protein, rng_of, serpentine, tangle
from chain_oracle import SlowChain, Twin, random_move
from query_checks import TESTS, check_pairs, rows_of

import elbowroom as er

ASKED = ("coil", "tangle", "serpentine", "rows", "stacked", "unequal", "points", "branched", "bonded", "tiny")
PLAIN = [name for name, settings in VOLUMES.items() if settings.keys() <= {"volume", "children"}]
every_volume = pytest.mark.parametrize("volume", VOLUMES)


# A chain and itself.


def check_self_within(twin: Twin, reach: float) -> None:
    found, gaps = er.self_within(twin.chain, reach), twin.slow.gaps()
    check_pairs(found.indices, gaps, reach, twin.slow.doubt)
    true = np.maximum(gaps[found.indices[:, 0], found.indices[:, 1]], 0.0)
    assert found.distances.shape == true.shape and found.status == "exhausted"
    assert (np.abs(found.distances - true) <= twin.slow.doubt).all()


def check_self_distance(twin: Twin) -> None:
    found, slow = er.self_distance(twin.chain), twin.slow
    true, doubt = slow.self_distance(), slow.doubt
    if np.isinf(true):
        assert found.value == np.inf, "no pair is tested"
        return
    assert abs(found.value - true) <= doubt and found.lower <= found.value <= found.upper
    assert found.lower <= true + doubt and true <= found.upper + doubt
    i, j = found.pair.tolist()
    assert i < j and abs(max(slow.gaps()[i, j], 0.0) - true) <= doubt
    for point, ball in zip(found.points, (i, j), strict=True):
        assert np.linalg.norm(point - slow.balls[ball]) <= slow.radii[ball] + doubt
    assert abs(np.linalg.norm(found.points[1] - found.points[0]) - found.value) <= doubt


def check_self_collide(twin: Twin) -> None:
    slow, gaps, doubt = twin.slow, twin.slow.gaps(), twin.slow.doubt
    found, first = er.self_collide(twin.chain, every=True), er.self_collide(twin.chain)
    check_pairs(found.pairs, gaps, 0.0, doubt)
    assert bool(found) == bool(first) == (len(found.pairs) > 0) == twin.chain.collides()
    assert len(first.pairs) == (1 if first else 0)
    assert set(rows_of(first.pairs)) <= set(rows_of(found.pairs))
    assert found.contacts is None and first.contacts is None
    if abs(slow.clearance()) > doubt:
        assert bool(found) == slow.collides()


def check_self_depth(twin: Twin) -> None:
    slow, doubt = twin.slow, twin.slow.doubt
    found = er.self_collide(twin.chain, every=True, depth=True)
    deepest = er.self_collide(twin.chain, depth=True)
    assert bool(deepest) == bool(found)
    check_pairs(found.pairs, slow.gaps(), 0.0, doubt)
    if not found:
        return
    assert deepest.contacts.depths == pytest.approx([found.contacts.depths.max()], abs=1e-12 * slow.size)
    for (i, j), point, normal, depth in zip(
        found.pairs, found.contacts.points, found.contacts.normals, found.contacts.depths, strict=True
    ):
        apart = slow.balls[j] - slow.balls[i]
        assert abs(depth - max(slow.radii[i] + slow.radii[j] - np.linalg.norm(apart), 0.0)) <= doubt
        assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-12)
        if np.linalg.norm(apart) > 1e-3 * slow.size:  # else the direction hangs on rounding
            assert normal == pytest.approx(apart / np.linalg.norm(apart), abs=1e-6)
        for ball in (i, j):
            assert np.linalg.norm(point - slow.balls[ball]) <= slow.radii[ball] + doubt


@pytest.mark.parametrize(("maker", "volume"), [(m, v) for m, v in COMBINATIONS if m in ASKED])
def test_questions_about_itself(maker: str, volume: str) -> None:
    for n in (2, 5, 17, 60):
        rng = rng_of("itself", maker, n)
        twin = Twin.of(MAKERS[maker](rng, n), **VOLUMES[volume])
        for _ in range(5):
            check_self_distance(twin)
            check_self_collide(twin)
            check_self_depth(twin)
            check_self_within(twin, float(rng.choice([0.0, 0.05, 0.3])) * twin.slow.size)
            twin.make(random_move(rng, twin.slow, gentle=rng.random() < 0.5))
            if rng.random() < 0.3 and twin.slow.history:
                twin.undo()
        twin.check_verdict()


@every_volume
def test_the_list_of_near_pairs_is_kept_through_changes(volume: str) -> None:
    """One reach over many changes and undos, then reaches that grow, shrink and come back."""
    rng = rng_of("list")
    twin = Twin.of(serpentine(rng, 150), **VOLUMES[volume])
    for _ in range(40):
        for _ in range(int(rng.integers(1, 3))):
            twin.make(random_move(rng, twin.slow, gentle=True))
        if twin.check_verdict():
            twin.undo()
        check_self_within(twin, 2.5)
    for reach in (0.0, 6.0, 1.0, 6.0, 0.5, 2.5):
        twin.make(random_move(rng, twin.slow, gentle=True))
        check_self_within(twin, reach)
        twin.undo()
        check_self_within(twin, reach)
    while twin.slow.history:
        twin.undo()
    check_self_within(twin, 2.5)


@every_volume
@pytest.mark.parametrize("undone", range(1, 6))
def test_the_list_after_changes_of_few_joints_undone_one_by_one(volume: str, undone: int) -> None:
    """Changes at one joint look alike; which of them were made and which undone must not be mixed up."""
    rng = rng_of("one joint", undone)
    twin = Twin.of(coil(rng, 40), **VOLUMES[volume])
    for _ in range(15):
        for _ in range(undone):
            twin.make(("rotate", (int(rng.choice([9, 9, 9, 20])), float(rng.normal()))))
            if rng.random() < 0.3:
                check_self_within(twin, 2.0)
        for _ in range(int(rng.integers(0, undone + 1))):
            twin.undo()
            if rng.random() < 0.3:
                check_self_within(twin, 2.0)
        check_self_within(twin, 2.0)


def test_questions_leave_the_chain_as_it_was() -> None:
    rng = rng_of("left")
    twin = Twin.of(coil(rng, 90))
    for _ in range(20):
        twin.make(random_move(rng, twin.slow, gentle=True))
        before = twin.chain.positions().tobytes()
        check_self_within(twin, 0.5)
        check_self_distance(twin)
        check_self_collide(twin)
        assert twin.chain.positions().tobytes() == before
        if twin.check_verdict():
            twin.undo()
        twin.chain.validate()


@every_volume
def test_enough_settles_the_question_of_a_clearance(volume: str) -> None:
    rng = rng_of("enough")
    twin = Twin.of(coil(rng, 80), **VOLUMES[volume])
    for _ in range(12):
        twin.make(random_move(rng, twin.slow, gentle=True))
        true, doubt = twin.slow.self_distance(), twin.slow.doubt
        for enough in (0.0, 0.5 * true, 0.999 * true, 1.001 * true, 2.0 * true):
            found = er.self_distance(twin.chain, enough=enough)
            assert found.lower - doubt <= true <= found.upper + doubt
            assert found.lower >= enough - doubt or found.upper <= enough + doubt


@every_volume
@pytest.mark.parametrize("make", [serpentine, tangle, protein])
def test_on_a_budget_nothing_wrong_is_said_of_itself(volume: str, make: Any) -> None:
    rng = rng_of("budget")
    twin = Twin.of(make(rng, 120), **VOLUMES[volume])
    twin.make(random_move(rng, twin.slow, gentle=True))
    hits = set(rows_of(er.self_collide(twin.chain, every=True).pairs))
    true, doubt, reach = twin.slow.self_distance(), twin.slow.doubt, 0.1 * twin.slow.size
    near = set(rows_of(er.self_within(twin.chain, reach).indices))
    cut = set()
    for tests in TESTS:
        budget = er.Budget(tests=tests)
        one, every = (er.self_collide(twin.chain, every=e, depth=e, budget=budget) for e in (False, True))
        assert one.status == "out of budget" or bool(one) == bool(hits)
        assert every.status == "out of budget" or set(rows_of(every.pairs)) == hits
        assert set(rows_of(one.pairs)) | set(rows_of(every.pairs)) <= hits
        some = er.self_within(twin.chain, reach, budget=budget)
        assert set(rows_of(some.indices)) <= near
        assert some.status == "out of budget" or len(some.indices) == len(near)
        found = er.self_distance(twin.chain, budget=budget)
        assert found.lower <= true + doubt and true <= found.upper + doubt
        assert found.status == "out of budget" or found.value == pytest.approx(true, abs=doubt)
        cut |= {answer.status for answer in (one, every, some, found) if tests < 3}
        cut |= {f"enough {answer.status}" for answer in (one, every, some, found) if tests == 10**8}
    assert "out of budget" in cut and "enough out of budget" not in cut


# A chain and others.


def as_group(slow: SlowChain) -> nasty.Thing:
    """The balls, for the oracle."""
    members = zip(slow.balls, slow.radii, strict=True)
    return nasty.Thing("group", tuple((nasty.Thing("sphere", (float(r),)), np.eye(3), x) for x, r in members))


def some_body(rng: np.random.Generator, kind: str, size: float) -> nasty.Thing:
    return nasty.thing(rng, kind, "plain", size)


def poses_near(rng: np.random.Generator, twin: Twin, other: float, count: int) -> np.ndarray:
    """From deep inside the chain to well apart from it."""
    length = rng.uniform(0.0, 1.0, (count, 1)) * (twin.slow.size + other)
    return nasty.matrices(nasty.rotations(rng, count), nasty.directions(rng, count) * length)


def check_other(twin: Twin, body: Any, thing: nasty.Thing, pose_a: np.ndarray, pose_b: np.ndarray) -> bool:
    """Chain and body in one pose each, asked both ways round."""
    solids = (as_group(twin.slow).solid, pose_a), (thing.solid, pose_b)
    a, b = (oracle.moved(solid, pose[:3, :3], pose[:3, 3]) for solid, pose in solids)
    gaps = oracle.signed_matrix(a, b)
    doubt = 1e-9 * (twin.slow.size + thing.reach + np.abs(pose_a[:3, 3]).max() + np.abs(pose_b[:3, 3]).max())
    reach = max(float(gaps.min()), 0.0) + 0.2 * twin.slow.size
    asked, swapped = (twin.chain, body, pose_a, pose_b), (body, twin.chain, pose_b, pose_a)
    check_verdicts_of(asked, swapped, gaps, doubt)
    found, back = er.distance(*asked), er.distance(*swapped)
    assert abs(found.value - max(gaps.min(), 0.0)) <= doubt
    assert found.lower <= max(gaps.min(), 0.0) + doubt and max(gaps.min(), 0.0) <= found.upper + doubt
    assert abs(max(gaps[tuple(found.pair)], 0.0) - found.value) <= doubt
    assert abs(np.linalg.norm(found.points[1] - found.points[0]) - found.value) <= doubt
    assert (back.value, back.lower, back.upper) == (found.value, found.lower, found.upper)
    near, near_back = (er.within(*w[:2], reach, *w[2:]) for w in (asked, swapped))
    check_pairs(near.indices, gaps, reach, doubt)
    assert sorted(rows_of(near_back.indices[:, ::-1])) == rows_of(near.indices)
    true = np.maximum(gaps[near.indices[:, 0], near.indices[:, 1]], 0.0)
    assert (np.abs(near.distances - true) <= doubt).all()
    return bool(gaps.min() < 0.0)


def check_verdicts_of(asked: Any, swapped: Any, gaps: np.ndarray, doubt: float) -> None:
    one, every, back = er.collide(*asked), er.collide(*asked, every=True), er.collide(*swapped, every=True)
    check_pairs(every.pairs, gaps, 0.0, doubt)
    assert bool(one) == bool(every) == bool(back) == bool(er.collide(*swapped))
    assert sorted(rows_of(back.pairs[:, ::-1])) == rows_of(every.pairs)
    deep = er.collide(*asked, every=True, depth=True)
    assert rows_of(deep.pairs) == rows_of(every.pairs)
    if deep:
        true = np.maximum(-gaps[deep.pairs[:, 0], deep.pairs[:, 1]], 0.0)
        assert (np.abs(deep.contacts.depths - true) <= doubt).all()


@pytest.mark.parametrize("kind", nasty.KINDS)
@pytest.mark.parametrize("maker", ["coil", "serpentine", "branched", "bonded", "unequal"])
def test_a_chain_and_a_body(maker: str, kind: str) -> None:
    rng = rng_of("body", maker, kind)
    verdicts = []
    for n in (2, 40):
        twin = Twin.of(MAKERS[maker](rng, n))
        thing = some_body(rng, kind, 0.4 * twin.slow.size)
        for pose in poses_near(rng, twin, thing.reach, 6):
            twin.make(random_move(rng, twin.slow))
            if rng.random() < 0.3:
                twin.undo()
            where = nasty.matrices(nasty.rotations(rng, 1), rng.normal(size=(1, 3)) * twin.slow.size)[0]
            verdicts.append(check_other(twin, thing.body, thing, where, where @ pose))
    assert {True, False} <= set(verdicts)  # with one verdict alone, nothing would have been told apart


def test_a_chain_and_another_chain() -> None:
    rng = rng_of("two chains")
    verdicts = []
    for makers in (("coil", "protein"), ("branched", "coil"), ("tangle", "tangle"), ("rod", "zigzag")):
        one, other = (Twin.of(MAKERS[maker](rng, 30)) for maker in makers)
        for pose in poses_near(rng, one, other.slow.size, 8):
            for twin in (one, other):
                twin.make(random_move(rng, twin.slow))
            verdicts.append(check_other(one, other.chain, as_group(other.slow), np.eye(4), pose))
    assert {True, False} <= set(verdicts)  # with one verdict alone, nothing would have been told apart


def test_a_chain_and_itself_elsewhere() -> None:
    rng = rng_of("elsewhere")
    twin = Twin.of(coil(rng, 40))
    for pose in poses_near(rng, twin, twin.slow.size, 8):
        twin.make(random_move(rng, twin.slow))
        check_other(twin, twin.chain, as_group(twin.slow), np.eye(4), pose)
    assert len(er.collide(twin.chain, twin.chain, every=True).pairs) >= 40, "every ball meets itself"


@pytest.mark.parametrize("volume", PLAIN)
def test_every_volume_answers_alike(volume: str) -> None:
    rng = rng_of("alike")
    twin = Twin.of(protein(rng, 70), **VOLUMES[volume])
    children = twin.chain.children
    thing = nasty.Thing("mesh", er.scenes.torus(radius=4.0, tube=1.0, segments=8, sides=5))
    body = er.Mesh(*thing.args, children=children)
    for pose in poses_near(rng, twin, 5.0, 6):
        twin.make(random_move(rng, twin.slow, gentle=True))
        check_other(twin, body, thing, np.eye(4), pose)


@pytest.mark.parametrize("kind", ["sphere", "mesh", "group"])
def test_many_poses_are_the_same_as_single_ones(kind: str) -> None:
    rng = rng_of("many", kind)
    twin = Twin.of(coil(rng, 70))
    twin.make(random_move(rng, twin.slow))
    thing = some_body(rng, kind, 0.3 * twin.slow.size)
    poses = poses_near(rng, twin, thing.reach, 60)
    for threads in (1, 2):
        hits = er.collide(twin.chain, thing.body, None, poses, threads=threads).hits
        found = er.distance(twin.chain, thing.body, None, poses, threads=threads)
        back = er.distance(thing.body, twin.chain, poses, None, threads=threads)
        for k, pose in enumerate(poses):
            assert hits[k] == bool(er.collide(twin.chain, thing.body, None, pose))
            assert found.values[k] == er.distance(twin.chain, thing.body, None, pose).value == back.values[k]
    assert hits.any() and not hits.all()


def test_on_a_budget_nothing_wrong_is_said_of_others() -> None:
    rng = rng_of("budget of others")
    twin, cut = Twin.of(serpentine(rng, 200)), 0
    torus = er.Mesh(*er.scenes.torus())
    for pose in poses_near(rng, twin, 2.0, 10):
        for body in (torus, er.Box(3.0), coil(rng, 30).chain()):
            hits = set(rows_of(er.collide(twin.chain, body, None, pose, every=True).pairs))
            true = er.distance(twin.chain, body, None, pose).value
            for tests in TESTS:
                budget = er.Budget(tests=tests)
                one = er.collide(twin.chain, body, None, pose, budget=budget)
                found = er.distance(twin.chain, body, None, pose, budget=budget)
                assert one.status == "out of budget" or bool(one) == bool(hits)
                assert set(rows_of(one.pairs)) <= hits
                assert found.lower <= true + 1e-12 and true <= found.upper + 1e-12
                cut += (one.status == "out of budget") + (found.status == "out of budget")
    assert cut > 20


def test_touching_is_a_collision_and_a_distance_of_zero() -> None:
    chain = er.Chain([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [0, 4, 0]], 1.0)
    assert rows_of(er.self_collide(chain, every=True).pairs) == [(0, 3)]
    assert er.self_distance(chain).value == 0.0 and rows_of(er.self_within(chain, 0.0).indices) == [(0, 3)]
    above = er.Pose(translation=[0.0, 6.5, 0.0])
    assert rows_of(er.collide(chain, er.Box(3.0), None, above, every=True).pairs) == [(4, 0)]
    assert er.distance(chain, er.Box(3.0), None, above).value == 0.0


def test_reach_finds_a_far_ball_of_no_size() -> None:
    """Bounds in single precision must not rule out what lies just within reach, far from a tiny probe."""
    rng = np.random.default_rng(0)
    probe = er.Chain([[0, 0, 0], [1e-12, 0, 0.0]], 0.0, exclude=0)
    for _ in range(600):
        points = rng.normal(size=(17, 3))
        points *= 9.0 / np.linalg.norm(points, axis=1, keepdims=True)
        points[0], points[16] = 0.0, points[16] * rng.uniform(0.22, 0.45)
        reach = float(np.linalg.norm(points[16])) * (1 + 1e-9)
        turn = rng.normal(size=4)
        found = er.within(
            probe, er.Chain(points, 0.0, exclude=0), reach, er.Pose(turn / np.linalg.norm(turn))
        )
        assert 16 in found.indices[:, 1]
