"""All runs of a campaign in one Parquet file, and all tasks in another; each is there whole or not at all.

results.parquet    a row for each sample: task, parameters, replica, step, observables
tasks.parquet      a row for each task: parameters, replica, seed, tallies of the moves, estimates
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elbowroom import _writing

from .._disk.layout import TABLE
from .._disk.tables import read_schema, read_table
from . import ledger as _ledger
from .tasks import Task, canonical

if TYPE_CHECKING:
    import pyarrow as pa

RESULTS, TASKS = "results.parquet", "tasks.parquet"
STAMP = b"elbowroom campaign"
PATIENCE = 600.0  # seconds to wait for another process that collects the same
ROWS = 100_000  # in a row group: short runs share one


def columns_of(tasks: Sequence[Task]) -> list[str]:
    """The parameters that are varied, in the order in which they first occur."""
    return list(dict.fromkeys(key for task in tasks for key in task.parameters))


def parameter_array(tasks: Sequence[Task], key: str) -> pa.Array:
    """The values of a parameter; where they are neither all numbers nor all texts, JSON."""
    import pyarrow as pa

    values = [task.parameters.get(key) for task in tasks]
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        values = [None if value is None else float(value) for value in values]
    elif kinds not in ({int}, {float}, {str}, {bool}):
        values = [None if value is None else canonical(value) for value in values]
    return pa.array(values)


def collect(folder: Path, tasks: Sequence[Task]) -> None:
    """Write both files from the tasks that are done, unless they hold just these already.

    One process at a time: who loads a campaign that is at work must not write while it does.
    """
    with _ledger.locked(folder / "results.lock", PATIENCE):
        done = _done(folder, tasks)
        told = [(task.name, facts["steps"], task.parameters) for task, facts in done]
        stamp = hashlib.sha256(json.dumps(told).encode()).hexdigest().encode()
        if any(_stamp(folder / name) != stamp for name in (RESULTS, TASKS)):
            write_tables(folder / RESULTS, _results(folder, [task for task, _ in done], stamp))
            write_tables(folder / TASKS, iter([_tasks(done, stamp)]))


def _done(folder: Path, tasks: Sequence[Task]) -> list[tuple[Task, _ledger.Facts]]:
    found = ((task, _ledger.done(folder / "tasks" / task.name, task.steps)) for task in tasks)
    return [(task, facts) for task, facts in found if facts is not None]


def _stamp(file: Path) -> bytes | None:
    from pyarrow import ArrowException

    try:
        return (read_schema(file).metadata or {}).get(STAMP)
    except (OSError, ArrowException):
        return None


def write_tables(path: Path, tables: Iterator[pa.Table]) -> None:
    """Tables as one file, which takes its place when it is on the disk; the first has the schema of all."""
    from pyarrow import parquet

    first = next(tables)
    with (
        _writing.replacing(path) as file,
        parquet.ParquetWriter(file, first.schema, compression="zstd") as writer,
    ):
        writer.write_table(first)
        for table in tables:
            writer.write_table(table)


def _results(folder: Path, tasks: Sequence[Task], stamp: bytes) -> Iterator[pa.Table]:
    """The rows of all runs, some at a time; the first table may be empty."""
    import pyarrow as pa

    files = [folder / "tasks" / task.name / _ledger.RUN / TABLE for task in tasks]
    heads = [read_schema(file).remove_metadata() for file in files]
    own = pa.unify_schemas(heads, promote_options="permissive") if heads else pa.schema([])
    values = {key: parameter_array(tasks, key) for key in columns_of(tasks)}
    schema = _schema(values, own).with_metadata({STAMP: stamp})
    waiting, rows = [schema.empty_table()], 0
    for number, (task, file) in enumerate(zip(tasks, files, strict=True)):
        given = {key: array[number].as_py() for key, array in values.items()}
        waiting.append(_rows(task, given, read_table(file), schema))
        rows += waiting[-1].num_rows
        if rows >= ROWS:
            yield pa.concat_tables(waiting).combine_chunks()
            waiting, rows = [], 0
    if waiting:
        yield pa.concat_tables(waiting).combine_chunks()


def _schema(values: dict[str, pa.Array], own: pa.Schema) -> pa.Schema:
    import pyarrow as pa

    head = [
        ("task", pa.string()),
        *((key, array.type) for key, array in values.items()),
        ("replica", pa.int32()),
    ]
    return pa.schema([pa.field(*each) for each in head] + list(own))


def _rows(task: Task, given: dict[str, Any], found: pa.Table, schema: pa.Schema) -> pa.Table:
    """The samples of one run, with what they belong to before them; what it did not observe is missing."""
    import pyarrow as pa

    count = found.num_rows
    head = {"task": task.name, **given, "replica": task.replica}
    arrays = []
    for column in schema:
        if column.name in head:
            arrays.append(pa.repeat(pa.scalar(head[column.name], column.type), count))
        elif column.name in found.column_names:
            arrays.append(found[column.name].cast(column.type))
        else:
            arrays.append(pa.nulls(count, column.type))
    return pa.table(arrays, schema=schema)


def _tasks(done: Sequence[tuple[Task, dict[str, Any]]], stamp: bytes) -> pa.Table:
    import pyarrow as pa

    tasks = [task for task, _ in done]
    move = pa.struct([("move", pa.string())] + [(n, pa.int64()) for n in ("tried", "collided", "accepted")])
    numbers = [(name, pa.float64()) for name in ("mean", "error", "time")]
    named = [("observable", pa.string()), ("temperature", pa.int32())]
    estimate = pa.struct([*named, *numbers, ("samples", pa.int64()), ("converged", pa.bool_())])
    columns: dict[str, Any] = {
        "task": pa.array([task.name for task in tasks], pa.string()),
        "set": pa.array([task.set for task in tasks], pa.string()),
    }
    columns |= {key: parameter_array(tasks, key) for key in columns_of(tasks)}
    columns |= {
        "replica": pa.array([task.replica for task in tasks], pa.int32()),
        "seed": pa.array([task.seed for task in tasks], pa.int64()),
        "steps": pa.array([facts["steps"] for _, facts in done], pa.int64()),
        "seconds": pa.array([facts["seconds"] for _, facts in done], pa.float64()),
        "moves": pa.array([facts["moves"] for _, facts in done], pa.list_(move)),
        "estimates": pa.array([facts["estimates"] for _, facts in done], pa.list_(estimate)),
    }
    return pa.table(columns).replace_schema_metadata({STAMP: stamp})
