"""Certificates that were forged or damaged: the caller says which body and motion they are about."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest
from motion_claims import at

import elbowroom as er
from elbowroom import _core

BALL, BOX = er.Sphere(1), er.Box(2)
PAST = er.Motion(at(-4, 3, 0), at(4, 3, 0))
INTO = er.Motion(at(-4, 0, 0), at(4, 0, 0))
WORLD = [(BOX, er.Pose())]


def forged(certificate: Any, whole: dict[int, int] | None = None, **changed: Any) -> Any:
    """A certificate that went through a pickle, with other numbers in its answer and other attributes."""
    out = pickle.loads(pickle.dumps(certificate))
    numbers, reals = out._answer.__getstate__()
    for place, value in (whole or {}).items():
        numbers[place] = value
    if "intervals" in changed:
        reals[9:] = [x for low, high in changed.pop("intervals") for x in (low, high, low)]
    for place, real in changed.pop("reals", {}).items():
        reals[place] = real
    for place, name in enumerate(("before", "at")):
        reals[place] = changed.pop(name, reals[place])
    answer = _core.MotionAnswer.__new__(_core.MotionAnswer)
    answer.__setstate__((numbers, reals))
    out._answer = answer
    for name, value in changed.items():
        setattr(out, name, value)
    return out


def found_free() -> Any:
    return er.check(BALL, PAST, WORLD)


def found_contact() -> Any:
    return er.check(BALL, INTO, WORLD)


def test_nothing_is_assumed_of_what_was_given() -> None:
    found, touch = found_free(), found_contact()
    assert found.verify(BALL, PAST, WORLD, clearance=0).assumed == ()
    assert found.verify(motion=PAST).assumed == ("body", "obstacles", "clearance")
    said = repr(touch.verify(BALL, INTO, WORLD, clearance=0, tolerance=1e-6))
    assert re.fullmatch(
        r"<verified: the motion is free until 0\.2(4999\d*|5) and in contact at 0\.25\d*>", said
    )
    with pytest.raises(ValueError, match="tolerance"):
        touch.verify(tolerance=0.0)


def test_a_certificate_of_another_body_motion_or_obstacle_is_refused() -> None:
    found = forged(found_free())
    nearer = er.Motion(at(-4, 1.9, 0), at(4, 1.9, 0))
    for body, motion, obstacles in (
        (er.Sphere(2.5), PAST, WORLD),
        (BALL, nearer, WORLD),
        (BALL, PAST, [*WORLD, (BOX, at(0, 4, 0))]),
        (BALL, PAST, [(BOX, PAST)]),
    ):
        with pytest.raises(ValueError, match="does not hold"):
            found.verify(body, motion, obstacles)
        with pytest.raises(ValueError, match="does not hold"):
            found.verify(body=body, motion=motion, obstacles=obstacles, clearance=0.0)
    with pytest.raises(ValueError, match=r"obstacle 0|first_contact"):
        found_contact().verify(obstacles=None)


def test_a_certificate_whose_own_geometry_was_exchanged_is_refused() -> None:
    """What it carries is about a small ball that is free; what the caller asks about is not."""
    found = er.check(er.Sphere(0.1), PAST, WORLD)
    found._checker.body, found._checker.obstacles, found.motion = BALL, None, INTO
    assert found.body is BALL
    with pytest.raises(ValueError, match="does not hold"):
        found.verify(BALL, INTO, WORLD)


@pytest.mark.parametrize("intervals", [[], [(0.0, 0.5)], [(0.0, 0.5), (0.6, 1.0)], [(0.5, 0.0), (0.0, 1.0)],
                         [(0.0, np.nan)], [(-1.0, 2.0)], [(0.0, 1.0), (np.inf, 1.0)]])  # fmt: skip
def test_intervals_with_gaps_or_without_sense_are_refused(intervals: Any) -> None:
    with pytest.raises(ValueError, match="intervals"):
        forged(found_free(), intervals=intervals).verify(BALL, PAST, WORLD)


def test_a_contact_that_is_called_free_is_refused() -> None:
    touch = found_contact()
    for lie in (
        forged(touch, {0: 0}, free=True),
        forged(touch, {0: 0}, free=True, intervals=[(0.0, 1.0)]),
        forged(touch, free=True),
        forged(touch, {0: 2}, intervals=[(0.0, 1.0)]),
    ):
        with pytest.raises(ValueError, match=r"intervals|does not hold|free"):
            lie.verify(BALL, INTO, WORLD)


def test_a_clearance_that_was_edited_is_refused() -> None:
    found = forged(found_free())
    assert found.verify(BALL, PAST, WORLD, clearance=0.9)
    found._checker.clearance = 5.0  # the certificate now claims more than was proved
    assert found.clearance_asked == 5.0
    assert found.verify(BALL, PAST, WORLD, clearance=0.0)
    for clearance in (1.1, 5.0):
        with pytest.raises(ValueError, match="does not hold"):
            found.verify(BALL, PAST, WORLD, clearance=clearance)
    with pytest.raises(ValueError, match="does not hold"):
        found.verify()


def test_a_bracket_that_is_wider_than_the_tolerance_is_refused() -> None:
    wide = forged(found_contact(), before=0.1, intervals=[(0.0, 0.1)], tolerance=1e-6)
    assert wide.verify(BALL, INTO, WORLD, tolerance=0.2)
    with pytest.raises(ValueError, match=r"bracketed within 0\.15"):
        wide.verify(BALL, INTO, WORLD, tolerance=1e-6)
    for changed in ({"at": 0.1}, {"at": np.nan}, {"before": np.nan}, {"before": 0.3}, {"at": 1.5}):
        with pytest.raises(ValueError, match=r"first_contact|interval"):
            forged(found_contact(), **changed).verify(BALL, INTO, WORLD)


def folding_arm(exclude: Any = None) -> Any:
    """Three links, of which the last folds back onto the first."""
    bar = (er.Box([1.0, 0.2, 0.2]), at(0.5, 0, 0))
    links = [er.Link(name, [bar]) for name in "abc"]
    joints = [er.Joint(f"j{k}", "revolute", "abc"[k], "abc"[k + 1], at(1, 0, 0)) for k in range(2)]
    return er.Articulated(links, joints, exclude=[("a", "b"), ("b", "c"), *(exclude or [])])


FOLDED = np.array([[0.0, 0.0], [2.6, 2.6]])


def test_links_that_a_certificate_excludes_are_compared_if_the_caller_says_so() -> None:
    lenient = folding_arm([("a", "c")])
    found = forged(er.check(lenient, FOLDED))
    assert found.free and found.verify().assumed == ("body", "motion", "obstacles", "clearance", "self_too")
    assert found.verify(lenient, FOLDED, None, clearance=0, self_too=True).assumed == ()
    with pytest.raises(ValueError, match="link 0 of the body and link 2 of the body"):
        found.verify(folding_arm(), FOLDED, None)


def test_a_certificate_without_self_collisions_is_refused_where_they_count() -> None:
    found = forged(er.check(folding_arm(), FOLDED, self_too=False))
    assert found.free and found.verify(folding_arm(), FOLDED, None, self_too=False)
    with pytest.raises(ValueError, match="link 0 of the body and link 2 of the body"):
        found.verify(folding_arm(), FOLDED, None, self_too=True)


def test_a_chain_with_other_exclusions_is_refused() -> None:
    straight = np.stack([np.arange(6.0), np.zeros(6), np.zeros(6)], axis=1)
    straight[1::2, 1] = 0.5
    lenient, strict = er.Chain(straight, 1.1, exclude=5), er.Chain(straight, 1.1, exclude=1)
    found = forged(er.check(lenient, {2: 1.0}))
    assert found.free and found.verify(lenient, {2: 1.0}, None)
    with pytest.raises(ValueError, match="ball"):
        found.verify(strict, {2: 1.0}, None)
    assert found.verify(lenient, ([2], [1.0]), None) and found.verify(motion={2: 0.5})


@pytest.mark.parametrize(("body", "motion", "obstacles"), [
    ("ball", PAST, WORLD), (BALL, None, WORLD), (BALL, np.zeros((2, 4, 4)), WORLD), (BALL, PAST, "box"),
    (BALL, PAST, [None]), (BALL, er.Motion([np.eye(4)] * 2, [np.eye(4)] * 2), WORLD), (BALL, {0: 1.0}, WORLD),
])  # fmt: skip
def test_arguments_that_are_no_bodies_or_motions_are_refused(body: Any, motion: Any, obstacles: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=r"body|motion|obstacles"):
        found_free().verify(body, motion, obstacles)


ODD: list[Any] = [None, True, -1, 10**30, 1.5, np.nan, "x", b"x", [], {}, (1, 2), np.zeros(3), object()]


@pytest.mark.parametrize("name", ["_answer", "_checker", "motion", "free"])
def test_damaged_attributes_are_refused(name: str) -> None:
    for sound in (found_free(), found_contact()):
        for odd in ODD:
            if odd is getattr(sound, name) or (name == "free" and odd is None):
                continue  # to be undecided is no lie
            damaged = forged(sound)
            setattr(damaged, name, odd)
            with pytest.raises(
                (ValueError, TypeError), match=r"certificate is damaged|motion|free|first_contact|intervals"
            ):
                damaged.verify()
        damaged = forged(sound)
        delattr(damaged, name)
        with pytest.raises(ValueError, match="certificate is damaged"):
            damaged.verify()


def test_damaged_numbers_never_prove_a_contact_free() -> None:
    """Each number of the answer, one at a time: refused, or it says nothing that is not so."""
    numbers, reals = found_contact()._answer.__getstate__()
    for place in range(len(numbers)):
        for value in (-1, 0, 1, 2, 3, 2**31 - 1, -(2**31), 2**40):
            try:
                lie = forged(found_contact(), {place: value})
            except ValueError:
                continue
            refused_or_true(lie)
    for place in range(len(reals)):
        for real in (np.nan, np.inf, -np.inf, -1.0, 0.0, 0.5, 1.0, 2.0, 1e308):
            refused_or_true(forged(found_contact(), reals={place: real}))


def refused_or_true(lie: Any) -> None:
    try:
        lie.verify(BALL, INTO, WORLD, clearance=0, tolerance=1e-6)
    except ValueError:
        return
    assert lie.first_contact is None or lie.first_contact[1] == pytest.approx(0.25, abs=1e-3)
    assert not lie.free


# Certificates of paths.


def test_a_path_is_verified_against_the_states_of_the_caller() -> None:
    around = [at(*p) for p in ([-4, 0, 0], [-4, 6, 0], [4, 6, 0], [4, 0, 0])]
    wall = er.Box([2, 8, 8])
    proof = er.planning.Path(around, er.MotionChecker(BALL, wall)).certificate
    assert proof.verify(BALL, around, wall, clearance=0).assumed == ()
    assert proof.verify().assumed == ("body", "motion", "obstacles", "clearance")
    assert proof.verify(BALL, np.stack([pose.matrix for pose in around]), wall)
    with pytest.raises(ValueError, match="motion 1 of the path"):
        proof.verify(BALL, [around[0], around[0], around[3], around[3]], wall)
    with pytest.raises(ValueError, match="states"):
        proof.verify(BALL, around[:-1], wall)
    for parts, motions in ((proof.parts[:2], 3), (proof.parts[:1], 2), ((), 3), (proof.parts[::2], 2)):
        with pytest.raises(ValueError, match=r"certificates for|does not begin"):
            er.planning.PathCertificate(parts, motions).verify()
