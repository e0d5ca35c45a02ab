"""Scenes and requests of MoveIt in YAML: shapes in their places, and robots among them."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from robot_files import collision, joint, link, robot, write_obj
from scipy.spatial.transform import Rotation
from slider_robot import write_sliders

import elbowroom as er
from elbowroom.files.moveit import Scene, read_problems, read_request, read_scene
from elbowroom.files.moveit_robot import among, configuration, ends, furnished, standing_frames

Read = Callable[..., Scene]

TURNED = "[0, 0, 0.7071067811865476, 0.7071067811865476]"
REQUEST = """group_name: arm
start_state:
  joint_state: {name: [to a, to b, finger], position: [1, -2e-0, 9]}
goal_constraints:
  - joint_constraints:
      - {joint_name: to a, position: 1e-3}
      - {position: 2.5, joint_name: to c}
"""


def scene_text(*objects: str, more: str = "") -> str:
    return "world:\n  collision_objects:\n" + "".join(f"    - {each}\n" for each in objects) + more


def one(shape: str, more: str = "", name: str = "thing") -> str:
    return f"{{id: {name}, primitives: [{{{shape}}}]{', ' if more else ''}{more}}}"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Writes a scene to a file and reads that."""

    def written(*objects: str, more: str = "", **options: Any) -> Scene:
        file = tmp_path / "scene.yaml"
        file.write_text(scene_text(*objects, more=more))
        return read_scene(file, **options)

    return written


def world_points(scene: Scene, k: int = 0) -> np.ndarray:
    body, pose = scene.obstacles[k]
    return pose.apply(np.asarray(body._points))


def test_a_box_and_a_sphere(read: Read) -> None:
    place = f"primitive_poses: [{{position: [1, 2, 3], orientation: {TURNED}}}]"
    scene = read(
        one("type: box, dimensions: [1, 2, 3]", place), one("type: 2, dimensions: [0.5]", "", "ball")
    )
    assert scene.names == ("thing", "ball")
    low, high = world_points(scene).min(axis=0), world_points(scene).max(axis=0)
    assert low == pytest.approx([0, 1.5, 1.5]) and high == pytest.approx([2, 2.5, 4.5])
    sphere, pose = scene.obstacles[1]
    assert isinstance(sphere, er.Sphere) and sphere.radius == 0.5 and pose == er.Pose()


def test_the_pose_of_an_object_carries_those_of_its_shapes(read: Read) -> None:
    """As messages of ROS have them: mappings, and numbers for kinds."""
    place = "pose: {position: {x: 1, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 1, w: 0}}"
    shapes = "primitives: [{type: 1, dimensions: [1, 1, 1]}, {type: SPHERE, dimensions: [1]}]"
    poses = "primitive_poses: [{position: [3, 0, 0]}, {position: {x: 0, y: 2, z: 0}}]"
    scene = read(f"{{id: pair, {place}, {shapes}, {poses}}}")
    body, pose = scene.obstacles[0]
    assert isinstance(body, er.Group) and len(body) == 2
    placed = [pose @ er.Pose.from_matrix(within) for _, within in body.members]
    assert placed[0].translation == pytest.approx([-2, 0, 0])
    assert placed[1].translation == pytest.approx([1, -2, 0])


@pytest.mark.parametrize("kind", ["cylinder", "cone"])
def test_round_bodies_are_within_what_stands_for_them(read: Read, kind: str) -> None:
    """Points of the round body are within the hull, and it reaches at most 0.5 % farther."""
    (body, _) = read(one(f"type: {kind}, dimensions: [2, 0.5]")).obstacles[0]
    assert isinstance(body, er.Convex)
    angles = np.linspace(0, 2 * np.pi, 1001)
    levels = [(-1, 0.5), (0, 0.5 if kind == "cylinder" else 0.25), (1, 0.5 if kind == "cylinder" else 0.0)]
    rings = [np.column_stack([r * np.cos(angles), r * np.sin(angles), np.full(1001, z)]) for z, r in levels]
    points = np.concatenate(rings)
    assert er.distance(body, er.Group([(er.Sphere(0), (None, p)) for p in points])).value == 0
    from scipy.spatial import ConvexHull

    planes = ConvexHull(body.points).equations
    assert (points @ planes[:, :3].T + planes[:, 3]).max() <= 1e-12
    assert np.hypot(*body.points[:, :2].T).max() <= 0.5 * 1.005
    assert body.bounds[:, 2].tolist() == [-1, 1]


def test_meshes_from_files_and_from_messages(read: Read, tmp_path: Path) -> None:
    file = write_obj(tmp_path / "props" / "meshes" / "wedge.obj")
    wedge = er.Mesh.load(file)
    named = "meshes: [{resource: package://props/meshes/wedge.obj, dimensions: [2, 1, 1]}]"
    corners = "vertices: [{x: 0, y: 0, z: 0}, [1, 0, 0], [0, 1e0, 0]]"
    written = f"meshes: [{{{corners}, triangles: [{{vertex_indices: [0, 1, 2]}}]}}]"
    scene = read(
        f"{{id: file, {named}, mesh_poses: [{{position: [0, 0, 5]}}]}}",
        f"{{id: own, {written}}}",
        packages=tmp_path,
    )
    mesh, pose = scene.obstacles[0]
    assert np.array_equal(mesh.vertices, wedge.vertices * [2, 1, 1]) and pose.translation[2] == 5
    assert scene.obstacles[1][0].vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    with pytest.raises(FileNotFoundError, match="nowhere"):
        read("{id: file, meshes: [{resource: package://nowhere/wedge.obj}]}")


def test_frames_of_objects(read: Read) -> None:
    ball = "primitives: [{type: sphere, dimensions: [1]}], pose: {position: [1, 0, 0]}"
    frames = f"""fixed_frame_transforms:
  - {{child_frame_id: shelf, transform: {{translation: [0, 5, 0], rotation: {TURNED}}}}}"""
    inside = f"{{id: ball, header: {{frame_id: /shelf}}, {ball}}}"
    assert read(inside, more=frames).obstacles[0][1].translation == pytest.approx([0, 6, 0])
    with pytest.raises(ValueError, match=r"'ball' is in frame 'shelf', .* known are world"):
        read(inside)
    given = {"shelf": er.Pose(translation=[0, 0, 1])}
    assert read(inside, frames=given).obstacles[0][1].translation.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (
            "type: box, dimensions: [1, 2]",
            r"'thing': primitives\[0\]: dimensions of a box are x, y, z",
        ),
        ("type: box, dimensions: [1, 2, -3]", "must not be negative"),
        ("type: box, dimensions: [1, 2, .nan]", r"dimensions\[2\] must be finite"),
        ("type: box, dimensions: [1, 2, three]", r"dimensions\[2\] must be a number, got 'three'"),
        ("type: ball, dimensions: [1]", "type must be one of box, sphere, cylinder, cone, got 'ball'"),
        ("type: 5, dimensions: [1]", "type must be one of"),
        ("dimensions: [1]", "type must be one of box, sphere, cylinder, cone, got None"),
        ("type: sphere", "dimensions of a sphere are radius, got 0 numbers"),
    ],
)
def test_shapes_that_are_wrong(read: Read, shape: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as fault:
        read(one(shape))
    assert "scene.yaml" in str(fault.value) and "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("primitive_poses: [{}, {}]", "there are 1 primitives, but 2 primitive_poses"),
        ("pose: {orientation: [0, 0, 0, 2]}", "pose: orientation must have length 1; it has 2"),
        ("pose: {position: [0, 0]}", r"pose: position must have 3 numbers \(x, y, z\), got 2"),
        ("pose: {position: {x: 0, y: 0}}", "pose: position lacks z"),
        ("pose: 3", "pose must be a mapping, got 3"),
        ("planes: [{coef: [0, 0, 1, 0]}]", "planes are not read"),
        ("meshes: [{}]", r"meshes\[0\] has neither a resource nor vertices"),
        ("meshes: [{vertices: [[0, 0, 0]], triangles: [[0, 0.5, 0]]}]", "three whole numbers"),
    ],
)
def test_objects_that_are_wrong(read: Read, more: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read(one("type: sphere, dimensions: [1]", more))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must hold a mapping, but holds nothing"),
        ("[1, 2]", "must hold a mapping, but holds a list"),
        ("a: [", "not YAML"),
        ("\x00", "not YAML"),
        ("name: x", "no planning scene"),
        ("world: {collision_objects: 3}", "collision_objects must be a list, got 3"),
        ("world: {collision_objects: [3]}", "a collision object must be a mapping"),
        ("world: {collision_objects: [{}]}", "id of a collision object must be a name, got None"),
        ("world: {octomap: {octomap: {data: [1]}}}", "octree"),
        (scene_text(*[one("type: sphere, dimensions: [1]")] * 2), "there are two objects 'thing'"),
        (
            "world: {}\nallowed_collision_matrix: {entry_names: [a, b], entry_values: [[true]]}",
            "as many rows",
        ),
        ("robot_state: {joint_state: {name: [a], position: []}}", "1 names of joints, but 0 positions"),
        (
            "robot_state: {multi_dof_joint_state: {transforms: [{translation: [1, 0, 0]}]}}",
            "does not stand at the origin",
        ),
    ],
)
def test_scenes_that_are_wrong(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "scene.yaml"
    file.write_text(text)
    with pytest.raises(ValueError, match=words) as fault:
        read_scene(file)
    assert "scene.yaml" in str(fault.value) and "\n" not in str(fault.value)


def test_padding_is_noted(read: Read) -> None:
    ball = one("type: sphere, dimensions: [1]")
    with pytest.warns(UserWarning, match="padding and scale of links are passed over"):
        read(ball, more="link_padding: [{link_name: a, padding: 0.01}]")


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
        ("world: {}", "no request"),
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
    assert body.links == (*sliders.links, "wall", "thing") and body.joints == sliders.joints
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
    with pytest.raises(ValueError, match="'tool' is held by 'hand', but the robot has no such link"):
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
    assert body.links == (*sliders.links, "thing") and rest.names == ("box",)
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


def test_rotations_are_those_of_scipy(read: Read) -> None:
    turn = Rotation.random(rng=3)
    place = f"pose: {{orientation: {turn.as_quat().tolist()}}}"
    _, pose = read(one("type: box, dimensions: [1, 2, 3]", place)).obstacles[0]
    assert pose.rotation == pytest.approx(turn.as_matrix(), abs=1e-12)
