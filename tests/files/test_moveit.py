"""Scenes of MoveIt in YAML: shapes in their places."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from robot_files import write_obj
from scene_files import TURNED, Read, one, scene_reader, scene_text
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom.files.moveit import Scene, read_scene


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return scene_reader(tmp_path)


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
    with pytest.raises(ValueError, match=r"'ball' is in frame 'shelf', .* known frames: world"):
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
        ("planes: [{coef: [0, 0, 1, 0]}]", "planes are not supported"),
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
        ("name: x", "not a planning scene"),
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
            "is not at the origin",
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
    with pytest.warns(UserWarning, match="padding and scale of links are ignored"):
        read(ball, more="link_padding: [{link_name: a, padding: 0.01}]")


def test_rotations_are_those_of_scipy(read: Read) -> None:
    turn = Rotation.random(rng=3)
    place = f"pose: {{orientation: {turn.as_quat().tolist()}}}"
    _, pose = read(one("type: box, dimensions: [1, 2, 3]", place)).obstacles[0]
    assert pose.rotation == pytest.approx(turn.as_matrix(), abs=1e-12)
