"""Rays: what they meet first, or all that they meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom.pose import Pose

if TYPE_CHECKING:
    from elbowroom._types import PoseLike
    from elbowroom.articulated import Articulated
    from elbowroom.body import Body
    from elbowroom.chain import Chain
    from elbowroom.necklace import Necklace
    from elbowroom.world import World

__all__ = ["Cast", "cast"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Cast:
    """What rays meet.

    Without `every`, all arrays have one row for each ray. With it, they have one row for each hit, by ray and
    then by distance.

    Attributes
    ----------
    distances
        (n,): from the origin to the hit, along the ray; infinite where nothing is met.
    points, normals
        (n, 3): where the ray is then, and a unit normal of the surface; NaN where nothing is met. The normal
        of a triangle follows the order of its corners; the normal of any other shape points outwards.
    primitives
        (n,): which primitive, ball or link is met; -1 for none.
    rays
        (n,): which ray.
    counters
        Tests that were made, over all rays.
    names
        Of a World, which body is met; None for none. Of any other body None.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.cast(er.Box(2), [[-5, 0, 0], [-5, 3, 0]], [1, 0, 0])
    Cast: 1 of 2 rays hit, nearest at 4
    """

    distances: Floats
    points: Floats
    normals: Floats
    primitives: NDArray[np.int32]
    rays: NDArray[np.int64]
    counters: _core.Counters
    count: int
    names: tuple[str | None, ...] | None = None

    @property
    def hits(self) -> NDArray[np.bool_]:
        """(rays,): which rays meet something."""
        out = np.zeros(self.count, bool)
        out[self.rays[self.primitives >= 0]] = True
        return out

    def __len__(self) -> int:
        return len(self.distances)

    def __repr__(self) -> str:
        hit = int(self.hits.sum())
        nearest = f", nearest at {self.distances.min():g}" if hit else ""
        return f"Cast: {hit} of {self.count} rays hit{nearest}"


def cast(
    body: Body | Chain | Articulated | Necklace | World,
    origins: ArrayLike,
    directions: ArrayLike,
    pose: PoseLike | None = None,
    *,
    every: bool = False,
    limit: float | None = None,
    radius: float = 0.0,
    threads: int | None = None,
) -> Cast:
    """Casts rays against a body: the first hit of each ray, or all hits.

    A ray never slips through between two triangles that share an edge.
    A ray that begins inside a sphere, box, capsule or hull meets it at distance 0, with the normal against
    its direction. A mesh is a surface: a ray that begins inside meets it where it leaves.

    Parameters
    ----------
    body
        Any body; an articulated body must hold one configuration. Answers name its primitives, balls or
        links. Or a World, of which answers name the bodies, too.
    origins, directions
        (n, 3) or (3,), of one ray or of many; one of them may be common to all rays. Directions need not have
        unit length: distances are lengths.
    pose
        Where the body is: a Pose, a (4, 4) array, (rotation, translation), or None for the origin.
    every
        Report every primitive that a ray meets, once, at its first point; not only the nearest. A ray through
        an edge of a mesh meets the triangles on both sides.
    limit
        Hits farther than this do not count.
    radius
        Casts balls of this radius instead: where their centres are when they first touch the body.
    threads
        How many threads; all cores if not given.

    Returns
    -------
    Cast
        .distances, .points, .normals, .primitives, .rays, .hits, .counters

    Notes
    -----
    Triangles after [Woop2013]_, other shapes by conservative advancement with [GJK1988]_.

    Examples
    --------
    >>> import elbowroom as er
    >>> hit = er.cast(er.Sphere(1), [[-3, 0, 0], [0, 0, 5]], [[1, 0, 0], [0, 0, 1]])
    >>> hit.distances.tolist(), hit.primitives.tolist()
    ([2.0, inf], [0, -1])
    >>> er.cast(er.Sphere(1), [-3, 0, 0], [2, 0, 0], radius=0.5).distances.tolist()
    [1.5]
    """
    from elbowroom._motion_pieces import Obstacle, as_it_is, standing_pieces  # not for their types alone

    starts, towards = _arrays.rays(origins, directions)
    length = np.inf if limit is None else _arrays.length(limit, "limit")
    ball = _arrays.length(radius, "radius")
    all_hits = _arrays.flag(every, "every")
    given = pose is not None
    if not isinstance(pose, Pose):
        pose = Pose() if pose is None else Pose.from_matrix(_arrays.pose(pose, "pose"))
    called: tuple[str, ...] | None = None
    if isinstance(body, _core.World):
        if given:
            raise ValueError("pose is not for a World: move its bodies")
        called = tuple(body)
        members = [body[name] for name in called]
        pieces = list(standing_pieces(Obstacle(i, m.body, m.pose) for i, m in enumerate(members)))
    else:
        pieces = list(as_it_is(body, "body"))
    placed = [pose if piece.pose is None else pose @ piece.pose for piece in pieces]
    rays, distances, normals, parts, primitives, counters = _core._cast(
        [piece.body for piece in pieces],
        np.stack([p.matrix for p in placed]) if placed else np.eye(4)[None],
        starts,
        towards,
        min(length, 1e150),
        ball,
        all_hits,
        threads,
    )
    numbers = _numbers(pieces, parts, primitives)
    names: Any = None if called is None else _names(called, pieces, parts, primitives)
    points = starts[rays] + distances[:, None] * towards[rays]
    if all_hits:
        return Cast(
            distances,
            points,
            normals,
            numbers,
            rays,
            counters,
            len(starts),
            None if names is None else tuple(names),
        )
    return Cast(
        _spread(distances, rays, len(starts), np.inf),
        _spread(points, rays, len(starts), np.nan),
        _spread(normals, rays, len(starts), np.nan),
        _spread(numbers, rays, len(starts), -1),
        np.arange(len(starts)),
        counters,
        len(starts),
        None if names is None else tuple(_spread(np.array(names, object), rays, len(starts), None).tolist()),
    )


def _names(
    called: tuple[str, ...], pieces: list[Any], parts: NDArray[np.int32], primitives: NDArray[np.int32]
) -> list[str]:
    """The bodies of a world that the primitives belong to."""
    whose = [np.broadcast_to(piece.obstacles, len(piece.numbers)) for piece in pieces]
    return [called[whose[part][i]] for part, i in zip(parts.tolist(), primitives.tolist(), strict=True)]


def _numbers(pieces: list[Any], parts: NDArray[np.int32], primitives: NDArray[np.int32]) -> NDArray[np.int32]:
    """What the primitives of the pieces are called."""
    if not pieces:  # links without shapes
        return primitives
    if len(pieces) == 1:
        return np.asarray(pieces[0].numbers[primitives], np.int32)
    first = np.cumsum([0, *(len(piece.numbers) for piece in pieces)])
    return np.asarray(
        np.concatenate([piece.numbers for piece in pieces])[first[parts] + primitives], np.int32
    )


def _spread(values: NDArray[Any], rays: NDArray[np.int64], count: int, missing: float | None) -> NDArray[Any]:
    """One row for each ray, from those of the rays that meet something."""
    out = np.full((count, *values.shape[1:]), missing, values.dtype)
    out[rays] = values
    return out
