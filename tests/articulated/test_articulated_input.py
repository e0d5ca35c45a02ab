"""Wrong arguments of articulated bodies: an error that names the argument, and the body stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from articulated_makers import arm
from chain_makers import rng_of
from test_arrays import COUNTS, LENGTHS, NONE, SPOILT, THREADS, VECTORS, WRONG, with_entry
from test_articulated_pairs import CUBE, joints, links

import elbowroom as er

ABC = links(*"abc")
AB_BC = joints("a b", "b c")
Row = tuple[Callable[[Any], Any], str, dict[str, Any]]
NOT_BODIES: dict[str, Any] = NONE | {"number": 1.0, "text": "body", "pose": er.Pose(), "class": er.Sphere}


def joint_with(**more: Any) -> er.Joint:
    kind = more.pop("kind", "revolute")
    return er.Joint("a b", kind, "a", "b", **more)


def named(name: Any = "a b", kind: Any = "revolute", parent: Any = "a", child: Any = "b") -> er.Joint:
    return er.Joint(name, kind, parent, child)


def body_of(between: list[Any], made: list[er.Link] = ABC, **more: Any) -> Any:
    return er.Articulated(made, between, **more)


def following(name: str, other: str) -> er.Joint:
    parent, child = name.split()
    return er.Joint(name, "revolute", parent, child, mimic=er.Mimic(other))


# Making links, joints and bodies: how the argument is given, the name that the error tells, what to refuse.
# fmt: off

NAMES: dict[str, Any] = NONE | {"empty": "", "number": 3, "list": ["a"], "bytes": b"a"}
SHAPES: dict[str, Any] = {
    "number": 1.0, "text": "box", "class": er.Box, "chain": er.Chain(np.eye(3), 0.1), "pose": er.Pose(),
    "items": [1.0], "pair of poses": [(er.Pose(), er.Pose())], "link": [ABC[0]],
}
LIMITS: dict[str, Any] = {
    "one": [1.0], "three": [0, 1, 2], "number": 1.0, "reversed": (1.0, -1.0), "nan": (np.nan, 1.0),
    "text": "ab", "words": ("a", "b"), "complex": (1j, 2),
}
SCALARS: dict[str, Any] = NONE | {"nan": np.nan, "inf": np.inf, "text": "1", "list": [1.0]}
LINKS: dict[str, Any] = NONE | {
    "number": 1, "empty": [], "text": "a", "a link": ABC[0], "bodies": [CUBE], "names": ["a"],
    "joints": AB_BC,
}
JOINTS: dict[str, Any] = NONE | {
    "number": 1, "links": ABC, "text": "a", "a joint": AB_BC[0], "tuples": [("a", "b")],
}
PAIRS: dict[str, Any] = {
    "unknown": [("a", "x")], "beyond": [(0, 3)], "negative": [(-1, 1)], "single": [("a",)],
    "three": [("a", "b", "c")], "flat": ["a", "b"], "number": 3, "floats": [(0.0, 1.0)],
    "none": [(None, "a")], "itself": [("a", "a")], "nan": [(np.nan, 0)],
}
EXCLUDE: dict[str, Any] = PAIRS | {"word": "neighbours", "empty word": "", "true": True}
SAME_NAME = [er.Joint("same", "fixed", "a", "b"), er.Joint("same", "fixed", "b", "c")]
STRANGERS = {"parent": [named(parent="nobody")], "child": [named(child="nobody")]}
PARENTS = {"two": joints("a c", "b c"), "world": joints("a c", "- c"), "fixed": joints("a c fixed", "b c")}
LOOPS = {"own": joints("a a"), "two": joints("a b", "b a"), "three": joints("a b", "b c", "c a")}
LEADERS: dict[str, Any] = {
    "unknown": [following("a b", "nobody")], "itself": [following("a b", "a b")],
    "circle": [following("a b", "b c"), following("b c", "a b")],
    "fixed": [following("a b", "b c fixed"), *joints("b c fixed")],
    "ball": [following("a b", "b c spherical"), *joints("b c spherical")],
}
MAKING: dict[str, Row] = {
    "link name": (lambda x: er.Link(x), "name", NAMES),
    "link shapes": (lambda x: er.Link("a", x), "shapes of link 'a'", SHAPES),
    "shape pose": (lambda x: er.Link("a", [(CUBE, x)]), "shapes of link 'a'", SPOILT | WRONG),
    "mimic name": (lambda x: er.Mimic(x), "joint", NAMES),
    "mimic multiplier": (lambda x: er.Mimic("j", x), "multiplier", SCALARS),
    "mimic offset": (lambda x: er.Mimic("j", 1.0, x), "offset", SCALARS),
    "joint name": (lambda x: named(name=x), "name", NAMES),
    "kind": (lambda x: named(kind=x), "kind", NONE | {"unknown": "hinge", "number": 1, "case": "Revolute"}),
    "parent": (lambda x: named(parent=x), "parent", {"empty": "", "number": 3}),
    "child": (lambda x: named(child=x), "child", NAMES),
    "origin": (lambda x: joint_with(origin=x), "origin", SPOILT | WRONG),
    "axis": (lambda x: joint_with(axis=x), "axis", NONE | VECTORS | {"zero": [0, 0, 0]}),
    "limits": (lambda x: joint_with(limits=x), "limits", LIMITS),
    "mimic": (lambda x: joint_with(mimic=x), "mimic", {"text": "j", "tuple": ("j", 1.0, 0.0)}),
    "mimic of a ball": (lambda x: joint_with(kind=x, mimic=er.Mimic("j")), "mimic",
                        {k: k for k in ("fixed", "spherical", "free")}),
    "links": (lambda x: er.Articulated(x), "links", LINKS),
    "duplicate link": (lambda x: er.Articulated(x), r"links.*'a'", {"twice": links("a", "b", "a")}),
    "joints": (body_of, "joints", JOINTS),
    "duplicate joint": (body_of, r"joints.*'same'", {"twice": SAME_NAME}),
    "unknown link": (body_of, "nobody", STRANGERS),
    "two parents": (body_of, "'c'", PARENTS),
    "loop": (body_of, "loop", LOOPS),
    "mimic joint": (body_of, "mimic", LEADERS),
    "refit": (lambda x: body_of(AB_BC, refit=x), "refit",
              NONE | {"unknown": "rss", "number": 1, "case": "CAB", "blank": ""}),
    "exclude": (lambda x: body_of(AB_BC, exclude=x), "exclude", EXCLUDE),
}

# Asking and changing: a method of an arm of three links, j1 and j2.

CONFIGURATIONS: dict[str, Any] = NONE | {
    "short": [0.1], "long": [0.1, 0.2, 0.3], "empty": [], "number": 0.1, "nan": [0.1, np.nan],
    "inf": [np.inf, 0.1], "text": ["a", "b"], "complex": [1j, 0], "wide": np.zeros((2, 3)),
    "narrow": np.zeros((2, 1)), "deep": np.zeros((1, 1, 2)), "no rows": np.zeros((0, 2)),
    "ragged": [[0.1, 0.2], [0.1]], "word": "zero", "object": object(),
    "one nan of many": with_entry(np.zeros((4, 2)), (3, 1), np.nan),
}
BY_NAME: dict[str, Any] = {
    "unknown": {"j9": 0.1}, "number": {1: 0.1}, "nan": {"j1": np.nan}, "text": {"j1": "x"},
    "table": {"j1": [[0.1, 0.2]]}, "none": {"j1": None}, "one wrong": {"j2": 0.5, "j1": np.inf},
}
EYES = np.tile(np.eye(4), (3, 1, 1))
LINK_POSES: dict[str, Any] = NONE | {
    "one pose": np.eye(4), "two": EYES[:2], "four": np.tile(np.eye(4), (4, 1, 1)), "number": 1.0,
    "empty": np.zeros((0, 3, 4, 4)), "many of two": np.tile(np.eye(4), (5, 2, 1, 1)),
    "rows": np.zeros((3, 3, 4)), "nan": with_entry(EYES, (1, 0, 3), np.nan), "text": "poses",
    "inf": with_entry(EYES, (2, 0, 3), np.inf), "scaled": 2.0 * EYES, "zero": 0.0 * EYES,
    "sheared": with_entry(EYES, (1, 0, 1), 0.1), "mirror": EYES @ np.diag([1.0, 1.0, -1.0, 1.0]),
    "last row": with_entry(EYES, (0, 3, 0), 1.0), "too large": with_entry(EYES, (1, 0, 3), 1.001e15),
    "one mirror": with_entry(EYES, (1, 0, 0), -1.0),
}
STRANGE_PAIRS: dict[str, Any] = NONE | {
    "unknown": [("l0", "x")], "beyond": [(0, 3)], "number": 3, "negative": [(-1, 0)], "flat": [0, 1],
    "text": "neighbours", "itself": [(1, 1)], "of another body": body_of(AB_BC).sample_pairs(3),
}
NO_JOINT = NONE | {"unknown": "j9", "number": 0, "a link": "l1"}
NO_LINK = NONE | {"unknown": "l9", "beyond": 3, "a joint": "j1"}
CHANGING: dict[str, Row] = {
    "move": (lambda b: b.move, "configuration", CONFIGURATIONS),
    "move by name": (lambda b: b.move, r"\bj1|\bj9|joint", BY_NAME),
    "place": (lambda b: b.place, "poses", LINK_POSES),
    "index": (lambda b: b.index, "joint", NO_JOINT),
    "link_number": (lambda b: b.link_number, "name|link", NO_LINK),
    "exclude": (lambda b: b.exclude, "pairs|exclude", STRANGE_PAIRS),
    "include": (lambda b: b.include, "pairs", STRANGE_PAIRS),
    "samples": (lambda b: b.sample_pairs, "samples", NONE | COUNTS | {"zero": 0}),
    "sample seed": (lambda b: lambda x: b.sample_pairs(5, seed=x), "seed", COUNTS),
    "random": (lambda b: lambda x: b.random(x, seed=0), r"\bn\b", COUNTS),
    "random seed": (lambda b: lambda x: b.random(3, seed=x), "seed", COUNTS),
    "boxes": (lambda b: b.boxes, "level", NONE | {"negative": -1, "float": 1.5, "text": "1"}),
    "candidates": (lambda b: b.candidates, "other", {"number": 1.0, "text": "b", "pose": er.Pose()}),
    "self_within": (lambda b: lambda x: er.self_within(b, x), "reach", NONE | LENGTHS),
    "self_distance": (lambda b: lambda x: er.self_distance(b, enough=x), "enough", LENGTHS),
    "budget": (lambda b: lambda x: er.self_collide(b, budget=x), "budget", {"number": 5, "text": "1"}),
    "threads": (lambda b: lambda x: er.self_collide(b, threads=x), "threads", THREADS),
    "within": (lambda b: lambda x: er.within(b, CUBE, x), "reach", NONE | LENGTHS),
    "collide pose": (lambda b: lambda x: er.collide(b, CUBE, x), "pose_a", SPOILT | WRONG),
    "distance pose": (lambda b: lambda x: er.distance(CUBE, b, None, x), "pose_b", SPOILT | WRONG),
    "collide b": (lambda b: lambda x: er.collide(b, x), "b must be a body", NOT_BODIES),
    "collide a": (lambda b: lambda x: er.collide(x, b), "a must be a body", NOT_BODIES),
    "distance b": (lambda b: lambda x: er.distance(b, x), "b must be a body", NOT_BODIES),
    "within a": (lambda b: lambda x: er.within(x, b, 1.0), "a must be a body", NOT_BODIES),
}
# fmt: on
MADE = [(row, what) for row, (_, _, bad) in MAKING.items() for what in bad]
CHANGED = [(row, what) for row, (_, _, bad) in CHANGING.items() for what in bad]


@pytest.mark.parametrize(("row", "what"), MADE)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_what_cannot_be_made_is_an_error_that_names_the_argument(row: str, what: str) -> None:
    make, name, bad = MAKING[row]
    with pytest.raises((ValueError, TypeError), match=name):
        make(bad[what])


@pytest.mark.parametrize(("row", "what"), CHANGED)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_what_cannot_be_done_is_an_error_and_changes_nothing(row: str, what: str) -> None:
    method, name, bad = CHANGING[row]
    body = arm(rng_of("input"), 3).body()
    body.move([0.25, 0.5])
    before = body.link_poses().tobytes(), body.configuration.tobytes(), body.excluded.tobytes()
    with pytest.raises((ValueError, TypeError), match=name):
        method(body)(bad[what])
    assert (body.link_poses().tobytes(), body.configuration.tobytes(), body.excluded.tobytes()) == before
    body.validate()


SPOILT_ENTRIES = [((1, 0, 3), np.nan), ((0, 2, 3), np.inf), ((1, 0, 0), -1.0), ((1, 0, 0), 2.0),
                  ((2, 1, 1), np.nan), ((2, 0, 3), 1.001e15), ((1, 3, 0), 1.0), ((0, 0, 1), 0.1)]  # fmt: skip


@pytest.mark.parametrize(("index", "value"), SPOILT_ENTRIES)
@pytest.mark.parametrize("bare", ["", "a", "b c"])
@pytest.mark.parametrize("refit", ["auto", "cab", "none"])
def test_no_link_is_put_where_it_cannot_be(index: Any, value: float, bare: str, refit: Any) -> None:
    """Also links without shapes; poses for many configurations are refused when they are asked about."""
    body = er.Articulated(links("a", "b", "c", bare=bare), AB_BC, refit=refit)
    before = body.link_poses().tobytes()
    with pytest.raises(ValueError, match="poses"):
        body.place(with_entry(EYES, index, value))
    assert body.link_poses().tobytes() == before

    def ask(question: Any) -> None:
        body.place(with_entry(np.stack([EYES, EYES]), (1, *index), value))
        question(body)

    for question in (er.self_collide, er.self_distance, lambda b: er.collide(b, CUBE)):
        with pytest.raises(ValueError, match="poses"):
            ask(question)
    body.move([0.0, 0.0])
    assert body.link_poses().tobytes() == before


@pytest.mark.parametrize("q", [[0.0, np.nan], [[0.0, 0.0], [np.inf, 0.0]], [[np.nan, 0.0]]])
def test_joints_of_links_without_shapes_are_checked_as_well(q: Any) -> None:
    body = er.Articulated(links("a", "b", "c", bare="b c"), AB_BC)
    with pytest.raises(ValueError, match="configuration"):
        body.move(q)


# Quaternions.

BALL_AND_FREE = joints("a b spherical", "b c free")
QUATERNIONS: dict[str, Any] = {
    "zero": [0.0, 0.0, 0.0, 0.0],
    "nan": [np.nan, 0.0, 0.0, 1.0],
    "long": [1.0, 1.0, 0.0, 0.0],
    "short": [0.5, 0.0, 0.0, 0.0],
    "tiny": [1e-200, 0.0, 0.0, 0.0],
}


@pytest.mark.parametrize("what", QUATERNIONS)
def test_what_is_no_unit_quaternion_is_refused(what: str) -> None:
    body, one = er.Articulated(ABC, BALL_AND_FREE), [1.0, 0.0, 0.0, 0.0]
    wrong = QUATERNIONS[what]
    before = body.link_poses().tobytes()
    for q in (wrong + [0.0] * 3 + one, one + [0.0] * 3 + wrong):
        with pytest.raises(ValueError, match=r"configuration.*quaternion|a b|b c|finite"):
            body.move(q)
        with pytest.raises(ValueError, match=r"configuration.*quaternion|a b|b c|finite"):
            body.move(np.array([one + [0.0] * 3 + one, q]))
    with pytest.raises(ValueError, match="a b"):
        body.move({"a b spherical": wrong})
    assert body.link_poses().tobytes() == before


def test_rounded_quaternions_are_taken() -> None:
    body = er.Articulated(ABC, BALL_AND_FREE)
    q = np.array([0.6, 0.8, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.28, 0.96], np.float32)
    body.move(q)
    turn = body.link_poses()[2, :3, :3]
    assert turn @ turn.T == pytest.approx(np.eye(3), abs=1e-14)
    body.validate()


# Numbers of configurations and poses that do not fit together.


def test_lengths_that_do_not_agree_are_refused() -> None:
    body, other = (arm(rng_of("input"), 3).body() for _ in range(2))
    poses = np.tile(np.eye(4), (4, 1, 1))
    body.move(np.zeros((3, 2)))
    for ask in (er.collide, er.distance):
        with pytest.raises(ValueError, match=r"pose_a|pose_b|configurations|agree"):
            ask(body, CUBE, poses)
        with pytest.raises(ValueError, match=r"pose_a|pose_b|configurations|agree"):
            ask(CUBE, body, poses)
        other.move(np.zeros((5, 2)))
        with pytest.raises(ValueError, match=r"configurations|agree|pose"):
            ask(body, other)
        other.move(np.zeros((1, 2)))
        with pytest.raises(ValueError, match=r"configurations|agree|pose"):
            ask(body, other)
        other.move(np.zeros(2))
        assert len(ask(body, other, poses[:3])) == len(ask(body, CUBE)) == 3


@pytest.mark.parametrize("ask", [er.self_collide, er.self_distance, lambda c: er.self_within(c, 1.0)])
def test_only_bodies_that_bend_are_asked_about_themselves(ask: Callable[..., Any]) -> None:
    for wrong in (None, 1.0, CUBE, "body", ABC):
        with pytest.raises(TypeError, match=r"^body must be"):
            ask(wrong)


def test_moves_by_name_need_one_configuration_to_change() -> None:
    body = arm(rng_of("input"), 3).body()
    body.move(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="configuration"):
        body.move({"j1": 0.1})
    body.place(EYES)
    with pytest.raises(ValueError, match="configuration"):
        body.move({"j1": 0.1})
    body.move([0.1, 0.2])
    body.move({"j1": 0.3})
    assert body.configuration.tolist() == [0.3, 0.2]


def test_what_is_borderline_is_taken() -> None:
    body: Any = er.Articulated(tuple(ABC), iter(AB_BC), exclude=())
    body.move((1, 2))
    body.move(np.array([1, 2], np.int32))
    body.move([[0.1, 0.2]])
    assert body.many and len(er.self_collide(body)) == 1
    body.move(np.asfortranarray(np.zeros((4, 2)))[::2])
    assert body.configuration.tolist() == [[0.0, 0.0]] * 2
    body.move([0, 0])
    body.move({"a b": np.float32(0.5)})
    assert body.configuration.tolist() == [0.5, 0.0]
    body.place(np.tile(np.eye(4, dtype=np.float32), (3, 1, 1)))
    assert body.boxes(10**6) is not None
    far = er.Joint(
        "far", "revolute", "a", "b", origin=er.Pose(translation=[1e14, 0, 0]), limits=(-np.inf, np.inf)
    )
    er.Articulated(links("a", "b"), [far]).validate()
