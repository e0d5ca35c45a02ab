"""What moves in an animation, frame by frame: rigid bodies along poses, links along configurations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .painting import PALETTE

Array = NDArray[np.float64]
Part = tuple[er.Body, Any]

STILL = "#b9bec4"  # of obstacles
LINKS = (PALETTE[0], "#9cc0e6")  # of links in turn; not red, which is the colour of contacts


@dataclass(frozen=True, eq=False)
class Moving:
    """Bodies, each at a pose, that move together: where their common frame is in every frame, (n, 4, 4).

    `red` tells for every frame whether they are red then. What belongs to a `layer` can be hidden.
    """

    parts: Sequence[Part]
    poses: Array
    colour: str = PALETTE[0]
    red: Sequence[bool] | NDArray[np.bool_] = ()
    alpha: float = 1.0
    layer: str = ""


@dataclass(frozen=True, eq=False)
class Standing:
    """A body that never moves, though it may be red in some frames."""

    body: er.Body
    pose: Any = None
    colour: str = STILL
    red: Sequence[bool] | NDArray[np.bool_] = ()
    alpha: float = 1.0
    layer: str = ""


def moving_links(
    robot: er.Articulated,
    configurations: Array,
    *,
    colours: Sequence[str] | None = None,
    red: NDArray[np.bool_] | None = None,
) -> tuple[list[Moving], list[Standing]]:
    """The links of a robot along configurations (n, dof); those that never move stand about.

    `colours` are those of all links; `red` (n, links) tells when which link is red. The robot that is given
    is not moved.
    """
    twin = robot.__copy__()
    twin.move(configurations)
    poses = twin.link_poses()
    movers: list[Moving] = []
    still: list[Standing] = []
    for link in sorted({number for number, _, _ in robot.shapes}):
        parts = [(body, pose.matrix) for number, body, pose in robot.shapes if number == link]
        then: Any = red[:, link] if red is not None else ()
        if np.array_equal(poses[:, link], np.broadcast_to(poses[0, link], poses[:, link].shape)):
            tint = colours[link] if colours else STILL
            still += [Standing(body, poses[0, link] @ pose, tint, then) for body, pose in parts]
        else:
            tint = colours[link] if colours else LINKS[len(movers) % 2]
            movers.append(Moving(parts, poses[:, link], tint, then))
    return movers, still


def paced(lengths: Sequence[float], frames: int) -> tuple[Array, list[int]]:
    """Times for about so many frames along a path of segments of these lengths, and the frames of its states.

    The time of a path gives every segment the same share; a steady pace gives it what its length needs. Every
    segment has two frames at least, so that all states are among them.
    """
    shares = np.maximum(np.asarray(lengths, dtype=float), 0.0)
    shares = shares / shares.sum() if shares.sum() > 0 else np.full(len(shares), 1 / max(len(shares), 1))
    counts = np.maximum(np.round(shares * frames), 2).astype(int)
    marks = [0, *np.cumsum(counts).tolist()]
    parts = [(k + np.arange(count) / count) / len(counts) for k, count in enumerate(counts)]
    return np.concatenate([*parts, [1.0]]), marks


def rigid_length(reach: float) -> Callable[[Array, Array], float]:
    """How far a body of this reach moves between two poses (4, 4): its origin, and what turns about it."""

    def length(start: Array, goal: Array) -> float:
        trace = np.trace(start[:3, :3].T @ goal[:3, :3])
        angle = np.arccos(np.clip((trace - 1) / 2, -1, 1))
        return float(np.linalg.norm(goal[:3, 3] - start[:3, 3]) + reach * angle)

    return length
