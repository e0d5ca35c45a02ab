"""What files are written to: permissions and links are kept as by `open`, devices are written directly."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from elbowroom._writing import replacing, write_bytes, write_text


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# What `open` would keep.


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_a_new_file_has_the_permissions_of_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        write_bytes(tmp_path / "ours", b"")
        (tmp_path / "plain").write_bytes(b"")
    finally:
        os.umask(before)
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_an_old_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    path.touch()
    path.chmod(mode)
    with replacing(path) as file:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == mode  # also while it is written
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_an_old_file_keeps_its_owner_if_that_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    if os.geteuid() == 0:
        os.chown(path, 65534, 65534)
    owner = path.stat().st_uid, path.stat().st_gid
    write_bytes(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == owner


@pytest.mark.parametrize("there", [True, False])
def test_links_are_followed(tmp_path: Path, there: bool) -> None:
    far, near = tmp_path / "far", tmp_path / "near"
    for folder in (far, near):
        folder.mkdir()
    if there:
        (far / "file").write_bytes(b"old")
    (near / "link").symlink_to("../far/file")
    write_bytes(near / "link", b"new")
    assert (near / "link").is_symlink()
    assert content(far) == {"file": b"new"} and content(near) == {"link": b"new"}


@pytest.mark.parametrize("name", ["[a]*?.json", "a" * 255, "ä" * 127, ".hidden", " "])
def test_all_names_of_files_will_do(tmp_path: Path, name: str) -> None:
    for text in (b"old", b"new"):
        write_bytes(tmp_path / name, text)
    assert content(tmp_path) == {name: b"new"}


def test_a_folder_that_cannot_be_listed_can_be_written_to() -> None:
    assert without_privileges("folder.chmod(0o300); write_bytes(folder / 'file', b'new')") == "nothing"


# What is no file.


def test_devices_and_pipes_are_written_directly(tmp_path: Path) -> None:
    write_text("/dev/null", "nothing")
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_text(pipe, ["through ", "a pipe"])
    reader.join(30)
    assert got == [b"through a pipe"] and stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_full_device_is_named() -> None:
    with pytest.raises(OSError, match=r"No space left on device: '/dev/full'"):
        write_text("/dev/full", "text")


@pytest.mark.parametrize("where", ["file", "pipe"])
def test_the_output_of_the_process_is_written_in_its_turn(tmp_path: Path, where: str) -> None:
    script = (
        "from elbowroom._writing import write_text; "
        "print('before'); write_text('/dev/stdout', 'text\\n'); print('after')"
    )
    out = tmp_path / "out"
    with out.open("w") as file:
        to = file if where == "file" else subprocess.PIPE
        done = subprocess.run([sys.executable, "-c", script], stdout=to, text=True, check=True)
    said = out.read_text() if where == "file" else done.stdout
    assert said == "before\ntext\nafter\n"
    assert list(content(tmp_path)) == ["out"]


# What cannot be written.


def test_errors_name_the_file(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    (tmp_path / "file").touch()
    wrong = {
        tmp_path / "missing" / "file": (FileNotFoundError, "its folder does not exist"),
        tmp_path: (IsADirectoryError, "Is a directory"),
        tmp_path / "file" / "file": (NotADirectoryError, "Not a directory"),
        loop: (OSError, "Too many levels of symbolic links"),
        tmp_path / ("a" * 256): (OSError, "File name too long"),
    }
    for path, (kind, reason) in wrong.items():
        with pytest.raises(kind, match=reason) as refused:
            write_bytes(path, b"new")
        assert refused.value.filename == str(path)
    with pytest.raises(FileNotFoundError):
        write_bytes("", b"new")
    assert set(os.listdir(tmp_path)) == {"loop", "file"}


def without_privileges(code: str) -> str:
    """What is raised by code about a `folder` that is its own, in a process that is not root."""
    script = f"""
import os, sys
from pathlib import Path
from elbowroom._writing import write_bytes
folder = Path(sys.argv[1])
if os.geteuid() == 0:
    os.chown(folder, 65534, 65534)
    os.setgid(65534)
    os.setuid(65534)
try:
    {code}
    print("nothing")
except OSError as error:
    print(type(error).__name__, error)
finally:
    folder.chmod(0o700)
    print(*sorted(path.read_text() for path in folder.iterdir()), file=sys.stderr)
"""
    with tempfile.TemporaryDirectory() as folder:  # not one of pytest's, to which others have no way
        words = [sys.executable, "-c", script, folder]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        os.chown(folder, os.geteuid(), os.getegid())
    assert done.stderr in ("old\n", "new\n", "\n")
    return done.stdout.strip().replace(folder, "FOLDER")


def test_a_file_that_is_read_only_is_not_replaced() -> None:
    code = "(file := folder / 'file').write_text('old'); file.chmod(0o444); write_bytes(file, b'new')"
    assert without_privileges(code) == "PermissionError [Errno 13] Permission denied: 'FOLDER/file'"


def test_a_folder_that_is_not_writable_is_named() -> None:
    code = "(folder / 'file').write_text('old'); folder.chmod(0o500); write_bytes(folder / 'file', b'new')"
    said = "PermissionError [Errno 13] its folder is not writable: 'FOLDER/file'"
    assert without_privileges(code) == said
