"""Recorded motion from BVH files: kinematics, capsules, which links are not compared, and what is refused."""

from __future__ import annotations

from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from robot_files import NONE, ROOT, STILL, Bvh, Read, bvh_reader, bvh_text, figure, random_values
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom.files.bvh import BvhParts, read_bvh


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return bvh_reader(tmp_path)


def slow_poses(root: Bvh, row: list[float]) -> dict[str, np.ndarray]:
    """Where the joints are in one frame: matrix after matrix, channel after channel."""
    values = iter(row)
    out: dict[str, np.ndarray] = {}

    def visit(joint: Bvh, above: np.ndarray) -> None:
        place, turn = np.array(joint.offset, float), np.eye(3)
        for channel in joint.channels:
            axis, value = "XYZ".index(channel[0]), next(values)
            if channel.endswith("position"):
                place[axis] = value
            else:
                turn = turn @ Rotation.from_rotvec(np.radians(value) * np.eye(3)[axis]).as_matrix()
        out[joint.name] = above @ np.block([[turn, place[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])
        for child in joint.children:
            visit(child, out[joint.name])

    visit(root, np.eye(4))
    return out


def poses_of(parts: BvhParts, frame: int) -> dict[str, np.ndarray]:
    """Where the links are, from joints and configuration as the articulated body defines them."""
    values = parts.motion[frame].tolist()
    out: dict[str | None, np.ndarray] = {None: np.eye(4)}
    for joint in parts.joints:
        place, values = (values[:3], values[3:]) if joint.kind == "free" else (NONE, values)
        turn, values = values[:4], values[4:]
        out[joint.child] = out[joint.parent] @ joint.origin.matrix @ er.Pose(turn, place).matrix
    assert not values
    del out[None]
    return out  # type: ignore[return-value]


def same_motion(parts: BvhParts, root: Bvh, values: np.ndarray) -> bool:
    for frame, row in enumerate(values.tolist()):
        want, have = slow_poses(root, row), poses_of(parts, frame)
        if list(want) != list(have) or not all(np.allclose(want[k], have[k], atol=1e-10) for k in want):
            return False
    return True


def test_the_motion_is_that_of_a_slow_computation(read: Read) -> None:
    root = figure()
    values = random_values(root, 6)
    parts = read(bvh_text(root, values, 0.025))
    names = [joint.name for joint in root.all()]
    assert [link.name for link in parts.links] == [joint.name for joint in parts.joints] == names
    assert [joint.kind for joint in parts.joints] == ["free"] + ["spherical"] * (len(names) - 1)
    assert parts.frame_time == 0.025 and parts.motion.shape == (6, 7 + 4 * (len(names) - 1))
    assert same_motion(parts, root, values)


@pytest.mark.parametrize("order", [*permutations("XYZ"), ("Z", "X", "Z"), ("Y",), ("Z", "X"), ()])
def test_rotations_are_composed_as_listed(read: Read, order: tuple[str, ...]) -> None:
    turns = tuple(f"{axis}rotation" for axis in order)
    root = Bvh("a", NONE, (*turns, "Yposition"), children=[Bvh("b", (0, 1, 0), turns, ends=[(0, 1, 0)])])
    values = random_values(root, 4)
    assert same_motion(read(bvh_text(root, values)), root, values)


def test_the_same_kinematics_as_bvhio(tmp_path: Path) -> None:
    bvhio = pytest.importorskip("bvhio")
    root, path = figure(), tmp_path / "motion.bvh"
    path.write_text(
        bvh_text(root, random_values(root, 3, seed=5)).replace("left ", "l").replace("right ", "r")
    )
    parts, peer = read_bvh(path), bvhio.readAsHierarchy(str(path))
    for frame in range(3):
        peer.loadPose(frame)
        poses = poses_of(parts, frame)
        for joint, _, _ in peer.layout():
            assert np.allclose(
                poses[joint.Name][:3, 3], list(joint.PositionWorld), atol=1e-3
            )  # single precision


def test_position_channels_within_the_skeleton(read: Read) -> None:
    """They replace the offset; where they repeat it, or are 0 throughout, the joint stays spherical."""
    child = Bvh("b", (0.0, 1.0, 0.25), ROOT, ends=[(0, 1, 0)])
    root = Bvh("a", (5, 5, 5), ROOT, children=[child])
    values = random_values(root, 3)
    moved = read(bvh_text(root, values))
    assert [joint.kind for joint in moved.joints] == ["free", "free"] and same_motion(moved, root, values)
    values[:, 6:9] = child.offset
    values[:, 6] += 1e-6
    still = read(bvh_text(root, values))
    values[:, 6:9] = 0
    silent = read(bvh_text(root, values))
    for parts in (still, silent):
        assert [joint.kind for joint in parts.joints] == ["free", "spherical"]
        assert parts.joints[1].origin.translation.tolist() == [0, 1, 0.25]


def test_quaternions_keep_to_their_side(read: Read) -> None:
    root = Bvh("a", NONE, ("Zrotation",), ends=[(0, 1, 0)])
    wrapped = np.arange(0.0, 1500.0, 20.0) % 360 - 180
    motion = read(bvh_text(root, wrapped[:, None])).motion[:, 3:]
    assert np.allclose(np.linalg.norm(motion, axis=1), 1)
    assert ((motion[1:] * motion[:-1]).sum(axis=1) > 0.9).all() and motion[:, 0].min() < -0.9


def test_capsules_lie_along_the_bones(read: Read) -> None:
    directions = [(0, 0, 2), (0, 0, -2), (3, 0, 0), (0, -1e-3, -1), (-1, 2, -3)]
    root = Bvh("a", NONE, ROOT, children=[Bvh("b", (1, 1, 1), ends=[NONE])], ends=[*directions, NONE])
    a, b = read(bvh_text(root, np.zeros((1, 9)))).links
    assert b.shapes == ()
    for (body, pose), offset in zip(a.shapes, [(1, 1, 1), *directions], strict=True):
        ends = pose.apply([[0, 0, -body.length / 2], [0, 0, body.length / 2]])
        assert min(np.abs(pair - [NONE, offset]).max() for pair in (ends, ends[::-1])) < 1e-14


def radii(parts: BvhParts) -> dict[str, list[float]]:
    return {link.name: [body.radius for body, _ in link.shapes] for link in parts.links}


def test_a_bone_is_as_thick_as_what_it_carries_asks_for(read: Read) -> None:
    found = radii(read(bvh_text(figure(), STILL)))
    height = 2 * (0.2 + 0.3 + 0.25 + 0.15)  # from hand to hand
    carried = {
        "left thigh": 0.43 + 0.42 + np.hypot(0.06, 0.15),
        "right elbow": 0.25 + 0.15,
        "hips": 0.2 + 0.25 + np.hypot(0.2, 0.05) + 0.3 + 0.25 + 0.15,
    }
    for name, length in carried.items():
        assert found[name] == pytest.approx([0.045 * np.sqrt(length * height)])
    assert found["left thumb"] == pytest.approx([0.2 * np.hypot(0.05, 0.05)]) and found["left hip"] != []
    assert found["chest"] == []  # all that begins there has no length


def test_radii_may_be_given(read: Read) -> None:
    text = bvh_text(figure(), STILL)
    assert {r for rs in radii(read(text, radii=0.03)).values() for r in rs} == {0.03}
    rule, edited = radii(read(text)), radii(read(text, radii={"left thigh": 0.2, "neck": 0.0}))
    assert edited == rule | {"left thigh": [0.2], "neck": [0.0]}
    thinner = radii(read(text, radii={"neck": 0.4}, radius_scale=0.5))
    assert thinner == {name: [0.5 * r for r in rs] for name, rs in (rule | {"neck": [0.4]}).items()}
    with pytest.raises(ValueError, match=r"radius_scale must be .*not negative"):
        read(text, radius_scale=-1.0)
    cases: list[tuple[Any, str]] = [
        ({"tail": 1}, "radii names 'tail', .*; bones begin at hips, .*neck"),
        ({"chest": 1}, "radii names 'chest'"),
        ({"neck": -1}, r"radii\['neck'\] must be .*not negative"),
        ("thick", "radii must be a number"),
        (np.nan, "radii must be finite"),
    ]
    for wrong, message in cases:
        with pytest.raises(ValueError, match=message):
            read(text, radii=wrong)


def overlaps(parts: BvhParts, poses: dict[str, np.ndarray]) -> set[frozenset[str]]:
    """Pairs of links whose capsules overlap, all against all."""
    out = set()
    for a, b in combinations(parts.links, 2):
        for (one, at), (other, there) in ((x, y) for x in a.shapes for y in b.shapes):
            if er.collide(one, other, poses[a.name] @ at.matrix, poses[b.name] @ there.matrix):
                out.add(frozenset((a.name, b.name)))
    return out


def test_links_that_meet_or_overlap_at_rest_are_excluded_and_no_others(read: Read) -> None:
    root = figure()
    values = STILL.copy()
    values[0, 3:6] = 30, 40, 50  # the whole figure turned and moved: at rest all the same
    values[0, :3] = 1, 2, 3
    thin = read(bvh_text(root, values), radii=0)
    excluded = {frozenset(pair) for pair in thin.exclude}
    assert len(excluded) == len(thin.exclude) and all(len(pair) == 2 for pair in excluded)
    meet = [("hips", "left hip"), ("left hip", "right hip"), ("left hip", "left thigh"), ("spine", "neck"),
            ("neck", "left arm"), ("left arm", "right arm"), ("left elbow", "left thumb"),
            ("left hand", "left thumb"), ("left hand", "left elbow")]  # fmt: skip
    apart = [("left hip", "right thigh"), ("hips", "neck"), ("hips", "left arm"), ("left arm", "left elbow")]
    assert all(frozenset(pair) in excluded for pair in meet)
    assert not any(frozenset(pair) in excluded for pair in apart)
    hardly = read(bvh_text(root, values), radii=1e-9)
    assert hardly.exclude == thin.exclude and excluded == overlaps(hardly, poses_of(hardly, 0))
    thick = read(bvh_text(root, values), radii={"left thigh": 0.3})
    at_rest = overlaps(thick, poses_of(thick, 0))
    assert {frozenset(pair) for pair in thick.exclude} == at_rest
    assert frozenset(("left thigh", "right thigh")) in at_rest - excluded


def test_by_the_rule_hardly_more_overlaps_at_rest_than_meets(read: Read) -> None:
    """The foot of the spine reaches the thighs; the legs are apart."""
    text = bvh_text(figure(), STILL)
    more = set(read(text).exclude) - set(read(text, radii=1e-9).exclude)
    assert more == {("hips", "left thigh"), ("hips", "right thigh")}


def test_an_articulated_body_from_a_file(tmp_path: Path) -> None:
    root, path = figure(), tmp_path / "motion.bvh"
    values = np.concatenate([STILL, random_values(root, 5)])
    path.write_text(bvh_text(root, values, 0.5))
    parts, body = read_bvh(path), er.Articulated.from_bvh(path)
    assert body.frame_time == 0.5 and np.array_equal(body.motion, parts.motion)
    body.move(body.motion)
    poses = body.link_poses()
    for frame, row in enumerate(values.tolist()):
        for name, pose in slow_poses(root, row).items():
            assert np.allclose(poses[frame, body.link_number(name)], pose, atol=1e-9)
    allowed = {frozenset(pair) for pair in parts.exclude}
    want = [bool(overlaps(parts, poses_of(parts, frame)) - allowed) for frame in range(6)]
    assert er.self_collide(body).hits.tolist() == want and want[0] is False and any(want)
