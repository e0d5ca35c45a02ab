"""Times two builds in processes of their own that take turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

TOOLS = Path(__file__).resolve().parent.parent
_IMPORT = "import numpy, time; t = time.process_time(); import elbowroom; print(time.process_time() - t)"


class Build:
    """A build of elbowroom: a Python interpreter, or a folder to put on PYTHONPATH."""

    def __init__(self, given: str) -> None:
        path = Path(given).absolute()
        if not path.exists():
            raise ValueError(f"{given}: no such interpreter or folder")
        self.given, self._environment, self._python = given, dict(os.environ), str(path)
        if path.is_dir():
            self._python, self._environment["PYTHONPATH"] = sys.executable, str(path)
        self._worker: subprocess.Popen[str] | None = None
        self.about: dict[str, str] = {}

    def __enter__(self) -> Build:
        command = [self._python, "-m", "answers.worker"]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._worker = subprocess.Popen(command, cwd=TOOLS, env=self._environment, **pipes)
        self.about = self._answer()
        folder = self._environment.get("PYTHONPATH")
        if self._python == sys.executable and Path(self.given).is_dir():
            inside = Path(self.about["elbowroom"]).resolve().is_relative_to(Path(str(folder)).resolve())
            if not inside:
                raise ValueError(f"{self.given} is not where elbowroom comes from: {self.about['elbowroom']}")
        return self

    def __exit__(self, *_: object) -> None:
        if self._worker is not None and self._worker.stdin is not None:
            self._worker.stdin.close()
            self._worker.wait(timeout=60)

    def run(self, name: str) -> tuple[float, float]:
        """Seconds of a benchmark, and what it computed."""
        assert self._worker is not None and self._worker.stdin is not None
        self._worker.stdin.write(name + "\n")
        self._worker.stdin.flush()
        seconds, found = self._answer()
        return seconds, found

    def import_time(self) -> tuple[float, float]:
        """Seconds that `import elbowroom` takes in a fresh interpreter, after NumPy."""
        command = [self._python, "-c", _IMPORT]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=True)
        return float(done.stdout), 0.0

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


def measure(name: str, before: Build, after: Build, repeats: int, *, importing: bool = False) -> Row:
    """The builds take turns, and the one that begins changes too."""
    seconds, found = np.empty((repeats, 2)), []
    for k in range(repeats):
        for which in (0, 1) if k % 2 == 0 else (1, 0):
            build = (before, after)[which]
            seconds[k, which], result = build.import_time() if importing else build.run(name)
            found.append((k, which, result))
    ratios = seconds[:, 1] / seconds[:, 0]
    low, median, high = np.percentile(ratios, [25, 50, 75])
    results = [[r for k, which, r in found if which == w] for w in (0, 1)]
    same = bool(np.allclose(*results, rtol=1e-9, atol=0))
    least = seconds.min(axis=0)
    return Row(name, float(least[0]), float(least[1]), float(median), float(high - low) / 2, same)
