"""`elbowroom check` of robots: one configuration, a path, random ones, and a mesh in the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from robot_files import collision, joint, link, robot, write_obj

import elbowroom as er

Ask = Callable[..., tuple[int, str, str]]
BALL = collision('<sphere radius="1"/>')
LIMIT = '<axis xyz="1 0 0"/><limit lower="-8" upper="8" effort="1" velocity="1"/>'
SRDF = '<robot name="r"><disable_collisions link1="a" link2="b" reason="Never"/></robot>'


@pytest.fixture
def sliders(tmp_path: Path) -> Path:
    """Balls a, b, c of radius 1 on one rail, at 0, 10 and 20, that slide by up to 8."""
    places = {"a": 0, "b": 10, "c": 20}
    parts = [link("rail"), *(link(name, BALL) for name in places)]
    for name, x in places.items():
        parts.append(joint(f"to {name}", "prismatic", "rail", name, f'<origin xyz="{x} 0 0"/>', LIMIT))
    file = tmp_path / "sliders.urdf"
    file.write_text(robot(*parts))
    (tmp_path / "pairs.srdf").write_text(SRDF)
    return file


def facts_of(ask: Ask, file: Path, *arguments: object) -> tuple[int, dict[str, Any]]:
    out = file.parent / "facts.json"
    status, _, err = ask("check", file, *arguments, "--json", out)
    assert err == ""
    return status, json.loads(out.read_text())


def test_zero_is_free_and_the_nearest_are_told(ask: Ask, sliders: Path) -> None:
    status, out, err = ask("check", sliders, "--distance")
    assert (status, err) == (0, "")
    assert out == "free: sliders.urdf does not touch itself; nearest are a and b, 8 apart\n"


@pytest.mark.parametrize("text", ["to a=5,to b=-4", "5 -4 0", "5,-4,0"])
def test_links_that_overlap_in_a_configuration(ask: Ask, sliders: Path, text: str) -> None:
    status, facts = facts_of(ask, sliders, "--configuration", text)
    assert (status, facts["verdict"]) == (1, "collision")
    assert facts["configuration"] == [5, -4, 0]
    assert facts["overlaps"] == [{"links": ["a", "b"], "depth": pytest.approx(1.0, abs=1e-9)}]


def test_the_deepest_come_first(ask: Ask, sliders: Path) -> None:
    status, out, _ = ask("check", sliders, "--configuration", "7.5 -1 -10")
    assert status == 1
    head, first, second = out.splitlines()
    assert "2 pairs of links" in head and "beyond the limits of to c" in head
    assert first.split() == ["b", "and", "c", "by", "1"]
    assert second.split() == ["a", "and", "b", "by", "0.5"]


def test_an_srdf_says_what_is_not_compared(ask: Ask, sliders: Path) -> None:
    where = ("--configuration", "to a=5,to b=-4")
    assert ask("check", sliders, *where)[0] == 1
    assert ask("check", sliders, *where, "--srdf", sliders.parent / "pairs.srdf")[0] == 0


@pytest.mark.parametrize("suffix", [".npy", ".csv", ".txt"])
def test_the_rows_of_a_path(ask: Ask, sliders: Path, suffix: str) -> None:
    """The ball a slides through b, which is at 5."""
    path = np.zeros((41, 3))
    path[:, 0], path[:, 1] = np.linspace(-2, 8, 41), -5
    file = sliders.parent / f"path{suffix}"
    if suffix == ".npy":
        np.save(file, path)
    else:
        np.savetxt(file, path, delimiter="," if suffix == ".csv" else " ")
    status, facts = facts_of(ask, sliders, "--path", file)
    inside = np.flatnonzero(np.abs(path[:, 0] - 5) <= 2)
    (found,) = facts["overlaps"]
    assert status == 1
    assert (facts["rows"], facts["rows_colliding"]) == (41, len(inside))
    assert (found["first_row"], found["last_row"], found["deepest_row"]) == (inside[0], inside[-1], 28)
    assert (found["links"], found["depth"]) == (["a", "b"], pytest.approx(2.0, abs=1e-9))
    assert f"rows {inside[0]} to {inside[-1]}" in ask("check", sliders, "--path", file)[1]


def test_a_path_that_is_free(ask: Ask, sliders: Path) -> None:
    file = sliders.parent / "path.npy"
    np.save(file, np.column_stack([np.linspace(0, 7, 8), np.zeros((8, 2))]))
    status, out, _ = ask("check", sliders, "--path", file, "--distance")
    assert status == 0
    assert "does not touch itself in 8 rows; nearest are a and b, 1 apart in row 7" in out


def test_random_configurations_are_those_of_sample_pairs(ask: Ask, sliders: Path) -> None:
    status, facts = facts_of(ask, sliders, "--random", 3000, "--seed", 7)
    body = er.Articulated.from_urdf(sliders)
    expected = body.sample_pairs(3000, seed=7)
    body.move(body.random(3000, seed=7))
    assert status == 1
    assert facts["colliding"] == er.self_collide(body).hits.sum() > 0
    assert facts["share"] == facts["colliding"] / 3000
    for each in facts["overlaps"]:
        i, j = (body.link_number(name) for name in each["links"])
        assert each["samples"] == expected.counts[i, j] > 0
    counts = [each["samples"] for each in facts["overlaps"]]
    assert counts == sorted(counts, reverse=True) and len(counts) == (np.triu(expected.counts) > 0).sum()
    assert "a sample is no proof" in ask("check", sliders, "--random", 10)[1]


def test_a_mesh_in_the_way(ask: Ask, sliders: Path) -> None:
    """The tetrahedron's corner is at its origin, and it lies beyond."""
    mesh = write_obj(sliders.parent / "mesh.obj")
    status, out, _ = ask("check", sliders, mesh, "--pose-b", "1.5 0 0", "--distance")
    assert status == 0
    assert out == "free: sliders.urdf does not touch mesh.obj; nearest are a and mesh.obj, 0.5 apart\n"
    status, facts = facts_of(ask, sliders, mesh, "--pose-b", "1.5 0 0", "--configuration", "to a=0.6")
    assert status == 1
    assert [each["links"] for each in facts["overlaps"]] == [["a", "mesh.obj"]]
    status, facts = facts_of(ask, sliders, mesh, "--pose-b", "1.5 0 0", "--random", 500)
    robot_body, obstacle = er.Articulated.from_urdf(sliders), er.Mesh.load(mesh)
    robot_body.move(robot_body.random(500, seed=0))
    hits = er.collide(robot_body, obstacle, pose_b=er.Pose(translation=[1.5, 0, 0])).hits
    assert facts["colliding"] == hits.sum() > 0


@pytest.mark.parametrize("options", [[], ["mesh.obj"], ["--path", "path.npy"]])
def test_the_picture(ask: Ask, sliders: Path, options: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sliders.parent)
    write_obj(Path("mesh.obj"))
    np.save("path.npy", np.tile([8.0, -1.0, 0.0], (5, 1)))
    ask("check", sliders, *options, "--plot", "picture.png")
    assert Path("picture.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.urdf"], "A: no file 'nowhere.urdf'"),
        (["broken.urdf"], "broken.urdf"),
        (["meshless.urdf"], "lost.stl"),
        (["{robot}", "--configuration", "1 2"], "must have 3 numbers"),
        (["{robot}", "--configuration", "to a=1,to d=2"], "'to d'"),
        (["{robot}", "--configuration", "to a=1,2"], "'2' is not joint=value"),
        (["{robot}", "--configuration", "to a="], "--configuration: "),
        (["{robot}", "--configuration", "to a=x"], "--configuration: "),
        (["{robot}", "--configuration", "to a=nan"], "--configuration: "),
        (["{robot}", "--configuration", "0 0 0", "--random", "5"], "--random: leave it out"),
        (["{robot}", "--path", "nowhere.npy"], "--path: no file 'nowhere.npy'"),
        (["{robot}", "--path", "wide.csv"], "rows of 3 values"),
        (["{robot}", "--path", "ragged.csv"], "--path: "),
        (["{robot}", "--path", "words.csv"], "--path: "),
        (["{robot}", "--path", "nan.csv"], "row 1 of 'nan.csv'"),
        (["{robot}", "--path", "broken.urdf"], "--path: "),
        (["{robot}", "--random", "0"], "--random"),
        (["{robot}", "--seed", "3"], "--seed: "),
        (["{robot}", "--random", "9", "--distance"], "--distance: "),
        (["endless.urdf", "--random", "9"], "--random: "),
        (["{robot}", "--srdf", "nowhere.srdf"], "--srdf: no file 'nowhere.srdf'"),
        (["{robot}", "--srdf", "other.srdf"], "--srdf: "),
        (["{robot}", "--packages", "nowhere"], "--packages: no folder 'nowhere'"),
        (["{robot}", "nowhere.stl"], "B: no file 'nowhere.stl'"),
        (["{robot}", "{robot}"], "is no mesh file"),
        (["{robot}", "--pose-b", "1 2 3"], "--pose-b: "),
        (["{robot}", "--radii", "1"], "--radii: a robot does not take it"),
        (["{robot}", "--bridge", "5"], "--bridge: a robot does not take it"),
    ],
)
def test_a_wrong_argument_is_one_line(
    ask: Ask, sliders: Path, arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sliders.parent)
    rail = joint("to a", "prismatic", "rail", "a", '<axis xyz="1 0 0"/>')
    for name, text in {
        "broken.urdf": "<robot",
        "meshless.urdf": robot(link("a", collision('<mesh filename="lost.stl"/>'))),
        "endless.urdf": robot(link("rail"), link("a", BALL), rail),
        "other.srdf": SRDF.replace('"b"', '"tail"'),
        "wide.csv": "1,2,3,4\n1,2,3,4\n",
        "ragged.csv": "1,2,3\n1,2\n",
        "words.csv": "one,two,three\n",
        "nan.csv": "1,2,3\n1,nan,3\n",
    }.items():
        Path(name).write_text(text)
    status, out, err = ask("check", *(word.format(robot=sliders) for word in arguments))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and words in err
