"""Pictures and pages of traversal trees: what is drawn is what is in the tree."""

from __future__ import annotations

import base64
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bvtt_makers import Node, grown, large, shaped, tree
from matplotlib.axes import Axes
from page_reader import Reader, data_of

from elbowroom.bvtt import BVTT, STATES
from elbowroom.pictures import png
from elbowroom.pictures.bvtt_cut import COLUMNS, troughs
from elbowroom.pictures.bvtt_page import KINDS, page
from elbowroom.pictures.bvtt_pictures import (
    cut_figure,
    depth_figure,
    difference_figure,
    picture_figure,
    tree_figure,
)
from elbowroom.pictures.bvtt_tree import PART, PLACES, trough

SMALL = tree(grown(np.random.default_rng(3), 9, 0.85))
LARGE = large(100_000)
ONE = tree(Node(state=4))


def dots(axes: Axes, state: int) -> np.ndarray:
    """Where nodes of a state are drawn: (k, 2), x and depth."""
    lines = [line for line in axes.lines if line.get_label() == STATES[state]]
    return np.concatenate([np.zeros((0, 2)), *(np.transpose(line.get_data()) for line in lines)])


def named(figure: Any) -> set[str]:
    return {text.get_text() for text in figure.legends[0].get_texts()}


# The cut.


def test_every_node_of_a_small_cut_is_drawn_at_its_depth() -> None:
    figure = cut_figure(SMALL)
    (axes,) = figure.axes
    for state in range(5):
        (places,) = np.nonzero(SMALL.state[SMALL.cut] == state)
        assert sorted(dots(axes, state).tolist()) == [[k, SMALL.depths[k]] for k in places]
    (line,) = [line for line in axes.lines if line.get_label() == "profile cut"]
    assert line.get_ydata().tolist() == SMALL.depths.tolist()
    assert axes.get_ylim()[0] > SMALL.deepest > axes.get_ylim()[1]
    assert named(figure) >= {STATES[k] for k in set(SMALL.state[SMALL.cut].tolist())} | {"dangerous region"}


def test_dangerous_regions_are_shaded() -> None:
    for settings in ({"group": 8, "threshold": 1.0}, {"group": 3, "threshold": 0.5}):
        (bars,) = cut_figure(SMALL, **settings).axes[0].collections
        left = sorted(round(float(path.vertices[:, 0].min()) + 0.5) for path in bars.get_paths())
        assert left == np.flatnonzero(SMALL.dangerous(**settings)).tolist()
    assert not cut_figure(SMALL, threshold=100).axes[0].collections


def test_a_large_cut_is_drawn_in_columns_and_its_hit_is_seen() -> None:
    began = time.perf_counter()
    figure = cut_figure(LARGE)
    assert png(figure, dpi=40).startswith(b"\x89PNG")
    assert time.perf_counter() - began < 5.0  # it takes half a second
    (axes,) = figure.axes
    cells = axes.images[0].get_array()
    assert cells.shape == (LARGE.deepest + 1, COLUMNS, 4)
    column = np.arange(len(LARGE.cut)) * COLUMNS // len(LARGE.cut)
    painted = np.zeros(cells.shape[:2], bool)
    painted[LARGE.depths, column] = True
    assert np.array_equal(cells[..., 3] > 0, painted)
    (hit,) = np.flatnonzero(LARGE.state[LARGE.cut] == 3)
    seen = [dot for dot in dots(axes, 3) if dot[0] >= 0]
    assert len(seen) == 1 and abs(seen[0][0] - hit) < len(LARGE.cut) / COLUMNS
    assert seen[0][1] == LARGE.depths[hit]


def test_troughs_are_deeper_than_what_is_beside_them() -> None:
    waves = tree(shaped([[], [[], [[], []]], [], [[[[], []], []], []], []]))
    assert waves.depths.tolist() == [2, 3, 4, 4, 2, 5, 5, 4, 3, 2]
    assert troughs(waves) == [5, 2]
    assert troughs(waves, most=1) == [5] and troughs(ONE) == [0]
    for place in troughs(LARGE):
        assert LARGE.depths[place - 1] < LARGE.depths[place]
    assert LARGE.depths[troughs(LARGE)[0]] == LARGE.deepest


# The tree.


def test_every_node_of_a_small_tree_is_drawn_below_its_parent() -> None:
    figure = tree_figure(SMALL, levels=99)
    (axes,) = figure.axes
    assert sum(len(dots(axes, state)) for state in range(5)) == len(SMALL)
    for state in range(5):
        wanted = SMALL.depth[SMALL.state == state]
        assert sorted(dots(axes, state)[:, 1].tolist()) == sorted(wanted.tolist())
    leaves = np.concatenate([dots(axes, state) for state in (1, 2, 3, 4)])
    assert leaves[np.argsort(leaves[:, 0])][:, 1].tolist() == SMALL.depths.tolist()
    assert axes.get_xlabel() == f"the whole tree: {len(SMALL):,} nodes"


def test_a_part_of_a_tree_is_so_many_levels_below_a_node() -> None:
    for root, levels in ((0, 1), (0, 4), (1, 3), (int(SMALL.cut[5]), 5)):
        (axes,) = tree_figure(SMALL, root=root, levels=levels).axes
        below = np.arange(root, SMALL.ends[root])
        wanted = SMALL.depth[below][SMALL.depth[below] < SMALL.depth[root] + levels]
        drawn = np.concatenate([dots(axes, state)[:, 1] for state in range(5)])
        assert sorted(drawn.tolist()) == sorted(wanted.tolist())


def test_what_needs_no_test_is_hinted_at() -> None:
    made = tree(Node(below=[Node(), Node(below=[Node(), Node(state=2)])]))
    assert "free without further tests" not in named(tree_figure(made))
    made.pairs[:] = [10, 6, 4, 3, 1]
    figure = tree_figure(made)
    (line,) = [line for line in figure.axes[0].lines if line.get_label() == "free without further tests"]
    assert len(line.get_xdata()) == 4 and "free without further tests" in named(figure)


def test_a_tree_that_is_too_wide_is_cut_off_and_says_so() -> None:
    (axes,) = tree_figure(LARGE).axes
    drawn = sum(len(dots(axes, state)) for state in range(5))
    assert PLACES / 2 < drawn < 2 * PLACES
    assert axes.get_xlabel().startswith(f"{drawn:,} of {len(LARGE):,} nodes")


@pytest.mark.parametrize("options", [{"root": len(SMALL)}, {"root": -1}, {"levels": 0}, {"levels": 1.5}])
def test_parts_that_are_not_there(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        tree_figure(SMALL, **options)


@pytest.mark.parametrize("bvtt", [SMALL, LARGE, ONE], ids=["small", "large", "one"])
def test_the_deepest_trough_has_the_deepest_node(bvtt: BVTT) -> None:
    node = trough(bvtt)
    first, end = np.searchsorted(bvtt.cut, [node, bvtt.ends[node]])
    assert end - first <= PART and bvtt.depths[first:end].max() == bvtt.deepest
    assert node == 0 or bvtt.ends[bvtt.parent[node]] - bvtt.parent[node] > PART


def test_of_troughs_as_deep_as_each_other_the_one_with_a_hit_is_shown() -> None:
    apart, open_, hit = (Node((k, 0), [Node(state=k), Node()]) for k in (1, 4, 3))
    assert trough(tree(Node(below=[apart, open_, hit])), most=2) == 7
    assert trough(tree(Node(below=[apart, open_, apart])), most=2) == 4
    assert trough(tree(Node(below=[apart, apart, apart])), most=3) == 1


# All in one, and along a path.


@pytest.mark.parametrize("bvtt", [SMALL, LARGE, ONE], ids=["small", "large", "one"])
def test_pictures_of_any_size(bvtt: BVTT, tmp_path: Path) -> None:
    bvtt.picture(tmp_path / "tree.png", group=5, threshold=0.7)
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")
    upper, lower = picture_figure(bvtt).axes
    assert upper.get_title() == repr(bvtt)[1:-1]
    assert len(upper.patches) - (len(bvtt.cut) > COLUMNS) == (trough(bvtt) > 0)  # one is the band
    assert picture_figure(bvtt, title="springs").axes[0].get_title() == "springs"
    assert lower.get_ylabel() == "depth"


def test_depths_along_a_path() -> None:
    (axes,) = depth_figure([6.6, 8.9, 8.3, 6.5], [False, True, True, False]).axes
    assert axes.lines[0].get_ydata().tolist() == [6.6, 8.9, 8.3, 6.5]
    assert [text.get_text() for text in axes.texts] == ["colliding"]
    assert axes.get_ylim()[0] < 6.5 and axes.get_ylim()[1] > 8.9


def test_differences_along_a_path() -> None:
    for shares, least in (([1.0, 1.0], 90), ([0.97, 0.93, 1.0], 90), ([0.0, 0.5], 0), ([0.85, 1.0], 80)):
        (axes,) = difference_figure(shares).axes
        assert axes.lines[0].get_ydata() == pytest.approx(100 * np.array(shares))
        assert axes.get_ylim()[0] == least
    with pytest.raises(ValueError, match="zero_shares"):
        difference_figure([])


# The page.


def test_the_page_refers_to_nothing_outside_itself() -> None:
    text = page(SMALL, title="A <tree>")
    read = Reader(text)
    assert read.links == [] and "http" not in text and "import" not in text
    assert "A &lt;tree&gt;" in text and "<tree>" not in text
    used = set(re.findall(r'\$\("(\w+)"\)', text)) | {"tree", "group", "threshold", "trough", "hit", "open"}
    assert used <= read.ids and read.tags.count("canvas") == 2


@pytest.mark.parametrize("bvtt", [SMALL, ONE], ids=["small", "one"])
def test_the_page_has_the_whole_tree(bvtt: BVTT, tmp_path: Path) -> None:
    bvtt.html(tmp_path / "tree.html", group=5, threshold=0.7)
    held = data_of((tmp_path / "tree.html").read_text(encoding="utf-8"))
    for name, kind in KINDS.items():
        values = np.frombuffer(base64.b64decode(held[name]), kind)
        assert np.array_equal(values, getattr(bvtt, name))
    assert (held["group"], held["threshold"]) == (5, 0.7)
    assert held["states"] == list(STATES) and len(held["colours"]) == len(STATES)


def test_the_page_tells_the_figures() -> None:
    text = page(tree(shaped([[], [[], []]])))
    facts = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", text))
    assert facts == {"nodes": "5", "cut list": "3", "deepest": "3", "mean depth": "2.2", "covered": "all"}
    with pytest.raises(ValueError, match="group"):
        page(SMALL, group=0)
