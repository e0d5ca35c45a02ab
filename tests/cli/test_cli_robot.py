"""`elbowroom check` of robots: one configuration, a path, random ones, and a mesh in the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from robot_files import joint, link, robot, write_obj
from slider_robot import BALL, LIMIT, write_sliders

import elbowroom as er
from elbowroom.cli.complaint import Complaint
from elbowroom.cli.paths import read_path

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def sliders(tmp_path: Path) -> Path:
    return write_sliders(tmp_path)


def facts_of(ask: Ask, file: Path, *arguments: object) -> tuple[int, dict[str, Any]]:
    out = file.parent / "facts.json"
    out.unlink(missing_ok=True)
    status, _, err = ask("check", file, *arguments, "--json", out)
    assert err == ""
    return status, json.loads(out.read_text())


def test_zero_is_free_and_the_nearest_are_told(ask: Ask, sliders: Path) -> None:
    status, out, err = ask("check", sliders, "--distance")
    assert (status, err) == (0, "")
    assert out == "free: sliders.urdf does not touch itself\n  closest: a and b, 8 apart\n"


@pytest.mark.parametrize("text", ["to a=5,to b=-4", "5 -4 0", "5,-4,0"])
def test_links_that_overlap_in_a_configuration(ask: Ask, sliders: Path, text: str) -> None:
    status, facts = facts_of(ask, sliders, "--configuration", text)
    assert (status, facts["verdict"]) == (1, "collision")
    assert facts["configuration"] == [5, -4, 0]
    assert facts["overlaps"] == [{"links": ["a", "b"], "depth": pytest.approx(1.0, abs=1e-9)}]


def test_the_deepest_come_first(ask: Ask, sliders: Path) -> None:
    status, out, _ = ask("check", sliders, "--configuration", "7.5 -1 -10")
    assert status == 1
    verdict, head, first, second, note = out.splitlines()
    assert "2 pairs of links" in verdict and note == "  note: outside the joint limits: to c"
    assert head.split() == ["links", "depth"]
    assert first.split() == ["b,", "c", "1"]
    assert second.split() == ["a,", "b", "0.5"]


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
    assert f"\n  {inside[0]} to {inside[-1]}  a, b" in ask("check", sliders, "--path", file)[1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.csv", "to b,to a\n-4,5\n0,0\n"),
        ("p.csv", '\ufeff"to b", "to c", "to a",\n-4, 0, 5,\n0, 0, 0,\n'),
        ("p.txt", "# of the balls\nto c, to b, to a\n\n0, -4, 5\n0, 0, 0\n"),
    ],
)
def test_columns_of_a_path_go_by_their_names(ask: Ask, sliders: Path, name: str, text: str) -> None:
    """Joints without a column are at zero."""
    file = sliders.parent / name
    file.write_text(text, encoding="utf-8")
    status, facts = facts_of(ask, sliders, "--path", file)
    assert (status, facts["rows"], facts["rows_colliding"]) == (1, 2, 1)
    (found,) = facts["overlaps"]
    assert (found["links"], found["depth"]) == (["a", "b"], pytest.approx(1.0, abs=1e-9))
    assert "\n  0     a, b " in ask("check", sliders, "--path", file)[1]


def test_a_single_column_and_a_joint_of_several_values(tmp_path: Path) -> None:
    """Without commas a name may have spaces; a joint with four values has four columns of its name."""
    ends = [er.Link("hub", er.Sphere(1)), er.Link("arm", er.Sphere(1)), er.Link("tip", er.Sphere(1))]
    joints = [er.Joint("the turn", "revolute", "hub", "arm"), er.Joint("ball", "spherical", "arm", "tip")]
    body, file = er.Articulated(ends, joints), tmp_path / "p.csv"
    file.write_text("the turn\n0.5\n")
    assert read_path(body, file).tolist() == [[0.5, 1, 0, 0, 0]]
    file.write_text("ball,ball,the turn,ball,ball\n0,1,0.25,0,0\n")
    assert read_path(body, file).tolist() == [[0.25, 0, 1, 0, 0]]
    file.write_text("ball,ball,ball\n0,1,0\n")
    with pytest.raises(Complaint, match=r"joint 'ball' has 4 values, but .* has 3 columns"):
        read_path(body, file)


def test_a_path_of_one_row(ask: Ask, sliders: Path) -> None:
    file = sliders.parent / "path.txt"
    file.write_text("0 0 0\n")
    assert ask("check", sliders, "--path", file)[1].endswith("does not touch itself in 1 row\n")


def test_a_path_that_is_free(ask: Ask, sliders: Path) -> None:
    file = sliders.parent / "path.npy"
    np.save(file, np.column_stack([np.linspace(0, 7, 8), np.zeros((8, 2))]))
    status, out, _ = ask("check", sliders, "--path", file, "--distance")
    assert status == 0
    assert "does not touch itself in 8 rows\n  closest: a and b, 1 apart in row 7\n" in out


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
    assert "not a proof" in ask("check", sliders, "--random", 10)[1]


def test_pairs_that_never_collided_in_the_samples(ask: Ask, sliders: Path) -> None:
    _, facts = facts_of(ask, sliders, "--random", 200)
    expected = er.Articulated.from_urdf(sliders).sample_pairs(200, seed=0)
    names = [[expected.link_names[i], expected.link_names[j]] for i, j in expected.never.tolist()]
    assert (facts["never"], facts["compared"]) == (names, 3)
    assert ["a", "c"] in names  # their centres are at least 4 apart
    _, out, _ = ask("check", sliders, "--random", 200)
    assert out.splitlines()[-1] == f"  {len(names)} of 3 pairs of links compared never collided"


def test_the_deepest_of_the_samples_is_painted(
    ask: Ask, sliders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted = []
    monkeypatch.setattr("elbowroom.cli.plot.write_picture", lambda file, scene, line: painted.append(scene))
    _, facts = facts_of(ask, sliders, "--random", 5000, "--seed", 1, "--plot", sliders.parent / "p.png")
    body = er.Articulated.from_urdf(sliders)
    configurations = body.random(5000, seed=1)
    body.move(configurations)
    found = er.self_collide(body, every=True, depth=True)
    k = int(np.argmax(found.contacts.depths))
    sample = int(found.frames[k])
    assert sample > 2000  # beyond the first chunk of them
    assert facts["deepest"] == {
        "sample": sample,
        "links": [body.link_names[n] for n in found.pairs[k]],
        "depth": found.contacts.depths[k],
        "configuration": configurations[sample].tolist(),
    }
    assert facts["painted"] == {"sample": sample, "configuration": configurations[sample].tolist()}
    assert painted[0].bodies[0].configuration.tolist() == configurations[sample].tolist()


def test_without_a_collision_the_first_sample_is_painted(ask: Ask, sliders: Path) -> None:
    sliders.write_text(sliders.read_text().replace('"-8" upper="8"', '"-1" upper="1"'))
    status, out, _ = ask("check", sliders, "--random", 1, "--plot", sliders.parent / "p.png")
    head, share, never, painted = out.splitlines()
    assert status == 0 and head.endswith("in 1 random configuration") and "seed 0" in share
    assert never == "  3 of 3 pairs of links compared never collided"
    assert painted == "  plot: sample 0; no sample collides"


@pytest.mark.parametrize("more", [[], ["--random", "5"], ["--distance", "--plot", "p.png"]])
def test_a_robot_in_which_nothing_is_compared(
    ask: Ask, tmp_path: Path, more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "two.urdf"
    file.write_text(robot(link("a", BALL), link("b", BALL), joint("j", "prismatic", "a", "b", LIMIT)))
    told = "nothing is compared: two.urdf has 2 links with shapes, and all pairs are excluded\n"
    assert ask("check", file, *more) == (0, told, "")
    Path("p.png").unlink(missing_ok=True)
    file.write_text(robot(link("a", BALL), link("b"), joint("j", "prismatic", "a", "b", LIMIT)))
    assert ask("check", file, *more) == (0, "nothing is compared: two.urdf has 1 link with shapes\n", "")
    Path("p.png").unlink(missing_ok=True)
    status, facts = facts_of(ask, file, *more)
    assert (status, facts["verdict"]) == (0, "nothing is compared")


def test_an_srdf_that_disables_nothing_is_noted(ask: Ask, sliders: Path) -> None:
    file = sliders.parent / "none.srdf"
    file.write_text('<robot name="r"/>')
    status, out, err = ask("check", sliders, "--srdf", file)
    assert (status, out) == (0, "free: sliders.urdf does not touch itself\n")
    assert err.startswith("elbowroom: warning: ") and err.count("\n") == 1
    assert "none.srdf disables no pair of links" in err and ".py" not in err


def test_a_mesh_in_the_way(ask: Ask, sliders: Path) -> None:
    """The tetrahedron's corner is at its origin, and it lies beyond."""
    mesh = write_obj(sliders.parent / "mesh.obj")
    status, out, _ = ask("check", sliders, mesh, "--pose-b", "1.5 0 0", "--distance")
    assert status == 0
    assert out == (
        "free: sliders.urdf does not touch mesh.obj\n  closest: a and mesh.obj, 0.5 apart\n"
        "  note: the robot was not checked against itself\n"
    )
    status, facts = facts_of(ask, sliders, mesh, "--pose-b", "1.5 0 0", "--configuration", "to a=0.6")
    assert status == 1
    assert [each["links"] for each in facts["overlaps"]] == [["a", "mesh.obj"]]
    status, facts = facts_of(ask, sliders, mesh, "--pose-b", "1.5 0 0", "--random", 500)
    robot_body, obstacle = er.Articulated.from_urdf(sliders), er.Mesh.load(mesh)
    robot_body.move(robot_body.random(500, seed=0))
    hits = er.collide(robot_body, obstacle, pose_b=er.Pose(translation=[1.5, 0, 0])).hits
    assert facts["colliding"] == hits.sum() > 0
    assert (facts["compared"], facts["never"]) == (3, [["c", "mesh.obj"]])
    assert facts["deepest"]["links"][1] == "mesh.obj"
    out = ask("check", sliders, mesh, "--pose-b", "1.5 0 0", "--random", 500)[1]
    assert out.splitlines()[-1] == "  1 of 3 links compared never collided"


@pytest.mark.parametrize(
    "options", [[], ["mesh.obj"], ["--path", "path.npy"], ["--random", "20"], ["mesh.obj", "--random", "20"]]
)
def test_the_picture(ask: Ask, sliders: Path, options: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sliders.parent)
    write_obj(Path("mesh.obj"))
    np.save("path.npy", np.tile([8.0, -1.0, 0.0], (5, 1)))
    ask("check", sliders, *options, "--plot", "picture.png")
    assert Path("picture.png").read_bytes().startswith(b"\x89PNG")
