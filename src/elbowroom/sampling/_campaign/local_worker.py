"""A worker of a local campaign: a process that serves the scheduler, and ends when the campaign does.

Run by `local`, as `python -m elbowroom.sampling._campaign.local_worker ADDRESS`. Its standard input is a pipe
from the campaign, which closes when that ends, be it killed: so no worker is ever left behind.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from typing import Any


def main(address: str) -> None:
    """Serve until the scheduler or the campaign is gone."""
    threading.Thread(target=_end_with_campaign, daemon=True).start()
    asyncio.run(_serve(address))


def _end_with_campaign() -> None:
    """At once, whatever is being run: its checkpoints remain."""
    sys.stdin.buffer.read()
    os._exit(0)


async def _serve(address: str) -> None:
    """One thread. No limit of memory: a limit that is guessed wrong would kill good work again and again."""
    import distributed

    worker: Any = distributed.Worker
    async with worker(address, nthreads=1, memory_limit=0, dashboard=False) as serving:
        await serving.finished()


if __name__ == "__main__":
    main(sys.argv[1])
