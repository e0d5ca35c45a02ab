"""What is wrong with an argument, in one line; and the checks of output files that come before the work."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Complaint(Exception):
    """Names the argument or file and says what to do. The command line prints it and ends with status 2."""


def check_folder(argument: str, folder: Path) -> None:
    """Make the folder if it is missing, and complain unless files can be written into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Complaint(f"{argument}: cannot make folder '{folder}' ({error.strerror})") from error
    if not os.access(folder, os.W_OK):
        raise Complaint(f"{argument}: cannot write into folder '{folder}'; name another")


def check_file(argument: str, file: Path | None) -> None:
    """Complain if the file cannot be written, before time is spent on what goes into it."""
    if file is None:
        return
    if file.is_dir():
        raise Complaint(f"{argument}: '{file}' is a folder; name a file")
    if not file.parent.is_dir():
        raise Complaint(f"{argument}: folder '{file.parent}' does not exist; make it first")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise Complaint(f"{argument}: cannot write '{file}'; name another file")


def write_json(file: Path | None, content: Mapping[str, Any]) -> None:
    """Write the file if one was asked for."""
    if file is not None:
        file.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
