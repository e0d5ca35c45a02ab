"""Where scenes and requests are: in files, in folders, or in tar archives, which are taken for folders."""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from elbowroom.files.opening import read_bytes
from elbowroom.files.unpacking import DAMAGED, Allowance, Counted, opened

File: TypeAlias = str | os.PathLike[str]

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
#: A file of a problem: which of the two it is, and what distinguishes it from others in its folder.
NAME = re.compile(r"(.*?)(scene|request)(.*)\.ya?ml", re.IGNORECASE)


def is_archive(path: Path) -> bool:
    """By its name, and because it is a file."""
    return path.name.lower().endswith(ARCHIVES) and path.is_file()


def read_text(path: File) -> bytes:
    """The content of a file, which may be in an archive: archive.tar.bz2/folder/scene0001.yaml."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be a file name, got {type(path).__name__}")
    whole = Path(os.fspath(path))
    archive = next((parent for parent in whole.parents if is_archive(parent)), None)
    if archive is None:
        return read_bytes(whole)
    inside = PurePosixPath(*whole.relative_to(archive).parts)
    for name, content in archived(archive):
        if PurePosixPath(name) == inside:
            return content
    raise FileNotFoundError(f"'{whole}': there is no '{inside}' in {archive.name}")


def archived(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files in a tar archive, in its order."""
    # What passes by, and what files hold: a sparse one may be far larger than what the archive has of it.
    passing, held = Allowance(str(archive)), Allowance(str(archive))
    try:
        with opened(str(archive)) as stream, _stream(Counted(stream, passing)) as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isfile() else None
                if content is not None:
                    held.take(member.size)
                    yield member.name.removeprefix("./"), content.read()
    except (tarfile.TarError, *DAMAGED) as error:
        raise ValueError(f"{archive}: damaged archive: {error}") from error


def _stream(content: Any) -> tarfile.TarFile:
    """An archive that is read from its beginning to its end."""
    return tarfile.open(fileobj=content, mode="r|")


def problem_files(path: File) -> dict[str, dict[str, tuple[str, bytes | Path]]]:
    """The scenes and requests in a folder or an archive and below, two by two, by the name of the problem.

    scene0001.yaml and request0001.yaml in one folder are the problem folder/0001. What has no counterpart is
    left out. Each is its name and its content or, in a folder, its place.
    """
    root = Path(os.fspath(path))
    if not is_archive(root) and not root.is_dir():
        raise FileNotFoundError(f"'{root}': neither a folder nor a tar archive")
    found: dict[str, dict[str, tuple[str, bytes | Path]]] = {}
    for name, content in _below(root):
        written = NAME.fullmatch(PurePosixPath(name).name)
        if written is not None:
            before, kind, after = written.groups()
            problem = str(PurePosixPath(name).parent / f"{before}{after}")
            found.setdefault(problem, {})[kind.lower()] = (f"{root}/{name}", content)
    return {name: files for name, files in sorted(found.items()) if len(files) == 2}


def _below(root: Path) -> Iterator[tuple[str, bytes | Path]]:
    if is_archive(root):
        yield from archived(root)
    else:
        for file in sorted(root.rglob("*.y*ml")):
            yield file.relative_to(root).as_posix(), file
