"""Web pages from elsewhere, in a real browser, that try to read the viewer's scene."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from browser import PATIENCE, Show
from view_makers import Row
from view_requests import PROTOCOL, port_of

from elbowroom.viewer.server import Viewer

pytestmark = pytest.mark.browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGE = b"<!doctype html><title>elsewhere</title>"
#: What a script can get at an address: the status and text of a response, and messages of a websocket.
ATTACK = """async ([address, protocol]) => {
    const got = {read: "nothing", socket: "nothing"};
    try {
        const response = await fetch(address);
        got.read = `${response.status} ${await response.text()}`;
    } catch (error) {}
    await new Promise((done) => {
        const socket = new WebSocket(address.replace("http:", "ws:").replace(/\\/$/, ""), [protocol]);
        socket.onmessage = () => { got.socket = "the scene"; socket.close(); };
        socket.onclose = done;
    });
    return got;
}"""


class Elsewhere(BaseHTTPRequestHandler):
    """Another server on this machine, at another port, with a page of its own."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[int]:
    """The port of the other server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture(scope="module")
def viewer() -> Iterator[Viewer]:
    with Viewer(Row(), port=0) as made:
        yield made


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def test_the_page_itself_gets_the_scene(page: Page, viewer: Viewer) -> None:
    page.goto(viewer.address)
    got = page.evaluate(ATTACK, [viewer.address, PROTOCOL])
    assert got["read"].startswith("200 ") and "<html" in got["read"] and got["socket"] == "the scene"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "attacker.test"])
def test_a_page_from_another_origin_gets_nothing(
    page: Page, viewer: Viewer, elsewhere: int, host: str
) -> None:
    """Not even if it knows the token."""
    page.goto(f"http://{host}:{elsewhere}/")
    bare = viewer.address.removesuffix(urlsplit(viewer.address).path) + "/"
    for address in (viewer.address, viewer.address.replace("127.0.0.1", "localhost"), bare):
        got = page.evaluate(ATTACK, [address, PROTOCOL])
        assert got == {"read": "nothing", "socket": "nothing"}


def test_dns_rebinding_gets_nothing(page: Page, viewer: Viewer) -> None:
    """The attacker's name leads to this machine, so the attacker's script and the viewer share an origin."""
    origin = f"http://attacker.test:{port_of(viewer.address)}"
    page.goto(origin)
    for path in ("/", urlsplit(viewer.address).path):
        got = page.evaluate(ATTACK, [origin + path, PROTOCOL])
        assert got["read"].startswith("403 This server is not known under that name.")
        assert got["socket"] == "nothing"


def test_the_viewer_works_under_another_name_of_this_machine(show: Show, viewer: Viewer) -> None:
    shown = show(viewer.address.replace("127.0.0.1", "localhost"))
    shown.page.get_by_text("Save as HTML").wait_for()
    shown.page.reload()
    shown.page.get_by_text("Save as HTML").wait_for()
    shown.judge()
