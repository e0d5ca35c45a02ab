"""Fuzzes subjects one after the other, each in child processes, and shows what came of it as a table."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from fuzz_children import Figures, Find, Limits, child_main
from rich.console import Console
from rich.table import Table

SHOWN = 20  # failures of a subject
#: So often a child that died is replaced within one run.
DEATHS = 5


Several = dict[str, Figures]


def received(process: Any, pipe: Connection) -> Several:
    """The last figures that a child sent, once it has ended."""
    figures: Several = {}
    while True:
        try:
            figures = pipe.recv()
        except EOFError:
            process.join()
            return figures


def one_child(finds: Mapping[str, Find], limits: Limits, folder: Path) -> Several:
    """Figures of one child; its death is one of the faults, of the subject that it was at."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe(duplex=False)
    own = Path(tempfile.mkdtemp(prefix="child-", dir=folder))
    process = spawn.Process(target=child_main, args=(dict(finds), limits, own, there))
    process.start()
    there.close()
    figures = {name: Figures() for name in finds} | received(process, here)
    if process.exitcode:
        name = (own / "at").read_text() if (own / "at").exists() else next(iter(finds))
        figures[name].faults[f"the child died with status {process.exitcode}"] += 1
        figures[name].failures.append(death(name, process.exitcode, own, folder / "kept"))
    shutil.rmtree(own)
    return figures


def death(name: str, status: int, own: Path, keep: Path) -> str:
    """What is known of it; the files that it was at are kept."""
    target = keep / f"{name}-died-{time.time_ns():x}"
    shutil.copytree(own, target)
    said = (own / "printed").read_text(errors="replace")
    return f"{name}: the child died with status {status}; its folder is {target}; it said: {said[-3000:]}"


def fuzzed(finds: Mapping[str, Find], limits: Limits, folder: Path) -> Several:
    """Until the time is over, or so many cases have been tried; a child that dies is replaced."""
    (folder / "kept").mkdir(exist_ok=True)
    whole, began = {name: Figures() for name in finds}, time.time()
    for child in range(DEATHS):
        done = min(figures.executions for figures in whole.values())
        left = limits.seconds - (time.time() - began) * (child > 0)
        if left <= 0 or done >= limits.executions:
            break
        next_one = Limits(limits.seed + 1000 * child, left, limits.executions - done)
        found = one_child(finds, next_one, folder)
        for name, figures in found.items():
            whole[name].add(figures)
        if not any("died" in fault for figures in found.values() for fault in figures.faults):
            break
    return whole


def table(figures: Several) -> Table:
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
    figures: Several = {}
    limits = Limits(args.seed, args.seconds, args.executions)
    for name, find in subjects.items():
        figures |= fuzzed({name: find}, limits, folder.absolute())
        show(name, figures[name], console, args.messages)
    if len(figures) > 1:
        console.print(table(figures))
    if args.json:
        args.json.write_text(json.dumps({name: vars(each) for name, each in figures.items()}, indent=1))
    return int(any(each.wrong for each in figures.values()))


def show(name: str, figures: Figures, console: Console, messages: bool) -> None:
    for failure in figures.failures[:SHOWN]:
        console.print(failure, markup=False, highlight=False, soft_wrap=True)
    if messages:
        for message, count in figures.messages.most_common():
            console.print(f"{count:7d} {message}", markup=False, highlight=False, soft_wrap=True)
    console.print(table({name: figures}))


def quiet_threads() -> None:
    """One thread of the libraries under NumPy: children are many, and cases small."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    # Pieces from 64 KiB on are asked of the system one by one, so that what a case takes can be seen.
    os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", "65536")


if __name__ == "__main__":
    sys.exit("run fuzz_readers.py or fuzz_constructors.py")
