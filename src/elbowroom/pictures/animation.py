"""Animations: one HTML page that plays a motion and needs nothing but itself."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from numpy.typing import ArrayLike

from .exhibits import Scene
from .moving import Moving, Standing
from .player import HERE, player_script, player_style, stage
from .player_data import recorded

Facts = Sequence[tuple[str, str]]


def animation(
    title: str,
    moving: Sequence[Moving],
    standing: Sequence[Standing] = (),
    *,
    trail: ArrayLike | None = None,
    marks: Sequence[int] | None = None,
    facts: Facts = (),
    through: bool = False,
) -> str:
    """The page: `moving` bodies all have as many frames.

    `trail` (n, 3) is a line to draw, a point for each frame; `marks` are the frames of the states of a path,
    by default the first and the last; `facts` are names and values below the title. With `through` the
    obstacles are transparent from the beginning.
    """
    if not moving:
        raise ValueError("moving is empty: at least one body must move")
    held = recorded(moving, standing, trail=trail, marks=marks, ends=True)
    if held["frames"] < 2:
        raise ValueError("moving must have poses of shape (n, 4, 4), n at least 2 and the same for all")
    layers = {"start and goal": True, "trail": True, "see through": through}
    return _page(title, facts, Scene(held, "The motion.", "", layers))


def _page(title: str, facts: Facts, scene: Scene) -> str:
    known = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    style = player_style() + (HERE / "animation.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(title)}</h1><dl>{known}</dl></header>\n{stage(scene, fill=True)}"
        f"{player_script()}</body>\n</html>\n"
    )
