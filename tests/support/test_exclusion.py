"""`exclude` and `include` of chains, necklaces and articulated bodies, beside a plain set of pairs."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import elbowroom as er

N = 24
Pairs = set[tuple[int, int]]
EVERY = {(i, j) for i in range(N) for j in range(i + 1, N)}


def places(rng: np.random.Generator) -> np.ndarray:
    """Crowded, so that most pairs overlap."""
    return rng.uniform(0.0, 1.6, (N, 3))


def chain(rng: np.random.Generator, rule: Any, **settings: Any) -> er.Chain:
    return er.Chain(places(rng), 0.5, exclude=rule, **settings)


def necklace(rng: np.random.Generator, rule: Any, **settings: Any) -> er.Necklace:
    return er.Necklace(places(rng), 0.5, exclude=rule, **settings)


def articulated(rng: np.random.Generator, rule: Any) -> er.Articulated:
    links = [
        er.Link(f"l{k}", [(er.Sphere(0.5), er.Pose(translation=at))]) for k, at in enumerate(places(rng))
    ]
    return er.Articulated(links, exclude=sorted(excluded_by(rule)))


KINDS: dict[str, Any] = {
    "chain": chain,
    "binary chain": lambda rng, rule: chain(rng, rule, volume="rss"),
    "necklace": necklace,
    "wrapped": lambda rng, rule: necklace(rng, rule, cages="wrapped"),
    "power": lambda rng, rule: necklace(rng, rule, cages="power"),
    "articulated": articulated,
}


def excluded_by(rule: Any) -> Pairs:
    gap, named = rule if isinstance(rule, tuple) else (rule, []) if isinstance(rule, int) else (0, rule)
    return {(i, j) for i, j in EVERY if j - i <= gap} | {(min(p), max(p)) for p in np.array(named).tolist()}


def some_pairs(rng: np.random.Generator, count: int) -> list[list[int]]:
    """In any order, and some of neighbours."""
    pairs = rng.integers(0, N, (count, 2))
    pairs[::3, 1] = pairs[::3, 0] + 1
    pairs %= N
    return pairs[pairs[:, 0] != pairs[:, 1]].tolist()


def as_set(pairs: np.ndarray) -> Pairs:
    return {(int(i), int(j)) for i, j in pairs}


def check(body: Any, at: np.ndarray, excluded: Pairs) -> None:
    assert [*map(tuple, body.excluded.tolist())] == sorted(excluded)
    overlapping = {(i, j) for i, j in EVERY if np.linalg.norm(at[i] - at[j]) < 1.0}
    expected = overlapping - excluded
    found = er.self_collide(body, every=True)
    assert as_set(found.pairs) == expected and bool(er.self_collide(body)) is bool(expected)
    assert as_set(er.self_within(body, 0.0).indices) >= expected
    assert (er.self_distance(body).value == 0.0) is bool(expected)
    if isinstance(body, er.Chain):
        assert body.collides() is bool(expected)
    body.validate()


@pytest.mark.parametrize("rule", [0, 1, 3, N, "pairs", "both"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_excluded_and_included_is_as_of_a_set(kind: str, rule: Any) -> None:
    rng = np.random.default_rng([ord(letter) for letter in f"{kind} {rule}"])
    rule = {"pairs": some_pairs(rng, 40), "both": (2, some_pairs(rng, 40))}.get(rule, rule)
    start = np.random.default_rng(7)
    body, at, excluded = KINDS[kind](start, rule), places(np.random.default_rng(7)), excluded_by(rule)
    check(body, at, excluded)
    for step in range(8):
        pairs = some_pairs(rng, int(rng.integers(1, 60)))
        if step % 2:
            body.exclude(pairs)
            excluded |= excluded_by(pairs)
        else:
            body.include(pairs)
            excluded -= excluded_by(pairs)
        check(body, at, excluded)
        for twin in (copy.copy(body), pickle.loads(pickle.dumps(body))):
            assert np.array_equal(twin.excluded, body.excluded)
    body.include(sorted(EVERY))
    check(body, at, set())
    body.exclude(np.array(sorted(EVERY)))
    check(body, at, EVERY)


@pytest.mark.parametrize("make", [chain, necklace])
@pytest.mark.parametrize("pairs", [[[0, N]], [[1, 1]], [[0.5, 1]], [0, 1], None, "all"])
def test_what_are_no_pairs_is_refused_and_nothing_changes(make: Any, pairs: Any) -> None:
    body = make(np.random.default_rng(1), 1)
    for change in (body.exclude, body.include):
        if pairs is None:
            change(pairs)  # no pairs
            continue
        with pytest.raises(ValueError, match="pairs"):
            change(pairs)
    assert as_set(body.excluded) == excluded_by(1)


def test_a_changed_chain_keeps_its_shape_names_and_energy() -> None:
    rng = np.random.default_rng(3)
    body = er.Chain(er.scenes.serpentine(200), radii=1.0)
    body.labels, body.breaks = [f"a{k}" for k in range(200)], (3,)
    body.set_energy(er.energies.LennardJones(1.0, 1.0, 5.5))
    for _ in range(5):
        body.rotate(int(rng.integers(5, 195)), 0.01)
    energy, before, pose = body.energy(), body.positions(), body.pose(3, 150).matrix
    pairs = er.self_within(body, 2.5).indices
    body.exclude(pairs)
    assert np.array_equal(body.positions(), before) and np.allclose(
        body.pose(3, 150).matrix, pose, atol=1e-12
    )
    assert body.labels is not None and body.labels[7] == "a7" and body.breaks == (3,)
    assert len(pairs) > 50 and len(er.self_within(body, 2.5)) == 0 and body.energy() != energy
    body.include(pairs)
    assert body.energy() == pytest.approx(energy, rel=1e-9)
    with pytest.raises(RuntimeError, match="undo"):
        body.undo()
    body.rotate(100, 0.02)
    body.undo()
    assert np.allclose(body.positions(), before, atol=1e-9)


def test_a_memory_forgets_a_body_with_other_pairs() -> None:
    memory, at = er.Memory(), np.arange(30.0)[:, None] * [1.0, 0, 0]
    for body in (er.Necklace(at, 0.6, exclude=1), er.Chain(at, 0.6)):
        ask = {"memory": memory, "budget": er.Budget(tests=10_000)}
        assert not er.self_collide(body, **ask)
        body.include([(4, 5)])
        found = er.self_collide(body, **ask)
        assert found.pairs.tolist() == [[4, 5]]


def test_a_closed_necklace_excludes_around_its_end() -> None:
    ring = er.Necklace(np.zeros((8, 3)), 1.0, closed=True)
    assert (0, 7) in as_set(ring.excluded)
    ring.include([(7, 0)])
    for each in (ring, copy.copy(ring), pickle.loads(pickle.dumps(ring))):
        assert each.closed and (0, 7) not in as_set(each.excluded) and len(each.excluded) == 7


def test_moving_after_a_change() -> None:
    """What is kept from frame to frame is that of the new rule."""
    frames = er.scenes.spiral(100, frames=20)
    for cages in ("boxes", "wrapped", "layered", "power", "hybrid"):
        rope = er.Necklace(frames[0], 0.4, cages=cages)
        for number, positions in enumerate(frames):
            rope.move(positions)
            if number == 10:
                rope.exclude(er.self_within(rope, 0.3).indices)
            other = er.Necklace(positions, 0.4, exclude=rope.excluded)
            assert er.self_distance(rope).value == pytest.approx(er.self_distance(other).value, abs=1e-12)
            assert bool(er.self_collide(rope)) is bool(er.self_collide(other))
    loose = er.Necklace(frames[0], 0.4, cages="wrapped", exclude=2)
    family = loose.separating_pairs()
    loose.include([(3, 5)])
    with pytest.raises(ValueError, match="leaves out pairs"):
        loose.separating_pairs(start=family)
