"""What the sampler draws, beside exact distributions and a slow sampler; and wrong samplers, which must fail.

Seeds are fixed: a test passes always or never. Whenever the random numbers behind it change, each sounds a
false alarm with a chance of 1e-4, all of them together with one of less than a hundredth.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from sampling_cases import ATTRACTION, BEND, CASES, LONG, Case, bent, case
from sampling_exact import (
    Known,
    bent_chain,
    bent_known,
    ideal_end_to_end,
    ideal_gyration,
    rotating_end_to_end,
    seen_from,
    torsions_of,
)
from sampling_judge import FALSE_ALARM, spacing, surprise
from sampling_wrong import Drifting, Greedy, Lenient, Polar, Restless, Warm
from scipy.stats import norm
from slow_sampler import Rule, SlowSampler, swap

import elbowroom as er

pytestmark = pytest.mark.statistics

FEWEST = 1200  # independent samples that a test needs to be able to fail
SAMPLES, EVERY = 8_000, 50


def drawn(of: Case, samples: int = SAMPLES, every: int = EVERY, **options: Any) -> np.ndarray:
    """(samples, balls, 3): what the library draws, after a twentieth that is thrown away."""
    kept: list[np.ndarray] = []

    def keep(state: Any) -> None:
        kept.append(state.chain.positions(side=True))

    more = {"seed": 1, "every": every, "steps": every * (samples + samples // 20)} | options
    er.sampling.sample(**of.library(), **more, callback=keep)
    return np.array(kept[-samples:])


def apart(series: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Of a series, samples that are as good as independent, and enough of them."""
    kept = series[:: spacing(features)]
    assert len(kept) >= FEWEST, f"only {len(kept)} of {len(series)} samples are independent"
    return kept


def library_doubt(of: Case, **options: Any) -> float:
    balls = drawn(of, **options)
    return of.doubt(apart(balls, of.features(balls)))


@pytest.mark.parametrize("name", CASES)
def test_the_slow_sampler_draws_what_quadrature_says(name: str) -> None:
    doubt = case(name).doubt(case(name).slow().run(case(name).steps))
    assert doubt > FALSE_ALARM


@pytest.mark.parametrize("name", CASES)
def test_the_library_draws_what_quadrature_says(name: str) -> None:
    assert library_doubt(case(name)) > FALSE_ALARM


@pytest.mark.parametrize("name", LONG)
def test_the_library_draws_what_the_slow_sampler_draws(name: str) -> None:
    assert library_doubt(case(name), samples=8000, every=2 * EVERY) > FALSE_ALARM


WRONG: list[tuple[type[SlowSampler], str]] = [
    (Drifting, "torsion, 5 uneven links"),
    (Drifting, "crankshaft, 4 links"),
    (Drifting, "side, 3 links"),
    (Lenient, "torsion, 6 links"),
    (Lenient, "pivot, 4 links"),
    (Restless, "torsion, 5 links attracted"),
    (Warm, "torsion, 5 links attracted"),
    (Warm, "pivot, 4 links attracted"),
    (Greedy, "torsion, 6 links attracted"),
    (Polar, "pivot, 3 links"),
]


@pytest.mark.parametrize(("wrong", "name"), WRONG, ids=lambda what: getattr(what, "__name__", what))
def test_a_wrong_sampler_is_caught(wrong: type[SlowSampler], name: str) -> None:
    doubt = case(name).doubt(case(name).slow(wrong).run(case(name).steps))
    assert doubt < FALSE_ALARM


# Chains without thickness: mean squares in closed form, from the observables of the core.


def off_by(squares: np.ndarray, mean: float) -> float:
    """By how many standard errors."""
    kept = apart(squares, squares[:, None])
    return float(abs(kept.mean() - mean) / (kept.std() / np.sqrt(len(kept))))


@pytest.mark.parametrize("links", [4, 7, 12])
def test_free_joints_without_thickness(links: int) -> None:
    chain = bent_chain(links, BEND, 1e-9, 1, np.full(links - 3, np.pi)).chain()
    run = er.sampling.sample(chain, {"pivot": 1.0, "crankshaft": 0.5}, steps=400_000, every=40, seed=2)
    squares = {name: values**2 for name, values in run.observables.items()}
    too_far = norm.isf(0.5 * FALSE_ALARM)
    assert off_by(squares["end_to_end"], ideal_end_to_end(links - 1)) < too_far
    assert off_by(squares["radius_of_gyration"], ideal_gyration(links - 1)) < too_far
    assert off_by(squares["end_to_end"], 1.1 * ideal_end_to_end(links - 1)) > too_far


@pytest.mark.parametrize("links", [4, 7, 12])
def test_fixed_angles_without_thickness(links: int) -> None:
    chain = bent_chain(links, BEND, 1e-9, 2, np.full(links - 3, np.pi)).chain()
    run = er.sampling.sample(chain, {"torsion": 1.0}, steps=400_000, every=40, seed=3)
    too_far = norm.isf(0.5 * FALSE_ALARM)
    assert off_by(run.observables["end_to_end"] ** 2, rotating_end_to_end(links - 1, BEND)) < too_far


def test_every_direction_is_as_likely() -> None:
    """Of the first bond: free joints have no direction of their own."""
    balls = drawn(case("pivot, 4 links"))
    seen = (balls[:, 1] - balls[:, 0]) @ np.array([[1.0, 0.0, 0.6], [0.0, 0.0, 0.0], [0.0, 1.0, 0.8]])
    line = np.linspace(-1.0, 1.0, 100_001)
    uniform = Known(np.repeat(line[:, None], 3, axis=1), np.ones(len(line)))
    assert surprise(apart(seen, seen), uniform) > FALSE_ALARM


# The burn-in, whose sizes follow the acceptance.


@pytest.mark.parametrize("name", ["torsion, 6 links attracted", "crankshaft and pivot, 4 links"])
def test_a_burn_in_leaves_no_trace(name: str) -> None:
    assert library_doubt(case(name), burn_in=20_000) > FALSE_ALARM


# Tempering.

TEMPERATURES = (0.4, 0.7, 1.2)


@cache
def tempered_truth() -> list[Case]:
    recipe = bent(5, 1.0)
    features, rules = seen_from(recipe, torsions_of), (Rule("torsion", size=2.5, at=range(4)),)
    truths = [bent_known(recipe, 400, 10, ATTRACTION, warmth) for warmth in TEMPERATURES]
    return [
        Case(recipe, rules, features, truth, ATTRACTION, warmth)
        for truth, warmth in zip(truths, TEMPERATURES, strict=True)
    ]


def swap_all(a: SlowSampler, b: SlowSampler) -> None:
    """Without asking for the energies: wrong."""
    a.balls, b.balls = b.balls, a.balls


@pytest.mark.parametrize("exchange", [swap, swap_all])
def test_slow_tempering(exchange: Any) -> None:
    truths = tempered_truth()
    crowds = [of.slow() for of in truths]
    for number, crowd in enumerate(crowds):
        crowd.rng = np.random.default_rng(number)
    for _ in range(12):
        for crowd in crowds:
            crowd.run(10)
        exchange(*crowds[:2])
        exchange(*crowds[1:])
    doubts = [of.doubt(crowd.balls) for of, crowd in zip(truths, crowds, strict=True)]
    assert (min(doubts) > FALSE_ALARM) == (exchange is swap), doubts


def test_tempering_keeps_every_temperature() -> None:
    truths, kept = tempered_truth(), []
    asked = truths[0].library() | {"temperature": TEMPERATURES, "swap_every": 50, "every": 50}
    run = er.sampling.sample(
        **asked,
        steps=50 * SAMPLES,
        seed=1,
        threads=1,
        callback=lambda state: kept.append([chain.positions() for chain in state.chains]),
    )
    assert (run.swaps > 0.2).all()
    for of, balls in zip(truths, np.array(kept).swapaxes(0, 1), strict=True):
        assert of.doubt(apart(balls, of.features(balls))) > FALSE_ALARM
