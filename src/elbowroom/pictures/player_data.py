"""Recorded scenes, as the player takes them: bodies, balls and lines, and their places in all frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import ArrayLike, NDArray

from .moving import Moving, Standing
from .moving_balls import Balls, Lines
from .player_look import followed, look, spans
from .player_shapes import packed, text, used_bodies, whole_numbers

Array = NDArray[np.float64]

#: Longest time that a motion plays, and the time for each of its segments, in seconds.
LONGEST, SEGMENT = 16.0, 2.5
HASTE = 9  # frames over which a view that follows is averaged, unless the scene jumps anyway


def recorded(
    moving: Sequence[Moving] = (),
    standing: Sequence[Standing] = (),
    balls: Sequence[Balls] = (),
    lines: Sequence[Lines] = (),
    *,
    trail: ArrayLike | None = None,
    marks: Sequence[int] | None = None,
    captions: Sequence[str] = (),
    seconds: float | None = None,
    blend: bool = True,
    ends: bool = False,
    follow: float = 0.0,
    camera: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """What is shown: everything that changes has as many frames.

    `trail` (n, 3) is a line to draw, a point for each frame; `marks` are the frames of the states of a path,
    by default the first and the last; `captions` say something of each frame. Without `blend` a scene jumps
    from frame to frame. With `ends` the first and the last frame are shown, too. With `follow` the view goes
    with the first of the balls, and so many times as near as it must to have all of them in view. `camera` is
    (azimuth, elevation) in degrees.
    """
    frames = _frames(moving, balls, lines, captions)
    bodies, shapes = used_bodies(moving, standing)
    line = np.zeros((0, 3)) if trail is None else np.asarray(trail, dtype=float)
    stops = [0, frames - 1] if marks is None else [int(mark) for mark in marks]
    return {
        "frames": frames,
        "bodies": [used for used, _ in bodies],
        "shapes": shapes,
        "movers": len(moving),
        "poses": packed(np.stack([one.poses[:, :3] for one in moving], axis=1) if moving else np.zeros(0)),
        "balls": [_ball_data(one) for one in balls],
        "lines": [_line_data(one) for one in lines],
        "trail": packed(line),
        "marks": stops,
        "captions": list(captions),
        "seconds": seconds or min(LONGEST, SEGMENT * max(len(stops) - 1, 1) + 1.5),
        "blend": blend,
        "ends": ends,
        **look(spans(bodies, moving, balls, lines, line), moving, camera),
        **(
            followed(np.asarray(balls[0].places, dtype=float), follow, HASTE if blend else 1)
            if follow
            else {"sights": []}
        ),
    }


def _frames(
    moving: Sequence[Moving], balls: Sequence[Balls], lines: Sequence[Lines], captions: Sequence[str]
) -> int:
    """How many frames there are, which all that changes must agree about."""
    if any(one.poses.ndim != 3 or one.poses.shape[1:] != (4, 4) for one in moving):
        raise ValueError("moving must have poses of shape (n, 4, 4), n at least 2 and the same for all")
    counts = {len(one.poses) for one in moving} | ({len(captions)} if captions else set())
    counts |= {len(np.asarray(one.places)) for one in balls if np.ndim(one.places) == 3}
    counts |= {len(one.red) for one in balls if one.red}
    counts |= {len(one.by_frame()) for one in lines if isinstance(one.segments, list)}
    if len(counts) > 1:
        raise ValueError(f"what is shown must have one number of frames, got {sorted(counts)}")
    return counts.pop() if counts else 1


def _ball_data(balls: Balls) -> dict[str, Any]:
    places = np.asarray(balls.places, dtype=float)
    count, radii = places.shape[-2], np.asarray(balls.radii, dtype=float)
    colours = to_rgb(balls.colours) if isinstance(balls.colours, str) else balls.colours
    tints = np.broadcast_to(np.asarray(colours, dtype=float), (count, 3))
    return {
        "places": whole_numbers(places.reshape(-1, 3)),
        "radii": packed(np.broadcast_to(radii, radii.shape if radii.ndim == 2 else (count,))),
        "colours": text(np.round(255 * tints).astype("u1").tobytes()),
        "red": [[int(k) for k in some] for some in balls.red],
        "bonds": balls.bonds,
        "alpha": balls.alpha,
        "layer": balls.layer,
    }


def _line_data(lines: Lines) -> dict[str, Any]:
    held = lines.by_frame()
    return {
        "points": packed(np.concatenate(held)),
        "counts": [len(some) for some in held],
        "colour": lines.colour,
        "radius": lines.radius,
        "ends": lines.ends * lines.radius,
        "layer": lines.layer,
    }
