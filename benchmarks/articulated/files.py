"""Robots of the package example-robot-data: where their files are."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

PACKAGE = "example-robot-data"
#: URDF and SRDF below the folder of robots; the hand comes without an SRDF.
FILES: dict[str, tuple[str, str | None]] = {
    "panda": ("panda_description/urdf/panda.urdf", "panda_description/srdf/panda.srdf"),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "ur_description/srdf/ur5.srdf"),
    "talos": ("talos_data/robots/talos_reduced.urdf", "talos_data/srdf/talos.srdf"),
    "allegro": ("allegro_hand_description/urdf/allegro_left_hand.urdf", None),
}
#: Robots of other benchmarks: 399,000 triangles.
LARGE = {"so101": ("so_arm_description/urdf/so101.urdf", None)}


@dataclass(frozen=True)
class Robot:
    """The files of a robot; `packages` is the folder in which package:// looks."""

    name: str
    urdf: Path
    srdf: Path | None
    packages: Path


def find(name: str) -> Robot:
    """A robot by its name; an ImportError if the package is missing."""
    urdf, srdf = (FILES | LARGE)[name]
    robots = _folder()
    return Robot(name, robots / urdf, None if srdf is None else robots / srdf, robots.parents[1])


def _folder() -> Path:
    """The folder of robots: it is not a module, so the list of the package's files has to tell."""
    try:
        listed = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError as missing:
        raise ImportError(f"{PACKAGE} is not installed") from missing
    wanted = next(iter(FILES.values()))[0]
    for file in listed:
        if str(file).endswith(f"robots/{wanted}"):
            return Path(str(file.locate())).resolve().parents[2]
    raise ImportError(f"{PACKAGE} holds no {wanted}")
