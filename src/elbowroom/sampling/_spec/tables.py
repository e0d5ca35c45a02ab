"""The tables of a run's file, each a dataclass in which None is "not given"."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from elbowroom import _core, energies
from elbowroom._arrays import shown
from elbowroom.torsions import NAMES

from .._angles import is_angle
from .._walk.checks import OBSERVABLES
from ..moves import Move
from .base import Table, Where, named
from .checks import (
    SpecError,
    a_flag,
    a_path,
    a_text,
    above_zero,
    above_zero_or_inf,
    names_of,
    not_negative,
    number_or_array,
    one_of,
    pairs,
    paths,
    temperatures,
    whole,
    whole_list,
)

FORMS = ("lennard-jones", "coulomb", "torsions", "clashes", "table", "sum")

#: What only a protein has, and what only a chain of beads.
PROTEIN = ("chain", "model", "atoms", "scale", "breaks", "missing")
BEADS = ("spacing", "radius", "start")
#: The keys that each energy takes.
TAKES = {
    "lennard-jones": ("epsilon", "sigma", "cutoff", "shift", "switch", "mixing", "exclude", "kinds"),
    "coulomb": (
        *("charges", "cutoff", "method", "dielectric", "distance_dependent", "solvent", "constant"),
        *("exclude", "kinds"),
    ),
    "torsions": ("balls", "k", "n", "phase"),
    "clashes": (),
    "table": ("values", "cutoff", "exclude", "kinds"),
    "sum": ("parts", "kinds"),
}
NEEDS = {
    "lennard-jones": ("sigma",),
    "coulomb": ("charges", "cutoff"),
    "torsions": ("balls", "k", "n"),
    "table": ("values", "cutoff"),
    "sum": ("parts",),
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
    exclude: Annotated[int | None, whole(1, _core.limits.largest_int)] = None
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


def energy_parts(value: Any, name: str) -> tuple[EnergyTable, ...]:
    """The tables of a sum, each of which is an energy without kinds of its own."""
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"{name} must be a list of tables, got {shown(value)}")
    found = []
    for k, each in enumerate(value):
        try:
            part = EnergyTable.read(each, Where("", "", Path(), {}))
        except SpecError as error:
            raise ValueError(f"{name}[{k}] {error.key}: {error.reason}") from error
        for key, wrong in (("form", part.form == "sum"), ("kinds", part.kinds is not None)):
            if wrong:
                raise ValueError(f"{name}[{k}] {key}: not supported in a part of a sum")
        found.append(part)
    return tuple(found)


@dataclass(frozen=True)
class EnergyTable(Table):
    """An energy of pairs of balls or of torsions, or a sum of several."""

    form: Annotated[str | None, one_of(*FORMS)] = None
    epsilon: Annotated[Any, number_or_array] = None
    sigma: Annotated[Any, number_or_array] = None
    cutoff: Annotated[float | None, above_zero_or_inf] = None
    shift: Annotated[bool | None, a_flag] = None
    switch: Annotated[float | None, above_zero] = None
    mixing: Annotated[str | None, a_text] = None
    values: Annotated[Any, number_or_array] = None
    charges: Annotated[Any, number_or_array] = None
    method: Annotated[str | None, a_text] = None
    dielectric: Annotated[float | None, above_zero] = None
    distance_dependent: Annotated[bool | None, a_flag] = None
    solvent: Annotated[float | None, above_zero] = None
    constant: Annotated[float | None, not_negative] = None
    balls: Annotated[Any, number_or_array] = None
    k: Annotated[Any, number_or_array] = None
    n: Annotated[Any, number_or_array] = None
    phase: Annotated[Any, number_or_array] = None
    exclude: Annotated[tuple[tuple[int, int], ...] | None, pairs] = None
    parts: Annotated[tuple[EnergyTable, ...] | None, energy_parts] = None
    kinds: Annotated[tuple[int, ...] | None, whole_list] = None

    def check(self, where: Where) -> None:
        """What the form needs, no more and no less; and whether the energy itself takes it."""
        form = self.form or FORMS[0]
        for name in self.given():
            if name != "form" and name not in TAKES[form]:
                raise where.error(name, f"not supported for the form '{form}'")
        for name in NEEDS.get(form, ()):
            if getattr(self, name) is None:
                raise where.error(name, f"the form '{form}' needs it")
        try:
            self.energy()
        except ValueError as error:
            raise named(error, TAKES[form], where) from error

    def energy(self) -> energies.Energy:
        """What a chain takes; a Lennard-Jones energy without a cutoff ends at 2.5 times its largest sigma."""
        form = self.form or FORMS[0]
        if form == "sum":
            return energies.Sum(*(part.energy() for part in self.parts or ()))
        given: dict[str, Any] = {name: getattr(self, name) for name in TAKES[form] if name != "kinds"}
        given = {name: value for name, value in given.items() if value is not None}
        if form == "torsions":
            given["balls"] = np.asarray(_whole(given["balls"], "balls"))
        if form == "lennard-jones":
            given.setdefault("epsilon", 1.0)
            # Nothing, or less, is for the energy to judge.
            given.setdefault("cutoff", max(0.0, 2.5 * _largest(self.sigma)) or 1.0)
        makers: dict[str, Callable[..., energies.Energy]] = {
            "lennard-jones": energies.LennardJones,
            "coulomb": energies.Coulomb,
            "torsions": energies.Torsions,
            "clashes": energies.Clashes,
            "table": energies.Table,
        }
        return makers[form](**given)


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


def _whole(value: Any, name: str) -> Any:
    """Numbers in lists, which are read as floats."""
    array = np.asarray(value)
    if (array != np.round(array)).any():
        raise ValueError(f"{name} must be whole numbers, got {shown(array)}")
    return array.astype(np.int64)


def _largest(sigma: Any) -> float:
    return max(map(_largest, sigma)) if isinstance(sigma, tuple) else float(sigma)
