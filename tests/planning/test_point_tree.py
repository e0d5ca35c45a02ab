"""The tree of points that grows: against a look at all of them, for every metric, and its shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from elbowroom._core import PointTree


def unit_quaternions(rng: np.random.Generator, n: int) -> np.ndarray:
    q = rng.normal(size=(n, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def euclidean(points: np.ndarray, query: np.ndarray) -> np.ndarray:
    """In the order of the core, so that equal distances are equal to the last bit."""
    total = np.zeros(len(points))
    for k in range(points.shape[1]):
        total += (query[k] - points[:, k]) ** 2
    return np.sqrt(total)


def turn_angles(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """By the arc tangent, not by the chord as in the core."""
    dot = np.abs((p * q).sum(axis=-1))
    wedge = np.linalg.norm(p * dot[:, None] * np.sign((p * q).sum(axis=-1))[:, None] - q, axis=-1)
    return 2.0 * np.arctan2(wedge, dot)


def filled(tree: PointTree, points: np.ndarray) -> PointTree:
    for number, point in enumerate(points.tolist()):
        assert tree.insert(point) == number
    return tree


@pytest.mark.parametrize("dimension", [1, 2, 3, 4, 7, 14, 20])
def test_nearest_is_what_a_look_at_all_points_finds(dimension: int) -> None:
    rng = np.random.default_rng(dimension)
    points, queries = rng.normal(size=(700, dimension)), rng.normal(size=(100, dimension))
    tree = PointTree(dimension)
    for n, point in enumerate(points, 1):
        tree.insert(point.tolist())
        if n % 37 == 0 or n < 20:
            query = queries[n % 100]
            truth = euclidean(points[:n], query)
            assert tree.nearest(query.tolist()) == int(np.argmin(truth))
            assert tree.nearest_and_distance(query) == (int(np.argmin(truth)), float(truth.min()))
            assert tree.fault() == ""
    assert len(tree) == 700 and np.array_equal(tree.points(), points)


def test_of_equally_near_points_the_first_is_taken() -> None:
    rng = np.random.default_rng(1)
    points, queries = rng.integers(0, 4, (3000, 3)).astype(float), rng.integers(-2, 12, (300, 3)) / 2.0
    tree = filled(PointTree(3), points)
    for query in queries:
        assert tree.nearest(query.tolist()) == int(np.argmin(euclidean(points, query)))


@pytest.mark.parametrize("order", ["sorted", "backwards", "the same", "spiral", "two heaps", "huge and tiny"])
def test_the_tree_stays_shallow_in_whatever_order_points_come(order: str) -> None:
    n = 4000
    along, rng = np.arange(n, dtype=float), np.random.default_rng(2)
    points = {
        "sorted": np.stack([along, 0 * along, 0 * along], axis=1),
        "backwards": np.stack([-along, 1e-3 * along, 0 * along], axis=1),
        "the same": np.ones((n, 3)),
        "spiral": np.stack([along * np.cos(along), along * np.sin(along), along], axis=1),
        "two heaps": rng.normal(size=(n, 3)) * 1e-9 + (along[:, None] > n // 2),
        "huge and tiny": rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-200, 140, (n, 1)),
    }[order]
    tree = filled(PointTree(3), points)
    assert tree.fault() == ""
    assert tree.depth <= 16  # log2(4000 / 8) is 9, and no child may have more than 7/10
    for query in points[:: n // 20]:
        assert tree.nearest(query.tolist()) == int(np.argmin(euclidean(points, query)))


def test_memory_grows_with_the_points() -> None:
    tree = filled(PointTree(3), np.random.default_rng(3).normal(size=(10_000, 3)))
    assert 10_000 * 2 * 24 < tree.nbytes < 10_000 * 400


@pytest.mark.parametrize("turns", [1, 2])
def test_quaternions_are_the_same_as_their_opposites(turns: int) -> None:
    rng = np.random.default_rng(4)

    def states(n: int) -> np.ndarray:
        return np.hstack([rng.normal(size=(n, 2)), *(unit_quaternions(rng, n) for _ in range(turns))])

    points, tree = states(800), PointTree(2, turns)
    filled(tree, points)
    assert tree.fault() == "" and tree.dimension == 2 + 4 * turns
    for query in states(100):
        squares = ((points - query)[:, :2] ** 2).sum(axis=1)
        for k in range(turns):
            q, p = query[2 + 4 * k : 6 + 4 * k], points[:, 2 + 4 * k : 6 + 4 * k]
            squares += np.minimum(((p - q) ** 2).sum(axis=1), ((p + q) ** 2).sum(axis=1))
        opposite = np.concatenate([query[:2], -query[2:]])
        assert tree.nearest(query.tolist()) == tree.nearest(opposite.tolist()) == int(np.argmin(squares))


@pytest.mark.parametrize("weight", [0.0, 0.1, 1.0, 10.0, 1000.0])
def test_poses_by_distance_and_angle(weight: float) -> None:
    rng = np.random.default_rng(5)
    places, turns = rng.uniform(0, 10, (900, 3)), unit_quaternions(rng, 900)
    tree = filled(PointTree.of_poses(weight), np.hstack([places, 2 * weight * turns]))
    for place, turn in zip(rng.uniform(0, 10, (100, 3)), unit_quaternions(rng, 100), strict=True):
        truth = euclidean(places, place) + weight * turn_angles(turns, np.tile(turn, (900, 1)))
        query = np.concatenate([place, 2 * weight * turn])
        number, distance = tree.nearest_and_distance(query)
        opposite = np.concatenate([place, -2 * weight * turn])
        assert number == int(np.argmin(truth)) == tree.nearest(query) == tree.nearest(opposite)
        assert distance == pytest.approx(truth[number], rel=1e-12, abs=1e-12)


def hourglasses(places: np.ndarray, turns: np.ndarray, place: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Volumes for a radius of 1: the axis is that of the matrix of the rotation, by its skew part."""
    from scipy.spatial.transform import Rotation

    to, start = Rotation.from_quat(turns[:, [1, 2, 3, 0]]), Rotation.from_quat(turn[[1, 2, 3, 0]])
    vectors = (to * start.inv()).as_rotvec()
    angles = np.linalg.norm(vectors, axis=1)
    return 2 * np.pi / 3 * angles * np.abs(((places - place) * vectors).sum(axis=1))


@pytest.mark.parametrize("area", [0.0, 0.5, 50.0])
def test_poses_by_the_volume_of_the_hourglass(area: float) -> None:
    rng = np.random.default_rng(6)
    places, turns = rng.uniform(0, 10, (900, 3)), unit_quaternions(rng, 900)
    tree = filled(PointTree.of_hourglasses(2.0, area), np.hstack([places, turns]))
    for place, turn in zip(rng.uniform(0, 10, (100, 3)), unit_quaternions(rng, 100), strict=True):
        truth = 4.0 * hourglasses(places, turns, place, turn) + area * euclidean(places, place)
        number, distance = tree.nearest_and_distance(np.concatenate([place, turn]))
        assert distance == pytest.approx(truth.min(), rel=1e-9, abs=1e-9)
        assert truth[number] == pytest.approx(truth.min(), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", ["plain", "poses", "hourglasses"])
def test_all_within_a_reach(name: str) -> None:
    trees = {"poses": PointTree.of_poses(0.5), "hourglasses": PointTree.of_hourglasses(1.0, 1.0)}
    rng = np.random.default_rng(7)
    points = np.hstack([rng.uniform(0, 3, (600, 3)), unit_quaternions(rng, 600)])
    tree = filled(trees.get(name, PointTree(7)), points)
    for query in np.hstack([rng.uniform(0, 3, (20, 3)), unit_quaternions(rng, 20)]):
        everyone, distances = tree.within(query, 1e9)
        assert everyone.tolist() == list(range(600))
        for reach in (0.0, 0.5, 1.5, float(np.sort(distances)[99])):
            numbers, near = tree.within(query.tolist(), reach)
            assert numbers.tolist() == np.flatnonzero(distances <= reach).tolist()
            assert np.array_equal(near, distances[numbers])
        assert tree.nearest(query.tolist()) == int(np.argmin(distances))


def test_points_are_taken_as_lists_arrays_and_anything_like_them() -> None:
    tree = filled(PointTree(3), np.eye(3) * 4.0)
    for query in ([1.0, 3.0, 0.0], (1, 3, 0), np.array([1, 3, 0]), np.array([1, 3, 0], np.float32),
                  np.array([[1.0, 0], [3, 0], [0, 0]])[:, 0]):  # fmt: skip
        assert tree.nearest(query) == 1


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ([0.0, 0.0], r"point must have shape \(3,\)"),
        ([0.0, 0.0, np.nan], "point must be finite"),
        ([np.inf, 0.0, 0.0], "point must be finite"),
        (np.zeros((1, 3)), r"point must have shape \(3,\)"),
        ("abc", "point must hold real numbers"),
        (None, "point must hold real numbers"),
    ],
)
def test_bad_points_are_refused(point: Any, said: str) -> None:
    tree = filled(PointTree(3), np.zeros((1, 3)))
    for ask in (tree.insert, tree.nearest, tree.nearest_and_distance, lambda p: tree.within(p, 1.0)):
        with pytest.raises(ValueError, match=said):
            ask(point)
    assert len(tree) == 1 and tree.fault() == ""


def test_an_empty_tree_has_no_nearest() -> None:
    tree = PointTree(3)
    with pytest.raises(ValueError, match="empty"):
        tree.nearest([0.0, 0.0, 0.0])
    assert len(tree) == 0 and tree.within([0.0, 0.0, 0.0], 1.0)[0].size == 0 and tree.points().shape == (0, 3)


def test_a_tree_needs_coordinates() -> None:
    for plain, turns in ((0, 0), (-1, 0), (3, -1)):
        with pytest.raises(ValueError, match="plain"):
            PointTree(plain, turns)
