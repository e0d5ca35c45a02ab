"""Runs what may crash, hang or eat memory in a child process with limits, and judges each case.

A `Subject` draws cases. A case must end without a crash, within `HANGS` seconds of processor time, without
printing, without a RuntimeWarning, with at most twice the memory that its input needs, and either well or
with an error that is a ValueError or an OSError and names the file or the argument. What an input needs is
told by a large sound one: so many bytes of memory for each byte of it, and `FLOOR` for whatever its size.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import re
import resource
import signal
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

import numpy as np

MIB = 2**20
#: Memory that any input may take.
FLOOR = 4 * MIB
#: Address space of a child beyond what it has after its warm-up.
ROOM = 4 * 2**30
#: Seconds of processor time after which a case is said to hang, and of the clock after which its child dies.
HANGS, DIES = 10.0, 300.0
#: Longer messages are not clear.
LONGEST_MESSAGE = 1500
#: Failures of one kind that are kept.
OF_A_KIND = 1


@dataclass(frozen=True)
class Case:
    """One thing to try. A message must have one of the `names`; `told` says how to try it again."""

    run: Callable[[], object]
    size: int
    names: tuple[str, ...]
    told: str
    content: bytes | None = None
    lenient: bool = False  # any error will do, and any print


class Subject(Protocol):
    """What is fuzzed: a reader or a constructor."""

    name: str

    def prepare(self, folder: Path) -> None:
        """Whatever is slow at first; the folder is the child's own."""

    def large(self) -> Case:
        """A sound and large input, which tells what memory is needed."""

    def draw(self, rng: np.random.Generator) -> Case:
        """The next case; what repeats it is in the folder before it runs."""

    def learn(self, case: Case) -> None:
        """It ended as none before it did."""


class Limits(NamedTuple):
    """When a child ends: after so many seconds, or so many cases of each subject."""

    seed: int
    seconds: float
    executions: int


#: Finds a subject, in a process of its own.
Find = Callable[[], Subject]


class Hangs(BaseException):
    """Processor time is spent; no reader may catch it."""


@dataclass
class Ending:
    """What came of a case: "" or the kind of fault, what was said, where it was raised, and the cost."""

    fault: str = ""
    message: str = ""
    where: str = ""
    seconds: float = 0.0
    growth: int = 0


@dataclass
class Figures:
    """What a subject went through."""

    executions: int = 0
    accepted: int = 0
    messages: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, 0)
    ratio: tuple[float, int] = (0.0, 0)
    failures: list[str] = field(default_factory=list)

    def add(self, more: Figures) -> None:
        """Counts are added up; of the slowest and the largest the worse is kept."""
        self.executions += more.executions
        self.accepted += more.accepted
        self.messages += more.messages
        self.faults += more.faults
        self.slowest, self.ratio = max(self.slowest, more.slowest), max(self.ratio, more.ratio)
        self.failures += more.failures

    @property
    def wrong(self) -> int:
        return self.faults.total()


def plain(message: str, names: tuple[str, ...]) -> str:
    """A message without what differs from case to case: names, quotations and numbers."""
    for name in names:
        message = message.replace(name, "FILE") if "/" in name else message
    message = message.partition(", got ")[0]
    message = re.sub(r"'[^']*'|\"[^\"]*\"|b'.*'", "'...'", message)
    return re.sub(r"[-+]?\d[\d.,_]*(?:e[-+]?\d+)?|\bnan\b|\binf\b", "0", message)[:160]


def memory(key: str) -> int:
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(key))


def reset_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def _hangs(*_: object) -> None:
    raise Hangs


@contextlib.contextmanager
def timed() -> Iterator[None]:
    """Processor time is limited, and the clock too, for what does not come back to Python."""
    before = signal.signal(signal.SIGPROF, _hangs)
    faulthandler.dump_traceback_later(DIES, exit=True)
    signal.setitimer(signal.ITIMER_PROF, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGPROF, before)


def judged(case: Case) -> Ending:
    """Runs a case, and says what is wrong with how it ended."""
    reset_peak()
    before, began, ending = memory("VmRSS"), time.process_time(), Ending()
    try:
        with timed(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            case.run()
    except Hangs as error:
        ending.fault, ending.where = "hangs", place(error)
    except Exception as error:
        ending.message, ending.where = f"{type(error).__name__}: {error}", place(error)
        ending.fault = "" if case.lenient else fault_of(error, case)
    ending.seconds = time.process_time() - began
    ending.growth = memory("VmHWM") - before
    return ending


def fault_of(error: Exception, case: Case) -> str:
    """The kind of fault, or "" for an error as it should be."""
    said = str(error)
    if not isinstance(error, (ValueError, OSError, TypeError)):
        return f"raises {type(error).__name__}"
    if not any(name in said for name in case.names):
        return "names nothing"
    if isinstance(error, TypeError) and "incompatible function arguments" in said:
        return "raises TypeError"
    return "talks too much" if len(said) > LONGEST_MESSAGE else ""


def place(error: BaseException) -> str:
    """The last lines of the library that the error went through, and the very last."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "elbowroom" in frame.filename and "tests" not in frame.filename]
    return " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in [*frames[-1:], *own[:-4:-1]])


class Child:
    """One subject in this process. What goes wrong is kept in `keep`."""

    def __init__(self, subject: Subject, folder: Path, keep: Path, printed: BinaryIO) -> None:
        self.subject, self.folder, self.keep, self.printed = subject, folder, keep, printed
        self.figures, self.need = Figures(), 0.0
        self.seen: set[tuple[str, str]] = set()  # how cases ended

    def prepare(self) -> None:
        """After this nothing is imported anew; and it is known what memory the subject needs."""
        self.folder.mkdir()
        self.subject.prepare(self.folder)
        large = self.subject.large()
        for _ in range(2):  # at first something may be made that stays
            ending = judged(large)
            if ending.message or ending.fault:
                raise RuntimeError(f"the large sound input of {self.subject.name} was refused: {ending}")
        self.need = ending.growth / large.size

    def one(self, rng: np.random.Generator) -> None:
        """Draws a case, runs and judges it."""
        case = self.subject.draw(rng)
        at = os.fstat(self.printed.fileno()).st_size
        ending = judged(case)
        figures, needed = self.figures, FLOOR + self.need * case.size
        figures.executions += 1
        figures.accepted += not ending.message and not ending.fault
        figures.slowest = max(figures.slowest, (ending.seconds, case.size))
        figures.ratio = max(figures.ratio, (ending.growth / needed, case.size))
        if ending.growth > 2 * needed and not ending.fault:
            ending.fault = f"takes {ending.growth // MIB} MiB where {needed / MIB:.1f} are needed"
        if os.fstat(self.printed.fileno()).st_size > at and not ending.fault and not case.lenient:
            ending.fault = "prints"
        self.record(case, ending)

    def record(self, case: Case, ending: Ending) -> None:
        said = plain(ending.message, case.names)
        if said:
            self.figures.messages[said] += 1
        if (ending.where, said[:50]) not in self.seen:
            self.seen.add((ending.where, said[:50]))
            self.subject.learn(case)
        if ending.fault:
            kind = f"{re.sub(r'[0-9.]+', '0', ending.fault)} at {ending.where}"
            self.figures.faults[kind] += 1
            if self.figures.faults[kind] <= OF_A_KIND:
                self.figures.failures.append(self.told(case, ending))

    def told(self, case: Case, ending: Ending) -> str:
        told = case.told
        if case.content is not None:
            name = f"{self.subject.name}-{abs(hash(case.content)):x}{Path(told).suffix}"
            (self.keep / name).write_bytes(case.content)
            told = f"{told} ({self.keep / name})"
        cost = f"{ending.seconds:.2f} s, {ending.growth / MIB:.1f} MiB, input of {case.size} bytes"
        return f"{self.subject.name} {ending.fault}: {ending.message[:300]} [{ending.where}] {cost}: {told}"


def limited() -> None:
    """From here on, what is asked of the system has a limit."""
    room = memory("VmSize") + ROOM
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def child_main(finds: Mapping[str, Find], limits: Limits, folder: Path, pipe: Any) -> None:
    """Runs in a process of its own: the subjects in turn. Sends their figures every second and at the end."""
    with (folder / "printed").open("wb") as printed:
        os.dup2(printed.fileno(), 1)
        os.dup2(printed.fileno(), 2)
        faulthandler.enable()
        children = [
            Child(find(), folder / name, folder.parent / "kept", printed) for name, find in finds.items()
        ]
        for child in children:
            child.prepare()
        limited()
        rng, sent = np.random.default_rng(limits.seed), time.time()
        deadline = sent + limits.seconds
        for child in cycle(children):
            if child.figures.executions >= limits.executions or time.time() > deadline:
                break
            (folder / "at").write_text(child.subject.name)
            child.one(rng)
            if time.time() > sent + 1.0:
                pipe.send({child.subject.name: child.figures for child in children})
                sent = time.time()
        pipe.send({child.subject.name: child.figures for child in children})
