"""Periodic boxes: every question against all images of all balls."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from support.periodic_oracle import as_pairs, nearest_gaps, random_box

import elbowroom as er

CUBE = np.array([10.0, 10.0, 10.0])
#: Two balls that overlap through a face, and one apart.
THREE = [[0.5, 5, 5], [9.0, 5, 5], [5, 5, 5]]


def limit(body: er.Necklace | er.Chain) -> float:
    """The largest reach, as the refusal of a larger one says."""
    with pytest.raises(ValueError, match=r"^reach may be at most \S+ in this periodic box, got") as refused:
        er.self_within(body, 1e6)
    return float(str(refused.value).split("at most ")[1].split(" in ")[0]) * (1 - 1e-5)


def scattered(rng: np.random.Generator, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Balls in several cells, also on faces and corners and at the same place; of one radius or of many."""
    n = int(rng.integers(2, 60))
    cells = rng.uniform(-2, 3, (n, 3))
    if rng.random() < 0.4:
        cells = np.round(4 * cells) / 4
    cells[0] += rng.integers(-1000, 1000, 3)
    widths = 1 / np.linalg.norm(np.linalg.inv(edges), axis=0)
    largest = 0.1 * widths.min()
    return cells @ edges, rng.uniform(0, largest, n) if rng.random() < 0.5 else np.full(n, largest)


def check_self_questions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges, cells = random_box(rng)
    x, radii = scattered(rng, edges)
    gaps = nearest_gaps(edges, x, radii, cells=cells)
    upper = gaps[np.triu_indices(len(x), 1)]
    balls = er.Necklace(x, radii, exclude=0, box=edges)

    nearest = er.self_distance(balls)
    assert nearest.value == pytest.approx(upper.min(), abs=1e-9)
    assert nearest.lower <= upper.min() + 1e-9
    assert np.linalg.norm(nearest.points[1] - nearest.points[0]) == pytest.approx(nearest.value, abs=1e-9)
    if abs(upper.min()) > 1e-9 or upper.min() == 0:
        assert bool(er.self_collide(balls)) == (upper.min() == 0)
    overlaps = as_pairs(er.self_collide(balls, every=True).pairs)
    assert as_pairs(np.argwhere(np.triu(gaps <= 0, 1))) <= overlaps
    assert all(gaps[i, j] < 1e-9 for i, j in overlaps)

    reach = limit(balls) * rng.choice([0.3, 0.7, 1.0])
    found = er.self_within(balls, reach)
    expected = as_pairs(np.argwhere(np.triu(gaps <= reach, 1)))
    for i, j in as_pairs(found.indices) ^ expected:
        assert gaps[i, j] == pytest.approx(reach, abs=1e-8)
    np.testing.assert_allclose(found.distances, gaps[tuple(found.indices.T)], atol=1e-8)


@pytest.mark.parametrize("seed", range(60))
def test_self_questions_are_those_of_all_images(seed: int) -> None:
    check_self_questions(seed)


@pytest.mark.fuzz
@pytest.mark.parametrize("block", range(10, 20))
def test_ten_thousand_boxes(block: int) -> None:
    for seed in range(1000):
        check_self_questions(1000 * block + seed)


@pytest.mark.parametrize("seed", range(30))
def test_two_bodies_are_compared_with_all_images(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    edges, cells = random_box(rng)
    (x, rx), (y, ry) = scattered(rng, edges), scattered(rng, edges)
    gaps = nearest_gaps(edges, x, rx, y, ry, cells=cells)
    a, b = er.Necklace(x, rx, box=edges), er.Chain(y, ry, box=edges)
    assert er.distance(a, b).value == pytest.approx(gaps.min(), abs=1e-8)
    if abs(gaps.min()) > 1e-8:
        assert not er.collide(a, b)
    reach = min(limit(a), limit(b)) * 0.9
    found, turned = er.within(a, b, reach, points=True), er.within(b, a, reach)
    for i, j in as_pairs(found.indices) ^ as_pairs(np.argwhere(gaps <= reach)):
        assert gaps[i, j] == pytest.approx(reach, abs=1e-8)
    assert as_pairs(found.indices) == as_pairs(turned.indices[:, ::-1])
    assert sorted(found.distances) == sorted(turned.distances)
    apart = np.linalg.norm(found.points[:, 1] - found.points[:, 0], axis=1)
    np.testing.assert_allclose(apart[found.distances > 0], found.distances[found.distances > 0], atol=1e-7)


def test_a_chain_is_a_necklace_of_its_balls_and_stays_whole() -> None:
    rng = np.random.default_rng(3)
    edges = np.array([[9.0, 0, 0], [4.0, 8, 0], [-3.0, 5, 7]])
    bonds = rng.normal(size=(200, 3))
    links = np.cumsum(1.5 * bonds / np.linalg.norm(bonds, axis=1)[:, None], axis=0)
    chain = er.Chain(links, 0.2, exclude=2, box=edges)
    for joint, angle in zip(rng.integers(1, 198, 40), rng.normal(size=40), strict=True):
        chain.rotate(int(joint), angle)
        whole = er.Necklace(chain.positions(), 0.2, exclude=2, box=edges)
        assert chain.collides() == bool(er.self_collide(whole)) == bool(er.self_collide(chain))
        assert (", colliding;" if chain.collides() else ", free;") in repr(chain)
        assert er.self_distance(chain).value == pytest.approx(er.self_distance(whole).value, abs=1e-12)
        assert as_pairs(er.self_within(chain, 1.0).indices) == as_pairs(er.self_within(whole, 1.0).indices)
        if joint % 2:
            chain.undo()
    steps = np.linalg.norm(np.diff(chain.positions(), axis=0), axis=1)
    np.testing.assert_allclose(steps, 1.5, atol=1e-9)


def test_torsions_are_tried_in_the_box() -> None:
    links = [[1, 5, 5], [4, 5, 5], [7, 5, 5], [9, 6, 5], [9.5, 5, 5]]
    free = er.Chain(links, 0.9, exclude=2).try_torsions([1, 2], [0.1, 0.1])
    boxed = er.Chain(links, 0.9, exclude=2, box=CUBE).try_torsions([1, 2], [0.1, 0.1])
    assert free.all() and not boxed.any()


def test_side_balls_are_numbered_as_given() -> None:
    side = ([1, 1], [[2, 1, 0], [2, 9.5, 0]], [0.3, 0.3])
    chain = er.Chain([[0, 0, 0], [2, 0, 0], [4, 0, 0], [6, 1, 0]], 0.3, side=side, box=CUBE)
    other = er.Necklace([[6, 9.5, 0]], 0.1, box=CUBE)
    centres, radii = chain.positions(side=True), np.full(6, 0.3)
    gaps = nearest_gaps(np.diag(CUBE), centres, radii, other.positions(), np.array([0.1]))
    assert as_pairs(er.within(chain, other, 2.4).indices) == as_pairs(np.argwhere(gaps <= 2.4))
    apart = nearest_gaps(np.diag(CUBE), centres, radii)
    link = np.array([0, 1, 2, 3, 1, 1])
    expected = np.triu((apart <= 3.5) & (np.abs(link[:, None] - link) > 1))
    assert as_pairs(er.self_within(chain, 3.5).indices) == as_pairs(np.argwhere(expected))


def test_exclusions_hold_across_faces() -> None:
    named = er.Necklace(THREE, 1.0, exclude=[(0, 1)], box=CUBE)
    assert not er.self_collide(named)
    assert er.self_distance(named).pair.tolist() == [1, 2]
    named.include([(0, 1)])
    assert er.self_collide(named).pairs.tolist() == [[0, 1]]
    assert np.array_equal(named.box, np.diag(CUBE))
    assert not er.self_collide(er.Necklace(THREE, 1.0, exclude=2, box=CUBE))


@pytest.mark.parametrize(
    "box", [CUBE, [10, 10, 10, 90, 90, 90], np.diag(CUBE), [[0, 10, 0], [0, 0, 10], [10, 0, 0]]]
)
def test_one_box_told_in_several_ways(box: object) -> None:
    balls = er.Necklace(THREE, 0.5, exclude=0, box=box)
    assert er.self_distance(balls).value == pytest.approx(0.5)
    contact = er.self_collide(er.Necklace(THREE, 1.0, exclude=0, box=box), depth=True).contacts
    assert contact is not None and contact.depths[0] == pytest.approx(0.5)
    assert contact.normals[0] == pytest.approx([-1, 0, 0])
    assert contact.points[0] == pytest.approx([-0.25, 5, 5])


def test_lengths_and_angles_are_those_of_mdanalysis() -> None:
    vectors = pytest.importorskip("MDAnalysis.lib.mdamath").triclinic_vectors
    for sides in ([30, 40, 50, 70, 80, 100], [80, 80, 80, 60, 60, 90], [9, 8, 7, 90, 90, 60]):
        mine = er.Necklace([[0, 0, 0]], 0.0, box=sides).box
        np.testing.assert_allclose(mine, vectors(np.array(sides, np.float32)), atol=1e-4)


def test_pairs_are_those_of_mdanalysis() -> None:
    find = pytest.importorskip("MDAnalysis.lib.distances").self_capped_distance
    rng = np.random.default_rng(5)
    sides = np.array([20, 24, 22, 65, 80, 110], np.float32)
    points = rng.uniform(-30, 50, (1500, 3)).astype(np.float32)
    balls = er.Necklace(points, 0.0, exclude=0, box=sides)
    found, distances = find(points, 4.0, box=sides)
    own = er.self_within(balls, 4.001)
    mine = dict(zip(map(tuple, own.indices.tolist()), own.distances, strict=True))
    for (i, j), distance in zip(np.sort(found, axis=1).tolist(), distances, strict=True):
        assert mine[i, j] == pytest.approx(distance, abs=1e-3)
    assert abs(len(er.self_within(balls, 4.0)) - len(found)) <= 5  # in float32 some are at the edge


def test_a_box_that_moves() -> None:
    balls = er.Necklace(THREE, 1.0, exclude=0, box=CUBE)
    balls.move(THREE, box=[12, 12, 12])
    assert not er.self_collide(balls) and np.array_equal(balls.box, np.diag([12.0] * 3))
    balls.move(THREE)
    assert np.array_equal(balls.box, np.diag([12.0] * 3))
    balls.move(THREE, box=CUBE)
    assert er.self_collide(balls)
    with pytest.raises(ValueError, match=r"^box has an edge"):
        balls.move(THREE, box=np.zeros((3, 3)))
    assert er.self_collide(balls)
    with pytest.raises(ValueError, match=r"^box is for a necklace that was made with one"):
        er.Necklace(THREE, 1.0).move(THREE, box=CUBE)


def test_copies_and_texts_carry_the_box() -> None:
    balls = er.Necklace(THREE, 1.0, exclude=0, box=CUBE)
    chain = er.Chain(THREE, 0.7, exclude=0, box=[10, 10, 10, 80, 90, 90])
    for body in (balls, chain):
        for other in (copy.copy(body), copy.deepcopy(body), pickle.loads(pickle.dumps(body))):
            assert np.array_equal(other.box, body.box)
            assert bool(er.self_collide(other)) == bool(er.self_collide(body))
    assert repr(balls) == "<Necklace: 3 beads in space, boxes, in a periodic box of 10 x 10 x 10>"
    assert "in a periodic box of 10 x 10 x 10, not rectangular" in repr(chain)
    assert er.Necklace(THREE, 1.0).box is None and er.Chain(THREE, 1.0).box is None


@pytest.mark.parametrize(
    ("box", "why"),
    [
        ([10, 10], "box must be three lengths"),
        ([10, 10, 0], "box must be positive"),
        ([10, 10, -1], "box must be positive"),
        ([10, np.nan, 10], "box must be finite"),
        ([10, 10, 10, 90, 90, 180], "box has angles that no three edges make"),
        ([10, 10, 10, 150, 150, 100], "box has angles that no three edges make"),
        ([10, 10, 10, 120, 60, 60], "box has angles that no three edges make"),
        (np.zeros((3, 3)), "box has an edge of length 0"),
        ([[1, 0, 0], [0, 1, 0], [1, 1, 0]], "box is flat"),
        ([[0, 10, 0], [10, 0, 0], [0, 0, 10]], "box is left-handed"),
        ("cube", "box must hold real numbers"),
    ],
)
def test_bad_boxes_are_named(box: object, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}"):
        er.Necklace(THREE, 1.0, box=box)
    with pytest.raises(ValueError, match=f"^{why}"):
        er.Chain(THREE, 1.0, box=box)


def test_what_is_too_large_for_the_box_is_refused() -> None:
    large = er.Necklace(THREE, 2.6, box=CUBE)
    for question in (er.self_collide, er.self_distance):
        with pytest.raises(ValueError, match=r"^box is too small: two radii, 5\.2 together"):
            question(large)
    edge = er.Necklace(THREE, 0.5, exclude=0, box=CUBE)
    assert len(er.self_within(edge, 4.0)) == 3
    with pytest.raises(ValueError, match=r"^reach may be at most 4 in this periodic box, got 4\.1"):
        er.self_within(edge, 4.1)
    with pytest.raises(ValueError, match=r"^reach may be at most 4 "):
        er.within(edge, edge, 4.1)


def test_two_bodies_must_be_in_the_same_box() -> None:
    balls, chain = er.Necklace(THREE, 0.5, exclude=0, box=CUBE), er.Chain(THREE, 0.5, box=CUBE)
    with pytest.raises(ValueError, match=r"^a has a periodic box, and b has none"):
        er.collide(balls, er.Necklace(THREE, 0.5))
    with pytest.raises(ValueError, match=r"^b has a periodic box, and a is neither"):
        er.distance(er.Sphere(1), chain)
    with pytest.raises(ValueError, match=r"^a and b must have the same periodic box"):
        er.within(balls, er.Necklace(THREE, 0.5, box=[10, 10, 11]), 1.0)
    with pytest.raises(ValueError, match=r"^pose_b is not for bodies in a periodic box"):
        er.collide(balls, chain, None, er.Pose(translation=[1, 0, 0]))


@pytest.mark.parametrize("kind", [er.Necklace, er.Chain])
def test_what_does_not_know_boxes_refuses_bodies_in_one(kind: type) -> None:
    body, motion = kind(THREE, 0.5, box=CUBE), er.Motion(er.Pose(), er.Pose(translation=[1, 0, 0]))
    refused = [
        lambda: er.self_collide(body, memory=er.Memory()),
        lambda: er.self_within(body, 1.0, memory=er.Memory()),
        lambda: er.distance(body, body, memory=er.Memory()),
        lambda: er.cast(body, [0, 0, 0], [1, 0, 0]),
        lambda: er.check(body, motion, er.Sphere(1)),
        lambda: er.check(er.Sphere(1), motion, body),
        lambda: er.MotionChecker(body, er.Sphere(1)),
    ]
    if kind is er.Chain:
        refused += [
            lambda: er.check(body, {1: 0.5}),
            lambda: er.sampling.sample(body, {"pivot": 1.0}, steps=1, seed=0),
            lambda: body.set_energy(er.energies.Clashes()),
        ]
    else:
        refused += [body.separating_pairs, body.power_diagram]
    for question in refused:
        with pytest.raises(ValueError, match="periodic box"):
            question()


def test_hierarchies_that_do_not_know_boxes() -> None:
    with pytest.raises(ValueError, match=r'^box is for cages="boxes"'):
        er.Necklace(THREE, 0.5, cages="power", box=CUBE)
    with pytest.raises(ValueError, match=r"^box is for positions in space"):
        er.Necklace([[0, 0], [1, 1]], 0.5, box=CUBE)
    with pytest.raises(ValueError, match=r"^box needs the fast tree"):
        er.Chain(THREE, 0.5, volume="rss", box=CUBE)


@pytest.mark.parametrize("tests", [0, 1, 40, 400])
def test_on_a_budget_free_is_never_wrong(tests: int) -> None:
    rng = np.random.default_rng(tests)
    balls = er.Necklace(rng.uniform(0, 30, (2000, 3)), 0.3, exclude=0, box=[30, 30, 30])
    budget = er.Budget(tests=tests)
    assert er.self_collide(balls)
    answer = er.self_collide(balls, budget=budget)
    assert answer or (answer.status == "out of budget" and answer.covered is not None and answer.covered < 1)
    assert er.self_distance(balls, budget=budget).lower == 0
    found = er.self_within(balls, 1.0, budget=budget)
    assert found.status == "out of budget" and len(found) < len(er.self_within(balls, 1.0))


def test_far_from_the_origin_touching_is_not_lost() -> None:
    """Rounding of images far away counts as contact, not as a gap."""
    rng = np.random.default_rng(8)
    for _ in range(200):
        at, way = rng.uniform(0, 10, 3), rng.normal(size=3)
        pair = np.array([at, at + way / np.linalg.norm(way)]) + rng.integers(-(10**6), 10**6, (2, 3)) * 10
        assert er.self_collide(er.Necklace(pair, 0.5 + 1e-10, exclude=0, box=CUBE))
