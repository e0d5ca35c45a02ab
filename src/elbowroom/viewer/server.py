"""The viewer: an exhibit in the browser, on this machine alone unless another is asked for.

One thread owns the exhibit. A browser's requests are queued and run there, and of several wishes about the
same thing only the last: who drags a slider faster than the questions can be answered sees where it is now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Condition, Thread
from time import perf_counter
from typing import Any

from elbowroom.interruption import cancel

from .exhibit import Exhibit, Facts, Show
from .panel import Panel
from .play import Clock
from .record import playback
from .render import Painter
from .render_balls import Look
from .render_stage import Server, check_host, look_at, stage

#: Opens an exhibit, afresh each time.
Opener = Callable[[], Exhibit]
MOMENT = 0.05  # seconds between two attempts to cancel a question


class Viewer:
    """Shows an exhibit until it is closed.

    Attributes
    ----------
    address
        Where browsers find it, with a token: without that nothing is served.
    exhibit, show, scene
        What is shown, which parts of it, and its name if it is one of several that can be chosen.
    facts
        What the last answers were, and what they cost.
    wrong
        What was wrong with the last wish; nothing if it was done.
    """

    def __init__(
        self,
        exhibit: Exhibit,
        *,
        host: str = "127.0.0.1",
        port: int = 8080,
        scenes: Mapping[str, Opener] | None = None,
        scene: str = "",
        show: Show | None = None,
    ) -> None:
        check_host(host)
        self.exhibit, self.show = exhibit, show or exhibit.start
        self._scenes, self.scene = dict(scenes or {}), scene
        self._wishes: dict[str, Callable[[], None]] = {}
        self.facts: Facts = []
        self.wrong = ""
        self._changed, self._open, self._stepped = Condition(), True, False
        self._server = Server(host, port)
        self.address = self._server.address
        stage(self._server)
        self._painter = Painter(self._server)
        self._enter(exhibit, self.show)
        self._refresh()
        self._thread = Thread(target=self._work, name="elbowroom viewer", daemon=True)
        self._thread.start()

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the server and its threads, also in the middle of a long question."""
        with self._changed:
            self._open = False
            self._changed.notify()
        while self._thread.is_alive():
            cancel(self._thread)
            self._thread.join(MOMENT)
        self._server.stop()

    def wish(self, about: str, action: Callable[[], None]) -> None:
        """Do this soon, in the viewer's own thread, unless another wish about the same comes first."""
        with self._changed:
            self._wishes[about] = action
            self._changed.notify()

    def play(self, playing: bool) -> None:
        """Start or stop."""
        if playing:
            self._clock.start(perf_counter())
        else:
            self._clock.stop()
        self._panel.playing(playing)

    def set_speed(self, speed: float) -> None:
        """How fast it plays: 1 is its own speed."""
        self._clock.speed = speed

    def set_look(self, look: Look) -> None:
        """How balls are drawn."""
        self._painter.look(look)

    def fit(self) -> None:
        """Move the cameras so that all of it can be seen."""
        look_at(self._server, self.exhibit)

    def choose(self, scene: str) -> None:
        """Show another scene in place of this one."""
        exhibit = self._scenes[scene]()
        self.scene = scene
        self._painter.clear()
        self._server.gui.reset()
        self._enter(exhibit, exhibit.start)

    def save(self, client: Any) -> None:
        """Record the exhibit and hand the page to the browser that asked."""
        self.play(False)
        page = playback(self._server, self._painter, self.exhibit, self.show)
        if client is not None:
            client.send_file_download(f"{_file_name(self.exhibit.title)}.html", page.encode())

    def _enter(self, exhibit: Exhibit, show: Show) -> None:
        """Make the panel of an exhibit and look at it."""
        self.exhibit, self.show = exhibit, show
        self._clock = Clock(exhibit)
        self._panel = Panel(self._server.gui, self, tuple(self._scenes))
        look_at(self._server, exhibit)

    def _refresh(self) -> None:
        self._painter.show(self.exhibit.layers(self.show))
        self.facts = self.exhibit.counters()
        self._panel.tell(self.facts)

    def _work(self) -> None:
        """Until the viewer is closed: what is wished for, then a step of what plays, then the new picture."""
        while self._open:
            wishes = self._wait()
            told = [_tried(wish) for wish in wishes]
            told.append(_tried(self._step))
            if wishes or self._stepped:
                told.append(_tried(self._refresh))
            self._answer(" ".join(filter(None, told)), asked=bool(wishes))

    def _step(self) -> None:
        self._stepped = False  # also if the step fails
        self._stepped = self._clock.step(perf_counter())

    def _answer(self, wrong: str, asked: bool) -> None:
        """Say what went wrong, and let nothing play that does; it stays there until the next wish."""
        if wrong:
            self.play(False)
            self._panel.settle()
        if wrong or asked:
            self.wrong = wrong
            self._panel.complain(wrong)

    def _wait(self) -> list[Callable[[], None]]:
        with self._changed:
            if self._open and not self._wishes:
                self._changed.wait(self._clock.wait(perf_counter()))
            wishes, self._wishes = list(self._wishes.values()), {}
        return wishes


def _tried(action: Callable[[], None]) -> str:
    """What was wrong with it: whatever an exhibit does, the viewer stays and says so."""
    try:
        action()
    except Exception as error:
        return str(error) or type(error).__name__
    return ""


def _file_name(title: str) -> str:
    letters = (letter if letter.isalnum() else " " for letter in title.lower())
    return "-".join("".join(letters).split()) or "scene"
