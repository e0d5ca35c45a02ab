"""What a chain must stay clear of while it is sampled."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from elbowroom import _arrays, _core
from elbowroom._motion_pieces import Piece, obstacle_list, standing_pieces
from elbowroom.chain import Chain
from elbowroom.questions import collide

if TYPE_CHECKING:
    from elbowroom.body import Body


class Surroundings:
    """Obstacles as rigid bodies at poses. What can change is copied, so the caller may go on with it."""

    def __init__(self, obstacles: Any) -> None:
        listed = obstacle_list(obstacles)
        for each in listed:
            if each.moves:
                where = f"obstacles[{each.number}]"
                raise ValueError(f"{where} moves: while a chain is sampled, obstacles stand still")
        self._pieces: list[Piece] = list(standing_pieces(listed))
        self._several = isinstance(obstacles, list)

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def add_to(self, sampler: _core.Sampler) -> None:
        """The sampler refuses states that collide with any of them."""
        for piece in self._pieces:
            sampler.add_obstacle(piece.body, piece.pose)

    def refuse_collision(self, chain: Chain, called: str = "chain") -> None:
        """ValueError that names what a chain collides with."""
        for piece in self._pieces:
            found = collide(chain, cast("Body", piece.body), pose_b=piece.pose)
            if found:
                ball, primitive = (int(i) for i in found.pairs[0])
                whose = (
                    piece.obstacles if isinstance(piece.obstacles, int) else int(piece.obstacles[primitive])
                )
                name = f"obstacles[{whose}]" if self._several else "obstacles"
                raise ValueError(
                    f"{called} collides with {name} before the first step: {ball_name(chain, ball)} overlaps"
                    f" its primitive {piece.numbers[primitive]}"
                )

    def description(self) -> dict[str, Any]:
        """Enough to tell whether a run that goes on has the same obstacles."""
        digest = hashlib.sha256()
        for piece in self._pieces:
            body, pose = piece.body, np.eye(4) if piece.pose is None else _arrays.pose(piece.pose, "pose")
            for array in (body._points, body._first, body._radius, pose):
                digest.update(np.ascontiguousarray(array).tobytes())
        count = sum(len(piece.body) for piece in self._pieces)
        return {"primitives": count, "sha256": digest.hexdigest()}


def ball_name(chain: Chain, ball: int) -> str:
    """What an error calls a ball."""
    if chain.labels is not None:
        return chain.labels[ball]
    return f"link {ball}" if ball < len(chain) else f"side ball {ball - len(chain)}"
