"""Files of paths: what is written is what is read, and what is wrong is said in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom.files.paths import (
    POSE_COLUMNS,
    columns_of,
    read_configurations,
    read_poses,
    write_configurations,
    write_poses,
)


def random_poses(count: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, :3, :3] = Rotation.random(count, rng=rng).as_matrix()
    poses[:, :3, 3] = rng.normal(size=(count, 3)) * 10.0 ** rng.integers(-6, 6, (count, 1))
    return poses


def test_poses_come_back(tmp_path: Path) -> None:
    poses, file = random_poses(50), tmp_path / "poses.csv"
    write_poses(file, poses)
    found = read_poses(file)
    assert np.array_equal(found[:, :3, 3], poses[:, :3, 3])
    assert np.abs(found - poses).max() < 1e-14
    assert file.read_text().splitlines()[0] == ",".join(POSE_COLUMNS)


def test_quaternions_do_not_jump(tmp_path: Path) -> None:
    """A full turn in small steps: the signs go on, although every matrix has two quaternions."""
    turns = Rotation.from_rotvec(np.linspace(0, 2 * np.pi, 40)[:, None] * [0, 0, 1.0])
    poses = np.tile(np.eye(4), (40, 1, 1))
    poses[:, :3, :3] = turns.as_matrix()
    write_poses(tmp_path / "poses.csv", poses)
    rows = np.loadtxt(tmp_path / "poses.csv", delimiter=",", skiprows=1)[:, 3:]
    assert np.linalg.norm(np.diff(rows, axis=0), axis=1).max() < 0.1
    assert rows[0, 0] == 1 and rows[-1, 0] == pytest.approx(-1)


def test_one_pose_in_any_form(tmp_path: Path) -> None:
    file = tmp_path / "poses.csv"
    write_poses(file, er.Pose(translation=[1, 2, 3]))
    assert read_poses(file)[0, :3, 3].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.csv", "z,y,x\n3,2,1\n"),
        ("p.csv", "qw,qx,qy,qz,x,y,z\n1,0,0,0,1,2,3\n"),
        ("p.csv", "1,2,3,1,0,0,0\n"),
        ("p.txt", "# a comment\n1 2 3\n"),
        ("p.txt", "1 2 3 1 0 0 0\n"),
    ],
)
def test_columns_in_any_order_or_without_a_header(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    expected = np.eye(4)
    expected[:3, 3] = 1, 2, 3
    assert np.array_equal(read_poses(tmp_path / name), expected[None])


@pytest.mark.parametrize("shape", [(5, 4, 4), (5, 7), (5, 3)])
def test_poses_that_numpy_has_saved(tmp_path: Path, shape: tuple[int, ...]) -> None:
    poses = random_poses(5)
    if len(shape) == 2:
        poses[:, :3, :3] = np.eye(3)
    rows = np.hstack([poses[:, :3, 3], np.tile([1.0, 0, 0, 0], (5, 1))])
    np.save(tmp_path / "p.npy", poses if len(shape) == 3 else rows[:, : shape[1]])
    assert np.array_equal(read_poses(tmp_path / "p.npy"), poses)


def test_configurations_come_back_in_any_order(tmp_path: Path) -> None:
    rows, file = np.random.default_rng(1).normal(size=(7, 3)), tmp_path / "q.csv"
    write_configurations(file, rows, ["a", "b", "c"])
    assert np.array_equal(read_configurations(file, ["a", "b", "c"]), rows)
    assert np.array_equal(read_configurations(file, ["c", "a", "b"]), rows[:, [2, 0, 1]])
    write_configurations(file, rows[:, :2], ["a", "b"])
    found = read_configurations(file, ["b", "c", "a"], zero=[7.0, 8.0, 9.0])
    assert np.array_equal(found, np.column_stack([rows[:, 1], np.full(7, 8.0), rows[:, 0]]))
    with pytest.raises(ValueError, match=r"q.csv' lacks the column c"):
        read_configurations(file, ["a", "b", "c"])


def test_a_joint_of_several_values_has_several_columns(tmp_path: Path) -> None:
    links = [er.Link("hub"), er.Link("arm", er.Sphere(1)), er.Link("tip", er.Sphere(1))]
    joints = [er.Joint("turn", "revolute", "hub", "arm"), er.Joint("ball", "spherical", "arm", "tip")]
    body = er.Articulated(links, joints)
    assert columns_of(body) == ("turn", "ball", "ball", "ball", "ball")
    rows = body.random(4, seed=2)
    write_configurations(tmp_path / "q.csv", rows, columns_of(body))
    assert np.array_equal(read_configurations(tmp_path / "q.csv", columns_of(body), body.zero()), rows)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'{file}' has no rows"),
        ("x,y,z\n", "'{file}' has no rows"),
        ("x,y\n1,2\n", "the header of '{file}' lacks the column z"),
        ("x,y,z,qw\n1,2,3,1\n", "the header of '{file}' lacks the column qx"),
        ("x,x,y,z\n1,2,3,1\n", "column 'x' has 1 value, but the header of '{file}' has 2 columns"),
        ("x,y,z\n1,2\n", r"row 0 of '{file}' \(line 2\) has 2 values, but the header has 3 names"),
        ("1,2,3\n1,2,3,4\n", r"row 1 of '{file}' \(line 2\) has 4 values"),
        ("1,2,inf\n", "row 0 of '{file}' has a value that is not finite"),
        ("0,0,0,0,0,0,0\n", "the quaternion in row 0 of '{file}' must have length 1; it has 0"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "p.csv"
    file.write_text(text)
    with pytest.raises(ValueError, match=words.format(file=file)) as fault:
        read_poses(file)
    assert "\n" not in str(fault.value)


def test_what_is_no_path(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"is not a .npy, .csv or .txt file"):
        read_poses(tmp_path / "poses.xlsx")
    with pytest.raises(ValueError, match="cannot read"):
        read_poses(tmp_path / "nowhere.csv")
    (tmp_path / "p.npy").write_bytes(b"\x93NUMPY broken")
    with pytest.raises(ValueError, match="does not contain a numeric array"):
        read_poses(tmp_path / "p.npy")
    np.save(tmp_path / "p.npy", np.zeros((2, 5)))
    with pytest.raises(ValueError, match=r"must hold rows of 7 values .* shape \(2, 5\)"):
        read_poses(tmp_path / "p.npy")
    with pytest.raises(ValueError, match="a name that a CSV file cannot hold: 'a,b'"):
        write_configurations(tmp_path / "q.csv", [[1.0]], ["a,b"])
