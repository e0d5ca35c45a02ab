"""The report of the tour in a browser: scenes are drawn, play, turn and hide, and need nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import Show, Shown, changed, pixels
from touring import Tour

from elbowroom.cli import main
from elbowroom.cli.stops import STOPS

pytestmark = pytest.mark.browser

if TYPE_CHECKING:
    from playwright.sync_api import Locator

TITLES = [stop.title for stop in STOPS]


def scene(shown: Shown, title: str) -> Locator:
    """The scene of a stop, once it is drawn."""
    found = shown.page.locator(f"#stop-{TITLES.index(title) + 1} .scene")
    found.scroll_into_view_if_needed()
    found.locator("canvas[data-drawn]").wait_for()
    return found


def drawn(stage: Locator) -> int:
    return int(stage.locator("canvas").get_attribute("data-drawn") or 0)


def set_time(shown: Shown, stage: Locator, share: float) -> None:
    """Move the slider, and wait until that is drawn."""
    before = drawn(stage)
    slider = stage.locator("[name=time]")
    slider.evaluate("(box, value) => { box.value = value; box.dispatchEvent(new Event('input')) }", share)
    again(shown, stage, before)


def again(shown: Shown, stage: Locator, before: int) -> None:
    """Wait until the scene was drawn once more."""
    canvas = stage.locator("canvas").element_handle()
    shown.page.wait_for_function("([box, k]) => Number(box.dataset.drawn) > k", arg=[canvas, before])


def test_every_scene_is_drawn_and_nothing_else_is_needed(show: Show, tour: Tour) -> None:
    shown = show(tour.page, still=True)
    for title in TITLES:
        canvas = scene(shown, title).locator("canvas")
        picture = pixels(canvas)
        ground = picture[3, 3]
        assert 0.005 < (abs(picture - ground).max(axis=-1) > 8).mean() < 0.9, title
    shown.judge()


def test_the_slider_changes_every_scene_and_its_words(show: Show, tour: Tour) -> None:
    shown = show(tour.page, still=True)
    for title in TITLES:
        stage = scene(shown, title)
        if title == "Every pair of shapes":  # they stand still
            assert stage.locator("[name=time]").count() == 0
            continue
        set_time(shown, stage, 0.0)
        before, words = pixels(stage.locator("canvas")), stage.locator("[name=where]").inner_text()
        set_time(shown, stage, 0.7)
        assert changed(before, pixels(stage.locator("canvas"))) > 0.002, title
        assert stage.locator("[name=where]").inner_text() != words != "", title
    shown.judge()


def test_a_drag_turns_the_scene_and_a_double_click_turns_it_back(show: Show, tour: Tour) -> None:
    shown = show(tour.page, still=True)
    stage = scene(shown, "The tree itself")
    canvas = stage.locator("canvas")
    first, count = pixels(canvas), drawn(stage)
    box = canvas.bounding_box()
    assert box is not None
    shown.page.mouse.move(box["x"] + 300, box["y"] + 200)
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + 400, box["y"] + 230)
    shown.page.mouse.up()
    again(shown, stage, count)
    turned, count = pixels(canvas), drawn(stage)
    assert changed(first, turned) > 0.02
    canvas.dblclick(position={"x": 300, "y": 200})
    again(shown, stage, count)
    assert changed(first, pixels(canvas)) < changed(first, turned) / 4


def test_scenes_play_by_themselves_until_they_are_stopped(show: Show, tour: Tour) -> None:
    shown = show(tour.page)
    stage = scene(shown, TITLES[0])
    assert stage.locator("[name=play]").inner_text() == "Pause"
    again(shown, stage, drawn(stage) + 2)
    stage.locator("[name=play]").click()
    assert stage.locator("[name=play]").inner_text() == "Play"
    stopped = stage.locator("[name=time]").input_value()
    assert float(stopped) > 0
    shown.page.wait_for_timeout(300)
    assert stage.locator("[name=time]").input_value() == stopped


def test_nothing_plays_where_motion_is_unwelcome(show: Show, tour: Tour) -> None:
    stage = scene(show(tour.page, still=True), TITLES[0])
    assert stage.locator("[name=play]").inner_text() == "Play"
    assert float(stage.locator("[name=time]").input_value()) == 0


def test_layers_can_be_hidden_and_shown(show: Show, tour: Tour) -> None:
    shown = show(tour.page, still=True)
    for title, layer in (("Chains that bend", "boxes of the tree"), ("On a budget", "boxes left open")):
        stage = scene(shown, title)
        set_time(shown, stage, 0.3)
        before, count = pixels(stage.locator("canvas")), drawn(stage)
        stage.get_by_label(layer).click()
        again(shown, stage, count)
        assert changed(before, pixels(stage.locator("canvas"))) > 0.002


def test_the_wheel_scrolls_the_page_until_a_scene_is_clicked(show: Show, tour: Tour) -> None:
    shown = show(tour.page, still=True)
    stage = scene(shown, TITLES[0])
    canvas, page = stage.locator("canvas"), shown.page
    canvas.hover()
    page.mouse.wheel(0, 40)
    page.wait_for_function("window.scrollY > 0")
    before = drawn(stage)
    canvas.click()
    here = page.evaluate("window.scrollY")
    page.mouse.wheel(0, -200)
    again(shown, stage, before)
    assert page.evaluate("window.scrollY") == here


def test_keys_step_through_the_frames(show: Show, tour: Tour) -> None:
    shown = show(tour.page, still=True)
    stage = scene(shown, "The tree itself")
    words = stage.locator("[name=where]")
    assert words.inner_text().startswith("level 0")
    stage.locator("canvas").focus()
    shown.page.keyboard.press("ArrowRight")
    shown.page.wait_for_function("box => box.textContent.startsWith('level 1')", arg=words.element_handle())


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_a_narrow_window(show: Show, tour: Tour, dark: bool) -> None:
    shown = show(tour.page, size=(390, 800), dark=dark, still=True)
    ground = pixels(shown.page)[2, 2].mean()
    assert ground < 60 if dark else ground > 200
    scene(shown, TITLES[-1])
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 390
    shown.judge()


@pytest.mark.parametrize("size", [(1200, 800), (390, 700)])
def test_the_page_of_a_path_fills_the_window(show: Show, tmp_path: Path, size: tuple[int, int]) -> None:
    """The animation of `elbowroom plan` is played by the same player, on a stage of its own."""
    page = tmp_path / "path.html"
    assert main(["plan", "--demo", "--html", str(page)]) == 0
    shown = show(f"{page.as_uri()}#at=0.5", size=size)
    stage = shown.page.locator(".scene")
    stage.locator("canvas[data-drawn]").wait_for()
    assert float(stage.locator("[name=time]").input_value()) == 0.5
    box, foot = stage.locator("canvas").bounding_box(), stage.locator(".controls").bounding_box()
    assert box is not None and foot is not None
    assert box["width"] == size[0] and box["height"] > 0.4 * size[1]
    assert foot["y"] + foot["height"] <= size[1] + 1
    before = pixels(stage.locator("canvas"))
    shown.page.keyboard.press("ArrowRight")
    shown.page.keyboard.press(" ")
    # Not after so many frames: on a fast machine these show hardly any motion.
    slider = stage.locator("[name=time]").element_handle()
    shown.page.wait_for_function("box => Math.abs(box.value - 0.5) > 0.15", arg=slider)
    shown.page.keyboard.press(" ")
    assert changed(before, pixels(stage.locator("canvas"))) > 0.005
    shown.judge()
