"""Figures as files."""

from __future__ import annotations

import os
from typing import Any

from matplotlib.figure import Figure

from elbowroom import _writing


def saved(
    figure: Figure, path: str | os.PathLike[str] | None, *, format: str | None = None, **look: Any
) -> Figure:
    """The figure, written to a file if one is named; transparent unless `look` says otherwise.

    Without a `format` the suffix of the name decides. A name without a suffix gets that of matplotlib's
    default format.
    """
    if path is None:
        return figure
    name = os.fspath(path)
    chosen = format or os.path.splitext(name)[1][1:]
    if not chosen:
        chosen = figure.canvas.get_default_filetype()
        name = f"{name.rstrip('.')}.{chosen}"
    with _writing.replacing(name) as file:
        figure.savefig(file, format=chosen, dpi=144, **look or {"transparent": True})
    return figure
