"""Recordings and the clock: every frame once, sliders there and back, and nothing left changed."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from view_makers import Busy, Row
from view_messages import unpacked

from elbowroom.viewer import Control, Exhibit, Show
from elbowroom.viewer.play import TICK, Clock
from elbowroom.viewer.record import LIVE, MOST, pictures, record, steps


class Still(Row):
    """A row without frames: two sliders and buttons."""

    frames = 0

    def __init__(self) -> None:
        super().__init__()
        self.controls = [*self.controls, Control("other", "slider", 0.0, 1.0, 0.25, 0.5)]

    def values(self) -> dict[str, float | int | str | bool]:
        return super().values() | {"other": 0.5}

    def set(self, name: str, value: float | int | str | bool) -> None:
        if name == "place" and float(value) == 9.0:  # which the row refuses
            value = 8.5
        super().set(name, value)


def recorded(page: str) -> list[tuple[float, dict[str, object]]]:
    held = re.search(r'__VISER_EMBED_DATA__="([^"]*)"', page)
    assert held is not None
    return unpacked(base64.b64decode(held[1]))


def test_a_recording_has_every_frame_at_its_time(tmp_path: Path) -> None:
    row, file = Row(), tmp_path / "row.html"
    said: list[tuple[int, int]] = []
    row.set_frame(3)
    assert record(row, file, Show(collisions=False), said=lambda *done: said.append(done)) == 11
    assert said == [(number, 11) for number in range(2, 12)] and row.frame == 3
    messages = recorded(file.read_text(encoding="utf-8"))
    moved = [time for time, each in messages if each.get("name") == "/body/first" and "updates" in each]
    assert moved == pytest.approx([0.1 * number for number in range(1, 11)])


def test_the_page_has_a_title_and_says_what_there_is_to_see(tmp_path: Path) -> None:
    file = tmp_path / "row.html"
    record(Row(), file)
    page = file.read_text(encoding="utf-8")
    assert page.count("<title>A row &lt;of balls&gt;</title>") == 1 and "Viser</title>" not in page
    assert "Move the *first* ball." in page and "leaf tests" not in page  # which change while it plays


def test_a_single_picture_has_the_table_of_answers(tmp_path: Path) -> None:
    row = Row()
    row.frames, row.controls = 0, ()
    assert record(row, tmp_path / "row.html") == 1
    assert "leaf tests" in (tmp_path / "row.html").read_text(encoding="utf-8")


def test_sliders_go_through_their_range_and_back() -> None:
    still = Still()
    times = list(steps(still))
    assert len(times) == pictures(still) - 1 and min(times) > 0
    for name, low, high, rest in (("place", -9.0, 8.5, -3.0), ("other", 0.0, 1.0, 0.5)):
        places = [float(value) for asked, value in still.asked if asked == name]  # type: ignore[arg-type]
        assert (min(places), max(places), places[-1]) == (low, high, rest)
    assert all((float(value) * 4) % 1 == 0 for _, value in still.asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(("frames", "seconds"), [(7, 1 / 30), (900, 1 / 120), (100_000, 1 / 60)])
def test_long_clips_are_thinned_and_keep_their_pace(frames: int, seconds: float) -> None:
    row = Row()
    row.frames, row.frame_time = frames, seconds
    times = list(steps(row))
    assert len(times) == pictures(row) - 1 <= MOST
    assert sum(times) == pytest.approx(frames * seconds, rel=0.05, abs=0.1)


def test_what_is_computed_live_is_recorded_for_a_while() -> None:
    busy = Busy()
    assert len(list(steps(busy))) == LIVE == pictures(busy) - 1
    assert busy.place == -3.0 + 0.25 * LIVE


def played(exhibit: Exhibit, speed: float, seconds: float) -> int:
    """How many steps the clock takes."""
    clock, now, taken = Clock(exhibit), 0.0, 0
    clock.speed = speed
    clock.start(now)
    while now < seconds:
        taken += clock.step(now)
        wait = clock.wait(now)
        assert wait is not None
        now += max(wait, 1e-4)
    return taken


@pytest.mark.parametrize(("seconds", "speed"), [(0.1, 1), (0.1, 4), (1 / 120, 1), (1 / 120, 0.5), (0.01, 3)])
def test_the_clock_keeps_the_pace_and_skips_what_is_too_fast(seconds: float, speed: float) -> None:
    row = Row()
    row.frames, row.frame_time = 10_000, seconds
    taken = played(row, speed, 5.0)
    assert row.frame == pytest.approx(5.0 * speed / seconds, rel=0.02, abs=2)
    assert taken <= 5.0 / TICK + 2


def test_the_clock_begins_again_after_the_last_frame_and_stops_when_told() -> None:
    row = Row()
    played(row, 1.0, 1.25)
    assert row.frame == 3  # ten frames, then three
    clock = Clock(row)
    clock.start(0.0)
    clock.stop()
    assert clock.wait(9.0) is None and not clock.step(9.0)


def test_a_slow_machine_does_not_pile_up_what_it_missed() -> None:
    busy = Busy()
    clock = Clock(busy)
    clock.start(0.0)
    assert clock.step(100.0) and clock.step(100.0) and not clock.step(100.01)
