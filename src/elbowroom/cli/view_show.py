"""The work of `elbowroom view`: bodies and built-in scenes in the browser, or in one HTML file."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from elbowroom.viewer import Exhibit, built_in, open_exhibit

from .complaint import Complaint, check_file, write_json
from .options import check_input
from .overlaps import plural
from .overwriting import overwriting
from .patience import patient_display
from .view import FileOptions, ServeOptions


@dataclass(frozen=True)
class Wanted:
    """What is shown, and where it goes."""

    files: tuple[Path, ...] = ()
    scene: str | None = None
    record: Path | None = None
    list: bool = False
    json: Path | None = None


def show(wanted: Wanted, serving: ServeOptions, reading: FileOptions) -> int:
    """Serve it until Ctrl-C or SIGTERM, or write the recording or the list; the exit status."""
    check_file("--json", wanted.json)
    check_file("--record", wanted.record)
    if wanted.list:
        return _list(wanted.json)
    _check_address(serving)
    _check_viser()
    exhibit = _open(wanted, reading)
    try:
        if wanted.record is not None:
            return _record(exhibit, wanted.record, wanted.json)
        return _serve(exhibit, wanted, serving, reading)
    except ImportError as error:  # a version of viser that does not fit
        raise Complaint(str(error)) from error


def _list(json: Path | None) -> int:
    scenes = built_in()
    width = max(map(len, scenes))
    print("\n".join(f"{name:{width}}  {line}" for name, line in scenes.items()))
    write_json(json, {"scenes": scenes})
    return 0


def _check_address(serving: ServeOptions) -> None:
    if not 0 <= serving.port <= 65535:
        raise Complaint(f"--port: must be from 0 to 65535, got {serving.port}")
    if not serving.allow_remote and not _is_own(serving.host):
        raise Complaint(
            f"--host: '{serving.host}' can be reached from other machines, and the connection is not "
            "encrypted; use 127.0.0.1 and an ssh tunnel, or add --allow-remote"
        )


def _is_own(host: str) -> bool:
    """Does the address lead to this machine, and from nowhere else?"""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _check_viser() -> None:
    try:
        import viser  # noqa: F401
    except ImportError as error:
        raise Complaint(
            "the viewer needs viser, which is not installed: pip install elbowroom[view]"
        ) from error


def _open(wanted: Wanted, reading: FileOptions) -> Exhibit:
    """What is to be shown: of files, or built in."""
    files, scene = wanted.files, wanted.scene
    options = {name: value for name, value in asdict(reading).items() if value is not None}
    if files and scene is not None:
        raise Complaint(f"--scene: cannot be combined with '{files[0]}'")
    if options and not files:
        raise Complaint(f"--{next(iter(options))}: not supported for a built-in scene; remove it")
    for file in files:
        check_input("FILES", file)
    if scene is not None and scene not in built_in():
        raise Complaint(f"--scene: unknown scene '{scene}'; choose {', '.join(built_in())}")
    names: tuple[Any, ...] = tuple(file.absolute() for file in files) or (scene or next(iter(built_in())),)
    with patient_display() as say:
        say(f"opening {names[0]}", 0, 0)
        try:
            return open_exhibit(*names, **options)
        except (ValueError, TypeError, ImportError) as error:
            raise Complaint(_blamed(str(error), options, files)) from error


def _blamed(text: str, options: Mapping[str, Any], files: tuple[Path, ...]) -> str:
    """With the option in front that the text begins with, or what was to be opened."""
    first = text.split(maxsplit=1)[0].rstrip(":") if text else ""
    if first in options:
        return f"--{text}"
    return f"{'FILES' if files else '--scene'}: {text}"


def _record(exhibit: Exhibit, file: Path, json: Path | None) -> int:
    from elbowroom.viewer.record import record

    with overwriting(file), patient_display() as say:
        pictures = record(exhibit, file, said=lambda done, total: say(f"recording {file.name}", done, total))
    size = file.stat().st_size
    print(f"recorded: {exhibit.title}\n  {plural(pictures, 'frame')}, {size / 1e6:.1f} MB: {file}")
    facts = _facts(exhibit, exhibit.counters())
    write_json(json, facts | {"recording": str(file), "pictures": pictures, "bytes": size})
    return 0


def _serve(exhibit: Exhibit, wanted: Wanted, serving: ServeOptions, reading: FileOptions) -> int:
    """Until Ctrl-C or SIGTERM raises an exception."""
    from elbowroom.viewer.server import Viewer

    scenes = _scenes(wanted, reading)
    first = wanted.scene or next(iter(scenes))
    try:
        viewer = Viewer(exhibit, host=serving.host, port=serving.port, scenes=scenes, scene=first)
    except ValueError as error:
        raise Complaint(f"--{error}") from error
    with viewer:
        write_json(wanted.json, _facts(exhibit, viewer.facts) | {"address": viewer.address})
        print(f"{exhibit.title}\n  {viewer.address}\nPress Ctrl-C to stop.", flush=True)
        Event().wait()
    return 0


def _scenes(wanted: Wanted, reading: FileOptions) -> dict[str, Callable[[], Exhibit]]:
    """What can be chosen in the browser: the files, and all that is built in."""
    scenes: dict[str, Callable[[], Exhibit]] = {}
    if wanted.files:
        scenes[wanted.files[0].name] = lambda: _open(wanted, reading)
    for name in built_in():
        scenes.setdefault(name, partial(open_exhibit, name))
    return scenes


def _facts(exhibit: Exhibit, answers: list[tuple[str, str]]) -> dict[str, Any]:
    return {
        "title": exhibit.title,
        "controls": [control.name for control in exhibit.controls],
        "frames": exhibit.frames,
        "levels": exhibit.levels,
        "answers": dict(answers),
    }
