"""A worker of a local campaign: a process that serves the scheduler, and ends when the campaign does.

Run by `local`, as `python -m elbowroom.sampling._campaign.local_worker`. Its standard input is a pipe from
the campaign. The first line holds the address of the scheduler and the keys of the run: arguments, variables
of the environment and files could be read by others. The pipe closes when the campaign ends, also if it is
killed, so no worker is ever left behind.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import threading
from importlib import import_module
from typing import Any

from elbowroom import _writing

from .local import HOST, PROTOCOL, without_http

WRITING = 2.0  # seconds that a file may take; the campaign kills a worker that does not end


def main() -> None:
    """Serve until the scheduler or the campaign is gone."""
    line = sys.stdin.buffer.readline()
    if not line.endswith(b"\n"):  # the campaign has ended already
        return
    invitation = json.loads(line)
    threading.Thread(target=_end_with_campaign, args=(invitation["scratch"],), daemon=True).start()
    asyncio.run(_serve(invitation))


def _end_with_campaign(scratch: str) -> None:
    """Exit, whatever is being run: its checkpoints remain. Only files that are being written are finished.

    A campaign that ends in order writes one more line. One that is killed leaves its scratch folder behind.
    """
    killed = not sys.stdin.buffer.read()
    _writing.wait_for_writers(WRITING)
    if killed:
        shutil.rmtree(scratch, ignore_errors=True)
    os._exit(0)


async def _serve(invitation: dict[str, str]) -> None:
    """One thread. No limit of memory: a limit that is guessed wrong would kill good work again and again."""
    distributed: Any = import_module("distributed")
    keys = distributed.Security(
        require_encryption=True,
        tls_ca_file=invitation["authority"],
        tls_worker_cert=invitation["certificate"],
        tls_worker_key=invitation["key"],
    )
    async with without_http(distributed.Worker)(
        invitation["address"],
        host=HOST,
        protocol=PROTOCOL,
        security=keys,
        local_directory=invitation["scratch"],
        nthreads=1,
        memory_limit=0,
        dashboard=False,
        dashboard_address=f"{HOST}:0",
    ) as serving:
        await serving.finished()


if __name__ == "__main__":
    main()
