"""Every argument, given wrongly: an error that names it, before any work."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom import volumes

BALL, CUBE = er.Sphere(1.0), er.Box(1.0)
GROUP = er.Group([BALL, CUBE])
BOX = volumes.fit(volumes.Aabb, [[0, 0, 0], [1, 1, 1]])
THREE = np.eye(3)
POSES = np.tile(np.eye(4), (3, 1, 1))
TOO_LARGE = 1.001e15


def with_entry(array: np.ndarray, index: Any, value: Any) -> np.ndarray:
    out = np.array(array)
    out[index] = value
    return out


def bad_numbers(array: np.ndarray, index: Any) -> dict[str, Any]:
    """The array with one number that cannot be used, and the array as types that hold no real numbers."""
    values = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf, "too large": TOO_LARGE, "too small": -TOO_LARGE}
    spoilt: dict[str, Any] = {name: with_entry(array, index, value) for name, value in values.items()}
    return spoilt | {"complex": array + 1j, "text": array.astype(str), "words": np.full(array.shape, "x")}


# Values to refuse, and then one row for each argument: how it is given, the name that the error must tell.
# fmt: off

NONE: dict[str, Any] = {"none": None}
LENGTHS: dict[str, Any] = {
    "nan": np.nan, "inf": np.inf, "negative": -1e-9, "too large": TOO_LARGE, "text": "1", "words": "x",
    "list": [1.0], "complex": 1 + 0j, "array": np.ones(2),
}
POINTS: dict[str, Any] = NONE | bad_numbers(np.ones((5, 3)), (3, 1)) | {
    "empty": [], "no rows": np.zeros((0, 3)), "flat": np.zeros(3), "two columns": np.zeros((4, 2)),
    "number": 1.0, "three axes": np.zeros((2, 2, 3)), "ragged": [[0, 0, 0], [1, 1]], "object": object(),
}
VECTORS: dict[str, Any] = bad_numbers(np.ones(3), 1) | {
    "empty": [], "two": [1, 2], "four": [1, 2, 3, 4], "row": np.zeros((1, 3)),
}
EXTENTS = NONE | VECTORS | {"negative": [1, 1, -1e-9], "one negative": -1.0}
FACES: dict[str, Any] = NONE | {
    "empty": [], "no rows": np.zeros((0, 3), int), "floats": [[0.0, 1.0, 2.0]], "nan": [[0, 1, np.nan]],
    "negative": [[0, 1, -1]], "beyond": [[0, 1, 3]], "huge": np.array([[0, 1, 2**63]], np.uint64),
    "quads": [[0, 1, 2, 0]], "flat": [0, 1, 2], "text": [["0", "1", "2"]], "bools": np.ones((1, 3), bool),
    "ragged": [[0, 1, 2], [0, 1]],
}
COUNTS: dict[str, Any] = {"negative": -1, "float": 2.0, "text": "2", "nan": np.nan, "bool": True, "list": [2]}
THREADS = COUNTS | {"zero": 0}
ROTATIONS: dict[str, Any] = bad_numbers(np.eye(3), (0, 0)) | {
    "scaled": 2.0 * THREE, "sheared": with_entry(THREE, (0, 1), 0.1), "zero": 0.0 * THREE,
    "reflection": -THREE, "mirror": np.diag([1.0, 1.0, -1.0]), "zero quaternion": np.zeros(4),
    "long quaternion": [1, 1, 0, 0], "nan quaternion": [np.nan, 0, 0, 0], "empty": [],
    "wrong shape": np.eye(5), "many": THREE[None],
}
WIDTHS: dict[str, Any] = NONE | {"four": 4, "zero": 0, "text": "8", "array": np.array([2, 8]), "float": 2.5}
LINEAR: dict[str, Any] = bad_numbers(np.eye(3), (1, 1)) | {
    "singular": np.diag([1.0, 1.0, 0.0]), "nearly singular": np.diag([1.0, 1.0, 1e-13]), "zero": 0.0 * THREE,
    "wrong shape": np.eye(4), "flat": np.ones(9), "empty": [],
}
RADII: dict[str, Any] = bad_numbers(np.ones(2), 1) | {
    "negative": [1.0, -1e-9], "too many": [1, 1, 1], "table": np.ones((2, 1)),
}
TWO = [[0, 0, 0], [1, 1, 1]]
VOLUMES: dict[str, Any] = {"none": None, "body": CUBE, "another kind": volumes.fit(volumes.Obb, TWO)}
NOT_BODIES: dict[str, Any] = {
    "none": None, "number": 1.0, "class": er.Sphere, "pose": er.Pose(), "text": "sphere", "volume": BOX,
}

Row = tuple[Callable[[Any], Any], str, dict[str, Any]]
ARGUMENTS: dict[str, Row] = {
    "Sphere": (lambda x: er.Sphere(x), "radius", NONE | LENGTHS),
    "Capsule radius": (lambda x: er.Capsule(x, 1), "radius", NONE | LENGTHS),
    "Capsule length": (lambda x: er.Capsule(1, x), "length", NONE | LENGTHS),
    "Box": (lambda x: er.Box(x), "extents", EXTENTS),
    "Convex": (lambda x: er.Convex(x), "points", POINTS),
    "HalfSpace normal": (lambda x: er.HalfSpace(x, 1), "normal", VECTORS | {"zero": np.zeros(3)}),
    "HalfSpace offset": (lambda x: er.HalfSpace([0, 0, 1], x), "offset", NONE | LENGTHS | {"negative": "-1"}),
    "Mesh vertices": (lambda x: er.Mesh(x, [[0, 0, 0]]), "vertices", POINTS),
    "Mesh faces": (lambda x: er.Mesh(THREE, x), "faces", FACES),
    "Mesh children": (lambda x: er.Mesh(THREE, [[0, 1, 2]], children=x), "children", WIDTHS),
    "Mesh.load": (lambda x: er.Mesh.load(x), "path", {"number": 3, "none": None}),
    "Group children": (lambda x: er.Group([BALL], children=x), "children", WIDTHS),
    "Group": (lambda x: er.Group(x), "members", {"empty": [], "none": None, "number": 1.0}),
    "Group body": (lambda x: er.Group([BALL, (x, None)]), r"members\[1\]", NOT_BODIES),
    "Group member": (lambda x: er.Group([x]), r"members\[0\]", NONE | {"three": (BALL, 0, 0), "text": "a"}),
    "locate": (GROUP.locate, "primitive", COUNTS | {"beyond": 2}),
    "boxes": (CUBE.boxes, "level", {"negative": -1, "float": 1.5, "none": None, "text": "1"}),
    "Pose rotation": (lambda x: er.Pose(x), "rotation", ROTATIONS),
    "Pose translation": (lambda x: er.Pose(None, x), "translation", VECTORS),
    "Pose apply": (er.Pose().apply, "points", POINTS),
    "Budget tests": (lambda x: er.Budget(tests=x), "tests", COUNTS | {"none": None, "too large": 2**64}),
    "Budget seconds": (lambda x: er.Budget(seconds=x), "seconds", NONE | LENGTHS),
    "reach": (lambda x: er.within(BALL, CUBE, x), "reach", NONE | LENGTHS),
    "enough": (lambda x: er.distance(BALL, CUBE, enough=x), "enough", LENGTHS),
    "linear": (lambda x: er.distance(BALL, CUBE, linear=x), "linear", LINEAR),
    "fit points": (lambda x: volumes.fit(volumes.Obb, x), "points", POINTS),
    "fit radii": (lambda x: volumes.fit(volumes.Obb, TWO, x), "radii", RADII),
    "fit kind": (lambda x: volumes.fit(x, TWO), "kind", {"type": int, "none": None, "text": "Obb"}),
    "contains points": (lambda x: volumes.contains(BOX, x), "points", POINTS),
    "contains radii": (lambda x: volumes.contains(BOX, TWO, x), "radii", RADII),
    "contains volume": (lambda x: volumes.contains(x, TWO), "volume", {"none": None, "body": CUBE}),
    "slack": (lambda x: volumes.contains(BOX, TWO, tolerance=x), "tolerance", {"nan": np.nan, "word": "x"}),
    "merge": (BOX.merge, "other", VOLUMES),
    "separation": (BOX.separation, "other", VOLUMES),
}


def question_rows(name: str, ask: Any) -> dict[str, Row]:
    """What collide and distance have in common."""
    used, limit, many = er.Memory(), er.Budget(tests=1), (BALL, CUBE, None, POSES)
    return {
        f"{name} threads": (lambda x: ask(*many, threads=x), "threads", THREADS | {"too large": 2**40}),
        f"{name} threads, one pose": (lambda x: ask(BALL, CUBE, threads=x), "threads", THREADS),
        f"{name} budget": (lambda x: ask(BALL, CUBE, budget=x), "budget", {"number": 5, "memory": used}),
        f"{name} memory": (lambda x: ask(BALL, CUBE, memory=x), "memory", {"number": 5, "budget": limit}),
        f"{name} memory, many": (lambda x: ask(*many, memory=x), "memory", {"memory": used}),
    }


# fmt: on
ARGUMENTS |= question_rows("collide", er.collide) | question_rows("distance", er.distance)
BAD = [(row, what) for row, (_, _, bad) in ARGUMENTS.items() for what in bad]


@pytest.mark.parametrize(("row", "what"), BAD)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_a_wrong_argument_is_an_error_that_names_it(row: str, what: str) -> None:
    ask, name, bad = ARGUMENTS[row]
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}"):
        ask(bad[what])


# Poses come in four forms and go to many places.

# fmt: off
SPOILT = bad_numbers(np.eye(4), (1, 3)) | {
    "nan in the rotation": with_entry(np.eye(4), (1, 1), np.nan), "scaled": np.diag([2.0, 2.0, 2.0, 1.0]),
    "sheared": with_entry(np.eye(4), (0, 1), 0.01), "reflection": np.diag([1.0, 1.0, -1.0, 1.0]),
    "zero rotation": np.diag([0.0, 0.0, 0.0, 1.0]), "last row": with_entry(np.eye(4), (3, 0), 1.0),
    "last number": with_entry(np.eye(4), (3, 3), 2.0), "last nan": with_entry(np.eye(4), (3, 3), np.nan),
}
WRONG: dict[str, Any] = {
    "empty": [], "no poses": np.zeros((0, 4, 4)), "three by three": THREE, "three by four": np.eye(4)[:3],
    "flat": np.eye(4).ravel(), "four axes": np.eye(4)[None, None], "word": "pose", "number": 1.0,
    "object": object(), "list": [THREE, THREE], "triple": (THREE, np.zeros(3), 1),
    "rotation of a pair": (2.0 * THREE, np.zeros(3)),
    "reflection of a pair": (-THREE, np.zeros(3)), "zero quaternion of a pair": (np.zeros(4), np.zeros(3)),
    "nan of a pair": (THREE, [0, np.nan, 0]), "short pair": (THREE, [0, 0]),
}
# fmt: on
TAKERS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "collide a": (lambda p: er.collide(BALL, CUBE, p), "pose_a"),
    "collide b": (lambda p: er.collide(BALL, CUBE, None, p), "pose_b"),
    "distance a": (lambda p: er.distance(BALL, CUBE, p), "pose_a"),
    "distance b": (lambda p: er.distance(BALL, CUBE, None, p), "pose_b"),
    "within a": (lambda p: er.within(BALL, CUBE, 1.0, p), "pose_a"),
    "within b": (lambda p: er.within(BALL, CUBE, 1.0, None, p), "pose_b"),
    "member": (lambda p: er.Group([(BALL, p)]), r"members\[0\]\[1\]"),
    "matrix": (lambda p: er.Pose.from_matrix(p), "matrix"),
}


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("what", [*SPOILT, *WRONG])
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_a_wrong_pose_is_an_error_that_names_it(taker: str, what: str) -> None:
    ask, name = TAKERS[taker]
    with pytest.raises(ValueError, match=name):
        ask((SPOILT | WRONG)[what])


@pytest.mark.parametrize("what", [w for w in SPOILT if w not in ("complex", "text", "words")])
@pytest.mark.parametrize("taker", ["collide a", "collide b", "distance a", "distance b"])
def test_one_wrong_pose_among_many_is_an_error(taker: str, what: str) -> None:
    ask, name = TAKERS[taker]
    many = np.tile(np.eye(4), (7, 1, 1))
    many[5] = SPOILT[what]
    with pytest.raises(ValueError, match=name) as error:
        ask(many)
    told = re.search(r"index \(?(\d+)", str(error.value))
    assert told is None or told[1] == "5", "the index that is told is that of another pose"


@pytest.mark.parametrize("ask", [er.collide, er.distance])
def test_numbers_of_poses_must_agree(ask: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match=r"pose_a and pose_b.*3 and 2"):
        ask(BALL, CUBE, POSES, POSES[:2])


@pytest.mark.parametrize("what", NOT_BODIES)
@pytest.mark.parametrize("name", ["a", "b"])
@pytest.mark.parametrize("ask", [er.collide, er.distance, lambda a, b: er.within(a, b, 1.0)])
def test_what_is_no_body_is_a_type_error(ask: Callable[..., Any], name: str, what: str) -> None:
    given = {"a": BALL, "b": BALL} | {name: NOT_BODIES[what]}
    with pytest.raises(TypeError, match=f"^{name} must be a body"):
        ask(**given)


def test_trees_of_different_widths_are_refused() -> None:
    two, eight = (er.Mesh(THREE, [[0, 1, 2], [2, 1, 0]], children=n) for n in (2, 8))
    asks: list[Any] = [er.collide, er.distance, lambda a, b: er.within(a, b, 1.0)]
    for ask in asks:
        with pytest.raises(ValueError, match="children"):
            ask(two, eight)


@pytest.mark.parametrize(
    ("ask", "positional", "named", "told"),
    [
        (er.within, (BALL, CUBE), {}, "reach"),
        (er.collide, (BALL,), {}, "needs b"),
        (er.collide, (BALL, CUBE), {"speed": 1}, "speed"),
        (er.distance, (BALL, CUBE, None), {"pose_a": None}, "pose_a"),
        (er.collide, (BALL, CUBE, None, None, True), {}, "position"),
    ],
)
def test_a_wrong_call_is_a_type_error_that_says_why(ask: Any, positional: Any, named: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        ask(*positional, **named)


def test_an_error_comes_before_any_work() -> None:
    """A query leaves what decided it in its memory: nothing there, nothing done."""
    memory, nan = er.Memory(), with_entry(np.eye(4), (0, 3), np.inf)
    wrong: list[dict[str, Any]] = [{"pose_b": nan}, {"enough": -1.0}, {"linear": 0.0 * THREE}, {"budget": 3}]
    for given in wrong:
        with pytest.raises((ValueError, TypeError)):
            er.distance(BALL, CUBE, memory=memory, **given)
        assert memory.empty


def test_what_is_rounded_or_borderline_is_taken() -> None:
    rounded = np.eye(4)
    rounded[:3, :3] = np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]], np.float32)
    assert er.distance(BALL, BALL, None, rounded).value == 0.0
    assert [er.Sphere(radius).radius for radius in (1e15, np.ones(1, np.float32)[0], 0)] == [1e15, 1.0, 0.0]
    assert er.Budget(tests=np.arange(4)[3]).tests == 3
    assert len(er.Mesh([[0, 0, 0]], np.zeros((1, 3), np.uint8))) == 1
    edge = er.distance(BALL, BALL, None, er.Pose(translation=[1e15, 0, 0]))
    assert edge.value == pytest.approx(1e15 - 2, rel=1e-15)


def test_a_rounded_rotation_means_the_same_in_a_group_as_in_a_question() -> None:
    """Both take it for the rotation that it was rounded from; a group must not shear its members."""
    rounded = np.eye(4)
    rounded[:3, :3] = [[0.6, -0.8, 0.0], [0.8, 0.6001, 0.0], [0.0, 0.0, 1.0]]
    away = er.Pose(translation=[5.0, 1.0, 0.0])
    alone = er.distance(CUBE, BALL, rounded, away).value
    assert er.distance(er.Group([(CUBE, rounded)]), BALL, None, away).value == pytest.approx(alone, rel=1e-14)
