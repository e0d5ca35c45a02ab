"""What `elbowroom sample` is to do: a file or folder and options as one Spec, and errors by their names."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elbowroom.sampling.spec import Spec, SpecError, read_spec

from .check_protein import is_protein
from .complaint import Complaint
from .options import check_input
from .sample_options import ResultOptions, given, option_of
from .sample_texts import READERS

CERTIFICATES = ("campaign.tls_ca_file", "campaign.tls_cert", "campaign.tls_key")
#: What may be changed when a run is resumed.
RENEWED = ("run.steps", "campaign.cluster", "campaign.workers", *CERTIFICATES)


@dataclass(frozen=True)
class Asked:
    """A run that can be made: its Spec, its folder, whether to go on, and what the options say by keys."""

    spec: Spec
    folder: Path | None
    resume: bool
    options: Mapping[str, Any]

    def complaint(self, error: Exception) -> Complaint:
        """Of what the library says, which begins with the name of an argument: that of an option, mostly."""
        text = str(error)
        about = re.split(r"\W", text)[0]
        for dotted in (f"run.{about}", f"output.{about}", f"campaign.{about}", about):
            if dotted in self.options and (option := option_of(dotted)) is not None:
                return Complaint(f"{option}: {text.removeprefix(about).lstrip(' :')}")
        return Complaint(text)


def understand(file: Path | None, results: ResultOptions, groups: Sequence[Any]) -> Asked:
    """The run that files and options describe; options come before what a file says."""
    options = {key: _value(key, value) for key, value in given([*groups, results]).items()}
    folder = results.resume
    if folder is not None:
        return Asked(_resumed(file, folder, options), folder, True, options)
    spec = _described(file, options)
    _check_output(spec)
    return Asked(spec, results.out or spec.output.folder, False, options)


def _value(key: str, value: Any) -> Any:
    """As a run's file has it; paths on the command line are relative to where we are."""
    if key in READERS:
        return READERS[key](value)
    return os.path.abspath(value) if isinstance(value, Path) else value


def _described(file: Path | None, options: Mapping[str, Any]) -> Spec:
    if file is None and "chain.beads" not in options:
        raise Complaint("FILE: missing; give a protein (PDB or mmCIF), a TOML file of a run, or --beads")
    if file is not None:
        check_input("FILE", file)
    try:
        if file is not None and file.suffix.lower() == ".toml":
            return read_spec(file, _changes(options))
        return Spec.from_dict(_tables(_started(file) | dict(options)), source="")
    except SpecError as error:
        raise _named(error, options) from error


def _started(file: Path | None) -> dict[str, Any]:
    """The file as an option, if it is a protein."""
    if file is not None and not is_protein(file):
        raise Complaint(f"FILE: unknown file type '{file}'; expected a protein (PDB or mmCIF) or a TOML file")
    return {} if file is None else {"chain.pdb": os.path.abspath(file)}


def _tables(dotted: Mapping[str, Any]) -> dict[str, Any]:
    """{"run.steps": 5} as {"run": {"steps": 5}}."""
    found: dict[str, Any] = {"run": {}}
    for key, value in dotted.items():
        table, _, name = key.partition(".")
        if name:
            found.setdefault(table, {})[name] = value
        else:
            found[table] = value
    return found


def _resumed(file: Path | None, folder: Path, options: Mapping[str, Any]) -> Spec:
    """The run that lies in the folder."""
    if file is not None:
        raise Complaint(f"--resume: cannot be combined with '{file}'")
    for key in options:
        if key not in RENEWED:
            raise Complaint(f"{option_of(key)}: cannot be changed with --resume; remove it")
    if not folder.is_dir():
        raise Complaint(f"--resume: no such folder '{folder}'")
    if not (folder / "spec.json").is_file():
        raise Complaint(
            f"--resume: '{folder}' contains no run of this command (no spec.json); a run that was started in "
            "Python is continued with sample(..., resume=True)"
        )
    try:
        return read_spec(folder, _changes(options))
    except SpecError as error:
        raise _named(error, options) from error


def _changes(options: Mapping[str, Any]) -> dict[str, Any]:
    """What options change in a file; its certificates are not for a cluster that is given without TLS."""
    plain = not options.get("campaign.cluster", "tls://").startswith("tls://")
    return dict(options) | {key: None for key in CERTIFICATES if plain and key not in options}


def _check_output(spec: Spec) -> None:
    """Files need a folder."""
    if spec.output.folder is None and spec.campaign is not None:
        raise Complaint("--out: missing; a campaign needs a folder")
    for name in spec.output.given():
        if spec.output.folder is None:
            raise Complaint(f"--{name}: needs --out")


def _named(error: SpecError, options: Mapping[str, Any]) -> Complaint:
    """By the option if it was given, or if there is no file to blame."""
    if error.table.startswith("moves") and "moves" in options:
        about = " ".join(word for word in (error.table.partition(".")[2], error.key) if word)
        return Complaint(f"--moves: {about}: {error.reason}")
    key, _, where = error.key.partition(" ")
    option = option_of(f"{error.table}.{key}")
    if option is not None and (f"{error.table}.{key}" in options or not error.file):
        return Complaint(f"{option}: {where + ': ' if where else ''}{error.reason}")
    return Complaint(str(error))
