"""Fourth stop: the tree that makes the answers fast."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures.exhibits import Table

from . import scene_rigid
from .measure import measure
from .stop import Progress, Section, Stop

SHOWN = 4
CODE = """spring = er.Mesh(*scenes.spring())
for level in range(4):
    print(level, len(spring.boxes(level)))"""


def run(progress: Progress) -> Section:
    """Build a spring's tree and draw its first levels of oriented boxes."""
    progress.step("building a tree of boxes")
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
        (),
        [table],
        {"boxes": [len(boxes) for boxes in levels], "volumes": volumes},
        [scene_rigid.tree(spring, levels)],
    )


STOP = Stop(
    "The tree itself",
    "Every body keeps a tree of oriented boxes, eight to a node. A query starts at the roots and opens a "
    "pair of boxes only while they can affect the answer; the counters above are the numbers of tests.",
    CODE,
    run,
)
