"""Built-in scenes, by name: what each method does, without a file."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import elbowroom as er
from elbowroom import scenes

from . import built_in_bodies as bodies
from . import built_in_live as live
from .bodies import RigidActor
from .bodies_balls import ChainActor, NecklaceActor
from .bodies_links import LinksActor, figure_colours
from .exhibit import Exhibit, Show
from .exhibit_family import Family
from .exhibit_joints import Joints
from .exhibit_movers import Placing, Torsions, Trees
from .exhibit_scene import Scene, Timeline
from .layers import BLUE, GREEN, GREY, ORANGE, Array


def _springs() -> Exhibit:
    spring, path = er.Mesh(*scenes.spring()), scenes.spring_path(240)
    still, moving = RigidActor("spring", spring), RigidActor("other", bodies.twin(spring), colour=ORANGE)

    def go(frame: int) -> None:
        moving.pose = path[frame]

    hint = (
        "1,800 triangles each. Look at the hierarchy level by level; play the path; show the closest points."
    )
    return Scene(
        "Two springs", [still, moving], timeline=Timeline(len(path), go), hint=hint, start=Show(closest=True)
    )


def _torus() -> Exhibit:
    beside = er.Pose(translation=[0.9, 0, 0]).matrix
    pill = RigidActor("pill", er.Capsule(0.3, 2.0), beside, colour=ORANGE)
    actors = [RigidActor("ring", er.Mesh(*scenes.torus())), pill]
    hint = "Move the pill, and see contacts, the distance, and the triangles within reach."
    return Scene("A ring and a pill", actors, movers=[Placing(pill, 4.0)], hint=hint)


def _chain() -> Exhibit:
    actor = ChainActor("chain", er.Chain(scenes.serpentine(10_000), radii=1.0))
    hint = "10,000 balls. Turn a joint: only pairs that the change can have brought together are tested."
    return Scene("A chain of ten thousand", [actor], movers=[Torsions(actor)], hint=hint)


def _backbone() -> Exhibit:
    actor = ChainActor("protein", er.Chain(scenes.backbone(900), radii=1.2, exclude=3))
    hint = "A generated backbone of 300 residues. Turn torsions until atoms clash, and undo."
    return Scene("A protein-like chain", [actor], movers=[Torsions(actor)], hint=hint)


def _arm() -> Exhibit:
    arm = LinksActor("arm", bodies.arm())
    table = RigidActor("table", bodies.table(), colour=GREY)
    hint = "Six joints. Links that collide, with each other or with the table, turn red."
    return Scene("An arm at a table", [arm, table], movers=[Joints(arm), Trees([arm])], hint=hint)


def _hand() -> Exhibit:
    flicked = scenes.hand_and_ball(400)
    sides = {"hand": (flicked.hand, BLUE), "table": (flicked.table, GREEN)}
    actors = [
        LinksActor(name, er.Articulated(limbs.links, limbs.joints), colours=figure_colours(colour))
        for name, (limbs, colour) in sides.items()
    ]
    hint = "A hand flicks a ball on a table: the scene of the CAB paper's last table."
    return _articulated("A hand and a ball", actors, [flicked.hand.motion, flicked.table.motion], hint)


def _braid() -> Exhibit:
    limbs = scenes.braided_chains(400)
    actor = LinksActor("chains", er.Articulated(limbs.links, limbs.joints))
    hint = "Two chains of eight links are twisted about each other. Compare the boxes: CAB, OBB, AABB."
    return _articulated("Two chains, braided", [actor], [limbs.motion], hint)


def _dancers() -> Exhibit:
    figures = bodies.dancers()
    names, paints = ("she", "he"), (ORANGE, BLUE)
    actors = [
        LinksActor(name, figure, colours=figure_colours(paint))
        for name, figure, paint in zip(names, figures, paints, strict=True)
    ]
    motions = [figure.motion for figure in figures if figure.motion is not None]
    hint = "Two generated figures of capsules. Red bones touch, within a figure or between the two."
    return _articulated("Two dancers", actors, motions, hint)


def _articulated(title: str, actors: list[LinksActor], motions: list[Array], hint: str) -> Exhibit:
    def go(frame: int) -> None:
        for actor, motion in zip(actors, motions, strict=True):
            actor.body.move(motion[frame])

    timeline = Timeline(len(motions[0]), go)
    return Scene(title, actors, movers=[Trees(actors)], timeline=timeline, hint=hint)


def _necklace(title: str, frames: Array, radius: float, hint: str) -> Exhibit:
    rope = er.Necklace(frames[0], radius)
    actor = NecklaceActor("rope", rope)
    timeline = Timeline(len(frames), lambda frame: rope.move(frames[frame]))
    return Scene(title, [actor], movers=[Family(actor)], timeline=timeline, hint=hint, start=Show(level=4))


def _spiral() -> Exhibit:
    hint = "All 500 beads move in every frame. Balls around parts of it prove it free: select the proof."
    return _necklace("A line rolls up", scenes.spiral(500, frames=160)[8:], 0.4, hint)


def _swarm() -> Exhibit:
    start = scenes.long_coil(2_000, seed=5)
    frames = np.stack(list(scenes.brownian(start, 120, 0.05)))
    hint = "2,000 beads in Brownian motion; none overlaps another. Show the closest two."
    return _necklace("A coil in Brownian motion", frames, 0.49, hint)


SCENES: dict[str, tuple[str, Callable[[], Exhibit]]] = {
    "springs": ("two springs on a path: collisions, closest points, boxes of each level", _springs),
    "ring": ("a ring and a pill that can be moved", _torus),
    "chain": ("a chain of 10,000 balls with torsion joints", _chain),
    "protein": ("a protein-like chain of 900 atoms with torsions", _backbone),
    "polymer": ("a self-avoiding polymer, sampled by Monte Carlo, live", live.polymer),
    "arm": ("a robot arm at a table, a slider for each joint", _arm),
    "hand": ("a hand that flicks a ball", _hand),
    "braid": ("two braided chains of links", _braid),
    "dancers": ("two figures that dance and touch", _dancers),
    "spiral": ("a necklace that rolls up, with its cages and the proof that it is free", _spiral),
    "coil": ("a necklace of 2,000 beads in Brownian motion", _swarm),
    "hook": ("a hook on a motion past a plate, proved free", live.hook),
    "plan": ("a planner that moves a hook through a window, live", live.plan),
    "budget": ("two springs, 100 tests per call: what is proved so far", live.budget),
}


def built_in() -> dict[str, str]:
    """Names of the built-in scenes, and a line about each.

    Examples
    --------
    >>> from elbowroom.viewer import built_in
    >>> built_in()["chain"]
    'a chain of 10,000 balls with joints to turn'
    """
    return {name: line for name, (line, _) in SCENES.items()}


def open_built_in(name: str) -> Exhibit:
    """The scene of this name."""
    if name not in SCENES:
        raise ValueError(f"name: there is no built-in scene {name!r:.80}; there are {', '.join(SCENES)}")
    return SCENES[name][1]()
