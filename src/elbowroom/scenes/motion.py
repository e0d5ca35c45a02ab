"""Motions of a hook, after He and van den Berg, "Efficient Exact Collision-Checking of 3-D Rigid Body Motions
using Linear Transformations and Distance Computations in Workspace" (ICRA 2014) [He2014]_.

Its obstacles and random configurations are `tetrahedra` and `hook_poses`. The paper says of the hook only
that it has two legs of length 5: their width is chosen here, or they are segments. The paper's Figure 1 is a
picture; a motion past one obstacle with the distance computations of its caption was searched for.

Everything is a plain array; the same arguments give the same numbers on every machine up to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .rigid import LEG_LENGTH, WORLD_SIDE, hook

Array = NDArray[np.float64]
Origin = Literal["corner", "ball"]

THIN = 0.4
# Of the motion past a plate: how far it goes, where the turn begins and how far it goes, the plate.
STEP = (13.0, 0.0, 2.0)
FIRST_ANGLE, TURN = 2.2, 0.7
PLATE, PLATE_CENTRE = (9.0, 6.0, 1.0), (-2.0, -1.0, -2.25)


@dataclass(frozen=True)
class Passage:
    """A motion of the hook, from one pose (4, 4) to another, past a box: its extents and its centre.

    Examples
    --------
    >>> import elbowroom as er
    >>> passage = er.scenes.past_a_plate()
    >>> passage.start.shape, passage.goal.shape
    ((4, 4), (4, 4))
    """

    start: Array
    goal: Array
    extents: Array
    centre: Array


def thin_hook(width: float = THIN, *, origin: Origin = "corner") -> list[tuple[Array, Array]]:
    """The two legs of the hook as boxes (extents, centre) of any width.

    The body turns about its origin: the corner at which the legs meet, or the centre of the smallest "ball"
    about them, which is what the paper's last section suggests.

    Examples
    --------
    >>> import elbowroom as er
    >>> hook = er.Group([(er.Box(size), er.Pose(translation=at)) for size, at in er.scenes.thin_hook()])
    >>> len(hook)
    2
    """
    shift = _shift(width, origin)
    return [(np.where(extents == LEG_LENGTH, extents, width), centre - shift) for extents, centre in hook()]


def hook_segments(*, origin: Origin = "corner") -> Array:
    """The two legs as segments, an array (2, 2, 3) of their ends, each beginning at the corner.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.scenes.hook_segments().shape
    (2, 2, 3)
    """
    legs = np.zeros((2, 2, 3))
    legs[0, 1, 0] = legs[1, 1, 1] = LEG_LENGTH
    return legs - _shift(0.0, origin)


def hook_root() -> Array:
    """The pose (4, 4) at which a tree of motions begins: the middle of the world, where no tetrahedron is.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.scenes.hook_root()[:3, 3].tolist()
    [50.0, 50.0, 50.0]
    """
    pose = np.eye(4)
    pose[:3, 3] = WORLD_SIDE / 2
    return pose


def past_a_plate() -> Passage:
    """Figure 1: the hook goes along x, turning slowly about that axis, and a plate lies below.

    The isotropic bound takes 9 distance computations to prove it free, the hourglass 3. Of random motions and
    boxes in round numbers many have these counts; this one keeps them if every number is changed by a little.

    Examples
    --------
    >>> import elbowroom as er
    >>> passage = er.scenes.past_a_plate()
    >>> hook = er.Group([(er.Box(size), er.Pose(translation=at)) for size, at in er.scenes.thin_hook()])
    >>> plate = er.Group([(er.Box(passage.extents), er.Pose(translation=passage.centre))])
    >>> er.check(hook, er.Motion(passage.start, passage.goal), plate).free
    True
    """
    return Passage(
        _turned(FIRST_ANGLE, -0.5), _turned(FIRST_ANGLE + TURN, 0.5), np.array(PLATE), np.array(PLATE_CENTRE)
    )


def _turned(angle: float, share: float) -> Array:
    """The hook's plane stands across x, turned about it; the corner is at a share of the step."""
    cosine, sine = np.cos(angle), np.sin(angle)
    pose = np.eye(4)
    # The legs, x and y of the hook, and its normal, which goes along x of the world.
    pose[:3, :3] = np.array([[0.0, sine, -cosine], [0.0, cosine, sine], [1.0, 0.0, 0.0]]).T
    pose[:3, 3] = share * np.array(STEP)
    return pose


def _shift(width: float, origin: Origin) -> Array:
    """Where the origin is, seen from the corner. The ball touches the outer edges of the legs' far ends."""
    if origin not in ("corner", "ball"):
        raise ValueError(f"origin must be 'corner' or 'ball', got {origin!r}")
    along = (LEG_LENGTH - width / 2) / 2 if origin == "ball" else 0.0
    return np.array([along, along, 0.0])
