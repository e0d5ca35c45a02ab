"""What a command overwrites, it says, on stderr and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from slider_robot import write_sliders
from writers import CHANGED, WRITERS, make_inputs

from elbowroom.cli import complaint

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the commands read; and what the table of writers changes is put back."""
    monkeypatch.chdir(tmp_path)
    make_inputs()
    for name in CHANGED:
        module, _, attribute = name.partition(".")
        found = import_module(f"elbowroom.cli.{module}")
        monkeypatch.setattr(found, attribute, getattr(found, attribute))
    return tmp_path


@pytest.mark.parametrize("name", [name for name, writer in WRITERS.items() if writer.command])
def test_a_command_says_what_it_overwrites(here: Path, name: str) -> None:
    writer, folder = WRITERS[name], here / "out"
    folder.mkdir()
    file = folder / writer.file
    assert "overwrote" not in "".join(writer.write(file))
    out, err = writer.write(file)
    assert err == f"elbowroom: overwrote '{file}'\n"
    assert "overwrote" not in out


def test_a_picture_that_is_painted_twice_is_overwritten_at_most_once(here: Path, ask: Ask) -> None:
    """Where the rows of a path are free and what is between them is not, the picture is painted again."""
    write_sliders(here)
    Path("path.csv").write_text("-2,-5,0\n8,-5,0\n")
    words = ("check", "sliders.urdf", "--path", "path.csv", "--plot", "p.png")
    status, out, err = ask(*words)
    assert status == 1 and "between rows" in out and err == ""
    assert ask(*words)[2] == "elbowroom: overwrote 'p.png'\n"


def test_a_picture_that_is_not_painted_is_not_overwritten(here: Path, ask: Ask) -> None:
    np.save("one.npy", np.zeros((3, 1, 3)))
    Path("p.png").write_text("old")
    assert ask("check", "one.npy", "--radius", "1", "--plot", "p.png")[2] == ""
    assert Path("p.png").read_text() == "old"


def test_with_json_on_stdout_it_is_said_on_stderr(here: Path, ask: Ask) -> None:
    words = ("check", "beads.npy", "--radius", "0.1", "--plot", "beads.png", "--json", "-")
    assert "overwrote" not in ask(*words)[2]
    _, out, err = ask(*words)
    assert json.loads(out)["verdict"]
    assert "elbowroom: overwrote 'beads.png'\n" in err


def test_what_is_no_file_is_not_overwritten(here: Path, ask: Ask) -> None:
    assert ask("check", "piece.obj", "piece.obj", "--json", "/dev/null")[2] == ""


def test_a_failed_command_has_overwritten_nothing(
    here: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "facts.json")

    Path("facts.json").touch()
    monkeypatch.setattr(complaint._writing, "write_text", fail)
    status, _, err = ask("check", "piece.obj", "piece.obj", "--json", "facts.json")
    assert status == 2 and "overwrote" not in err
    assert "--json: cannot write 'facts.json' (No space left on device)" in err


@pytest.mark.parametrize(
    ("file", "reason"),
    [("no/facts.json", "folder 'no' does not exist"), (".", "is a folder"), ("loop", "Too many levels")],
)
def test_files_that_cannot_be_written_are_refused_before_the_work(
    here: Path, ask: Ask, file: str, reason: str
) -> None:
    Path("loop").symlink_to("loop")
    status, out, err = ask("check", "piece.obj", "piece.obj", "--json", file)
    assert (status, out) == (2, "")
    assert err.startswith("elbowroom: --json: ") and reason in err and err.count("\n") == 1
