"""The one way to write files: whole or not at all, whoever else writes them, and whoever is killed."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from elbowroom import _writing
from elbowroom._writing import replacing, write_bytes, write_text

#: Writes half of a file and waits, with the file open, until its input ends.
WAITING = """
import sys
from elbowroom._writing import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("half", flush=True)
    sys.stdin.read()
"""


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def make_old(path: Path, days: float) -> None:
    os.utime(path, times=(0, time.time() - days * _writing.OLD))


def waiting(file: Path) -> subprocess.Popen[str]:
    """A process in the middle of writing a file."""
    words = [sys.executable, "-c", WAITING, str(file)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "half\n"
    return process


# Whole or not at all.


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), replacing(path) as file:
        file.writelines([b"new, but ", None])  # type: ignore[list-item]
    assert content(tmp_path) == {"file": b"old"}
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert content(tmp_path) == {"file": b"new"}


def test_texts_and_bytes(tmp_path: Path) -> None:
    write_text(tmp_path / "text", "ä\n")
    write_text(str(tmp_path / "pieces"), (f"{number}\n" for number in range(3)))
    write_bytes(tmp_path / "bytes", b"\0\r\n")
    assert content(tmp_path) == {"text": b"\xc3\xa4\n", "pieces": b"0\n1\n2\n", "bytes": b"\0\r\n"}


def test_files_are_on_the_disk_before_they_take_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    for name in ("fsync", "replace"):
        whole = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *given, n=name, f=whole: (calls.append(n), f(*given))[1])
    write_bytes(tmp_path / "file", b"new")
    assert calls == ["fsync", "replace", "fsync"]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_failure_at_the_end_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match="Input/output error") as failed:
        write_bytes(path, b"new")
    assert (failed.value.errno, failed.value.filename) == (errno.EIO, str(path))
    assert content(tmp_path) == {"file": b"old"}


# Processes that write the same file, and processes that are killed.


def test_two_writers_of_one_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with waiting(path) as other:
        write_bytes(path, b"ours")
        write_bytes(path, b"ours again")
        assert path.read_bytes() == b"ours again"
        assert len(list(tmp_path.glob(".file.elbowroom-*.new"))) == 1
        other.communicate("")
    assert other.returncode == 0
    assert content(tmp_path) == {"file": b"half"}  # all that the other process wrote, and it was the last


def test_many_threads_write_one_file(tmp_path: Path) -> None:
    path, contents = tmp_path / "file", [bytes([number]) * 50_000 for number in range(8)]

    def write(content: bytes) -> None:
        for _ in range(10):
            write_bytes(path, content)
            assert path.read_bytes() in contents

    errors: list[Any] = []
    threads = [threading.Thread(target=write, args=(each,)) for each in contents]
    before, threading.excepthook = threading.excepthook, errors.append
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        threading.excepthook = before
    assert errors == []
    assert list(content(tmp_path)) == ["file"]


def test_ctrl_c_before_the_file_is_locked_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*_: object, **__: object) -> None:
        assert len(content(tmp_path)) == 1
        raise KeyboardInterrupt

    monkeypatch.setattr(_writing, "_lock", press)
    with pytest.raises(KeyboardInterrupt):
        write_text(tmp_path / "file", "new")
    assert content(tmp_path) == {}


def test_a_process_that_is_about_to_exit_waits_for_its_writers(tmp_path: Path) -> None:
    half, go = threading.Event(), threading.Event()

    def write() -> None:
        with replacing(tmp_path / "file") as file:
            half.set()
            go.wait()
            file.write(b"whole")

    writer = threading.Thread(target=write)
    waiter = threading.Thread(target=_writing.wait_for_writers, args=(60.0,))
    writer.start()
    half.wait()
    waiter.start()
    _writing.wait_for_writers(0.0)  # does not wait
    assert waiter.is_alive()
    go.set()
    waiter.join()
    assert content(tmp_path) == {"file": b"whole"}
    writer.join()


def test_killed_processes_leave_the_old_file_and_no_heap_of_temporary_files(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    for _ in range(2):
        with waiting(path) as process:
            process.send_signal(signal.SIGKILL)
        left = set(content(tmp_path)) - {"file"}
        assert path.read_bytes() == b"old" and len(left) == 1  # that of the last process
    write_bytes(path, b"new")
    assert content(tmp_path) == {"file": b"new"}


def test_only_temporary_files_of_the_same_name_or_old_ones_are_removed(tmp_path: Path) -> None:
    others = [".file.new", ".file.elbowroom-notes", ".other.elbowroom-0123456789abcdef.new", "file.new"]
    left = [".file.elbowroom-0123456789abcdef.new", ".yesterday.elbowroom-0123456789abcdef.new"]
    for name in others + left:
        (tmp_path / name).touch()
    for name in (".file.new", left[1]):
        make_old(tmp_path / name, 1.5)
    write_bytes(tmp_path / "file", b"new")
    assert set(content(tmp_path)) == {"file", *others}
    _writing.sweep(tmp_path)  # in a folder of our own
    assert set(content(tmp_path)) == {"file", ".file.elbowroom-notes", "file.new"}


def test_where_files_cannot_be_locked_temporary_files_stay_for_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    fresh, stale = (tmp_path / f".file.elbowroom-{number:016x}.new" for number in range(2))
    for path, age in ((fresh, 0.5), (stale, 1.5)):
        path.touch()
        make_old(path, age)
    write_bytes(tmp_path / "file", b"new")
    assert set(content(tmp_path)) == {"file", fresh.name}


def test_a_temporary_file_that_is_removed_at_once_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a process that has found it just before it was locked."""
    flock, removed = fcntl.flock, []

    def remove_first(file: int, how: int) -> None:
        if not removed:
            removed.extend(tmp_path.iterdir())
            removed[0].unlink()
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", remove_first)
    write_bytes(tmp_path / "file", b"new")
    assert len(removed) == 1 and content(tmp_path) == {"file": b"new"}
