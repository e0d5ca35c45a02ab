"""Ninth stop: whole motions proved free, and a planner that asks for such proofs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Scene, Table
from elbowroom.reproduce.motion_paint import bars_from_zero, paint_tree
from elbowroom.reproduce.motion_table import PRINTED
from elbowroom.reproduce.motion_tree import METHODS, Connections, grow, hook, obstacles, planner

from . import scene_motion
from .measure import measure_each
from .stop import Progress, Row, Section, Stop, short

Array = NDArray[np.float64]

NODES, CHECKED = 2_000, 1_000
NEAR = 5.0  # tetrahedra so near to the way of a body are painted
LONG = (9.0, 16.0)  # motions that are long enough to be seen, and not too long for a picture
WORDS = {
    "isotropic": "isotropic bound",
    "hourglass": "hourglass, the paper's",
    "hourglass-axis": "hourglass about the axis",
    "auto": "auto, the default",
}
CODE = """obstacles = er.Group([er.Convex(corners) for corners in scenes.tetrahedra()])
hook = er.Group([(er.Box(extents), er.Pose(translation=centre)) for extents, centre in scenes.thin_hook()])
certificate = er.check(hook, er.Motion(scenes.hook_root(), scenes.hook_poses(1)[0]), obstacles)
checker = er.MotionChecker(hook, obstacles)  # prepared once, asked often
world = er.planning.RigidSpace([0, 0, 0], [100, 100, 100])
tree = er.planning.RRT(world, checker, start=scenes.hook_root()).grow(nodes=2_000)"""


def run(progress: Progress) -> Section:
    """A tree of proved motions, its connections checked by every method, and one of them from near by."""
    nodes = progress.size(NODES)
    progress.step(f"a tree of {nodes:,} nodes, every motion of which is proved free")
    body, others = hook(), obstacles()
    tree = planner(er.MotionChecker(body, others)).grow(nodes, progress=False)
    each = 1e6 * tree.seconds / tree.attempts
    row = Row(f"tree of {nodes:,} nodes, all of it", tree.attempts, each, {}, f"{nodes - 1:,} free")
    progress.step("the same motions by every method")
    connections = grow(er.MotionChecker(body, others), nodes)
    rows, table, calls = _methods(body, others, connections, progress.size(CHECKED))
    progress.step("painting the tree")
    return Section(
        [*rows, row],
        [_calls_picture(calls, progress.dpi), _tree_picture(connections, progress.dpi)],
        [table],
        {"nodes": len(tree), "attempts": tree.attempts, "calls": calls},
        [motion_scene(body, others, connections)],
    )


def _methods(
    body: er.Body, others: er.Body, connections: Connections, most: int
) -> tuple[list[Row], Table, dict[str, float]]:
    """Rows of the tour, and how many distance computations a free motion and a failed one took."""
    which = np.linspace(0, len(connections) - 1, min(most, len(connections))).astype(int)
    motions = [er.Motion(connections.starts[k], connections.goals[k]) for k in which]
    rows, lines = [], []
    calls: dict[str, float] = {}
    for method in METHODS:
        checker = er.MotionChecker(body, others, method=method)
        ask = partial(checker.check, first=False)
        found, row = measure_each(f"motion, {method}", ask, motions)
        free = np.array([proof.free is True for proof in found])
        counts = np.array([proof.distance_calls for proof in found])
        calls[method] = float(counts.mean())
        rows.append(replace(row, answer=f"{free.mean():.0%} free"))
        cells = [short(float(counts[part].mean())) if part.any() else "" for part in (free, ~free)]
        lines.append([WORDS[method], short(calls[method]), *cells, *_printed(method)])
    headings = ["method", "each motion", "free ones", "failed ones"]
    headings += ["each, paper", "free, paper", "failed, paper"]
    return (
        rows,
        Table(f"Distance computations, {len(which):,} connections of the tree", headings, lines),
        calls,
    )


def _printed(method: str) -> list[str]:
    """Distance computations of a motion in Table I of the paper: of all, the free and the failed; or none."""
    rows = [PRINTED[which] for which in ("all", "successful", "failed")]
    if method == "isotropic":
        return [short(row.standard / row.connections) for row in rows]
    if method == "hourglass":
        return [short(row.hourglass / row.connections) for row in rows]
    return ["", "", ""]


def _calls_picture(calls: dict[str, float], dpi: int) -> Picture:
    values = {method: [each] for method, each in calls.items()}
    figure = bars_from_zero({"distance computations of a motion": values}, [""])
    figure.set_size_inches(6.0, 5.6)
    alt = "Bars of the distance computations of a motion: most by the isotropic bound, fewest by auto."
    return Picture(png(figure, dpi=dpi), alt, "Distance queries needed to decide about a motion.")


def _tree_picture(connections: Connections, dpi: int) -> Picture:
    ends = np.stack([connections.starts[:, :3, 3], connections.goals[:, :3, 3]], axis=1)[connections.free]
    figure = Figure(figsize=(6.0, 5.6), layout="constrained")
    paint_tree(figure.add_subplot(), ends, scenes.tetrahedra(), width=0.9)
    alt = "A cube filled with faint tetrahedra, and a tree of lines in it that grows from its middle."
    return Picture(
        png(figure, dpi=dpi), alt, f"A tree of {len(ends):,} motions, coloured from first to last."
    )


def motion_scene(body: er.Group, others: er.Group, connections: Connections) -> Scene:
    """A motion that passes near obstacles, proved free, with those of them that are near."""
    motion = _close_one(body, others, connections)
    near = [er.Convex(four) for four in scenes.tetrahedra() if _away(four, motion) < NEAR]
    return scene_motion.proved(body, others, near, motion)


def _close_one(body: er.Group, others: er.Group, connections: Connections) -> er.Motion:
    """Of the free motions of a good length the one that comes nearest to an obstacle, at some times."""
    shortest, longest = LONG
    lengths = connections.lengths
    chosen = np.flatnonzero(connections.free & (lengths > shortest) & (lengths < longest))[:40]
    if len(chosen) == 0:
        chosen = np.flatnonzero(connections.free)[:1]
    motions = [er.Motion(connections.starts[k], connections.goals[k]) for k in chosen]
    return min(motions, key=lambda motion: _least_gap(body, others, motion))


def _least_gap(body: er.Group, others: er.Group, motion: er.Motion) -> float:
    found = er.distance(body, others, pose_a=motion.at(np.linspace(0, 1, 25)))
    assert isinstance(found, er.Distances)
    return float(found.values.min())


def _away(four: Array, motion: er.Motion) -> float:
    """How far a tetrahedron's middle is from the way of the body's origin."""
    places = motion.at(np.linspace(0, 1, 17))[:, :3, 3]
    return float(np.linalg.norm(places - four.mean(axis=0), axis=1).min()) - 2.5


STOP = Stop(
    "Motions proved free",
    "A body moves from one pose to another and rotates: does it touch anything at any time? The result "
    "free is a proof for the whole motion, not for a number of samples; a contact comes with its time. A "
    "planner checks thousands of motions; here a tree of motions grows among 1330 tetrahedra.",
    CODE,
    run,
)
