"""Parquet files by their exact paths.

PyArrow and DuckDB give meaning to parts of a path: `*`, `?` and `[` are patterns, `~` is the home folder,
`file:` begins a URI, and a folder named `replica=7` adds a column. A folder that a user names may contain any
of these, so Parquet files are opened here and nowhere else.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elbowroom.files.unpacking import Allowance

if TYPE_CHECKING:
    import pyarrow as pa


def read_table(path: Path) -> pa.Table:
    """All rows of a file. One of a few bytes may state billions of rows, so these are counted first."""
    from pyarrow import parquet

    with path.open("rb") as file:
        table = parquet.ParquetFile(file)
        groups = range(table.metadata.num_row_groups)
        rows = sum(table.metadata.row_group(k).num_rows for k in groups)
        Allowance(str(path)).take(8 * rows * table.metadata.num_columns)
        return table.read()


def read_schema(path: Path) -> pa.Schema:
    """The columns of a file, with its metadata."""
    from pyarrow import parquet

    with path.open("rb") as file:
        return parquet.read_schema(file)


def dataset(path: Path) -> Any:
    """A file as a pyarrow dataset: rows are read when they are asked for."""
    from pyarrow import dataset, fs

    form, disk = dataset.ParquetFileFormat(), fs.LocalFileSystem()
    fragment = form.make_fragment(os.path.abspath(path), filesystem=disk)
    return dataset.FileSystemDataset([fragment], read_schema(path), form, disk)
