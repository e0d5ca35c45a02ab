"""Which browser tests of pages open, and what happens without one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import browser
import pytest
from browser import browser_path
from playwright.sync_api import sync_playwright

TESTS = Path(__file__).parent
Install = Callable[[str], str]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Makes programs of these names, on a machine that has no other."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "_downloaded", lambda: None)

    def make(name: str) -> str:
        program = tmp_path / name
        program.touch(mode=0o755)
        return str(program)

    browser_path.cache_clear()
    yield make
    browser_path.cache_clear()


def test_there_may_be_none(install: Install) -> None:
    assert browser_path() is None


@pytest.mark.parametrize("name", browser.NAMES)
def test_chromium_and_chrome_are_found(install: Install, name: str) -> None:
    made = install(name)
    assert browser_path() == made


def test_the_downloaded_one_comes_last(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "_downloaded", lambda: "downloaded")
    assert browser_path() == "downloaded"
    browser_path.cache_clear()
    made = install("google-chrome")
    assert browser_path() == made


def test_the_downloaded_one_is_where_playwright_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    assert browser._downloaded() is None
    with sync_playwright() as playwright:
        program = Path(playwright.chromium.executable_path)
    program.parent.mkdir(parents=True)
    program.touch()
    assert program.is_relative_to(tmp_path) and browser._downloaded() == str(program)


def test_without_a_browser_tests_are_skipped_with_one_line(tmp_path: Path) -> None:
    files = [TESTS / "test_browser_gate.py", TESTS / "test_browser_view.py"]
    nowhere = dict.fromkeys(["PATH", "PLAYWRIGHT_BROWSERS_PATH"], str(tmp_path))
    env = os.environ | nowhere | {"PYTEST_ADDOPTS": ""}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-ra",
        "-n0",
        "-mbrowser",
        "-p",
        "no:cacheprovider",
        *map(str, files),
    ]
    done = subprocess.run(command, env=env, cwd=TESTS.parents[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    lines = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    assert len(lines) == 1 and lines[0].endswith(browser.MISSING)
