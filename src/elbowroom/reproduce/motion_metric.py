"""The volume of the hourglass as a metric for planners, a proposal of He and van den Berg's last section."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table

from .findings import Chapter, Comparison, Findings, Settings, Tell
from .motion_paint import bars_from_zero
from .motion_tree import WORLD, hook, obstacles

SHARE = 5  # trees have so many times fewer nodes than that of Table I
MOST = 6  # attempts for each node, after which a tree is left as it is
POSITION, VOLUME = "position", "hourglass volume"


@dataclass(frozen=True)
class Grown:
    """Nodes of a tree, attempts, mean length of the motions it kept, calls for one attempt, seconds."""

    nodes: int
    attempts: int
    length: float
    calls: float
    seconds: float

    @property
    def free(self) -> float:
        """Percent of the motions tried that were free."""
        return 100 * (self.nodes - 1) / self.attempts


def metrics(radius: float) -> dict[str, dict[str, Any]]:
    """Settings of spaces by name. Weights of an area are shares of the square about the body."""
    square = (2 * radius) ** 2
    return {
        POSITION: {"metric": "position"},
        "position + angle": {"metric": "weighted", "weight": 1.0},
        VOLUME: {"metric": "hourglass", "radius": radius},
        "volume + distance / 4": {"metric": "hourglass", "radius": radius, "weight": square / 4},
        "volume + distance": {"metric": "hourglass", "radius": radius, "weight": square},
    }


def run(settings: Settings, tell: Tell) -> Findings:
    """Grow a tree by each metric."""
    body, others = hook(), obstacles()
    radius = er.Motion(er.Pose(), er.Pose()).radius(body)
    grown = {}
    for name, chosen in metrics(radius).items():
        tell(f"a tree by {name}")
        grown[name] = grow(body, others, settings.nodes // SHARE, chosen)
    return Findings(
        [_comparison(name, tree, grown[POSITION]) for name, tree in grown.items()],
        [_table(grown)],
        [_plot(grown)],
        {name: vars(tree) for name, tree in grown.items()},
    )


def grow(body: er.Body, others: er.Body, nodes: int, chosen: Mapping[str, Any]) -> Grown:
    """A tree in a space with that metric."""
    checker = er.MotionChecker(body, others)
    space = er.planning.RigidSpace(*WORLD, **chosen)
    planner = er.planning.RRT(space, checker, start=scenes.hook_root(), seed=11)
    tree = planner.grow(nodes, attempts=MOST * nodes, progress=False)
    places = tree.states[:, :3, 3]
    lengths = np.linalg.norm(places[1:] - places[tree.parents[1:]], axis=1)
    calls = checker.counters.distance_calls / tree.attempts
    return Grown(len(tree), tree.attempts, float(lengths.mean()), calls, tree.seconds)


def _comparison(name: str, tree: Grown, base: Grown) -> Comparison:
    """Free motions in percent; what the paper hopes for is that by the volume there are more of them."""
    if name == POSITION:
        verdict = "the paper's own metric"
    elif tree.free > 1.05 * base.free:
        verdict = "better: more are free"
    else:
        verdict = "differs: fewer are free" if tree.free < base.free / 1.05 else "as many are free"
    return Comparison(f"{name}: % free", tree.free, None, verdict)


def _table(grown: Mapping[str, Grown]) -> Table:
    rows = [
        [
            name,
            f"{tree.nodes:,}",
            f"{tree.attempts:,}",
            f"{tree.free:.1f}%",
            f"{tree.length:.1f}",
            f"{tree.calls:.2f}",
            f"{1e3 * tree.seconds:,.0f} ms",
        ]
        for name, tree in grown.items()
    ]
    headings = ["nearest by", "nodes", "tried", "free", "mean length", "calls each", "time"]
    return Table("Trees by metric, checked by auto", headings, rows)


def _plot(grown: Mapping[str, Grown]) -> Picture:
    panels = {
        "% of motions that are free": {name: [tree.free] for name, tree in grown.items()},
        "mean length of free motions": {name: [tree.length] for name, tree in grown.items()},
    }
    figure = bars_from_zero(panels, [""])
    alt = "Bars of the share of free motions and of their length for five metrics."
    return Picture(png(figure), alt, "What is nearest decides how many motions are free.", wide=True)


CHAPTER = Chapter(
    "Section V: the hourglass as a metric",
    "The paper expects that the volume of the hourglass says how likely a motion is free, and that planners "
    "should connect the node for which it is least. Tried here, it is the worst of metrics: the volume is "
    "zero for a motion without a turn, and for one that goes across its axis, however long they are, and "
    "among thousands of nodes there is always one of these far away. With the length times an area added to "
    "it, which is the volume that a body sweeps without turning, it becomes much better: nearly as good as "
    "the distance of positions in trees of a fifth of the paper's 10,000 nodes, less so in smaller ones, and "
    "never better. An angle added to that distance helps a little.",
    run,
)
