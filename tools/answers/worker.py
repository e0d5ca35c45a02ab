"""Runs benchmarks of one build for the guard: names come in by lines, seconds go out, and what was computed.

The first line that goes out says which build it is.
"""

from __future__ import annotations

import gc
import json
import sys
from time import process_time
from typing import Any

import elbowroom as er

from .workloads import WORKLOADS, Run


def timed(run: Run) -> tuple[float, float]:
    """Seconds of the processor for one run, and its result."""
    gc.collect()
    gc.disable()
    start = process_time()
    found = run()
    seconds = process_time() - start
    gc.enable()
    return seconds, float(found)


def main() -> None:
    """Answers until the input ends; a benchmark is set up when it is first asked for."""
    ready: dict[str, Run] = {}
    tell({"elbowroom": er.__file__, "isa": er.isa, "names": list(WORKLOADS)})
    for line in sys.stdin:
        name = line.strip()
        if name not in ready:
            ready[name] = WORKLOADS[name]()
        tell(timed(ready[name]))


def tell(what: Any) -> None:
    """One line out."""
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
