"""Renders pictures of the README into docs/pictures: run it from anywhere, it needs no display."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import elbowroom as er
from elbowroom import scenes
from elbowroom.reproduce.necklaces_paint import paint_flat
from elbowroom.view import INK, draw_on, png, trace_on

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


def main() -> None:
    """Write the pictures beside this file."""
    folder = Path(__file__).parent / "pictures"
    folder.mkdir(exist_ok=True)
    for name, make in {"tour": tour, "necklaces": necklaces}.items():
        file = folder / f"{name}.png"
        file.write_bytes(png(make(), background="white"))
        print(file)


if __name__ == "__main__":
    main()
