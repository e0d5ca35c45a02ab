"""Workers of a campaign: processes of our own, or a cluster that somebody started. Needs dask.distributed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from . import tls as _tls
from . import work as _work
from .local import LocalWorkers, local_cluster
from .made_whole import made_whole

CONNECT = 20.0  # seconds to wait for a scheduler, and then for the first worker
FIRST_WORKER = 60.0


class CampaignError(RuntimeError):
    """Trouble with the cluster, not with what was asked. What is done is done: starting again goes on.

    Examples
    --------
    >>> import elbowroom as er
    >>> try:
    ...     raise er.sampling.CampaignError("cluster: all workers are gone")
    ... except RuntimeError as trouble:
    ...     print(trouble)
    cluster: all workers are gone
    """


def require() -> None:
    """Raise an ImportError that says what to install, before any work."""
    for name in ("cryptography", "distributed", "duckdb", "pyarrow"):
        try:
            import_module(name)
        except ImportError as error:
            raise ImportError(
                f"campaigns need {name}, which is not installed: pip install 'elbowroom[campaign]'"
            ) from error


def cores() -> int:
    """How many this process may use."""
    usable = getattr(os, "sched_getaffinity", None)  # not on macOS
    return len(usable(0)) if usable else os.cpu_count() or 1


def check(cluster: Any, workers: int | None, security: Any = None) -> None:
    """Raise an error that names the argument for arguments that do not go together."""
    address = isinstance(cluster, str) and "://" in cluster
    if isinstance(cluster, str) and cluster != "local" and not address:
        raise ValueError(
            f'cluster must be "local" or an address such as tls://host:8786, got {cluster!r:.80}'
        )
    if cluster != "local" and workers is not None:
        raise ValueError('workers: only cluster "local" starts them; another cluster has its own')
    _tls.check(cluster, security)


class Crew:
    """The workers of a campaign, by their scheduler's client; those of our own are replaced when they die."""

    def __init__(self, client: Any, own: LocalWorkers | None = None) -> None:
        self.client, self._own = client, own

    @property
    def advice(self) -> str:
        """What to do if there are none."""
        if self._own is not None:
            return "none of its processes has started"
        address = self.client.scheduler.address
        keys = " --tls-ca-file FILE --tls-cert FILE --tls-key FILE" if _tls.encrypted(address) else ""
        return f"start some with dask worker {address}{keys}"

    def threads(self) -> int:
        """How many tasks can be worked on at once."""
        if self._own is not None:
            self._own.replace()
        try:
            return sum(self.client.nthreads().values()) if self.client.status == "running" else 0
        except OSError:  # the scheduler is gone, and the client has not noticed yet
            return 0


@contextmanager
def connected(cluster: Any, workers: int, security: Any = None) -> Iterator[Crew]:
    """The workers of a cluster. What was started for them ends with them; what was there stays.

    `security` is for the address of a cluster: a cluster that is started here has its own.
    """
    distributed: Any = import_module("distributed")
    if cluster == "local":
        with local_cluster(workers) as (made, own), made_whole(lambda: _client(made)) as client:
            yield Crew(client, own)
    elif isinstance(cluster, distributed.Client):
        yield Crew(cluster)
    else:
        with _client(cluster, security) as client:
            yield Crew(client)


def _client(cluster: Any, security: Any = None) -> Any:
    distributed: Any = import_module("distributed")
    try:
        return distributed.Client(cluster, timeout=CONNECT, set_as_default=False, security=security)
    except (OSError, ValueError) as error:
        told = f"{cluster}" if isinstance(cluster, str) else repr(cluster)
        hint = "are these its certificates" if _tls.encrypted(cluster) else "does it require tls://"
        raise CampaignError(
            f"cluster: no scheduler answers at {told} ({error}): is dask scheduler running? If so, {hint}?"
        ) from error


def inspect(crew: Crew, home: _work.Home) -> None:
    """Wait for a worker, and complain about those that cannot take part."""
    client = crew.client
    try:
        client.wait_for_workers(1, timeout=FIRST_WORKER)
    except TimeoutError:
        raise CampaignError(f"cluster: no workers after {FIRST_WORKER:g} s: {crew.advice}") from None
    try:
        troubles = client.run(_work.trouble_here, home, on_error="return")
    except Exception as error:  # a worker that cannot even read the question
        raise CampaignError(f"cluster: the workers cannot take part: {error}") from error
    for address, trouble in troubles.items():
        if trouble:
            raise CampaignError(f"cluster: {_told(address, trouble)}")


def _told(address: str, trouble: Any) -> str:
    if isinstance(trouble, ModuleNotFoundError):
        return f"the worker {address} cannot take part: {trouble}: install elbowroom[campaign] there"
    return trouble if isinstance(trouble, str) else f"the worker {address} cannot take part: {trouble!r}"
