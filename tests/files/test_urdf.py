"""Robots from URDF files: shapes, meshes and where they are found, joints, and what is refused."""

from __future__ import annotations

import gzip
import os
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
import robot_files as rf
from robot_files import ReadRobot, collision, joint, link, mesh, robot, urdf_reader
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom.files.urdf import RobotParts, read_urdf


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReadRobot:
    return urdf_reader(tmp_path, monkeypatch)


def only_mesh(parts: RobotParts) -> er.Mesh:
    body = parts.links[0].shapes[0][0]
    assert isinstance(body, er.Mesh)
    return body


def test_every_collision_element_is_a_shape_at_its_origin(read: ReadRobot) -> None:
    visual = '<visual><geometry><mesh filename="nowhere.stl"/></geometry></visual>'
    shapes = [
        collision('<box size="1 2 3"/>', "1 2 3", "0.1 0.2 0.3"),
        collision('<sphere radius="0.5"/>'),
        collision('<capsule radius="0.25" length="2"/>', "0 0 1"),
        "<collision><geometry><cylinder radius='1' length='4'/></geometry></collision>",
    ]
    a, b = read(link("a", visual, *shapes), link("b", visual)).links
    box, sphere, capsule, cylinder = (body for body, _ in a.shapes)
    assert box.extents.tolist() == [1, 2, 3] and sphere.radius == 0.5
    assert isinstance(capsule, er.Capsule) and (capsule.radius, capsule.length) == (0.25, 2)
    assert isinstance(cylinder, er.Convex) and (b.name, b.shapes) == ("b", ())
    roll_pitch_yaw = Rotation.from_euler("xyz", [0.1, 0.2, 0.3]).as_matrix()
    assert np.allclose(a.shapes[0][1].rotation, roll_pitch_yaw) and a.shapes[3][1] == er.Pose()
    assert a.shapes[0][1].translation.tolist() == [1, 2, 3]


@pytest.mark.parametrize(("radius", "length"), [(1.0, 4.0), (0.02, 1.0), (3.0, 1e-3), (0.3, 0.0), (0.0, 1.0)])
def test_a_cylinder_is_within_its_prism_and_nearly_fills_it(
    read: ReadRobot, radius: float, length: float
) -> None:
    parts = read(link("a", collision(f'<cylinder radius="{radius}" length="{length}"/>')))
    prism = parts.links[0].shapes[0][0]
    for angle in np.linspace(0, 2 * np.pi, 1000):
        across = np.array([np.cos(angle), np.sin(angle), 0])
        assert radius <= (prism.points @ across).max() <= 1.005 * radius
    assert prism.bounds[:, 2].tolist() == [-length / 2, length / 2]


def test_a_mesh_is_scaled_and_mirrored(read: ReadRobot, tmp_path: Path) -> None:
    rf.write_obj(tmp_path / "t.obj")
    for scale, factors in [("", (1, 1, 1)), ("2", (2, 2, 2)), ("1 2 3", (1, 2, 3)), ("1 -1 1", (1, -1, 1))]:
        body = only_mesh(read(link("a", mesh("t.obj", f'scale="{scale}"' if scale else ""))))
        assert np.array_equal(body.vertices, rf.CORNERS * factors)
        a, b, c = body.vertices[body.faces].transpose(1, 0, 2)
        assert (np.cross(b - a, c - a) * (a - body.vertices.mean(axis=0))).sum(axis=1).min() > 0  # outward


def test_a_mesh_used_twice_is_loaded_once(read: ReadRobot, tmp_path: Path) -> None:
    rf.write_obj(tmp_path / "t.obj")
    names = [mesh("t.obj"), mesh(tmp_path / "t.obj"), mesh("t.obj", 'scale="2 2 2"')]
    a, b = read(link("a", *names), link("b", *names)).links
    assert a.shapes[0][0] is a.shapes[1][0] is b.shapes[0][0] is not a.shapes[2][0]
    assert a.shapes[2][0] is b.shapes[2][0]


@pytest.mark.parametrize("up", ["Z_UP", "Y_UP"])
def test_a_collada_scene_is_placed_and_counts_in_its_unit(read: ReadRobot, tmp_path: Path, up: str) -> None:
    rf.write_dae(tmp_path / "metre.dae", up=up)
    rf.write_dae(tmp_path / "centimetre.dae", unit=0.01, up=up)
    whole, small = (only_mesh(read(link("a", mesh(f"{name}.dae")))) for name in ("metre", "centimetre"))
    corners = rf.in_dae()[rf.FACES]
    assert np.allclose(whole.vertices[whole.faces], corners)
    assert np.allclose(small.vertices[small.faces], 0.01 * corners)


def test_packages_are_found(read: ReadRobot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By name, in folders, one level deeper, upwards, and where the environment says."""
    deep = rf.write_obj(tmp_path / "src" / "repository" / "hand" / "meshes" / "a b.obj")
    hand, written = deep.parents[1], link("a", mesh("package://hand/meshes/a%20b.obj"))
    workspace = tmp_path / "src"
    for packages in ({"hand": hand}, workspace, str(hand.parent), [tmp_path, workspace], [hand]):
        assert len(only_mesh(read(written, packages=packages)).faces) == 4
    (hand / "urdf").mkdir()
    for place in (hand / "urdf" / "r.urdf", hand.parent / "r.urdf"):
        place.write_text(robot(written))
        assert len(only_mesh(read_urdf(place)).faces) == 4
    with pytest.raises(FileNotFoundError, match=r"no folder with the name .* packages was not given"):
        read(written)
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"{tmp_path / 'none'}{os.pathsep}{workspace}")
    assert read(written)
    monkeypatch.delenv("ROS_PACKAGE_PATH")
    rf.write_obj(tmp_path / "prefix" / "share" / "hand" / "meshes" / "a b.obj")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "prefix"))
    assert read(written)


def test_files_by_address_and_by_relative_path(read: ReadRobot, tmp_path: Path) -> None:
    path = rf.write_obj(tmp_path / "meshes" / "t.obj")
    rf.write_obj(tmp_path / "hand" / "t.obj")
    for written in ("meshes/t.obj", "file://meshes/t.obj", f"file://{path}", "package:///hand/t.obj"):
        assert len(only_mesh(read(link("a", mesh(written)))).faces) == 4


def test_joints(read: ReadRobot) -> None:
    limit = '<limit lower="-1" upper="2" effort="1" velocity="1"/>'
    links = [link(name) for name in "abcdefgh"]
    joints = [
        joint("j0", "fixed", "a", "b", '<axis xyz="0 0 0"/>', '<origin xyz="1 0 0" rpy="0 0 1.5"/>'),
        joint("j1", "revolute", "b", "c", '<axis xyz="0 0 2"/>', limit),
        joint("j2", "continuous", "c", "d", limit),
        joint("j3", "prismatic", "d", "e", limit, '<mimic joint="j1" multiplier="-2" offset="0.5"/>'),
        joint("j4", "floating", "e", "f"),
        joint("j5", "spherical", "f", "g"),
        joint("j6", "revolute", "g", "h", '<limit upper="3"/>', '<mimic joint="j1"/>'),
    ]
    read_joints = read(*reversed(joints), *links).joints[::-1]
    kinds = ["fixed", "revolute", "revolute", "prismatic", "free", "spherical", "revolute"]
    assert [j.kind for j in read_joints] == kinds
    assert [j.limits for j in read_joints] == [None, (-1, 2), None, (-1, 2), None, None, (0, 3)]
    assert [(j.parent, j.child) for j in read_joints] == list(zip("abcdefg", "bcdefgh", strict=True))
    assert read_joints[1].axis == (0, 0, 1) and read_joints[2].axis == (1, 0, 0)
    assert read_joints[3].mimic == er.Mimic("j1", -2.0, 0.5) and read_joints[6].mimic == er.Mimic("j1")
    turned = Rotation.from_euler("z", 1.5).as_matrix()
    assert np.allclose(read_joints[0].origin.rotation, turned) and read_joints[4].origin == er.Pose()


@pytest.mark.parametrize("limit", ["", '<limit effort="1" velocity="1"/>'])
def test_a_limit_without_bounds_is_none(read: ReadRobot, limit: str) -> None:
    assert read(link("a"), link("b"), joint("j", "revolute", "a", "b", limit)).joints[0].limits is None


ROBOTS = {
    "panda_description/urdf/panda.urdf": (13, 17),
    "ur_description/urdf/ur5_robot.urdf": (11, 8),
    "allegro_hand_description/urdf/allegro_right_hand.urdf": (21, 21),
    "talos_data/robots/talos_full_v2.urdf": (60, 52),
}


# Those of the package example-robot-data, which is too large for the test extra. Without it there is no such
# test: one that is skipped would count as a failure.
if list(metadata.distributions(name="example-robot-data")):

    @pytest.mark.parametrize("name", ROBOTS)
    def test_real_robots(name: str) -> None:
        package = metadata.distribution("example-robot-data")
        folder = Path(str(package.locate_file("cmeel.prefix/share/example-robot-data/robots")))
        parts = read_urdf(folder / name)
        assert (len(parts.links), sum(len(link.shapes) for link in parts.links)) == ROBOTS[name]
        assert len(parts.joints) == len(parts.links) - 1


def test_names_and_compressed_files(tmp_path: Path) -> None:
    packed = tmp_path / "arm.urdf.gz"
    packed.write_bytes(gzip.compress(robot(link("a"), name="claw").encode() + b"\0\n"))
    nameless = tmp_path / "arm.urdf"
    nameless.write_text("<robot><!-- no name --><link name='a'/><gazebo:thing/></robot>")
    assert [read_urdf(path).name for path in (packed, nameless)] == ["claw", "arm"]


def test_an_articulated_body_from_a_file(tmp_path: Path) -> None:
    """Two fingers that close on each other: one is moved, the other follows."""
    box, limit = collision('<box size="1 0.2 0.2"/>', "0.5 0 0"), '<limit lower="0" upper="2"/>'
    near, far = '<origin xyz="0 -1 0"/><axis xyz="0 0 1"/>', '<origin xyz="0 1 0"/><axis xyz="0 0 1"/>'
    path = tmp_path / "gripper.urdf"
    path.write_text(
        robot(
            joint("open", "revolute", "palm", "right", near, limit),
            joint("follow", "revolute", "palm", "left", far, '<mimic joint="open" multiplier="-1"/>'),
            link("left", box),
            link("palm", collision('<sphere radius="0.1"/>')),
            link("right", box),
        )
    )
    body = er.Articulated.from_urdf(path)
    assert (
        sorted(body.link_names) == ["left", "palm", "right"]
        and body.joint_names == ("open",)
        and body.dof == 1
    )
    assert body.limits.tolist() == [[0, 2]]
    body.move(np.linspace(0, 1.5, 7)[:, None])
    left = body.link_poses()[:, body.link_number("left")]
    assert np.allclose(left[:, :3, 0], [(np.cos(a), -np.sin(a), 0) for a in np.linspace(0, 1.5, 7)])
    assert np.allclose(left[:, :3, 3], [0, 1, 0])
    assert er.self_collide(body).hits.tolist() == [False] * 6 + [True]
