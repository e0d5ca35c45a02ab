"""Makes the figures of the theory pages with the library itself, into docs/pictures.

Run it from anywhere; it needs no display. Names of figures as arguments make these alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import budget_figures
import cab_figures
import chaintree_figures
import engine_figures
import motion_figures
import necklaces_figures
from figure_kit import pixels, svg
from matplotlib.figure import Figure

FOLDER = Path(__file__).parent.parent / "pictures"
PAINTED = {"engine-levels", "cab-levels"}  # thousands of shaded triangles, which are smaller as pixels
FIGURES: dict[str, Callable[[], Figure]] = {
    **engine_figures.FIGURES,
    **chaintree_figures.FIGURES,
    **cab_figures.FIGURES,
    **necklaces_figures.FIGURES,
    **motion_figures.FIGURES,
    **budget_figures.FIGURES,
}


def file_of(name: str) -> Path:
    """Where a figure is kept."""
    return FOLDER / f"theory-{name}.{'png' if name in PAINTED else 'svg'}"


def make(name: str) -> Path:
    """Paint one figure and write it."""
    figure, file = FIGURES[name](), file_of(name)
    file.write_bytes(pixels(figure) if name in PAINTED else svg(figure))
    return file


def main(names: list[str]) -> None:
    """All figures, or those named."""
    unknown = sorted(set(names) - set(FIGURES))
    if unknown:
        sys.exit(f"no such figure: {', '.join(unknown)}; there are {', '.join(FIGURES)}")
    FOLDER.mkdir(exist_ok=True)
    for name in names or FIGURES:
        print(make(name))


if __name__ == "__main__":
    main(sys.argv[1:])
