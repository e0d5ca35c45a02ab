"""Recordings: one HTML file that shows an exhibit and plays it, in any browser and without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

from viser import ViserServer

from elbowroom import _writing

from .exhibit import Control, Exhibit, Facts, Show
from .panel import table
from .render import Painter
from .render_stage import Server, look_at, stage

#: Called with how many pictures are done, and of how many.
Said = Callable[[int, int], None]
#: Most pictures of a recording, pictures of one computed live, and of each slider there and back.
MOST, LIVE, SWEEP = 240, 120, 48
#: Least time between two pictures, in seconds.
TICK = 1 / 30


def record(exhibit: Exhibit, file: str | Path, show: Show | None = None, *, said: Said | None = None) -> int:
    """Write the recording; how many pictures it has. `said` is told how many are done, of how many.

    What has frames is played once, what is computed live for a while, and of all else each slider is moved
    through its range and back. A thing without any of these is a single picture.
    """
    server = Server("127.0.0.1", 0)
    try:
        stage(server)
        look_at(server, exhibit)
        page = playback(server, Painter(server), exhibit, show or exhibit.start, said)
    finally:
        server.stop()
    _writing.write_text(file, page)
    return pictures(exhibit)


def playback(
    server: ViserServer, painter: Painter, exhibit: Exhibit, show: Show, said: Said | None = None
) -> str:
    """The page, played in the scene of a server as it is written; frame and sliders are left as they were."""
    painter.show(exhibit.layers(show))
    facts = exhibit.counters()
    serializer = server.get_scene_serializer()
    total = pictures(exhibit)
    for done, pause in enumerate(steps(exhibit), start=1):
        serializer.insert_sleep(pause)
        painter.show(exhibit.layers(show))
        if said is not None:
            said(done + 1, total)
    return _captioned(serializer.as_html(), exhibit, facts if total == 1 else [])


def steps(exhibit: Exhibit) -> Iterator[float]:
    """Change the exhibit step by step; the seconds since the step before."""
    if exhibit.live:
        for _ in range(LIVE):
            exhibit.advance()
            yield max(exhibit.frame_time, TICK)
    elif exhibit.frames > 1:
        yield from _frames(exhibit)
    else:
        for control in _sliders(exhibit):
            yield from _sweep(exhibit, control)


def pictures(exhibit: Exhibit) -> int:
    """How many pictures a recording of it has."""
    if exhibit.live:
        return 1 + LIVE
    if exhibit.frames > 1:
        return 1 + len(range(0, exhibit.frames, _stride(exhibit)))
    return 1 + sum(_turns(exhibit) for _ in _sliders(exhibit))


def _frames(exhibit: Exhibit) -> Iterator[float]:
    stride, before = _stride(exhibit), exhibit.frame
    for frame in range(0, exhibit.frames, stride):
        exhibit.set_frame(frame)
        yield stride * exhibit.frame_time
    exhibit.set_frame(before)


def _stride(exhibit: Exhibit) -> int:
    """Frames from one picture to the next."""
    often = max(round(TICK / exhibit.frame_time), 1)
    return max(often, -(-exhibit.frames // MOST))


def _sliders(exhibit: Exhibit) -> list[Control]:
    """Those that are moved: of a thing with very many joints the first few."""
    sliders = [control for control in exhibit.controls if control.kind == "slider"]
    return sliders[: MOST // 8]


def _turns(exhibit: Exhibit) -> int:
    """Pictures for each slider, a multiple of four."""
    return min(SWEEP, MOST // max(len(_sliders(exhibit)), 1)) // 4 * 4


def _sweep(exhibit: Exhibit, control: Control) -> Iterator[float]:
    """From where it stands to the top, to the bottom, and back."""
    start = float(exhibit.values()[control.name])
    turns = _turns(exhibit)
    for turn in range(1, turns + 1):
        exhibit.set(control.name, _swept(turn / turns, start, control))
        yield 2 * TICK


def _swept(time: float, start: float, control: Control) -> float:
    """Where the slider is at a time from 0 to 1, on whole steps of it."""
    up, down = control.high - start, control.low - start
    if time <= 0.25:
        value = start + up * 4 * time
    elif time <= 0.75:
        value = control.high + (control.low - control.high) * 2 * (time - 0.25)
    else:
        value = start + down * 4 * (1 - time)
    return start if time >= 1.0 else _whole(value, control)


def _whole(value: float, control: Control) -> float:
    whole = control.low + round((value - control.low) / control.step) * control.step
    return min(max(whole, control.low), control.high)


def _captioned(page: str, exhibit: Exhibit, facts: Facts) -> str:
    """With a title, and in the corner a description: viser's own recordings have the scene alone."""
    style = (
        "position:fixed;left:1em;bottom:4.5em;max-width:22em;font:14px/1.4 system-ui,sans-serif;"
        "color:#263242;background:rgba(255,255,255,0.85);padding:0.6em 0.9em;border-radius:6px;"
        "pointer-events:none;z-index:5"
    )
    told = f"<b>{escape(exhibit.title)}</b><br>{escape(exhibit.hint)}{table(facts) if facts else ''}"
    body = page.rindex("</body>")
    page = f'{page[:body]}<div id="caption" style="{style}">{told}</div>{page[body:]}'
    begin, end = page.index("<title>"), page.index("</title>")
    return f"{page[:begin]}<title>{escape(exhibit.title)}{page[end:]}"
