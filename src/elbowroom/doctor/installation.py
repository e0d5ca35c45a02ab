"""Versions, the processor, and the packages that the extras of this one ask for."""

from __future__ import annotations

import importlib
import os
import platform
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from itertools import zip_longest

import elbowroom as er

PURPOSES = {
    "protein": "PDB and mmCIF files",
    "robots": "URDF and SRDF files, COLLADA meshes",
    "trajectory": "trajectories of molecular dynamics",
    "plan": "OMPL's planners, scenes and requests of MoveIt",
    "campaign": "files of runs, campaigns, clusters",
    "view": "the viewer in a browser",
    "docs": "for developers: the documentation",
    "test": "for developers: the tests",
    "lint": "for developers: style and types",
    "bench": "for developers: the libraries compared with",
}
REQUIREMENT = re.compile(r"^([\w.-]+)(?:\[[^]]*\])?\s*\(?([^;)]*)\)?\s*(?:;(.*))?$")
MARKED = re.compile(r"""extra\s*==\s*['"]([\w.-]+)['"]""")


@dataclass(frozen=True)
class Package:
    """One that is asked for, with the least version, and the version that is there."""

    name: str
    least: str
    found: str | None

    @property
    def fits(self) -> bool:
        """Whether it is there and new enough."""
        return self.found is not None and not _older(self.found, self.least)


@dataclass(frozen=True)
class Extra:
    """Packages that are asked for by a name, and what for."""

    name: str
    purpose: str
    packages: tuple[Package, ...]

    @property
    def complete(self) -> bool:
        """Whether all of it can be used."""
        return all(package.fits for package in self.packages)

    @property
    def install(self) -> str:
        """The line that brings what is missing."""
        return f"pip install 'elbowroom[{self.name}]'"


@dataclass(frozen=True)
class Installation:
    """The version, what runs it, what it needs, and what it can use."""

    version: str
    python: str
    system: str
    cores: int
    build: str
    has_avx2: bool
    needed: tuple[Package, ...]
    extras: tuple[Extra, ...]

    @property
    def missing(self) -> list[Package]:
        """What it cannot do without, and must."""
        return [package for package in self.needed if not package.fits]


def look_around() -> Installation:
    """What is installed here."""
    asked = sorted_by_extra(metadata.requires("elbowroom") or [])
    extras = [Extra(name, PURPOSES.get(name, ""), each) for name, each in asked.items() if name]
    return Installation(
        version=er.__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        cores=_cores(),
        build=str(er.isa),
        has_avx2=bool(importlib.import_module("elbowroom._core._cpu").has_avx2()),
        needed=asked.get("", ()),
        extras=tuple(sorted(extras, key=lambda extra: [*PURPOSES, extra.name].index(extra.name))),
    )


def sorted_by_extra(requirements: Iterable[str]) -> dict[str, tuple[Package, ...]]:
    """Requirements as metadata has them, by the extra that asks for them; "" is what is always needed."""
    found: dict[str, tuple[Package, ...]] = {}
    for text in requirements:
        matched = REQUIREMENT.match(text.strip())
        if matched is None:
            continue
        name, bounds, marker = matched.group(1), matched.group(2), matched.group(3) or ""
        extra = MARKED.search(marker)
        key = extra.group(1) if extra else ""
        found[key] = (*found.get(key, ()), Package(name, _least(bounds), _version(name)))
    return found


def _least(bounds: str) -> str:
    least = re.search(r">=\s*([\w.]+)", bounds)
    return least.group(1) if least else ""


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _older(found: str, least: str) -> bool:
    """By the numbers at the front; what comes after them, such as rc1, is not looked at."""
    pairs = zip_longest(_numbers(found), _numbers(least), fillvalue=0)
    return next((there < asked for there, asked in pairs if there != asked), False)


def _numbers(version: str) -> list[int]:
    front = re.match(r"\d+(?:\.\d+)*", version)
    return [int(part) for part in front.group().split(".")] if front else []


def _cores() -> int:
    """Those that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
