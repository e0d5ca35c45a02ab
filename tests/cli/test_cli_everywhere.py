"""What every command keeps: an example in its help, --json, one line for an error, statuses, completion."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stopping import HEEDING, MAIN

import elbowroom as er
from elbowroom.cli.app import app
from elbowroom.cli.complaint import Complaint, plain, write_json

Ask = Callable[..., tuple[int, str, str]]
COMMANDS = [name for name in app if not name.startswith("-")]
MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def mesh(tmp_path: Path) -> Path:
    file = tmp_path / "mesh.obj"
    file.write_text(MESH)
    return file


def started(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    """A command in a process of its own, that heeds Ctrl-C."""
    words = [sys.executable, "-c", HEEDING, *map(str, arguments)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def test_the_commands_are_all_there() -> None:
    assert {"tour", "check", "plan", "sample", "reproduce", "doctor"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example_and_json(ask: Ask, command: str) -> None:
    status, out, err = ask(command, "--help")
    assert (status, err) == (0, "")
    assert "Example" in out and f"elbowroom {command} " in out.split("Example")[1]
    assert "--json" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_names_an_option_that_it_does_not_have(ask: Ask, command: str) -> None:
    status, out, err = ask(command, "--nosuch")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "--nosuch" in err and f"`elbowroom {command} --help`" in err


def test_the_help_tells_the_statuses(ask: Ask) -> None:
    out = " ".join(ask("--help")[1].split())
    assert all(f"{status} " in out for status in (0, 1, 2, 130, 141, 143))


def test_a_wrong_command_is_followed_by_the_right_one(ask: Ask) -> None:
    status, _, err = ask("chekc")
    assert status == 2
    assert 'Did you mean "check"?' in err and "`elbowroom --help`" in err


def test_too_many_arguments_are_named(ask: Ask, mesh: Path) -> None:
    said = ask("sample", mesh, "c.obj", "d.obj")[2]
    assert "too many arguments: c.obj d.obj; see `elbowroom sample --help`" in said


@pytest.mark.parametrize("words", [("--json", "-"), ("--json=-",)])
def test_json_to_stdout_has_it_for_itself(ask: Ask, mesh: Path, words: tuple[str, ...]) -> None:
    status, out, err = ask("check", mesh, mesh, *words)
    assert status == 1
    assert json.loads(out)["verdict"] == "collision"
    assert err.startswith("collision: ")


def test_json_to_stdout_of_an_error_is_nothing(ask: Ask, mesh: Path) -> None:
    status, out, err = ask("check", mesh, "nowhere.obj", "--json", "-")
    assert (status, out) == (2, "")
    assert "nowhere.obj" in err


def test_json_knows_no_nan(tmp_path: Path) -> None:
    nan, infinite = float("nan"), float("inf")
    assert plain({"a": (nan, 1.5), "b": {"c": [infinite, "text", None, True]}}) == {
        "a": [None, 1.5],
        "b": {"c": [None, "text", None, True]},
    }
    write_json(tmp_path / "out.json", {"value": nan})
    assert json.loads((tmp_path / "out.json").read_text()) == {"value": None}


def test_json_that_cannot_be_written_is_a_complaint(tmp_path: Path) -> None:
    with pytest.raises(Complaint, match="--json: cannot write"):
        write_json(tmp_path, {})


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "out of memory"),
        (OSError(28, "No space left on device", "out.csv"), "cannot read or write 'out.csv': No space left"),
        (RuntimeError("odd"), "unexpected RuntimeError: odd; `elbowroom doctor` checks the installation"),
    ],
)
def test_errors_say_what_to_do_next(
    ask: Ask, mesh: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(er, "collide", fail)
    status, out, err = ask("check", mesh, mesh)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and said in err
    monkeypatch.setenv("ELBOWROOM_TRACEBACK", "1")
    assert "Traceback" in ask("check", mesh, mesh)[2]


@pytest.mark.parametrize(
    ("code", "status", "said"), [(None, 0, ""), (0, 0, ""), (3, 3, ""), ("why", 2, "elbowroom: why\n")]
)
def test_what_leaves_by_itself_keeps_its_status(
    ask: Ask, mesh: Path, monkeypatch: pytest.MonkeyPatch, code: Any, status: int, said: str
) -> None:
    def leave(*_: object, **__: object) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(er, "collide", leave)
    assert ask("check", mesh, mesh) == (status, "", said)


def test_ctrl_c_is_one_line(ask: Ask, mesh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(er, "collide", stop)
    assert ask("check", mesh, mesh) == (130, "", "elbowroom: interrupted\n")


def test_ctrl_c_in_a_process_of_its_own() -> None:
    process = started("doctor")
    assert process.stdout is not None
    while "self-test" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "elbowroom: interrupted\n")


@pytest.mark.parametrize("arguments", [("--help",), ("doctor",), ("check", "--help")])
def test_a_reader_that_goes_away_is_no_error(arguments: tuple[str, ...]) -> None:
    process = started(*arguments, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_line(mesh: Path) -> None:
    with open("/dev/full", "w") as full:
        words = [sys.executable, "-c", MAIN, "check", str(mesh), str(mesh)]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert (
        done.stderr.startswith("elbowroom: cannot read or write: No space left")
        and done.stderr.count("\n") == 1
    )


def test_bash_completes_commands_and_options(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    script = tmp_path / "elbowroom.bash"
    assert ask("--install-completion", "--shell", "bash", "--output", script)[0] == 0
    asked = "_elbowroom; echo ${COMPREPLY[@]}"
    words = f"source {script}; COMP_WORDS=(elbowroom doc) COMP_CWORD=1; {asked}; "
    words += f"COMP_WORDS=(elbowroom check --js) COMP_CWORD=2; {asked}"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["doctor", "--json"]
