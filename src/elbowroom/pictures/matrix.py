"""A collision matrix as a picture: one square for each pair of links."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from .drawing import INK
from .painting import PALETTE
from .saving import saved

if TYPE_CHECKING:
    from elbowroom import CollisionMatrix

#: Beyond so many links their names are left out.
MOST_NAMES = 80


def matrix_picture(
    found: CollisionMatrix, path: str | os.PathLike[str] | None = None, *, title: str | None = None
) -> Figure:
    """The verdicts about all pairs of links that are compared; to a file if one is named.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom.pictures.matrix import matrix_picture
    >>> links = [er.Link("base", er.Box(1)), er.Link("arm", er.Capsule(0.1, 2))]
    >>> turn = er.Joint("turn", "revolute", "base", "arm", er.Pose(translation=[3, 0, 0]), (1, 0, 0))
    >>> figure = matrix_picture(er.collision_matrix(er.Articulated(links, [turn])), title="a lever")
    >>> figure.axes[0].get_title()
    'a lever'
    """
    used = np.flatnonzero((found.verdicts >= 0).any(axis=1))
    shown = found.verdicts[np.ix_(used, used)]
    names = [found.link_names[link] for link in used]
    side = min(14.0, 3.0 + 0.16 * len(names))
    figure = Figure(figsize=(side + 1.5, side), layout="constrained")
    figure.patch.set_alpha(0.0)
    axes = figure.subplots()
    colours = {"never": PALETTE[2], "always": INK, "sometimes": PALETTE[1], "undecided": "#e8d44d"}
    axes.imshow(
        np.ma.masked_less(shown, 0),
        cmap=ListedColormap(list(colours.values())),
        vmin=0,
        vmax=3,
        aspect="equal",
    )
    ticks = range(len(names)) if len(names) <= MOST_NAMES else []
    axes.set_xticks(ticks, names if ticks else [], rotation=90, fontsize=6, color=INK)
    axes.set_yticks(ticks, names if ticks else [], fontsize=6, color=INK)
    for spine in axes.spines.values():
        spine.set_visible(False)
    legend = [
        Patch(color=colour, label=f"{name} ({len(getattr(found, name))})") for name, colour in colours.items()
    ]
    axes.legend(
        handles=legend, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, labelcolor=INK, fontsize=8
    )
    if title is not None:
        axes.set_title(title, color=INK, fontsize=10)
    return saved(figure, path)
