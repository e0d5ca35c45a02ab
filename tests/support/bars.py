"""What holds of every progress bar: on a terminal, if it is asked for or takes long; never on stdout."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import pytest

from elbowroom import _progress

Work = Callable[[bool | None], object]


def check_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], work: Work, parts: Sequence[str]
) -> None:
    """`work(asked)` does something short; a bar of it has all the parts."""

    def shown(asked: bool | None) -> str:
        work(asked)
        said = capsys.readouterr()
        assert said.out == ""
        return said.err

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    assert [shown(asked) for asked in (None, True, False)] == ["", "", ""]  # no terminal
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert shown(None) == "" and shown(False) == ""  # over before anybody waits
    bar = shown(True)
    for part in parts:
        assert part in bar
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    assert parts[0] in shown(None) and shown(False) == ""
