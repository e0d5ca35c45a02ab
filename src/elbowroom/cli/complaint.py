"""What is wrong with an argument, in one line; the checks of output files that come before the work; JSON."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TextIO

from elbowroom import _writing

from .overwriting import overwriting

STDOUT = Path("-")
_json_to: ContextVar[TextIO | None] = ContextVar("_json_to", default=None)


class Complaint(Exception):
    """Names the argument or file and says what to do. The command line prints it and ends with status 2."""


def check_folder(argument: str, folder: Path) -> None:
    """Make the folder if it is missing, and complain unless files can be written into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Complaint(f"{argument}: cannot create folder '{folder}' ({error.strerror})") from error
    if not os.access(folder, os.W_OK):
        raise Complaint(f"{argument}: folder '{folder}' is not writable")


def check_file(argument: str, file: Path | None) -> None:
    """Complain if the file cannot be written, before time is spent on what goes into it."""
    if file is None or (file == STDOUT and argument == "--json"):
        return
    if file.is_dir():
        raise Complaint(f"{argument}: '{file}' is a folder, not a file")
    if not file.parent.is_dir():
        raise Complaint(f"{argument}: folder '{file.parent}' does not exist")
    try:
        _writing.refuse_unwritable(file)
    except OSError as error:
        raise Complaint(f"{argument}: cannot write '{file}' ({error.strerror})") from error


def joined(arguments: Sequence[str]) -> list[str]:
    """`--json -` as `--json=-`, which the parser does not take for an option without a value."""
    made: list[str] = []
    for word in arguments:
        if word == "-" and made and made[-1] == "--json":
            made[-1] = "--json=-"
        else:
            made.append(word)
    return made


@contextmanager
def json_alone(arguments: Sequence[str]) -> Iterator[None]:
    """With `--json=-`, stdout is for the JSON alone, and what else a command prints goes to stderr."""
    if "--json=-" not in arguments:
        yield
        return
    before = _json_to.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _json_to.reset(before)


def write_json(file: Path | None, content: Mapping[str, Any]) -> None:
    """Write the file if one was asked for; "-" is stdout."""
    if file is None:
        return
    text = json.dumps(plain(content), indent=2, allow_nan=False) + "\n"
    if file == STDOUT:
        print(text, end="", file=_json_to.get() or sys.stdout)
        return
    try:
        with overwriting(file):
            _writing.write_text(file, text)
    except OSError as error:
        raise Complaint(f"--json: cannot write '{file}' ({error.strerror})") from error


def plain(value: Any) -> Any:
    """As JSON can hold it, which has neither infinities nor NaN."""
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
