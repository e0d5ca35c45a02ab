"""`elbowroom check` of meshes: where they collide, several of them, a clearance, a picture, a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import trimesh

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def boxes(tmp_path: Path) -> dict[str, Path]:
    """Cubes of side 2 at 0, 1.5 and 5, and a small one in the first."""
    places = {"a": (2.0, 0.0), "b": (2.0, 1.5), "c": (2.0, 5.0), "small": (0.25, -0.5)}
    files = {}
    for name, (side, x) in places.items():
        files[name] = tmp_path / f"{name}.stl"
        trimesh.creation.box((side, side, side)).apply_translation([x, 0, 0]).export(files[name])
    return files


def test_where_two_meshes_collide(ask: Ask, boxes: dict[str, Path]) -> None:
    status, out, _ = ask("check", boxes["a"], boxes["b"])
    assert status == 1 and out.startswith("collision: triangle ") and out.count("\n") == 2
    x, y, z = (float(word) for word in out.partition("near (")[2].rstrip(")\n").split(", "))
    assert 0.5 <= x <= 1 and max(abs(y), abs(z)) == pytest.approx(1)


def test_a_mesh_inside_another_is_free_and_that_is_said(ask: Ask, boxes: dict[str, Path]) -> None:
    said = "free: the surfaces of {} and {} do not touch\n  small.stl lies inside a.stl\n"
    assert ask("check", boxes["a"], boxes["small"])[:2] == (0, said.format("a.stl", "small.stl"))
    assert ask("check", boxes["small"], boxes["a"])[:2] == (0, said.format("small.stl", "a.stl"))
    assert ask("check", boxes["a"], boxes["small"], "--pose-b", "9 0 0")[1].count("\n") == 1


def test_several_meshes(ask: Ask, boxes: dict[str, Path], tmp_path: Path) -> None:
    table = tmp_path / "found.json"
    status, out, err = ask("check", *boxes.values(), "--json", table)
    assert (status, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == "collision: 1 pair of 4 meshes"
    assert lines[1].startswith("  a.stl overlaps b.stl, >= 0.5 deep, near (0.75, 0, 0)")
    assert lines[2:] == ["  small.stl lies inside a.stl"]
    facts = json.loads(table.read_text())
    assert facts["verdict"] == "collision" and facts["counts"] == {"overlap": 1, "inside": 1}
    moved = ["--pose-b", "0 0 9"]
    assert ask("check", *boxes.values(), *moved)[1].startswith(
        "free: the surfaces of 4 meshes do not touch\n"
    )
    assert ask("check", *boxes.values(), *moved)[0] == 0
    assert "a.stl overlaps b.stl 3" in ask("check", boxes["a"], boxes["b"], boxes["b"], *moved)[1]


def test_a_clearance(ask: Ask, boxes: dict[str, Path]) -> None:
    status, out, _ = ask("check", boxes["a"], boxes["c"], "--clearance", "3.5")
    assert status == 1
    assert out.splitlines()[0] == "too near: 1 pair of 2 meshes closer than 3.5"
    assert "a.stl is near c.stl, 3 apart, near (2.5, " in out
    status, out, _ = ask("check", boxes["a"], boxes["c"], "--clearance", "2.5")
    assert (status, out) == (0, "free: the surfaces of 2 meshes do not touch or come closer than 2.5\n")


def test_a_picture_and_a_page(ask: Ask, boxes: dict[str, Path], tmp_path: Path) -> None:
    picture, page = tmp_path / "worst.png", tmp_path / "pairs.html"
    assert ask("check", boxes["a"], boxes["b"], boxes["c"], "--plot", picture, "--html", page)[0] == 1
    assert picture.read_bytes()[1:4] == b"PNG"
    assert "a.stl" in page.read_text() and "canvas" in page.read_text()
    assert ask("check", boxes["a"], boxes["c"], "--plot", picture)[0] == 0


def test_other_kinds_take_no_further_files_and_no_page(
    ask: Ask, boxes: dict[str, Path], tmp_path: Path
) -> None:
    robot = tmp_path / "arm.urdf"
    robot.write_text('<robot name="arm"><link name="a"/></robot>')
    assert "too many files for a robot" in ask("check", robot, boxes["a"], boxes["b"])[2]
    assert "--html: not supported for a robot" in ask("check", robot, "--html", tmp_path / "x.html")[2]
    assert "MORE: 'arm.urdf'" in ask("check", boxes["a"], boxes["b"], "arm.urdf")[2]
