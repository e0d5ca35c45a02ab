"""The player of recorded scenes: what a page needs once, and a stage for each scene."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path

from .exhibits import Scene

HERE = Path(__file__).parent
SCENE_SCRIPTS = ("player", "player_shaders", "player_scene", "player_controls")
SCRIPTS = (*SCENE_SCRIPTS, "player_begin")
HANDS = "drag to turn it, with shift to move it; click it, then use the wheel to come nearer"


def player_style() -> str:
    """The style sheet of the stages."""
    return (HERE / "player.css").read_text(encoding="utf-8")


def player_script(scripts: Sequence[str] = SCRIPTS) -> str:
    """The program that plays every stage of a page; it belongs at the end."""
    parts = [(HERE / f"{name}.js").read_text(encoding="utf-8") for name in scripts]
    return "<script>\n(() => {\n" + "".join(parts) + "})();\n</script>\n"


def stage(scene: Scene, *, fill: bool = False) -> str:
    """A scene on a page as HTML; with `fill` it takes all the room there is, and can be told to stop."""
    data = json.dumps(scene.data, separators=(",", ":")).replace("<", "\\u003c")
    caption = f"<figcaption>{escape(scene.caption)}</figcaption>" if scene.caption else ""
    label = escape(f"{scene.alt} Move it: {HANDS}.", quote=True)
    return (
        f'<figure class="scene{" fill" if fill else " wide"}">\n'
        f'<canvas tabindex="0" role="img" aria-label="{label}"></canvas>\n'
        f'<p class="missing">This browser shows no WebGL 2, which the scene needs. {escape(scene.alt)}</p>\n'
        f"<noscript><p>The scene needs JavaScript. {escape(scene.alt)}</p></noscript>\n"
        f'{_controls(scene, fill)}{caption}<script type="application/json">{data}</script>\n</figure>\n'
    )


def _controls(scene: Scene, fill: bool) -> str:
    boxes = [_box(layer, on) for layer, on in scene.layers.items()]
    if scene.data["frames"] < 2:
        return f'<div class="controls">{"".join(boxes)}</div>\n' if boxes else ""
    again = [_box("loop", True)] if fill else []
    return f'<div class="controls">\n{PLAY}{"".join(again + boxes)}\n</div>\n'


def _box(name: str, on: bool) -> str:
    checked, words = " checked" if on else "", escape(name, quote=True)
    return f'<label><input name="{words}" type="checkbox"{checked}> {words}</label>\n'


PLAY = """<button name="play" type="button">Play</button>
<input name="time" type="range" min="0" max="1" step="any" value="0" aria-label="Time">
<output name="where"></output>
<label>speed <select name="speed"><option value="0.25">¼</option><option value="0.5">½</option>
<option value="1" selected>1</option><option value="2">2</option><option value="4">4</option></select></label>
"""
