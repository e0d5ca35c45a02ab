"""The controls beside the picture, made from what the exhibit says can be set, and the table of answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from typing import Any, Protocol

from viser import GuiApi

from .exhibit import Control, Exhibit, Facts, Show, Value
from .render_balls import Look

#: Takes what a wish is about, and does it later; a second wish about the same replaces the first.
Wish = Callable[[str, Callable[[], None]], None]
SPEEDS = ("0.1", "0.25", "0.5", "1", "2", "4")
LOOKS: dict[str, Look] = {"auto": "auto", "solid balls": "solid", "points": "points"}
TABLE = 'style="width:94%;border-collapse:collapse;font-size:0.85em;margin:0 3% 1em"'
CELL = 'style="padding:0.15em 0.4em;border-bottom:1px solid rgba(128,128,128,0.25);vertical-align:top"'


class Desk(Protocol):
    """What the panel can ask of the viewer. All of it happens in the viewer's own thread."""

    exhibit: Exhibit
    show: Show
    scene: str

    def wish(self, about: str, action: Callable[[], None]) -> None:
        """Do this soon, unless another wish about the same comes first."""

    def play(self, playing: bool) -> None:
        """Start or stop."""

    def set_speed(self, speed: float) -> None:
        """How fast it plays: 1 is its own speed."""

    def set_look(self, look: Look) -> None:
        """How balls are drawn."""

    def fit(self) -> None:
        """Move the cameras so that all of it can be seen."""

    def choose(self, scene: str) -> None:
        """Show another built-in scene."""

    def save(self, client: Any) -> None:
        """Record the exhibit and hand the page to a browser."""


class Panel:
    """The controls of one exhibit."""

    def __init__(self, gui: GuiApi, desk: Desk, scenes: Sequence[str]) -> None:
        self._gui, self._desk, self._exhibit = gui, desk, desk.exhibit
        self._handles: dict[str, Any] = {}
        self._scene: Any = None
        self._frame: Any = None
        self._play: Any = None
        gui.set_panel_label(self._exhibit.title)
        if scenes:
            self._choose(scenes)
        if self._exhibit.hint:
            gui.add_markdown(self._exhibit.hint)
        self._table = gui.add_html(table([]))
        self._note = gui.add_markdown("", visible=False)
        if self._exhibit.plays:
            self._player()
        self._controls()
        self._parts()

    def tell(self, facts: Facts) -> None:
        """Show what the last answers were, and where the controls stand now."""
        self._table.content = table(facts)
        self.settle()

    def settle(self) -> None:
        """Set the controls to what holds: a button changed them, or somebody asked for what cannot be."""
        if self._scene is not None:
            self._scene.value = self._desk.scene
        for name, value in self._exhibit.values().items():
            if name in self._handles:
                self._handles[name].value = value
        if self._frame is not None:
            self._frame.value = self._exhibit.frame

    def playing(self, playing: bool) -> None:
        """The button says what it does next."""
        if self._play is not None:
            self._play.label = "Pause" if playing else "Play"

    def complain(self, text: str) -> None:
        """Say what went wrong; nothing if the text is empty."""
        self._note.content = f"**{text}**"
        self._note.visible = bool(text)

    def _choose(self, scenes: Sequence[str]) -> None:
        self._scene = self._gui.add_dropdown("Scene", tuple(scenes), initial_value=self._desk.scene)
        self._on(self._scene, "scene", lambda value: self._desk.choose(str(value)))

    def _player(self) -> None:
        with self._gui.add_folder("Play"):
            self._play = self._gui.add_button("Play")
            self._play.on_click(lambda _: self._desk.wish("play", self._toggle))
            speed = self._gui.add_dropdown("Speed", SPEEDS, initial_value="1")
            self._on(speed, "speed", lambda value: self._desk.set_speed(float(value)))
            if not self._exhibit.live:
                last = self._exhibit.frames - 1
                self._frame = self._gui.add_slider("Frame", 0, last, 1, self._exhibit.frame)
                self._on(self._frame, "frame", lambda value: self._exhibit.set_frame(int(value)))

    def _toggle(self) -> None:
        self._desk.play(self._play.label == "Play")

    def _controls(self) -> None:
        """A folder for each group; many of them start closed."""
        groups: dict[str, list[Control]] = {}
        for control in self._exhibit.controls:
            groups.setdefault(control.group or "Set", []).append(control)
        for name, controls in groups.items():
            with self._gui.add_folder(name, expand_by_default=len(groups) <= 3):
                for control in controls:
                    self._control(control)

    def _control(self, control: Control) -> None:
        name, hint = control.name, control.hint or None
        if control.kind == "button":
            button = self._gui.add_button(name, hint=hint)
            button.on_click(lambda _: self._desk.wish(name, lambda: self._exhibit.set(name, True)))
            return
        if control.kind == "slider":
            low, high, step = float(control.low), float(control.high), float(control.step)
            value = min(max(float(control.initial), low), high)
            handle: Any = self._gui.add_slider(name, low, high, step, value, hint=hint)
        elif control.kind == "choice":
            first = str(control.initial)
            handle = self._gui.add_dropdown(name, control.choices, initial_value=first, hint=hint)
        else:
            handle = self._gui.add_checkbox(name, bool(control.initial), hint=hint)
        self._handles[name] = handle
        self._on(handle, f"set {name}", lambda value: self._exhibit.set(name, value))

    def _parts(self) -> None:
        """What is shown of it."""
        exhibit, show = self._exhibit, self._desk.show
        with self._gui.add_folder("Show"):
            self._check("Body", "body", show.body)
            self._check("Collisions", "collisions", show.collisions)
            if exhibit.has_closest:
                self._check("Closest points", "closest", show.closest)
            if exhibit.has_within:
                self._pair("Pairs in reach", "Reach", "within", 0.0, 4.0 * exhibit.reach, exhibit.reach)
            if exhibit.levels:
                self._pair("Hierarchy", "Level", "level", 0, exhibit.levels - 1, min(2, exhibit.levels - 1))
            if exhibit.has_cut:
                self._check("Cut of the search", "cut", show.cut)
            look = self._gui.add_dropdown("Balls as", tuple(LOOKS), initial_value="auto")
            self._on(look, "look", lambda value: self._desk.set_look(LOOKS[str(value)]))
        fit = self._gui.add_button("Fit the view", hint="After it has moved or grown")
        fit.on_click(lambda _: self._desk.wish("fit", self._desk.fit))
        save = self._gui.add_button("Save as HTML", hint="One file that any browser shows, without a network")
        save.on_click(lambda event: self._desk.wish("save", lambda: self._desk.save(event.client)))

    def _check(self, label: str, part: str, value: bool) -> None:
        handle = self._gui.add_checkbox(label, value)
        self._on(handle, f"show {part}", lambda held: self._change(part, bool(held)))

    def _pair(self, label: str, measure: str, part: str, low: Any, high: Any, value: Any) -> None:
        """A check box, and a slider that counts while the box is ticked."""
        asked = getattr(self._desk.show, part)
        check = self._gui.add_checkbox(label, asked is not None)
        step: Any = 1 if isinstance(low, int) else high / 100
        first = value if asked is None else min(max(asked, low), high)
        slider = self._gui.add_slider(measure, low, max(high, low + step), step, first)

        def changed(_: Any) -> None:
            self._change(part, slider.value if check.value else None)

        self._on(check, f"show {part}", changed)
        self._on(slider, f"show {part}", changed)

    def _change(self, part: str, value: Any) -> None:
        self._desk.show = replace(self._desk.show, **{part: value})

    def _on(self, handle: Any, about: str, action: Callable[[Value], None]) -> None:
        """Wish for the action when somebody moves the control, but not when the viewer itself sets it."""

        def moved(event: Any) -> None:
            if event.client is not None:
                self._desk.wish(about, lambda: action(handle.value))

        handle.on_update(moved)


def table(facts: Facts) -> str:
    """Names and values, in HTML."""
    rows = "".join(f"<tr>{_cell(name)}{_cell(value)}</tr>" for name, value in facts)
    return f"<table {TABLE}>{rows}</table>"


def _cell(text: str) -> str:
    return f"<td {CELL}>{escape(text)}</td>"
