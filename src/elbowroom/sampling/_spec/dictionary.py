"""Runs as dictionaries of tables: read, written, and changed by dotted keys."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from elbowroom._arrays import shown

from ..moves import KINDS, refuse_large_angle
from .base import Table, Where, named
from .campaign import CampaignTable
from .checks import SpecError, nearest
from .tables import ChainTable, EnergyTable, MoveTable, OutputTable, RunTable

TABLES: Mapping[str, type[Table]] = {
    "chain": ChainTable,
    "energy": EnergyTable,
    "run": RunTable,
    "output": OutputTable,
    "campaign": CampaignTable,
}
NAMES = ("chain", "moves", "energy", "run", "output", "campaign")
NEEDED = ("chain", "run")
HOMES = {each.name: table for table, columns in TABLES.items() for each in fields(columns)}
#: Keys that say the same in two ways: to set one is to take the other back.
TWINS = {"size": "size_degrees", "size_degrees": "size"}
#: Dots in a key of TOML; those of a run have one or two.
MOST_DOTS = 30


def read_tables(data: Mapping[str, Any], source: str, folder: Path) -> dict[str, Any]:
    """The checked tables by name; "moves" and "output" are always there, "energy" and "campaign" if given."""
    if not isinstance(data, Mapping):
        raise SpecError(source, "", "data", f"must be a dictionary of tables, got {shown(data)}")
    for name, value in data.items():
        if not isinstance(name, str):
            raise SpecError(source, "", shown(name), "names of tables must be texts")
        if name not in NAMES:
            home = HOMES.get(name)
            advice = nearest(name, NAMES) if home is None else f"it belongs in [{home}]"
            what = "table" if isinstance(value, Mapping) else "key outside of tables"
            raise SpecError(source, "", name, f"no such {what}; {advice}")
    for name in NEEDED:
        if name not in data:
            raise SpecError(source, name, "", "the table is missing")
    where = partial(Where, source, folder=folder, homes=HOMES)
    found = {name: table.read(data[name], where(name)) for name, table in TABLES.items() if name in data}
    found.setdefault("output", OutputTable())
    return found | {"moves": _moves(data.get("moves", {}), where)}


def _moves(data: Any, where: Any) -> dict[str, MoveTable]:
    """Moves by name; a number stands for a weight."""
    error = where("moves").error
    if not isinstance(data, Mapping):
        raise error("", f"must be a table, got {shown(data)}")
    found = {}
    for name, value in data.items():
        if not isinstance(name, str) or name not in KINDS:
            told = name if isinstance(name, str) else shown(name)
            raise error(told, f"no such move; {nearest(told, KINDS)}")
        if not isinstance(value, Mapping | int | float) or isinstance(value, bool):
            raise error(name, f"must be a weight or a table, got {shown(value)}")
        table = value if isinstance(value, Mapping) else {"weight": value}
        here = where(f"moves.{name}")
        found[name] = MoveTable.read(table, here)
        try:
            refuse_large_angle(name, found[name].move().size or 0.0, "size")
        except ValueError as wrong:
            raise named(wrong, tuple(found[name].given()), here) from wrong
    return found


def plain(value: Any) -> Any:
    """As JSON can hold it: lists for tuples, texts for paths and for infinity."""
    if isinstance(value, Table):
        return plain(value.given())
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, Path):
        return str(value)
    return "inf" if value == math.inf else value


def read_file(file: Path) -> dict[str, Any]:
    """The tables in a TOML or JSON file, unchecked."""
    try:
        content = file.read_text(encoding="utf-8")
        data = json.loads(content) if file.suffix.lower() == ".json" else _toml(content)
    except OSError as error:
        raise SpecError(str(file), "", "", f"cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:  # of JSON, TOML and UTF-8 alike
        raise SpecError(str(file), "", "", f"cannot be understood ({error})") from error
    if not isinstance(data, dict):
        raise SpecError(str(file), "", "", "must hold tables")
    return data


def _toml(content: str) -> dict[str, Any]:
    """Keys of many parts, a.b.c, take tomllib time and memory by the square of their number."""
    written = "\n".join(line for line in content.splitlines() if not line.lstrip().startswith("#"))
    for run in re.split(r"[,={}\[\]\n]", written.replace(" ", "").replace("\t", "")):
        if run.count(".") > MOST_DOTS:
            raise ValueError(f"a key has more than {MOST_DOTS} dots")
    return tomllib.loads(content)


def with_changes(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A copy in which dotted keys have new values; None takes one away, and a table that gets empty too."""
    out = deepcopy(dict(data))
    for dotted, value in changes.items():
        _change(out, dotted.split("."), value)
    return out


def _change(table: dict[str, Any], names: list[str], value: Any) -> None:
    first, *rest = names
    if rest:
        inner = table.get(first, {})
        table[first] = dict(inner) if isinstance(inner, Mapping) else {"weight": inner}
        _change(table[first], rest, value)
        if value is None and not table[first]:
            del table[first]
    elif value is None:
        table.pop(first, None)
    else:
        table.pop(TWINS.get(first, ""), None)
        table[first] = plain(value)
