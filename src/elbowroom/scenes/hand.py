"""A hand that flicks a ball over a table.

After table 5 and figure 4 of Schmidl, Walker and Lin, "CAB: Fast Update of OBB Trees for Collision Detection
between Articulated Bodies" (Journal of Graphics Tools, 2004), where the motion came from a glove. The paper
counts 288,072 pairs, 72 in each of 4001 frames, and does not say of what. Here they are 18 links of a hand
(forearm, wrist, palm, three of each finger) against four things: a ball, the top of a table and two of its
rails. Lengths are in centimetres; hand, ball and motion are made up. The table lies in the plane z = 0, the
fingers point along x, and the thumb along y.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elbowroom.links import Joint, Link, Mimic
from elbowroom.pose import Pose
from elbowroom.shapes import Box, Convex, Sphere

from .articulated import Array, Limbs, _directions, _quaternions, _rhythm, _turns_of, spindle
from .rigid import _turns

FRAMES = 4_001
FLICKS = 32
BALL = 2.2  # radius

#: Where a finger begins on the palm, which way it points (degrees), its thickness, and its three lengths.
FINGERS = {
    "thumb": ((1.5, 3.0, -0.6), 42.0, 2.0, (4.4, 3.4, 2.8)),
    "index": ((8.6, 2.8, 0.0), 4.0, 1.7, (4.6, 2.7, 2.1)),
    "middle": ((9.0, 0.9, 0.2), 1.0, 1.7, (5.1, 3.1, 2.2)),
    "ring": ((8.7, -1.0, 0.1), -3.0, 1.6, (4.7, 2.9, 2.1)),
    "little": ((8.0, -2.7, -0.2), -8.0, 1.4, (3.6, 2.2, 1.8)),
}
CURL = 0.7  # of a finger's last joint, of the one before: tendons bend them together

# Of the flicking fingers' two inner joints, what is added to their bend in the course of one flick.
BEGINS = 0.1  # the motion: the fingers are drawn back
PHASES = (0.0, 0.16, 0.22, 0.28, 0.5, 1.0)
INNER = (0.0, 0.4, 0.4, -0.2, -0.05, 0.0)
OUTER = (0.0, 0.75, 0.75, -0.45, -0.15, 0.0)
#: The bend of these joints at rest, and a finger's share in the flick.
POSTURE = {
    "thumb": (0.44, 0.35, 0.02),
    "index": (0.64, 0.8, 1.0),
    "middle": (0.5, 0.8, 1.0),
    "ring": (0.56, 0.8, 0.04),
    "little": (0.66, 0.8, 0.04),
}
ARM = (-36.0, 0.0, 2.95)  # where the forearm begins
LEAN = 0.2  # of the hand, towards the little finger
LIFT = -0.3  # of the palm
TREMOR, TREMBLING = 0.04, 0.012  # of the arm in centimetres, of joints in radians
HEADING = _turns(np.array([0.0, 0.0, 1.0]), np.radians([25.0]))[0]  # the world's axes are not the table's

NEAR, FAR = 6.0, 24.0  # of the ball, along x
ROLLING = (0.0, 0.25, 0.5, 0.9, 1.0)


class Flicked(NamedTuple):
    """The hand, and the table with the ball; both move frame by frame.

    Examples
    --------
    >>> import elbowroom as er
    >>> flicked = er.scenes.hand_and_ball(frames=50)
    >>> hand = er.Articulated(flicked.hand.links, flicked.hand.joints)
    >>> len(hand)
    18
    """

    hand: Limbs
    table: Limbs


def hand_and_ball(frames: int = FRAMES, *, seed: int = 2) -> Flicked:
    """A hand hovers over a table and flicks a ball, which comes back from the far rail: table 5.

    Examples
    --------
    >>> import elbowroom as er
    >>> flicked = er.scenes.hand_and_ball(frames=50)
    >>> hand = er.Articulated(flicked.hand.links, flicked.hand.joints)
    >>> hand.move(flicked.hand.motion)
    >>> bool(er.self_collide(hand).hits.any())
    False
    """
    rng = np.random.default_rng(seed)
    phase = np.linspace(BEGINS, BEGINS + FLICKS, frames) % 1.0
    time = np.linspace(0.0, 1.0, frames)
    return Flicked(
        Limbs(*_hand(), _hand_motion(time, phase, rng)),
        Limbs(*_table(), _ball_motion(time, phase, rng)),
    )


def _hand() -> tuple[list[Link], list[Joint]]:
    links = [_limb("forearm", 22.0, 6.5, 5.0), _limb("wrist", 5.0, 6.0, 3.8), _limb("palm", 9.5, 8.0, 2.6)]
    joints = [
        Joint("arm", "free", None, "forearm"),
        Joint("wrist", "revolute", "forearm", "wrist", (np.eye(3), [21.0, 0, 0]), (0, 1, 0), (-1.2, 1.2)),
        Joint("palm", "revolute", "wrist", "palm", (np.eye(3), [3.5, 0, 0]), (0, 0, 1), (-0.5, 0.5)),
    ]
    for finger, (place, splay, thickness, lengths) in FINGERS.items():
        names = [f"{finger} {k}" for k in (1, 2, 3)]
        links += [
            _limb(name, length + 0.3 * thickness, thickness, 0.9 * thickness, -0.15 * thickness)
            for name, length in zip(names, lengths, strict=True)
        ]
        joints += _finger(names, place, splay, lengths)
    return links, joints


def _limb(name: str, length: float, width: float, depth: float, start: float = 0.0) -> Link:
    """A rounded hull along x, which begins at `start`."""
    points = spindle(length / width, depth / width, 2.5)[0] * width
    return Link(name, [(Convex(points), Pose(translation=[start + length / 2, 0.0, 0.0]))])


def _finger(
    names: list[str], place: tuple[float, ...], splay: float, lengths: tuple[float, ...]
) -> list[Joint]:
    """Three hinges; the last follows the one before."""
    root = Pose(_turns_of(np.radians([0.0, 0.0, splay])), place)
    first, second = (Pose(translation=[length, 0.0, 0.0]) for length in lengths[:2])
    return [
        _hinge("palm", names[0], root),
        _hinge(names[0], names[1], first),
        _hinge(names[1], names[2], second, Mimic(names[1], CURL)),
    ]


def _hinge(parent: str, child: str, origin: Pose, mimic: Mimic | None = None) -> Joint:
    """A joint of the child's name that bends down."""
    return Joint(child, "revolute", parent, child, origin, (0.0, 1.0, 0.0), (-0.5, 2.2), mimic)


def _table() -> tuple[list[Link], list[Joint]]:
    boards = {
        "top": ((60.0, 36.0, 3.0), (FAR + BALL - 28.0, 0.0, -1.5)),
        "far rail": ((2.0, 36.0, 4.0), (FAR + BALL + 1.0, 0.0, 2.0)),
        "left rail": ((40.0, 2.0, 4.0), (FAR + BALL - 20.0, 12.0, 2.0)),
    }
    links = [Link("ball", Sphere(BALL)), *(Link(name, Box(extents)) for name, (extents, _) in boards.items())]
    joints = [Joint("rolling", "free", None, "ball")]
    for name, (_, place) in boards.items():
        joints.append(Joint(name, "fixed", None, name, Pose(HEADING, HEADING @ place)))
    return links, joints


def _hand_motion(time: Array, phase: Array, rng: np.random.Generator) -> Array:
    """The arm hovers, two fingers flick, the others follow a little; all of it trembles."""
    place = np.array(ARM) + TREMOR * np.stack([_rhythm(time, rng) for _ in range(3)], axis=1)
    turned = HEADING @ _turns_of(np.array([LEAN, 0.0, 0.0]) + 0.2 * TREMBLING * _directions(time, rng))
    columns = [place @ HEADING.T, _quaternions(turned)]
    bends = [LIFT + 0.2 * TREMBLING * _rhythm(time, rng), TREMBLING * _rhythm(time, rng)]
    for finger in FINGERS:
        *rest, share = POSTURE[finger]
        for angle, added in zip(rest, (INNER, OUTER), strict=True):
            flick = share * np.interp(phase, PHASES, added)
            bends.append(angle + flick + TREMBLING * _rhythm(time, rng))
    return np.column_stack([*columns, *bends])


def _ball_motion(time: Array, phase: Array, rng: np.random.Generator) -> Array:
    """It lies before the fingers, rolls to the far rail when it is hit, and comes back."""
    place = np.full((len(time), 3), BALL * (1.0 + 1e-6))
    place[:, 0] = np.interp(phase, ROLLING, (NEAR, NEAR, FAR, NEAR, NEAR))
    place[:, 1] = 1.9 + 0.3 * _rhythm(time, rng)
    upright = np.tile([1.0, 0.0, 0.0, 0.0], (len(time), 1))
    return np.column_stack([place @ HEADING.T, upright])
