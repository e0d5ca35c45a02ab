"""Exhibits of any bodies together: each kind brings its own actor, its own controls, and its frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import elbowroom as er
from elbowroom import _arrays

from .bodies import NOTHING, Actor, RigidActor
from .bodies_balls import ChainActor, NecklaceActor
from .bodies_links import LinksActor, figure_colours
from .exhibit import Exhibit
from .exhibit_family import Family
from .exhibit_joints import Joints
from .exhibit_movers import Mover, Placing, Torsions, Trees
from .exhibit_scene import Scene, Timeline
from .layers import BLUE, GREEN, ORANGE, PURPLE, Array, Paint, extent

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from elbowroom._types import PoseLike

AnyBody = er.Body | er.Chain | er.Articulated | er.Necklace
COLOURS = (BLUE, ORANGE, GREEN, PURPLE)
#: Of rigid bodies that stand about what bends.
SAND = (203, 190, 168)
#: What to try, by the kind of the first body.
HINTS = (
    (er.Chain, "Turn a joint, or try random torsions: balls that collide turn red. Undo what went wrong."),
    (er.Articulated, "Links that collide turn red. Show the closest points, and the boxes level by level."),
    (
        er.Necklace,
        "Beads that collide turn red. Show the cages about them, and the proof that they are free.",
    ),
    (er.Body, "Show the boxes level by level. What overlaps another body turns red."),
)


@dataclass(frozen=True, eq=False)
class Member:
    """A body with its name, where it stands, and its frames if it moves by itself."""

    name: str
    body: AnyBody
    pose: Array | None = None
    frames: Array | None = None


def exhibit_of(
    *bodies: AnyBody | tuple[AnyBody, PoseLike | None],
    title: str = "",
    hint: str = "",
    frames: ArrayLike | None = None,
) -> Exhibit:
    """Bodies of any kinds as one exhibit.

    Each is asked about itself, if it can be, and about each other. Chains get sliders for their torsions,
    articulated bodies for their joints or, if they have a `motion`, its frames; rigid bodies but the first
    can be moved.

    Parameters
    ----------
    bodies
        Bodies, or (body, pose) pairs. Those that bend are shown themselves: the sliders change them.
    title, hint
        What the viewer says about them.
    frames
        (frames, n, 3) or (frames, n, 2): where the beads are in each frame, of a necklace that is the first.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom.viewer import Show, exhibit_of
    >>> rope = er.Chain(er.scenes.rod(20), 1.0)
    >>> exhibit = exhibit_of(rope, (er.Sphere(2.0), er.Pose(translation=[9, 2.5, 0])))
    >>> [layer.name for layer in exhibit.layers(Show())][:2]
    ['body/chain', 'body/bonds of chain']
    >>> exhibit.counters()[0]
    ('verdict', 'collision: 1 pair')
    """
    if not bodies:
        raise ValueError("bodies is empty: at least one is needed")
    pairs = [_pair(body, k) for k, body in enumerate(bodies)]
    names = numbered([_kind(body) for body, _ in pairs])
    moving = [None if frames is None else _frames(pairs[0][0], frames)] + [None] * (len(pairs) - 1)
    cast = [Member(n, b, p, f) for n, (b, p), f in zip(names, pairs, moving, strict=True)]
    return stage(cast, title=title or " and ".join(names), hint=hint)


def stage(cast: Sequence[Member], *, title: str, hint: str = "", up: Literal["y", "z"] = "z") -> Exhibit:
    """The cast with the controls of each kind; what moves does so until the first has no more frames."""
    actors = [_actor(member, colour) for member, colour in zip(cast, _colours(cast), strict=True)]
    hint = hint or next(text for kind, text in HINTS if isinstance(cast[0].body, kind))
    layers = [layer for actor in actors for layer in actor.layers(NOTHING)]
    span: Array = np.ptp(extent(layers), axis=0)
    movers = _movers(cast, actors, float(span.max()) or 1.0)
    return Scene(title, actors, movers=movers, timeline=_timeline(cast), hint=hint, up=up)


def numbered(names: Sequence[str]) -> list[str]:
    """Names that are there twice get numbers."""
    return [name if names.count(name) == 1 else f"{name} {k + 1}" for k, name in enumerate(names)]


def _colours(cast: Sequence[Member]) -> list[Paint | None]:
    """One for each; none for a single chain, which has many. Rigid bodies surround flexible ones."""
    rigid = [isinstance(member.body, er.Body) for member in cast]
    balls = [isinstance(member.body, er.Chain | er.Necklace) for member in cast]
    out: list[Paint | None] = [COLOURS[k % len(COLOURS)] for k in range(len(cast))]
    if not all(rigid):
        out = [SAND if stands else colour for colour, stands in zip(out, rigid, strict=True)]
    if sum(balls) == 1:
        out[balls.index(True)] = None
    return out


def _actor(member: Member, colour: Paint | None) -> Actor:
    if isinstance(member.body, er.Chain):
        return ChainActor(member.name, member.body, member.pose, colour)
    if isinstance(member.body, er.Necklace):
        return NecklaceActor(member.name, member.body, member.pose, colour)
    painted = colour or BLUE
    if isinstance(member.body, er.Articulated):
        return LinksActor(member.name, member.body, member.pose, colours=figure_colours(painted))
    return RigidActor(member.name, member.body, member.pose, colour=painted)


def _movers(cast: Sequence[Member], actors: Sequence[Actor], room: float) -> list[Mover]:
    """Torsions and joints first, then what can be moved as a whole, then what is shown of it."""
    chains = [actor for actor in actors if isinstance(actor, ChainActor)]
    links = [actor for actor in actors if isinstance(actor, LinksActor)]
    ropes = [actor for actor in actors if isinstance(actor, NecklaceActor)]
    posed = [a for m, a in zip(cast, actors, strict=True) if isinstance(a, LinksActor) and _motion(m) is None]
    placed = [a for m, a in zip(cast[1:], actors[1:], strict=True) if _motion(m) is None and a not in posed]
    turned = [actor for actor in chains if len(actor.body) > 2]  # of two links nothing would move
    movers: list[Mover] = [Torsions(actor, _prefix(actor, turned)) for actor in turned]
    movers += [Joints(actor, _prefix(actor, posed)) for actor in posed]
    movers += [Placing(actor, room, _prefix(actor, placed)) for actor in placed]
    movers += [Family(actor, _prefix(actor, ropes)) for actor in ropes]
    return movers + ([Trees(links)] if links else [])


def _prefix(actor: Actor, alike: Sequence[Actor]) -> str:
    return f"{actor.name} " if len(alike) > 1 else ""


def _motion(member: Member) -> Array | None:
    if isinstance(member.body, er.Articulated) and member.frames is None:
        return member.body.motion
    return member.frames


def _timeline(cast: Sequence[Member]) -> Timeline | None:
    moving: list[tuple[Callable[[Array], None], Array]] = []
    for member in cast:
        motion = _motion(member)
        if motion is not None and isinstance(member.body, er.Articulated | er.Necklace):
            moving.append((member.body.move, motion))
    if not moving:
        return None

    def go(frame: int) -> None:
        for move, motion in moving:
            move(motion[frame])

    times = [m.body.frame_time for m in cast if isinstance(m.body, er.Articulated) and m.body.frame_time]
    return Timeline(min(len(motion) for _, motion in moving), go, times[0] if times else 1 / 30)


def _pair(value: Any, place: int) -> tuple[AnyBody, Array | None]:
    body, pose = value if isinstance(value, tuple) and len(value) == 2 else (value, None)
    if not isinstance(body, AnyBody):
        raise TypeError(f"bodies[{place}] must be a body or a (body, pose) pair, got {type(body).__name__}")
    return body, None if pose is None else _arrays.pose(pose, f"bodies[{place}][1]")


def _kind(body: AnyBody) -> str:
    return type(body).__name__.lower()


def _frames(body: AnyBody, frames: Any) -> Array:
    """Checked by the one who will be moved by them."""
    if not isinstance(body, er.Necklace):
        raise ValueError(f"frames are for a necklace, and the first body is a {type(body).__name__}")
    out = np.asarray(frames, dtype=float)
    if out.ndim != 3 or out.shape[1:] != (len(body), body.dimension) or not len(out):
        wanted = f"(frames, {len(body)}, {body.dimension})"
        raise ValueError(f"frames must have shape {wanted}, got {out.shape}")
    return out
