"""The check of the core's includes: quiet on the repository, and loud about everything it forbids."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[2] / "tools" / "check_includes.py"


def check(*arguments: object) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(CHECK), *map(str, arguments)], capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stdout


def with_header(core: Path, name: str, *includes: str) -> Path:
    """A made-up core with one header that includes these, on its second line and below."""
    file = core / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(["#pragma once", *(f"#include {what}" for what in includes)]) + "\n")
    return file


def test_includes_of_the_repository_point_the_right_way() -> None:
    assert check() == (0, "")


WRONG = [
    ("math/vec3.hpp", '"elbowroom/volumes/obb.hpp"'),
    ("math/vec3.hpp", "<cmath>"),
    ("volumes/obb.hpp", '"elbowroom/narrow/gjk.hpp"'),
    ("volumes/obb.hpp", "<vector>"),
    ("narrow/gjk.hpp", '"elbowroom/traversal/pair.hpp"'),
    ("narrow/gjk.hpp", "<algorithm>"),
    ("traversal/pair.hpp", '"elbowroom/math/vec3.hpp"'),
    ("traversal/pair.hpp", '"elbowroom/portable.hpp"'),
    ("trees/build.hpp", '"elbowroom/traversal/pair.hpp"'),
    ("trees/build.hpp", '"elbowroom/narrow/gjk.hpp"'),
    ("pairings/across_two.hpp", '"elbowroom/queries/overlap.hpp"'),
    ("pairings/across_two.hpp", '"elbowroom/narrow/gjk.hpp"'),
    ("queries/overlap.hpp", '"elbowroom/trees/flat_tree.hpp"'),
    ("queries/overlap.hpp", "<elbowroom/bodies/rigid_body.hpp>"),
    ("bodies/chain.hpp", '"elbowroom/bodies/rigid_body.hpp"'),
    ("bodies/rigid_body.hpp", '"elbowroom/motion/rigid_motion.hpp"'),
    ("trees/build.hpp", '"flat_tree.hpp"'),
    ("portable.hpp", '"elbowroom/math/vec3.hpp"'),
]


@pytest.mark.parametrize(("name", "include"), WRONG)
def test_wrong_include_is_named_by_file_and_line(name: str, include: str, tmp_path: Path) -> None:
    file = with_header(tmp_path, name, include)
    status, said = check(tmp_path)
    assert status == 1
    assert said.startswith(f"{file}:2: ")
    assert said.count("\n") == 1


RIGHT = [
    ("math/vec3.hpp", '"elbowroom/portable.hpp"'),
    ("portable.hpp", "<cmath>"),
    ("narrow/gjk.hpp", '"elbowroom/volumes/obb.hpp"'),
    ("traversal/order.hpp", "<vector>"),
    ("pairings/across_two.hpp", '"elbowroom/trees/flat_tree.hpp"'),
    ("queries/distance.hpp", '"elbowroom/narrow/gjk.hpp"'),
    ("bodies/rigid_leaves.hpp", '"elbowroom/bodies/rigid_body.hpp"'),
    ("motion/rigid_motion.hpp", '"elbowroom/bodies/rigid_body.hpp"'),
]


def test_right_includes_are_passed_over(tmp_path: Path) -> None:
    for name, include in RIGHT:
        with_header(tmp_path, name, include)
    assert check(tmp_path) == (0, "")


def test_every_violation_is_listed(tmp_path: Path) -> None:
    includes = ('"elbowroom/portable.hpp"', "<cmath>", '"elbowroom/trees/build.hpp"')
    with_header(tmp_path, "math/vec3.hpp", *includes)
    with_header(tmp_path, "gadgets/new.hpp")
    status, said = check(tmp_path)
    assert status == 1
    assert [line.split(":")[1] for line in said.splitlines()] == ["1", "3", "4"]


def test_empty_folder_is_an_error_and_not_a_pass(tmp_path: Path) -> None:
    assert check(tmp_path)[0] == 2
