"""Clisby's SAW-tree in C++ on the cubic lattice, compiled here when it is first asked for.

The published times of such a tree are of another machine. This one, written from the paper, runs on the same
as everybody else.
"""

from __future__ import annotations

import ctypes
import math
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common import Array

SOURCE = Path(__file__).with_name("saw_tree.cpp")
OPTIONS = ("-O3", "-march=native", "-std=c++20", "-shared", "-fPIC")
FIVE_STEPS = 25_566 / 3_534  # mean square distance of the ends over all walks of five steps, by enumeration
THOUSAND = 4_041.0  # of 1000 steps: 1.22035 n^1.175194 (1 - 0.48 n^-0.528), after Clisby (2010)


@cache
def library() -> Any:
    """The compiled code; ImportError if there is no compiler, so that this peer can be left out."""
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise ImportError("no C++ compiler was found")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "saw_tree.so"
        subprocess.run([compiler, *OPTIONS, str(SOURCE), "-o", str(file)], check=True)
        loaded = ctypes.CDLL(str(file))
    tree, whole, seed = ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64
    for name, given, back in (
        ("saw_make", [whole, seed], tree),
        ("saw_drop", [tree], None),
        ("saw_pivots", [tree, whole], whole),
        ("saw_wrong", [tree, whole], whole),
        ("saw_squares", [tree, whole, whole, ctypes.c_void_p], None),
    ):
        function = getattr(loaded, name)
        function.argtypes, function.restype = given, back
    return loaded


class SawTree:
    """A self-avoiding walk of so many sites, nearly in equilibrium."""

    def __init__(self, sites: int, seed: int) -> None:
        self._library = library()
        self._tree = self._library.saw_make(sites, seed)

    def __del__(self) -> None:
        if hasattr(self, "_tree"):
            self._library.saw_drop(self._tree)

    def pivots(self, attempts: int) -> int:
        """How many of so many attempts were accepted."""
        return int(self._library.saw_pivots(self._tree, attempts))

    def squares(self, count: int, every: int) -> Array:
        """Squared distances of the ends, one after every so many attempts."""
        out = np.empty(count)
        self._library.saw_squares(self._tree, count, every, out.ctypes.data)
        return out

    def wrong(self, attempts: int) -> int:
        """Of so many attempts, those whose verdict is not that of brute force."""
        return int(self._library.saw_wrong(self._tree, attempts))


def check(attempts: int = 2000, samples: int = 50_000) -> dict[str, float]:
    """Verdicts against brute force on short walks; mean squares in errors from what they are known to be."""
    off = {}
    for steps, known in ((5, FIVE_STEPS), (1000, THOUSAND)):
        walk = SawTree(steps + 1, 1)
        walk.pivots(20_000)
        means = walk.squares(samples, 10).reshape(100, -1).mean(axis=1)
        off[steps] = float((means.mean() - known) / (means.std(ddof=1) / math.sqrt(len(means))))
    wrong = sum(SawTree(sites, sites).wrong(attempts) for sites in (2, 3, 5, 8, 33, 100, 257))
    return {"wrong": wrong, **{f"R^2 of {steps} steps, errors": value for steps, value in off.items()}}
