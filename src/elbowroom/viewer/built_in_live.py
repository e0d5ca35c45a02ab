"""Built-in scenes that compute while one looks, and motions with their proofs."""

from __future__ import annotations

import numpy as np

import elbowroom as er
from elbowroom import scenes

from . import built_in_bodies as bodies
from .bodies import RigidActor
from .exhibit import Exhibit
from .exhibit_live import Budgeted, Sampling
from .exhibit_plan import Planning, proved_motion
from .layers import ORANGE

#: Links of the polymer.
LINKS = 1000


def polymer() -> Exhibit:
    """A coil of hard balls that is pivoted."""
    hint = f"Play: {LINKS:,} links take pivots; each is tested in microseconds, and undone if it collides."
    return Sampling("A polymer, sampled", lambda: er.sampling.polymer(LINKS, radius=0.45, seed=1), hint=hint)


def budget() -> Exhibit:
    """One spring is screwed into another; a call may take so many tests."""
    spring = er.Mesh(*scenes.spring())
    moving = RigidActor("other", bodies.twin(spring), colour=ORANGE, opacity=0.5)
    hint = (
        "Play: every call uses its budget and continues where the last one stopped. Green boxes are proved "
        "apart, golden ones are still open. Then let the spring go along its path."
    )
    still = RigidActor("spring", spring, opacity=0.5)
    return Budgeted("A check on a budget", still, moving, scenes.spring_path(100)[:60], place=11, hint=hint)


def hook() -> Exhibit:
    """The hook of the paper on motion, past a plate."""
    passage = scenes.past_a_plate()
    legs = er.Group([(er.Box(size), er.Pose(translation=at)) for size, at in scenes.hook()])
    plate = er.Group([(er.Box(passage.extents), er.Pose(translation=passage.centre))])
    hint = "No sample can miss what happens between samples: the whole motion is proved free, or not."
    motion = er.Motion(passage.start, passage.goal)
    return proved_motion("A motion with a proof", legs, motion, plate, hint=hint)


def plan() -> Exhibit:
    """A hook that must turn to get through a window."""
    start, goal = np.eye(4), er.Pose([0.5**0.5, 0, 0.5**0.5, 0]).matrix.copy()
    start[:3, 3], goal[:3, 3] = (-2.6, -1.0, -1.0), (2.6, 1.0, 0.5)
    # Turns count as far as the hook's end goes: by positions alone it would hardly turn on its way.
    low, high = [-3.6, -1.5, -1.5], [3.6, 1.5, 1.5]
    space = er.planning.RigidSpace(low, high, metric="weighted", weight=bodies.LEG)
    hint = "Play: two trees of proved motions grow until they meet; then the hook follows the path and back."
    return Planning(
        "Through the window", bodies.small_hook(), bodies.window(), space, (start, goal), hint=hint
    )
