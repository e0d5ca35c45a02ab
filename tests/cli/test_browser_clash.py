"""The page of clashes in a real browser: the table sorts and filters, and the view goes to a clash."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Show, changed, pixels

import elbowroom as er
from elbowroom.clashes import find_clashes
from elbowroom.files.assembly import Assembly, Part
from elbowroom.files.assembly_parts import Geometry
from elbowroom.pictures.clash_page import clash_page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(tmp_path: Path) -> Path:
    shapes, made = er.scenes.assembly(3, 3, faults=3)
    held = {name: Geometry(*surface, name) for name, surface in shapes.items()}
    parts = [Part(one.name, held[one.shape], er.Pose.from_matrix(one.pose)) for one in made]
    found = find_clashes(Assembly(tuple(parts), "mm", (), ()), clearance=0.3)
    file = tmp_path / "found.html"
    file.write_text(clash_page("Clashes in <rack>", found, unit="mm"))
    return file


def test_the_table_sorts_and_filters(page: Path, show: Show) -> None:
    shown = show(page)
    rows = shown.page.locator("#rows tr")
    whole = rows.count()
    assert whole > 10 and rows.first.inner_text().startswith("overlap")
    shown.page.locator("#kinds input").first.uncheck()
    assert rows.count() == whole - 2 and rows.first.inner_text().startswith("inside")
    shown.page.locator("#kinds input").first.check()
    shown.page.locator("th[data-key=gap]").click()
    shown.page.locator("th[data-key=gap]").click()
    assert rows.first.inner_text().startswith("inside")
    shown.page.locator("#search").fill("pipe-0")
    assert 0 < rows.count() < whole
    assert all("pipe-0" in text for text in rows.all_inner_texts())
    shown.page.locator("#counts summary").click()
    shown.page.locator("#counts tr").first.click()
    assert shown.page.locator("#search").input_value() in rows.first.inner_text()
    shown.judge()


def test_the_view_goes_to_a_clash_and_back(page: Path, show: Show) -> None:
    shown = show(page)
    canvas = shown.page.locator("canvas")
    shown.stands("Number(document.querySelector('canvas').dataset.drawn) > 0")

    def after(selector: str) -> object:
        drawn = int(canvas.get_attribute("data-drawn") or 0)
        shown.page.locator(selector).first.click()
        shown.stands(f"Number(document.querySelector('canvas').dataset.drawn) > {drawn}")
        return pixels(canvas)

    whole = pixels(canvas)
    near = after("#rows tr")
    assert changed(whole, near) > 0.2
    assert "overlap, at least" in shown.page.locator("#told").inner_text()
    red = (near[..., 0] > 150) & (near[..., 1] < 90)
    assert red.sum() > 20  # the curve in which the surfaces cut
    alone = after("#alone")
    assert changed(near, alone) > 0.01
    assert changed(whole, after("#whole")) < 0.01
    shown.judge()
