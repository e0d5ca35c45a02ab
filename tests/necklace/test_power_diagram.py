"""Power diagrams: against linear programmes, Qhull and a look at all pairs, after every repair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from necklace_makers import MAKERS
from necklace_motions import MOTIONS
from necklace_oracle import excluded_pairs
from power_oracle import check_pairs, check_small, gaps, hull_edges, lifted_hull
from scipy.spatial import ConvexHull

import elbowroom as er
from elbowroom import _core
from elbowroom.power import KeptDiagram, in_their_span

NOTHING = np.empty((0, 2), np.int32)


def along(n: int, reach: int = 1) -> np.ndarray:
    """Pairs at most `reach` apart in the sequence."""
    pairs = [(i, j) for i in range(n) for j in range(i + 1, min(n, i + reach + 1))]
    return np.array(pairs, np.int32).reshape(-1, 2)


def walk(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    steps = rng.normal(size=(n, d))
    return np.asarray((steps / np.linalg.norm(steps, axis=1)[:, None]).cumsum(axis=0))


def facets(x: np.ndarray, r: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of the lifted hull, with their neighbours, as Qhull finds them."""
    hull = lifted_hull(x, r)
    return hull.simplices.astype(np.int32), hull.neighbors.astype(np.int32)


def edges_of(diagram: Any) -> set[tuple[int, int]]:
    edges = diagram.edges() if callable(diagram.edges) else diagram.edges
    return set(map(tuple, edges.tolist()))


def radii_of(rng: np.random.Generator, kind: str, n: int) -> np.ndarray:
    if kind == "equal":
        return np.full(n, 0.5)
    return rng.uniform(0.1, 0.6, n) if kind == "unequal" else rng.uniform(0.0, 1.2, n) ** 2


RADII = ("equal", "unequal", "some hidden")


# The diagram itself.


def small_places(rng: np.random.Generator, kind: str, n: int, d: int) -> np.ndarray:
    if kind == "lattice":
        return rng.integers(0, 3, (n, d)).astype(float)
    if kind == "circle":
        turn = 2.0 * np.pi * np.arange(n) / n
        return np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=1)[:, :d]
    if kind == "line":
        return np.arange(n)[:, None] * np.array([0.3, 0.7, -0.1])[:d]
    if kind == "plane":
        return rng.random((n, 2)) @ rng.normal(size=(2, d))
    return rng.random((n, d)) * 2.0


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("kind", ["random", "lattice", "circle", "line", "plane"])
def test_edges_and_hidden_beads_are_those_of_the_definition(kind: str, d: int) -> None:
    rng = np.random.default_rng(d)
    for n, radii in ((1, "equal"), (3, "unequal"), (5, "equal"), (8, "unequal"), (9, "some hidden")):
        r = radii_of(rng, radii, n)
        kept, x = KeptDiagram(r, NOTHING), small_places(rng, kind, n, d)
        for step in (0.0, 0.02, 0.4):
            x = x + rng.normal(size=x.shape) * step
            check_small(kept.update(x))


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("kind", ["random", "lattice", "circle", "line", "plane"])
@pytest.mark.parametrize("radii", RADII)
def test_all_ways_to_build_give_the_same_diagram(kind: str, radii: str, d: int) -> None:
    rng = np.random.default_rng(d)
    x, r = small_places(rng, kind, 40, d), radii_of(rng, radii, 40)
    first, *others = (er.PowerDiagram.of(x, r, NOTHING, build=b) for b in ("insertion", "qhull", "auto"))
    for other in others:
        assert edges_of(other) == edges_of(first) and other.hidden.tolist() == first.hidden.tolist()
    with pytest.raises(ValueError, match="build must be one of 'auto', 'qhull', 'insertion'"):
        er.PowerDiagram.of(x, r, build="fast")


def test_a_kept_diagram_tries_both_ways_and_qhull_is_taken() -> None:
    rng = np.random.default_rng(1)
    kept, inserted = KeptDiagram(np.full(60, 0.2), NOTHING), []
    for _ in range(6):
        kept.update(rng.random((60, 3)) * 5.0)
        inserted.append(kept._kept.inserted)
    assert not inserted[0] and inserted[1], "Qhull first, then bead by bead, then the cheaper"


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("radii", RADII)
@pytest.mark.parametrize("by_qhull", [True, False])
def test_repairs_lead_where_qhull_begins(d: int, radii: str, by_qhull: bool) -> None:
    rng = np.random.default_rng(7)
    x, r = walk(rng, 150, d), radii_of(rng, radii, 150)
    kept = _core.PowerTriangulation(x, r, *(facets(x, r) if by_qhull else ()))
    assert kept.inserted != by_qhull
    assert edges_of(kept) == hull_edges(x, r)
    for step in (1e-6, 1e-3, 0.01, 0.03, 0.03, 0.03):
        x = x + rng.normal(size=x.shape) * step
        assert kept.move(x), "a small motion is repaired"
        assert kept.fault() == ""
        assert edges_of(kept) == hull_edges(x, r)
    assert kept.flips > 10
    assert kept.events > 0
    again = _core.PowerTriangulation(x, r, *kept.hull())
    assert not again.inserted and edges_of(again) == edges_of(kept)


@pytest.mark.parametrize("d", [2, 3])
def test_a_bead_that_goes_far_is_taken_along(d: int) -> None:
    rng = np.random.default_rng(8)
    x, r = walk(rng, 100, d), radii_of(rng, "unequal", 100)
    kept = _core.PowerTriangulation(x, r)
    for bead in (0, 50, 99, 7):
        x = x.copy()
        x[bead] = x[rng.integers(100)] + rng.normal(size=d)
        assert kept.move(x)
        assert kept.fault() == ""
        assert edges_of(kept) == hull_edges(x, r)


@pytest.mark.parametrize("d", [2, 3])
def test_a_bead_that_goes_to_the_centre_of_another_and_back(d: int) -> None:
    rng = np.random.default_rng(10)
    x, r = walk(rng, 50, d), np.full(50, 0.3)
    kept = _core.PowerTriangulation(x, r)
    for bead, other in ((30, 4), (4, 30), (49, 0)):
        y = x.copy()
        y[bead] = x[other]
        assert kept.move(y) and kept.fault() == ""
        assert kept.hidden().tolist() == [max(bead, other)]
        assert kept.move(x) and edges_of(kept) == hull_edges(x, r)


@pytest.mark.parametrize("d", [2, 3])
def test_beads_that_change_places_are_not_believed_to_go_round_once(d: int) -> None:
    """Facets that all face inwards may still go round twice."""
    rng = np.random.default_rng(19)
    x, r, repaired = rng.normal(size=(8, d)), np.full(8, 0.3), 0
    kept = _core.PowerTriangulation(x, r)
    for _ in range(2000):
        x = rng.permutation(x)
        if kept.move(x):
            assert kept.fault() == ""
            repaired += 1
        else:
            kept = _core.PowerTriangulation(x, r)
    assert repaired > 100


@pytest.mark.parametrize("d", [2, 3])
def test_beads_are_hidden_and_come_back(d: int) -> None:
    rng = np.random.default_rng(9)
    x, r = walk(rng, 60, d), np.full(60, 0.5)
    r[::6] = 0.02
    kept, seen = _core.PowerTriangulation(x, r), set()
    into = x.copy()
    into[::6] = x[1::6] + 0.1 * rng.normal(size=(10, d))  # well inside a larger bead
    for part in np.concatenate([np.linspace(0.0, 1.0, 30), np.linspace(1.0, 0.0, 30)]):
        y = (1.0 - part) * x + part * into
        assert kept.move(y)
        assert kept.fault() == ""
        assert edges_of(kept) == hull_edges(y, r)
        seen.add(len(kept.hidden()))
    assert len(kept.hidden()) == len(_core.PowerTriangulation(x, r).hidden()) and len(seen) > 3


def test_the_triangulation_is_the_same_however_it_came_about() -> None:
    """On a lattice nearly everything is a tie, and every tie is broken alike."""
    x = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3)
    r, away = np.full(64, 0.5), x + np.random.default_rng(3).normal(size=x.shape) * 0.01
    moved = _core.PowerTriangulation(away, r)
    assert moved.move(x)
    fresh, begun = _core.PowerTriangulation(x, r), _core.PowerTriangulation(x, r, *facets(away, r))
    assert edges_of(moved) == edges_of(fresh) == edges_of(begun)
    simplices = [set(map(frozenset, t.simplices().tolist())) for t in (moved, fresh, begun)]
    assert simplices[0] == simplices[1] == simplices[2]


def test_what_is_too_far_asks_to_be_made_anew() -> None:
    rng = np.random.default_rng(4)
    x, r = walk(rng, 100, 3), np.full(100, 0.5)
    for far in (rng.permutation(x), np.ones_like(x), np.outer(np.arange(100.0), [1.0, 2.0, 3.0])):
        assert not _core.PowerTriangulation(x, r).move(far)


def test_a_hull_that_is_none_is_not_believed() -> None:
    rng = np.random.default_rng(5)
    x, r = walk(rng, 40, 3), np.full(40, 0.5)
    vertices, neighbours = facets(x, r)
    for wrong in (
        (vertices[:, ::-1].copy(), neighbours),
        (vertices, np.roll(neighbours, 1, axis=0)),
        (rng.permutation(40).astype(np.int32)[vertices], neighbours),
        (vertices[:-1], neighbours[:-1]),
        (vertices + 1, neighbours),
        (vertices, neighbours + 1),
    ):
        kept = _core.PowerTriangulation(x, r, *wrong)
        assert kept.inserted
        assert kept.fault() == ""
        assert edges_of(kept) == hull_edges(x, r)


def test_simplices_fill_the_hull_of_the_centres() -> None:
    rng = np.random.default_rng(6)
    for d in (2, 3):
        x = rng.random((60, d))
        simplices = er.PowerDiagram.of(x, 0.01).simplices
        assert simplices.shape[1] == d + 1
        volumes = np.abs(np.linalg.det(x[simplices[:, 1:]] - x[simplices[:, :1]])) / (2.0 if d == 2 else 6.0)
        assert volumes.sum() == pytest.approx(ConvexHull(x).volume, rel=1e-12)


# Beads that span less than the space they are in.


@pytest.mark.parametrize("d", [2, 3])
def test_a_straight_necklace_has_its_neighbours_as_edges(d: int) -> None:
    direction = np.array([0.3, 0.7, -0.1])[:d]
    diagram = er.PowerDiagram.of(np.arange(50)[:, None] * direction, 0.3)
    assert diagram.edges.tolist() == [[i, i + 1] for i in range(49)]
    assert diagram.simplices.shape == (49, 2) and len(diagram.hidden) == 0
    assert not diagram.collides()


@pytest.mark.parametrize("d", [2, 3])
def test_a_line_that_bends_and_is_straightened(d: int) -> None:
    n, kept = 30, KeptDiagram(np.full(30, 0.4), along(30))
    s = np.arange(n) - (n - 1) / 2.0
    for bend in (0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.01, 0.1, 0.05, 1e-5, 1e-13, 0.0):
        x = np.zeros((n, d))
        x[:, 0], x[:, 1] = np.sin(bend * s) / max(bend, 1e-300) if bend else s, bend * s**2 / 2.0
        x[:, -1] += 0.0 if d == 2 else bend * np.sin(s)
        diagram = kept.update(x)
        kept.validate()
        assert check_pairs(diagram) is False
        assert {(i, i + 1) for i in range(n - 1)} <= edges_of(diagram)


def test_one_centre_has_one_cell() -> None:
    x = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 0.0], [1.0, 2.0], [-0.0, 0.0], [2.0, 0.0]])
    diagram = er.PowerDiagram.of(x, [0.1, 0.2, 0.3, 0.1, 0.3, 0.2])
    assert diagram.hidden.tolist() == [0, 4, 5]
    assert diagram.edges.tolist() == [[1, 2], [1, 3], [2, 3]]
    together = er.PowerDiagram.of(np.ones((4, 3)), [1.0, 2.0, 2.0, 0.5])
    assert together.hidden.tolist() == [0, 2, 3]
    assert together.edges.shape == (0, 2) and together.simplices.tolist() == [[1]]


@pytest.mark.parametrize("d", [2, 3])
def test_beads_that_come_together_and_part(d: int) -> None:
    rng = np.random.default_rng(11)
    x = walk(rng, 40, d)
    kept = KeptDiagram(np.full(40, 0.3), along(40))
    for parted in (1.0, 0.5, 0.0, 0.0, 0.5, 1.0):
        y = x.copy()
        y[1::2] = y[0::2] + parted * (x[1::2] - x[0::2])
        diagram = kept.update(y)
        kept.validate()
        assert diagram.hidden.tolist() == ([] if parted else list(range(1, 40, 2)))
        check_pairs(diagram)


def test_in_their_span_keeps_distances() -> None:
    rng = np.random.default_rng(12)
    for k in (1, 2):
        x = rng.normal(size=(20, k)) @ np.linalg.qr(rng.normal(size=(3, 3)))[0][:k] + [5.0, -3.0, 2.0]
        flat = in_their_span(x)
        assert flat.shape == (20, k)
        apart = [np.linalg.norm(p[:, None] - p[None], axis=2) for p in (x, flat)]
        assert np.allclose(*apart, rtol=0.0, atol=1e-14)
    full = rng.normal(size=(5, 3))
    assert in_their_span(full) is full


# What it is for.


def some_pairs(rng: np.random.Generator, n: int, kind: str) -> np.ndarray:
    if kind == "bonds":
        pairs = np.sort(rng.integers(0, n, (n, 2)), axis=1)
        return np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0).astype(np.int32)
    return along(n, {"none": 0, "neighbours": 1, "three": 3}[kind])


@pytest.mark.parametrize("kind", ["none", "neighbours", "three", "bonds"])
def test_collisions_and_closest_pairs_are_found(kind: str) -> None:
    rng = np.random.default_rng(13)
    seen = {True: 0, False: 0, None: 0}
    for case in range(300):
        n, d = int(rng.integers(2, 30)), 2 + case % 2
        x = walk(rng, n, d) * rng.choice([0.3, 1.0]) if case % 3 else rng.random((n, d)) * n ** (1.0 / d)
        r = radii_of(rng, RADII[case % 3], n) * rng.choice([0.2, 0.6, 1.0])
        seen[check_pairs(er.PowerDiagram.of(x, r, some_pairs(rng, n, kind)))] += 1
    assert seen[True] > 50 and seen[False] > 30


@pytest.mark.parametrize("name", MAKERS)
def test_hard_beads_and_motions(name: str) -> None:
    rng = np.random.default_rng(14)
    for n in (4, 17, 60):
        recipe = MAKERS[name](rng, n)
        kept = KeptDiagram(recipe.radii, excluded_pairs(recipe).astype(np.int32))
        x = np.ascontiguousarray(recipe.positions, dtype=float)
        for motion in rng.choice(list(MOTIONS), 6):
            diagram = kept.update(x)
            kept.validate()
            check_pairs(diagram)
            x = MOTIONS[motion](rng, x, recipe.size)


def free_necklace(rng: np.random.Generator, n: int, d: int, bond: float) -> tuple[np.ndarray, np.ndarray]:
    """Neighbours `bond` apart, all others free of each other; radii by trial."""
    x = walk(rng, n, d) * bond
    apart = gaps(x, np.zeros(n), along(n))
    return x, np.full(n, min(0.5 * float(apart.min()) * 0.99, 0.6))


@pytest.mark.parametrize("bond", [0.8, 1.0, 1.5])
@pytest.mark.parametrize("d", [2, 3])
def test_the_closest_pair_of_free_necklaces(d: int, bond: float) -> None:
    """Theorem 5.2, also where neighbours do not touch, so that all are improper."""
    rng = np.random.default_rng(15)
    for _ in range(60):
        x, r = free_necklace(rng, int(rng.integers(3, 25)), d, bond)
        r = r * rng.uniform(0.7, 1.0, len(r))
        assert check_pairs(er.PowerDiagram.of(x, r)) is False


def test_neighbours_between_the_closest_are_seen_through() -> None:
    """Beads 1 and 3 may overlap bead 0, do not and are in the way: 0 and 2 share no face, but are closest."""
    side = 1.01 * np.array([np.cos(0.6), np.sin(0.6)])
    x, r = np.array([[0.0, 0.0], side, [3.0, 0.0], side * [1, -1]]), np.array([1.0, 0.001, 1.0, 0.001])
    diagram = er.PowerDiagram.of(x, r, [[0, 1], [0, 3]])
    assert (0, 2) not in edges_of(diagram)
    assert diagram.closest() == (1.0, (0, 2))
    assert check_pairs(diagram) is False


def test_candidates_are_few_in_a_dense_necklace() -> None:
    x = er.scenes.serpentine(1000, 2.1)
    diagram = er.PowerDiagram.of(x, 1.0)
    assert 0 < len(diagram.candidates()) < 10 * len(x)
    assert diagram.closest()[0] == pytest.approx(0.1, abs=1e-9) and not diagram.collides()


def test_touching_counts() -> None:
    x = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    diagram = er.PowerDiagram.of(x, 0.5)
    assert diagram.collides() and diagram.colliding() == (0, 3) and diagram.closest()[0] == 0.0
    assert er.PowerDiagram.of(x, 0.49).colliding() is None


def test_every_pair_may_touch() -> None:
    diagram = er.PowerDiagram.of(np.eye(3), 1.0, along(3, 2))
    assert diagram.closest() == (np.inf, (-1, -1)) and not diagram.collides()
    assert diagram.candidates().shape == (0, 2)


# Kept from frame to frame.


def test_small_motions_are_repaired_and_counted() -> None:
    rng = np.random.default_rng(16)
    x = walk(rng, 300, 3)
    kept = KeptDiagram(np.full(300, 0.4), along(300))
    before = edges_of(kept.update(x))
    changes = 0
    for _ in range(8):
        x = x + rng.normal(size=x.shape) * 1e-3
        diagram = kept.update(x)
        changes += len(before ^ edges_of(diagram))
        before = edges_of(diagram)
    assert diagram.events == changes > 0
    assert diagram.rebuilds < 8 and diagram.flips > 0
    assert before == hull_edges(x, kept.radii)


def test_large_motions_are_made_anew_and_right() -> None:
    rng = np.random.default_rng(17)
    x = rng.random((200, 2))
    kept = KeptDiagram(np.full(200, 0.01), along(200))
    for _ in range(12):
        diagram = kept.update(x)
        assert edges_of(diagram) == hull_edges(x, kept.radii)
        x = rng.random((200, 2))
    assert diagram.rebuilds == 12 and kept.seconds > 0.0


def test_it_says_what_it_is() -> None:
    flat = er.PowerDiagram.of([[0, 0], [1, 0], [0, 1], [0.1, 0.1]], [0.5, 0.2, 0.2, 0.01])
    assert repr(flat) == "<PowerDiagram of 4 beads in 2-D, 1 hidden: 3 edges, 1 simplex>" and flat.faces == 3
    solid = er.PowerDiagram.of(np.vstack([np.eye(3), np.zeros(3)]), 0.1)
    assert solid.faces == len(solid.edges) == 6


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((np.zeros((3, 4)), 1.0), "positions"),
        ((np.full((3, 2), np.nan), 1.0), "positions"),
        ((np.zeros((3, 2)), -1.0), "radii"),
        ((np.zeros((3, 2)), [1.0, 2.0]), "radii"),
        ((np.zeros((3, 2)), 1.0, [[0, 3]]), "exclude"),
    ],
)
def test_wrong_input_is_named(arguments: tuple[Any, ...], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        er.PowerDiagram.of(*arguments)
