"""Who may use the server of the viewer: every request is checked before viser sees it.

Any web page can try to open a websocket on this machine. An attacker's host name can be made to resolve to
127.0.0.1 (DNS rebinding). Other users of this machine can connect to its ports. A request is served only if

- its Host header names an address under which the server is known,
- its Origin header is the server's own origin (only a request for the page may come without one),
- its path begins with a random token, which only the printed address contains.

The token is in the path because viser's page opens its websocket at its own path, without the query. A cookie
would do as well, but browsers send cookies to all ports of a host, and so to the servers of other users.

viser has no settings for any of this. It starts its server by the public function
`websockets.asyncio.server.serve`, which has arguments for all of it, so that function is replaced while viser
starts. A proxy in front of viser would be longer, and other users could go around it to viser's own port.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Any

import viser
from websockets.asyncio import server as websockets_server
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from .gate_messages import MAX_BYTES, is_expected

Process = Callable[[ServerConnection, Request], Awaitable[Response | None] | Response | None]

#: Names that browsers never look up elsewhere.
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
#: The address has the token in it: it goes neither to other servers nor into a cache on disk.
HEADERS = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
LOG = logging.getLogger("elbowroom.viewer")

_patching = Lock()


class Gate:
    """Checks the requests to one server.

    Attributes
    ----------
    guards
        Whether viser has started its server with these checks.
    """

    def __init__(self, host: str) -> None:
        self.guards = False
        self._name = _announced(host)
        self._token = secrets.token_urlsafe(16)

    def address(self, port: int) -> str:
        """The address with the token; without it nothing is served."""
        return f"http://{self._name}:{port}/{self._token}/"

    @contextmanager
    def guarding(self) -> Iterator[None]:
        """Guard the server that viser starts within this context; `guards` tells whether that worked."""
        with _patching:
            serve = websockets_server.serve
            vars(websockets_server)["serve"] = lambda *args, **options: self._serve(serve, *args, **options)
            try:
                yield
            finally:
                vars(websockets_server)["serve"] = serve

    def _serve(self, serve: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Called by viser, in its thread, where an exception would leave it waiting for ever."""
        self.guards = True
        asyncio.get_running_loop().set_exception_handler(_note)
        options["process_request"] = self._checked(options.get("process_request"))
        options |= {"max_size": MAX_BYTES, "logger": _quiet_log(), "create_connection": _Connection}
        return serve(*args, **options)

    def _checked(self, inner: Process | None) -> Process:
        async def process(connection: ServerConnection, request: Request) -> Response | None:
            wrong = self._wrong(connection, request)
            if wrong or inner is None:
                return connection.respond(403, f"{wrong}\n")
            response = inner(connection, replace(request, path=f"/{_parts(request)[1]}"))
            if isinstance(response, Awaitable):
                response = await response
            if response is not None:
                response.headers.update(HEADERS)
            elif wrong := _wrong_websocket(request):
                return connection.respond(403, f"{wrong}\n")
            return response

        return process

    def _wrong(self, connection: ServerConnection, request: Request) -> str:
        """Why this request is refused; empty if it is not."""
        hosts = [host.lower() for host in request.headers.get_all("Host")]
        if len(hosts) != 1 or hosts[0] not in self._hosts(connection):
            return "This server is not known under that name. Open the address that elbowroom printed."
        origins = {origin.lower() for origin in request.headers.get_all("Origin")}
        if not origins <= {f"http://{hosts[0]}"}:
            return "This server answers its own page only."
        token = _parts(request)[0].encode(errors="replace")
        if not secrets.compare_digest(token, self._token.encode()):
            return "The token is missing or wrong. Open the whole address that elbowroom printed."
        return ""

    def _hosts(self, connection: ServerConnection) -> set[str]:
        """Host headers that lead here: the name that was announced, and the address of this connection."""
        address, port = connection.local_address[:2]
        names = {*LOOPBACK, self._name, _bracketed(address.partition("%")[0])}
        return {f"{name}:{port}" for name in names} | (names if port == 80 else set())


def _announced(host: str) -> str:
    """The name for browsers. An address that stands for all of this machine's is announced by its name."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host.lower()
    return socket.gethostname().lower() if address.is_unspecified else _bracketed(str(address))


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _parts(request: Request) -> tuple[str, str]:
    """The token, and the path below it."""
    token, _, rest = request.path.partition("?")[0].removeprefix("/").partition("/")
    return token, rest


def _wrong_websocket(request: Request) -> str:
    """Why this websocket is refused: only the page opens one, in a browser and with viser's own protocol."""
    if len(request.headers.get_all("Origin")) != 1:
        return "A websocket needs an Origin."
    if request.headers.get_all("Sec-WebSocket-Protocol") != [f"viser-v{viser.__version__}"]:
        return "This page is of another version. Reload it."
    return ""


class _Connection(ServerConnection):
    """A websocket that passes on only the messages that the page sends."""

    async def recv(self, decode: bool | None = None) -> Any:
        while not is_expected(message := await super().recv(decode)):
            LOG.debug("a message was ignored")
        return message


def _note(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What failed in the event loop, in place of asyncio's traceback on stderr."""
    LOG.debug("%s", context.get("message"))


def _quiet_log() -> logging.Logger:
    """For websockets: what it reports becomes one line without traceback, at the debug level.

    Its own debug lines show requests, and with them the token; the level leaves them out.
    """

    def quieten(record: logging.LogRecord) -> bool:
        record.levelno, record.levelname = logging.DEBUG, "DEBUG"
        record.exc_info = None
        return LOG.isEnabledFor(logging.DEBUG)

    log = logging.Logger(f"{LOG.name}.connections", logging.INFO)
    log.parent = LOG
    log.addFilter(quieten)
    return log
