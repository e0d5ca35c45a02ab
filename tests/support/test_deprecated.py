"""Old spellings: each works, and says once what to write instead, with the line of the caller."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom.files.frames import Trajectory
from elbowroom.files.pdb import ChainAtoms

LINE = np.stack([np.arange(6.0), np.zeros(6), np.zeros(6)], axis=1)
PAIRS = np.array([[0, 2], [1, 4]], np.int32)
THROUGH = er.Motion(er.Pose(translation=[0.1, 0.1, -0.3]), er.Pose(translation=[0.1, 0.1, 0.61]))


def rope(**settings: Any) -> er.Necklace:
    return er.Necklace(LINE, 0.4, **settings)


def arm() -> er.Articulated:
    links = [er.Link("a", er.Box(1)), er.Link("b", er.Box(1))]
    return er.Articulated(links, [er.Joint("ab", "revolute", "a", "b")])


def allowed_again() -> list[Any]:
    body = arm()
    body.allow([("a", "b")])
    return body.excluded.tolist()


def chain_atoms() -> ChainAtoms:
    return ChainAtoms(LINE, np.ones(6), PAIRS, PAIRS, None, (), ())


def trajectory() -> Trajectory:
    return Trajectory("", range(1), LINE, np.ones(6), (), PAIRS, 1, "", None, (), lambda _: iter(()))


def separating(**named: Any) -> er.SeparatingPairs:
    made = rope().separating_pairs()
    names = ("pairs", "colliding", "cages", "ranges", "positions", "radii")
    return er.SeparatingPairs(**{name: getattr(made, name) for name in names}, **named)


def diagram(**named: Any) -> er.PowerDiagram:
    made = er.PowerDiagram.of(LINE, 0.4)
    names = ("positions", "radii", "edges", "simplices", "hidden")
    return er.PowerDiagram(**{name: getattr(made, name) for name in names}, **named)


def link_pairs(**named: Any) -> er.LinkPairs:
    return er.LinkPairs(counts=np.zeros((2, 2), np.int64), samples=1, seed=0, **named)


def undecided() -> er.Certificate:
    """A point that goes through a triangle is in it for no time at all."""
    sheet = er.Mesh([[-1, -1, 0], [1, -1, 0], [0, 2, 0]], [[0, 1, 2]])
    found: er.Certificate = er.check(er.Sphere(0), THROUGH, sheet)
    assert found.free is None
    return found


CHAIN = er.Chain(LINE, 0.4, exclude=2)
#: Of each: the old way, the new way, and what the warning names.
OLD: dict[str, tuple[Callable[[], Any], Callable[[], Any], str]] = {
    "Chain(allowed=)": (
        lambda: er.Chain(LINE, 0.4, allowed=[[0, 2], [1, 4], [3, 3]]).excluded.tolist(),
        lambda: er.Chain(LINE, 0.4, exclude=(1, PAIRS)).excluded.tolist(), "exclude=",
    ),
    "Chain(exclude=, allowed=)": (
        lambda: er.Chain(LINE, 0.4, exclude=2, allowed=None).excluded.tolist(),
        lambda: er.Chain(LINE, 0.4, exclude=2).excluded.tolist(), "exclude=",
    ),
    "chain.exclude ==": (lambda: CHAIN.exclude == 2, lambda: CHAIN.excluded_gap == 2, "excluded_gap"),
    "chain.exclude <": (lambda: CHAIN.exclude > 1, lambda: True, "excluded_gap"),
    "chain.exclude +": (lambda: 1 + CHAIN.exclude, lambda: 3, "excluded_gap"),
    "Chain(exclude=chain.exclude)": (
        lambda: er.Chain(LINE, 0.4, exclude=CHAIN.exclude).excluded_gap, lambda: 2, "excluded_gap",
    ),
    "Necklace(may_touch=)": (
        lambda: rope(may_touch=PAIRS).excluded.tolist(), lambda: PAIRS.tolist(), "exclude=",
    ),
    "Necklace(may_touch=None)": (
        lambda: rope(may_touch=None).excluded.tolist(), lambda: rope().excluded.tolist(), "exclude=",
    ),
    "Necklace.may_touch": (lambda: rope().may_touch.tolist(), lambda: rope().excluded.tolist(), "excluded"),
    "Articulated.allow": (allowed_again, list, "include"),
    "Articulated.links": (lambda: arm().links, lambda: ("a", "b"), "link_names"),
    "Articulated.joints": (lambda: arm().joints, lambda: ("ab",), "joint_names"),
    "LinkPairs(links=)": (lambda: link_pairs(links=("a",)).link_names, lambda: ("a",), "link_names="),
    "LinkPairs.links": (lambda: link_pairs(link_names=("a",)).links, lambda: ("a",), "link_names"),
    "SeparatingPairs(may_touch=)": (
        lambda: separating(may_touch=PAIRS).excluded.tolist(), lambda: PAIRS.tolist(), "excluded=",
    ),
    "SeparatingPairs.may_touch": (
        lambda: separating(excluded=PAIRS).may_touch.tolist(), lambda: PAIRS.tolist(), "excluded",
    ),
    "verify(exclude=None)": (
        lambda: repr(rope().separating_pairs().verify(LINE, 0.4, None)),
        lambda: repr(rope().separating_pairs().verify(LINE, 0.4, 1)), "exclude=1",
    ),
    "problems(exclude=None)": (
        lambda: rope(exclude=2).separating_pairs().problems(exclude=None),
        lambda: rope(exclude=2).separating_pairs().problems(exclude=1), "exclude=1",
    ),
    "PowerDiagram.of(may_touch=)": (
        lambda: er.PowerDiagram.of(LINE, 0.4, may_touch=None).excluded.tolist(),
        lambda: er.PowerDiagram.of(LINE, 0.4).excluded.tolist(), "exclude=",
    ),
    "PowerDiagram.of(may_touch=pairs)": (
        lambda: er.PowerDiagram.of(LINE, 0.4, may_touch=[[1, 1], [2, 0]]).excluded.tolist(),
        lambda: [[0, 2]], "exclude=",
    ),
    "PowerDiagram.of(None)": (
        lambda: er.PowerDiagram.of(LINE, 0.4, None).excluded.tolist(),  # type: ignore[arg-type]
        lambda: er.PowerDiagram.of(LINE, 0.4).excluded.tolist(), "exclude=1",
    ),
    "PowerDiagram(may_touch=)": (
        lambda: diagram(may_touch=PAIRS).excluded.tolist(), lambda: PAIRS.tolist(), "excluded=",
    ),
    "PowerDiagram.may_touch": (
        lambda: diagram(excluded=PAIRS).may_touch.tolist(), lambda: PAIRS.tolist(), "excluded",
    ),
    "ChainAtoms.allowed": (lambda: chain_atoms().allowed.tolist(), lambda: PAIRS.tolist(), "excluded"),
    "Trajectory.may_touch": (lambda: trajectory().may_touch.tolist(), lambda: PAIRS.tolist(), "excluded"),
    "Certificate.clearance": (lambda: undecided().clearance, lambda: undecided().closest, "closest"),
}  # fmt: skip


@pytest.mark.parametrize("name", OLD)
def test_an_old_spelling_works_and_warns_once(name: str) -> None:
    old, new, named = OLD[name]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        found = old()
    assert found == new()
    assert [(each.category, each.filename) for each in seen] == [(DeprecationWarning, __file__)]
    assert str(seen[0].message).endswith(f"is deprecated: use {named}") or named == "closest"


def with_old_name(thing: Any, new: str, old: str) -> Any:
    """The thing, from a pickle in which a field has its old name."""
    made = object.__new__(type(thing))
    made.__setstate__({old if name == new else name: value for name, value in vars(thing).items()})
    return made


def test_old_pickles_and_files_are_read(tmp_path: Any) -> None:
    for thing in (separating(excluded=PAIRS), diagram(excluded=PAIRS)):
        assert with_old_name(thing, "excluded", "may_touch").excluded.tolist() == PAIRS.tolist()
        assert pickle.loads(pickle.dumps(thing)).excluded.tolist() == PAIRS.tolist()
    assert with_old_name(link_pairs(link_names=("a",)), "link_names", "links").link_names == ("a",)
    proof = rope().separating_pairs()
    proof.save(tmp_path / "new.npz")
    with np.load(tmp_path / "new.npz") as new:
        np.savez(tmp_path / "old.npz", **{"may_touch" if k == "excluded" else k: new[k] for k in new})
    assert er.SeparatingPairs.load(tmp_path / "old.npz").verify(LINE, 0.4, exclude=1)
