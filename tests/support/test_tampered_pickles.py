"""Pickles whose contents were changed: a body comes out that is sound, or an error; never a crash."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from odd_values import odd
from thread_subjects import arm, charged, rigid_checker, spring

import elbowroom as er

WORDS = np.array([np.nan, np.inf, -np.inf, 1e300, -1.0, 0.0, 1e-300, 2**40, -(2**31)])
MAKERS: dict[str, Callable[[], Any]] = {
    "mesh": spring,
    "binary mesh": lambda: er.Mesh(*er.scenes.spring(segments=10), children=2),
    "group": lambda: er.Group([(er.Box(1), er.Pose()), er.Sphere(2)]),
    "convex": lambda: er.Convex(np.random.default_rng(0).normal(size=(20, 3))),
    "half-space": lambda: er.HalfSpace([1, 2, 3], 4.0),
    "capsule": lambda: er.Capsule(0.3, 2.0),
    "chain": charged,
    "binary chain": lambda: er.Chain(er.scenes.serpentine(50), 1.0, volume="obb"),
    "necklace": lambda: er.Necklace(er.scenes.spiral(60, frames=1)[0], 0.3, cages="wrapped"),
    "articulated": arm,
    "motion": lambda: er.Motion(er.Pose(), er.Pose([0, 0, 1, 0], [1, 2, 3])),
    "pose": lambda: er.Pose([0, 0, 1, 0], [1, 2, 3]),
    "budget": lambda: er.Budget(tests=5),
    "checker": rigid_checker,
}


def changed(value: Any, rng: np.random.Generator) -> Any:
    """The same with something in it changed, somewhere."""
    if isinstance(value, (tuple, list)) and len(value):
        parts = list(value)
        k = int(rng.integers(len(parts)))
        parts[k] = changed(parts[k], rng)
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, np.ndarray) and value.size and rng.random() < 0.8:
        out = value.copy()
        word = rng.choice(WORDS)
        with np.errstate(invalid="ignore"):
            out.flat[int(rng.integers(out.size))] = np.asarray(word).astype(out.dtype)
        return out
    if isinstance(value, (np.ndarray, int, float, str, type(None))):
        return odd(value, rng)
    if not is_dataclass(value):
        return value
    out = object.__new__(type(value))  # not a copy, which may be the thing itself
    out.__dict__.update(value.__dict__)
    name = str(rng.choice([field.name for field in fields(value)]))  # type: ignore[arg-type]
    object.__setattr__(out, name, changed(getattr(out, name), rng))
    return out


def used(body: Any) -> None:
    """What needs all of a body."""
    if hasattr(body, "validate"):
        body.validate()
    if isinstance(body, er.Body):
        er.distance(body, er.Sphere(1))
    elif isinstance(body, (er.Chain, er.Necklace)):
        er.self_collide(body, every=True)
        body.positions()
    elif isinstance(body, er.Articulated) and not body.many:
        er.self_distance(body)
    elif isinstance(body, er.Motion):
        assert np.isfinite((body[0] if body._many else body).at(0.5).matrix).all()


@pytest.mark.parametrize("name", MAKERS)
def test_what_a_pickle_holds_is_checked(name: str) -> None:
    body, rng, made = MAKERS[name](), np.random.default_rng(0), 0
    make, arguments = body.__reduce__()[:2]
    for _ in range(150):
        try:
            with np.errstate(all="ignore"):
                other = make(*changed(tuple(arguments), rng))
        except (
            ValueError,
            TypeError,
            AttributeError,
            LookupError,
            OverflowError,
            MemoryError,
            NotImplementedError,  # of odd values themselves, such as memoryviews
            AssertionError,
        ):
            continue
        used(other)
        made += 1
    assert made < 150


@pytest.mark.parametrize("name", MAKERS)
def test_what_was_not_changed_comes_back(name: str) -> None:
    body = MAKERS[name]()
    twin = pickle.loads(pickle.dumps(body))
    assert repr(twin) == repr(body)
    used(twin)


def test_a_motion_by_half_a_turn_keeps_its_way() -> None:
    motion = er.Motion(er.Pose(), er.Pose([0, 0, 1, 0], [1, 2, 3]))
    for one in (motion, motion.reversed()):
        assert np.array_equal(pickle.loads(pickle.dumps(one)).at(0.3).matrix, one.at(0.3).matrix)


def test_joints_that_are_hardly_rotations_are_made_orthonormal() -> None:
    """What a saved chain may be off by is more than the tree may be."""
    chain = MAKERS["binary chain"]()
    make, arguments = chain.__reduce__()
    place = next(k for k, value in enumerate(arguments) if np.shape(value) == (49, 3, 4))
    for index in np.ndindex(3, 3):
        joints = arguments[place].copy()
        joints[26][index] += 4e-7
        other = make(*arguments[:place], joints, *arguments[place + 1 :])
        other.validate()
        assert np.allclose(other.positions(), chain.positions(), atol=1e-4)
    twin = make(*arguments)
    assert np.array_equal(twin._joints(), chain._joints())


def flipped(arrays: tuple[Any, ...], rng: np.random.Generator) -> tuple[Any, ...]:
    """Arrays with a few bits changed, or shorter, or with two elements exchanged."""
    out = [np.array(array) for array in arrays]
    for _ in range(int(rng.integers(1, 4))):
        raw = out[int(rng.integers(len(out)))].view(np.uint8)
        raw[int(rng.integers(raw.size))] ^= 1 << int(rng.integers(8))
    k = int(rng.integers(len(out)))
    if rng.random() < 0.1:
        out[k] = out[k][: int(rng.integers(len(out[k]) + 1))]
    elif rng.random() < 0.2:
        i, j = rng.integers(len(out[k]), size=2)
        out[k][[i, j]] = out[k][[j, i]]
    return tuple(out)


@pytest.mark.parametrize("children", [2, 8])
def test_a_tree_with_flipped_bits_is_refused_or_gives_the_same_answers(children: int) -> None:
    rng, refused, made = np.random.default_rng(children), 0, 0
    beside, apart = er.Pose(translation=[0.5, 0, 0]), er.Pose(translation=[20.0, 0, 0])
    for _ in range(12):
        count = int(rng.integers(1, 60))
        corners, faces = rng.normal(size=(3 * count, 3)), np.arange(3 * count).reshape(-1, 3)
        mesh = er.Mesh(corners, faces, children=children)
        make, (*arguments, plan) = mesh.__reduce__()[:2]
        hits = er.collide(mesh, mesh, pose_b=beside, every=True).pairs
        away = er.distance(mesh, mesh, pose_b=apart).value
        for _ in range(25):
            try:
                other = make(*arguments, flipped(plan, rng))
            except ValueError:
                refused += 1
                continue
            other.validate()
            made += 1
            assert np.array_equal(er.collide(other, mesh, pose_b=beside, every=True).pairs, hits)
            assert er.distance(other, mesh, pose_b=apart).value == pytest.approx(away, rel=1e-12)
    assert refused > 100
    assert made > 20
