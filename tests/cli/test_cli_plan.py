"""`elbowroom plan`: paths for meshes and robots, files that come of them, and arguments that are wrong."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from robot_files import collision, joint, link, robot
from scene_files import TETRAHEDRON
from slider_robot import write_sliders

import elbowroom as er
from elbowroom.files.paths import read_poses

Ask = Callable[..., tuple[int, str, str]]

#: A square across x at 3, four wide: a body can go around it.
PLATE = "v 3 -2 -2\nv 3 2 -2\nv 3 2 2\nv 3 -2 2\nf 1 2 3\nf 1 3 4\n"
SCENE = """world:
  collision_objects:
    - id: post
      primitives: [{type: cylinder, dimensions: [4, 0.2]}]
      primitive_poses: [{position: [1.5, 0, 0]}]
"""
REQUEST = """start_state: {joint_state: {name: [base, elbow], position: [-0.9, 0]}}
goal_constraints: [{joint_constraints: [{joint_name: base, position: 0.9}, {joint_name: elbow, position: 0}]}]
"""
TURN = '<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/>'
BAR = collision('<box size="1 0.1 0.1"/>', "0.5 0 0")
RIGID = "piece.obj --obstacles plate.obj --start '0 0 0' --goal '6 0 0'"
ARM = "arm.urdf --scene scene.yaml --request request.yaml"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tetrahedron and a plate; an arm of two bars in a plane, with a post in its way."""
    monkeypatch.chdir(tmp_path)
    arm = robot(
        link("floor"),
        link("upper", BAR),
        link("lower", BAR),
        joint("base", "revolute", "floor", "upper", TURN),
        joint("elbow", "revolute", "upper", "lower", '<origin xyz="1.1 0 0"/>', TURN),
    )
    texts = {"piece.obj": TETRAHEDRON, "plate.obj": PLATE, "arm.urdf": arm}
    for name, text in (texts | {"scene.yaml": SCENE, "request.yaml": REQUEST}).items():
        Path(name).write_text(text)
    write_sliders(tmp_path)
    return tmp_path


def plan(ask: Ask, arguments: str) -> tuple[int, str, str]:
    return ask("plan", *shlex.split(arguments))


def facts_of(ask: Ask, arguments: str) -> dict[str, Any]:
    Path("facts.json").unlink(missing_ok=True)
    status, _, err = plan(ask, f"{arguments} --json facts.json")
    facts = json.loads(Path("facts.json").read_text())
    assert (status, err) == (int(facts["verdict"] != "found"), "")
    return facts


@pytest.mark.parametrize("planner", ["rrt-connect", "rrt", "prm", "ompl:RRTConnect"])
def test_a_mesh_goes_around_a_plate(ask: Ask, here: Path, planner: str) -> None:
    facts = facts_of(ask, f"{RIGID} --planner {planner} --out path.csv")
    assert (facts["verdict"], facts["certificate"]["free"]) == ("found", True)
    poses = read_poses("path.csv")
    assert len(poses) == len(facts["states"]) >= 3
    assert poses[0] == pytest.approx(np.eye(4)) and poses[-1, :3, 3] == pytest.approx([6, 0, 0])
    piece, plate = er.Mesh.load("piece.obj"), er.Mesh.load("plate.obj")
    for start, goal in pairwise(poses):
        assert er.check(piece, er.Motion(start, goal), plate).free is True


def test_what_plan_writes_check_takes(ask: Ask, here: Path) -> None:
    status, out, _ = plan(ask, f"{RIGID} --out path.csv")
    assert status == 0 and out.splitlines()[-1] == "path: path.csv"
    assert ask("check", "piece.obj", "plate.obj", "--path", "path.csv", "--verify")[0] == 0
    status, out, _ = plan(ask, f"{ARM} --out arm.csv")
    assert status == 0 and out.startswith("found: a path for arm.urdf\n  rrt-connect: ")
    assert ask("check", "arm.urdf", "--scene", "scene.yaml", "--path", "arm.csv", "--verify")[0] == 0
    assert Path("arm.csv").read_text().startswith("base,elbow\n-0.9,0.0\n")


def test_the_same_seed_finds_the_same_path(ask: Ask, here: Path) -> None:
    paths = [facts_of(ask, f"{RIGID} --seed {seed}")["states"] for seed in (4, 4, 5)]
    assert paths[0] == paths[1] != paths[2]


def test_a_path_is_shortened(ask: Ask, here: Path) -> None:
    facts = facts_of(ask, f"{RIGID} --shorten 100")
    assert facts["length"] < facts["length_found"] and facts["certificate"]["free"] is True
    assert ", shortened from " in plan(ask, f"{RIGID} --shorten 100")[1]


def test_an_arm_folds_to_pass_a_post(ask: Ask, here: Path) -> None:
    """Stretched out it would run into the post, which reaches from 1.3 to 1.7."""
    facts = facts_of(ask, ARM)
    states = np.array(facts["states"])
    assert facts["columns"] == ["base", "elbow"]
    assert states[0].tolist() == [-0.9, 0] and states[-1].tolist() == [0.9, 0]
    assert np.abs(states[:, 1]).max() > 1
    assert ask("check", "arm.urdf", "--scene", "scene.yaml", "--motion", "-0.9 0", "0.9 0")[0] == 1


def test_ends_from_values_and_from_files(ask: Ask, here: Path) -> None:
    """--start and --goal come before the request; of a file, the first and the last row count."""
    facts = facts_of(ask, f"{ARM} --start base=-1,elbow=0.5")
    assert facts["states"][0] == [-1, 0.5] and facts["states"][-1] == [0.9, 0]
    Path("ends.csv").write_text("elbow,base\n0.25,-1\n9,9\n0,1\n")
    facts = facts_of(ask, "arm.urdf --scene scene.yaml --start ends.csv --goal ends.csv")
    assert facts["states"][0] == [-1, 0.25] and facts["states"][-1] == [1, 0]
    Path("poses.csv").write_text("x,y,z\n0,0,0\n1,1,1\n6,1,0\n")
    facts = facts_of(ask, "piece.obj --obstacles plate.obj --start poses.csv --goal poses.csv")
    assert facts["states"][-1] == [6, 1, 0, 1, 0, 0, 0]


def test_where_there_is_no_way(ask: Ask, here: Path) -> None:
    """In a narrow box the plate is a wall."""
    status, out, err = plan(ask, f"{RIGID} --low '-1 -1 -1' --high '7 1 1' --seconds 0.2 --out path.csv")
    assert (status, err) == (1, "")
    assert out.startswith("not found: no path for piece.obj\n  rrt-connect: ")
    assert out.splitlines()[2:] == ["not written: path.csv"]
    assert not Path("path.csv").exists()


def test_a_roadmap_is_told_and_says_why_there_is_no_way(ask: Ask, here: Path) -> None:
    facts = facts_of(ask, f"{RIGID} --planner prm --shorten 20")
    assert facts["explored"] > 1 and facts["attempts"] >= facts["explored"]
    states = [np.array(facts_of(ask, f"{ARM} --planner prm --step {step}")["states"]) for step in (0.5, 9)]
    longest = [np.linalg.norm(np.diff(path, axis=0), axis=1).max() for path in states]
    assert longest[0] <= 0.5 < longest[1]
    narrow = "--low '-1 -1 -1' --high '7 1 1' --seconds 0.5"
    status, out, _ = plan(ask, f"{RIGID} --planner prm {narrow}")
    assert status == 1 and out.startswith("not found: no path for piece.obj\n  prm: ")
    assert out.strip().endswith("the start and the goal are in different components of the roadmap")


def test_clearance_is_kept(ask: Ask, here: Path) -> None:
    facts = facts_of(ask, f"{RIGID} --clearance 0.5")
    piece, plate = er.Mesh.load("piece.obj"), er.Mesh.load("plate.obj")
    for row in facts["states"]:
        assert er.distance(piece, plate, pose_a=(row[3:], row[:3])).value > 0.5


def test_what_stands_about_may_be_a_mesh(ask: Ask, here: Path) -> None:
    """The arm among meshes alone, of which one has two names."""
    facts = facts_of(ask, "arm.urdf --obstacles plate.obj plate.obj --start '0 0' --goal '0.5 0.5'")
    assert facts["obstacles"] == ["plate.obj (0)", "plate.obj (1)"]


def test_a_start_that_is_the_goal(ask: Ask, here: Path) -> None:
    status, out, _ = plan(ask, f"{RIGID.replace('6 0 0', '0 0 0')} --html p.html --out p.csv")
    assert status == 0 and "length 0" in out
    assert Path("p.html").stat().st_size > 10_000
    assert plan(ask, "arm.urdf --start '0 0' --goal '0 0' --html p.html")[0] == 0


@pytest.mark.parametrize("arguments", [RIGID, ARM, "--demo"])
def test_the_animation(ask: Ask, here: Path, arguments: str) -> None:
    status, out, _ = plan(ask, f"{arguments} --shorten 20 --html path.html")
    page = Path("path.html").read_text(encoding="utf-8")
    assert status == 0 and "animation: path.html" in out
    data = json.loads(page.partition('type="application/json">')[2].partition("</script>")[0])
    assert data["frames"] >= 300 and data["marks"][-1] == data["frames"] - 1
    assert "http" not in page and "certificate" in page


def test_the_demonstration(ask: Ask, here: Path) -> None:
    facts = facts_of(ask, "--demo")
    assert facts["verdict"] == "found" and facts["obstacles"] == ["the wall"]
    assert facts["certificate"]["free"] is True and facts["body"] is None
    assert ask("plan", "--help")[1].count("Examples:") == 1
    assert facts["length"] < 0.5 * facts["length_found"]
    assert facts_of(ask, "--demo --shorten 0")["length"] == facts["length_found"]


def test_links_that_always_overlap_are_told(ask: Ask, here: Path) -> None:
    ball = collision('<sphere radius="1"/>')
    links = [link(name, ball) for name in "abc"]
    joints = [joint(f"{p}{c}", "revolute", p, c, TURN) for p, c in ("ab", "bc")]
    Path("knot.urdf").write_text(robot(*links, *joints))
    status, _, err = plan(ask, "knot.urdf --start '0 0' --goal '1 1'")
    assert status == 2 and "in collision: a and c; they overlap" in err and '--allow "a,c"' in err
    assert plan(ask, "knot.urdf --start '0 0' --goal '1 1' --allow a,c")[0] == 0


def test_clearance_holds_between_links_as_well(ask: Ask, here: Path) -> None:
    status, _, err = plan(ask, "sliders.urdf --start '0 0 0' --goal '1 0 0' --clearance 9")
    assert status == 2
    assert "--start: too near: a and b are closer than --clearance 9; the clearance also applies" in err
    assert '--allow "a,b"' in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "BODY: missing; give a mesh or URDF file, or --demo"),
        ("none.obj --start '0 0 0' --goal '1 0 0'", "BODY: no such file 'none.obj'"),
        ("clip.bvh", "BODY: 'clip.bvh' is motion capture; expected a mesh or a robot"),
        ("piece.obj --goal '1 0 0'", "--start: missing; give a pose"),
        ("piece.obj --start '1 0 0'", "--goal: missing; give a pose"),
        ("piece.obj --start '1 0' --goal '1 0 0'", "--start: '1 0' is not a pose"),
        (
            "piece.obj --obstacles plate.obj --start '0 0 0' --goal '2.5 0 0'",
            "--goal: in collision: triangle ",
        ),
        ("{rigid} --low '1 0 0'", "--start: start is outside the space"),
        ("{rigid} --low '1 0'", "--low: '1 0' is not three numbers"),
        ("{rigid} --low '9 9 9' --high '0 0 0'", "--low: must not exceed --high"),
        (
            "{rigid} --planner sst",
            "--planner: unknown planner 'sst'; choose rrt-connect, rrt, prm or ompl:NAME",
        ),
        ("{rigid} --planner ompl:None", "--planner: planner must be one of "),
        ("{rigid} --seconds 0", "--seconds: must be above 0, got 0"),
        ("{rigid} --seed -1", "--seed: must be at least 0, got -1"),
        ("{rigid} --step 0", "--step: must be above 0, got 0"),
        ("{rigid} --clearance -1", "--clearance: must be a length, 0 or more, got -1"),
        ("{rigid} --shorten -1", "--shorten: must be at least 0, got -1"),
        ("{rigid} --clearance 3", " are closer than --clearance 3"),
        ("piece.obj --start '0 0 0' --goal '1 0 0'", "--obstacles: no obstacles"),
        ("{rigid} --out path.txt", "--out: 'path.txt' must end in .csv"),
        ("{rigid} --out nowhere/path.csv", "--out: folder 'nowhere' does not exist"),
        ("{rigid} --html .", "--html: '.' is a folder"),
        ("{rigid} --srdf pairs.srdf", "--srdf: not supported for a rigid body"),
        ("{rigid} --request request.yaml", "--request: not supported for a rigid body"),
        ("{rigid} --demo", "--demo: cannot be combined with 'piece.obj'"),
        ("--demo --request request.yaml", "--request: not supported for the demonstration"),
        ("--demo --start '0 0 0'", "--start: not supported for the demonstration"),
        ("--demo --goal '0 0 0'", "--goal: not supported for the demonstration"),
        ("--demo --obstacles none.obj", "--obstacles: not supported for the demonstration"),
        ("--demo --scene none.yaml", "--scene: not supported for the demonstration"),
        ("arm.urdf --request many.tar", "--request: 'many.tar' is an archive; give a file in it"),
        ("{arm} --low '0 0 0'", "--low: not supported for a robot"),
        ("{arm} --goal '0 0'", "--goal: in collision: lower and post"),
        (
            "{arm} --goal '9 0'",
            "--goal: goal is outside the space, which has limits: base = 9 is not between",
        ),
        ("{arm} --goal '0 0 0'", "--goal: '0 0 0': "),
        ("{arm} --start none.csv", "--start: no such file 'none.csv'"),
        ("arm.urdf --scene scene.yaml --start '0 1'", "--goal: missing; give values of base, elbow, or a"),
        ("arm.urdf --request other.yaml", "--request: other.yaml: its goal names no joint of the robot"),
        ("arm.urdf --request scene.yaml", "--request: scene.yaml: not a request"),
        ("arm.urdf --scene request.yaml", "--scene: request.yaml: not a planning scene"),
        ("{arm} --srdf pairs.srdf", "--srdf: pairs.srdf names links that arm.urdf lacks"),
        ("endless.urdf --start 0 --goal 1", "BODY: joint 'j' is prismatic without limits"),
    ],
)
def test_a_wrong_argument_is_one_line(ask: Ask, here: Path, arguments: str, words: str) -> None:
    rail = joint("j", "prismatic", "a", "b", '<axis xyz="1 0 0"/>')
    Path("endless.urdf").write_text(robot(link("a"), link("b", BAR), rail))
    Path("many.tar").write_text("")
    Path("other.yaml").write_text(REQUEST.replace("base", "hip").replace("elbow", "knee"))
    status, out, err = plan(ask, arguments.format(rigid=RIGID, arm=ARM))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and words in err
