"""The table [campaign] of a run's file: how often a run is repeated, and over which values of its keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from elbowroom._arrays import shown

from .base import Table, Where
from .checks import a_path, a_text, as_tuples, whole

#: Tables whose keys a grid may go over.
GRIDDED = ("chain", "moves", "energy", "run")


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
    """Many runs: `replicas` of each point of `grid`, by `workers` processes of `cluster`."""

    replicas: Annotated[int | None, whole(1)] = None
    grid: Annotated[dict[str, tuple[Any, ...]] | None, a_grid] = None
    workers: Annotated[int | None, whole(1)] = None
    cluster: Annotated[str | None, a_text] = None

    def check(self, where: Where) -> None:
        """A cluster of our own, or the address of one."""
        if self.cluster not in (None, "local") and "://" not in str(self.cluster):
            wanted = '"local" or an address such as "tcp://127.0.0.1:8786"'
            raise where.error("cluster", f"must be {wanted}, got {shown(self.cluster)}")


def _flat(table: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Tables in tables as one, with dots in its keys."""
    found: dict[str, Any] = {}
    for name, value in table.items():
        inner = isinstance(value, Mapping)
        found |= _flat(value, f"{prefix}{name}.") if inner else {f"{prefix}{name}": value}
    return found
