"""A slice of the fuzz of readers and constructors, and that the judge notices what is wrong."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import fuzz_children
import numpy as np
import pytest
from byte_mutations import mutated
from constructor_makers import MAKERS
from constructor_subjects import constructors
from fuzz_children import Case, Child, Ending, Figures, Find, Limits, judged
from fuzz_runs import Several, fuzzed
from reader_subjects import READERS, reader_named

import elbowroom as er
from elbowroom import baselines, energies, planning, sampling

pytestmark = pytest.mark.fuzz

#: Of all the readers together, and of the constructors.
SECONDS = 8.0


def told(figures: Several) -> str:
    return "\n".join(failure for each in figures.values() for failure in each.failures)


def test_a_slice_of_the_fuzz_of_readers(tmp_path: Path) -> None:
    finds: dict[str, Find] = {reader.name: partial(reader_named, reader.name) for reader in READERS}
    figures = fuzzed(finds, Limits(1, SECONDS, 200), tmp_path)
    assert sum(each.wrong for each in figures.values()) == 0, told(figures)
    assert all(each.executions > 0 for each in figures.values())
    assert sum(each.accepted for each in figures.values()) > 0
    assert sum(each.messages.total() for each in figures.values()) > 0


def test_a_slice_of_the_fuzz_of_constructors(tmp_path: Path) -> None:
    find = partial(constructors, "constructors", tuple(MAKERS))
    figures = fuzzed({"constructors": find}, Limits(1, SECONDS, 2000), tmp_path)
    assert figures["constructors"].wrong == 0, told(figures)
    assert figures["constructors"].accepted > 0 < figures["constructors"].messages.total()


#: Made by the library and not by its users: answers, records, parts that are found in others.
ANSWERS = {
    "Attempts", "Body", "Campaign", "CampaignError", "Cancelled", "Cast", "Certificate", "Certificates",
    "Collision", "CollisionMatrix", "Collisions", "Contacts", "Counters", "Distance", "Distances",
    "Energy", "Estimate", "ExponentFit", "LinkPairs", "Member", "MotionCounters", "NecklaceCertificate",
    "NecklaceCounters", "Pairs", "PathCertificate", "ProofError", "Roadmap", "RoadmapPath",
    "RoadmapWork", "Rotamer", "Run", "Space", "SpecError", "State", "Torsion", "Tree", "Verification",
}  # fmt: skip


@pytest.mark.parametrize("module", [er, baselines, energies, planning, sampling], ids=lambda m: m.__name__)
def test_every_public_constructor_is_fuzzed(module: object) -> None:
    public = {name for name in module.__all__ if isinstance(getattr(module, name), type)}  # type: ignore[attr-defined]
    assert public - ANSWERS <= set(MAKERS)


def test_sound_arguments_are_taken() -> None:
    for name, maker in MAKERS.items():
        for seed in range(3):
            arguments = maker.sound(np.random.default_rng(seed), 15)
            try:
                maker.use(maker.call(**arguments))
            except Exception as error:
                raise AssertionError(f"{name} refuses sound arguments: {error}") from error


# The judge is no yes-man.


def raising(error: Exception) -> Callable[[], None]:
    def run() -> None:
        raise error

    return run


def spinning() -> None:
    while True:
        pass


def warning() -> None:
    warnings.warn("overflow", RuntimeWarning, stacklevel=2)


WRONG = {
    "raises KeyError": raising(KeyError("file")),
    "raises MemoryError": raising(MemoryError("file")),
    "raises RuntimeWarning": warning,
    "names nothing": raising(ValueError("something is wrong")),
    "raises TypeError": raising(TypeError("f(): incompatible function arguments, among them file")),
    "talks too much": raising(ValueError("file" + 2000 * "!")),
    "hangs": spinning,
}


@pytest.mark.parametrize("fault", WRONG)
def test_what_is_wrong_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_children, "HANGS", 0.1)
    assert judged(Case(WRONG[fault], 1, ("file",), "")).fault == fault


@pytest.mark.parametrize("error", [ValueError("file: no"), FileNotFoundError("file"), TypeError("file")])
def test_what_is_right_is_let_pass(error: Exception) -> None:
    ending = judged(Case(raising(error), 1, ("file",), ""))
    assert ending.fault == "" and str(error) in ending.message
    well = judged(Case(lambda: None, 1, ("file",), ""))
    assert (well.fault, well.message, well.where) == ("", "", "")


class Odd:
    """A subject of which every case does one thing."""

    def __init__(self, name: str) -> None:
        self.name = name

    def prepare(self, folder: Path) -> None:
        """Nothing is slow."""

    def large(self) -> Case:
        return Case(lambda: None, 1000, ("file",), "large")

    def draw(self, rng: np.random.Generator) -> Case:
        return Case({"eats": eat, "prints": talk, "dies": os.abort}[self.name], 10, ("file",), "again")

    def learn(self, case: Case) -> None:
        """There is nothing to learn."""


def eat() -> None:
    np.ones(2**22).sum()


def talk() -> None:
    print("hello", file=sys.__stderr__, flush=True)


@pytest.mark.parametrize(("name", "fault"), [("eats", "takes"), ("prints", "prints"), ("dies", "died")])
def test_children_are_watched(name: str, fault: str, tmp_path: Path) -> None:
    began = time.time()
    figures = fuzzed({name: partial(Odd, name)}, Limits(0, 5.0, 3), tmp_path)[name]
    assert figures.wrong > 0 and all(fault in each for each in figures.faults)
    assert fault in figures.failures[0] and time.time() - began < 120


def test_a_failure_is_kept(tmp_path: Path) -> None:
    with (tmp_path / "printed").open("wb") as printed:
        child = Child(Odd("eats"), tmp_path / "own", tmp_path, printed)
        child.record(Case(eat, 3, ("file",), "7:input-a.pdb", b"abc"), Ending("names nothing", "what?"))
    assert [file.read_bytes() for file in tmp_path.glob("eats-*.pdb")] == [b"abc"]
    assert child.figures.wrong == 1 and "names nothing: what?" in child.figures.failures[0]


def test_figures_add_up() -> None:
    one, two = Figures(executions=2, slowest=(1.0, 5)), Figures(executions=3, slowest=(0.5, 9))
    one.add(two)
    assert one.executions == 5 and one.slowest == (1.0, 5) and one.wrong == 0


def test_the_same_seed_makes_the_same_file() -> None:
    made = [mutated(b"HIERARCHY\nROOT a 1 2 3\n", np.random.default_rng(seed)) for seed in (5, 5, 6)]
    assert made[0] == made[1] != made[2]
