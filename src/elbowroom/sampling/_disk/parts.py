"""Observables in Parquet files: a part for each checkpoint, and in the end all of them in one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _writing

from .tables import read_table

#: Steps and values of rows: (k,) and (temperatures or chains, k, observables).
Rows = tuple[NDArray[np.int64], NDArray[np.float64]]


def pyarrow() -> Any:
    """The module, with its Parquet, or an ImportError that says how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(
            "the folder of a run needs pyarrow, which is not installed: pip install 'elbowroom[campaign]'"
        ) from error
    return pyarrow


class Parts:
    """The parts in a folder, numbered from 0.

    Their columns are `step`, with tempering the number of the `temperature`, of several chains that of the
    `chain`, and the observables. Rows come by step, and those of one step by that number.
    """

    def __init__(
        self, folder: Path, observables: Sequence[str], walkers: int, axis: str = "temperature"
    ) -> None:
        self.folder, self.count = folder, 0
        self._names, self._walkers, self._axis = list(observables), walkers, axis
        self._held: list[Rows] = []

    def hold(self, steps_at: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Rows for the next part."""
        if len(steps_at):
            self._held.append((steps_at, values))

    def write(self) -> None:
        """One more part, of all rows that are held; none if there are no rows."""
        if not self._held:
            return
        if not self.folder.exists():
            self.folder.mkdir()
            _writing.sync(self.folder.parent)
        with _writing.replacing(self._path(self.count)) as file:
            steps_at, values = zip(*self._held, strict=True)
            table = self._table(np.concatenate(steps_at), np.concatenate(values, axis=1))
            pyarrow().parquet.write_table(table, file)
        self._held, self.count = [], self.count + 1

    def keep(self, count: int) -> None:
        """Forgets all parts but the first ones, and what a killed process had begun to write."""
        kept = {self._path(number) for number in range(count)}
        if self.folder.exists():
            _writing.sweep(self.folder)
            for path in set(self.folder.glob("part-*.parquet")) - kept:
                path.unlink()
            _writing.sync(self.folder)
        self.count = count

    def missing(self, count: int) -> Path | None:
        """The first of so many parts that is not there."""
        return next((path for path in map(self._path, range(count)) if not path.exists()), None)

    def rows(self) -> Rows:
        """All that the parts hold."""
        tables = [read_table(self._path(number)) for number in range(self.count)]
        return self._rows_of(pyarrow().concat_tables([self._schema().empty_table(), *tables]))

    def write_whole(self, path: Path) -> None:
        """All parts as one file."""
        parquet = pyarrow().parquet
        with _writing.replacing(path) as file, parquet.ParquetWriter(file, self._schema()) as writer:
            for number in range(self.count):
                writer.write_table(read_table(self._path(number)))

    def read_whole(self, path: Path) -> Rows:
        """What write_whole has written."""
        return self._rows_of(read_table(path))

    def _path(self, number: int) -> Path:
        return self.folder / f"part-{number:06d}.parquet"

    def _schema(self) -> Any:
        arrow = pyarrow()
        integers = ["step", self._axis] if self._walkers > 1 else ["step"]
        floats = [(name, arrow.float64()) for name in self._names]
        return arrow.schema([(name, arrow.int64()) for name in integers] + floats)

    def _table(self, steps_at: NDArray[np.int64], values: NDArray[np.float64]) -> Any:
        count, many = len(steps_at), self._walkers
        columns: dict[str, NDArray[Any]] = {
            name: values[:, :, i].T.ravel() for i, name in enumerate(self._names)
        }
        columns |= {"step": np.repeat(steps_at, many), self._axis: np.tile(np.arange(many), count)}
        schema = self._schema()
        return pyarrow().table([columns[name] for name in schema.names], schema=schema)

    def _rows_of(self, table: Any) -> Rows:
        steps_at = table["step"].to_numpy().astype(np.int64)[:: self._walkers]
        values = np.empty((self._walkers, len(steps_at), len(self._names)))
        for i, name in enumerate(self._names):
            values[:, :, i] = table[name].to_numpy().reshape(len(steps_at), self._walkers).T
        return steps_at, values
