"""Figure 6 of Lin and Li: part of a traversal tree with its troughs, and what lies in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from elbowroom.bvtt import BVTT, HIT
from elbowroom.pictures import png
from elbowroom.pictures.bvtt_pictures import cut_figure, tree_figure
from elbowroom.pictures.exhibits import Picture, Table

from .budget_depths import tree_at
from .budget_replay import GROUP, THRESHOLD
from .budget_scene import FIRST, LAST, figure_path
from .findings import REPRODUCED, Chapter, Comparison, Findings, Settings, Tell

SHOWN = 40  # the configuration that is drawn
PART = 48  # cut nodes of the part that is drawn, at most
LOWEST = 10  # percent of the cut: what is as deep as these is a trough
RULES = ((4, 1.0), (8, 0.5), (8, 1.0), (8, 2.0), (8, 3.0), (16, 2.0), (32, 2.0))


@dataclass(frozen=True)
class Region:
    """Of all cut nodes of some trees: the share in dangerous regions; the same of the hits alone."""

    nodes: float
    hits: float

    @property
    def gain(self) -> float:
        """How many times likelier a node in a dangerous region is a hit than any node."""
        return self.hits / self.nodes if self.nodes else 0.0


def run(settings: Settings, tell: Tell) -> Findings:
    """All hits along the path of Figure 4, where they lie, and one tree drawn."""
    tell("every hit along the colliding part of the path")
    poses = figure_path()[FIRST:LAST]
    trees = [tree_at(pose, every=True)[0] for pose in poses]
    deep, low = depths_of_hits(trees)
    regions = {rule: dangerous(trees, *rule) for rule in RULES}
    tell("painting the tree")
    shown = tree_at(figure_path()[SHOWN - 1])[0]
    return Findings(
        [
            _compare("depth of a hit less that of the cut", deep, deep > 0, "in the troughs", "not deep"),
            _compare("% of hits in the lowest tenth", 100 * low, low > 0.5, "in the troughs", "not there"),
            _in_regions(regions[GROUP, THRESHOLD]),
        ],
        [_table(regions)],
        [_tree_picture(shown), _cut_picture(shown)],
        {
            "deeper": deep,
            "in_lowest": low,
            "regions": {f"{g}, {t}": vars(region) for (g, t), region in regions.items()},
        },
    )


def depths_of_hits(trees: Sequence[BVTT]) -> tuple[float, float]:
    """How much deeper hits are than the cut they are on, on average; the share in the lowest tenth of it."""
    above, lowest = [], []
    for tree in trees:
        depths, hits = tree.depths, tree.state[tree.cut] == HIT
        above += list(depths[hits] - depths.mean())
        lowest += list(depths[hits] >= np.percentile(depths, 100 - LOWEST))
    return float(np.mean(above)), float(np.mean(lowest))


def dangerous(trees: Sequence[BVTT], group: int, threshold: float) -> Region:
    """How much of the cuts, and of the hits on them, is in dangerous regions."""
    marked = np.concatenate([tree.dangerous(group, threshold) for tree in trees])
    hits = np.concatenate([tree.state[tree.cut] == HIT for tree in trees])
    return Region(float(marked.mean()), float(marked[hits].mean()))


def about_hit(tree: BVTT) -> int:
    """The highest node above the first hit that has no more than a part of the cut below it."""
    node = int(tree.cut[np.argmax(tree.state[tree.cut] == HIT)])
    while (above := int(tree.parent[node])) >= 0:
        first, end = np.searchsorted(tree.cut, [above, tree.ends[above]])
        if end - first > PART:
            break
        node = above
    return node


def _compare(what: str, ours: float, holds: bool, good: str, bad: str) -> Comparison:
    return Comparison(what, ours, None, f"{REPRODUCED}: {good}" if holds else f"differs: {bad}")


def _in_regions(region: Region) -> Comparison:
    verdict = "they mark hits" if region.gain > 1 else "differs: the bottom of a trough is flat"
    return Comparison("% of hits in dangerous regions", 100 * region.hits, None, verdict)


def _table(regions: dict[tuple[int, float], Region]) -> Table:
    rows = [
        [
            f"{group}, {threshold:g}",
            f"{100 * region.nodes:.0f}%",
            f"{100 * region.hits:.0f}%",
            f"{region.gain:.2f}",
        ]
        for (group, threshold), region in regions.items()
    ]
    headings = ["group, threshold", "of the cut", "of the hits", "ratio"]
    return Table("What lies in dangerous regions, along the colliding part of the path", headings, rows)


def _tree_picture(tree: BVTT) -> Picture:
    figure = tree_figure(tree, root=about_hit(tree), levels=tree.deepest)
    alt = (
        "Part of a tree of round nodes and diamonds, with a dashed line below it that dips where a hit lies."
    )
    caption = f"Figure 6: part of the traversal tree of configuration {SHOWN}, about the trough with the hit."
    return Picture(png(figure), alt, caption, wide=True)


def _cut_picture(tree: BVTT) -> Picture:
    figure = cut_figure(tree, group=GROUP, threshold=THRESHOLD)
    alt = "The depths of the cut list from left to right, a ragged line with troughs; one node is a hit."
    caption = (
        f"The whole cut of the same tree. Shaded: dangerous regions, groups of {GROUP} nodes whose depths "
        f"deviate by more than {THRESHOLD:g}."
    )
    return Picture(png(figure), alt, caption, wide=True)


CHAPTER = Chapter(
    "Figure 6: the troughs of a cut",
    "Where the cut hangs deep the bodies are close, and the paper finds its hits there. So do we: all hits "
    "along the path are among the deepest nodes. It then takes for dangerous a group of cut nodes whose "
    "depths have a large standard deviation, and gives neither the size of a group nor the threshold. With "
    "a threshold of 1 and groups of 8 nearly all of a cut is dangerous, and the rule chooses nothing; with "
    "a larger one it marks hits no better than chance, for it sees the slopes of a trough, and where a "
    "trough is as wide as a group its bottom is flat.",
    run,
)
