"""A run's Spec in the folder of its results, so that whoever finds the folder can go on with the run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from elbowroom import _writing

from .._disk.json_file import write_json

if TYPE_CHECKING:
    from ..spec import Spec

#: The file's name.
KEPT_AS = "spec.json"
#: The file that says that there is a run in a folder.
RUN = "run.json"


@contextmanager
def kept_in(folder: Path, spec: Spec, resume: bool) -> Iterator[None]:
    """The Spec is there before the first step is taken; a run that is refused leaves what was there."""
    file = folder / KEPT_AS
    if not resume and (folder / RUN).exists():
        yield  # `sample` refuses it, and says why
        return
    before = file.read_bytes() if file.exists() else None
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    write_json(file, spec.to_dict())
    try:
        yield
    except (ValueError, ImportError):
        _restore(file, before)
        with suppress(OSError):  # what is not empty stays
            for each in made:
                each.rmdir()
        raise


def _restore(file: Path, before: bytes | None) -> None:
    """As it was; of a run that has begun it stays, as it was none's before."""
    if before is not None:
        _writing.write_bytes(file, before)
    elif not (file.parent / RUN).exists():
        file.unlink()
