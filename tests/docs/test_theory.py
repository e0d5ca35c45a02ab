"""The theory pages are true: their code prints what they tell, their figures show what the library does."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from code_blocks import Reader, differences
from matplotlib.figure import Figure

import elbowroom as er
from elbowroom import scenes

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "theory"
PAGES = sorted(path.name for path in FOLDER.glob("*.md"))
LARGEST = 150_000  # bytes of a figure

sys.path.insert(0, str(FOLDER))
import chaintree_figures  # noqa: E402
import engine_figures  # noqa: E402
import figures  # noqa: E402
import motion_figures  # noqa: E402
from figure_kit import svg  # noqa: E402

pytestmark = pytest.mark.documents


def pictures_of(page: str) -> list[str]:
    """Files that a page shows, by name."""
    text = (FOLDER / page).read_text(encoding="utf-8")
    return [Path(found).name for found in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)]


@pytest.mark.parametrize("page", [page for page in PAGES if page != "index.md"])
def test_a_page_prints_what_it_tells(page: str, tmp_path: Path) -> None:
    assert differences(FOLDER / page, Reader(tmp_path), 0.01) == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_pictures_that_are_there_and_small(page: str) -> None:
    for name in pictures_of(page):
        assert (figures.FOLDER / name).stat().st_size < LARGEST
    assert pictures_of(page) or page == "index.md"


def test_every_figure_is_on_one_page() -> None:
    shown = [name for page in PAGES for name in pictures_of(page)]
    assert sorted(shown) == sorted(figures.file_of(name).name for name in figures.FIGURES)


@pytest.mark.parametrize("rule", ["paper", "pieces"])
@pytest.mark.parametrize(("joint", "angle"), [(44, 1.5), (44, -0.6), (20, 0.7), (120, 0.7)])
def test_the_search_that_is_drawn_is_the_search_of_the_core(rule: str, joint: int, angle: float) -> None:
    chain = er.Chain(scenes.coil(128), 0.5, volume="obb", children=2, skip=rule)
    chain.collides()
    chain.rotate(joint, angle)
    looks = chaintree_figures.Looks(chain, joint, rule == "pieces")
    assert not chain.collides()
    assert len(looks.blocks) == chain.counters.volume_tests


def covered_once(tree: er.BVTT, count: int) -> bool:
    """Do the blocks of the cut cover every pair, and none twice?"""
    blocks = engine_figures.blocks_of(tree, count, count)
    square = np.zeros((count, count), int)
    for a, b in zip(blocks.a[tree.cut].astype(int), blocks.b[tree.cut].astype(int), strict=True):
        square[a[0] : a[1], b[0] : b[1]] += 1
    return bool((square == 1).all())


@pytest.mark.parametrize("children", [2, 8])
def test_the_blocks_that_are_drawn_are_all_pairs_once(children: int) -> None:
    spring: Any = er.Mesh(*scenes.spring(), children=children)
    for budget in (None, er.Budget(tests=60)):
        memory = er.Memory("depth-first")
        er.collide(spring, spring, pose_b=scenes.spring_path(100)[11], memory=memory, budget=budget)
        assert memory.bvtt is not None
        assert covered_once(memory.bvtt, len(spring))


def test_displacements_that_are_drawn_stay_within_the_ellipsoid() -> None:
    motion = motion_figures.motion_of((1.1, 0.0, 2.4), 0.9)
    moved = motion_figures.displacements(motion, 1.0, np.array([-0.5, -0.2, 0.3, 0.5]))
    reach = np.linalg.norm(moved @ motion.hourglass(1.0).T, axis=2).max(axis=1)
    assert (reach <= [0.5, 0.2, 0.3, 0.5]).all()


def test_a_figure_is_the_same_on_every_run_and_keeps_its_scales() -> None:
    def made() -> bytes:
        figure = Figure(figsize=(2, 2))
        figure.add_subplot().plot([0.123456, 1.0], [1 / 3, 2 / 3])
        return svg(figure)

    first = made()
    assert first == made()
    assert b"scale(0.015625)" in first  # of glyphs, in their own units
    assert not re.search(rb' d="[^"]*\.\d{3}', first)
