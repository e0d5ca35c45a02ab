"""Wrong arguments of necklaces: an error that names the argument, and the necklace stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from chain_makers import rng_of
from necklace_makers import CAGES, MAKERS, coil
from necklace_motions import MOTIONS
from necklace_oracle import Twin
from test_arrays import COUNTS, LENGTHS, NONE, SPOILT, WRONG, bad_numbers, with_entry
from test_necklace_queries import check_everything

import elbowroom as er

FIVE = np.arange(15.0).reshape(5, 3)

# Making a necklace: how the argument is given, the name that the error must tell, what to refuse.
# fmt: off

Row = tuple[Callable[[Any], Any], str, dict[str, Any]]
PLACES: dict[str, Any] = NONE | bad_numbers(np.ones((5, 3)), (3, 1)) | {
    "empty": [], "no rows": np.zeros((0, 3)), "flat": np.zeros(3), "one column": np.zeros((4, 1)),
    "four columns": np.zeros((4, 4)), "number": 1.0, "three axes": np.zeros((2, 2, 3)),
    "ragged": [[0, 0, 0], [1, 1]], "object": object(), "no columns": np.zeros((3, 0)),
}
RADII: dict[str, Any] = NONE | bad_numbers(np.ones(5), 1) | {
    "negative": -1e-9, "one negative": [1, 1, 1, 1, -1e-9], "too many": np.ones(6), "too few": np.ones(4),
    "table": np.ones((5, 1)), "empty": [], "one nan": np.nan,
}
TOUCH: dict[str, Any] = {
    "negative": -1, "float": 1.5, "text": "neighbours", "bool": True, "beyond": [[0, 5]], "nan": np.nan,
    "negative bead": [[-1, 2]], "flat": [0, 1], "three columns": [[0, 1, 2]], "words": [["0", "1"]],
    "floats": [[0.0, 1.0]], "nan bead": [[0, np.nan]], "ragged": [[0, 1], [2]],
}
NAMES: dict[str, Any] = NONE | {"unknown": "spheres", "number": 2, "bytes": b"boxes", "list": ["boxes"]}
MAKING: dict[str, Row] = {
    "positions": (lambda x: er.Necklace(x, 1.0), "positions", PLACES),
    "radii": (lambda x: er.Necklace(FIVE, x), "radii", RADII),
    "cages": (lambda x: er.Necklace(FIVE, 1.0, cages=x), "cages", NAMES),
    "exclude": (lambda x: er.Necklace(FIVE, 1.0, exclude=x), "exclude", TOUCH),
    "verify": (lambda x: er.Necklace(FIVE, 1.0, cages="wrapped", verify=x), "verify", NAMES),
    "closed": (lambda x: er.Necklace(FIVE, 1.0, closed=x), "closed", NONE | {"text": "yes", "list": []}),
}

# Asking and moving: a necklace of 40 beads.

MOVED: dict[str, Any] = NONE | bad_numbers(np.ones((40, 3)), (39, 2)) | {
    "empty": [], "too few": np.zeros((39, 3)), "too many": np.zeros((41, 3)), "flat": np.zeros(120),
    "of the plane": np.zeros((40, 2)), "four columns": np.zeros((40, 4)), "turned": np.zeros((3, 40)),
    "three axes": np.zeros((1, 40, 3)), "number": 1.0, "ragged": [[0, 0, 0], [1, 1]], "object": object(),
    "first nan": with_entry(np.ones((40, 3)), (0, 0), np.nan),
}
ASKING: dict[str, Row] = {
    "move": (lambda c: c.move, "positions", MOVED),
    "verify": (lambda c: lambda x: setattr(c, "verify", x), "verify", NAMES),
    "cage_balls": (lambda c: c.cage_balls, "level",
                   {"negative": -1, "float": 1.5, "text": "1", "bool": True}),
    "start": (lambda c: lambda x: c.separating_pairs(start=x), "start",
              {"number": 1, "array": np.zeros((3, 2), int), "text": "start"}),
    "self_within": (lambda c: lambda x: er.self_within(c, x), "reach", NONE | LENGTHS),
    "self_distance": (lambda c: lambda x: er.self_distance(c, enough=x), "enough", LENGTHS),
    "budget": (lambda c: lambda x: er.self_collide(c, budget=x), "budget", {"number": 5, "text": "1"}),
    "distance budget": (lambda c: lambda x: er.self_distance(c, budget=x), "budget", {"number": 5}),
    "within budget": (lambda c: lambda x: er.self_within(c, 1.0, budget=x), "budget", {"number": 5}),
    "within": (lambda c: lambda x: er.within(c, er.Box(1), x), "reach", NONE | LENGTHS),
    "enough": (lambda c: lambda x: er.distance(er.Box(1), c, enough=x), "enough", LENGTHS),
    "collide pose": (lambda c: lambda x: er.collide(c, er.Box(1), x), "pose_a", SPOILT | WRONG),
    "distance pose": (lambda c: lambda x: er.distance(er.Box(1), c, None, x), "pose_b", SPOILT | WRONG),
    "threads": (lambda c: lambda x: er.collide(c, er.Box(1), threads=x), "threads", COUNTS | {"zero": 0}),
}
# fmt: on

MADE = [(row, what) for row, (_, _, bad) in MAKING.items() for what in bad]
ASKED = [(row, what) for row, (_, _, bad) in ASKING.items() for what in bad]


@pytest.mark.parametrize(("row", "what"), MADE)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_a_necklace_that_cannot_be_made_is_an_error_that_names_the_argument(row: str, what: str) -> None:
    make, name, bad = MAKING[row]
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}"):
        make(bad[what])


def moved_necklace(cages: str) -> Twin:
    """A necklace in the middle of its work: asked about, then moved and not yet asked again."""
    rng = rng_of("input")
    twin = Twin.of(coil(rng, 40), cages=cages)
    for _ in range(2):
        twin.check_verdict()
        twin.move(MOTIONS["slow"](rng, twin.slow.positions, twin.recipe.size))
    return twin


@pytest.mark.parametrize(("row", "what"), ASKED)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_a_wrong_argument_is_an_error_that_names_it_and_nothing_changes(row: str, what: str) -> None:
    method, name, bad = ASKING[row]
    twin = moved_necklace("wrapped")
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}"):
        method(twin.necklace)(bad[what])
    twin.check_positions()
    twin.necklace.validate()
    twin.check_verdict()


@pytest.mark.parametrize("cages", CAGES)
def test_a_refused_move_changes_nothing(cages: str) -> None:
    rng, twin = rng_of("refused"), moved_necklace(cages)
    for what in ("nan", "first nan", "-inf", "too large", "too few", "of the plane"):
        spoilt = MOVED[what]
        if spoilt.shape == (40, 3):  # new places for all beads but one, which has none
            spoilt = np.where(spoilt == 1.0, rng.normal(size=(40, 3)), spoilt)
        counters = twin.necklace.counters
        with pytest.raises(ValueError, match="positions"):
            twin.necklace.move(spoilt)
        assert twin.necklace.counters == counters
        twin.necklace.validate()
        check_everything(twin, rng)
        twin.move(MOTIONS["slow"](rng, twin.slow.positions, twin.recipe.size))
    check_everything(twin, rng)
    twin.necklace.validate()


def test_a_bead_paired_with_itself() -> None:
    with pytest.raises(ValueError, match="exclude"):
        er.Necklace(FIVE, 1.0, exclude=[[2, 2]])


def test_a_necklace_whose_pairs_are_listed_is_not_closed() -> None:
    """Whether the last bead may touch the first is said by the list."""
    with pytest.raises(ValueError, match="closed"):
        er.Necklace(FIVE, 1.0, exclude=[[0, 1]], closed=True)


def test_verify_is_for_wrapped_cages_alone() -> None:
    """Others have nothing to verify; asking for a way to do it is a mistake, leaving it as it is is none."""
    for cages in ("boxes", "layered", "power"):
        assert er.Necklace(FIVE, 1.0, cages=cages).verify == "auto"
    for cages in ("wrapped", "hybrid"):
        assert er.Necklace(FIVE, 1.0, cages=cages, verify="naive").verify == "naive"


@pytest.mark.parametrize("ask", [er.collide, er.distance, lambda a, b: er.within(a, b, 1.0)])
def test_what_is_no_body_is_refused_beside_a_necklace(ask: Callable[..., Any]) -> None:
    necklace = MAKERS["line"](None, 8).necklace()
    for wrong in (None, 1.0, "necklace", er.Pose(), np.zeros((3, 3))):
        with pytest.raises(TypeError, match=r"^b must be a body"):
            ask(necklace, wrong)
        with pytest.raises(TypeError, match=r"^a must be a body"):
            ask(wrong, necklace)


def test_what_is_borderline_is_taken() -> None:
    necklace = er.Necklace(FIVE.tolist(), 0, exclude=np.int64(0), cages="wrapped")
    necklace.move(FIVE.astype(np.float32))
    necklace.move(np.asfortranarray(FIVE))
    necklace.move(np.arange(30.0).reshape(5, 6)[:, ::2])
    assert necklace.positions().tolist() == np.arange(0.0, 30.0, 2.0).reshape(5, 3).tolist()
    necklace.move(FIVE.astype(int).tolist())
    assert necklace.positions().tolist() == FIVE.tolist()
    assert er.Necklace(FIVE, np.ones(10)[::2]).radii.tolist() == [1.0] * 5
    assert er.Necklace(FIVE, 1.0, exclude=[]).excluded.shape == (0, 2)
    assert er.Necklace(FIVE, 1.0, exclude=np.zeros((0, 2), int)).excluded.shape == (0, 2)
    assert er.Necklace(FIVE, 1.0, exclude=100).excluded.tolist() == [
        [i, j] for i in range(5) for j in range(i + 1, 5)
    ]
    assert er.Necklace(FIVE, 1.0, exclude=[[4, 0], [0, 4], [1, 0]]).excluded.tolist() == [[0, 1], [0, 4]]
    edge = er.Necklace(1e15 * np.array([[1, 0, 0], [-1, 0, 0], [0, 0, 0]]), 1.0, exclude=0)
    assert er.self_distance(edge).value == pytest.approx(1e15 - 2, rel=1e-15)
