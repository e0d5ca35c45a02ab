"""Damaged files for every reader: none may crash, hang, print, eat memory, or raise what says nothing.

    python tests/support/fuzz_readers.py --only pdb,urdf,bvh,mesh [--seed 0] [--files more.pdb ...]
    python tests/support/fuzz_readers.py --again pdb 17:FILE

Begins with small files made in code, and those named by --files, and changes them at random; what ends as
nothing before did is changed further. Every file is read in a child process with limits. Exit status 1 if
anything went wrong; the files that did are kept, and --again reads one of them in this process.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

import numpy as np
from fuzz_children import Find
from fuzz_runs import arguments, quiet_threads, run
from reader_subjects import READERS, Reader, reader_named


def chosen(args: argparse.Namespace) -> dict[str, Find]:
    """The readers that were asked for, each with the further seeds of its kinds."""
    names = args.only.split(",")
    return {
        reader.name: partial(reader_named, reader.name, tuple(f for f in args.files if fits(reader, f)))
        for reader in READERS
        if reader.name in names
    }


def fits(reader: Reader, file: Path) -> bool:
    suffix = Path(file.name.removesuffix(".gz")).suffix
    return suffix in {Path(name).suffix for name in reader.small()}


def again(name: str, told: str) -> None:
    """Reads one file as the child did, here, where a debugger sees it."""
    seed, _, file = told.partition(":")
    reader_named(name).read(Path(file), np.random.default_rng(int(seed)))


def main(argv: list[str] | None = None) -> int:
    quiet_threads()
    args = arguments(__doc__, [reader.name for reader in READERS], argv)
    if args.again:
        again(*args.again)
        return 0
    return run(chosen(args), args)


if __name__ == "__main__":
    sys.exit(main())
