"""A write that fails destroys nothing.

Every writer of the package meets a limit on file sizes and a full disk, and is killed in the middle.
One process goes through all of them.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from writers import WRITERS

CHILD = Path(__file__).parents[1] / "support" / "writer_child.py"
#: A disk of its own, which nobody else sees and which goes with the process; root is not needed for it.
MOUNT = 'mount -t tmpfs -o size=8m none "$0" && exec "$@"'
FULL = {"limit": errno.EFBIG, "full": errno.ENOSPC}

Outcomes = dict[str, dict[str, Any]]


def small_disk(folder: Path) -> list[str]:
    """A command that runs another with a small disk mounted on a folder; none if that is not allowed here."""
    if shutil.which("unshare") is None:
        return []
    words = ["unshare", "--map-root-user", "--mount", "sh", "-c", MOUNT, str(folder)]
    return words if subprocess.run([*words, "true"], capture_output=True).returncode == 0 else []


def outcomes(names: list[str], *, disk: bool) -> Outcomes:
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as mounted:
        wrapper = small_disk(Path(mounted)) if disk else []
        words = [*wrapper, sys.executable, str(CHILD), home, mounted if wrapper else "", *names]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        found: Outcomes = json.loads(done.stdout)
        return found


@pytest.fixture(scope="module")
def found() -> Outcomes:
    return outcomes(list(WRITERS), disk=True)


def judge(name: str, way: str, outcome: dict[str, Any]) -> None:
    """The old file is as it was, nothing else is there, and the error names the file."""
    assert outcome["intact"], outcome
    assert outcome["files"] == [WRITERS[name].file]
    if WRITERS[name].command:
        assert outcome["raised"] == "CommandFailed"
        assert outcome["said"].startswith("elbowroom: ") and outcome["said"].count("\n") == 1
        assert outcome["file"] in outcome["said"] and os.strerror(FULL[way]) in outcome["said"]
    else:
        assert (outcome["raised"], outcome["said"]) == ("OSError", outcome["file"])


@pytest.mark.parametrize("way", FULL)
@pytest.mark.parametrize("name", WRITERS)
def test_a_failed_write_leaves_the_old_file(found: Outcomes, name: str, way: str) -> None:
    judge(name, way, found[name][way])


@pytest.mark.parametrize("name", WRITERS)
def test_a_killed_process_leaves_the_old_file(found: Outcomes, name: str) -> None:
    outcome = found[name]["killed"]
    assert outcome["signal"] == signal.SIGXFSZ  # in the middle of the write
    assert outcome["intact"]
    left = [file for file in outcome["files"] if file != WRITERS[name].file]
    assert len(left) == 1  # the temporary file, which the next write has removed
    assert left[0].startswith(f".{WRITERS[name].file}.elbowroom-")


def test_a_full_disk_can_be_pretended_where_none_can_be_mounted() -> None:
    names = ["SeparatingPairs.save", "BVTT.html", "plan --out"]
    for name, outcome in outcomes(names, disk=False).items():
        judge(name, "full", outcome["full"])
