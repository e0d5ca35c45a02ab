"""Recorded scenes of a motion with its proof, and of a check on a budget with what it has left open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.pictures import PALETTE
from elbowroom.pictures.exhibits import Scene
from elbowroom.pictures.moving import Moving, Standing
from elbowroom.pictures.moving_balls import Lines, box_edges
from elbowroom.pictures.player_data import recorded
from elbowroom.reproduce.budget_scene import FIRST, figure_path, spring

Array = NDArray[np.float64]

FRAMES = 101
TESTS, CALLS = 24, 60  # tests of a call, and calls at most
LEVELS = 9  # of the trees of the springs, as far down as every node has two below it
TREE = "tree of motions"
BOXES = "boxes left open"


def proved(body: er.Group, obstacles: er.Group, near: Sequence[er.Body], motion: er.Motion) -> Scene:
    """A body on its way, how far it is from everything, and the interval of the proof that covers it."""
    proof = er.check(body, motion, obstacles)
    times = np.linspace(0, 1, FRAMES)
    poses = motion.at(times)
    nearest, captions = [], []
    for time, pose in zip(times, poses, strict=True):
        apart = er.distance(body, obstacles, pose_a=pose)
        nearest.append(apart.points)
        known = _covered(proof, float(time))
        captions.append(f"time {time:.2f}: {apart.value:.2f} from the nearest; {known}")
    data = recorded(
        [Moving([(body, None)], poses, PALETTE[1])],
        [Standing(one, None, PALETTE[0]) for one in near],
        lines=[Lines(nearest, radius=0.06)],
        trail=poses[:, :3, 3],
        captions=captions,
        seconds=8.0,
        ends=True,
    )
    queries = f"{proof.distance_calls} distance quer{'y' if proof.distance_calls == 1 else 'ies'}"
    alt = "A hook moves and turns between tetrahedra, which it does not touch; start and goal are pale."
    caption = (
        f"One motion of the tree: translation {np.linalg.norm(motion.translation):.1f}, rotation "
        f"{motion.angle:.1f} rad. Proved free: {queries}."
    )
    return Scene(data, alt, caption, {"start and goal": True, "trail": True, "see through": False})


def _covered(proof: er.Certificate, time: float) -> str:
    spans = proof.intervals
    inside = np.flatnonzero((spans[:, 0] <= time) & (time <= spans[:, 1]))
    return f"proved by interval {inside[0] + 1} of {len(spans)}" if len(inside) else "not covered"


def budgeted() -> Scene:
    """A check of two springs over several calls: the boxes of the pairs that are still open."""
    body, pose = spring(), figure_path()[FIRST - 1]
    memory, budget = er.Memory(), er.Budget(tests=TESTS)
    levels = [body.boxes(level) for level in range(LEVELS)]
    fixed, moved, captions = [], [], []
    for call in range(1, CALLS + 1):
        answer = er.collide(body, body, pose_b=pose, memory=memory, budget=budget)
        mine, other = _open_boxes(memory.bvtt, levels)
        fixed.append(mine)
        moved.append(other @ pose[:3, :3].T + pose[:3, 3])
        captions.append(f"call {call} of {TESTS} tests: {answer.covered:.0%} of all pairs proved apart")
        if answer.status != "out of budget":
            captions[-1] += "; free"
            break
    data = recorded(
        standing=[Standing(body, None, PALETTE[0]), Standing(body, pose, PALETTE[1])],
        lines=[Lines(fixed, "#1d5f9f", 0.012, 1.0, BOXES), Lines(moved, "#b3611a", 0.012, 1.0, BOXES)],
        captions=captions,
        seconds=0.5 * len(captions),
        blend=False,
    )
    alt = "Two coil springs between whose turns boxes are drawn; there are other boxes after each call."
    caption = (
        f"One check, just before contact, in calls of {TESTS} tests each. Boxes: pairs of parts that a call "
        "left open, with which the next goes on. The end is a proof that the springs are free."
    )
    return Scene(data, alt, caption, {BOXES: True, "see through": False})


def _open_boxes(tree: er.BVTT | None, levels: Sequence[Sequence[er.volumes.Obb]]) -> tuple[Array, Array]:
    """Edges of the boxes of both bodies in pairs that were left open."""
    if tree is None:
        return np.zeros((0, 2, 3)), np.zeros((0, 2, 3))
    left = np.flatnonzero(tree.state == 4)
    sides = [_ways(tree.parent, nodes) for nodes in (tree.a, tree.b)]
    found = [{way[k][: len(levels) - 1] for k in left} for way in sides]
    mine, other = (box_edges([levels[len(w)][int(f"0{w}", 2)] for w in sorted(ways)]) for ways in found)
    return mine, other


def _ways(parent: NDArray[np.int32], nodes: NDArray[np.int32]) -> list[str]:
    """For each pair the way from the root of a body's tree to its node, 0 to the left and 1 to the right."""
    below: dict[int, set[int]] = {}
    for k in range(1, len(nodes)):
        if nodes[parent[k]] != nodes[k]:
            below.setdefault(int(nodes[parent[k]]), set()).add(int(nodes[k]))
    ways = [""] * len(nodes)
    for k in range(1, len(nodes)):
        up, here = int(nodes[parent[k]]), int(nodes[k])
        ways[k] = ways[parent[k]] + ("" if up == here else str(int(here > min(below[up]))))
    return ways
