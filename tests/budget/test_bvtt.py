"""Traversal trees: cuts, differences and dangerous regions, against the paper's figures and a slow oracle."""

from __future__ import annotations

import pickle
import statistics
import time
from typing import Any

import numpy as np
import pytest
from bvtt_makers import Node, cut_depths, differences, grown, large, shaped, tree

from elbowroom.bvtt import BVTT

FIGURE_2 = shaped([[], [[], []]])
FIGURE_3 = shaped([[[], []], [[], []]]), shaped([[[], []], []])


def columns(bvtt: BVTT) -> dict[str, Any]:
    """What the tree was made of."""
    names = ("parent", "depth", "a", "b", "part", "state", "gap", "pairs")
    return {name: getattr(bvtt, name).copy() for name in names} | {"deepest": bvtt.lowest.copy()}


# The paper's figures.


def test_average_depth_of_figure_2() -> None:
    made = tree(FIGURE_2)
    assert made.mean_depth == pytest.approx((1 + 2 + 2 + 3 + 3) / 5)
    assert made.cut_mean_depth == pytest.approx(8 / 3)
    assert made.depths.tolist() == [2, 3, 3] and made.cut.tolist() == [1, 3, 4]
    assert len(made) == 5 and made.deepest == 3


def test_difference_of_figure_3() -> None:
    one, two = map(tree, FIGURE_3)
    assert one.depths.tolist() == [3, 3, 3, 3] and two.depths.tolist() == [3, 3, 2]
    assert one.difference(two).tolist() == [0, 0, 1, 1]
    assert two.difference(one).tolist() == [0, 0, -1, -1]
    assert one.zero_share(two) == two.zero_share(one) == 0.5


# Against the oracle.


@pytest.mark.parametrize("flips", [0.0, 0.2])
def test_cuts_and_differences_of_random_trees(flips: float) -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        depth, share = int(rng.integers(2, 11)), float(rng.uniform(0.3, 1.0))
        one, two = grown(rng, depth, share, flips), grown(rng, depth, 0.8, flips)
        made, other = tree(one), tree(two)
        assert made.depths.tolist() == cut_depths(one)
        assert made.difference(other).tolist() == differences(one, two)
        assert not made.difference(made).any() and made.zero_share(made) == 1.0
        assert made.zero_share(other) == pytest.approx(np.mean(np.array(differences(one, two)) == 0))


def test_cuts_above_below_and_across() -> None:
    deep, root = shaped([[[], []], [[], [[], []]]]), shaped([])
    assert tree(deep).difference(tree(root)).tolist() == [2, 2, 2, 3, 3]
    assert tree(root).difference(tree(deep)).tolist() == [-2, -2, -2, -3, -3]
    left, right = shaped([[[], [[], []]], []]), shaped([[], [[], []]])
    assert tree(left).difference(tree(right)).tolist() == [1, 2, 2, -1, -1]


def test_children_correspond_by_their_volumes_and_not_by_their_order() -> None:
    near, far = Node((1, 0), [Node((3, 0)), Node((4, 0))]), Node((2, 0))
    one, two = tree(Node(below=[near, far])), tree(Node(below=[far, near]))
    assert one.difference(two).tolist() == [0, 0, 0]
    renamed = tree(Node(below=[Node((7, 0), near.below), far]))
    assert one.difference(renamed).tolist() == [2, 2, 0, -2, -2]


def test_parts_are_kept_apart() -> None:
    """Two pairs of shapes with the same numbers of volumes; then one of them alone."""
    open_part, shut = [Node((1, 0)), Node((2, 0))], Node(part=0)
    both = tree(Node(below=[shut, Node(part=4, below=open_part)]))
    swapped = tree(Node(below=[Node(part=0, below=open_part), Node(part=4)]))
    assert both.difference(swapped).tolist() == [-1, -1, 1, 1]
    assert both.difference(tree(Node(below=[shut]))).tolist() == [0, 2, 2]


def test_siblings_of_one_name_correspond_in_their_order() -> None:
    one = Node(below=[Node((1, 1)), Node((1, 1), [Node((2, 1)), Node((3, 1))])])
    two = Node(below=[Node((1, 1)), Node((1, 1)), Node((1, 1))])
    assert tree(one).difference(tree(two)).tolist() == differences(one, two) == [0, 1, 1, -1]


def test_ends_and_covered_are_what_lies_below() -> None:
    rng = np.random.default_rng(8)
    for _ in range(50):
        made = tree(grown(rng, 8, 0.85))
        below: list[list[int]] = [[] for _ in range(len(made))]
        for node in range(len(made)):
            above = node
            while above >= 0:
                below[above].append(node)
                above = int(made.parent[above])
        assert made.ends.tolist() == [members[-1] + 1 for members in below]
        assert made.lowest.tolist() == [int(made.depth[members].max()) for members in below]
        states = made.state[made.cut]
        assert made.covered == pytest.approx(np.mean((states == 1) | (states == 2)))
        assert sum(made.count(state) for state in range(5)) == len(made)
        tested = [depth for depth, state in zip(made.depth, made.state, strict=True) if state != 4]
        assert made.mean_depth == pytest.approx(np.mean(tested))


# Dangerous regions.


@pytest.mark.parametrize("group", [1, 2, 3, 8, 1000, 2**40])
@pytest.mark.parametrize("threshold", [0.0, 0.5, 1.0, 2.5])
def test_a_group_whose_depths_vary_is_dangerous(group: int, threshold: float) -> None:
    rng = np.random.default_rng(group % 97)
    for _ in range(20):
        made = tree(grown(rng, 10, 0.85))
        depths = made.depths.tolist()
        wanted: list[bool] = []
        for start in range(0, len(depths), group):
            members = depths[start : start + group]
            wanted += [statistics.pstdev(members) > threshold] * len(members)
        assert made.dangerous(group, threshold).tolist() == wanted


def test_a_deviation_at_the_threshold_is_not_above_it() -> None:
    made = tree(shaped([[], [[[], []], []]]))
    assert made.depths.tolist() == [2, 4, 4, 3]
    assert made.dangerous(2, 1.0).tolist() == [False] * 4
    assert made.dangerous(2, 0.999).tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    ("settings", "word"),
    [({"group": 0}, "group"), ({"group": 2.0}, "group"), ({"threshold": -1}, "threshold")],
)
def test_settings_are_checked(settings: dict[str, Any], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        tree(FIGURE_2).dangerous(**settings)


# What it is made of.


def test_a_tree_of_one_node() -> None:
    open_root = tree(Node(state=4))
    assert (len(open_root), open_root.mean_depth, open_root.covered) == (1, 0.0, 0.0)
    assert open_root.cut.tolist() == [0] and open_root.dangerous().tolist() == [False]
    assert repr(open_root) == "<BVTT: 1 node, a cut of 1 at depth 1, 0 % of the pairs apart, 1 left open>"
    assert tree(Node()).covered == 1.0


def test_the_story_in_a_line() -> None:
    said = repr(tree(Node(below=[Node(), Node(below=[Node(state=3), Node(state=3)]), Node(state=4)])))
    assert (
        said == "<BVTT: 6 nodes, a cut of 4 at depths 2 to 3, 25 % of the pairs apart, 2 hits, 1 left open>"
    )


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"parent": [-1, 0, 0, 1, 1]}, "preorder"),
        ({"parent": [-1, 0, 0, 9, 9]}, "preorder"),
        ({"depth": [1, 2, 2, 4, 4]}, "preorder"),
        ({"parent": [-1, -1, 0, 2, 2]}, "preorder"),
        ({"depth": [1, 1, 2, 3, 3]}, "root"),
        ({"depth": [2, 3, 3, 4, 4]}, "root"),
        ({"gap": [0.0]}, "one length"),
        ({name: [] for name in columns(tree(FIGURE_2))}, "one length"),
    ],
)
def test_what_is_no_tree_is_refused(change: dict[str, Any], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        BVTT(columns(tree(FIGURE_2)) | change)


def test_what_is_compared_must_be_a_tree() -> None:
    with pytest.raises(ValueError, match="other must be a BVTT"):
        tree(FIGURE_2).difference(None)  # type: ignore[arg-type]


def test_it_pickles() -> None:
    made = tree(grown(np.random.default_rng(0), 6, 0.9))
    twin = pickle.loads(pickle.dumps(made))
    assert repr(twin) == repr(made) and not twin.difference(made).any()


def test_large_trees_take_a_moment() -> None:
    """A cut of 100,000: about a fifth of a second, and ten times that is allowed."""
    made, other = large(100_000), large(100_000, seed=1)
    began = time.perf_counter()
    again = BVTT(columns(made))
    assert len(again.cut) == 100_000 and not again.difference(made).any()
    assert len(again.difference(other)) >= 100_000
    assert again.dangerous().any() and 0 < again.covered < 1
    assert time.perf_counter() - began < 2.0
