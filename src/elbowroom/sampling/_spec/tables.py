"""The tables of a run's file, each a dataclass in which None is "not given"."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from elbowroom import _core, energies
from elbowroom.torsions import NAMES

from .._angles import is_angle
from .._walk.checks import OBSERVABLES
from ..moves import Move
from .base import Table, Where, named
from .checks import (
    a_flag,
    a_path,
    a_text,
    above_zero,
    names_of,
    not_negative,
    number_or_array,
    one_of,
    paths,
    temperatures,
    whole,
    whole_list,
)

FORMS = ("lennard-jones", "clashes", "table")

#: What only a protein has, and what only a chain of beads.
PROTEIN = ("chain", "model", "atoms", "scale", "breaks", "missing")
BEADS = ("spacing", "radius", "start")
#: The keys that each energy takes.
TAKES = {
    "lennard-jones": ("epsilon", "sigma", "cutoff", "shift", "kinds"),
    "clashes": (),
    "table": ("values", "cutoff", "kinds"),
}


@dataclass(frozen=True)
class ChainTable(Table):
    """A protein from a file, or a chain of beads."""

    pdb: Annotated[Path | None, a_path] = None
    chain: Annotated[str | None, a_text] = None
    model: Annotated[int | None, whole(0)] = None
    atoms: Annotated[str | None, one_of("all", "backbone", "ca")] = None
    scale: Annotated[float | None, above_zero] = None
    breaks: Annotated[str | None, one_of("error", "bridge")] = None
    missing: Annotated[str | None, one_of("error", "drop")] = None
    beads: Annotated[int | None, whole(2)] = None
    spacing: Annotated[float | None, above_zero] = None
    radius: Annotated[float | None, not_negative] = None
    start: Annotated[str | None, one_of("equilibrium", "rod")] = None

    def check(self, where: Where) -> None:
        """Exactly one of the two, with what belongs to it."""
        if (self.pdb is None) == (self.beads is None):
            raise where.error("", "give either pdb, a file, or beads, how many")
        foreign = BEADS if self.beads is None else PROTEIN
        kind = "a protein from a file" if self.beads is None else "a chain of beads"
        for name in foreign:
            if getattr(self, name) is not None:
                raise where.error(name, f"not supported for {kind}")
        if self.beads is not None and self.size[1] >= self.size[0]:
            spacing, radius = self.size
            raise where.error(
                "radius", f"must be below spacing, {spacing:g}, got {radius:g}: beads would overlap in a rod"
            )

    @property
    def size(self) -> tuple[float, float]:
        """Spacing and radius of beads."""
        return (1.0 if self.spacing is None else self.spacing), (0.5 if self.radius is None else self.radius)


@dataclass(frozen=True)
class MoveTable(Table):
    """One kind of move: how often, how far, where."""

    weight: Annotated[float | None, above_zero] = None
    size: Annotated[float | None, above_zero] = None
    size_degrees: Annotated[float | None, above_zero] = None
    joints: Annotated[tuple[int, ...] | None, whole_list] = None
    torsions: Annotated[tuple[int, ...] | None, whole_list] = None
    shortest: Annotated[int | None, whole(2)] = None
    longest: Annotated[int | None, whole(2)] = None

    def check(self, where: Where) -> None:
        """One size alone, and what a Move takes."""
        if self.size is not None and self.size_degrees is not None:
            raise where.error("size_degrees", "cannot be combined with size, which is in radians")
        try:
            self.move()
        except ValueError as error:
            raise named(error, tuple(self.given()), where) from error

    def move(self) -> Move:
        """What `sample` takes."""
        given = self.given()
        if self.size_degrees is not None:
            given["size"] = math.radians(given.pop("size_degrees"))
        return Move(**given)


@dataclass(frozen=True)
class EnergyTable(Table):
    """An energy over pairs of balls."""

    form: Annotated[str | None, one_of(*FORMS)] = None
    epsilon: Annotated[Any, number_or_array] = None
    sigma: Annotated[Any, number_or_array] = None
    cutoff: Annotated[float | None, above_zero] = None
    shift: Annotated[bool | None, a_flag] = None
    values: Annotated[Any, number_or_array] = None
    kinds: Annotated[tuple[int, ...] | None, whole_list] = None

    def check(self, where: Where) -> None:
        """What the form needs, no more and no less; and whether the energy itself takes it."""
        form = self.form or FORMS[0]
        for name in self.given():
            if name != "form" and name not in TAKES[form]:
                raise where.error(name, f"not supported for the form '{form}'")
        needed = {"lennard-jones": ("sigma",), "table": ("values", "cutoff")}.get(form, ())
        for name in needed:
            if getattr(self, name) is None:
                raise where.error(name, f"the form '{form}' needs it")
        try:
            self.energy()
        except ValueError as error:
            raise named(error, TAKES[form], where) from error

    def energy(self) -> energies.Energy:
        """What a chain takes; a Lennard-Jones energy without a cutoff ends at 2.5 times its largest sigma."""
        if self.form == "clashes":
            return energies.Clashes()
        if self.form == "table":
            assert self.cutoff is not None
            return energies.Table(self.values, self.cutoff)
        epsilon = 1.0 if self.epsilon is None else self.epsilon
        reach = max(0.0, 2.5 * _largest(self.sigma)) or 1.0  # nothing, or less, is for the energy to judge
        cutoff = reach if self.cutoff is None else self.cutoff
        return energies.LennardJones(epsilon, self.sigma, cutoff, shift=bool(self.shift))


@dataclass(frozen=True)
class RunTable(Table):
    """How long, how warm, and what is measured."""

    steps: Annotated[int | None, whole(1)] = None
    every: Annotated[int | None, whole(1)] = None
    seed: Annotated[int | None, whole(0, _core.limits.largest_count)] = None
    burn_in: Annotated[int | None, whole(0)] = None
    temperature: Annotated[float | tuple[float, ...] | None, temperatures] = None
    swap_every: Annotated[int | None, whole(1)] = None
    observables: Annotated[tuple[str, ...] | None, names_of(*OBSERVABLES, *NAMES, also=is_angle)] = None
    contact_reach: Annotated[float | None, not_negative] = None
    obstacles: Annotated[tuple[Path, ...] | None, paths] = None
    uncrossable: Annotated[bool | None, a_flag] = None

    def check(self, where: Where) -> None:
        """Steps there must be."""
        if self.steps is None:
            raise where.error("steps", "give the number of steps")
        if self.swap_every is not None and not isinstance(self.temperature, tuple):
            raise where.error("swap_every", "only a list of temperatures has swaps")


@dataclass(frozen=True)
class OutputTable(Table):
    """What is written, and where."""

    folder: Annotated[Path | None, a_path] = None
    frames: Annotated[int | None, whole(0)] = None
    checkpoint: Annotated[int | None, whole(1)] = None


def _largest(sigma: Any) -> float:
    return max(map(_largest, sigma)) if isinstance(sigma, tuple) else float(sigma)
