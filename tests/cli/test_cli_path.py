"""`elbowroom check` of whole motions and paths: meshes along poses, robots between their configurations."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scene_files import TETRAHEDRON
from slider_robot import write_sliders

Ask = Callable[..., tuple[int, str, str]]

#: A square across x at 3, ten wide.
PLATE = "v 3 -5 -5\nv 3 5 -5\nv 3 5 5\nv 3 -5 5\nf 1 2 3\nf 1 3 4\n"
SCENE = """world:
  collision_objects:
    - id: wall
      primitives: [{type: box, dimensions: [1, 9, 9]}]
      primitive_poses: [{position: [4.5, 0, 0]}]
"""
HEAD = "x,y,z,qw,qx,qy,qz\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"piece.obj": TETRAHEDRON, "plate.obj": PLATE, "scene.yaml": SCENE}.items():
        (tmp_path / name).write_text(text)
    write_sliders(tmp_path)
    return tmp_path


def facts_of(ask: Ask, *arguments: object) -> tuple[int, dict[str, Any]]:
    Path("facts.json").unlink(missing_ok=True)
    status, _, err = ask("check", *arguments, "--json", "facts.json")
    assert err == ""
    return status, json.loads(Path("facts.json").read_text())


def test_a_motion_that_is_free_is_proved(ask: Ask, here: Path) -> None:
    status, out, err = ask("check", "piece.obj", "plate.obj", "--motion", "0 0 0", "1.5 0 0", "--verify")
    assert (status, err) == (0, "")
    assert out.startswith("free: piece.obj touches nothing in 1 motion\n  proved: ")
    assert out.endswith("\n  certificate verified\n")
    status, facts = facts_of(ask, "piece.obj", "plate.obj", "--motion", "0 0 0", "1.5 0 0")
    spans = np.array(facts["certificates"][0]["intervals"])
    assert (status, facts["verdict"], facts["verified"]) == (0, "free", False)
    assert spans[0, 0] == 0 and spans[-1, 1] == 1 and (spans[1:, 0] <= spans[:-1, 1]).all()


def test_a_motion_through_a_thin_plate(ask: Ask, here: Path) -> None:
    """Both ends are free, and the tip reaches the plate after two of the six lengths."""
    motion = ("piece.obj", "plate.obj", "--motion", "0 0 0", "6 0 0")
    status, facts = facts_of(ask, *motion, "--tolerance", "1e-4")
    before, at = facts["first_contact"]["rows"]
    assert (status, facts["verdict"]) == (1, "collision")
    assert before <= 2 / 6 <= at <= before + 1e-4
    assert facts["first_contact"]["parts"][1].endswith("of plate.obj")
    assert np.array(facts["first_contact"]["points"])[:, 0] == pytest.approx([3, 3], abs=1e-3)
    out = ask("check", *motion)[1]
    assert out.startswith("collision: triangle ") and "\n  at time 0.3333" in out and "\n  points: (3 " in out


def test_obstacles_stand_where_they_are_told(ask: Ask, here: Path) -> None:
    """B moves with --pose-b; those of --obstacles and of a scene stand as in their files."""
    motion = ("--motion", "0 0 0", "6 0 0")
    assert ask("check", "piece.obj", "plate.obj", "--pose-b", "20 0 0", *motion)[0] == 0
    answer = facts_of(
        ask, "piece.obj", "plate.obj", "--pose-b", "20 0 0", "--obstacles", "plate.obj", *motion
    )
    assert answer[0] == 1 and answer[1]["first_contact"]["rows"][1] == pytest.approx(2 / 6, abs=1e-5)
    status, facts = facts_of(ask, "piece.obj", "--scene", "scene.yaml", *motion)
    assert (status, facts["first_contact"]["parts"][1]) == (1, "wall")
    assert facts["first_contact"]["rows"][1] == pytest.approx(3 / 6, abs=1e-5)


def test_clearance_counts_as_contact(ask: Ask, here: Path) -> None:
    status, facts = facts_of(
        ask, "piece.obj", "plate.obj", "--motion", "0 0 0", "1.5 0 0", "--clearance", "1"
    )
    assert (status, facts["verdict"]) == (1, "too near")
    assert facts["first_contact"]["rows"][1] == pytest.approx(1 / 1.5, abs=1e-5)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_path_of_poses_says_in_which_motion(ask: Ask, here: Path, first: int) -> None:
    """The path goes aside, then through the plate in the motion of this number, then on."""
    xs = [-1.0] * (first + 1) + [5.0, 6.0]
    rows = [f"{x},{0.1 * k},0,1,0,0,0" for k, x in enumerate(xs)]
    Path("poses.csv").write_text(HEAD + "\n".join(rows) + "\n")
    status, facts = facts_of(ask, "piece.obj", "plate.obj", "--path", "poses.csv", "--verify")
    assert (status, facts["rows"], facts["verified"]) == (1, first + 3, True)
    assert facts["first_contact"]["rows"][1] == pytest.approx(first + 0.5, abs=1e-5)
    assert f" at row {first}.5" in ask("check", "piece.obj", "plate.obj", "--path", "poses.csv")[1]


def test_a_path_turns_about_one_axis(ask: Ask, here: Path) -> None:
    """A quarter turn about z beside the plate: free with the tip away from it, and not towards it."""
    quarter = HEAD + "2.5,0,0,0.70710678118654757,0,0,0.70710678118654757\n"
    Path("poses.csv").write_text(quarter + "2.5,0,0,0,0,0,1\n")
    assert ask("check", "piece.obj", "plate.obj", "--path", "poses.csv", "--verify")[0] == 0
    Path("poses.csv").write_text(quarter + "2.5,0,0,1,0,0,0\n")
    status, facts = facts_of(ask, "piece.obj", "plate.obj", "--path", "poses.csv", "--verify")
    assert status == 1
    assert facts["first_contact"]["rows"][1] == pytest.approx(1 / 3, abs=1e-5)  # the tip: cos 60 degrees


def write_rows(rows: list[list[float]]) -> None:
    np.savetxt("path.csv", rows, delimiter=",")


def test_rows_are_free_and_what_is_between_them_is_not(ask: Ask, here: Path) -> None:
    """The ball a passes through b, which is at 5, from -2 to 8: they touch when a is at 3."""
    write_rows([[-2, -5, 0], [8, -5, 0]])
    status, out, _ = ask("check", "sliders.urdf", "--path", "path.csv", "--verify")
    head, rows, contact, when, _, checked = out.splitlines()
    assert status == 1
    assert head == "collision: sliders.urdf collides with itself between rows"
    assert (rows, contact) == ("  no contact in 2 rows", "first contact: a touches b")
    assert when.startswith("  at row 0.5") and checked == "  certificate verified"
    status, facts = facts_of(ask, "sliders.urdf", "--path", "path.csv")
    assert (facts["rows_colliding"], facts["between"]["first_contact"]["parts"]) == (0, ["a", "b"])
    assert facts["between"]["first_contact"]["rows"][1] == pytest.approx(0.5, abs=1e-5)
    assert ask("check", "sliders.urdf", "--path", "path.csv", "--rows")[:2] == (
        0,
        "free: sliders.urdf does not touch itself in 2 rows\n",
    )


def test_a_path_that_is_free_between_its_rows(ask: Ask, here: Path) -> None:
    write_rows([[0, 0, 0], [7, 0, 0], [7, 3, -1]])
    status, out, _ = ask("check", "sliders.urdf", "--path", "path.csv", "--verify")
    assert status == 0
    head, between, checked = out.splitlines()
    assert head == "free: sliders.urdf does not touch itself in 3 rows"
    assert between.startswith("  between rows: proved free, ") and checked == "  certificate verified"


def test_a_motion_of_a_robot(ask: Ask, here: Path) -> None:
    status, facts = facts_of(ask, "sliders.urdf", "--motion", "to a=-2,to b=-5", "8 -5 0")
    assert status == 1 and facts["between"]["first_contact"]["rows"][1] == pytest.approx(0.5, abs=1e-5)


def test_a_robot_in_a_scene(ask: Ask, here: Path) -> None:
    """The ball a runs into the wall at 4 when it has come to 3; b, in the wall at 4.5, is not looked at."""
    write_rows([[0, 0, 0], [1, 0, 0], [6, 0, 0]])
    status, out, _ = ask("check", "sliders.urdf", "--scene", "scene.yaml", "--path", "path.csv", "--verify")
    assert status == 1
    assert "first contact: a touches wall\n  at row 1.4" in out
    assert "does not touch itself or the obstacles in 2 rows" in _free_rows(ask)
    status, out, _ = ask("check", "sliders.urdf", "--scene", "scene.yaml", "--configuration", "to a=4")
    assert status == 1 and "a, wall" in out
    assert ask("check", "sliders.urdf", "--obstacles", "plate.obj")[0] == 0
    status, out, _ = ask("check", "sliders.urdf", "--obstacles", "plate.obj", "--motion", "0 0 0", "8 0 0")
    assert status == 1 and "a touches triangle 0 of plate.obj\n  at time 0.25" in out


def _free_rows(ask: Ask) -> str:
    write_rows([[0, 0, 0], [2.5, 0, 0]])
    return ask("check", "sliders.urdf", "--scene", "scene.yaml", "--path", "path.csv")[1]


def test_a_mesh_in_the_way_of_a_robot(ask: Ask, here: Path) -> None:
    """With a mesh B the robot is not compared with itself: a goes through b, and through the plate before."""
    write_rows([[-2, -5, 0], [8, -5, 0]])
    status, facts = facts_of(ask, "sliders.urdf", "plate.obj", "--path", "path.csv")
    assert (status, facts["between"]["first_contact"]["parts"][0]) == (1, "a")
    assert facts["between"]["first_contact"]["rows"][1] == pytest.approx(0.4, abs=1e-5)
    assert ask("check", "sliders.urdf", "plate.obj", "--pose-b", "90 0 0", "--path", "path.csv")[0] == 0


def test_clearance_along_a_path_of_a_robot(ask: Ask, here: Path) -> None:
    write_rows([[0, 0, 0], [7, 0, 0]])
    status, out, _ = ask("check", "sliders.urdf", "--path", "path.csv", "--clearance", "2")
    head, rows, first, when, *_ = out.splitlines()
    assert status == 1
    assert head == "too near: sliders.urdf comes closer than 2 to itself"
    assert (rows, first) == ("  no contact in 2 rows", "too near: a comes closer than 2 to b")
    assert when.startswith("  at row 0.857")


def test_the_picture_shows_the_contact_between_the_rows(
    ask: Ask, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ball a touches b at 3, half way; with a clearance of 2 it is at 1 and marked by two points."""
    from elbowroom.cli import plot

    seen: list[Any] = []
    monkeypatch.setattr(plot, "write_picture", lambda _, scene, timeline: seen.append((scene, timeline)))
    write_rows([[-2, -5, 0], [8, -5, 0]])
    assert ask("check", "sliders.urdf", "--path", "path.csv", "--plot", "p.png")[0] == 1
    assert seen[-1][0].title == "sliders.urdf, first contact at row 0.5"
    ask("check", "sliders.urdf", "--path", "path.csv", "--plot", "p.png", "--clearance", "2")
    scene = seen[-1][0]
    assert scene.title == "sliders.urdf, closer than 2 at row 0.3"
    assert scene.nearest[:, 0] == pytest.approx([2, 4], abs=1e-3)
    assert ask("check", "sliders.urdf", "--path", "path.csv", "--plot", "p.png", "--rows")[0] == 0
    assert seen[-1][0].title == "sliders.urdf, row 0"


def test_what_stands_about_is_grey_and_thin(ask: Ask, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from elbowroom.cli import plot

    seen: list[Any] = []
    monkeypatch.setattr(plot, "write_picture", lambda _, scene, __: seen.append(plot._items(scene)))
    ask("check", "sliders.urdf", "--scene", "scene.yaml", "--configuration", "to a=-2", "--plot", "p.png")
    looks = [look for _, _, look in seen[-1]]
    assert [look.alpha for look in looks] == [1, 1, 1, plot.THIN.alpha] and looks[3] == plot.THIN
    ask("check", "sliders.urdf", "--scene", "scene.yaml", "--configuration", "to a=4", "--plot", "p.png")
    looks = [look for _, _, look in seen[-1]]
    assert looks[0].colour == looks[3].colour == plot.RED and looks[3].alpha == plot.THIN.alpha
    ask("check", "sliders.urdf", "plate.obj", "--plot", "p.png")
    assert seen[-1][-1][2] == plot.THIN


def test_a_motion_of_a_robot_has_ends_and_no_rows(ask: Ask, here: Path) -> None:
    status, out, _ = ask("check", "sliders.urdf", "--motion", "0 0 0", "1 0 0")
    assert status == 0 and "row" not in out
    assert out.startswith(
        "free: sliders.urdf does not touch itself at either end\n  during the motion: proved free"
    )
    status, out, _ = ask("check", "sliders.urdf", "--motion", "0 0 0", "1 0 0", "--distance")
    assert "closest: a and b, 7 apart at goal\n  during the motion" in out
    status, out, _ = ask("check", "sliders.urdf", "--motion", "0 0 0", "8 -1 0")
    assert status == 1 and "row" not in out
    assert out.startswith("collision: sliders.urdf collides with itself at goal\n")
    assert out.splitlines()[2].startswith("  at goal  a, b")


def test_a_scene_apart_takes_as_few_looks_as_in_a_plan(ask: Ask, here: Path) -> None:
    """Obstacles are checked as obstacles: what `plan` proves, `check` proves by the same intervals."""
    arguments = ["sliders.urdf", "--obstacles", "plate.obj"]
    ends = ["--start", "0 0 0", "--goal", "1.5 3 -2"]
    assert ask("plan", *arguments, *ends, "--out", "p.csv", "--json", "plan.json")[0] == 0
    _, facts = facts_of(ask, *arguments, "--path", "p.csv")
    planned = json.loads(Path("plan.json").read_text())["certificate"]["certificates"]
    assert facts["between"]["certificates"][0]["intervals"] == planned[0]["intervals"]


def test_help_and_messages_name_things_once(ask: Ask, here: Path) -> None:
    assert "--empty-motion" not in ask("check", "--help")[1]
    status, _, err = ask("check", "sliders.urdf", "--motion", "0 0 0", "to x=2")
    assert status == 2 and err.count("to a") == 1


def test_links_that_may_touch(ask: Ask, here: Path) -> None:
    write_rows([[-2, -5, 0], [8, -5, 0]])
    assert ask("check", "sliders.urdf", "--path", "path.csv", "--allow", "a,b")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("piece.obj {move}", "B: no obstacles"),
        ("{pair} --motion '0 0 0' 'nan 0 0'", "--motion: 'nan 0 0' is not a rigid pose"),
        ("{pair} --motion '0 0 0' '0 0 0 1 1 0 0'", "must be a unit quaternion"),
        ("{pair} --motion none.npy '1 0 0'", "--motion: no such file 'none.npy'"),
        ("{pair} --motion mirror.txt '1 0 0'", "(matrix is not a rotation: it is a reflection"),
        ("{pair} --motion '0 0' '1 0'", "--motion: '0 0' is not a pose"),
        ("{pair} --motion '0 0 0'", "--motion requires 2"),
        ("{pair} --path none.csv", "--path: no such file 'none.csv'"),
        ("{pair} --path one.csv", "--path: 'one.csv' has one row"),
        ("{pair} --path five.csv", "has 5 values, but a pose has 7 values (x, y, z, qw,"),
        ("{pair} --path odd.csv", "names 'roll', which is not a column of a pose"),
        ("{pair} --path some.csv", "the header of 'some.csv' lacks the column qy"),
        ("{pair} --path long.csv", "quaternion in row 1 of 'long.csv' must have length 1"),
        ("{pair} --path one.csv {move}", "--path: cannot be combined with"),
        ("{pair} --verify", "--verify: not supported for a mesh without --path or --motion"),
        ("{pair} --obstacles plate.obj", "--obstacles: not supported for a mesh without --path or --motion"),
        ("{pair} {move} --rows", "--rows: not supported for a mesh"),
        ("{pair} {move} --tolerance 0", "--tolerance: must be above 0"),
        ("{pair} {move} --tolerance 2", "--tolerance: must be above 0"),
        ("{pair} {move} --clearance -1", "--clearance: must be a length"),
        ("{pair} {move} --distance", "--distance: not supported for a motion"),
        ("piece.obj --pose-b '1 0 0' {move}", "--pose-b: there is no mesh B to place"),
        ("piece.obj --scene bad.yaml {move}", "--scene: bad.yaml: not a planning scene"),
        ("piece.obj --scene no.yaml {move}", "--scene: 'no.yaml': no such file"),
        ("piece.obj --scene many.tar {move}", "'many.tar' is an archive; give a file in it, 'many.tar/"),
        ("piece.obj --obstacles no.obj {move}", "--obstacles: no such file 'no.obj'"),
        ("sliders.urdf --motion '1 2' '0 0 0'", "--motion: '1 2': "),
        ("sliders.urdf {move} --path p.csv", "--path: cannot be combined with --motion"),
        ("sliders.urdf {move} --random 5", "--motion: cannot be combined with"),
        ("sliders.urdf --verify", "--verify: not supported for a robot without --path or --motion"),
        ("sliders.urdf --rows", "--rows: not supported for a robot without --path or --motion"),
        ("sliders.urdf plate.obj --scene scene.yaml", "B: cannot be combined with --scene or --obstacles"),
        ("sliders.urdf --scene named.yaml", "--scene: named.yaml: object 'a' has the name of a link"),
        ("sliders.urdf --allow a,z", "--allow: "),
        ("sliders.urdf --allow a", "--allow: "),
        ("clip.bvh {move}", "--motion: not supported for motion capture"),
        ("1abc.pdb --verify", "--verify: not supported for a protein"),
        ("run.dcd --scene scene.yaml", "--scene: not supported for a trajectory"),
    ],
)
def test_a_wrong_argument_is_one_line(ask: Ask, here: Path, arguments: str, words: str) -> None:
    for name, text in {
        "one.csv": HEAD + "0,0,0,1,0,0,0\n",
        "five.csv": "0,0,0,1,0\n",
        "odd.csv": "x,y,z,roll\n0,0,0,1\n",
        "some.csv": "x,y,z,qw,qx\n0,0,0,1,0\n",
        "long.csv": HEAD + "0,0,0,1,0,0,0\n0,0,0,1,1,0,0\n",
        "bad.yaml": "a: 1\n",
        "mirror.txt": "1 0 0 0\n0 1 0 0\n0 0 -1 0\n0 0 0 1\n",
        "many.tar": "",
        "named.yaml": SCENE.replace("wall", "a"),
    }.items():
        Path(name).write_text(text)
    named = arguments.format(pair="piece.obj plate.obj", move="--motion '0 0 0' '1 0 0'")
    status, out, err = ask("check", *shlex.split(named))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and words in err
