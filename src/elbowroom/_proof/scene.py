"""What a motion certificate is about: frames, pieces, and which pieces may not touch.

Part of the independent check of motion certificates. Bodies are read as they were given to `er.check`.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, product
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom._proof.frames import Floats, Frames, Integers
from elbowroom._proof.moves import add_links, add_torsions, rigid_moves, torsions_of
from elbowroom._proof.pieces import KINDS, Flock, Hulls, Names, Pieces, balls, joined, segments
from elbowroom.articulated import Articulated
from elbowroom.body import Body
from elbowroom.chain import Chain
from elbowroom.necklace import Necklace
from elbowroom.pose import Pose

PRIMITIVE, LINK, BALL, BOND = range(len(KINDS))


class Claim(Protocol):
    """What a certificate says, as far as it is checked."""

    @property
    def body(self) -> Any: ...

    @property
    def motion(self) -> Any: ...

    @property
    def obstacles(self) -> Any: ...

    @property
    def clearance_asked(self) -> float: ...

    @property
    def self_too(self) -> bool: ...

    @property
    def intervals(self) -> Floats: ...

    @property
    def free(self) -> bool | None: ...

    @property
    def first_contact(self) -> tuple[float, float] | None: ...

    @property
    def pair(self) -> Any: ...

    @property
    def obstacle(self) -> int | None: ...


@dataclass
class Scene:
    """Frames, pieces, and the pairs of flocks to be compared."""

    frames: Frames = field(default_factory=Frames)
    flocks: list[Flock] = field(default_factory=list)
    pairs: list[tuple[Flock, Flock]] = field(default_factory=list)
    chain: Chain | None = None  # whose links may touch where it says so
    bonds_keep_clear: bool = False  # only those that need not are left out; else, those that share a link

    def __post_init__(self) -> None:
        self.pieces: Pieces
        self.centre: Floats

    @classmethod
    def of(cls, claim: Claim) -> Scene:
        """Everything that a certificate is about."""
        scene = cls()
        mine = scene._read(claim.body, claim.motion, -1, bool(claim.self_too))
        theirs = list(scene._obstacles(claim.obstacles))
        scene.pairs += product([flock for flock in mine if flock.names.kind[0] != BOND], theirs)
        scene.flocks = mine + theirs
        if scene.pairs:
            scene._centre(mine[0])
            scene._cut_half_spaces()
            scene.pieces = Pieces(scene.flocks)
        return scene

    def _centre(self, flock: Flock) -> None:
        """Puts the origin of the world where the body is at first: rounding is a part of the coordinates."""
        turned, placed = self.frames.poses(np.zeros(1, np.int64), np.zeros(1))
        self.centre = turned[flock.frame, 0] @ flock.hulls.points[0] + placed[flock.frame, 0]
        self.frames.shift(-self.centre)
        for other in self.flocks:
            if other.frame == 0:
                away = np.eye(4)
                away[:3, 3] = -self.centre
                other.hulls = other.hulls.moved(away)

    def _cut_half_spaces(self) -> None:
        """To boxes as large as all the room in which anything else ever is."""
        farthest = self.frames.farthest
        room = max(float(farthest[flock.frame]) + flock.hulls.farthest() for flock in self.flocks)
        for flock in self.flocks:
            flock.hulls = flock.hulls.cut(room + float(farthest[flock.frame]))

    def _read(self, body: Any, how: Any, obstacle: int, with_itself: bool) -> list[Flock]:
        """The flocks of something that moves."""
        if hasattr(how, "angle"):
            hulls, numbers, kind = as_it_stands(body)
            return [_flock(self.frames.add(0, rigid_moves(how)), hulls, obstacle, numbers, kind)]
        if isinstance(body, Articulated):
            return self._links(body, np.asarray(how, np.float64), obstacle, with_itself)
        if isinstance(body, Chain):
            return self._parts(body, how, obstacle)
        raise ValueError(f"motion: nothing is known of a {type(body).__name__} on a {type(how).__name__}")

    def _links(self, body: Articulated, path: Floats, obstacle: int, with_itself: bool) -> list[Flock]:
        """A flock for each link that has shapes."""
        frames, flocks = add_links(self.frames, body, path), dict[int, Flock]()
        for link in sorted({link for link, _, _ in body.shapes}):
            hulls = joined(
                [_rigid(shape).moved(pose.matrix) for at, shape, pose in body.shapes if at == link]
            )
            flocks[link] = _flock(frames[link], hulls, obstacle, np.full(len(hulls.radius), link), LINK)
        excluded = {(i, j) for i, j in body.excluded.tolist()}
        if with_itself:
            compared = (pair for pair in combinations(flocks, 2) if pair not in excluded)
            self.pairs += [(flocks[i], flocks[j]) for i, j in compared]
        return list(flocks.values())

    def _parts(self, chain: Chain, torsions: Any, obstacle: int) -> list[Flock]:
        """Balls and bonds of each part between two joints that turn.

        Balls are compared with balls, also within a part: they may overlap from the beginning. Bonds, which
        go with the link that they lead to, are compared with bonds of other parts, which may pass through.
        """
        joints, angles = torsions_of(torsions)
        frames, origin = add_torsions(self.frames, chain, joints, angles)
        places, radii, link = ball_table(chain)
        bonds = np.setdiff1d(np.arange(len(chain) - 1), np.asarray(chain.breaks, np.int64))
        flocks: dict[int, list[Flock]] = {BALL: [], BOND: []}
        for part, frame in enumerate(frames):
            mine = np.flatnonzero(np.searchsorted(joints, link) == part)
            hulls = balls(places[mine] - origin[part], radii[mine])
            flocks[BALL].append(_flock(frame, hulls, obstacle, mine, BALL))
            here = bonds[np.searchsorted(joints, bonds + 1) == part]
            if len(here):
                hulls = segments(places[here] - origin[part], places[here + 1] - origin[part])
                flocks[BOND].append(_flock(frame, hulls, obstacle, here, BOND))
        self.chain = chain
        self.pairs += [*combinations_with_replacement(flocks[BALL], 2), *combinations(flocks[BOND], 2)]
        return flocks[BALL] + flocks[BOND]

    def _obstacles(self, given: Any) -> Iterator[Flock]:
        """Everything that stands still in one flock, and the rest."""
        standing = []
        for number, (body, how) in enumerate(obstacle_list(given)):
            if how is None or _is_pose(how):
                matrix = _matrix(how, f"obstacles[{number}]")
                hulls, numbers, kind = as_it_stands(body)
                standing.append(_flock(0, hulls.moved(matrix), number, numbers, kind))
            else:
                yield from self._read(body, how, number, False)
        if standing:
            columns = zip(*(flock.names for flock in standing), strict=True)
            names = Names(*(np.concatenate(column) for column in columns))
            yield Flock(0, joined([flock.hulls for flock in standing]), names)

    def compared(self, a: Integers, b: Integers) -> NDArray[np.bool_]:
        """Of pairs of pieces from flocks that are compared: may the two not touch?"""
        out = np.ones(len(a), np.bool_)
        if self.chain is not None:
            names = self.pieces.names
            own = np.flatnonzero((names.obstacle[a] < 0) & (names.obstacle[b] < 0))
            i, j, bonds = names.number[a[own]], names.number[b[own]], names.kind[a[own]] == BOND
            # Of a flock and itself every pair comes up twice.
            apart = np.abs(i - j) >= 2
            if self.bonds_keep_clear and bonds.any():
                apart[bonds] &= self._bonds_keep_clear(i[bonds], j[bonds])
            out[own] = (a < b)[own] & np.where(bonds, apart, self._balls_compared(i, j))
        return out

    def rounds(self, clearance: float) -> Iterator[tuple[Scene, float]]:
        """What is to be proved: all with the clearance, and of bonds, too, that none passes through another.

        Bonds keep the clearance if all links of the one are compared with all of the other.
        """
        bonds = [pair for pair in self.pairs if pair[0].names.kind[0] == BOND == pair[1].names.kind[0]]
        if not clearance or not bonds:
            yield self, clearance
            return
        wide, thin = copy.copy(self), copy.copy(self)
        wide.bonds_keep_clear, thin.pairs = True, bonds
        yield wide, clearance
        yield thin, 0.0

    def clearance_of(self, a: int, b: int, clearance: float) -> float:
        """What two pieces that are compared must keep."""
        names = self.pieces.names
        if names.kind[a] != BOND or names.kind[b] != BOND:
            return clearance
        return clearance if self._bonds_keep_clear(names.number[[a]], names.number[[b]])[0] else 0.0

    def _bonds_keep_clear(self, i: Integers, j: Integers) -> NDArray[np.bool_]:
        compared = [self._balls_compared(i + p, j + q) for p in (0, 1) for q in (0, 1)]
        return np.asarray(np.logical_and.reduce(compared))

    def _balls_compared(self, i: Integers, j: Integers) -> NDArray[np.bool_]:
        """Are their links farther apart along the chain than its `exclude`, and the pair not named?"""
        assert self.chain is not None
        link, (gap, named) = ball_table(self.chain)[2], self.chain._rule
        low, high = np.minimum(i, j).astype(np.int64), np.maximum(i, j)
        excluded = np.sort(named.astype(np.int64), axis=1) @ (len(link), 1)
        return np.asarray((np.abs(link[i] - link[j]) > gap) & ~np.isin(low * len(link) + high, excluded))


def _flock(frame: int, hulls: Hulls, obstacle: int, numbers: Integers, kind: int) -> Flock:
    count = len(hulls.radius)
    return Flock(frame, hulls, Names(np.full(count, obstacle), numbers, np.full(count, kind)))


def _rigid(body: Any) -> Hulls:
    return Hulls(body._points, body._first.astype(np.int64), body._radius)


def ball_table(chain: Chain) -> tuple[Floats, Floats, Integers]:
    """Centre, radius and link of every ball: those of the links, then side balls."""
    places, links = chain.positions(side=True), np.arange(len(chain))
    if chain.side is None:
        return places, chain.radii, links
    radii = np.concatenate([chain.radii, chain.side.radii])
    return places, radii, np.concatenate([links, chain.side.owner])


def as_it_stands(body: Any) -> tuple[Hulls, Integers, int]:
    """The hulls of any body where it is now, their numbers, and what they are."""
    if isinstance(body, Body):
        return _rigid(body), np.arange(len(body)), PRIMITIVE
    if isinstance(body, Articulated):
        if body.many:
            raise ValueError("body: an articulated body holds many configurations: move it to one")
        poses = body.link_poses()
        placed = [_rigid(shape).moved(poses[link] @ pose.matrix) for link, shape, pose in body.shapes]
        counts = [len(hulls.radius) for hulls in placed]
        return joined(placed), np.repeat([link for link, _, _ in body.shapes], counts), LINK
    if isinstance(body, Chain):
        places, radii, _ = ball_table(body)
        return balls(places, radii), np.arange(len(radii)), BALL
    if isinstance(body, Necklace):
        places = np.zeros((len(body), 3))
        places[:, : body.dimension] = body.positions()
        return balls(places, body.radii), np.arange(len(body)), BALL
    raise ValueError(f"body: nothing is known of a {type(body).__name__}")


def _matrix(how: Any, name: str) -> Floats:
    """Of a pose, made a rotation to the last digits as everywhere."""
    return np.eye(4) if how is None else Pose.from_matrix(_arrays.pose(how, name)).matrix


def _is_body(value: Any) -> bool:
    return isinstance(value, Body | Articulated | Chain | Necklace)


def _is_pose(value: Any) -> bool:
    """A Pose, a matrix, or (rotation, translation); neither a motion nor a path of configurations."""
    if hasattr(value, "angle") or isinstance(value, Mapping):
        return False
    return hasattr(value, "matrix") or isinstance(value, tuple) or np.shape(value) == (4, 4)


def obstacle_list(given: Any) -> list[tuple[Any, Any]]:
    """Obstacles as `er.check` takes them: each body with how it stands or moves."""
    if given is None:
        return []
    if _is_body(given):
        return [(given, None)]
    if isinstance(given, tuple) and len(given) == 2 and _is_body(given[0]) and not _is_obstacle(given[1]):
        return [given]
    if not isinstance(given, Iterable):
        raise ValueError(f"obstacles must be bodies, got {type(given).__name__}")
    return [(item, None) if _is_body(item) else (item[0], item[1]) for item in given]


def _is_obstacle(value: Any) -> bool:
    return _is_body(value) or (isinstance(value, tuple) and len(value) == 2 and _is_body(value[0]))
