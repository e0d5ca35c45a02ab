"""Renders the pictures of the documentation into docs/pictures: run it from anywhere, it needs no display."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import INK, PALETTE, Look, draw_on, png, trace_on
from elbowroom.reproduce.motion_paint import OBSTACLE, paint_tree
from elbowroom.reproduce.motion_tree import grow, hook, obstacles
from elbowroom.reproduce.necklaces_paint import paint_flat

POSES = 10_000
SHOWN = 0.6  # at the closest approach itself the two witness points could not be told apart


def tour() -> Figure:
    """Two springs on their way into each other with their witness points, and the distance along the path."""
    spring, poses = er.Mesh(*scenes.spring()), scenes.spring_path(POSES)
    hits = er.collide(spring, spring, pose_b=poses).hits
    distances = er.distance(spring, spring, pose_b=poses)
    shown = int(np.argmax(distances.values <= SHOWN))
    figure = Figure(figsize=(10.4, 4.4), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1.25, 1.0))
    draw_on(
        left, [(spring, None), (spring, poses[shown])], points=distances.points[shown][None], camera=(-62, 20)
    )
    trace_on(right, distances.values, hits, mark=shown)
    right.annotate(
        f"{distances.values[shown]:.2f} apart",
        (shown, distances.values[shown]),
        (26, 8),
        textcoords="offset points",
        color=INK,
    )
    return figure


def necklaces() -> Figure:
    """A line of beads rolls up into a spiral, in cages of two levels."""
    frames, radius = scenes.spiral(500, frames=100), 0.4
    rope = er.Necklace(frames[0], radius, cages="wrapped")
    figure = Figure(figsize=(10.4, 2.9), layout="constrained")
    for axes, shown in zip(figure.subplots(1, 4), (0, 12, 33, 99), strict=True):
        rope.move(frames[shown])
        family = rope.separating_pairs()
        paint_flat(axes, frames[shown], radius, cages=[rope.cage_balls(level) for level in (3, 5)])
        axes.set_title(f"frame {shown + 1}: {len(family)} pairs", color=INK, fontsize=11)
    return figure


def motion() -> Figure:
    """A hook on its way between tetrahedra, and the tree of an RRT, every motion of which is proved free."""
    body, others, corners = hook(), obstacles(), scenes.tetrahedra()
    connections = grow(er.MotionChecker(body, others), 2_000)
    long = connections.free & (connections.lengths > 9) & (connections.lengths < 16)
    shown = er.Motion(
        *(states[np.flatnonzero(long)[3]] for states in (connections.starts, connections.goals))
    )
    assert er.check(body, shown, others).free
    way = shown.at(np.linspace(0, 1, 9))
    near = np.linalg.norm(corners.mean(axis=1)[:, None] - way[None, :, :3, 3], axis=2).min(axis=1) < 8
    figure = Figure(figsize=(10.4, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    ghosts = [
        (body, pose, Look(PALETTE[1], 1.0 if k in (0, 8) else 0.35, True)) for k, pose in enumerate(way)
    ]
    draw_on(left, [*((er.Convex(four), None, Look(OBSTACLE, 0.35)) for four in corners[near]), *ghosts])
    left.set_title("a motion, proved free", color=INK, fontsize=11)
    ends = np.stack([connections.starts[:, :3, 3], connections.goals[:, :3, 3]], axis=1)[connections.free]
    paint_tree(right, ends, corners, width=0.9)
    right.set_title(f"{len(ends):,} motions of an RRT", color=INK, fontsize=11)
    return figure


def main() -> None:
    """Write the pictures beside this file."""
    folder = Path(__file__).parent / "pictures"
    folder.mkdir(exist_ok=True)
    for name, make in {"tour": tour, "necklaces": necklaces, "motion": motion}.items():
        file = folder / f"{name}.png"
        file.write_bytes(png(make(), background="white"))
        print(file)


if __name__ == "__main__":
    main()
