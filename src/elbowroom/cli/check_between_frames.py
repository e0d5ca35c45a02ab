"""`elbowroom check --between-frames` of a trajectory: what meets from each frame to the next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from elbowroom import _core
from elbowroom._looks import necklace_of
from elbowroom.bead_motion import ALL, BONDS, NARROW, Contact, contacts_of
from elbowroom.files.trajectory import Trajectory

from .check_trajectory import compared_pairs, read, reading, where
from .complaint import Complaint, check_file, write_json
from .options import TrajectoryOptions, Wanted
from .overlaps import listing, plural
from .patience import Say, patient_display


@dataclass(frozen=True)
class Step:
    """What meets between two frames, by their numbers in the file."""

    first: int
    last: int
    contacts: list[Contact]


def check_between_frames(file: Path, options: TrajectoryOptions, wanted: Wanted, scale: float | None) -> int:
    """Print what meets between frames; 0 when nothing does, 1 when anything does or is not decided."""
    for name in ("distance", "plot"):
        if getattr(wanted, name):
            raise Complaint(f"--{name}: not supported with --between-frames; remove it")
    check_file("--json", wanted.json)
    with patient_display() as say:
        say(f"reading {file.name}", 0, 0)
        trajectory = read(reading(file, options, scale))
        if trajectory.n_frames < 2:
            raise Complaint(f"A: {file}: has one frame only; --between-frames needs two")
        compared = compared_pairs(necklace_of(trajectory)), len(trajectory.bonded)
        steps = list(_steps(trajectory, say)) if compared[0] or compared[1] > 1 else []
    report = _Report(file.name, trajectory, steps, *compared)
    print("\n".join(report.lines()))
    write_json(wanted.json, report.facts(file, options))
    return int(any(step.contacts for step in steps))


def _steps(trajectory: Trajectory, say: Say) -> Iterator[Step]:
    """From each frame to the next; only two are kept in memory."""
    done = 0
    try:
        gap, named = necklace_of(trajectory)._rule
        core = _core.BeadMotion(trajectory.radii, gap, named, trajectory.bonded, 0.0, 0.0)
        before: tuple[Any, Any] | None = None
        for number, (positions, edges) in zip(trajectory.frames, trajectory.with_boxes(), strict=True):
            flat = np.zeros((len(positions), 3 - positions.shape[1]))
            here = np.ascontiguousarray(np.hstack([positions, flat])), edges
            if before is not None:
                boxes = None if edges is None else np.stack([before[1], edges])
                answer = core.step(before[0], here[0], boxes, ALL, NARROW, None)
                yield Step(trajectory.frames[done - 1], number, contacts_of(answer))
            before, done = here, done + 1
            say("frames", done, trajectory.n_frames)
    except ValueError as error:
        raise Complaint(f"A: {_told(error, trajectory, done)}") from error


def _told(error: ValueError, trajectory: Trajectory, done: int) -> str:
    """Beads and bonds by the names of atoms."""
    labels = trajectory.labels

    def bond(found: re.Match[str]) -> str:
        i, j = trajectory.bonded[int(found[1])].tolist()
        return f"the bond from {labels[i]} to {labels[j]}"

    text = re.sub(r"^bead (\d+)", lambda found: labels[int(found[1])], str(error))
    return where(ValueError(re.sub(r"^bonds\[(\d+)\]", bond, text)), trajectory, done)


@dataclass(frozen=True)
class _Report:
    name: str
    trajectory: Trajectory
    steps: list[Step]
    pairs: int
    bonds: int

    def lines(self) -> list[str]:
        """The verdict, what meets, and what was compared."""
        lines = [self._verdict()]
        rows = [self._row(step, each) for step in self.steps for each in step.contacts]
        lines += listing(rows, head=("between frames", "what", "which", "at frame"))
        if self.steps:
            lines.append(f"compared: {self._beads()}, {plural(self.bonds, 'bond')} ({self.trajectory.bonds})")
        notes = self.trajectory.notes
        return [*lines, *(fill(f"note: {note}", 80, subsequent_indent="  ") for note in notes)]

    def facts(self, file: Path, options: TrajectoryOptions) -> dict[str, Any]:
        """All that was found, step by step."""
        trajectory, frames = self.trajectory, self.trajectory.frames
        return {
            "verdict": self._verdict().partition(":")[0],
            "file": str(file),
            "topology": None if options.topology is None else str(options.topology),
            "select": options.select,
            "beads": len(trajectory.radii),
            "bonds": self.bonds,
            "pairs_compared": self.pairs,
            "exclude": trajectory.exclude,
            "periodic": trajectory.periodic,
            "notes": list(trajectory.notes),
            "frames": {"first": frames[0], "last": frames[-1], "step": frames.step},
            "between_frames": [
                {
                    "frames": [step.first, step.last],
                    "what": self._what(each),
                    "names": self._names(each),
                    "numbers": self._numbers(each),
                    "free_before": self._time(step, each.before),
                    "at": self._time(step, each.at),
                    "points": each.points.tolist(),
                    "decided": each.decided,
                }
                for step in self.steps
                for each in step.contacts
            ],
        }

    def _verdict(self) -> str:
        kind, frames = self._kind(), plural(len(self.trajectory.frames), "frame")
        if not self.steps:
            return f"nothing is compared: all pairs of {self._beads()} of {self.name} are excluded"
        found = [each for step in self.steps for each in step.contacts]
        if not found:
            crossing = ", and no two bonds cross" if self.bonds > 1 else ""
            return f"free: no two {kind}s of {self.name} overlap between the {frames}{crossing}"
        hit = [step for step in self.steps if step.contacts]
        crossed = sum(self._is_bond(each) for each in found if each.decided)
        met = sum(not self._is_bond(each) for each in found if each.decided)
        open_ = len(found) - crossed - met
        parts = [f"{met} overlap{'' if met == 1 else 's'} of {kind}s", f"{crossed} of bonds that cross"]
        parts += [f"{open_} undecided"] if open_ else []
        verdict = "collision" if crossed or met else "undecided"
        steps = f"{len(hit)} of {plural(len(self.steps), 'step')} between the {frames}"
        return f"{verdict}: {self.name}: {', '.join(parts)}, in {steps}"

    def _row(self, step: Step, each: Contact) -> tuple[str, ...]:
        what = self._what(each) if each.decided else f"{self._what(each)}, undecided"
        which = ", ".join("-".join(names) for names in self._names(each))
        return f"{step.first} and {step.last}", what, which, f"{self._time(step, each.at):.6g}"

    def _is_bond(self, each: Contact) -> bool:
        return each.parts[0] == BONDS

    def _what(self, each: Contact) -> str:
        return "bonds" if self._is_bond(each) else f"{self._kind()}s"

    def _numbers(self, each: Contact) -> list[list[int]]:
        if self._is_bond(each):
            return [self.trajectory.bonded[k].tolist() for k in each.pair]
        return [[k] for k in each.pair]

    def _names(self, each: Contact) -> list[list[str]]:
        return [[self.trajectory.labels[k] for k in part] for part in self._numbers(each)]

    def _time(self, step: Step, share: float) -> float:
        return step.first + share * (step.last - step.first)

    def _kind(self) -> str:
        return "bead" if isinstance(self.trajectory.excluded, int) else "atom"

    def _beads(self) -> str:
        return plural(len(self.trajectory.radii), self._kind())
