"""Pages in a real browser: Chromium or Chrome, without a screen, drawing in software.

Every test may take the fixture `show`:

    def test_the_picture_turns(show: Show) -> None:
        shown = show(file)                            # a file, or the address of a server on this machine
        before = pixels(shown.page.locator("canvas"))
        ...
        shown.judge()                                 # nothing outside was asked for, and no error told

Requests to other machines are refused and noted. Without a browser these tests are skipped, with one line in
pytest's summary; .ci/run installs one and accepts no skipped test.
"""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Route

FLAGS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--host-resolver-rules=MAP attacker.test 127.0.0.1",  # as in DNS rebinding
)
HERE = ("127.0.0.1", "localhost", "::1")
WITHIN = ("file", "data", "blob", "about")  # addresses of these kinds reach no other machine
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MISSING = "no Chromium or Chrome for tests of pages: apt-get install chromium, or playwright install chromium"
PATIENCE = 120_000.0  # milliseconds that anything may take: software draws slowly on a busy machine


@dataclass(eq=False)
class Shown:
    """A page in the browser, what it asked of other machines, and the errors that it told."""

    page: Page
    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def judge(self) -> None:
        """The page needs nothing but itself or its own server, and makes no error."""
        assert self.outside == []
        assert self.errors == []

    def stands(self, condition: str) -> None:
        """Wait until an expression of JavaScript is true."""
        self.page.wait_for_function(condition)


Show = Callable[..., Shown]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before fixtures are made, and from one line: pytest folds skips of the same place and reason."""
    if "chromium" in getattr(item, "fixturenames", ()) and browser_path() is None:
        pytest.skip(MISSING)


@cache
def browser_path() -> str | None:
    """The program to start: one that is installed, or the one that Playwright has downloaded."""
    return next((found for name in NAMES if (found := shutil.which(name))), None) or _downloaded()


def _downloaded() -> str | None:
    from playwright.sync_api import sync_playwright  # here: the other tests run without it

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


@pytest.fixture(scope="module")  # not the session: while it runs, asyncio.run would be refused to other tests
def chromium() -> Iterator[Browser]:
    """The browser; it ends with the module's tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def show(chromium: Browser) -> Iterator[Show]:
    """Opens pages, each in a browser that remembers nothing; all are closed after the test."""
    contexts = []

    def opened(
        what: Path | str, *, size: tuple[int, int] = (1280, 900), dark: bool = False, still: bool = False
    ) -> Shown:
        """The page of a file, or at an address; `still` asks for no motion that nobody started."""
        context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        shown = Shown(context.new_page())
        _listen(shown)
        shown.page.goto(what.resolve().as_uri() if isinstance(what, Path) else what)
        return shown

    yield opened
    for context in contexts:
        context.close()


def pixels(what: Locator | Page) -> NDArray[np.int16]:
    """A screenshot (height, width, 3), of numbers that can be subtracted."""
    picture = Image.open(io.BytesIO(what.screenshot())).convert("RGB")
    return np.asarray(picture, dtype=np.int16)


def changed(before: NDArray[np.int16], after: NDArray[np.int16]) -> float:
    """The share of pixels that differ visibly; all of them if the sizes do."""
    if before.shape != after.shape:
        return 1.0
    return float((np.abs(before - after).max(axis=-1) > 8).mean())


def _listen(shown: Shown) -> None:
    def pass_or_refuse(route: Route) -> None:
        if is_outside(route.request.url):
            shown.outside.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            shown.errors.append(message.text)

    shown.page.route("**/*", pass_or_refuse)
    shown.page.on("websocket", lambda socket: shown.outside.extend([socket.url] * is_outside(socket.url)))
    shown.page.on("console", note)
    shown.page.on("pageerror", lambda error: shown.errors.append(str(error)))


def is_outside(address: str) -> bool:
    """Does this address lead to another machine?"""
    parts = urlsplit(address)
    return parts.scheme not in WITHIN and parts.hostname not in HERE
