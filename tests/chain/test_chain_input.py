"""Wrong arguments of chains: an error that names the argument, and the chain stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from chain_makers import MAKERS, VOLUMES, coil, rng_of, serpentine
from chain_oracle import Twin, random_move
from test_arrays import COUNTS, LENGTHS, NONE, POINTS, ROTATIONS, SPOILT, WRONG, bad_numbers, with_entry

import elbowroom as er

ZEROS = np.zeros(5, int)
FIVE = np.arange(15.0).reshape(5, 3)
SIDE_ROWS = [[0.0, 0.0, 1.0], [1.0, 1.0, 1.0]]


def with_side(*side: Any) -> Any:
    return er.Chain(FIVE, 1.0, side=er.SideBalls(*side))


# Making a chain: how the argument is given, the name that the error must tell, what to refuse.
# fmt: off

Row = tuple[Callable[[Any], Any], str, dict[str, Any]]
PLACES: dict[str, Any] = POINTS | {"one link": np.zeros((1, 3))}
RADII: dict[str, Any] = bad_numbers(np.ones(5), 1) | {
    "negative": -1e-9, "one negative": [1, 1, 1, 1, -1e-9], "too many": np.ones(6), "too few": np.ones(4),
    "table": np.ones((5, 1)), "empty": [], "one nan": np.nan,
}
PAIRS: dict[str, Any] = {
    "beyond": [[0, 5]], "negative": [[-1, 2]], "flat": [0, 1], "three columns": [[0, 1, 2]],
    "text": [["0", "1"]], "floats": [[0.0, 1.0]], "nan": [[0, np.nan]], "number": 3, "ragged": [[0, 1], [2]],
}
OWNERS: dict[str, Any] = {
    "beyond": [0, 5], "negative": [0, -1], "floats": [0.0, 1.0], "too many": [0, 1, 2], "table": [[0, 1]],
    "text": ["0", "1"],
}
TORSIONS: dict[str, Any] = {
    "ball beyond": [(0, 7, [6])], "ball negative": [(-1, 5, [6])], "moving beyond": [(0, 5, [7])],
    "moving a link": [(0, 5, [1])], "pair": [(0, 5)], "number": 3,
    "moving two links": [(0, 5, [5, 6])], "text": "abc", "moving none": [(0, 5, [])],
}
MAKING: dict[str, Row] = {
    "positions": (lambda x: er.Chain(x, 1.0), "positions", PLACES),
    "radii": (lambda x: er.Chain(FIVE, x), "radii", RADII),
    "volume": (lambda x: er.Chain(FIVE, 1.0, volume=x), "volume",
               {"unknown": "ball", "none": None, "number": 2, "class": er.volumes.Obb, "aabb": "aabb"}),
    "exclude": (lambda x: er.Chain(FIVE, 1.0, exclude=x), "exclude", NONE | COUNTS),
    "excluded pairs": (lambda x: er.Chain(FIVE, 1.0, exclude=(1, x)), "exclude", PAIRS),
    "children": (lambda x: er.Chain(FIVE, 1.0, volume="obb", children=x), "children",
                 {"four": 4, "zero": 0, "text": "8", "float": 2.5}),
    "children of an rss": (lambda x: er.Chain(FIVE, 1.0, volume="rss", children=x), "children", {"eight": 8}),
    "skip": (lambda x: er.Chain(FIVE, 1.0, volume="obb", skip=x), "skip", NONE | {"unknown": "all"}),
    "side": (lambda x: er.Chain(FIVE, 1.0, side=x), "side", {"tuple": (0, 1), "number": 1, "text": "side"}),
    "side owner": (lambda x: with_side(x, SIDE_ROWS, [1, 1]), "side.owner", OWNERS),
    "side positions": (lambda x: with_side(ZEROS, x, 1.0), "side.positions", POINTS),
    "side radii": (lambda x: with_side(ZEROS, FIVE, x), "side.radii", RADII),
    "side torsions": (lambda x: with_side([0, 1], SIDE_ROWS, [1, 1], x), "side.torsions", TORSIONS),
}

# Asking and changing: a method of a chain of 40 links with side balls.

JOINTS: dict[str, Any] = NONE | {
    "negative": -1, "the last link": 39, "beyond": 10**9, "huge": 2**70, "float": 3.0, "text": "3",
    "bool": True, "nan": np.nan, "list": [3], "array": np.array([3]),
}
ANGLES: dict[str, Any] = NONE | {
    "nan": np.nan, "inf": np.inf, "-inf": -np.inf, "text": "1", "list": [1.0], "complex": 1j,
    "array": np.ones(2),
}
TURNS = NONE | ROTATIONS
POSES: dict[str, Any] = NONE | SPOILT | WRONG
ANGLES_OF_MANY: dict[str, Any] = {
    "too few": [0.1], "nan": [0.1, np.nan], "inf": [np.inf, 0.1], "text": ["a", "b"], "table": [[0.1, 0.1]],
}
JOINTS_OF_MANY: dict[str, Any] = {
    "negative": [0, -1], "beyond": [0, 39], "floats": [0.0, 1.0], "table": [[0, 1]], "text": ["0", "1"],
}
CHANGING: dict[str, Row] = {
    "rotate joint": (lambda c: lambda x: c.rotate(x, 0.1), "joint", JOINTS),
    "rotate angle": (lambda c: lambda x: c.rotate(3, x), "angle", ANGLES),
    "turn joint": (lambda c: lambda x: c.turn(x, np.eye(3)), "joint", JOINTS),
    "turn rotation": (lambda c: lambda x: c.turn(3, x), "rotation", TURNS),
    "move joint": (lambda c: lambda x: c.move(x, er.Pose()), "joint", JOINTS),
    "move pose": (lambda c: lambda x: c.move(3, x), "pose", POSES),
    "change joint": (lambda c: lambda x: c.change({2: 0.1, x: 0.2}), "torsions",
                     {k: v for k, v in JOINTS.items() if k not in ("list", "array", "bool")}),
    "change angle": (lambda c: lambda x: c.change({2: 0.1, 3: x}), "torsions", ANGLES),
    "change": (lambda c: lambda x: c.change(x), "torsions", NONE | {"list": [0.1], "number": 3}),
    "side torsion": (lambda c: lambda x: c.rotate_side(x, 0.1), "torsion",
                     NONE | {"negative": -1, "beyond": 1000, "float": 0.0, "text": "0"}),
    "side angle": (lambda c: lambda x: c.rotate_side(0, x), "angle", ANGLES),
    "side angles": (lambda c: lambda x: c.rotate_side([0], x), "angle",
                    {"none": [], "too many": [1.0, 2.0], "nan": [np.nan], "text": "x"}),
    "try joints": (lambda c: lambda x: c.try_torsions(x, [0.1, 0.1]), "joints", JOINTS_OF_MANY),
    "try angles": (lambda c: lambda x: c.try_torsions([0, 1], x), "angles", ANGLES_OF_MANY),
    "pose i": (lambda c: lambda x: c.pose(x, 1), "i", {"negative": -1, "beyond": 40, "float": 1.0}),
    "pose j": (lambda c: lambda x: c.pose(1, x), "j", {"negative": -1, "beyond": 40, "float": 1.0}),
    "boxes": (lambda c: c.boxes, "level", NONE | {"negative": -1, "float": 1.5, "text": "1"}),
    "self_within": (lambda c: lambda x: er.self_within(c, x), "reach", NONE | LENGTHS),
    "self_distance": (lambda c: lambda x: er.self_distance(c, enough=x), "enough", LENGTHS),
    "budget": (lambda c: lambda x: er.self_collide(c, budget=x), "budget", {"number": 5, "text": "1"}),
    "within": (lambda c: lambda x: er.within(c, er.Box(1), x), "reach", NONE | LENGTHS),
    "collide pose": (lambda c: lambda x: er.collide(c, er.Box(1), x), "pose_a", SPOILT | WRONG),
    "distance pose": (lambda c: lambda x: er.distance(er.Box(1), c, None, x), "pose_b", SPOILT | WRONG),
}
# fmt: on


MADE = [(row, what) for row, (_, _, bad) in MAKING.items() for what in bad]


@pytest.mark.parametrize(("row", "what"), MADE)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_a_chain_that_cannot_be_made_is_an_error_that_names_the_argument(row: str, what: str) -> None:
    make, name, bad = MAKING[row]
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}"):
        make(bad[what])


def changed_chain() -> Twin:
    """A chain in the middle of its work: changes made, one of them not yet asked about."""
    rng = rng_of("input")
    twin = Twin.of(MAKERS["branched"](rng, 40))
    twin.make(random_move(rng, twin.slow, gentle=True))
    twin.check_verdict()
    twin.make(("rotate", (30, 0.01)))
    return twin


def check_unchanged(twin: Twin, before: bytes) -> None:
    assert twin.chain.positions(side=True).tobytes() == before
    twin.chain.validate()
    twin.check_verdict()
    twin.undo()
    twin.check_positions()
    twin.check_verdict()


CHANGES = [(row, what) for row, (_, _, bad) in CHANGING.items() for what in bad]


@pytest.mark.parametrize(("row", "what"), CHANGES)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_a_wrong_argument_is_an_error_that_names_it_and_nothing_changes(row: str, what: str) -> None:
    method, name, bad = CHANGING[row]
    twin = changed_chain()
    before = twin.chain.positions(side=True).tobytes()
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}"):
        method(twin.chain)(bad[what])
    check_unchanged(twin, before)


REFUSED: list[Callable[[Any], Any]] = [
    lambda c: c.rotate(59, 1.0),
    lambda c: c.change({0: 1.0, 10: np.nan, 20: 1.0}),
    lambda c: c.turn(3, 2.0 * np.eye(3)),
    lambda c: c.move(3, with_entry(np.eye(4), (0, 3), np.inf)),
    lambda c: c.try_torsions([0, 1, 99], [1.0, 1.0, 1.0]),
]


@pytest.mark.parametrize("volume", VOLUMES)
def test_a_refused_change_leaves_every_kind_of_tree_as_it_was(volume: str) -> None:
    rng = rng_of("refused")
    twin = Twin.of(serpentine(rng, 60), **VOLUMES[volume])
    for _ in range(10):
        twin.make(random_move(rng, twin.slow, gentle=True))
        for wrong in REFUSED:
            with pytest.raises(ValueError, match=r"joint|torsions|rotation|pose"):
                wrong(twin.chain)
            twin.chain.validate()
            twin.check_positions()
        if twin.check_verdict():
            twin.undo()


def test_nothing_to_undo() -> None:
    twin = Twin.of(coil(rng_of("nothing"), 20))
    for _ in range(2):
        with pytest.raises(RuntimeError, match="undo"):
            twin.chain.undo()
    twin.make(("rotate", (3, 0.5)))
    twin.undo()
    with pytest.raises(RuntimeError, match="undo"):
        twin.chain.undo()
    twin.check_positions()
    twin.check_verdict()


def test_links_that_are_moved_far_away_are_still_told_apart() -> None:
    """Shifts that are sound one by one add up; what is near stays as exact as it was."""
    twin = Twin.of(serpentine(None, 20))
    for _ in range(5):
        twin.make(("move", (5, er.Pose(translation=[1e10, 0.0, 0.0]).matrix)))
    twin.chain.validate()
    twin.check_positions()
    assert twin.chain.collides() is False
    assert er.self_distance(twin.chain).value == pytest.approx(2.0, abs=1e-14 * twin.slow.size)


@pytest.mark.parametrize("ask", [er.collide, er.distance, lambda a, b: er.within(a, b, 1.0)])
def test_what_is_no_body_is_refused_beside_a_chain(ask: Callable[..., Any]) -> None:
    chain = serpentine(None, 8).chain()
    for wrong in (None, 1.0, "chain", er.Pose(), np.zeros((3, 3))):
        with pytest.raises(TypeError, match=r"^b must be a body"):
            ask(chain, wrong)
        with pytest.raises(TypeError, match=r"^a must be a body"):
            ask(wrong, chain)


@pytest.mark.parametrize("ask", [er.self_collide, er.self_distance, lambda c: er.self_within(c, 1.0)])
def test_only_chains_are_asked_about_themselves(ask: Callable[..., Any]) -> None:
    for wrong in (None, 1.0, er.Box(1), "chain", FIVE):
        with pytest.raises(TypeError, match=r"^body must be a Chain"):
            ask(wrong)


def test_what_is_borderline_is_taken() -> None:
    chain = er.Chain(FIVE.tolist(), 0, exclude=(np.int64(0), []), volume="auto")
    chain.rotate(np.int32(2), np.float32(0.5))
    chain.change({np.int64(0): 1, 3: np.float64(0.25)})
    assert chain.try_torsions(np.array([0, 1], np.uint8), [0, 1]).tolist() == [True, True]
    assert len(er.Chain(np.zeros((2, 3)), 1.0)) == 2
    assert er.Chain(FIVE, 1.0, exclude=100).collides() is False
    assert er.Chain(np.asfortranarray(FIVE), np.ones(10)[::2]).positions().tolist() == FIVE.tolist()
