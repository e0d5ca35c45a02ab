"""Figures 4 and 5 of Lin and Li: how deep the traversal trees along a path are, and how much alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.bvtt import BVTT
from elbowroom.pictures import png
from elbowroom.pictures.bvtt_pictures import depth_figure, difference_figure
from elbowroom.pictures.exhibits import Picture, Table

from .budget_scene import FIRST, LAST, LENGTH, figure_path, paths, spring
from .findings import REPRODUCED, Chapter, Comparison, Findings, Settings, Tell

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

FREE_DEPTHS, HIT_DEPTHS, DEEPEST = (6.6, 8.9), (6.5, 8.3), 27
OTHERS, OTHERS_SEED = 6, 31
FINE = 10  # how many times shorter the short steps are
ALIKE = 0.95  # the share of unchanged depths from which two trees are nearly the same
LARGEST = 1_000  # the largest budget of Table 1
WHY = "other springs, tighter boxes"


@dataclass(frozen=True)
class Depths:
    """Of the tree at each configuration (n,): mean depth, deepest node, nodes; does it collide.

    `unchanged`: what share of the cut is as deep as one configuration before (n - 1,).
    """

    mean: Array
    deepest: NDArray[np.int64]
    nodes: NDArray[np.int64]
    hits: Flags
    unchanged: Array


def tree_at(pose: Array, *, every: bool = False) -> tuple[BVTT, bool]:
    """The tree of a full check, depth first, and whether it found a hit; `every`: all hits, not only one."""
    memory, body = er.Memory("depth-first"), spring()
    hit = bool(er.collide(body, body, pose_b=pose, memory=memory, every=every))
    tree = memory.bvtt
    assert tree is not None  # a method of the paper records every run
    return tree, hit


@cache
def trees() -> tuple[Sequence[BVTT], Flags]:
    """The trees along the path, which chapters share."""
    found, hits = zip(*map(tree_at, figure_path()), strict=True)
    return found, np.array(hits)


def measure(found: Sequence[BVTT], hits: Flags) -> Depths:
    """The numbers of Figures 4 and 5."""
    return Depths(
        np.array([tree.mean_depth for tree in found]),
        np.array([tree.deepest for tree in found]),
        np.array([len(tree) for tree in found]),
        hits,
        np.array([after.zero_share(before) for before, after in pairwise(found)]),
    )


def most_nodes(mean_depth: float) -> int:
    """How many nodes a binary tree can have whose mean depth, the root's being 1, is no more than this.

    The most has the tree that is full level by level.
    """
    nodes, depths, depth = 0, 0, 1
    while True:
        room = 2 ** (depth - 1)
        # k nodes more at this depth: depths + k depth <= mean (nodes + k)
        spare = mean_depth * nodes - depths
        fits: int = room if depth <= mean_depth else min(room, int(spare / (depth - mean_depth) + 1e-9))
        nodes, depths = nodes + fits, depths + fits * depth
        if fits < room:
            return nodes
        depth += 1


def run_depths(settings: Settings, tell: Tell) -> Findings:
    """Figure 4."""
    tell("100 configurations of two springs: their traversal trees")
    depths = measure(*trees())
    collide = np.flatnonzero(depths.hits) + 1
    bound = most_nodes(FREE_DEPTHS[1])
    return Findings(
        [
            _equal("first colliding configuration", int(collide[0]), FIRST + 1),
            _equal("last colliding configuration", int(collide[-1]), LAST),
            *_ranges("free", depths.mean[~depths.hits], FREE_DEPTHS),
            *_ranges("colliding", depths.mean[depths.hits], HIT_DEPTHS),
            _near("deepest node", int(depths.deepest.max()), DEEPEST),
            _trend(depths),
            Comparison("most nodes of a check", int(depths.nodes.max()), bound, _room(depths, bound)),
        ],
        plots=[_depth_picture(depths)],
        figures={name: getattr(depths, name).tolist() for name in ("mean", "deepest", "nodes", "hits")},
    )


def _equal(what: str, ours: int, paper: int) -> Comparison:
    return Comparison(what, ours, paper, REPRODUCED if ours == paper else "differs: another path")


def _near(what: str, ours: float, paper: float) -> Comparison:
    same = abs(ours / paper - 1) <= 1 / 3
    return Comparison(what, ours, paper, REPRODUCED if same else f"differs: {WHY}")


def _ranges(which: str, means: Array, paper: tuple[float, float]) -> list[Comparison]:
    ends = {"least": (means.min(), paper[0]), "greatest": (means.max(), paper[1])}
    return [_near(f"mean depth, {which}: {name}", float(a), b) for name, (a, b) in ends.items()]


def _trend(depths: Depths) -> Comparison:
    """How much deeper the trees are in the middle half of the path than at its two ends."""
    ends = np.concatenate([depths.mean[:5], depths.mean[-5:]]).mean()
    middle = depths.mean[LENGTH // 4 : -LENGTH // 4].mean()
    verdict = f"{REPRODUCED}: it rises and falls" if middle > ends else "differs: it does not rise"
    return Comparison("mean depth, middle less ends", float(middle - ends), None, verdict)


def _room(depths: Depths, bound: int) -> str:
    if bound < LARGEST:
        return f"a mean of {FREE_DEPTHS[1]} allows no more: not Table 1's checks"
    return "as many as Table 1 needs"


def run_differences(settings: Settings, tell: Tell) -> Findings:
    """Figure 5, and the same with shorter steps."""
    tell("how much alike successive trees are")
    depths = measure(*trees())
    tell(f"the same path with steps {FINE} times shorter")
    fine = short_steps()
    tell(f"{OTHERS} random paths")
    others = random_paths()
    return Findings(
        [
            _alike("unchanged depths, mean %", float(depths.unchanged.mean())),
            _alike("unchanged depths, least %", float(depths.unchanged.min())),
            _alike("steps a tenth as long, mean %", fine),
            _alike("random paths, mean %", float(others.mean())),
            _alike("random paths, the worst of them, mean %", float(others.min())),
        ],
        [_least_table(depths)],
        [_difference_picture(depths)],
        {"unchanged": depths.unchanged.tolist(), "fine": fine, "random": others.tolist()},
    )


def short_steps() -> float:
    """The mean share of unchanged depths over short steps, one from each configuration of the path."""
    found, _ = trees()
    after = figure_path(FINE * (LENGTH - 1) + 1)[1::FINE]
    shares = [tree_at(pose)[0].zero_share(tree) for tree, pose in zip(found, after, strict=False)]
    return float(np.mean(shares))


def random_paths(count: int = OTHERS) -> Array:
    """The mean share of unchanged depths on each of some paths that were not chosen for it (n,)."""
    shares = []
    for path in paths(count, OTHERS_SEED):
        found = [tree_at(pose)[0] for pose in path]
        shares.append(np.mean([after.zero_share(before) for before, after in pairwise(found)]))
    return np.array(shares)


def _alike(what: str, share: float) -> Comparison:
    verdict = f"{REPRODUCED}: nearly all" if share >= ALIKE else "differs: below 95%"
    return Comparison(what, 100 * share, 100.0, verdict)


def _least_table(depths: Depths) -> Table:
    """The steps that change most."""
    rows = []
    for k in np.argsort(depths.unchanged)[:5]:
        nodes = f"{depths.nodes[k]:,} to {depths.nodes[k + 1]:,}"
        words = {(False, True): "a contact begins", (True, False): "it ends", (True, True): "colliding"}
        state = words.get((bool(depths.hits[k]), bool(depths.hits[k + 1])), "free")
        rows.append([f"{k + 1} to {k + 2}", f"{100 * depths.unchanged[k]:.1f}%", nodes, state])
    headings = ["configurations", "unchanged", "nodes", ""]
    return Table("The steps at which the cut changes most", headings, rows)


def _depth_picture(depths: Depths) -> Picture:
    alt = "A line of mean depths over 100 configurations, with small steps; most of it is shaded."
    caption = "Figure 4: the mean depth of the traversal tree along the path. Shaded: the springs collide."
    return Picture(png(depth_figure(depths.mean, depths.hits)), alt, caption, wide=True)


def _difference_picture(depths: Depths) -> Picture:
    alt = "A line close to 100 percent, with a notch where the contact begins and one where it ends."
    caption = "Figure 5: how many of the cut's depths are as they were one configuration before."
    return Picture(png(difference_figure(depths.unchanged)), alt, caption, wide=True)


DEPTHS = Chapter(
    "Figure 4: how deep the trees are",
    "A node of a traversal tree is a pair of boxes that was tested; the root has depth 1. Two springs of "
    "1800 triangles, with two children a node, in 100 configurations: free, colliding from the 14th to the "
    "83rd, free again. The paper gives neither its springs nor its path, and both are chosen here; the "
    "springs are those of the tour, one screwed into the other. The mean says little about collisions, and "
    "changes little from one configuration to the next. It is larger than the paper's: tight boxes come "
    "apart early where the springs are far, and what is left of the tree is thin and deep. A tree with a "
    "small mean cannot be large: of 921 nodes and more the mean depth is above 8.9. So the configurations "
    "of the paper's Figure 4 all finish within 1000 tests, and its Table 1, where they do not, must be of "
    "others.",
    run_depths,
)

DIFFERENCES = Chapter(
    "Figure 5: how much alike successive trees are",
    "The cut list of a tree are its lowest nodes from left to right. Two cut lists are compared node by "
    "node, the shorter extended: what share of the depths did not change? Steps that find a contact, or "
    "lose it, change more, as a check that finds one ends there. The path was chosen for this: of 189 "
    "random ones it is that whose worst step changes least. Random paths are given beside it.",
    run_differences,
)
