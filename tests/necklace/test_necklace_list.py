"""Slow motion: with the list of near pairs in use, every answer stays that of all pairs, frame by frame."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from chain_makers import rng_of
from necklace_makers import CAGES, MAKERS, Recipe, blocks, coil, compact
from necklace_motions import MOTIONS
from necklace_oracle import Twin
from test_necklace_queries import check_everything, check_pairs, check_self_distance

import elbowroom as er

Path = Callable[[np.ndarray, int, np.random.Generator], np.ndarray]
FRAMES = 150


def packed(rng: np.random.Generator, n: int) -> Recipe:
    """A cube with little room between its beads, so that slow motion now and then makes two of them meet."""
    recipe = compact(rng, n)
    return Recipe(recipe.positions, recipe.radii * 1.9)


def mixed(rng: np.random.Generator, n: int) -> Recipe:
    """A cube of beads of which every ninth is far larger than the others."""
    recipe = compact(rng, n)
    radii = rng.uniform(0.05, 0.6, n)
    radii[::9] = 3.2
    return Recipe(recipe.positions, radii)


def flat_packed(rng: np.random.Generator, n: int) -> Recipe:
    recipe = MAKERS["grill"](rng, n)
    return Recipe(recipe.positions, recipe.radii * 0.95)


SHAPES = {"packed": packed, "mixed": mixed, "flat": flat_packed, "coil": coil, "touching": blocks}


# Paths: the next positions after frame k.


def breathing(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """All alike, out and in again."""
    return np.asarray(x * (1.0 + 2e-3 * np.cos(k / 10.0)))


def slow_walk(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    return np.asarray(x + rng.normal(size=x.shape) * 1e-3)


def one_bead(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """One bead wanders through the others, which stand still."""
    out = x.copy()
    out[len(x) // 2, 0] += 0.02
    return out


def faster_and_slower(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Steps from a thousandth to a hundred times as large, back and forth."""
    return np.asarray(x + rng.normal(size=x.shape) * 1e-3 * 10.0 ** (1.0 - 2.0 * np.cos(k / 8.0)) / 10.0)


def with_teleports(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    if k % 25 == 24:
        return MOTIONS["teleport"](rng, x, float(np.ptp(x)))
    return slow_walk(x, k, rng)


def drifting(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """All together, farther than any bead is wide, while each trembles."""
    return np.asarray(x + 0.5 + rng.normal(size=x.shape) * 1e-4)


def stop_and_go(x: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    return x.copy() if k % 10 < 7 else slow_walk(x, k, rng)


PATHS: dict[str, Path] = {
    "breathing": breathing, "slow walk": slow_walk, "one bead": one_bead, "stop and go": stop_and_go,
    "faster and slower": faster_and_slower, "teleports": with_teleports, "drifting": drifting,
}  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_frame_of_a_slow_motion(shape: str, path: str) -> None:
    rng = rng_of("slow", shape, path)
    twin = Twin.of(SHAPES[shape](rng, 120))
    for k in range(FRAMES):
        twin.move(PATHS[path](twin.slow.positions, k, rng))
        verdict = twin.check_verdict()
        if k % 5 == 0:
            every = er.self_collide(twin.necklace, every=True)
            check_pairs(every.pairs, twin, 0.0)
            assert bool(every) is verdict
        if k % 15 == 0:
            check_self_distance(twin)
    assert twin.necklace.counters.moves == FRAMES


def test_the_list_is_used_and_made_anew_when_the_motion_is_slow() -> None:
    """Enough frames that the cheaper way is found, whichever it is; the list must have had its turn."""
    rng = rng_of("used")
    twin = Twin.of(packed(rng, 2000))
    for _ in range(200):
        twin.move(twin.slow.positions + rng.normal(size=(2000, 3)) * 2e-4)
        er.self_collide(twin.necklace)
    twin.check_verdict()
    counters = twin.necklace.counters
    assert counters.list_frames > 0 and counters.list_builds > 0


def test_there_and_back_again() -> None:
    """The beads return to where the list was made, after frames that it did not see."""
    rng = rng_of("back")
    home = packed(rng, 216)
    twin = Twin.of(home)
    for trip in range(6):
        for k in range(20):
            twin.move(home.positions + rng.normal(size=home.positions.shape) * 1e-4 * k)
            twin.check_verdict()
        away = MOTIONS["jump" if trip % 2 else "shrink"](rng, home.positions, 5.0)
        twin.move(away)
        if trip % 3:
            check_everything(twin, rng)
        twin.move(home.positions)
        check_everything(twin, rng)


def test_frames_that_nobody_asked_about() -> None:
    """Moves without a question between them add up."""
    rng = rng_of("unasked")
    twin = Twin.of(packed(rng, 216))
    twin.check_verdict()
    for k in range(60):
        for _ in range(int(rng.integers(1, 12))):
            twin.move(twin.slow.positions + rng.normal(size=(216, 3)) * 2e-3)
        twin.check_verdict()
        if k % 10 == 0:
            check_everything(twin, rng)


def test_a_bead_that_creeps_up_on_another_is_caught_in_the_frame_in_which_it_arrives() -> None:
    """One bead per frame a hair nearer: the frame at which the list could be late is the one that counts."""
    rng = rng_of("creep")
    for step in (1e-2, 3e-3):
        recipe = compact(rng, 64)
        twin, direction = Twin.of(recipe), recipe.positions[40] - recipe.positions[3]
        verdicts = []
        for _ in range(int(1.0 / step)):
            x = twin.slow.positions.copy()
            x[3] += step * direction
            twin.move(x)
            verdicts.append(twin.check_verdict())
        assert not verdicts[0] and any(verdicts), "the bead should start free and arrive"


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("apart", np.linspace(2.0, 2.9, 7))
def test_rows_that_close_in_on_each_other_meet_in_the_frame_in_which_they_do(
    apart: float, dimension: int
) -> None:
    """Two beads come nearer by twice what each of them goes: a list must not outlive half its slack."""
    k = np.arange(60)
    back = k >= 30
    there = np.stack([np.where(back, 59 - k, k), np.where(back, apart, 0.0), np.zeros(60)], axis=1)[
        :, :dimension
    ]
    inwards = np.zeros((60, dimension))
    inwards[:, 1] = np.where(back, -0.01, 0.01)
    twin = Twin.of(Recipe(there, np.full(60, 0.45), np.array([[29, 30]])))
    verdicts = []
    for frame in range(int(50.0 * (apart - 0.8))):
        twin.move(there + frame * inwards)
        verdicts.append(twin.check_verdict())
    assert verdicts[0] is False and verdicts[-1] is True


def test_the_same_frames_with_and_without_questions_about_distances() -> None:
    """Questions of other kinds in between must not disturb what is kept for the verdict."""
    rng = rng_of("between")
    twin = Twin.of(packed(rng, 125))
    other = er.Sphere(2.0)
    for k in range(80):
        twin.move(slow_walk(twin.slow.positions, k, rng))
        if k % 3 == 0:
            er.self_distance(twin.necklace)
            er.self_within(twin.necklace, float(rng.random()))
        if k % 4 == 0:
            er.collide(twin.necklace, other, None, er.Pose(translation=twin.slow.positions[0]))
        twin.check_verdict()
        twin.necklace.validate()


@pytest.mark.parametrize("cages", CAGES)
def test_slow_motion_with_every_kind_of_cages(cages: str) -> None:
    rng, seen = rng_of("kinds"), set()
    for make in (packed, mixed, flat_packed):
        twin = Twin.of(make(rng, 64), cages=cages)
        for k in range(40):
            twin.move(faster_and_slower(twin.slow.positions, k, rng))
            seen.add(twin.check_verdict())
        check_everything(twin, rng)
        twin.necklace.validate()
    assert seen == {True, False}
