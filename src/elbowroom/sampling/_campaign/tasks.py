"""The tasks of a campaign: every parameter set, so many times, each with a seed and a folder of its own.

Names and seeds follow from the campaign's seed, the parameters and the number of the replica alone. A grid
that grows therefore leaves the tasks that were there as they are, and its order does not matter.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..spec import Spec

Parameters = dict[str, Any]
Grid = Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]

LONGEST_NAME = 60  # characters of a folder's name that tell the parameters


@dataclass(frozen=True)
class Task:
    """One run: what it is called, what it varies, and the whole of what is to be run."""

    name: str  # "chain.beads=100-1f0c2a7d/0003", the folder below tasks/
    parameters: Parameters
    replica: int
    seed: int
    steps: int
    spec: dict[str, Any]

    @property
    def set(self) -> str:
        """The name of its parameter set."""
        return self.name.rpartition("/")[0]


def parameter_sets(grid: Grid) -> list[Parameters]:
    """All combinations of a table of lists, the last varying fastest; or the sets that are listed."""
    if isinstance(grid, Mapping):
        values = [_values(grid[key], key) for key in grid]
        sets = [dict(zip(grid, chosen, strict=True)) for chosen in itertools.product(*values)]
    elif (
        isinstance(grid, Sequence) and not isinstance(grid, str) and all(isinstance(s, Mapping) for s in grid)
    ):
        sets = [dict(one) for one in grid] or [{}]
    else:
        raise ValueError(f"grid must be a table of lists, or a list of tables, got {grid!r:.80}")
    for one in sets:
        _refuse_bad(one)
    _refuse_twins(sets)
    return sets


def _values(values: Any, key: str) -> list[Any]:
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise ValueError(f"grid: {key} must be a list of values, got {values!r:.80}")
    listed = [_plain(value, key) for value in values]
    if not listed:
        raise ValueError(f"grid: {key} has no values")
    return listed


def _plain(value: Any, key: str) -> Any:
    """A value as JSON has it: numbers of NumPy become Python's."""
    out = value.item() if hasattr(value, "item") else value
    try:
        json.dumps(out, allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError(
            f"grid: {key} must have finite numbers, texts or lists of them, got {value!r:.80}"
        ) from None
    return out


def _refuse_bad(parameters: Parameters) -> None:
    for key, value in parameters.items():
        if not isinstance(key, str):
            raise ValueError(f"grid: names must be texts, got {key!r:.80}")
        if "." not in key or key.partition(".")[0] in ("output", "campaign"):
            raise ValueError(f"grid: {key} is not a key such as run.temperature that a run has")
        if key == "run.seed":
            raise ValueError("grid: run.seed cannot be varied: replicas have seeds of their own")
        parameters[key] = _plain(value, key)


def _refuse_twins(sets: list[Parameters]) -> None:
    seen: set[str] = set()
    for one in sets:
        told = canonical(one)
        if told in seen:
            raise ValueError(f"grid: the set {told} occurs twice")
        seen.add(told)


def canonical(value: Any) -> str:
    """The same text for the same value: keys in order, 1.0 like 1."""
    return json.dumps(_whole(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def _whole(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _whole(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(inner) for inner in value]
    exact = isinstance(value, float) and math.isfinite(value) and value.is_integer()
    return int(value) if exact else value


def derived_seed(seed: int, parameters: Parameters, replica: int) -> int:
    """A seed below 2**63 that is this task's alone.

    By SHA-256, like a SeedSequence by hashing: neighbouring seeds, sets and replicas have nothing in common.
    """
    told = canonical({"seed": seed, "parameters": parameters, "replica": replica})
    return int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "big") >> 1


def set_name(parameters: Parameters) -> str:
    """A folder's name: what can be read of the parameters, and a hash that tells them apart."""
    if not parameters:
        return "all"
    told = ",".join(f"{key}={_told(parameters[key])}" for key in sorted(parameters))
    readable = re.sub(r"[^A-Za-z0-9.,=+-]", "_", told)[:LONGEST_NAME].lstrip(".")
    return f"{readable}-{hashlib.sha256(canonical(parameters).encode()).hexdigest()[:8]}"


def _told(value: Any) -> str:
    return value if isinstance(value, str) else canonical(value)


def make_tasks(spec: Spec, sets: list[Parameters], replicas: int) -> list[Task]:
    """The tasks in the order of the results: set by set, replica by replica."""
    tasks = []
    for parameters in sets:
        varied = spec.replaced(parameters)
        tables, steps = varied.to_dict(), varied.settings.steps or 0
        for replica in range(replicas):
            seed = derived_seed(spec.settings.seed or 0, parameters, replica)
            whole = {**tables, "run": {**tables["run"], "seed": seed}}
            tasks.append(
                Task(f"{set_name(parameters)}/{replica:04d}", parameters, replica, seed, steps, whole)
            )
    return tasks
