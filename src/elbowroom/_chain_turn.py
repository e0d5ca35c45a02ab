"""Torsions of a chain as a motion: a row of rigid pieces, each turning about the bond that it hangs by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _core
from elbowroom._chain_saved import restored
from elbowroom._motion_pieces import Piece, all_balls, balls, segments
from elbowroom.body import refuse_box
from elbowroom.chain import Chain
from elbowroom.motion import Motion
from elbowroom.pose import Pose

if TYPE_CHECKING:
    from elbowroom._motion_scene import MotionScene
    from elbowroom._types import Obstacles

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]
Range = tuple[Integers, Integers]  # first and last link of each primitive


class OneTorsion:
    """One torsion of a chain without obstacles, checked by its own tree: what a certificate knows of it."""

    obstacles: Obstacles = None
    method = "auto"

    def __init__(
        self, chain: Chain, joint: int, angle: float, *, tolerance: float, clearance: float, self_too: bool
    ) -> None:
        refuse_box(chain, "body", "a check of a motion")
        self.tolerance, self.clearance, self.self_too = tolerance, clearance, self_too
        self._state: tuple[Any, ...] | Chain = chain._state_of()  # should it change later
        _axis(self._state[1], joint)  # raises if there is none
        breaks = np.sort(np.asarray(chain.breaks, np.int32))
        least = max(tolerance, _core.limits.smallest_motion_tolerance)
        self.answer = _core.check_torsion(chain, joint, angle, breaks, least, clearance)

    @property
    def body(self) -> Chain:
        """The chain as it was; made when it is first needed."""
        if isinstance(self._state, tuple):
            made: Chain = restored(*self._state)
            self._state = made
        return self._state

    def _whose(self, _piece: int, primitive: int) -> tuple[int, int]:
        return -1, primitive

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if name != "answer"}
        return kept | {"_state": self.body}


def summed(joints: NDArray[np.int64], angles: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Each joint once: one that is named twice turns by the sum, as in Chain.change."""
    once, place = np.unique(joints, return_inverse=True)
    return once, np.bincount(place, angles).astype(float)


def add_chain_turn(
    scene: MotionScene, chain: Chain, joints: NDArray[np.int64], angles: Floats, clearance: float
) -> list[int]:
    """Adds the pieces of a chain whose torsions turn from 0 to the angles; the numbers of those with balls.

    Joint j turns the links from j + 1 on about the bond from j to j + 1; link j + 1 lies on the axis. Links
    are compared as balls, with the chain's own exclusions, and bonds as segments unless they share a link,
    these only across pieces. Bonds keep the clearance if all links of the one are compared with all of the
    other.
    """
    refuse_box(chain, "body", "a check of a motion")
    centres, radii, owners = all_balls(chain)
    joints, angles = summed(joints, angles)
    starts = np.concatenate([[0], joints + 1, [len(chain)]])
    ball_pieces: list[tuple[int, Range]] = []
    piece_of, place_in = np.empty((2, len(owners)), np.int64)  # of each ball
    bond_piece, bond_place = np.full((2, len(chain)), -1, np.int64)
    bond_pieces: list[tuple[int, Range]] = []
    # Points are kept about a ball of the chain, not about the origin of the world, which may be far away.
    frame, origin, local, where = -1, np.zeros(3), centres[0], Pose(translation=centres[0])
    for k in range(len(joints) + 1):
        if k:
            at = centres[joints[k - 1] + 1]
            axis = _axis(centres, int(joints[k - 1]))
            frame = scene.core.add_frame(frame, _turn(at - origin, axis, float(angles[k - 1])))
            origin, local, where = at, at, Pose()
        of_piece = np.flatnonzero((owners >= starts[k]) & (owners < starts[k + 1])).astype(np.int32)
        body = balls(np.ascontiguousarray(centres[of_piece] - local), radii[of_piece])
        number = scene.add(Piece(body, where, of_piece), frame)
        ball_pieces.append((number, (owners[of_piece], owners[of_piece])))
        piece_of[of_piece], place_in[of_piece] = number, np.arange(len(of_piece))
        bonds = _bonds(chain, int(starts[k]), int(starts[k + 1]))
        if len(bonds):
            lines = segments(centres[bonds] - local, centres[bonds + 1] - local)
            number = scene.add(Piece(lines, where, bonds), frame)
            bond_piece[bonds], bond_place[bonds] = number, np.arange(len(bonds))
            bond_pieces.append((number, (bonds, bonds + np.int32(1))))
    gap, named = chain._rule
    if gap < 0:  # else the gap keeps a ball from being compared with itself
        named = np.concatenate([named, np.repeat(np.arange(len(owners)), 2).reshape(-1, 2)])
    _compare_all(scene, ball_pieces, gap, _by_pieces(piece_of[named], place_in[named]))
    _compare_all(scene, bond_pieces, 0, {}, bonds=True)  # those that share no link
    if clearance > 0:
        apart = bonds_of_pairs(named, len(chain))
        apart = apart[(bond_piece[apart] >= 0).all(axis=1)]
        excluded = _by_pieces(bond_piece[apart], bond_place[apart])
        _compare_all(scene, bond_pieces, max(gap, 0), excluded, bonds=True, clear=True)
    return [number for number, _ in ball_pieces]


def bonds_of_pairs(pairs: NDArray[Any], links: int) -> NDArray[np.int64]:
    """The pairs (k, 2) of bonds of which one link each is in one of these pairs of balls."""
    own = pairs[(pairs < links).all(axis=1)].astype(np.int64)
    bonds = np.concatenate([own - (i, j) for i in (0, 1) for j in (0, 1)])
    return bonds[((bonds >= 0) & (bonds < links - 1)).all(axis=1)]


def _axis(centres: Floats, joint: int) -> Floats:
    bond = centres[joint + 1] - centres[joint]
    length = float(np.linalg.norm(bond))
    if not length > 0:
        raise ValueError(
            f"motion turns joint {joint}, which has no axis:"
            f" the centres of links {joint} and {joint + 1} coincide"
        )
    return np.asarray(bond / length)


def _turn(shift: Floats, axis: Floats, angle: float) -> Motion:
    motion = Motion(Pose(translation=shift), Pose(translation=shift))
    motion._set_axis(np.copysign(1.0, angle) * axis[None], np.array([abs(angle)]))
    return motion


def _bonds(chain: Chain, start: int, end: int) -> Integers:
    """The bonds that go with links start .. end - 1, each from the link before; none across a break."""
    bonds = np.arange(max(start - 1, 0), end - 1, dtype=np.int32)
    return bonds[~np.isin(bonds, np.asarray(list(chain.breaks), np.int32))]


def _by_pieces(pieces: NDArray[np.int64], places: NDArray[np.int64]) -> dict[tuple[int, int], Integers]:
    """Of every two pieces the pairs (k, 2) of balls by their places there, both ways round."""
    both = np.concatenate([pieces, pieces[:, ::-1]])
    pairs = np.concatenate([places, places[:, ::-1]]).astype(np.int32)
    order = np.lexsort((both[:, 1], both[:, 0]))
    both, pairs = both[order], pairs[order]
    new = np.flatnonzero((np.diff(both, axis=0) != 0).any(axis=1)) + 1
    starts = [0, *new.tolist()] if len(both) else []
    return {
        (int(both[i, 0]), int(both[i, 1])): np.ascontiguousarray(some)
        for i, some in zip(starts, np.split(pairs, new), strict=False)
    }


def _compare_all(
    scene: MotionScene,
    pieces: list[tuple[int, Range]],
    gap: int,
    excluded: dict[tuple[int, int], Integers],
    *,
    bonds: bool = False,
    clear: bool = False,
) -> None:
    """Balls are compared within a piece too. Bonds keep the clearance only if they are to be `clear`."""
    none = np.empty((0, 2), np.int32)
    for k, one in enumerate(pieces):
        for other in pieces[k + bonds :]:
            (a, links_a), (b, links_b) = sorted((one, other), key=lambda p: len(p[1][0]))
            both = [np.ascontiguousarray(np.stack(r, axis=1), np.int32) for r in (links_a, links_b)]
            filter_ = scene.core.add_filter(both[0], both[1], gap, excluded.get((a, b), none))
            scene.core.compare(a, b, filter_, clear or not bonds)
