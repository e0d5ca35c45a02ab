"""The options of `elbowroom plan`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from .complaint import Complaint, check_file

PLANNERS = Group.create_ordered("Options of the planner")
RIGID = Group.create_ordered("Options of rigid bodies")
ROBOTS = Group.create_ordered("Options of robots")
FILES = Group.create_ordered("Files to write")
OWN = ("rrt-connect", "rrt", "prm")
DEMO_SHORTEN = 200


@Parameter(name="*", group=PLANNERS)
@dataclass(frozen=True)
class PlannerOptions:
    """How a path is looked for.

    Parameters
    ----------
    planner
        rrt-connect (two trees that meet), rrt (one tree), prm (a roadmap), or ompl:NAME, a geometric planner
        of OMPL.
    seed
        Seed of the random numbers: the same one finds the same path.
    seconds
        Give up after so long.
    step
        The longest motion that is tried, in the distance of the space; by default a tenth of its extent with
        rrt-connect, any with rrt and prm, and what OMPL chooses with its planners.
    clearance
        Keep so far away from everything; the links of a robot from each other as well, as far as they are
        compared.
    shorten
        So many attempts to cut corners of the path that was found; by default 0, and 200 with --demo.
    """

    planner: str = "rrt-connect"
    seed: int = 0
    seconds: float = 60.0
    step: float | None = None
    clearance: float = 0.0
    shorten: int | None = None

    def check(self) -> None:
        """Complain about what makes no sense."""
        if self.planner not in OWN and not self.planner.startswith("ompl:"):
            known = f"{', '.join(OWN)} and ompl:NAME"
            raise Complaint(f"--planner: no planner '{self.planner}'; known are {known}")
        if self.seed < 0:
            raise Complaint(f"--seed: must be at least 0, got {self.seed}")
        if not 0 < self.seconds < math.inf:
            raise Complaint(f"--seconds: must be above 0, got {self.seconds:g}")
        if self.step is not None and not 0 < self.step < math.inf:
            raise Complaint(f"--step: must be above 0, got {self.step:g}")
        if not 0 <= self.clearance < math.inf:
            raise Complaint(f"--clearance: must be a length, 0 or more, got {self.clearance:g}")
        if self.shorten is not None and self.shorten < 0:
            raise Complaint(f"--shorten: must be at least 0, got {self.shorten}")

    def attempts(self, demo: bool) -> int:
        """To cut corners, for the demonstration or for what the user brought."""
        return (DEMO_SHORTEN if demo else 0) if self.shorten is None else self.shorten


@Parameter(name="*", group=RIGID)
@dataclass(frozen=True)
class BoxOptions:
    """Where a rigid body may go.

    Parameters
    ----------
    low
        Least position, "x y z"; by default the body may go around all obstacles.
    high
        Greatest position, "x y z".
    """

    low: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None
    high: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None


@Parameter(name="*", group=ROBOTS)
@dataclass(frozen=True)
class ArmOptions:
    """What robots take.

    Parameters
    ----------
    request
        YAML file of a request of MoveIt, with start and goal; also in a tar archive, as
        archive.tar.bz2/folder/request.yaml.
    srdf
        SRDF file with the pairs of links that need not be compared.
    packages
        Folder with the packages that the meshes are in.
    allow
        Pairs of links that may touch, each as "link,link", besides those of --srdf.
    """

    request: Path | None = None
    srdf: Path | None = None
    packages: Path | None = None
    allow: Annotated[tuple[str, ...], Parameter(consume_multiple=True, negative=())] = ()


@Parameter(name="*", group=FILES)
@dataclass(frozen=True)
class PlanFiles:
    """What is written.

    Parameters
    ----------
    out
        CSV file for the path: poses or configurations, one a row, as `elbowroom check --path` takes them.
    html
        HTML file for an animation that any browser plays, without a network.
    json
        File for all figures, the path and its proof.
    """

    out: Path | None = None
    html: Path | None = None
    json: Path | None = None

    def check(self) -> None:
        """Complain about files that cannot be written, before time is spent on what goes into them."""
        for name in ("out", "html", "json"):
            check_file(f"--{name}", getattr(self, name))
        if self.out is not None and self.out.suffix.lower() != ".csv":
            raise Complaint(f"--out: '{self.out}' must end in .csv")

    def of_a_path(self) -> list[Path]:
        """Those that are written only if a path is found."""
        return [file for file in (self.out, self.html) if file is not None]


@dataclass(frozen=True)
class Asked:
    """The question itself: what moves among what, from where to where."""

    body: Path | None = None
    start: str | None = None
    goal: str | None = None
    obstacles: tuple[Path, ...] = ()
    scene: Path | None = None
    demo: bool = False
