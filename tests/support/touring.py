"""The quick tour, taken once for all tests that look at what it leaves."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

SCRIPT = "import sys; from elbowroom.cli import main; sys.exit(main())"


@dataclass(frozen=True)
class Tour:
    """The report, the figures, and what was said on stdout."""

    page: Path
    figures: Path
    said: str


@pytest.fixture(scope="session")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Tour:
    """Runs the command as a user does; a word on stderr is an error."""
    folder = tmp_path_factory.mktemp("tour")
    out, figures = folder / "new", folder / "figures.json"
    command = [sys.executable, "-c", SCRIPT, "tour", "--quick", "--out", out, "--json", figures]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return Tour(out / "elbowroom-tour.html", figures, done.stdout)
