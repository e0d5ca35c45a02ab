"""The table [campaign] of a run's file: how often a run is repeated, and over which values of its keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from elbowroom._arrays import shown

from .base import Table, Where
from .checks import a_path, a_text, as_tuples, whole

#: Tables whose keys a grid may go over.
GRIDDED = ("chain", "moves", "energy", "run")
#: Files for a cluster that takes TLS connections: all of them, or none.
TLS = ("tls_ca_file", "tls_cert", "tls_key")


def a_grid(value: Any, name: str) -> dict[str, tuple[Any, ...]]:
    """{"run.temperature": values, ...}; keys without quotes, which TOML reads as tables in tables, too."""
    if not isinstance(value, Mapping) or not value:
        raise ValueError(f'{name} must be a table such as {{"run.temperature" = [1, 2]}}, got {shown(value)}')
    found: dict[str, tuple[Any, ...]] = {}
    for dotted, values in _flat(value, "").items():
        if dotted.partition(".")[0] not in GRIDDED or "." not in dotted:
            known = ", ".join(f"{table}.KEY" for table in GRIDDED)
            raise ValueError(f"{name} goes over {known}, not over '{dotted}'")
        if dotted == "run.seed":
            raise ValueError(f"{name} does not go over run.seed: replicas have seeds of their own")
        if not isinstance(values, list | tuple) or not values:
            raise ValueError(f"{name} needs a list of values for {dotted}, got {shown(values)}")
        found[dotted] = tuple(
            a_path(each, dotted) if dotted == "chain.pdb" else as_tuples(each) for each in values
        )
    return found


@dataclass(frozen=True)
class CampaignTable(Table):
    """Many runs: `replicas` of each point of `grid`, by `workers` processes of `cluster`.

    `tls_ca_file`, `tls_cert` and `tls_key` are PEM files for a cluster at a tls:// address.
    """

    replicas: Annotated[int | None, whole(1)] = None
    grid: Annotated[dict[str, tuple[Any, ...]] | None, a_grid] = None
    workers: Annotated[int | None, whole(1)] = None
    cluster: Annotated[str | None, a_text] = None
    tls_ca_file: Annotated[Path | None, a_path] = None
    tls_cert: Annotated[Path | None, a_path] = None
    tls_key: Annotated[Path | None, a_path] = None

    def check(self, where: Where) -> None:
        """A cluster of our own, or the address of one, with certificates if it takes them."""
        if self.cluster not in (None, "local") and "://" not in str(self.cluster):
            wanted = '"local" or an address such as "tls://host:8786"'
            raise where.error("cluster", f"must be {wanted}, got {shown(self.cluster)}")
        given = [name for name in TLS if getattr(self, name) is not None]
        if given and not str(self.cluster).startswith("tls://"):
            raise where.error(given[0], "only a cluster at an address that begins with tls:// takes it")
        for name in TLS:
            if given and name not in given:
                raise where.error(name, f"is missing: {', '.join(TLS)} go together")


def _flat(table: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Tables in tables as one, with dots in its keys."""
    found: dict[str, Any] = {}
    for name, value in table.items():
        inner = isinstance(value, Mapping)
        found |= _flat(value, f"{prefix}{name}.") if inner else {f"{prefix}{name}": value}
    return found
