"""What a campaign is to do, as it is asked and as it is kept in campaign.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import uuid4

from elbowroom import _arrays
from elbowroom._core import isa

from .._disk.json_file import write_json
from ..spec import Spec
from . import collect as _collect
from . import ledger as _ledger
from .tasks import Grid, Parameters, Task, canonical, make_tasks, parameter_sets
from .work import Home

FORMAT, VERSION = "elbowroom campaign", 1
GROWS = ("run.steps",)  # of a spec: what may differ when a campaign goes on


@dataclass(frozen=True)
class Plan:
    """A run, what of it is varied, and how often."""

    spec: Spec
    sets: list[Parameters]
    replicas: int

    @cached_property
    def tasks(self) -> list[Task]:
        """In the order of the results."""
        return make_tasks(self.spec, self.sets, self.replicas)

    @property
    def unit(self) -> str:
        """What tasks are counted by."""
        return "steps"

    def begin(self, folder: Path) -> Home:
        """Keep the plan in the folder, unless another campaign lies there."""
        return begin(folder, self)

    def collect(self, folder: Path) -> None:
        """Write the results of the tasks that are done as one."""
        _collect.collect(folder, self.tasks)


def planned(spec: Spec, grid: Grid | None, replicas: int | None) -> Plan:
    """What is asked, or what the spec says; where its results would go alone does not matter."""
    asked = spec.campaign
    if grid is None:
        grid = (asked and asked.grid) or {}
    if replicas is None:
        replicas = (asked and asked.replicas) or 1
    single, sets = spec.without_campaign().replaced({"output.folder": None}), parameter_sets(grid)
    for names in (single.body.chain, *(each.get("chain.chain") for each in sets)):
        if names is not None and "," in str(names):
            raise ValueError(f"chain: a campaign is of one chain, got {names!r:.80}")
    return Plan(single, sets, _arrays.count(replicas, "replicas", 1))


def begin(folder: Path, plan: Plan) -> Home:
    """Keep the plan in the folder, unless another campaign lies there; what workers must know of it."""
    _ = plan.tasks  # refuses bad values of the grid before anything is written
    before = _ledger.read(folder / _ledger.CAMPAIGN)
    if before is None and any((folder / name).exists() for name in ("run.json", "tasks")):
        raise ValueError(f"out: {folder} contains something other than a campaign")
    if before is not None:
        _refuse_other(folder, before, plan)
    identity = before["identity"] if before is not None else uuid4().hex
    facts = {
        "format": FORMAT,
        "version": VERSION,
        "identity": identity,
        "elbowroom": version("elbowroom"),
        "isa": isa,
        "spec": plan.spec.to_dict(),
        "sets": plan.sets,
        "replicas": plan.replicas,
    }
    if facts != before:
        write_json(folder / _ledger.CAMPAIGN, facts)
    return Home(str(folder), identity, version("elbowroom"), isa)


def kept(folder: Path) -> Plan:
    """The plan in a folder."""
    facts = _ledger.read(folder / _ledger.CAMPAIGN)
    if facts is None:
        raise ValueError(f"folder: there is no campaign in {folder}")
    _refuse_foreign(folder, facts)
    return Plan(Spec.from_dict(facts["spec"]), facts["sets"], facts["replicas"])


def _refuse_foreign(folder: Path, facts: Mapping[str, Any]) -> None:
    if facts.get("format") != FORMAT or facts.get("version") != VERSION:
        raise ValueError(f"{folder / _ledger.CAMPAIGN} is not of a campaign that this version can read")


def _refuse_other(folder: Path, before: Mapping[str, Any], plan: Plan) -> None:
    """Complain about the first thing that differs from what was begun here."""
    _refuse_foreign(folder, before)
    old = _flat(before["spec"]) | {"ELBOWROOM_ISA": before["isa"]}
    new = _flat(plan.spec.to_dict()) | {"ELBOWROOM_ISA": isa}
    for key in [*old, *(key for key in new if key not in old)]:
        was, now = old.get(key), new.get(key)
        if canonical(was) == canonical(now) or (key in GROWS and (now or 0) >= (was or 0)):
            continue
        told = [f"{key} = {canonical(value)}" if value is not None else f"no {key}" for value in (was, now)]
        raise ValueError(f"out: {folder} contains a campaign with {told[0]}, not with {told[1]}")


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Tables in tables as one, with dots in its keys."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        inner = isinstance(value, Mapping)
        found |= _flat(value, f"{prefix}{key}.") if inner else {f"{prefix}{key}": value}
    return found
