"""Answers pickle and copy: everything that they say comes back, and what is damaged is refused."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import elbowroom as er

SPRING = er.Mesh(*er.scenes.spring())
POSES = er.scenes.spring_path(1000)[100:130:3]
FEW = er.Budget(tests=100)
ROPE = er.Necklace(er.scenes.spiral(200, frames=3)[0], 0.4)
CHAIN = er.Chain(er.scenes.serpentine(300), radii=1.9)


def motion_answer() -> er.Certificate:
    return er.check(
        er.Sphere(1), er.Motion(er.Pose(translation=[-4, 0, 0]), er.Pose(translation=[4, 0, 0])), er.Box(2)
    )


ANSWERS: dict[str, Callable[[], Any]] = {
    "collision": lambda: er.collide(SPRING, SPRING, pose_b=POSES[9], every=True, depth=True),
    "free": lambda: er.collide(SPRING, SPRING, pose_b=POSES[0]),
    "collision, budget": lambda: er.collide(SPRING, SPRING, pose_b=POSES[0], budget=FEW, memory=er.Memory()),
    "collisions": lambda: er.collide(SPRING, SPRING, pose_b=POSES),
    "collisions, every": lambda: er.collide(SPRING, SPRING, pose_b=POSES, every=True, depth=True),
    "collisions, budget": lambda: er.collide(SPRING, SPRING, pose_b=POSES, budget=FEW),
    "distance": lambda: er.distance(SPRING, SPRING, pose_b=POSES[0]),
    "distance, budget": lambda: er.distance(SPRING, SPRING, pose_b=POSES[0], budget=FEW),
    "distance of nothing": lambda: er.self_distance(er.Necklace(np.zeros((2, 3)), 1.0)),
    "distances": lambda: er.distance(SPRING, SPRING, pose_b=POSES),
    "pairs": lambda: er.within(SPRING, SPRING, 0.5, pose_b=POSES[0]),
    "no pairs": lambda: er.within(SPRING, SPRING, 0.0, pose_b=POSES[0]),
    "pairs of many": lambda: er.within(SPRING, SPRING, 0.5, pose_b=POSES),
    "pairs of a chain": lambda: er.self_within(CHAIN, 1.0),
    "pairs of a rope": lambda: er.self_within(ROPE, 1.0),
    "contacts": lambda: er.collide(SPRING, SPRING, pose_b=POSES[9], every=True, depth=True).contacts,
    "counters": lambda: er.distance(SPRING, SPRING, pose_b=POSES[0]).counters,
    "cast": lambda: er.cast(SPRING, np.zeros((4, 3)), np.eye(4)[:, 1:] + 0.1, every=True),
    "certificate": motion_answer,
    "separating": ROPE.separating_pairs,
    "diagram": lambda: er.PowerDiagram.of(ROPE.positions(), 0.4),
    "verification": lambda: ROPE.separating_pairs().verify(),
}  # fmt: skip


def said(answer: Any) -> dict[str, Any]:
    """All public properties, arrays among them, and the text."""
    out: dict[str, Any] = {"repr": repr(answer)}
    for name in dir(answer):
        if name.startswith("_") or name in (
            "checker",
            "body",
            "obstacles",
            "motion",
            "may_touch",
            "clearance",
        ):
            continue
        value = getattr(answer, name)
        if not callable(value):
            out[name] = said(value) if isinstance(value, (er.Contacts, er.Counters)) else value
    return out


def same(one: Any, other: Any) -> None:
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            same(one[name], other[name])
    else:
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_comes_back_as_it_was(name: str) -> None:
    answer = ANSWERS[name]()
    expected = said(answer)
    assert len(expected) > 2
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        same(said(pickle.loads(pickle.dumps(answer, protocol))), expected)
    same(said(copy.copy(answer)), expected)
    same(said(copy.deepcopy(answer)), expected)


OF_THE_CORE = [name for name in ANSWERS if type(ANSWERS[name]()).__module__.startswith("elbowroom._core")]


@pytest.mark.parametrize("name", OF_THE_CORE)
def test_a_damaged_answer_is_refused_or_can_be_read(name: str) -> None:
    answer = ANSWERS[name]()
    kind, (whole, real) = type(answer), answer.__getstate__()
    for state in [(np.append(whole, 0), real), (whole, np.append(real, 0.0)), (real, real), (None, None),
                  (whole,), (whole[:, None], real), (whole.astype(np.int32), real)]:  # fmt: skip
        with pytest.raises((ValueError, TypeError)):
            kind.__new__(kind).__setstate__(state)
    for place in range(min(len(whole), 40)):
        for value in (-1, 2, 7, 2**31, 2**62):
            changed, made = whole.copy(), kind.__new__(kind)
            changed[place] = value
            try:
                made.__setstate__((changed, real))
            except ValueError:
                continue
            said(made)


def test_a_memory_comes_back_empty_with_its_settings() -> None:
    """What it found is about the bodies of this process."""
    memory = er.Memory("best-first", group=5, threshold=0.5)
    er.collide(SPRING, SPRING, pose_b=POSES[0], memory=memory, budget=FEW)
    assert not memory.empty
    for twin in (copy.copy(memory), copy.deepcopy(memory), pickle.loads(pickle.dumps(memory))):
        assert twin.empty and (twin.method, twin.group, twin.threshold) == ("best-first", 5, 0.5)
        assert twin.calibration is None
        er.collide(SPRING, SPRING, pose_b=POSES[0], memory=twin, budget=FEW)
        assert memory.calls == twin.calls == 1
    tree = memory.bvtt
    assert tree is not None and len(pickle.loads(pickle.dumps(tree))) == len(tree)


def test_what_is_proved() -> None:
    tight, free = er.Budget(tests=9), POSES[0]
    for ask in (er.collide, er.distance, lambda a, b, **options: er.within(a, b, 1.0, **options)):
        assert ask(SPRING, SPRING, pose_b=free).proved and ask(SPRING, SPRING, pose_b=POSES[:3]).proved
        for poses in (free, POSES[:3]):
            part = ask(SPRING, SPRING, pose_b=poses, budget=tight)
            assert not part.proved and part.status == "out of budget"
    assert motion_answer().proved and ROPE.separating_pairs().proved
    assert repr(er.collide(SPRING, SPRING, pose_b=free)).startswith("<Collision: proved free; ")
    assert "exact" in repr(er.distance(SPRING, SPRING, pose_b=free))
