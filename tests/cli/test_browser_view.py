"""The viewer in a real browser: controls change the scene, recordings play, nothing outside is asked for."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from browser import Show, Shown, changed, pixels
from numpy.typing import NDArray
from view_makers import Busy, Row

from elbowroom import viewer
from elbowroom.viewer.record import record
from elbowroom.viewer.server import Viewer

pytestmark = pytest.mark.browser

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Picture = NDArray[np.int16]
PATIENCE = 60.0  # seconds that a picture may take: software draws slowly on a busy machine
SCENES = {"row": Row, "busy": Busy}
MOVES = {"chain": ("torsion", 90.0), "arm": ("joint 1", -1.5), "spiral": ("Frame", 100)}


def picture(page: Page) -> Picture:
    """The middle of the scene, where neither the panel nor a notice of the browser's lies over it.

    Means of ten by ten pixels: viser draws fewer pixels when it is slow, and edges then look different.
    """
    middle = pixels(page)[160:740, 320:880]
    return middle.reshape(58, 10, 56, 10, 3).mean(axis=(1, 3)).astype(np.int16)


def is_empty(seen: Picture) -> bool:
    return changed(seen, np.full_like(seen, seen[0, 0, 0])) < 0.002


def until(page: Page, holds: Callable[[Picture], bool]) -> Picture:
    """The first picture of which this holds."""
    begin = time.monotonic()
    while not holds(seen := picture(page)):
        assert time.monotonic() - begin < PATIENCE, "the picture did not become what it should"
        time.sleep(0.1)
    return seen


def settled(page: Page) -> Picture:
    """A picture that shows something and is the same as the one before."""
    last = [picture(page)]

    def same(seen: Picture) -> bool:
        before, last[0] = last[0], seen
        return changed(before, seen) == 0.0 and not is_empty(seen)

    return until(page, same)


def opened(show: Show, served: Viewer) -> tuple[Shown, Picture]:
    """The page, once its scene is there."""
    shown = show(served.address)
    shown.page.get_by_text("Save as HTML").wait_for()
    return shown, settled(shown.page)


def control(page: Page, name: str) -> Locator:
    """What a label is for: a slider is no form element, so the browser itself does not connect the two."""
    label = page.locator("label", has_text=re.compile(f"^{re.escape(name)}$"))
    return page.locator(f'[id="{label.get_attribute("for")}"]')


def move(page: Page, name: str, value: float) -> None:
    """Set a slider by the number beside it; keys would turn the scene as well."""
    control(page, name).locator("xpath=following-sibling::*//input").first.fill(f"{value:g}")


def stands_at(page: Page, name: str) -> float:
    return float(control(page, name).get_by_role("slider").get_attribute("aria-valuenow") or "nan")


def test_a_slider_changes_the_scene_and_the_answers(show: Show) -> None:
    row = Row()
    with Viewer(row, port=0) as served:
        shown, before = opened(show, served)
        shown.page.get_by_role("cell", name="free").wait_for()
        move(shown.page, "place", -1.0)
        shown.page.get_by_role("cell", name="collision").wait_for()
        assert row.place == -1.0
        until(shown.page, lambda seen: changed(before, seen) > 0.01)
        shown.page.get_by_role("button", name="home").click()  # the slider goes back with it
        shown.page.get_by_role("cell", name="free").wait_for()
        until(shown.page, lambda seen: changed(before, seen) == 0.0)
        assert stands_at(shown.page, "place") == -3.0
        shown.judge()


def test_what_the_exhibit_refuses_is_said(show: Show) -> None:
    with Viewer(Row(), port=0) as served:
        shown, _ = opened(show, served)
        move(shown.page, "place", 9.0)
        shown.page.get_by_text("place: 9 is one too far").wait_for()
        move(shown.page, "place", 8.5)
        shown.page.get_by_text("place: 9 is one too far").wait_for(state="hidden")
        shown.judge()


def test_the_hierarchy_is_shown_level_by_level(show: Show) -> None:
    with Viewer(Row(), port=0) as served:
        shown, plain = opened(show, served)
        control(shown.page, "Hierarchy").click()
        one = until(shown.page, lambda seen: changed(plain, seen) > 0.02)
        move(shown.page, "Level", 0)
        until(shown.page, lambda seen: changed(one, seen) > 0.02 and changed(plain, seen) > 0.004)
        assert served.show.level == 0
        control(shown.page, "Hierarchy").click()
        until(shown.page, lambda seen: changed(plain, seen) == 0.0)
        shown.judge()


def test_it_plays_and_pauses(show: Show) -> None:
    row = Row()
    with Viewer(row, port=0) as served:
        shown, before = opened(show, served)
        shown.page.get_by_role("button", name="Play").click()
        shown.page.get_by_role("button", name="Pause").wait_for()
        until(shown.page, lambda seen: changed(before, seen) > 0.01)
        shown.page.get_by_role("button", name="Pause").click()
        shown.page.get_by_role("button", name="Play").wait_for()
        frame = row.frame
        time.sleep(0.5)
        assert row.frame == frame
        assert stands_at(shown.page, "Frame") == frame
        shown.judge()


def test_another_scene_can_be_chosen(show: Show) -> None:
    with Viewer(Row(), port=0, scenes=SCENES, scene="row") as served:
        shown, _ = opened(show, served)
        assert shown.page.get_by_text(Row.title).is_visible()
        control(shown.page, "Scene").click()
        shown.page.get_by_role("option", name="busy").click()
        shown.page.get_by_text("Live", exact=True).wait_for()
        assert shown.page.get_by_text("Frame", exact=True).count() == 0  # what is live has none
        settled(shown.page)
        shown.judge()


def test_two_browsers_see_the_same(show: Show) -> None:
    with Viewer(Row(), port=0) as served:
        (one, first), (other, second) = opened(show, served), opened(show, served)
        assert changed(first, second) == 0.0
        move(one.page, "place", 0.0)
        other.page.get_by_role("cell", name="collision").wait_for()
        until(other.page, lambda seen: changed(first, seen) > 0.01)
        one.judge()
        other.judge()


def test_the_page_that_is_saved_plays_without_a_server(show: Show, tmp_path: Path) -> None:
    with Viewer(Row(), port=0) as served:
        shown, _ = opened(show, served)
        with shown.page.expect_download(timeout=PATIENCE * 1e3) as held:
            shown.page.get_by_role("button", name="Save as HTML").click()
            shown.page.get_by_role("link", name=".html").click()
        assert held.value.suggested_filename == "a-row-of-balls.html"
        held.value.save_as(tmp_path / "saved.html")
        shown.judge()
    plays(show(tmp_path / "saved.html"))


def test_a_recording_plays(show: Show, tmp_path: Path) -> None:
    record(Row(), tmp_path / "row.html")
    shown = show(tmp_path / "row.html")
    plays(shown)
    assert shown.page.title() == Row.title and "Move the" in shown.page.locator("#caption").inner_text()


def plays(shown: Shown) -> None:
    """The scene comes and moves of itself. It is looked at in pauses: while it plays, the page is busy."""
    page = shown.page
    page.wait_for_function("parseFloat(document.querySelector('input')?.value) > 0", polling=100)
    page.keyboard.press("Space")
    first = until(page, lambda seen: not is_empty(seen))

    def moved(seen: Picture) -> bool:
        if changed(first, seen) > 0.01:
            return True
        page.keyboard.press("Space")
        time.sleep(0.3)
        page.keyboard.press("Space")
        return False

    until(page, moved)
    shown.judge()


@pytest.mark.parametrize("name", MOVES)
def test_built_in_scenes_can_be_seen(show: Show, name: str) -> None:
    """Ten thousand balls among them, which must stay usable."""
    exhibit = viewer.open_exhibit(name)
    with Viewer(exhibit, port=0) as served:
        shown, before = opened(show, served)
        move(shown.page, *MOVES[name])
        until(shown.page, lambda seen: changed(before, seen) > 0.005)
        shown.judge()
