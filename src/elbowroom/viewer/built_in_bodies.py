"""Bodies of the built-in scenes: an arm, two figures, a window."""

from __future__ import annotations

import math

import numpy as np

import elbowroom as er

from .layers import Array

#: Of a figure: (name, parent, where it hangs on the parent, length, radius), all in metres, bones along -z.
BONES: tuple[tuple[str, str, tuple[float, float, float], float, float], ...] = (
    ("head", "trunk", (0, 0, 0.62), -0.18, 0.1),
    ("left upper arm", "trunk", (0, 0.24, 0.48), 0.28, 0.05),
    ("left forearm", "left upper arm", (0, 0, -0.28), 0.3, 0.04),
    ("right upper arm", "trunk", (0, -0.24, 0.48), 0.28, 0.05),
    ("right forearm", "right upper arm", (0, 0, -0.28), 0.3, 0.04),
    ("left thigh", "trunk", (0, 0.1, -0.08), 0.42, 0.07),
    ("left shin", "left thigh", (0, 0, -0.42), 0.42, 0.05),
    ("right thigh", "trunk", (0, -0.1, -0.08), 0.42, 0.07),
    ("right shin", "right thigh", (0, 0, -0.42), 0.42, 0.05),
)
#: How the bones swing: (about y, about x) at rest, and by how much, once or twice in a round.
SWINGS: dict[str, tuple[Array, Array, float]] = {
    "head": (np.array([0.0, 0.0]), np.array([0.15, 0.1]), 2.0),
    "left upper arm": (np.array([-1.0, 0.35]), np.array([0.5, 0.25]), 1.0),
    "left forearm": (np.array([-0.9, 0.0]), np.array([0.5, 0.2]), 2.0),
    "right upper arm": (np.array([-1.0, -0.35]), np.array([0.5, 0.25]), 1.0),
    "right forearm": (np.array([-0.9, 0.0]), np.array([0.5, 0.2]), 2.0),
    "left thigh": (np.array([-0.15, 0.05]), np.array([0.45, 0.05]), 2.0),
    "left shin": (np.array([0.35, 0.0]), np.array([0.3, 0.0]), 2.0),
    "right thigh": (np.array([-0.15, -0.05]), np.array([-0.45, 0.05]), 2.0),
    "right shin": (np.array([0.35, 0.0]), np.array([-0.3, 0.0]), 2.0),
}
#: The wall is so thick and wide, and its window is a square with this side; the hook's legs and their width.
THICK, WIDE, WINDOW, LEG, BAR = 0.3, 5.0, 1.8, 1.9, 0.25


def twin(mesh: er.Mesh) -> er.Mesh:
    """The same surface as another body: with its triangles in the opposite order."""
    return er.Mesh(mesh.vertices, mesh.faces[::-1])


def arm() -> er.Articulated:
    """Six hinges, links of capsules, and a gripper of two boxes."""
    lengths, radii = (0.3, 0.5, 0.42, 0.12, 0.12, 0.1), (0.12, 0.09, 0.075, 0.06, 0.055, 0.05)
    axes = ((0, 0, 1), (0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1))
    limits = ((-2.9, 2.9), (-1.9, 1.9), (-2.6, 2.6), (-2.9, 2.9), (-2.0, 2.0), (-2.9, 2.9))
    links, joints, above = [er.Link("base", _upright(er.Box([0.34, 0.34, 0.1]), 0.05))], [], ("base", 0.1)
    for k, (length, radius) in enumerate(zip(lengths, radii, strict=True)):
        name = f"link {k + 1}"
        links.append(er.Link(name, _upright(er.Capsule(radius, length), length / 2)))
        origin = er.Pose(translation=[0, 0, above[1]])
        joints.append(er.Joint(f"joint {k + 1}", "revolute", above[0], name, origin, axes[k], limits[k]))
        above = (name, length)
    fingers = [(er.Box([0.03, 0.02, 0.14]), er.Pose(translation=[0, y, 0.16])) for y in (-0.045, 0.045)]
    links.append(
        er.Link("gripper", [(er.Box([0.05, 0.13, 0.05]), er.Pose(translation=[0, 0, 0.08])), *fingers])
    )
    joints.append(er.Joint("flange", "fixed", above[0], "gripper", er.Pose(translation=[0, 0, above[1]])))
    out = er.Articulated(links, joints)
    out.exclude([("link 2", "link 4"), ("link 3", "link 5"), ("link 4", "link 6"), ("link 5", "gripper")])
    out.move([0.4, 0.6, 1.1, 0.0, 0.9, 0.0])
    return out


def table() -> er.Group:
    """A board beside the arm with three things on it; the arm's base stands in a corner that is cut out."""
    return er.Group(
        [
            (er.Box([0.9, 1.4, 0.04]), er.Pose(translation=[0.75, 0, 0.0])),
            (er.Sphere(0.11), er.Pose(translation=[0.7, -0.45, 0.13])),
            (er.Box([0.18, 0.18, 0.3]), er.Pose(translation=[0.75, 0.4, 0.17])),
            (er.Capsule(0.05, 0.3), er.Pose(translation=[1.0, 0.0, 0.22])),
        ]
    )


def window() -> er.Group:
    """A wall: four boxes about a square window in the middle."""
    side, middle = (WIDE - WINDOW) / 2, (WIDE + WINDOW) / 4
    upright, beam = er.Box([THICK, side, WIDE]), er.Box([THICK, WINDOW, side])
    places = [(upright, np.array([0, 1, 0])), (beam, np.array([0, 0, 1]))]
    return er.Group([(body, (None, sign * middle * aside)) for body, aside in places for sign in (-1, 1)])


def small_hook() -> er.Group:
    """Two bars that meet at the origin."""
    along, across = er.Pose(translation=[LEG / 2, 0, 0]), er.Pose(translation=[0, 0, LEG / 2])
    return er.Group([(er.Box([LEG, BAR, BAR]), along), (er.Box([BAR, BAR, LEG]), across)])


def dancers(frames: int = 360) -> tuple[er.Articulated, er.Articulated]:
    """Two figures that turn about each other, face to face, and come so near that their arms touch."""
    return _dancer(frames, 0.0, 0.0), _dancer(frames, math.pi, 0.8)


def _dancer(frames: int, side: float, phase: float) -> er.Articulated:
    links = [er.Link("trunk", [(er.Capsule(0.13, 0.42), er.Pose(translation=[0, 0, 0.22]))])]
    joints = [er.Joint("trunk", "free", None, "trunk")]
    for name, parent, at, length, radius in BONES:
        bone = er.Capsule(radius, abs(length)), er.Pose(translation=[0, 0, -length / 2])
        links.append(er.Link(name, [bone]))
        joints.append(er.Joint(name, "spherical", parent, name, er.Pose(translation=at)))
    body = er.Articulated(links, joints)
    body.exclude([("left thigh", "right thigh"), *_shoulders()])
    body.motion, body.frame_time = _dance(frames, side, phase), 1 / 30
    body.move(body.motion[0])
    return body


def _shoulders() -> list[tuple[str, str]]:
    return [(f"{side} upper arm", "head") for side in ("left", "right")]


def _dance(frames: int, side: float, phase: float) -> Array:
    """Configurations: the trunk on a circle, facing its middle, and every bone in its rhythm."""
    time = 2 * np.pi * np.arange(frames) / frames
    around, away = time + side, 0.42 + 0.14 * np.cos(3 * time)
    columns = [away * np.cos(around), away * np.sin(around), 0.95 + 0.03 * np.cos(4 * time + phase)]
    facing = around + np.pi + 0.3 * np.sin(2 * time + phase)
    columns += [np.cos(facing / 2), np.zeros(frames), np.zeros(frames), np.sin(facing / 2)]
    for name, *_ in BONES:
        rest, swing, rounds = SWINGS[name]
        wave = np.sin(rounds * time + phase)[:, None]
        y, x = (rest + swing * wave).T
        columns += [np.cos(y / 2) * np.cos(x / 2), np.cos(y / 2) * np.sin(x / 2)]
        columns += [np.sin(y / 2) * np.cos(x / 2), -np.sin(y / 2) * np.sin(x / 2)]
    return np.stack(columns, axis=1)


def _upright(body: er.Body, height: float) -> list[tuple[er.Body, er.Pose]]:
    return [(body, er.Pose(translation=[0, 0, height]))]
