"""The options of `elbowroom sample`, and the keys of a run's file that they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from .complaint import Complaint, check_file
from .options import check_plot

BEADS = Group.create_ordered("Bead chain options")
PROTEINS = Group.create_ordered("Protein options")
WALK = Group.create_ordered("Sampling options")
RESULTS = Group.create_ordered("Output options")
CAMPAIGN = Group.create_ordered("Campaign options")

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
    """Options of chains of beads.

    Parameters
    ----------
    beads
        Number of beads.
    spacing
        Distance between neighbours; default 1.
    radius
        Radius of a bead; default 0.5. Neighbours may overlap.
    start
        Initial shape: equilibrium (default) or rod, a straight line.
    """

    beads: Count = None
    spacing: float | None = None
    radius: float | None = None
    start: Literal["equilibrium", "rod"] | None = None


@Parameter(name="*", group=PROTEINS)
@dataclass(frozen=True)
class ChainOptions:
    """Options of proteins.

    Parameters
    ----------
    chain
        Name of the chain. Required if there are several. Several, A,B, move in turn.
    atoms
        All heavy atoms (default); N, CA and C of the backbone; or CA only.
    scale
        Factor on the van der Waals radii; default 0.6.
    breaks
        Missing residues: error (default), or bridge to continue across the gap.
    missing
        Residues with incomplete backbone: error (default) or drop.
    """

    chain: str | None = None
    atoms: Literal["all", "backbone", "ca"] | None = None
    scale: float | None = None
    breaks: Literal["error", "bridge"] | None = None
    missing: Literal["error", "drop"] | None = None


@Parameter(name="*", group=WALK)
@dataclass(frozen=True)
class WalkOptions:
    """Options of sampling.

    Parameters
    ----------
    steps
        Number of attempted moves; with --resume, the total.
    moves
        Moves with weights and, after a colon, largest angles in radians: "pivot=1,torsion=2:0.1". Moves:
        torsion, pivot, crankshaft, rebridge, side, translation, rotation. Default: pivot for beads; torsion,
        rebridge and side for proteins; among obstacles also translation and rotation.
    energy
        clashes, or lennard-jones, which is the default if one of the next four options is given.
    epsilon
        Depth of the Lennard-Jones energy; default 1.
    sigma
        Distance at which the energy is zero.
    cutoff
        Cutoff distance; default 2.5 times sigma.
    shift
        Shift the energy so that it is zero at the cutoff.
    temperature
        Temperature in units of the energy. Several, "1,1.5,2", are sampled with replica exchange.
    swap_every
        Steps between exchange attempts.
    burn_in
        Steps before the first measurement, in which step sizes adapt.
    seed
        Seed of the random numbers; default 0. The same seed gives the same run.
    every
        Steps between measurements; default a thousandth of all steps.
    observables
        Comma-separated: end_to_end, radius_of_gyration, hydrodynamic_radius, contacts, energy; of a protein
        also phi, psi, omega, chi1 to chi5 in radians, or phi:A/31 for one residue.
    contact_reach
        Largest gap between surfaces that counts as a contact.
    obstacles
        Mesh files, in the coordinates of the chain, that the chain must not touch.
    uncrossable
        Refuse moves in which a bond would pass through another: knots stay as they are.
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
    obstacles: Annotated[tuple[Path, ...] | None, Parameter(consume_multiple=True, negative=())] = None
    uncrossable: Annotated[bool | None, flag] = None


@Parameter(name="*", group=RESULTS)
@dataclass(frozen=True)
class ResultOptions:
    """Output files.

    Parameters
    ----------
    out
        Folder for the trajectory (DCD and PDB), the measurements (Parquet) and checkpoints. Created if it
        does not exist.
    frames
        Steps between frames of the trajectory; default as --every. 0: no trajectory.
    checkpoint
        Steps between checkpoints; default a hundredth of all steps.
    json
        File for the averages, their errors and the settings.
    plot
        PNG file for a plot of the measurements.
    resume
        Folder of a stopped run or campaign to continue. A larger --steps extends it.
    """

    out: Path | None = None
    frames: Count = None
    checkpoint: Count = None
    json: Path | None = None
    plot: Path | None = None
    resume: Path | None = None

    def check(self) -> None:
        """Raise a Complaint for files that cannot be written, before sampling starts."""
        check_file("--json", self.json)
        check_plot(self.plot)
        if self.out is not None and self.out.exists() and not self.out.is_dir():
            raise Complaint(f"--out: '{self.out}' is a file, not a folder")


@Parameter(name="*", group=CAMPAIGN)
@dataclass(frozen=True)
class CampaignOptions:
    """Options of campaigns: many runs at once.

    Parameters
    ----------
    replicas
        Number of runs with different seeds.
    grid
        Parameter values; all combinations are run: "chain.beads=100,200,400" "run.temperature=1,2".
    cluster
        local (default), or the address of a dask scheduler: tls://host:port or tcp://host:port.
    workers
        Number of local processes; default one per core.
    tls_ca_file
        CA certificate of a cluster at a tls:// address (PEM).
    tls_cert
        Client certificate for that cluster (PEM).
    tls_key
        Private key of the client certificate (PEM, without a password).
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
