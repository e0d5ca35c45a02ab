"""Times two builds in processes of their own that take turns."""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOOLS = Path(__file__).resolve().parent.parent
IMPORT = "import"
_IMPORT = "import numpy, time; t = time.process_time(); import elbowroom; print(time.process_time() - t)"


class Build:
    """A build of elbowroom: a Python interpreter, or a folder to put on PYTHONPATH."""

    def __init__(self, given: str) -> None:
        path = Path(given).absolute()
        if not path.exists():
            raise ValueError(f"{given}: no such interpreter or folder")
        self.given, self._environment, self._python = given, dict(os.environ), str(path)
        self._environment.pop("PYTHONPATH", None)  # an interpreter has a build of its own
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else imports compile
        if path.is_dir():
            self._python, self._environment["PYTHONPATH"] = sys.executable, str(path)
        self._worker: subprocess.Popen[str] | None = None
        self.about: dict[str, Any] = {}

    def __enter__(self) -> Build:
        command = [self._python, "-m", "answers.worker"]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._worker = subprocess.Popen(command, cwd=TOOLS, env=self._environment, **pipes)
        self.about = self._answer()
        folder, found = self._environment.get("PYTHONPATH"), Path(self.about["elbowroom"]).resolve()
        if folder is not None and not found.is_relative_to(Path(folder).resolve()):
            raise ValueError(f"{self.given} is not where elbowroom comes from: {found}")
        return self

    def __exit__(self, *_: object) -> None:
        if self._worker is not None and self._worker.stdin is not None:
            self._worker.stdin.close()
            self._worker.wait(timeout=60)

    @property
    def names(self) -> list[str]:
        """The benchmarks that there are."""
        return [*self.about["names"], IMPORT]

    def run(self, name: str) -> tuple[float, float]:
        """Seconds of a benchmark, and what it computed."""
        if name == IMPORT:
            return self._import_time(), 0.0
        assert self._worker is not None and self._worker.stdin is not None
        self._worker.stdin.write(name + "\n")
        self._worker.stdin.flush()
        seconds, found = self._answer()
        return seconds, found

    def _import_time(self) -> float:
        """In a fresh interpreter, after NumPy."""
        command = [self._python, "-c", _IMPORT]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=True)
        return float(done.stdout)

    def _answer(self) -> Any:
        assert self._worker is not None and self._worker.stdout is not None
        line = self._worker.stdout.readline()
        if not line:
            raise ValueError(f"{self.given}: the benchmarks ended, see above")
        return json.loads(line)


@dataclass(frozen=True)
class Row:
    """One benchmark of both builds; ratios are of the times after to before."""

    name: str
    before: float  # the least seconds
    after: float
    median: float  # of the ratios of runs next to each other
    spread: float  # half the distance of their quartiles
    same: bool  # what was computed

    @property
    def best(self) -> float:
        """The ratio of the least times."""
        return self.after / self.before

    def slower(self, limit: float) -> bool:
        """By more than the limit beyond the spread, by the least times as by the median."""
        return min(self.best, self.median) - self.spread > 1 + limit


def measure(name: str, before: Build, after: Build, repeats: int) -> Row:
    """The builds take turns, and the one that begins changes too; the first run of each does not count."""
    times: list[tuple[float, float]] = []
    same = True
    for k in range(-(repeats > 1), repeats):
        first, second = (before, after) if k % 2 == 0 else (after, before)
        found = {first: first.run(name)} | {second: second.run(name)}
        if k >= 0:
            times.append((found[before][0], found[after][0]))
        same = same and math.isclose(found[before][1], found[after][1], rel_tol=1e-9)
    ratios = [y / x for x, y in times]
    low, median, high = statistics.quantiles(ratios, method="inclusive") if repeats > 1 else ratios * 3
    least = (min(seconds) for seconds in zip(*times, strict=True))
    return Row(name, *least, median, (high - low) / 2, same)
