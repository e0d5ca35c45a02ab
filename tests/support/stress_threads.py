"""Calls every two methods of an object from two threads at once, for as long as it is told to.

Nothing may crash or hang. What cannot be done at once is refused by a RuntimeError; the object stays sound.

    python tests/support/stress_threads.py --seconds 600 [--seed 1] [--only Chain]
"""

from __future__ import annotations

import argparse
import faulthandler
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from thread_subjects import Call, Subject, subjects

ROUNDS = 6  # calls of each of the two, one after the other
#: What a method may answer: it is refused, or does not suit the state that the other thread has left.
EXPECTED = (RuntimeError, ValueError)


class Pair:
    """Two calls on one object, from two threads."""

    def __init__(self, body: Any, seed: int) -> None:
        self._body, self._seed = body, seed
        self.wrong: list[str] = []
        self.said: Counter[str] = Counter()

    def run(self, first: tuple[str, Call], second: tuple[str, Call]) -> None:
        start = threading.Barrier(2)
        threads = [
            threading.Thread(target=self._call, args=(call, start, self._seed + k), daemon=True)
            for k, call in enumerate((first, second))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            if thread.is_alive():
                faulthandler.dump_traceback()
                raise SystemExit(f"hangs: {first[0]} beside {second[0]}")

    def _call(self, call: tuple[str, Call], start: threading.Barrier, seed: int) -> None:
        rng = np.random.default_rng(seed)
        start.wait()
        for _ in range(ROUNDS):
            try:
                call[1](self._body, rng)
            except EXPECTED as error:
                self.said[str(error).split(":")[0][:60]] += 1
            except Exception as error:
                self.wrong.append(f"{call[0]}: {error!r}")


def pairs(subject: Subject, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    """All pairs of names in a random order, each with itself too."""
    names = list(subject.calls)
    both = [(a, b) for i, a in enumerate(names) for b in names[i:]]
    rng.shuffle(both)
    yield from both


def stress(subject: Subject, seconds: float, seed: int) -> tuple[int, list[str], Counter[str]]:
    """How many pairs were called at once, what went wrong, and what was said."""
    rng, until, done = np.random.default_rng(seed), time.monotonic() + seconds, 0
    wrong: list[str] = []
    said: Counter[str] = Counter()
    while time.monotonic() < until:
        body = subject.make()
        for a, b in pairs(subject, rng):
            pair = Pair(body, int(rng.integers(2**31)))
            pair.run((a, subject.calls[a]), (b, subject.calls[b]))
            done += 1
            said += pair.said
            wrong += [f"{subject.name}: {a} beside {b}: {text}" for text in pair.wrong]
            if hasattr(body, "validate"):
                try:
                    body.validate()
                except AssertionError as error:
                    wrong.append(f"{subject.name}: {a} beside {b}: {error}")
                    body = subject.make()
            if time.monotonic() >= until:
                break
    return done, wrong, said


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    faulthandler.enable()
    sys.setswitchinterval(1e-5)
    chosen = [subject for subject in subjects() if subject.name.startswith(given.only)]
    bad = 0
    for subject in chosen:
        done, wrong, said = stress(subject, given.seconds / len(chosen), given.seed)
        bad += len(wrong)
        refused = sum(said.values())
        print(f"{subject.name:16} {done:6} pairs, {refused:6} refused, {len(wrong)} wrong", flush=True)
        for text, count in Counter(wrong).most_common(10):
            print(f"    {count} x {text}", flush=True)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
