"""Collision matrices: their bounds against sampled configurations, and their verdicts against samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom.cli.app import run
from elbowroom.matrix.pair import PairSearch
from elbowroom.matrix.path import Path as JointPath
from elbowroom.matrix.solids import MOST_POINTS, Hull, LinkSolid, Part

SHAPES = (
    lambda rng: er.Sphere(rng.uniform(0.05, 0.3)),
    lambda rng: er.Capsule(rng.uniform(0.05, 0.15), rng.uniform(0.2, 0.8)),
    lambda rng: er.Box(rng.uniform(0.1, 0.6, 3)),
    lambda rng: er.Convex(rng.normal(size=(12, 3)) * 0.2),
    lambda rng: er.Mesh(rng.normal(size=(6, 3)) * 0.2, [[0, 1, 2], [2, 3, 4], [3, 4, 5]]),
)


def random_pose(rng: np.random.Generator, reach: float) -> er.Pose:
    turn = rng.normal(size=4)
    return er.Pose(turn / np.linalg.norm(turn), rng.normal(size=3) * reach)


def random_robot(seed: int, links: int = 5) -> er.Articulated:
    """Revolute, sliding and fixed joints, one of them a mimic, in a random tree."""
    rng = np.random.default_rng(seed)
    made = [
        er.Link(
            f"link {i}", [(rng.choice(SHAPES)(rng), random_pose(rng, 0.2)) for _ in range(rng.integers(1, 3))]
        )
        for i in range(links)
    ]
    joints = []
    for i in range(1, links):
        kind = rng.choice(["revolute", "revolute", "prismatic", "fixed"]) if i > 1 else "revolute"
        low = rng.uniform(-1.5, 0)
        mimic = er.Mimic("joint 1", rng.choice([-1.0, 0.5]), 0.1) if i == 3 and kind != "fixed" else None
        parent = f"link {rng.integers(max(0, i - 2), i)}"
        limits = (low, low + rng.uniform(0.2, 2.5))
        at = random_pose(rng, 0.6)
        joints.append(
            er.Joint(f"joint {i}", kind, parent, f"link {i}", at, rng.normal(size=3), limits, mimic)
        )
    return er.Articulated(made, joints, exclude=None)


def in_the_first(body: er.Articulated, a: int, b: int, values: Any) -> Any:
    """The second link seen from the first, by the kinematics of the body."""
    body.move(values)
    poses = body.link_poses()
    return np.linalg.inv(poses[a]) @ poses[b]


@pytest.mark.parametrize("seed", range(12))
def test_no_configuration_of_a_box_is_nearer_than_its_bound(seed: int) -> None:
    rng, body = np.random.default_rng(seed), random_robot(seed)
    shapes: dict[int, list[Any]] = {}
    for link, shape, pose in body.shapes:
        shapes.setdefault(link, []).append((shape, pose))
    bounded = 0
    for a, b in ((0, 4), (1, 3), (0, 2), (3, 4), (1, 2)):
        solid_a, solid_b, path = LinkSolid(shapes[a]), LinkSolid(shapes[b]), JointPath(body, a, b)
        boxes, width = path.boxes(solid_a, solid_b), path.high - path.low
        half = 0.5 * width * rng.choice([0.01, 0.05, 0.2], (20, 1))
        centre = path.low + half + rng.random((20, len(width))) * (width - 2 * half)
        normals = rng.normal(size=(20, 3))
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        pose = boxes.poses(centre)
        apart = er.distance(solid_a.exact, solid_b.exact, None, pose)
        way = apart.points[:, 1] - apart.points[:, 0]
        good = apart.values > 0
        normals[good] = way[good] / np.linalg.norm(way[good], axis=1)[:, None]
        gap, _ = boxes.bounds(centre, half, normals)
        moved = boxes.displacements(centre, half)
        bounded += int((gap > 0).sum())
        for k in range(20):
            values = centre[k] + half[k] * np.clip(rng.uniform(-1.5, 1.5, (40, len(width))), -1, 1)
            configurations = np.tile(body.zero(), (40, 1))
            configurations[:, path.where] = values
            poses = np.array([in_the_first(body, a, b, c) for c in configurations])
            assert np.allclose(boxes.poses(values), poses, atol=1e-12)
            nearest = er.distance(solid_a.exact, solid_b.exact, None, poses).values.min()
            assert nearest >= gap[k] - 1e-12
            assert nearest >= apart.values[k] - moved[k] - 1e-12
    assert bounded > 5


@pytest.mark.parametrize("seed", range(10))
def test_what_a_joint_sweeps_is_held_by_the_swept_hull(seed: int) -> None:
    rng, body = np.random.default_rng(seed), random_robot(seed, 6)
    tried = 0
    for a in range(6):
        for b in range(a + 1, 6):
            path = JointPath(body, a, b)
            for joint in (0, -1):
                if not len(path) or not path.can_sweep(joint):
                    continue
                tried += 1
                point = rng.normal(size=(1, 3))
                link, less = Hull(point, np.zeros(1)), path.without(joint)
                hull = er.Convex(path.swept(link, joint).centres)
                values = rng.uniform(path.low, path.high, (30, len(path.low)))
                whole = path.boxes(link, link).poses(values)
                short = less.boxes(link, link).poses(
                    np.ascontiguousarray(values[:, np.isin(path.where, less.where)])
                )
                if joint == -1:  # the point in the second link, seen from what is left of the path
                    seen = np.linalg.inv(short) @ whole @ np.append(point[0], 1)
                else:
                    seen = short @ np.linalg.inv(whole) @ np.append(point[0], 1)
                poses = np.tile(np.eye(4), (30, 1, 1))
                poses[:, :3, 3] = seen[:, :3]
                assert er.distance(hull, er.Sphere(1e-9), None, poses).values.max() < 1e-9
    assert tried


@pytest.mark.parametrize("seed", range(16))
def test_verdicts_against_samples(seed: int) -> None:
    body = random_robot(seed)
    found = er.collision_matrix(body, 20, samples=200, seed=seed)
    body.exclude(body._skeleton.rigid_pairs().array())
    configurations = body.random(3000, seed=seed + 1)
    ends = np.random.default_rng(seed).integers(0, 3, configurations.shape)
    configurations = np.where(ends == 0, body.limits[:, 0], configurations)
    seen = er.self_collide(body, configurations=configurations, every=True)
    hits = np.zeros((len(body), len(body)), np.int64)
    for i, j in np.sort(seen.pairs, axis=1).tolist():
        hits[i, j] += 1
    assert not any(hits[i, j] for i, j in found.never.tolist())
    for i, j in found.always.tolist():
        assert hits[i, j] == 3000 or any(isinstance(s, er.Mesh) for k, s, _ in body.shapes if k in (i, j))
    for i, j in found.sometimes.tolist():
        there = er.self_collide(body, configurations=found.witness(i, j)[None], every=True)
        assert [i, j] in np.sort(there.pairs, axis=1).tolist()
    assert len(found.never) + len(found.sometimes) + len(found.always) > 0


def test_thinned_points_hold_the_hull() -> None:
    rng = np.random.default_rng(5)
    points = rng.normal(size=(2000, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    hull = Hull(points, np.full(2000, 0.1))
    assert len(hull.centres) == MOST_POINTS
    for direction in rng.normal(size=(200, 3)):
        direction /= np.linalg.norm(direction)
        assert (hull.centres @ direction + hull.radii).max() >= (points @ direction).max() + 0.1


def test_halves_of_a_part_hold_its_primitives() -> None:
    triangles = list(np.random.default_rng(2).normal(size=(9, 3, 3)))
    whole = Part(triangles, [0.0] * 9)
    assert sum(len(half.primitives) for half in whole.halves) == 9
    assert Part(triangles[:1], [0.0]).halves == ()


def hinge(
    limits: tuple[float, float] | None = (-1.0, 1.0), kind: str = "revolute", far: float = 3.0
) -> er.Articulated:
    links = [
        er.Link("base", er.Box(1)),
        er.Link("door", [(er.Box([2, 1, 0.1]), er.Pose(translation=[far, 0, 0]))]),
    ]
    joint = er.Joint("hinge", kind, "base", "door", None, (0, 0, 1), limits)  # type: ignore[arg-type]
    return er.Articulated(links, [joint], exclude=None)


@pytest.mark.parametrize(("far", "verdict"), [(3.0, "never"), (1.0, "always"), (1.6, "sometimes")])
def test_a_door(far: float, verdict: str) -> None:
    found = er.collision_matrix(hinge(None, far=far))
    assert getattr(found, verdict).tolist() == [[0, 1]]


def test_a_ball_in_a_closed_mesh_is_enclosed() -> None:
    import trimesh

    box = trimesh.creation.box((4, 4, 4))
    links = [er.Link("house", er.Mesh(box.vertices, box.faces)), er.Link("cat", er.Sphere(0.5))]
    slide = er.Joint("slide", "prismatic", "house", "cat", None, (1, 0, 0), (-1, 1))
    found = er.collision_matrix(er.Articulated(links, [slide]))
    assert found.always.tolist() == [[0, 1]]
    assert found.witness("cat", "house").shape == (1,)


def test_swept_links_that_are_rounded_are_never_called_apart() -> None:
    """Two balls that always overlap, three sliding joints apart: swept, they are hulls with a radius."""
    names = ["base", "x", "y", "z"]
    links = [er.Link(name, er.Sphere(1.0) if name in ("base", "z") else None) for name in names]
    at = er.Pose(translation=[1.5, 0, 0])
    joints = [
        er.Joint(b, "prismatic", a, b, at if b == "x" else None, axis, (-0.05, 0.05))
        for a, b, axis in zip(names, names[1:], np.eye(3), strict=False)
    ]
    body = er.Articulated(links, joints, exclude=None)
    ball = LinkSolid([(er.Sphere(1.0), er.Pose())])
    pair = PairSearch(body, 0, 3, ball, ball)
    for joint in ((-1,), (0,), (0, -1)):
        swept = pair.swept(joint)
        assert swept is not None
        swept.prove(500, lambda: False)
        assert swept.verdict != "never"
    assert er.collision_matrix(body).always.tolist() == [[0, 3]]


def test_witnesses_are_within_limits_of_more_than_a_turn() -> None:
    door = hinge((0.0, 7.0), far=1.6)
    value = er.collision_matrix(door).witness("base", "door")[0]
    assert 0.0 <= value <= 7.0
    assert JointPath(door, 0, 1).low[0] == 0.0 and JointPath(door, 0, 1).high[0] == pytest.approx(2 * np.pi)


def test_joints_without_limits_and_ball_joints() -> None:
    with pytest.raises(ValueError, match="joint 'hinge' has no limits"):
        er.collision_matrix(hinge(None, "prismatic"), samples=0)
    assert er.collision_matrix(hinge(None, "spherical"), samples=100).undecided.tolist() == [[0, 1]]


@pytest.mark.parametrize(("name", "value"), [("seconds", -1), ("samples", -1), ("seed", 0.5)])
def test_bad_arguments(name: str, value: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=name):
        er.collision_matrix(hinge(), **{name: value})


ROBOT = """<robot name="three"><link name="a">{ball}</link><link name="b">{ball}</link>
<link name="c">{ball}</link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="{b} 0 0"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3"/></joint><joint name="k" type="revolute"><parent link="b"/><child link="c"/>
<origin xyz="{c} 0 0"/><axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint></robot>"""
BALL = '<collision><origin xyz="1 0 0"/><geometry><sphere radius="0.4"/></geometry></collision>'


def test_the_command_writes_and_compares_srdf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    robot, made, given = tmp_path / "three.urdf", tmp_path / "made.srdf", tmp_path / "given.srdf"
    robot.write_text(ROBOT.format(ball=BALL, b=2, c=9))
    assert run(["matrix", str(robot), "--srdf", str(made), "--plot", str(tmp_path / "three.png")]) == 0
    text = capsys.readouterr().out
    assert "never           2" in text and "undecided       0" in text
    body = er.Articulated.from_urdf(robot, made)
    assert body.names(body.excluded) == [("a", "c"), ("b", "c")]
    assert (tmp_path / "three.png").stat().st_size > 1000
    robot.write_text(ROBOT.format(ball=BALL, b=2, c=2))
    given.write_text('<robot name="three"><disable_collisions link1="c" link2="a" reason="Never"/></robot>')
    assert run(["matrix", str(robot), "--compare", str(given)]) == 1
    assert "can collide: 1 pair\n  a and c" in capsys.readouterr().out


def test_the_command_names_a_robot_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.urdf").write_text("<robot/>")
    assert run(["matrix", str(tmp_path / "x.urdf")]) == 2
    assert "x.urdf" in capsys.readouterr().err
