"""The limits of input: one table, which the core, the package and the documentation share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom import _arrays, _core
from elbowroom.files import mesh_limits, moveit_yaml, srdf, unpacking
from elbowroom.sampling._spec import dictionary

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "core" / "include" / "elbowroom" / "limits.hpp"
PAGE = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
LIMITS = {name: getattr(_core.limits, name) for name in dir(_core.limits) if not name.startswith("_")}


def test_all_limits_of_the_core_are_exported() -> None:
    assert set(re.findall(r"^    (?:double|long long) (\w+) =", TABLE.read_text(), re.MULTILINE)) == set(
        LIMITS
    )


def test_limits_cannot_be_set() -> None:
    with pytest.raises(AttributeError):
        _core.limits.largest_number = 1.0  # type: ignore[misc]


def test_documentation_states_the_limits() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d.e-]+) \|", PAGE, re.MULTILINE)
    assert {name: float(number) if "e" in number else int(number) for name, number in rows} == LIMITS


STATED = [
    ("may unpack to {} GiB", unpacking.DEFAULT_LIMIT / 2**30),
    ("disable more than {} pairs", srdf.MOST_PAIRS),
    ("place meshes more than {} times", mesh_limits.MOST_PLACED),
    ("nested more than {} deep", moveit_yaml.DEEPEST),
    ("TOML keys of more than {} dots", dictionary.MOST_DOTS),
]


@pytest.mark.parametrize(("text", "limit"), STATED)
def test_documentation_states_the_limits_of_files(text: str, limit: float) -> None:
    assert text.format(f"{limit:,g}" if limit < 1e6 else f"{limit:,}") in " ".join(PAGE.split())


def test_docstring_of_poses_states_the_limit() -> None:
    stated = re.search(r"farther off than (\S+) is refused", er.Pose.__doc__ or "")
    assert stated and float(stated[1]) == LIMITS["rotation_tolerance"]


#: What has a number of its own: a format of files, the cost of a search, and the range of single precision.
OTHERS = {
    "src/elbowroom/files/dcd.py",
    "core/include/elbowroom/bodies/chain.hpp",
    "core/src/chain_bounds.cpp",
}


def test_no_other_file_repeats_the_limits() -> None:
    number = re.compile(r"\b1e15\b|\b1e-35\b|2\*\*31 - 1|2\*\*63 - 1|2147483647|INT_MAX")
    found = (file for folder in ("src", "core", "bindings") for file in (ROOT / folder).rglob("*"))
    files = [file for file in found if file.suffix in (".py", ".hpp", ".cpp") and file != TABLE]
    repeating = {str(file.relative_to(ROOT)) for file in files if number.search(file.read_text("utf-8"))}
    assert len(files) > 300
    assert repeating == OTHERS


def accepts(ask: Any, *arguments: Any) -> bool:
    try:
        ask(*arguments)
    except ValueError as error:
        if "could not be read" in str(error):  # the package took it, the core did not
            raise
        return False
    return True


def ball_joint() -> er.Articulated:
    links = [er.Link(name, er.Sphere(1.0)) for name in "ab"]
    return er.Articulated(links, [er.Joint("ball", "spherical", "a", "b")])


@pytest.mark.parametrize("share", [-1.0001, -0.9999, 0.9999, 1.0001])
def test_package_and_core_take_the_same_quaternions(share: float) -> None:
    quaternion = np.array([1 + share * LIMITS["rotation_tolerance"], 0, 0, 0])
    taken = abs(share) < 1
    assert accepts(_arrays.rotation, quaternion, "rotation") == taken
    assert accepts(ball_joint().move, quaternion) == taken
    assert accepts(er.Chain(np.arange(12.0).reshape(4, 3), 0.1).turn, 1, quaternion) == taken


@pytest.mark.parametrize("share", [0.9999, 1.0001])
def test_package_and_core_take_the_same_poses(share: float) -> None:
    far, turned = np.eye(4), np.eye(4)
    far[0, 3] = share * LIMITS["largest_number"]
    turned[0, 1] = share * LIMITS["rotation_tolerance"]
    for matrix in (far, turned):
        for given in (matrix, matrix.tolist()):  # read in place by the core, and checked by the package
            assert accepts(lambda pose: er.collide(er.Sphere(1.0), er.Sphere(1.0), pose), given) == (
                share < 1
            )


def test_messages_state_the_limit() -> None:
    with pytest.raises(ValueError, match=f"larger than {LIMITS['largest_number']:g}".replace("+", r"\+")):
        er.Pose(translation=[2 * LIMITS["largest_number"], 0, 0])
    with pytest.raises(ValueError, match=f"at most {LIMITS['largest_int']}"):
        er.Chain(np.arange(12.0).reshape(4, 3), 0.1, exclude=LIMITS["largest_int"] + 1)
    with pytest.raises(ValueError, match=f"smaller than {LIMITS['smallest_size']:g}"):
        er.Sphere(LIMITS["smallest_size"] / 2)
