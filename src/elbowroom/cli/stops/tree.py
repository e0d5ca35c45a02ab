"""Fourth stop: the tree that makes the answers fast."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

import elbowroom as er
from elbowroom import scenes
from elbowroom.view import Look, draw_on, png
from elbowroom.view.exhibits import Picture, Table

from .measure import measure
from .stop import Progress, Section, Stop

SHOWN = 4
CODE = """spring = er.Mesh(*scenes.spring())
for level in range(4):
    print(level, len(spring.boxes(level)))"""


def run(progress: Progress) -> Section:
    """Build a spring's tree and draw its first levels of oriented boxes."""
    progress.step("building and painting a tree of boxes")
    vertices, faces = scenes.spring()
    spring, built = measure("build, 1800 triangles", lambda: er.Mesh(vertices, faces))
    levels = [spring.boxes(level) for level in range(SHOWN)]
    volumes = [sum(float(np.prod(2 * box.half)) for box in boxes) for boxes in levels]
    table = Table(
        "The levels of the tree",
        ["level", "boxes", "volume of all boxes"],
        [
            [str(k), f"{len(boxes):,}", f"{volume:.1f}"]
            for k, (boxes, volume) in enumerate(zip(levels, volumes, strict=True))
        ],
    )
    return Section(
        [replace(built, answer=f"{sum(map(len, levels)):,} boxes")],
        [_picture(spring, levels, progress.dpi)],
        [table],
        {"boxes": [len(boxes) for boxes in levels], "volumes": volumes},
    )


def _picture(spring: er.Mesh, levels: list[list[er.volumes.Obb]], dpi: int) -> Picture:
    figure = Figure(figsize=(12.0, 4.0), layout="constrained")
    for k, (axes, boxes) in enumerate(zip(figure.subplots(1, len(levels)), levels, strict=True)):
        placed = [(er.Box(2 * box.half), _pose(box), Look("#4fae86", 0.13, True)) for box in boxes]
        draw_on(axes, [(spring, None, Look("#4f8fd0")), *placed], title=f"level {k}: {_count(boxes)}")
    counts = ", ".join(str(len(boxes)) for boxes in levels)
    alt = f"A coil spring four times, in {counts} oriented boxes, which follow its wire ever more closely."
    caption = "Each box holds the boxes below it; a query opens only those it must."
    return Picture(png(figure, dpi=dpi), alt, caption, wide=True)


def _count(boxes: list[er.volumes.Obb]) -> str:
    return f"{len(boxes)} box" if len(boxes) == 1 else f"{len(boxes)} boxes"


def _pose(box: er.volumes.Obb) -> er.Pose:
    """Where the box stands. Its axes may be left-handed, which matters to a rotation and not to a box."""
    rotation = np.array(box.axes).T
    rotation[:, 2] *= np.sign(np.linalg.det(rotation))
    return er.Pose(rotation, box.centre)


STOP = Stop(
    "The tree itself",
    "Every body keeps a tree of oriented boxes, eight to a node. A query starts at the roots and opens a "
    "pair of boxes only while they may matter to the answer; the counters above tell how many were tested.",
    CODE,
    run,
)
