"""Which pairs of links of an articulated body are compared, and which of them ever meet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from articulated_makers import MAKERS, Recipe, hand
from articulated_oracle import SlowBody
from chain_makers import rng_of
from query_checks import rows_of

import elbowroom as er

CUBE, BALL = er.Box(1), er.Sphere(0.25)


def links(*names: str, bare: str = "") -> list[er.Link]:
    """Cubes, but for the names in `bare`."""
    return [er.Link(name, None if name in bare.split() else CUBE) for name in names]


def joints(*told: str, kind: Any = "revolute") -> list[er.Joint]:
    """Joints told as "parent child", the world as "-"; those with a third word are of that kind."""
    out = []
    for name in told:
        parent, child, *other = name.split()
        out.append(er.Joint(name, other[0] if other else kind, None if parent == "-" else parent, child))  # type: ignore[arg-type]
    return out


# Links, joints as "parent child [kind]" and the pairs of links with shapes that are never compared.
# fmt: off
ADJACENT: dict[str, tuple[list[er.Link], list[er.Joint], set[str]]] = {
    "chain": (links(*"abcd"), joints("a b", "b c", "c d"), {"ab", "bc", "cd"}),
    "fork": (links(*"abcd"), joints("a b", "a c", "c d"), {"ab", "ac", "cd"}),
    "fixed": (links(*"abcd"), joints("a b", "b c fixed", "c d"), {"ab", "bc", "cd"}),
    "fixed fork": (links(*"abcd"), joints("a b fixed", "a c fixed", "b d"),
                   {"ab", "ac", "bc", "bd"}),
    "bare": (links(*"abcd", bare="b"), joints("a b", "b c", "c d"), {"ac", "cd"}),
    "bare fork": (links(*"abcd", bare="b"), joints("a b", "b c", "b d"), {"ac", "ad"}),
    "two bare": (links(*"abcde", bare="b c"), joints("a b", "b c", "c d", "d e"), {"ad", "de"}),
    "bare fixed": (links(*"abcd", bare="b"), joints("a b fixed", "b c", "c d"), {"ac", "cd"}),
    "bare top": (links(*"abc", bare="a"), joints("a b", "a c"), set()),
    "shape beside": (links(*"abcd", bare="b"), joints("a b", "b c fixed", "b d"), {"ac", "ad"}),
    "slides": (links(*"abc"), joints("a b prismatic", "b c free"), {"ab", "bc"}),
    "roots": (links(*"abc"), joints("- c fixed"), set()),
    "ground": (links(*"abcd"), joints("- a fixed", "- b fixed", "- c", "b d fixed"), {"ab", "ad", "bd"}),
}
# fmt: on


@pytest.mark.parametrize("case", ADJACENT)
def test_neighbours_are_not_compared(case: str) -> None:
    made, between, expected = ADJACENT[case]
    body = er.Articulated(made, between)
    shaped = {i for i, link in enumerate(made) if link.shapes}
    found = {
        "".join(sorted(body.link_names[i] for i in p)) for p in body.excluded.tolist() if shaped.issuperset(p)
    }
    assert found == expected


@pytest.mark.parametrize("maker", MAKERS)
def test_the_pairs_that_count_are_those_of_the_rule(maker: str) -> None:
    for n in (1, 3, 25):
        recipe = MAKERS[maker](rng_of("rule", maker, n), n)
        slow, body = SlowBody(recipe), recipe.body(refit="none")
        check_counted(body, slow.counted)
        assert sorted(body.candidates().tolist()) == expected_candidates(slow)


def check_counted(body: Any, counted: np.ndarray) -> None:
    """The listed pairs are those that do not count, as far as links with shapes go; sorted, each once."""
    pairs = rows_of(body.excluded)
    assert body.excluded.shape == (len(pairs), 2) and pairs == sorted(set(pairs))
    assert all(i < j for i, j in pairs)
    shaped = sorted({link for link, _, _ in body.shapes})
    rest = {(i, j) for i in shaped for j in shaped if i < j} - set(pairs)
    assert rest == set(rows_of(np.argwhere(counted)))


def expected_candidates(slow: SlowBody) -> list[list[int]]:
    owner = [link for link, _, _ in slow.shapes]
    count = range(len(owner))
    counts = slow.counted | slow.counted.T
    return [[i, j] for i in count for j in count if i < j and counts[owner[i], owner[j]]]


def test_exclusions_are_given_by_name_or_by_number() -> None:
    made, between = links(*"abcd"), joints("a b", "b c", "c d")
    assert er.Articulated(made, between, exclude=None).excluded.shape == (0, 2)
    assert er.Articulated(made, between, exclude=[]).excluded.shape == (0, 2)
    for told in (
        [("a", "d"), ("c", "b")],
        [(0, 3), (2, 1)],
        np.array([[3, 0], [1, 2]]),
        [("d", 0), (1, "c")],
    ):
        assert rows_of(er.Articulated(made, between, exclude=told).excluded) == [(0, 3), (1, 2)]
    assert rows_of(er.Articulated(made, between, exclude=[(0, 1), (1, 0), ("a", "b")]).excluded) == [(0, 1)]


def test_pairs_are_excluded_and_allowed_later() -> None:
    body = er.Articulated(links(*"abcd"), joints("a b", "b c", "c d"))
    assert rows_of(body.excluded) == [(0, 1), (1, 2), (2, 3)]
    everyone = {(i, j) for i in range(4) for j in range(i + 1, 4)}
    assert set(rows_of(er.self_collide(body, every=True).pairs)) == everyone - {(0, 1), (1, 2), (2, 3)}
    body.exclude([("d", "a")])
    assert set(rows_of(er.self_collide(body, every=True).pairs)) == {(0, 2), (1, 3)}
    body.include([("a", "b"), (3, 2)])
    assert rows_of(body.excluded) == [(0, 3), (1, 2)]
    assert set(rows_of(er.self_collide(body, every=True).pairs)) == {(0, 1), (0, 2), (1, 3), (2, 3)}
    body.include([(0, 3), (0, 3), (0, 2)])
    body.exclude([])
    body.include([])
    assert rows_of(body.excluded) == [(1, 2)]
    assert set(rows_of(er.self_collide(body, every=True).pairs)) == everyone - {(1, 2)}
    body.validate()


def test_shapes_of_one_link_are_never_compared() -> None:
    body = er.Articulated([er.Link("a", [CUBE, CUBE]), er.Link("b", BALL)], joints("a b"), exclude=None)
    assert rows_of(er.self_collide(body, every=True).pairs) == [(0, 1)]
    assert sorted(body.candidates().tolist()) == [[0, 2], [1, 2]]


# Sampled pairs.


def counted_collisions(recipe: Recipe, configurations: np.ndarray) -> np.ndarray:
    slow = SlowBody(recipe)
    counts = np.zeros((len(slow.names),) * 2, dtype=np.int64)
    for q in configurations:
        counts += slow.gaps(slow.poses(q)) <= 0.0
    return counts + counts.T


@pytest.mark.parametrize("maker", ["arm", "hand", "skins"])
def test_sampled_pairs_are_counted(maker: str) -> None:
    recipe = MAKERS[maker](rng_of("sampled", maker), 9)
    body = recipe.body()
    before = body.configuration
    found = body.sample_pairs(60, seed=5)
    assert isinstance(found, er.LinkPairs) and (found.samples, found.seed) == (60, 5)
    assert np.array_equal(body.configuration, before), "the body stays where it is"
    expected = counted_collisions(recipe, body.random(60, seed=5))
    excluded = np.zeros((9, 9), dtype=bool)
    excluded[tuple(body.excluded.T)] = True
    excluded |= excluded.T | np.eye(9, dtype=bool)
    assert (found.counts[excluded] == -1).all()
    assert np.array_equal(found.counts[~excluded], expected[~excluded])
    upper = np.triu(~excluded, 1)
    assert rows_of(found.never) == rows_of(np.argwhere(upper & (expected == 0)))
    assert rows_of(found.always) == rows_of(np.argwhere(upper & (expected == 60)))


def test_sampled_pairs_are_the_same_again_and_are_excluded() -> None:
    body = hand(rng_of("sampled again"), 10).body()
    one, again, other = (body.sample_pairs(200, seed=s) for s in (1, 1, 2))
    assert np.array_equal(one.counts, again.counts) and not np.array_equal(one.counts, other.counts)
    before = set(rows_of(body.excluded))
    body.exclude(one)
    assert set(rows_of(body.excluded)) == before | set(rows_of(one.never)) | set(rows_of(one.always))
    assert len(body.sample_pairs(50, seed=1).never) <= len(one.never)
