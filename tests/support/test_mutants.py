"""The list of planted faults fits the sources, and its check finds what does not."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "mutants.py"
FAULTS = tomllib.loads(TOOL.with_suffix(".toml").read_text(encoding="utf-8"))["fault"]
FAULT = {
    "name": "sign",
    "file": "core/a.cpp",
    "old": "x - y",
    "new": "x + y",
    "breaks": "sums",
    "tests": "rigid",
}


def ask(tool: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, str(tool), *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """The tool in a made-up checkout."""
    for folder in ("tools", "core", "tests/rigid"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "core" / "a.cpp").write_text("const int z = 1;\nreturn x - y;\n")
    return Path(shutil.copy(TOOL, tmp_path / "tools"))


def with_faults(tool: Path, *faults: dict[str, str]) -> None:
    entries = ("[[fault]]\n" + "".join(f"{key} = '{value}'\n" for key, value in f.items()) for f in faults)
    tool.with_suffix(".toml").write_text("\n".join(entries))


def test_faults_fit_the_sources() -> None:
    assert ask(TOOL, "check") == (0, "", "")


def test_list_shows_every_fault() -> None:
    status, said, _ = ask(TOOL, "list")
    assert status == 0
    assert [line.split()[0] for line in said.splitlines()] == [fault["name"] for fault in FAULTS]


def test_faults_are_in_all_parts_of_the_core() -> None:
    headers = {Path(fault["file"]).parent.name for fault in FAULTS if fault["file"].endswith(".hpp")}
    folders = (ROOT / "core" / "include" / "elbowroom").glob("*/")
    assert {folder.name for folder in folders} <= headers


def test_fault_that_fits_is_accepted(tool: Path) -> None:
    with_faults(tool, FAULT)
    assert ask(tool, "check") == (0, "", "")


WRONG = [
    ({"old": "x * y"}, "occurs 0 times"),
    ({"old": " "}, "occurs 7 times"),
    ({"file": "core/b.cpp"}, "occurs 0 times"),
    ({"old": "const int z = 1;", "new": "const int z = 2;"}, "declares a variable"),
    ({"new": "x - y"}, "changes nothing"),
    ({"breaks": ""}, "does not say"),
    ({"tests": "chain"}, "there is no tests/chain"),
]


@pytest.mark.parametrize(("change", "complaint"), WRONG)
@pytest.mark.parametrize("command", ["check", "run"])
def test_fault_that_does_not_fit_is_named(
    change: dict[str, str], complaint: str, command: str, tool: Path
) -> None:
    with_faults(tool, FAULT | change)
    status, said, _ = ask(tool, command)
    assert status == 1 and said.startswith("sign: ") and complaint in said


def test_two_faults_of_one_name_are_refused(tool: Path) -> None:
    with_faults(tool, FAULT, FAULT)
    status, said, _ = ask(tool, "check")
    assert status == 1 and "another fault" in said


def test_unknown_name_is_refused_before_anything_is_built(tool: Path) -> None:
    with_faults(tool, FAULT)
    status, _, complaint = ask(tool, "run", "sine")
    assert status == 2 and "sine" in complaint
