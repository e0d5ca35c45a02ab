"""Requests of MoveIt, whole collections of problems, and robots among the objects of scenes."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from robot_files import collision, joint, link, robot
from scene_files import REQUEST, Read, one, scene_reader, scene_text
from slider_robot import write_sliders

import elbowroom as er
from elbowroom.files.moveit import read_problems, read_request, read_scene
from elbowroom.files.moveit_robot import among, configuration, ends, furnished, standing_frames


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return scene_reader(tmp_path)


def test_a_request(tmp_path: Path) -> None:
    file = tmp_path / "request.yaml"
    file.write_text(REQUEST)
    request = read_request(file)
    assert (request.group, request.start) == ("arm", {"to a": 1, "to b": -2, "finger": 9})
    assert request.goals == ({"to a": 0.001, "to c": 2.5},)
    sliders = er.Articulated.from_urdf(write_sliders(tmp_path))
    start, goal = ends(sliders, request)
    assert start.tolist() == [1, -2, 0] and goal.tolist() == [0.001, -2, 2.5]
    assert configuration(sliders, {"to b": 3, "finger": 1}).tolist() == [0, 3, 0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("world: {}", "not a request"),
        ("start_state: {}", "no goal"),
        ("goal_constraints: [{position_constraints: [{}]}]", "has position_constraints"),
        ("goal_constraints: [{joint_constraints: [{joint_name: to a}]}]", "joint 'to a' must be a number"),
        ("goal_constraints: [{joint_constraints: [{joint_name: wrist, position: 1}]}]", "names no joint"),
    ],
)
def test_requests_that_are_wrong(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "request.yaml"
    file.write_text(text)
    sliders = er.Articulated.from_urdf(write_sliders(tmp_path))
    with pytest.raises(ValueError, match=words):
        ends(sliders, read_request(file))


def problem_folder(root: Path) -> Path:
    """Two problems in two folders, one scene without a request, and a file that is neither."""
    for folder, radius in (("near", 1), ("far", 2)):
        (root / folder).mkdir(parents=True)
        text = scene_text(one(f"type: sphere, dimensions: [{radius}]"))
        (root / folder / "scene0001.yaml").write_text(text)
        (root / folder / "request0001.yaml").write_text(REQUEST)
    (root / "far" / "scene0002.yaml").write_text("world: {}")
    (root / "notes.yaml").write_text("a: 1")
    return root


def packed(folder: Path, name: str) -> Path:
    archive = folder.parent / name
    with tarfile.open(archive, f"w:{name.rpartition('.')[2]}" if not name.endswith(".tar") else "w") as tar:
        tar.add(folder, "problems")
    return archive


@pytest.mark.parametrize("name", ["", "all.tar.bz2", "all.tar.gz", "all.tar"])
def test_problems_in_folders_and_archives(tmp_path: Path, name: str) -> None:
    folder = problem_folder(tmp_path / "problems")
    source = packed(folder, name) if name else folder
    found = list(read_problems(source))
    prefix = "problems/" if name else ""
    assert [problem.name for problem in found] == [f"{prefix}far/0001", f"{prefix}near/0001"]
    assert [problem.scene.obstacles[0][0].radius for problem in found] == [2, 1]
    assert found[0].request.goals[0]["to c"] == 2.5
    one_scene = read_scene(source / f"{prefix}near" / "scene0001.yaml")
    assert one_scene.obstacles[0][0].radius == 1
    assert read_request(source / f"{prefix}near" / "request0001.yaml").group == "arm"
    with pytest.raises(FileNotFoundError, match="scene0009"):
        read_scene(source / f"{prefix}near" / "scene0009.yaml")


def test_what_holds_no_problems(tmp_path: Path) -> None:
    broken = tmp_path / "broken.tar.bz2"
    broken.write_bytes(b"BZh91AY&SY")
    with pytest.raises(ValueError, match="damaged archive"):
        list(read_problems(broken))
    with pytest.raises(FileNotFoundError, match="neither a folder nor a tar archive"):
        list(read_problems(tmp_path / "nowhere"))
    assert list(read_problems(tmp_path)) == []


def test_a_robot_among_the_objects_of_a_scene(read: Read, tmp_path: Path) -> None:
    """The ball a, of radius 1 at 0, moves along x towards a wall at 4."""
    sliders = er.Articulated.from_urdf(write_sliders(tmp_path))
    place = "primitive_poses: [{position: [4.5, 0, 0]}]"
    scene = read(one("type: box, dimensions: [1, 9, 9]", place, "wall"), one("type: sphere, dimensions: [1]"))
    body = furnished(sliders, scene)
    assert (
        body.link_names == (*sliders.link_names, "wall", "thing") and body.joint_names == sliders.joint_names
    )
    pairs = body.names(er.self_collide(body, every=True).pairs)
    assert pairs == [("a", "thing")]  # the ball in the middle, where the wall and the ball do not count
    body.move({"to a": 3.5})
    assert body.names(er.self_collide(body, every=True).pairs) == [("a", "wall")]


def test_the_scene_says_who_may_touch(read: Read, tmp_path: Path) -> None:
    sliders = er.Articulated.from_urdf(write_sliders(tmp_path))
    matrix = """allowed_collision_matrix:
  entry_names: [a, thing, unknown]
  entry_values: [[false, true, true], [true, false, true], [true, true, false]]"""
    scene = read(one("type: sphere, dimensions: [1]"), more=matrix)
    assert ("a", "thing") in scene.allowed
    assert not er.self_collide(furnished(sliders, scene))
    enabled = matrix.replace("[[", "[{enabled: [").replace("]]", "]}]").replace("], [", "]}, {enabled: [")
    assert read(one("type: sphere, dimensions: [1]"), more=enabled).allowed == scene.allowed


def test_what_a_robot_holds_moves_with_it(read: Read, tmp_path: Path) -> None:
    sliders = er.Articulated.from_urdf(write_sliders(tmp_path))
    held = "{id: tool, primitives: [{type: sphere, dimensions: [1]}], pose: {position: [3, 0, 0]}}"
    state = (
        f"robot_state: {{attached_collision_objects: [{{link_name: a, object: {held}, touch_links: [c]}}]}}"
    )
    scene = read(one("type: sphere, dimensions: [0.5]", "pose: {position: [0, 9, 0]}"), more=state)
    body = furnished(sliders, scene)
    assert not er.self_collide(body)
    body.move({"to a": 6})
    assert body.names(er.self_collide(body, every=True).pairs) == [("b", "tool")]
    other = read(one("type: sphere, dimensions: [1]", "", "a"))
    with pytest.raises(ValueError, match="object 'a' has the name of a link"):
        furnished(sliders, other)
    lost = read(one("type: sphere, dimensions: [1]"), more=state.replace("link_name: a", "link_name: hand"))
    with pytest.raises(ValueError, match="'tool' is attached to 'hand', but the robot has no such link"):
        furnished(sliders, lost)


def test_what_stands_about_is_left_to_the_obstacles(read: Read, tmp_path: Path) -> None:
    """But what some links may touch stays with the robot, which knows which ones."""
    sliders = er.Articulated.from_urdf(write_sliders(tmp_path))
    matrix = """allowed_collision_matrix:
  entry_names: [a, thing]
  entry_values: [[false, true], [true, false]]"""
    far = "pose: {position: [0, 9, 0]}"
    scene = read(
        one("type: sphere, dimensions: [1]"), one("type: box, dimensions: [1, 1, 1]", far, "box"), more=matrix
    )
    body, rest = among(sliders, scene)
    assert body.link_names == (*sliders.link_names, "thing") and rest.names == ("box",)
    assert not er.self_collide(body)
    body.move({"to b": -10})
    assert ("b", "thing") in body.names(er.self_collide(body, every=True).pairs)


def test_frames_that_no_joint_moves(read: Read, tmp_path: Path) -> None:
    ball = collision('<sphere radius="1"/>')
    foot = joint("foot", "fixed", "floor", "base", '<origin xyz="0 0 2"/>')
    turn = joint("turn", "revolute", "base", "arm", '<axis xyz="0 0 1"/>')
    (tmp_path / "arm.urdf").write_text(robot(link("floor"), link("base"), link("arm", ball), foot, turn))
    frames = standing_frames(er.Articulated.from_urdf(tmp_path / "arm.urdf"))
    assert list(frames) == ["floor", "base"] and frames["base"].translation.tolist() == [0, 0, 2]
    held = "{id: ball, header: {frame_id: base}, primitives: [{type: sphere, dimensions: [1]}]}"
    assert read(held, frames=frames).obstacles[0][1].translation.tolist() == [0, 0, 2]
