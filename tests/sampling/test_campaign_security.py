"""Neither other machines nor other users can use the processes of a local campaign."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from campaign_cluster import checkpoints, end, started, wait_for, working

pytestmark = pytest.mark.cluster

distributed = pytest.importorskip("distributed")
pytest.importorskip("cryptography")

WORKERS = 2
PATIENCE = 3.0  # seconds after which a peer that does not answer has refused
#: Far more steps than a test takes: the campaign is killed in the end.
SPEC: dict[str, Any] = {
    "chain": {"beads": 100, "radius": 0.3},
    "run": {"steps": 10**9, "every": 10**6},
    "output": {"checkpoint": 1000, "frames": 0},
}
Port = tuple[str, int]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[psutil.Process]:
    """A local campaign at work, as a program of its own; it is killed in the end."""
    out, scratch = tmp_path_factory.mktemp("campaign"), tmp_path_factory.mktemp("scratch")
    scratch.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(scratch))
        program = started(spec=SPEC, out=str(out), cluster="local", workers=WORKERS, replicas=WORKERS)
    try:
        wait_for(lambda: checkpoints(out) == WORKERS, "a checkpoint of each worker")
        yield psutil.Process(program.pid)
        assert program.poll() is None, "the campaign has not survived"
    finally:
        workers = working(program.pid)
        end(program)
        wait_for(lambda: not any(map(psutil.pid_exists, workers)), "the end of the workers")
    assert list(scratch.iterdir()) == []


def tree(campaign: psutil.Process) -> list[psutil.Process]:
    return [campaign, *campaign.children(recursive=True)]


def ports(campaign: psutil.Process) -> list[Port]:
    """Where any process of the campaign listens."""
    found = [each for process in tree(campaign) for each in process.net_connections("inet")]
    return sorted({tuple(each.laddr) for each in found if each.status == psutil.CONN_LISTEN})


def test_every_port_is_on_the_loopback_interface(campaign: psutil.Process) -> None:
    """And there is one for the scheduler and one for each worker, so none for HTTP."""
    found = ports(campaign)
    assert [host for host, _ in found if not ipaddress.ip_address(host).is_loopback] == []
    assert len(found) == 1 + WORKERS


def test_calls_without_the_keys_of_the_run_execute_nothing(campaign: psutil.Process, tmp_path: Path) -> None:
    other_keys = distributed.Security.temporary().get_connection_args("client")
    done = tmp_path / "executed"
    for _, port in ports(campaign):
        for address, keys in ((f"tcp://127.0.0.1:{port}", None), (f"tls://127.0.0.1:{port}", other_keys)):
            for call in ("run", "run_function", "identity"):
                assert asyncio.run(answer(address, keys, call, done)) is None, (address, call)
    assert not done.exists()


async def answer(address: str, keys: Any, call: str, done: Path) -> Any:
    """What a server says to a call that would make a file; None if the call is refused."""
    from distributed.protocol.pickle import dumps

    async with distributed.rpc(address, connection_args=keys, timeout=PATIENCE) as server:
        arguments: dict[str, Any] = {"function": dumps(Path.touch), "args": dumps((done,)), "wait": True}
        with suppress(OSError, TimeoutError):
            return await asyncio.wait_for(
                getattr(server, call)(**({} if call == "identity" else arguments)), PATIENCE
            )
    return None


@pytest.mark.parametrize("encrypted", [False, True], ids=["http", "https"])
def test_there_are_no_pages(campaign: psutil.Process, encrypted: bool) -> None:
    for port in ports(campaign):
        for path in ("/", "/health", "/info/main/workers.html", "/status", "/metrics", "/json/identity.json"):
            assert b"HTTP" not in page(port, path, encrypted)


def page(port: Port, path: str, encrypted: bool) -> bytes:
    """What a web browser gets."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port[1]), PATIENCE) as plain:
        context = ssl._create_unverified_context()
        with context.wrap_socket(plain) if encrypted else plain as connection:
            connection.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
            return connection.recv(1000)
    return b""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_keys_are_in_no_command_line_and_no_environment(campaign: psutil.Process) -> None:
    assert len(tree(campaign)) > WORKERS
    for process in tree(campaign):
        for name in ("cmdline", "environ"):
            content = Path(f"/proc/{process.pid}/{name}").read_bytes()
            assert content and b"PRIVATE" not in content and b"CERTIFICATE" not in content


def test_no_other_user_can_put_modules_where_workers_import_from(campaign: psutil.Process) -> None:
    """The folders that distributed adds to sys.path lie in one that is closed to others."""
    files = [Path(file.path) for process in tree(campaign) for file in process.open_files()]
    scratch = [file for file in files if "dask-scratch-space" in str(file)]
    assert len(scratch) == 1 + WORKERS
    for file in scratch:
        own = next(folder for folder in file.parents if folder.name.startswith("elbowroom-"))
        assert own.stat().st_uid == os.getuid() and own.stat().st_mode & 0o077 == 0
