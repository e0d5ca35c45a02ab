"""Recorded scenes of chains: torsions that are tried and taken back, and pivots of a polymer."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import PALETTE
from elbowroom.pictures.exhibits import Scene
from elbowroom.pictures.moving_balls import Balls, Lines, box_edges
from elbowroom.pictures.player_data import recorded

Array = NDArray[np.float64]

LINKS, TRIES, BETWEEN = 512, 100, 25  # links; tries that are shown; steps that are made before each
ANGLE = np.radians(12.0)
LEVEL = 5  # of the boxes that are shown
BEADS, PIVOTS, EVERY = 1_000, 2_400, 30
#: From the first link to the last, without the red of contacts.
ALONG = LinearSegmentedColormap.from_list("calm", [PALETTE[3], PALETTE[0], PALETTE[2], PALETTE[4]])
BOXES = "boxes of the tree"


def along(count: int) -> Array:
    """Colours (n, 3) from the first link to the last."""
    return np.asarray(ALONG(np.linspace(0, 1, count))[:, :3])


def torsions() -> Scene:
    """A compact chain unfolds; every frame is a torsion that is tried, with what collides in red."""
    chain = er.Chain(scenes.serpentine(LINKS), 1.0, volume="obb", children=2)
    rng = np.random.default_rng(4)
    places, red, boxes, captions = [], [], [], []
    for number in range(1, TRIES + 1):
        for _ in range(BETWEEN):
            _tried(chain, rng)
            if chain.collides():
                chain.undo()
        joint = _tried(chain, rng)
        hit = chain.collides()
        tests = chain.counters.volume_tests
        pairs = er.self_collide(chain, every=True).pairs if hit else np.zeros((0, 2), int)
        links = chain.positions()
        places.append(links - _middle(links))
        red.append(np.unique(pairs).tolist())
        boxes.append(box_edges(chain.boxes(LEVEL)) - _middle(links))
        verdict = "collides, and is taken back" if hit else "is free"
        step = number * (BETWEEN + 1)
        captions.append(f"step {step:,}: a torsion at link {joint} {verdict}; {tests} box tests")
        if hit:
            chain.undo()
    data = recorded(
        balls=[Balls(np.array(places), 1.0, along(LINKS), red, bonds=0.32)],
        lines=[Lines(boxes, PALETTE[1], layer=BOXES)],
        captions=captions,
        seconds=25.0,
        blend=False,
        follow=1.12,
    )
    alt = "A compact chain of balls unfolds step by step; balls that collide are red."
    caption = f"A chain of {LINKS} links. Each frame is one more torsion, {BETWEEN} others made before it."
    return Scene(data, alt, caption, {BOXES: False})


def _tried(chain: er.Chain, rng: np.random.Generator) -> int:
    joint = int(rng.integers(1, len(chain) - 2))
    chain.rotate(joint, float(rng.uniform(-ANGLE, ANGLE)))
    return joint


def _middle(links: Array) -> Array:
    """Of the box about them."""
    return np.asarray((links.min(axis=0) + links.max(axis=0)) / 2)


def pivots() -> Scene:
    """A polymer in equilibrium, every some pivots, about its middle."""
    places: list[Array] = []
    captions: list[str] = []

    def look(state: er.sampling.State) -> None:
        links = state.chain.positions()
        places.append(links - _middle(links))
        ends = np.linalg.norm(links[-1] - links[0])
        free = state.acceptance["pivot"]
        captions.append(f"after {state.step:,} pivots, {free:.0%} free: the ends are {ends:.1f} bonds apart")

    er.sampling.sample(
        er.sampling.polymer(BEADS, seed=2),
        {"pivot": 1},
        steps=PIVOTS,
        seed=2,
        callback=look,
        callback_every=EVERY,
        progress=False,
    )
    data = recorded(
        balls=[Balls(np.array(places), 0.5, along(BEADS), bonds=0.3)],
        lines=[Lines([links[[0, -1]][None] for links in places], PALETTE[1], 0.25, 3.0, "end to end")],
        captions=captions,
        seconds=20.0,
        blend=False,
        follow=1.0,
    )
    alt = "A loose coil of 1,000 balls, which is of another shape after some pivots; a rod joins its ends."
    caption = f"A polymer of {BEADS:,} links every {EVERY} pivots: each frame is nearly a new shape."
    return Scene(data, alt, caption, {"end to end": True})
