"""The options of `elbowroom sample`, and the keys of a run's file that they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from .complaint import Complaint, check_file
from .options import check_plot

BEADS = Group.create_ordered("Options of chains of beads")
PROTEINS = Group.create_ordered("Options of proteins")
WALK = Group.create_ordered("How the chain is sampled")
RESULTS = Group.create_ordered("What is written")
CAMPAIGN = Group.create_ordered("Many runs")

#: The table of a run's file that the options of a class go into, and keys that are called otherwise.
RENAMED = {"energy": "energy.form", "moves": "moves", "out": "output.folder"}
TABLES = {
    "BeadOptions": "chain",
    "ChainOptions": "chain",
    "WalkOptions": "run",
    "ResultOptions": "output",
    "CampaignOptions": "campaign",
}
ENERGY = ("epsilon", "sigma", "cutoff", "shift")
#: Options that are no part of a run.
OUTSIDE = ("json", "plot", "resume")

flag = Parameter(negative=())


def _number(_: Any, tokens: Sequence[Any]) -> int | float:
    """A count, which may be written as 1e6; whether it is a whole number is seen where all counts are."""
    value = float(tokens[0].value)
    return int(value) if value.is_integer() else value


Count = Annotated[int | None, Parameter(converter=_number)]


@Parameter(name="*", group=BEADS)
@dataclass(frozen=True)
class BeadOptions:
    """What a chain of beads takes.

    Parameters
    ----------
    beads
        How many.
    spacing
        Distance of neighbours, by default 1.
    radius
        Radius of a bead, by default 0.5; neighbours may overlap.
    start
        Where it begins: equilibrium, by default, or rod, a straight line.
    """

    beads: Count = None
    spacing: float | None = None
    radius: float | None = None
    start: Literal["equilibrium", "rod"] | None = None


@Parameter(name="*", group=PROTEINS)
@dataclass(frozen=True)
class ChainOptions:
    """What a protein takes.

    Parameters
    ----------
    chain
        The name of the chain, if there are several.
    atoms
        All heavy atoms (by default), N, CA and C of the backbone, or CA alone.
    scale
        Share of the van der Waals radii, by default 0.7.
    breaks
        Where residues are missing: error, by default, or bridge, to go on across the gap.
    missing
        Residues without an atom of the backbone: error, by default, or drop.
    """

    chain: str | None = None
    atoms: Literal["all", "backbone", "ca"] | None = None
    scale: float | None = None
    breaks: Literal["error", "bridge"] | None = None
    missing: Literal["error", "drop"] | None = None


@Parameter(name="*", group=WALK)
@dataclass(frozen=True)
class WalkOptions:
    """How the chain is sampled.

    Parameters
    ----------
    steps
        How many moves are tried; with --resume, in all.
    moves
        Moves with their weights and, after a colon, their largest angles in radians:
        "pivot=1,torsion=2:0.1"; of torsion, pivot, crankshaft, rebridge and side. By default pivots for
        beads; torsions, rebridging and side chains for proteins.
    energy
        lennard-jones, by default if any of the next four is given, or clashes.
    epsilon
        Depth of the Lennard-Jones energy, by default 1.
    sigma
        Distance at which it is zero.
    cutoff
        Distance at which it ends, by default 2.5 times sigma.
    shift
        Lift the curve so that it is zero at the cutoff.
    temperature
        In units of the energy. Many, "1,1.5,2", are sampled in parallel and swap chains.
    swap_every
        Steps between two attempts to swap.
    burn_in
        Steps before the first, in which the sizes of the moves adapt.
    seed
        Seed of the random numbers, by default 0: the same one gives the same run.
    every
        Steps between two measurements, by default a thousandth of all.
    observables
        What is measured: end_to_end, radius_of_gyration, hydrodynamic_radius, contacts, energy, with commas.
    contact_reach
        Balls whose surfaces are so near are a contact.
    """

    steps: Count = None
    moves: str | None = None
    energy: Literal["lennard-jones", "clashes"] | None = None
    epsilon: float | None = None
    sigma: float | None = None
    cutoff: float | None = None
    shift: Annotated[bool | None, flag] = None
    temperature: str | None = None
    swap_every: Count = None
    burn_in: Count = None
    seed: int | None = None
    every: Count = None
    observables: str | None = None
    contact_reach: float | None = None


@Parameter(name="*", group=RESULTS)
@dataclass(frozen=True)
class ResultOptions:
    """What is written.

    Parameters
    ----------
    out
        Folder for the trajectory (DCD, with a PDB file), the measurements (Parquet) and checkpoints; made if
        it is missing.
    frames
        Steps between two frames of the trajectory, by default those of --every; 0 for no trajectory.
    checkpoint
        Steps between two checkpoints, by default a hundredth of all.
    json
        File for the averages with their errors, and all that was asked.
    plot
        PNG file for the measurements over the steps.
    resume
        Folder of a run, or of a campaign, that was stopped: go on with it. More --steps make it longer.
    """

    out: Path | None = None
    frames: Count = None
    checkpoint: Count = None
    json: Path | None = None
    plot: Path | None = None
    resume: Path | None = None

    def check(self) -> None:
        """Complain about files that cannot be written, before time is spent on what goes into them."""
        check_file("--json", self.json)
        check_plot(self.plot)
        if self.out is not None and self.out.exists() and not self.out.is_dir():
            raise Complaint(f"--out: '{self.out}' is a file; name a folder")


@Parameter(name="*", group=CAMPAIGN)
@dataclass(frozen=True)
class CampaignOptions:
    """Many runs at once.

    Parameters
    ----------
    replicas
        So many runs, which differ in their seeds.
    grid
        Values to go through, each with all others: "chain.beads=100,200,400" "run.temperature=1,2".
    cluster
        local, by default, or the address of a scheduler of dask: tls://host:port or tcp://host:port.
    workers
        Processes that are started, by default one a core.
    tls_ca_file
        Certificate of the authority of a cluster at a tls:// address, a PEM file.
    tls_cert
        Certificate to show to that cluster, a PEM file.
    tls_key
        Private key of that certificate, a PEM file without a password.
    """

    replicas: Count = None
    grid: Annotated[tuple[str, ...] | None, Parameter(consume_multiple=True, negative=())] = None
    cluster: str | None = None
    workers: Count = None
    tls_ca_file: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None


GROUPS = (BeadOptions, ChainOptions, WalkOptions, ResultOptions, CampaignOptions)


def given(options: Sequence[Any]) -> dict[str, Any]:
    """The options that were given, by the dotted keys of a run's file that they stand for."""
    found = {}
    for group in options:
        for name, dotted in _keys(type(group)).items():
            if getattr(group, name) is not None:
                found[dotted] = getattr(group, name)
    return found


def option_of(dotted: str) -> str | None:
    """The option that stands for a dotted key of a run's file, if one does."""
    names = {key: name for group in GROUPS for name, key in _keys(group).items()}
    found = names.get(dotted)
    return None if found is None else f"--{found.replace('_', '-')}"


def _keys(group: type) -> dict[str, str]:
    """The dotted keys of a group's options."""
    names = [field.name for field in fields(group) if field.name not in OUTSIDE]
    tables = {name: "energy" if name in ENERGY else TABLES[group.__name__] for name in names}
    return {name: RENAMED.get(name, f"{table}.{name}") for name, table in tables.items()}
