"""Fuzzes subjects one after the other, each in child processes, and shows what came of it as a table."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from fuzz_children import Figures, Find, child_main, kept_after_death
from rich.console import Console
from rich.table import Table

SHOWN = 20  # failures of a subject
#: So often a child that died is replaced within one run.
DEATHS = 5


def received(process: Any, pipe: Connection) -> Figures:
    """The last figures that a child sent, once it has ended."""
    figures = Figures()
    while True:
        try:
            figures = pipe.recv()
        except EOFError:
            process.join()
            return figures


def one_child(name: str, find: Find, seed: int, seconds: float, executions: int, folder: Path) -> Figures:
    """Figures of one child; its death is one of the faults."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe(duplex=False)
    own = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=folder))
    process = spawn.Process(target=child_main, args=(find, seed, seconds, executions, own, there))
    process.start()
    there.close()
    figures = received(process, here)
    if process.exitcode:
        fault = f"the child died with status {process.exitcode}"
        figures.faults[fault] += 1
        kept = kept_after_death(name, own, folder / "kept")
        figures.failures.append(f"{name}: {fault} after {figures.executions} executions: {kept}")
    return figures


def fuzzed(name: str, find: Find, seed: int, seconds: float, executions: int, folder: Path) -> Figures:
    """Until the time is over, or so many cases have been tried; a child that dies is replaced."""
    (folder / "kept").mkdir(exist_ok=True)
    whole, began, left = Figures(), time.time(), seconds
    for child in range(DEATHS):
        more = executions - whole.executions
        whole.add(one_child(name, find, seed + 1000 * child, left, more, folder))
        left = began + seconds - time.time()
        if left <= 0 or whole.executions >= executions:
            break
    return whole


def table(figures: dict[str, Figures]) -> Table:
    heads = (
        "executions",
        "accepted",
        "distinct errors",
        "slowest",
        "of bytes",
        "memory / need",
        "of bytes",
        "wrong",
    )
    out = Table("", *heads)
    for name, each in figures.items():
        slow, large = each.slowest, each.ratio
        cells = [each.executions, each.accepted, len(each.messages), f"{slow[0]:.2f} s", slow[1]]
        cells += [f"{large[0]:.2f}", large[1], each.wrong]
        out.add_row(name, *map(str, cells), style="red" if each.wrong else None)
    return out


def arguments(about: str | None, names: Sequence[str], argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600.0, help="for each subject")
    parser.add_argument("--executions", type=int, default=10**9, help="of each subject at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default=",".join(names), help="subjects, with commas between them")
    parser.add_argument("--json", type=Path, help="the figures are written to this file")
    parser.add_argument("--keep", type=Path, help="inputs that failed are kept below this folder")
    parser.add_argument(
        "--again", nargs=2, metavar=("SUBJECT", "CASE"), help="one case, as a failure tells it"
    )
    parser.add_argument("--messages", action="store_true", help="show all messages of errors")
    parser.add_argument("--files", nargs="*", type=Path, default=[], help="further seeds, by their suffix")
    args = parser.parse_args(argv)
    unknown = set(args.only.split(",")) - set(names)
    if unknown:
        parser.error(f"no such subject: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    return args


def run(subjects: Mapping[str, Find], args: argparse.Namespace) -> int:
    """Exit status 1 if anything went wrong."""
    console = Console(width=160)
    folder = args.keep or Path(tempfile.mkdtemp(prefix="fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    figures: dict[str, Figures] = {}
    for name, find in subjects.items():
        figures[name] = fuzzed(name, find, args.seed, args.seconds, args.executions, folder.absolute())
        for failure in figures[name].failures[:SHOWN]:
            console.print(failure, markup=False, highlight=False, soft_wrap=True)
        if args.messages:
            for message, count in figures[name].messages.most_common():
                console.print(f"{count:7d} {message}", markup=False, highlight=False, soft_wrap=True)
        console.print(table({name: figures[name]}))
    if len(figures) > 1:
        console.print(table(figures))
    if args.json:
        args.json.write_text(json.dumps({name: vars(each) for name, each in figures.items()}, indent=1))
    return int(any(each.wrong for each in figures.values()))


def quiet_threads() -> None:
    """One thread of the libraries under NumPy: children are many, and cases small."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    # Pieces from 64 KiB on are asked of the system one by one, so that what a case takes can be seen.
    os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", "65536")


if __name__ == "__main__":
    sys.exit("run fuzz_readers.py or fuzz_constructors.py")
