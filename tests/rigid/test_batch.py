"""Arrays of poses: exactly the answers of single calls, whatever the layout and the number of threads."""

from __future__ import annotations

from typing import Any

import nasty
import numpy as np
import pytest

import elbowroom as er

COUNT = 200  # several chunks of work, and a last one that is not full


def make_case(kinds: tuple[str, str]) -> nasty.Case:
    return nasty.case(np.random.default_rng(nasty.KIND_PAIRS.index(kinds)), kinds, COUNT, "general")


def single_distances(case: nasty.Case, **options: Any) -> list[Any]:
    poses = zip(case.pose_a, case.pose_b, strict=True)
    return [er.distance(case.a.body, case.b.body, *pose, **options) for pose in poses]


def check_distances(many: Any, single: list[Any]) -> None:
    """Every number of the batch is the number of the single call, to the last bit."""
    assert many.values.tolist() == [s.value for s in single]
    assert many.lower.tolist() == [s.lower for s in single]
    assert many.upper.tolist() == [s.upper for s in single]
    assert many.points.tolist() == [s.points.tolist() for s in single]
    assert many.pairs.tolist() == [s.pair.tolist() for s in single]
    for name in ("volume_tests", "leaf_tests", "pairs_visited"):
        assert getattr(many.counters, name) == sum(getattr(s.counters, name) for s in single)


def same(one: Any, other: Any) -> bool:
    arrays = ("values", "lower", "upper", "points", "pairs")
    return (
        all(np.array_equal(getattr(one, a), getattr(other, a)) for a in arrays)
        and one.counters == other.counters
    )


@pytest.mark.parametrize("kinds", nasty.KIND_PAIRS)
def test_distances_are_those_of_single_calls(kinds: tuple[str, str]) -> None:
    case = make_case(kinds)
    many = er.distance(case.a.body, case.b.body, case.pose_a, case.pose_b)
    check_distances(many, single_distances(case))
    assert np.array_equal(np.asarray(many), many.values) and len(many) == COUNT and many[7] == many.values[7]


@pytest.mark.parametrize("kinds", nasty.KIND_PAIRS)
def test_verdicts_are_those_of_single_calls(kinds: tuple[str, str]) -> None:
    case = make_case(kinds)
    many = er.collide(case.a.body, case.b.body, case.pose_a, case.pose_b)
    poses = zip(case.pose_a, case.pose_b, strict=True)
    single = [er.collide(case.a.body, case.b.body, *pose) for pose in poses]
    assert many.hits.dtype == bool and many.hits.tolist() == [bool(s) for s in single]
    for name in ("volume_tests", "leaf_tests", "pairs_visited"):
        assert getattr(many.counters, name) == sum(getattr(s.counters, name) for s in single)
    assert np.asarray(many).tolist() == many.hits.tolist() and len(many) == COUNT


@pytest.mark.parametrize("options", [{"every": True}, {"depth": True}, {"every": True, "depth": True}])
@pytest.mark.parametrize(
    "kinds", [("mesh", "mesh"), ("convex", "group"), ("box", "mesh"), ("sphere", "capsule")]
)
def test_pairs_and_contacts_are_those_of_single_calls(
    kinds: tuple[str, str], options: dict[str, Any]
) -> None:
    case = make_case(kinds)
    many = er.collide(case.a.body, case.b.body, case.pose_a, case.pose_b, **options)
    poses = zip(case.pose_a, case.pose_b, strict=True)
    single = [er.collide(case.a.body, case.b.body, *pose, **options) for pose in poses]
    assert many.hits.any() and not many.hits.all() and many.hits.tolist() == [bool(s) for s in single]
    assert many.frames.tolist() == [k for k, s in enumerate(single) for _ in s.pairs]
    assert many.pairs.tolist() == [pair for s in single for pair in s.pairs.tolist()]
    assert (many.contacts is None) == ("depth" not in options)
    for name in ("points", "normals", "depths") if "depth" in options else ():
        rows = [row for s in single for row in getattr(s.contacts, name).tolist()]
        assert getattr(many.contacts, name).tolist() == rows


@pytest.mark.parametrize(
    "options", [{"enough": 0.3}, {"linear": np.diag([1.0, 2.0, 0.5])}, {"budget": er.Budget(tests=8)}]
)
def test_options_hold_for_every_pose(options: dict[str, Any]) -> None:
    case = make_case(("mesh", "group"))
    many = er.distance(case.a.body, case.b.body, case.pose_a, case.pose_b, **options)
    single = single_distances(case, **options)
    check_distances(many, single)
    if "budget" in options:
        assert many.status == "out of budget"


@pytest.mark.parametrize("options", [{}, {"enough": 1e9}])
def test_the_status_is_that_of_the_single_calls_when_they_agree(options: dict[str, Any]) -> None:
    poses = np.tile(er.Pose(translation=[5.0, 0.0, 0.0]).matrix, (3, 1, 1))
    for ask, more in ((er.distance, options), (er.collide, {})):
        many = ask(er.Box(1), er.Sphere(1), None, poses, **more)
        assert many.status == ask(er.Box(1), er.Sphere(1), None, poses[0], **more).status
    hits = er.collide(er.Box(1), er.Sphere(1), None, np.tile(np.eye(4), (3, 1, 1)))
    assert hits.status == er.collide(er.Box(1), er.Sphere(1)).status


@pytest.mark.parametrize("threads", [1, 2, 3, 7, 64, 5000, np.int64(2), None])
def test_the_number_of_threads_changes_nothing(threads: Any) -> None:
    case = make_case(("mesh", "mesh"))
    a, b, poses = case.a.body, case.b.body, (case.pose_a, case.pose_b)
    assert same(er.distance(a, b, *poses, threads=threads), er.distance(a, b, *poses, threads=1))
    every = [er.collide(a, b, *poses, every=True, threads=count) for count in (threads, 1)]
    for name in ("hits", "frames", "pairs"):
        assert np.array_equal(*(getattr(answer, name) for answer in every))
    hits = er.collide(a, b, *poses, threads=threads)
    assert np.array_equal(hits.hits, every[1].hits)


def test_an_array_on_either_side_or_on_both() -> None:
    case = make_case(("box", "mesh"))
    a, b, fixed = case.a.body, case.b.body, case.pose_a[0]
    repeated = np.tile(fixed, (COUNT, 1, 1))
    assert same(er.distance(a, b, fixed, case.pose_b), er.distance(a, b, repeated, case.pose_b))
    assert same(er.distance(b, a, case.pose_b, fixed), er.distance(b, a, case.pose_b, repeated))
    assert same(
        er.distance(a, b, er.Pose.from_matrix(fixed), case.pose_b), er.distance(a, b, repeated, case.pose_b)
    )
    origin = np.tile(np.eye(4), (COUNT, 1, 1))
    assert same(er.distance(a, b, None, case.pose_b), er.distance(a, b, origin, case.pose_b))
    there, back = er.distance(a, b, case.pose_a, case.pose_b), er.distance(b, a, case.pose_b, case.pose_a)
    assert np.array_equal(there.values, back.values) and np.array_equal(there.pairs, back.pairs[:, ::-1])


def layouts(poses: np.ndarray) -> dict[str, Any]:
    """The same numbers, lying differently in memory."""
    wide = np.zeros((len(poses), 8, 4))
    wide[:, ::2] = poses
    read_only = poses.copy()
    read_only.flags.writeable = False
    return {
        "fortran": np.asfortranarray(poses), "every other row": wide[:, ::2], "read-only": read_only,
        "backwards": poses[::-1].copy()[::-1], "transposed": poses.swapaxes(1, 2).copy().swapaxes(1, 2),
        "objects": poses.astype(object), "long": poses.astype(np.longdouble),
        "list": poses.tolist(), "list of arrays": list(poses), "memoryview": poses.data,
        "big-endian": poses.astype(">f8"),
    }  # fmt: skip


@pytest.mark.parametrize("layout", layouts(np.eye(4)[None]))
def test_the_layout_in_memory_changes_nothing(layout: str) -> None:
    case = make_case(("convex", "mesh"))
    a, b, poses = case.a.body, case.b.body, case.pose_b[:50]
    plain, other = er.distance(a, b, None, poses), layouts(poses)[layout]
    assert same(er.distance(a, b, None, other), plain)
    assert np.array_equal(er.collide(a, b, other, None).hits, er.collide(a, b, poses, None).hits)
    if layout != "memoryview":  # which gives no single pose
        assert er.distance(a, b, None, other[3]).value == plain.values[3]


def test_single_precision_poses_are_the_rotations_they_were_rounded_from() -> None:
    case = make_case(("box", "mesh"))
    a, b = case.a.body, case.b.body
    rounded: Any = case.pose_b.astype(np.float32)
    exact, found = er.distance(a, b, None, case.pose_b), er.distance(a, b, None, rounded)
    assert found.values == pytest.approx(exact.values, abs=2e-6 * case.scale.max())
    assert same(found, er.distance(a, b, None, rounded.astype(np.float64)))
    single = [er.distance(a, b, None, pose).value for pose in rounded]
    assert found.values.tolist() == single


def test_integers_are_poses() -> None:
    poses: Any = np.tile(np.eye(4, dtype=np.int64), (3, 1, 1))
    poses[:, 0, 3] = [0, 2, 5]
    assert er.distance(er.Sphere(1), er.Sphere(1), None, poses).values.tolist() == [0.0, 0.0, 3.0]


def test_one_pose_in_an_array_is_still_an_array() -> None:
    poses = er.Pose(translation=[3.0, 0.0, 0.0]).matrix[None]
    many, hits = (
        er.distance(er.Sphere(1), er.Sphere(1), None, poses),
        er.collide(er.Sphere(1), er.Sphere(1), poses),
    )
    assert isinstance(many, er.Distances) and many.values.tolist() == [1.0] and many.points.shape == (1, 2, 3)
    assert isinstance(hits, er.Collisions) and hits.hits.tolist() == [False]
    assert isinstance(er.distance(er.Sphere(1), er.Sphere(1), None, poses[0]), er.Distance)


def test_a_batch_has_no_single_verdict() -> None:
    hits = er.collide(er.Sphere(1), er.Sphere(1), None, np.tile(np.eye(4), (2, 1, 1)))
    with pytest.raises(ValueError, match="any"):
        bool(hits)
    assert hits[:1].tolist() == [True] and np.asarray(hits, dtype=int).sum() == 2


def test_the_poses_are_left_as_they_were() -> None:
    case = make_case(("mesh", "mesh"))
    before = case.pose_a.copy(), case.pose_b.copy()
    er.distance(case.a.body, case.b.body, case.pose_a, case.pose_b)
    assert np.array_equal(case.pose_a, before[0]) and np.array_equal(case.pose_b, before[1])


def test_a_list_of_poses_is_an_array_of_poses() -> None:
    """And a pair in a list is a rotation and a translation."""
    poses = [er.Pose(translation=[x, 0.0, 0.0]) for x in (0.5, 1.5, 2.5)]
    box = er.Box(1)
    assert er.collide(box, box, None, poses).hits.tolist() == [True, False, False]
    assert er.distance(box, box, None, [np.eye(3), [2.5, 0.0, 0.0]]).value == 1.5
    assert er.distance(box, box, None, (None, [2.5, 0.0, 0.0])).value == 1.5


def test_a_budget_tells_which_answers_are_proved() -> None:
    wall = er.Group([(er.Box(1), (None, [0.0, i, j])) for i in range(30) for j in range(30)])
    poses = np.tile(np.eye(4), (2, 1, 1))
    poses[:, :3, 3] = [[90.0, 0.0, 0.0], [0.98, 12.4, 12.6]]
    assert er.collide(wall, er.Box(1), None, poses).finished.tolist() == [True, True]
    few = er.Budget(tests=2)
    assert er.collide(wall, er.Box(1), None, poses, budget=few).finished.tolist() == [True, False]
    assert er.distance(wall, er.Box(1), None, poses, budget=few).finished.tolist() == [False, False]


@pytest.mark.parametrize("kinds", nasty.KIND_PAIRS)
def test_within_over_poses(kinds: tuple[str, str]) -> None:
    case = make_case(kinds)
    reach = float(np.median([d.value for d in single_distances(case)]))
    many = er.within(case.a.body, case.b.body, reach, case.pose_a, case.pose_b)
    single = [
        er.within(case.a.body, case.b.body, reach, *pose)
        for pose in zip(case.pose_a, case.pose_b, strict=True)
    ]
    assert len(many) == sum(len(s) for s in single) > 0
    assert many.frames.tolist() == [i for i, s in enumerate(single) for _ in range(len(s))]
    assert many.indices.tolist() == [pair for s in single for pair in s.indices.tolist()]
    assert many.distances.tolist() == [d for s in single for d in s.distances.tolist()]
    assert many.counters.volume_tests == sum(s.counters.volume_tests for s in single)
    assert many.finished.all() and many.status == "exhausted"
    assert single[0].frames is None and single[0].finished is None


def test_within_over_poses_on_a_budget_says_what_is_not_finished() -> None:
    spring, poses = er.Mesh(*er.scenes.spring()), er.scenes.spring_path(100)
    many = er.within(spring, spring, 0.3, pose_b=poses, budget=er.Budget(tests=200), threads=1)
    assert many.status == "out of budget"
    assert 0 < many.finished.sum() < 100
    full = er.within(spring, spring, 0.3, pose_b=poses)
    for i in np.flatnonzero(many.finished):
        assert many.indices[many.frames == i].tolist() == full.indices[full.frames == i].tolist()


def test_within_over_poses_takes_no_memory() -> None:
    with pytest.raises(ValueError, match="memory takes one pose at a time"):
        er.within(er.Sphere(1), er.Sphere(1), 1.0, pose_b=np.stack([np.eye(4)] * 2), memory=er.Memory())
