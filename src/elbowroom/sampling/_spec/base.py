"""What all tables of a run's file have in common: they are read key by key, and errors say where they are.

The type of a field carries its check.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self, get_type_hints

from elbowroom._arrays import shown

from .checks import SpecError, nearest


@dataclass(frozen=True)
class Where:
    """Where a table was found: the file's name, the table's, and the folder that paths are relative to.

    `homes` has the table of every key of all tables, for keys that stand in the wrong one.
    """

    file: str
    table: str
    folder: Path
    homes: Mapping[str, str]

    def error(self, key: str, reason: str) -> SpecError:
        """An error in this table."""
        return SpecError(self.file, self.table, key, reason)


@dataclass(frozen=True)
class Table:
    """What tables have in common: they are read key by key, and written as they were given."""

    @classmethod
    def read(cls, data: Any, where: Where) -> Self:
        """The table in a dictionary; raises a SpecError for keys and values that it cannot have."""
        if not isinstance(data, Mapping):
            raise where.error("", f"must be a table, got {shown(data)}")
        known = {
            name: hint.__metadata__[0] for name, hint in get_type_hints(cls, include_extras=True).items()
        }
        found: dict[str, Any] = {}
        for name, value in data.items():
            if not isinstance(name, str):
                raise where.error(shown(name), "keys must be texts")
            if name not in known:
                home = where.homes.get(name)
                advice = nearest(name, known) if home is None else f"it belongs in [{home}]"
                raise where.error(name, f"no such key; {advice}")
            found[name] = _checked(known[name], value, name, where)
        table = cls(**found)
        table.check(where)
        return table

    def check(self, where: Where) -> None:
        """Raise a SpecError for keys that do not go together."""

    def given(self) -> dict[str, Any]:
        """What is not None, by name."""
        pairs = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: value for name, value in pairs if value is not None}


def _checked(check: Any, value: Any, name: str, where: Where) -> Any:
    """The value as it is kept."""
    try:
        found = check(value, name)
    except ValueError as error:
        raise where.error(name, str(error).removeprefix(f"{name} ")) from error
    return _absolute(found, where.folder)


def _absolute(value: Any, folder: Path) -> Any:
    """With paths made whole, in a grid too."""
    if isinstance(value, Path):
        return Path(os.path.abspath(folder / value))
    if isinstance(value, dict):
        return {name: _absolute(each, folder) for name, each in value.items()}
    return tuple(_absolute(each, folder) for each in value) if isinstance(value, tuple) else value


def named(error: ValueError, keys: tuple[str, ...], where: Where) -> SpecError:
    """Where the library complains of an argument, of which the key has the name, or nearly."""
    about, _, reason = str(error).partition(" ")
    name = next((name for name in keys if name.startswith(about)), "")
    return where.error(name, reason if name else str(error))
