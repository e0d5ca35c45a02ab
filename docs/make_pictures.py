"""Renders the picture of the README, docs/pictures/tour.png: run it from anywhere, it needs no display."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import elbowroom as er
from elbowroom import scenes
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


def main() -> None:
    """Write the picture beside this file."""
    folder = Path(__file__).parent / "pictures"
    folder.mkdir(exist_ok=True)
    file = folder / "tour.png"
    file.write_bytes(png(tour(), background="white"))
    print(file)


if __name__ == "__main__":
    main()
