"""Two chains of eight links that swing past each other, or are braided: sixteen links in all.

After Schmidl, Walker and Lin, "CAB: Fast Update of OBB Trees for Collision Detection between Articulated
Bodies" (Journal of Graphics Tools, 2004), tables 1 to 4: convex links three and six times as long as thick,
dented ones "reminiscent of a boat hull", and chains that end up braided. The paper tells of 120 pairs a
frame, which are the pairs of 16 links, and of 10,000 frames from a simulation that it does not give. The
motions here are made up: smooth, and so close that about as many boxes and links meet as in the paper. Its
boxes about all vertices and about eight corners met nearly as often as each other, so its links filled their
boxes well: these have blunt ends.

A link is one thick and `ratio` long, along the x axis of its frame, whose origin is the joint to its parent.
The same arguments give the same numbers on every machine up to rounding; fewer frames are the same motion in
larger steps.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom.body import Body
from elbowroom.links import Joint, Link
from elbowroom.mesh import Mesh
from elbowroom.pose import Pose
from elbowroom.shapes import Convex

from .rigid import Surface, _cap_faces, _tube_faces

Array = NDArray[np.float64]

FRAMES = 10_000
LINKS = 8  # of each of the two chains
GAP = 0.3  # between consecutive links of a straight chain, which do not touch
SIDES = 8  # corners of a link's cross-section
CAP = np.array([0.06, 0.2, 0.5])  # of the rings at an end, how far from the tip
BLUNTNESS = 6.0  # of the ends
FLATNESS = 0.85  # depth of a convex link, of its width

# Motions, root mean square; angles in radians, and radii and distances in thicknesses.
BEND, SWAY = 0.2, 1.5
RHYTHM = (10.0, 50.0)  # a joint's, in cycles from the first frame to the last
BRAIDED_AT = 0.1  # of the whole time
LOOSE, TIGHT, STRAY = 1.5, 0.58, 0.08
TWIST, UNREST = 1.0, 0.1  # from one joint of a braid to the next, and the share by which it changes
ROLL = 0.2  # of a braid's links about their length, so that boxes meet before links do
ROCKING = 0.08


class Limbs(NamedTuple):
    """What an `Articulated` is made of, and its motion: configurations (frames, dof).

    Examples
    --------
    >>> import elbowroom as er
    >>> limbs = er.scenes.swinging_chains(10)
    >>> len(limbs.links), len(limbs.joints), limbs.motion.shape
    (16, 16, (10, 70))
    """

    links: list[Link]
    joints: list[Joint]
    motion: Array


def spindle(ratio: float = 6.0, flatness: float = FLATNESS, bluntness: float = BLUNTNESS) -> Surface:
    """A closed convex rod with round ends: vertices (58, 3) and faces (112, 3).

    It lies along x, is `ratio` long, one wide in y and `flatness` deep in z; `bluntness` 2 is a half ball at
    either end.

    Examples
    --------
    >>> import elbowroom as er
    >>> rod = er.Convex(er.scenes.spindle()[0])
    >>> (rod.bounds[1] - rod.bounds[0]).round(9).tolist()
    [6.0, 1.0, 0.85]
    """
    angle = 2 * np.pi * (np.arange(SIDES) + 0.5) / SIDES
    # An octagon on its side reaches less far than its corners; stretched, it touches its box.
    across = np.stack([np.cos(angle), flatness * np.sin(angle)], axis=1) / math.cos(np.pi / SIDES)
    return _lofted(ratio, across, bluntness)


def boat(ratio: float = 6.0) -> Surface:
    """The lower half of such a rod, dented from above like a boat: closed, not convex.

    It has as many vertices and faces, is as long and as wide, and about half as deep.

    Examples
    --------
    >>> import elbowroom as er
    >>> vertices, faces = er.scenes.boat()
    >>> vertices.shape, faces.shape
    ((58, 3), (112, 3))
    """
    around = np.pi * np.arange(5) / 4
    inner = around[3:0:-1]
    outside = np.stack([-np.cos(around), -FLATNESS * np.sin(around)], axis=1)
    inside = np.stack([-0.85 * np.cos(inner), -0.7 * FLATNESS * np.sin(inner)], axis=1)
    return _lofted(ratio, np.concatenate([outside, inside]), BLUNTNESS)


def swinging_chains(
    frames: int = FRAMES,
    ratio: float = 6.0,
    *,
    dented: bool = False,
    lean: float = 0.7,
    swing: float = 0.3,
    apart: float = 12.0,
    seed: int = 9,
) -> Limbs:
    """Two chains that hang `apart` and swing, every joint in a rhythm of its own: tables 1 to 3.

    On average they hang down but for an angle `lean`; `swing` is that of the uppermost links.

    Examples
    --------
    >>> import elbowroom as er
    >>> limbs = er.scenes.swinging_chains(100)
    >>> body = er.Articulated(limbs.links, limbs.joints)
    >>> body.move(limbs.motion)
    >>> er.self_collide(body).hits.sum().item()
    2
    """
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, 1.0, frames)
    down = _turns_of(np.array([[0.0, np.pi / 2, 0.0]]))
    parts = []
    for side in (-0.5, 0.5):
        place = np.zeros((frames, 3))
        place[:, 1] = side * apart + SWAY * _rhythm(time, rng)
        leaning = np.array([0.0, lean, 0.0]) + swing * _directions(time, rng)[:, [1, 2, 0]]
        parts += [place, _quaternions(_turns_of(leaning) @ down)]
        parts += [_quaternions(_turns_of(BEND * _directions(time, rng))) for _ in range(LINKS - 1)]
    return Limbs(*_chains(ratio, dented), np.concatenate(parts, axis=1))


def braided_chains(frames: int = FRAMES, ratio: float = 6.0, *, seed: int = 6) -> Limbs:
    """Two chains side by side that are twisted about each other and then stay braided: table 4.

    The joints of both lie on a double helix along x that rocks, breathes and tightens; links are its chords.

    Examples
    --------
    >>> import elbowroom as er
    >>> limbs = er.scenes.braided_chains(100)
    >>> body = er.Articulated(limbs.links, limbs.joints)
    >>> body.move(limbs.motion)
    >>> er.self_collide(body).hits.sum().item()
    47
    """
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, 1.0, frames)
    share = np.clip(time / BRAIDED_AT, 0.0, 1.0)[:, None]
    done = share * share * (3.0 - 2.0 * share)
    twist = TWIST * done * (1.0 + UNREST * _rhythm(time, rng)[:, None])
    rocking = _turns_of(ROCKING * _directions(time, rng))
    parts = []
    for side in (0.0, np.pi):
        stray = np.stack([_rhythm(time, rng) for _ in range(LINKS + 1)], axis=1)
        radius = LOOSE + (TIGHT - LOOSE) * done + STRAY * stray
        angle = side + twist * (np.arange(LINKS + 1) - LINKS / 2)
        parts += _along(_helix(radius, angle, ratio + GAP), (angle[:, 1:] + angle[:, :-1]) / 2, rocking)
    return Limbs(*_chains(ratio, dented=False), np.concatenate(parts, axis=1))


def _lofted(ratio: float, across: Array, bluntness: float) -> Surface:
    """A polygon (SIDES, 2) carried along x, with round ends that close in two tips."""
    from_tip = np.concatenate([CAP, [0.5 * ratio], CAP[::-1]])
    along = np.concatenate([CAP, [0.5 * ratio], ratio - CAP[::-1]]) - 0.5 * ratio
    short = 1.0 - np.minimum(from_tip / CAP[-1], 1.0)
    width = 0.5 * (1.0 - short**bluntness) ** (1.0 / bluntness)
    rings = np.empty((len(along), SIDES, 3))
    rings[:, :, 0] = along[:, None]
    rings[:, :, 1:] = width[:, None, None] * across
    tips = np.array([[-0.5 * ratio, 0.0, 0.0], [0.5 * ratio, 0.0, 0.0]])
    segments = len(along) - 1
    faces = np.concatenate([_tube_faces(segments, SIDES), _cap_faces(segments, SIDES)])
    return np.concatenate([rings.reshape(-1, 3), tips]), faces


def _chains(ratio: float, dented: bool) -> tuple[list[Link], list[Joint]]:
    """Links a0 to a7 and b0 to b7, the first of each free in the world, the others on ball joints."""
    shape: Body = Mesh(*boat(ratio)) if dented else Convex(spindle(ratio)[0])
    middle, end = (Pose(translation=[x, 0.0, 0.0]) for x in ((ratio + GAP) / 2, ratio + GAP))
    links, joints = [], []
    for chain in "ab":
        names = [f"{chain}{k}" for k in range(LINKS)]
        links += [Link(name, [(shape, middle)]) for name in names]
        joints.append(Joint(f"root {chain}", "free", None, names[0]))
        for upper, lower in pairwise(names):
            joints.append(Joint(f"{upper} to {lower}", "spherical", upper, lower, origin=end))
    return links, joints


def _helix(radius: Array, angle: Array, length: float) -> Array:
    """Joints (frames, n, 3) at these radii and angles about x, each one length from the last."""
    joints = np.zeros((*radius.shape, 3))
    joints[..., 1], joints[..., 2] = radius * np.cos(angle), radius * np.sin(angle)
    across = (np.diff(joints, axis=1) ** 2).sum(axis=2)
    joints[:, 1:, 0] = np.cumsum(np.sqrt(length**2 - across), axis=1)
    return joints


def _along(joints: Array, outward: Array, turned: Array) -> list[Array]:
    """Configurations of a chain with these joints, its links' z axes near these angles; then all turned."""
    along = np.diff(joints, axis=1)
    along /= np.linalg.norm(along, axis=2, keepdims=True)
    out = np.stack([np.zeros_like(outward), np.cos(outward + ROLL), np.sin(outward + ROLL)], axis=2)
    across = np.cross(out, along)
    across /= np.linalg.norm(across, axis=2, keepdims=True)
    frames = turned[:, None] @ np.stack([along, across, np.cross(along, across)], axis=3)
    root = np.einsum("fij,fj->fi", turned, joints[:, 0])
    bends = np.swapaxes(frames[:, :-1], 2, 3) @ frames[:, 1:]
    return [root, _quaternions(frames[:, 0]), *(_quaternions(bends[:, k]) for k in range(bends.shape[1]))]


def _rhythm(time: Array, rng: np.random.Generator) -> Array:
    """Three waves of random pace and phase; root mean square one."""
    pace, phase = rng.uniform(*RHYTHM, 3), rng.uniform(0.0, 2 * np.pi, 3)
    return np.asarray(math.sqrt(2 / 3) * np.sin(2 * np.pi * np.outer(time, pace) + phase).sum(axis=1))


def _directions(time: Array, rng: np.random.Generator) -> Array:
    """Rotation vectors (frames, 3) across the x axis: a link bends and does not turn about its length."""
    return np.stack([np.zeros_like(time), _rhythm(time, rng), _rhythm(time, rng)], axis=1)


def _turns_of(vectors: Array) -> Array:
    """Rotation matrices of rotation vectors."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_rotvec(vectors).as_matrix())


def _quaternions(matrices: Array) -> Array:
    """Unit quaternions (w, x, y, z) of rotation matrices."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(matrices).as_quat()[:, [3, 0, 1, 2]])
