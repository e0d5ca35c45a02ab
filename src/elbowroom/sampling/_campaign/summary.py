"""Means over the replicas of each parameter set, by DuckDB over the Parquet files of a campaign."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._angles import scalars
from .._disk.tables import dataset, read_schema
from .._telling import told
from .collect import RESULTS, TASKS

if TYPE_CHECKING:
    import pyarrow as pa

HEAD = ("task", "replica", "step", "temperature")  # columns of the results that are no observables

MEANS = """
WITH samples AS (
    UNPIVOT (SELECT task, {temperature} AS temperature, {values} FROM results)
    ON {names} INTO NAME observable VALUE value
), runs AS (
    SELECT task, temperature, observable, avg(value) AS mean, count(*) AS samples FROM samples GROUP BY ALL
), blocks AS (
    SELECT task, each.temperature, each.observable, each.error
    FROM (SELECT task, unnest(estimates) AS each FROM tasks)
), moves AS (
    SELECT "set", sum(each.accepted) / nullif(sum(each.tried), 0) AS acceptance
    FROM (SELECT "set", unnest(moves) AS each FROM tasks) GROUP BY "set"
), sets AS (
    SELECT row_number() OVER () AS place, * FROM tasks
)
SELECT {parameters} runs.temperature, runs.observable, count(*) AS replicas,
    CAST(sum(runs.samples) AS BIGINT) AS samples, avg(runs.mean) AS mean,
    greatest(coalesce({spread}, {blocked}), coalesce({blocked}, {spread})) AS error,
    {spread} AS spread, {blocked} AS blocked,
    any_value(moves.acceptance) AS acceptance
FROM runs JOIN sets USING (task) LEFT JOIN moves ON moves."set" = sets."set"
LEFT JOIN blocks ON blocks.task = runs.task AND blocks.observable = runs.observable
    AND blocks.temperature IS NOT DISTINCT FROM runs.temperature
GROUP BY sets."set", runs.temperature, runs.observable
ORDER BY min(sets.place), runs.temperature, list_position({order}, runs.observable)
"""
#: The error of the mean of all, from how much the means of the runs differ; none if there is one run.
SPREAD = "stddev_samp(runs.mean) / sqrt(count(*))"
#: The same, from the errors that blocking found in each run; none if one is not known.
BLOCKED = (
    "CASE WHEN count(blocks.error) = count(*) THEN sqrt(sum(blocks.error * blocks.error)) / count(*) END"
)


def quoted(name: str) -> str:
    """A name of a column, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text, whatever it holds."""
    return "'" + value.replace("'", "''") + "'"


def ask(folder: Path, query: str, *, threads: int | None = None) -> pa.Table:
    """The answer of DuckDB, which sees the files as `results` and `tasks`."""
    import duckdb

    config: dict[str, Any] = {} if threads is None else {"threads": threads}
    with duckdb.connect(config=config) as base:
        for view, file in (("results", RESULTS), ("tasks", TASKS)):
            base.register(view, dataset(folder / file))
        return base.sql(query).to_arrow_table()


def summarise(folder: Path, parameters: Sequence[str]) -> pa.Table:
    """A row for each parameter set, temperature and observable.

    One thread: sums of floating-point numbers depend on their order, and the same results must give the same
    summary.
    """
    found = read_schema(folder / RESULTS).names
    names = scalars(name for name in found if name not in (*HEAD, *parameters))
    if not names:
        return _empty(parameters)
    query = MEANS.format(
        temperature="temperature" if "temperature" in found else "CAST(NULL AS INTEGER)",
        values=", ".join(f"CAST({quoted(name)} AS DOUBLE) AS {quoted(name)}" for name in names),
        names=", ".join(map(quoted, names)),
        parameters="".join(f"any_value(sets.{quoted(key)}) AS {quoted(key)}, " for key in parameters),
        spread=SPREAD,
        blocked=BLOCKED,
        order=f"[{', '.join(map(text, names))}]",
    )
    table = ask(folder, query, threads=1)
    return table if "temperature" in found else table.drop_columns(["temperature"])


def _empty(parameters: Sequence[str]) -> pa.Table:
    """Nothing is done: columns without rows."""
    import pyarrow as pa

    counts, shares = ("replicas", "samples"), ("mean", "error", "spread", "blocked", "acceptance")
    texts = [(name, pa.string()) for name in (*parameters, "observable")]
    numbers = [(name, pa.int64()) for name in counts] + [(name, pa.float64()) for name in shares]
    return pa.schema(texts + numbers).empty_table()


def shown(table: pa.Table) -> str:
    """A summary as text: a line for each mean, with its error."""
    heads = [name for name in table.column_names if name not in ("mean", "error", "spread", "blocked")]
    heads.insert(heads.index("samples") + 1, "mean")
    rows = [[_cell(row, name) for name in heads] for row in table.to_pylist()]
    return "\n".join(_lines([heads, *rows]))


def _cell(row: dict[str, Any], name: str) -> str:
    value = row[name]
    if name == "mean":
        return f"{value:.6g}" if row["error"] is None else told(value, row["error"])
    if value is None:
        return "-"
    if name == "acceptance":
        return f"{100 * value:.3g} %"
    return f"{value:,}" if name == "samples" else f"{value:g}" if isinstance(value, float) else str(value)


def _lines(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
