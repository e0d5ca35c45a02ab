"""A whole run as data, in a TOML file or a dictionary: what is sampled, how, how long, and where it goes.

>>> import elbowroom as er
>>> spec = er.sampling.Spec.from_dict({"chain": {"beads": 20}, "run": {"steps": 1000, "seed": 3}})
>>> len(spec.chain()), spec.run().steps
(20, 1000)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from elbowroom import _arrays
from elbowroom.chain import Chain
from elbowroom.mesh import Mesh

from ._spec.base import Where, named
from ._spec.campaign import CampaignTable
from ._spec.checks import SpecError
from ._spec.dictionary import plain, read_file, read_tables, with_changes
from ._spec.folder import KEPT_AS, kept_in
from ._spec.tables import ChainTable, EnergyTable, MoveTable, OutputTable, RunTable
from ._walk.checks import OBSERVABLES, check_observables

if TYPE_CHECKING:
    from elbowroom.energies import Energy

    from ._walk.state import State
    from .run import Run

__all__ = ["Spec", "SpecError", "read_spec"]


@dataclass(frozen=True)
class Spec:
    """A run as data. Make one by `read_spec` or `Spec.from_dict`, which check it.

    Attributes
    ----------
    body
        The table [chain]: `pdb` with chain (several, which then move in turn, as "A,B"), model, atoms ("all"
        unless given), scale, breaks and missing, as Chain.from_pdb takes them; or `beads` with spacing (1
        unless given), radius (0.5) and start: "equilibrium" or "rod". With `exclude`, balls at most so many
        bonds apart are never compared (of a protein 3 unless given, of beads 1).
    settings
        [run]: steps, every, seed, burn_in, temperature, swap_every, observables, contact_reach, as `sample`
        takes them, and uncrossable; and obstacles, a list of mesh files in the coordinates of the chain.
    moves
        [moves]: name = weight, or name = {weight, size or size_degrees, joints, torsions, shortest, longest}.
    potential
        [energy]: form, which is "lennard-jones" (epsilon, 1 unless given, sigma, cutoff, 2.5 sigma unless
        given, shift, switch, mixing), "coulomb" (charges, cutoff, method, dielectric, distance_dependent,
        solvent, constant), "torsions" (balls, k, n, phase), "clashes", "table" (values, cutoff), or "sum" of
        `parts`, a list of such tables; for sums over pairs exclude, pairs of balls that are left out; and
        kinds. A cutoff may be inf.
    output
        [output]: folder, frames, checkpoint.
    campaign
        [campaign]: replicas, grid, workers, cluster, and for a tls:// cluster the PEM files tls_ca_file,
        tls_cert and tls_key; see `campaign`.
    source
        Name of the file, for messages.

    Examples
    --------
    >>> import elbowroom as er
    >>> data = {"chain": {"beads": 50, "radius": 0.4}, "run": {"steps": 1e4}}
    >>> spec = er.sampling.Spec.from_dict(data)
    >>> spec.replaced({"run.steps": 2e4, "moves.pivot": 1}).to_dict()["run"]
    {'steps': 20000}
    """

    body: ChainTable
    settings: RunTable
    moves: Mapping[str, MoveTable] = field(default_factory=dict)
    potential: EnergyTable | None = None
    output: OutputTable = field(default_factory=OutputTable)
    campaign: CampaignTable | None = None
    source: str = field(default="spec", compare=False)

    @classmethod
    def from_dict(
        cls, data: Mapping[str, object], *, source: str = "spec", folder: str | os.PathLike[str] = "."
    ) -> Spec:
        """A run from a dictionary of tables; raises a SpecError that says which table and key are wrong.

        Parameters
        ----------
        data
            {"chain": {...}, "run": {...}, ...}.
        source
            Where it comes from, for messages.
        folder
            What paths in it are relative to.
        """
        if not isinstance(source, str):
            raise ValueError(f"source must be a text, got {_arrays.shown(source)}")
        tables = read_tables(data, source, Path(os.path.abspath(folder)))
        spec = cls(
            body=tables["chain"],
            settings=tables["run"],
            moves=tables["moves"],
            potential=tables.get("energy"),
            output=tables["output"],
            campaign=tables.get("campaign"),
            source=source,
        )
        spec._check()
        return spec

    def to_dict(self) -> dict[str, dict[str, object]]:
        """What was given, as lists, dictionaries and what else JSON can hold; paths are absolute."""
        tables: dict[str, Any] = {
            "chain": self.body.given(),
            "moves": {name: move.given() for name, move in self.moves.items()},
            "energy": None if self.potential is None else self.potential.given(),
            "run": self.settings.given(),
            "output": self.output.given(),
            "campaign": None if self.campaign is None else self.campaign.given(),
        }
        kept = {name: table for name, table in tables.items() if table or name in ("energy", "campaign")}
        return {name: plain(table) for name, table in kept.items() if table is not None}

    def replaced(self, changes: Mapping[str, object]) -> Spec:
        """The same run with other values: {"run.temperature": 2.0, "moves.pivot.size": None}.

        None takes a key away, and what then has no key left.
        """
        return Spec.from_dict(with_changes(self.to_dict(), changes), source=self.source)

    def without_campaign(self) -> Spec:
        """One run of it, as it stands."""
        return replace(self, campaign=None)

    def chain(self) -> Chain | list[Chain]:
        """The chain, rebuilt, or several; beads in equilibrium are drawn with the seed of the run."""
        table = self.body
        if table.pdb is not None:
            reading = table.given() | {"atoms": table.atoms or "all"}
            if table.exclude is not None:
                reading["exclude"] = ("bonds", table.exclude)
            path, names = reading.pop("pdb"), (reading.pop("chain", None) or "").split(",")
            chains = [Chain.from_pdb(path, chain=name.strip() or None, **reading) for name in names]
            return chains if len(chains) > 1 else chains[0]
        assert table.beads is not None
        spacing, radius = table.size
        exclude = 1 if table.exclude is None else table.exclude
        if table.start == "rod":
            return Chain(np.arange(table.beads)[:, None] * [spacing, 0.0, 0.0], radius, exclude=exclude)
        from .polymer import polymer

        chain = polymer(table.beads, spacing=spacing, radius=radius, seed=self.settings.seed or 0)
        return chain if exclude == 1 else Chain(chain.positions(), radius, exclude=exclude)

    def energy(self) -> Energy | None:
        """The energy, if there is one."""
        return None if self.potential is None else self.potential.energy()

    def arguments(self) -> dict[str, object]:
        """The arguments of `sample` but the chain and the folder; what was not given is left out."""
        out = self.settings.given()
        if self.moves:
            out["moves"] = {name: table.move() for name, table in self.moves.items()}
        if self.potential is not None:
            out["energy"] = self.energy()
            if self.potential.kinds is not None:
                out["kinds"] = self.potential.kinds
        if self.settings.obstacles:
            out["obstacles"] = [Mesh.load(path) for path in self.settings.obstacles]
        written = self.output.given()
        written.pop("folder", None)
        return out | written

    def run(
        self,
        out: str | os.PathLike[str] | None = None,
        *,
        resume: bool = False,
        progress: bool | None = None,
        threads: int | None = None,
        callback: Callable[[State], object] | None = None,
        callback_every: int | None = None,
    ) -> Run:
        """Make the chain and sample it; the campaign is not looked at.

        Parameters
        ----------
        out
            Folder of the results; [output] folder if left out. If there is neither, nothing is written.
        resume
            Go on with what lies in the folder, or start if nothing does.
        progress, threads, callback, callback_every
            As for `sample`.
        """
        from .sample import sample

        folder = self.output.folder if out is None else Path(out)
        arguments: dict[str, Any] = self.arguments() | {
            "resume": resume,
            "progress": progress,
            "threads": threads,
        }
        arguments |= {"callback": callback, "callback_every": callback_every}
        if folder is None:
            arguments.pop("frames", None)
            return sample(self.chain(), **arguments)
        with kept_in(folder, self, resume):
            return sample(self.chain(), out=folder, **arguments)

    def _check(self) -> None:
        """What tables say of each other."""
        warm = self.settings.temperature is not None
        if warm != (self.potential is not None):
            reason = "there is no energy that it could weigh" if warm else "give one, as there is an energy"
            raise SpecError(self.source, "run", "temperature", reason)
        if self.campaign is not None and "," in (self.body.chain or ""):
            reason = "a campaign is of one chain; make one run of several"
            raise SpecError(self.source, "chain", "chain", reason)
        self._check_observables()
        for dotted, values in ((self.campaign and self.campaign.grid) or {}).items():
            for value in values:
                self._check_point(dotted, value)

    def _check_observables(self) -> None:
        """Contacts have a reach, and an energy must be there to be observed."""
        chosen, reach = self.settings.observables or OBSERVABLES[:1], self.settings.contact_reach
        try:
            check_observables(chosen, reach, self.potential is not None)
        except ValueError as error:
            where = Where(self.source, "run", Path(), {})
            raise named(error, ("observables", "contact_reach"), where) from error

    def _check_point(self, dotted: str, value: Any) -> None:
        """A value of the grid must make a run."""
        try:
            self.without_campaign().replaced({dotted: value})
        except SpecError as error:
            raise SpecError(self.source, "campaign", f"grid '{dotted}'", error.reason) from error


def read_spec(path: str | os.PathLike[str], changes: Mapping[str, object] | None = None) -> Spec:
    r"""The run that a TOML file describes, or JSON; paths in it are relative to the file.

    Parameters
    ----------
    path
        The file, or the folder of a run that was made from a Spec.
    changes
        Other values than the file's, as for `Spec.replaced`; the file may lack what they give.

    Examples
    --------
    >>> import elbowroom as er
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "run.toml")
    ...     _ = file.write_text("[chain]\nbeads = 100\n[run]\nsteps = 1e4\n")
    ...     er.sampling.read_spec(file).settings.steps
    10000
    """
    file = Path(path) / KEPT_AS if Path(path).is_dir() else Path(path)
    data = with_changes(read_file(file), changes or {})
    return Spec.from_dict(data, source=str(file), folder=file.parent)
