"""SIGTERM ends commands, whatever they do, with one line on stderr and status 143; nothing is left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stopping import IGNORING, heeding_ctrl_c, sent_soon

import elbowroom as er
from elbowroom.cli import main

Ask = Callable[..., tuple[int, str, str]]
Work = Callable[[], object]
Asked = Callable[[Work], tuple[int, str, str]]

TERM = signal.SIGTERM
TERMINATED = (143, "", "elbowroom: stopped by SIGTERM\n")


@pytest.fixture
def asked(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """What a command says and returns whose work is replaced."""
    mesh = tmp_path / "mesh.obj"
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")

    def run(work: Work) -> tuple[int, str, str]:
        monkeypatch.setattr(er, "collide", lambda *_, **__: work())
        return ask("check", mesh, mesh)

    return run


@pytest.fixture(autouse=True)
def default() -> Iterator[None]:
    """SIGTERM is as it was before the command."""
    assert signal.getsignal(TERM) is signal.SIG_DFL
    yield
    left = signal.getsignal(TERM)
    signal.signal(TERM, signal.SIG_DFL)
    assert left is signal.SIG_DFL


def wait(number: signal.Signals = TERM) -> None:
    """For ever; the signal comes meanwhile."""
    with sent_soon(number):
        threading.Event().wait()


def compute() -> None:
    """The same, in one call of the core."""
    chain = er.Chain(er.scenes.serpentine(1000), 1.0)
    joints, angles = np.tile(np.arange(900), 10_000), np.full(9_000_000, 1e-9)
    with sent_soon(TERM):
        while True:
            chain.try_torsions(joints, angles, stay=True)


@pytest.mark.parametrize("work", [wait, compute])
def test_sigterm_is_one_line(asked: Asked, work: Work) -> None:
    assert asked(work) == TERMINATED


def test_ctrl_c_is_another_status(asked: Asked) -> None:
    with heeding_ctrl_c():
        assert asked(lambda: wait(signal.SIGINT)) == (130, "", "elbowroom: interrupted\n")


def test_sigterm_that_a_library_swallows_comes_again(asked: Asked) -> None:
    swallowed = []

    def swallow() -> None:
        try:
            wait()
        except BaseException as error:
            swallowed.append(error)
        threading.Event().wait()

    assert asked(swallow) == TERMINATED
    assert len(swallowed) == 1


def test_sigterm_that_a_destructor_loses_comes_again(asked: Asked) -> None:
    class Last:
        def __del__(self) -> None:
            signal.raise_signal(TERM)

    def lose() -> None:
        Last()
        threading.Event().wait()

    assert asked(lose) == TERMINATED


@pytest.mark.parametrize("error", [RuntimeError, ImportError, SystemExit])
def test_what_fails_after_sigterm_was_terminated(asked: Asked, error: type[BaseException]) -> None:
    def fail() -> None:
        with suppress(BaseException):
            wait()
        raise error

    assert asked(fail) == TERMINATED


def test_what_is_done_in_spite_of_sigterm_is_done(asked: Asked) -> None:
    answer = er.collide(er.Sphere(1.0), er.Sphere(1.0))

    def finish() -> object:
        with suppress(BaseException):
            wait()
        return answer

    status, out, _ = asked(finish)
    assert status == 1 and out.startswith("collision")


def test_the_clean_up_is_not_interrupted(asked: Asked) -> None:
    cleaned = []

    def clean() -> None:
        try:
            wait()
        finally:
            for _ in range(3):
                signal.raise_signal(TERM)
            cleaned.append(True)

    assert asked(clean) == TERMINATED
    assert cleaned == [True]


@pytest.mark.parametrize("own", [signal.SIG_IGN, lambda *_: None])
def test_a_handler_of_the_program_is_kept(asked: Asked, own: Any) -> None:
    signal.signal(TERM, own)
    try:
        asked(lambda: signal.raise_signal(TERM))
        assert signal.getsignal(TERM) is own
    finally:
        signal.signal(TERM, signal.SIG_DFL)


def test_commands_run_in_other_threads(capsys: pytest.CaptureFixture[str]) -> None:
    done: list[int] = []
    thread = threading.Thread(target=lambda: done.append(main(["--version"])))
    thread.start()
    thread.join()
    assert done == [0] and capsys.readouterr().err == ""


def test_sigterm_where_ctrl_c_is_ignored() -> None:
    command = [sys.executable, "-c", IGNORING, "doctor"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while "self-test" not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        process.send_signal(TERM)
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == TERMINATED[::2]
