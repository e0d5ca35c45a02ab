"""The scene of a motion checker: pieces that move, and obstacles. Kept with the body that moves."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _core
from elbowroom._motion_pieces import Obstacle, Piece, all_balls, as_it_is, link_pieces, standing_pieces
from elbowroom.articulated import Articulated
from elbowroom.body import Body
from elbowroom.chain import Chain
from elbowroom.motion import Motion
from elbowroom.necklace import Necklace

#: A body keeps at most so many scenes, with at most so many primitives; one scene may have more.
MOST_SCENES, MOST_PRIMITIVES = 4, 1_000_000


class MotionScene:
    """Pieces and obstacles in the core, and what their primitives are called. Checkers share it."""

    def __init__(self) -> None:
        self.core = _core.MotionScene()
        self.primitives = 0
        self._names: list[tuple[NDArray[np.int32], NDArray[np.int32] | int]] = []

    def add(self, piece: Piece, frame: int) -> int:
        """Adds a piece to a frame; its number."""
        self._names.append((piece.numbers, piece.obstacles))
        self.primitives += len(piece.numbers)
        return self.core.add_piece(piece.body, frame, piece.pose)

    def called(self, piece: int, primitive: int) -> tuple[int, int]:
        """The obstacle (-1: the moving body) that a primitive belongs to, and its number there."""
        numbers, obstacles = self._names[piece]
        whose = obstacles if isinstance(obstacles, int) else int(obstacles[primitive])
        return whose, int(numbers[primitive])

    def add_rigid(self, body: Any) -> list[int]:
        """Adds a body that poses move; the numbers of its pieces."""
        pieces = list(as_it_is(body, "body"))
        frame = self.core.add_frame(-1, Motion(None, None))
        self.core.set_mover(frame)
        return [self.add(piece, frame) for piece in pieces]

    def add_joints(self, body: Articulated, self_too: bool) -> list[int]:
        """Adds a body that its joints move; the numbers of its pieces."""
        start = body.zero()
        first = self.core.add_links(body, start, start)
        self.core.set_mover(first)
        pieces = [self.add(piece, first + link) for link, piece in link_pieces(body)]
        if self_too:
            try:
                self.core.compare_all(np.array(pieces, np.int32), body.excluded, first)
            except MemoryError:
                count = len(pieces) * (len(pieces) - 1) // 2
                raise MemoryError(
                    f"body has {len(pieces):,} links with shapes, which make {count:,} pairs, more than "
                    "there is memory for: use self_too=False, or fewer links"
                ) from None
        return pieces

    def add_obstacles(self, movers: list[int], obstacles: Sequence[Obstacle]) -> None:
        """Adds obstacles, and compares them with the pieces that move."""
        others = [self.add(piece, -1) for piece in standing_pieces(o for o in obstacles if not o.moves)]
        for obstacle in obstacles:
            if obstacle.moves:
                others += self._add_moving(obstacle)
        for other in others:
            for mover in movers:
                self.core.compare(mover, other)

    def _add_moving(self, obstacle: Obstacle) -> list[int]:
        def of(piece: Piece) -> Piece:
            return Piece(piece.body, piece.pose, piece.numbers, obstacle.number)

        if obstacle.path is not None:
            first = self.core.add_links(obstacle.body, obstacle.path[0], obstacle.path[1])
            return [self.add(of(piece), first + link) for link, piece in link_pieces(obstacle.body)]
        assert obstacle.motion is not None
        frame = self.core.add_frame(-1, obstacle.motion)
        return [
            self.add(of(piece), frame) for piece in as_it_is(obstacle.body, f"obstacles[{obstacle.number}]")
        ]


def scene_of(
    body: Any, obstacles: Sequence[Obstacle], keeper: Any, *, by_joints: bool, self_too: bool
) -> MotionScene:
    """The scene of a body among obstacles: one that the keeper has, or a new one, which it then keeps.

    The keeper is the body that the caller has. Body and obstacles are copies of what can change, so that no
    other thread changes them here.
    """
    content = _content_of(body, obstacles, by_joints, self_too)
    kept: tuple[_Kept, ...] = () if content is None else vars(keeper).get("_scenes", ())
    for one in kept:
        scene = one.scene
        if scene is not None and one.content_is(content):
            return scene
    scene = MotionScene()
    movers = scene.add_joints(body, self_too) if by_joints else scene.add_rigid(body)
    scene.add_obstacles(movers, obstacles)
    if content is not None:
        vars(keeper)["_scenes"] = _shortened((_Kept(content, scene), *kept))
    return scene


@dataclass(frozen=True)
class _Content:
    """All that a scene is made of: objects that never change, and the bytes of what can."""

    objects: tuple[Any, ...]
    data: tuple[Any, ...]


class _Kept:
    """A scene, and what it is made of. The objects are not kept alive: the scene ends with any of them."""

    def __init__(self, content: _Content, scene: MotionScene) -> None:
        self.scene: MotionScene | None = scene
        me = weakref.ref(self)

        def end(_: Any) -> None:
            if (kept := me()) is not None:
                kept.scene = None

        self._objects = tuple(weakref.ref(one, end) for one in content.objects)
        self._data = content.data

    def content_is(self, content: _Content | None) -> bool:
        return (
            content is not None
            and self._data == content.data
            and len(self._objects) == len(content.objects)
            and all(ref() is one for ref, one in zip(self._objects, content.objects, strict=True))
        )


def _shortened(kept: tuple[_Kept, ...]) -> tuple[_Kept, ...]:
    """As many as may be kept, of those that have not ended; the first always."""
    out: list[_Kept] = []
    total = 0
    for one in kept[: MOST_SCENES + 1]:
        scene = one.scene
        if scene is None:
            continue
        total += scene.primitives
        if not out or (len(out) < MOST_SCENES and total <= MOST_PRIMITIVES):
            out.append(one)
    return tuple(out)


def _content_of(body: Any, obstacles: Sequence[Obstacle], by_joints: bool, self_too: bool) -> _Content | None:
    """None if something is no body, or holds many configurations: making a scene of that is an error."""
    objects: list[Any] = []
    data: list[Any] = [by_joints]
    if by_joints:
        _add_links(body, objects)
        data.append(body._excluded.codes.tobytes() if self_too else None)
    elif not _add_standing(body, objects, data):
        return None
    for obstacle in obstacles:
        if obstacle.path is not None:
            _add_links(obstacle.body, objects)
            data.append(obstacle.path.tobytes())
            continue
        if not _add_standing(obstacle.body, objects, data):
            return None
        if obstacle.motion is not None:
            data.append(tuple(part.tobytes() for part in obstacle.motion._state()))
        else:
            data.append(None if obstacle.pose is None else obstacle.pose.matrix.tobytes())
    return _Content(tuple(objects), tuple(data))


def _add_standing(body: Any, objects: list[Any], data: list[Any]) -> bool:
    """What a body where it is now consists of; False if that cannot be told."""
    if isinstance(body, Body):
        objects.append(body._as_it_is())
    elif isinstance(body, Chain):
        centres, radii, _ = all_balls(body)
        data.append(("chain", centres.tobytes(), radii.tobytes()))
    elif isinstance(body, Necklace):
        centres = body.positions()
        data.append(("necklace", centres.shape, centres.tobytes(), np.asarray(body.radii).tobytes()))
    elif isinstance(body, Articulated) and not body.many:
        _add_links(body, objects)
        data.append(("links", body.link_poses().tobytes()))
    else:
        return False
    return True


def _add_links(body: Articulated, objects: list[Any]) -> None:
    objects.append(body._skeleton)
    objects += [piece for _, piece in link_pieces(body)]
