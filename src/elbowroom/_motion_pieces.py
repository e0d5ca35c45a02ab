"""What a motion checker is made of: the pieces of bodies, and what their primitives are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core
from elbowroom.articulated import Articulated
from elbowroom.body import Body, refuse_box
from elbowroom.chain import Chain
from elbowroom.group import Group
from elbowroom.motion import Motion
from elbowroom.necklace import Necklace
from elbowroom.pose import Pose

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]
#: Obstacles with more primitives keep a tree of their own; the others share one.
LARGE = 2000


@dataclass(frozen=True)
class Piece:
    """A rigid body at a pose in some frame, and what its primitives are called."""

    body: _core.RigidBody
    pose: Pose | None
    numbers: Integers
    obstacles: Integers | int = -1  # of each primitive, or of all; -1: the moving body itself


def wide(body: _core.RigidBody) -> _core.RigidBody:
    """The body under a tree with eight children a node, so that it can be compared with any other.

    Kept with the body; of a mesh, with what has the shape that it has now.
    """
    if body.children == 8 or len(body) == 1:
        return body
    body = body._as_it_is() if isinstance(body, Body) else body
    kept: _core.RigidBody | None = vars(body).get("_wide")
    if kept is None:
        kept = vars(body)["_wide"] = _core.RigidBody(body._points, body._first, body._radius, 8)
    return kept


def balls(centres: Floats, radii: Floats) -> _core.RigidBody:
    """Balls as one rigid body."""
    return _core.RigidBody(centres, np.arange(len(centres) + 1, dtype=np.int32), radii, 8)


def segments(starts: Floats, ends: Floats) -> _core.RigidBody:
    """Segments as one rigid body."""
    points = np.stack([starts, ends], axis=1).reshape(-1, 3)
    return _core.RigidBody(points, 2 * np.arange(len(starts) + 1, dtype=np.int32), np.zeros(len(starts)), 8)


def all_balls(chain: Chain) -> tuple[Floats, Floats, Integers]:
    """Centres and radii of all balls of a chain, numbered as in its answers, and the link of each."""
    radii, owners = np.asarray(chain.radii, float), np.arange(len(chain), dtype=np.int32)
    if chain.side is not None:
        radii = np.concatenate([radii, np.asarray(chain.side.radii, float)])
        owners = np.concatenate([owners, np.asarray(chain.side.owner, np.int32)])
    return chain.positions(side=True), radii, owners


def as_it_is(body: Any, name: str) -> Iterator[Piece]:
    """The pieces of any body where it is now, in its own frame."""
    if isinstance(body, Body):
        yield Piece(wide(body), None, np.arange(len(body), dtype=np.int32))
    elif isinstance(body, Chain):
        refuse_box(body, name, "this question")
        centres, radii, _ = all_balls(body)
        yield Piece(balls(centres, radii), None, np.arange(len(centres), dtype=np.int32))
    elif isinstance(body, Necklace):
        refuse_box(body, name, "this question")
        centres = body.positions()
        flat = np.zeros((len(centres), 3 - centres.shape[1]))
        centres = np.ascontiguousarray(np.hstack([centres, flat]))
        yield Piece(
            balls(centres, np.asarray(body.radii, float)), None, np.arange(len(centres), dtype=np.int32)
        )
    elif isinstance(body, Articulated):
        yield from _placed_links(body, name)
    else:
        raise TypeError(
            f"{name} must be a body (Sphere, Capsule, Box, Convex, HalfSpace, Mesh, Group, Chain, Articulated"
            f" or Necklace), got {type(body).__name__}"
        )


def _placed_links(body: Articulated, name: str) -> Iterator[Piece]:
    if body.many:
        raise ValueError(f"{name} holds many configurations: move it to one")
    poses = body.link_poses()
    for link, piece in link_pieces(body):
        inside = np.eye(4) if piece.pose is None else piece.pose.matrix
        yield Piece(piece.body, Pose.from_matrix(poses[link] @ inside), piece.numbers)


def link_pieces(body: Articulated) -> tuple[tuple[int, Piece], ...]:
    """One piece for each link that has shapes, in its frame; the primitives are called by the link.

    Kept with the body and its copies, since shapes never change and pieces depend on nothing else: neither on
    where the links are nor on which of them are compared.
    """
    shapes, pieces = vars(body).get("_link_pieces", (None, ()))
    if shapes is not body.shapes:
        pieces = tuple(_made_link_pieces(body))
        vars(body)["_link_pieces"] = (body.shapes, pieces)
    found: tuple[tuple[int, Piece], ...] = pieces
    return found


def _made_link_pieces(body: Articulated) -> Iterator[tuple[int, Piece]]:
    shapes: dict[int, list[tuple[Body, Pose]]] = {}
    for link, shape, pose in body.shapes:
        shapes.setdefault(link, []).append((shape, pose))
    for link, members in shapes.items():
        together: Body = members[0][0] if len(members) == 1 else Group(members)
        where = members[0][1] if len(members) == 1 else None
        yield link, Piece(wide(together), where, np.full(len(together), link, np.int32))


@dataclass(frozen=True)
class Obstacle:
    """One obstacle: a body, and where it stands or how it moves."""

    number: int
    body: Any
    pose: Pose | None = None
    motion: Motion | None = None
    path: Floats | None = None

    @property
    def moves(self) -> bool:
        """Does it move by itself?"""
        return self.motion is not None or self.path is not None


def obstacle_list(value: Any) -> list[Obstacle]:
    """The obstacles as they may be given: none, one, or a list."""
    if value is None:
        return []
    if not isinstance(value, (list, tuple)) or _is_pair(value):
        return [_obstacle(value, 0, "obstacles")]
    if not value:
        raise ValueError("obstacles is empty: remove it, or pass None")
    return [_obstacle(one, i, f"obstacles[{i}]") for i, one in enumerate(value)]


def _is_body(value: Any) -> bool:
    return isinstance(value, (_core.RigidBody, Chain, Articulated, Necklace))


def _is_pair(value: Sequence[Any]) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and _is_body(value[0]) and not _is_body(value[1])


def _obstacle(value: Any, number: int, name: str) -> Obstacle:
    if _is_body(value):
        return Obstacle(number, value)
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not _is_body(value[0]):
        raise ValueError(f"{name} must be a body, (body, pose) or (body, motion), got {type(value).__name__}")
    body, where = value
    if isinstance(where, Motion):
        if where._many:
            raise ValueError(f"{name}[1] must be one motion, got {len(where)} of them")
        return Obstacle(number, body, motion=where)
    if isinstance(body, Articulated) and np.ndim(where) == 2 and np.shape(where) != (4, 4):
        return Obstacle(number, body, path=_straight(body, where, f"{name}[1]"))
    if isinstance(where, Pose):
        return Obstacle(number, body, pose=where)
    return Obstacle(number, body, pose=Pose.from_matrix(_arrays.pose(where, f"{name}[1]")))


def _straight(body: Articulated, path: Any, name: str) -> Floats:
    checked = _arrays.joint_paths(path, body.dof, name)
    if len(checked) != 2:
        raise ValueError(
            f"{name} must go straight from one configuration to another, got {len(checked)} of them"
        )
    return body._skeleton.configurations(checked, name)


def standing_pieces(obstacles: Iterable[Obstacle]) -> Iterator[Piece]:
    """The pieces of obstacles that stand still; small rigid ones under one tree."""
    small: list[tuple[int, Body, Pose]] = []
    for obstacle in obstacles:
        pose = obstacle.pose or Pose()
        body = obstacle.body._as_it_is() if isinstance(obstacle.body, Body) else obstacle.body
        if isinstance(body, Body) and len(body) <= LARGE:
            small.append((obstacle.number, body, pose))
            continue
        for piece in as_it_is(body, f"obstacles[{obstacle.number}]"):
            where = pose if piece.pose is None else pose @ piece.pose
            yield Piece(piece.body, where, piece.numbers, obstacle.number)
    if len(small) == 1:
        number, body, pose = small[0]
        yield Piece(wide(body), pose, np.arange(len(body), dtype=np.int32), number)
    elif small:
        group = Group([(body, pose) for _, body, pose in small])
        numbers = np.concatenate([np.arange(len(body), dtype=np.int32) for _, body, _ in small])
        whose = np.repeat([n for n, _, _ in small], [len(body) for _, body, _ in small]).astype(np.int32)
        yield Piece(group, None, numbers, whose)
