"""Wrong arguments of motions and checks: an error that names the argument; bodies that begin in contact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import articulated_makers
import numpy as np
import pytest
from chain_makers import rng_of
from motion_makers import METHODS
from test_arrays import COUNTS, LENGTHS, NONE, SPOILT, WRONG, bad_numbers, with_entry

import elbowroom as er

ONE, MANY = np.eye(4), np.tile(np.eye(4), (3, 1, 1))
AWAY = er.Pose([0.6, 0.8, 0, 0], [3.0, 0.0, 0.0])
MOTION, MOTIONS = er.Motion(ONE, AWAY), er.Motion(MANY, AWAY)
CUBE, BALL = er.Box(1.0), er.Sphere(0.5)
ARM = articulated_makers.arm(rng_of("input"), 4).body()
BALL_JOINT = er.Articulated([er.Link("a", BALL)], [er.Joint("j", "spherical", None, "a")])
CHAIN = er.Chain([[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]], 0.1)
PATH = np.zeros((2, 3))

# How the argument is given, the name that the error must tell, what to refuse.
# fmt: off

Row = tuple[Callable[[Any], Any], str, dict[str, Any]]
POSES: dict[str, Any] = {k: v for k, v in (SPOILT | WRONG).items() if k != "none"} | {
    "sheared": with_entry(ONE, (0, 1), 0.1), "scaled": np.diag([2.0, 2.0, 2.0, 1.0]),
    "reflection": np.diag([-1.0, 1.0, 1.0, 1.0]), "nan": with_entry(ONE, (0, 3), np.nan),
    "infinite": with_entry(ONE, (1, 3), np.inf), "too large": with_entry(ONE, (2, 3), 1e16),
    "no poses": np.zeros((0, 4, 4)), "motion": MOTION, "text": "pose", "last row": np.ones((4, 4)),
}
SHARES: dict[str, Any] = {
    "negative": -1e-9, "beyond": 1.0 + 1e-9, "nan": np.nan, "inf": np.inf, "text": "0.5", "none": None,
    "complex": 0.5 + 0j,
}
TIMES: dict[str, Any] = SHARES | {
    "array": [0.0, 1.5], "empty": [], "nan in it": [0.0, np.nan], "words": ["a"],
}
TOLERANCES: dict[str, Any] = NONE | {
    "zero": 0.0, "negative": -1e-6, "beyond": 1.5, "nan": np.nan, "inf": np.inf, "text": "1e-6",
    "list": [1e-6], "complex": 1e-6 + 0j,
}
NAMES: dict[str, Any] = NONE | {
    "unknown": "exact", "number": 1, "bytes": b"auto", "list": ["auto"], "empty": "",
}
BODIES: dict[str, Any] = NONE | {
    "number": 1.0, "class": er.Box, "text": "box", "pose": AWAY, "motion": MOTION, "list": [CUBE],
    "pair": (CUBE, AWAY),
}
MOVES: dict[str, Any] = NONE | {
    "pose": AWAY, "matrix": ONE, "pair": (ONE, ONE), "text": "motion", "number": 1.0, "poses": MANY,
    "dict": {0: 1.0}, "class": er.Motion,
}
OBSTACLES: dict[str, Any] = {
    "number": 1.0, "text": "wall", "class": er.Box, "pose": AWAY, "empty": [], "list": [CUBE, 1.0],
    "nan pose": (CUBE, with_entry(ONE, (0, 3), np.nan)), "sheared pose": (CUBE, with_entry(ONE, (0, 1), 0.1)),
    "many motions": (CUBE, MOTIONS), "many poses": (CUBE, MANY), "three": (CUBE, AWAY, AWAY),
    "path of a box": (CUBE, PATH), "long path": (ARM, np.zeros((3, 3))), "flat path": (ARM, np.zeros((1, 3))),
    "wrong dof": (ARM, np.zeros((2, 4))), "nan path": (ARM, with_entry(PATH, (1, 1), np.nan)),
    "none in a list": [CUBE, None], "nested": [[CUBE]], "class with a pose": (er.Box, AWAY),
    "text pose": (CUBE, "here"), "torsions": (CHAIN, {1: 0.5}),
}
PATHS: dict[str, Any] = NONE | bad_numbers(PATH, (1, 2)) | {
    "one configuration": np.zeros((1, 3)), "flat": np.zeros(3), "empty": np.zeros((0, 3)),
    "wrong dof": np.zeros((2, 4)), "four axes": np.zeros((1, 1, 2, 3)), "no paths": np.zeros((0, 2, 3)),
    "one each": np.zeros((5, 1, 3)), "dict": {"j1": 1.0}, "ragged": [[0, 0, 0], [0, 0]],
}
TORSIONS: dict[str, Any] = NONE | {
    "beyond": {3: 1.0}, "negative": {-1: 1.0}, "nan": {1: np.nan}, "infinite": {1: np.inf}, "text": {1: "x"},
    "named": {"1": 1.0}, "half": {0.5: 1.0}, "array": np.zeros((2, 3)), "list": [1, 2, 3], "number": 1.0,
    "lengths": ([0, 1], [1.0]),
}
MAKING: dict[str, Row] = {
    "start": (lambda x: er.Motion(x, AWAY), "start", POSES),
    "goal": (lambda x: er.Motion(AWAY, x), "goal", POSES),
    "t": (MOTION.at, "t", TIMES),
    "t0": (lambda x: MOTION.part(x, 0.5), "t0", SHARES),
    "t1": (lambda x: MOTION.part(0.5, x), "t1", SHARES),
    "radius": (MOTION.standard_bound, "radius", NONE | LENGTHS),
    "tau": (lambda x: MOTION.standard_bound(1.0, x), "tau", SHARES),
    "hourglass radius": (MOTION.hourglass, "radius", NONE | LENGTHS),
    "hourglass tau": (lambda x: MOTION.hourglass(1.0, tau=x, chord=True), "tau", SHARES),
    "volume": (MOTION.hourglass_volume, "radius", NONE | LENGTHS),
    "body": (MOTION.radius, "body", BODIES),
    "about": (lambda x: MOTION.radius(CUBE, x), "about", NAMES),
    "check body": (lambda x: er.check(x, MOTION), "body", BODIES),
    "check motion": (lambda x: er.check(CUBE, x), "motion", MOVES),
    "check obstacles": (lambda x: er.check(CUBE, MOTION, x), "obstacles", OBSTACLES),
    "method": (lambda x: er.check(CUBE, MOTION, method=x), "method", NAMES),
    "tolerance": (lambda x: er.check(CUBE, MOTION, tolerance=x), "tolerance", TOLERANCES),
    "clearance": (lambda x: er.check(CUBE, MOTION, clearance=x), "clearance", NONE | LENGTHS),
    "budget": (lambda x: er.check(CUBE, MOTION, BALL, budget=x), "budget", {"number": 5, "text": "1"}),
    "threads": (lambda x: er.check(CUBE, MOTIONS, BALL, threads=x), "threads", COUNTS | {"zero": 0}),
    "path": (lambda x: er.check(ARM, x), "motion", PATHS),
    "path among obstacles": (lambda x: er.check(ARM, PATH, x), "obstacles", OBSTACLES),
    "path tolerance": (lambda x: er.check(ARM, PATH, tolerance=x), "tolerance", TOLERANCES),
    "quaternion": (lambda x: er.check(BALL_JOINT, x), "motion",
                   {"long": np.ones((2, 4)), "zero": np.zeros((2, 4)), "nan": np.full((2, 4), np.nan)}),
    "torsions": (lambda x: er.check(CHAIN, x), "motion", TORSIONS),
    "checker body": (er.MotionChecker, "body", BODIES),
    "checker obstacles": (lambda x: er.MotionChecker(CUBE, x), "obstacles", OBSTACLES),
    "checker method": (lambda x: er.MotionChecker(CUBE, method=x), "method", NAMES),
    "checker tolerance": (lambda x: er.MotionChecker(CUBE, tolerance=x), "tolerance", TOLERANCES),
    "checker clearance": (lambda x: er.MotionChecker(CUBE, clearance=x), "clearance", NONE | LENGTHS),
    "checker motion": (er.MotionChecker(CUBE, BALL).check, "motion", MOVES),
    "checker path": (er.MotionChecker(ARM).check, "motion", PATHS | {"motion": MOTION}),
    "checker start": (lambda x: er.MotionChecker(CUBE, BALL).free(x, AWAY), "start", POSES),
    "checker goal": (lambda x: er.MotionChecker(CUBE, BALL).free(AWAY, x), "goal", POSES),
    "checker starts": (lambda x: er.MotionChecker(CUBE, BALL).free_many(x, MANY), "starts", POSES),
    "valid": (er.MotionChecker(CUBE, BALL).valid, "state|pose", POSES | NONE),
    "valid joints": (er.MotionChecker(ARM).valid, "state|configuration",
                     {"short": np.zeros(2), "nan": np.full(3, np.nan), "text": "zero"} | NONE),
    "free joints": (lambda x: er.MotionChecker(ARM).free(x, np.zeros(3)), "start",
                    {"short": np.zeros(2), "nan": np.full(3, np.nan), "text": "zero", "pose": AWAY} | NONE),
}
# fmt: on

CASES = [(row, what) for row, (_, _, bad) in MAKING.items() for what in bad]


@pytest.mark.parametrize(("row", "what"), CASES)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_a_wrong_argument_is_an_error_that_names_it(row: str, what: str) -> None:
    make, name, bad = MAKING[row]
    with pytest.raises((ValueError, TypeError), match=rf"\b({name})\b"):
        make(bad[what])


@pytest.mark.parametrize("method", ["hourglass", "hourglass-axis"])
def test_the_hourglass_is_for_one_rigid_body_among_things_that_stand(method: str) -> None:
    with pytest.raises(ValueError, match="method"):
        er.check(ARM, PATH, BALL, method=method)
    with pytest.raises(ValueError, match="method"):
        er.check(CUBE, MOTION, (BALL, MOTION), method=method)
    with pytest.raises(ValueError, match="method"):
        er.check(CUBE, MOTION, [CUBE, (ARM, PATH)], method=method)
    with pytest.raises(ValueError, match="clearance"):
        er.check(CUBE, MOTION, BALL, method=method, clearance=0.1)


@pytest.mark.parametrize("method", METHODS)
def test_a_rigid_body_alone_can_touch_nothing(method: str) -> None:
    """Obstacles that were forgotten are more likely than a question about nothing."""
    with pytest.raises(ValueError, match="obstacles"):
        er.check(CUBE, MOTION, method=method)
    with pytest.raises(ValueError, match="obstacles"):
        er.MotionChecker(CUBE, method=method)
    assert er.check(ARM, PATH).free is True, "an arm can touch itself"


@pytest.mark.parametrize("method", METHODS[1:])
def test_torsions_are_checked_by_the_default_alone(method: str) -> None:
    with pytest.raises(ValueError, match="method"):
        er.check(CHAIN, {1: 0.5}, method=method)


def test_many_poses_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="start"):
        er.Motion(MANY, MANY[:2])
    with pytest.raises(ValueError, match="starts"):
        er.MotionChecker(CUBE, BALL).free_many(MANY, MANY[:2])


@pytest.mark.parametrize("what", ["start", "goal", "translation", "axis", "angle"])
def test_of_many_motions_one_must_be_taken(what: str) -> None:
    with pytest.raises(ValueError, match="3 motions"):
        getattr(MOTIONS, what)


def test_a_motion_that_moves_nothing_has_no_map() -> None:
    with pytest.raises(ValueError, match="hourglass"):
        er.Motion(ONE, ONE).hourglass(1.0)
    assert er.Motion(ONE, ONE).standard_bound(1.0) == er.Motion(ONE, ONE).hourglass_volume(1.0) == 0.0


def test_rounded_rotations_are_taken_for_rotations() -> None:
    """Six digits, as files have them: the motion is that of the nearest rotation."""
    rounded = ONE.copy()
    rounded[:3, :3] = np.round(AWAY.rotation @ er.Pose([0.8, 0, 0.6, 0]).rotation, 6)
    motion = er.Motion(ONE, rounded)
    turn = motion.at(1.0).rotation
    assert np.abs(turn @ turn.T - np.eye(3)).max() < 1e-15 and np.abs(turn - rounded[:3, :3]).max() < 2e-6
    assert er.check(CUBE, motion, (BALL, er.Pose(translation=[3, 0, 0]))).free is True


@pytest.mark.parametrize("method", METHODS)
def test_a_body_in_contact_from_the_start(method: str) -> None:
    """Deep, just touching, and in contact all the way."""
    inside = er.Motion(ONE, er.Pose(translation=[0.1, 0, 0]))
    leaving = er.Motion(er.Pose(translation=[1.0, 0, 0]), er.Pose(translation=[2.0, 0, 0]))
    for motion in (inside, leaving, er.Motion(ONE, ONE)):
        found = er.check(CUBE, motion, BALL, method=method)
        assert found.free is False and tuple(found.first_contact) == (0.0, 0.0)
        assert found.pair == (0, 0) and found.obstacle == 0 and np.isfinite(found.points).all()


def test_an_arm_in_contact_with_itself_from_the_start() -> None:
    links = [er.Link("a", er.Box(1.0)), er.Link("b", er.Box(1.0))]
    body = er.Articulated(links, [er.Joint("j", "prismatic", "a", "b")], exclude=None)
    found = er.check(body, [[0.5], [3.0]])
    assert found.free is False and tuple(found.first_contact) == (0.0, 0.0)
    assert found.obstacle is None and sorted(found.pair) == [0, 1]


def test_a_chain_in_contact_with_itself_from_the_start() -> None:
    """Also where the two balls do not move against each other."""
    folded = [[0, 0, 0], [1, 0, 0], [1, 0.1, 0], [0.1, 0.1, 0], [0, 2, 0], [0, 3, 0], [1, 3, 0]]
    chain = er.Chain(folded, 0.3)
    assert er.self_collide(chain)
    for torsions in ({4: 0.5}, {1: 0.1}):
        found = er.check(chain, torsions)
        assert found.free is False and tuple(found.first_contact) == (0.0, 0.0)


def test_a_joint_named_twice_turns_by_both() -> None:
    """As in Chain.change."""
    for torsions in (([1, 1], [0.5, 0.5]), ([1, 1], [0.5, -0.5]), ([0, 1, 1], [0.1, 0.2, 0.3])):
        found = er.check(CHAIN, torsions)
        assert found.free is True


@pytest.mark.parametrize("shift", [1e-300, 1e-320, 5e-324, 1e-30])
@pytest.mark.parametrize("method", METHODS)
def test_next_to_no_motion(method: str, shift: float) -> None:
    motion = er.Motion(ONE, er.Pose(translation=[shift, 0, 0]))
    assert er.check(BALL, motion, (BALL, AWAY), method=method).free is True
    assert er.check(BALL, motion, BALL, method=method).free is False


@pytest.mark.parametrize("method", METHODS)
def test_a_point_that_turns_about_itself(method: str) -> None:
    motion = er.Motion(ONE, er.Pose([0, 0, 0, 1]))
    for point in (er.Sphere(0), er.Capsule(0, 0), er.Convex([[0, 0, 0]]), er.Box(0)):
        assert er.check(point, motion, (BALL, AWAY), method=method).free is True
        assert er.check(point, motion, BALL, method=method).free is False
    line = er.Capsule(0, 1)
    assert er.check(line, motion, (BALL, AWAY), method=method).free is True


def test_a_long_way_past_a_small_thing() -> None:
    """What touches is told by where it is then, not by how far it goes."""
    for far in (1e6, 1e9, 1e12):
        past = er.Motion(er.Pose(translation=[-far, 0, 0]), er.Pose(translation=[far, 0, 0]))
        beside = (BALL, er.Pose(translation=[0, 1.5, 0]))
        assert er.check(BALL, past, beside).free is not False
        assert er.check(BALL, past, (BALL, er.Pose(translation=[0, 0.5, 0]))).free is not True
