"""Concerted rotations must leave torsions uniform: along a curve of closed states, from exact draws, mixed.

A window of seven torsions whose ends are held is a curve; a sampler that makes no other move must follow the
density along it. And no sampler may change a distribution that is right from the beginning: independent
chains are drawn, moved a little, and judged again.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from chain_makers import Recipe
from sampling_cases import ATTRACTION, BEND, Case
from sampling_curve import Curve, closure_curve
from sampling_exact import bent_chain, known, placed, torsions_of, weights_of
from sampling_judge import FALSE_ALARM, spacing, surprise
from sampling_wrong import OneWay, Unweighted
from slow_sampler import Rule, SlowSampler, screws

import elbowroom as er
from elbowroom import _core

LINKS = 10
WINDOW = range(1, 8)
BEND_HELD = np.radians(112.0)


# Along a curve.


@cache
def held() -> tuple[Recipe, Curve]:
    """A chain without thickness, and the curve of its states while links 0 to 2 and from 8 on are held."""
    torsions = np.random.default_rng(1).uniform(-np.pi, np.pi, LINKS - 3)
    recipe = bent_chain(LINKS, BEND_HELD, 0.0, 2, torsions)
    return recipe, closure_curve(recipe.positions, WINDOW, 0.05)


def curve_case(size: float) -> Case:
    recipe, curve = held()
    return Case(recipe, (Rule("rebridge", size=size, at=WINDOW),), on_the_curve, curve.known())


def on_the_curve(balls: np.ndarray) -> np.ndarray:
    """Where states lie on the stretch that can be reached, (k, 1); those elsewhere are left out."""
    recipe, curve = held()
    arc, off = curve.along(torsions_of(balls) - torsions_of(recipe.positions[None]))
    low, high = curve.stretch()
    assert off.max() < 0.01, "a window is no longer closed"
    return arc[(arc > low) & (arc < high), None]


def spread_along_it(count: int) -> np.ndarray:
    """Independent states, by the density along all of the curve."""
    recipe, curve = held()
    torsions = torsions_of(recipe.positions[None]) + curve.draw(count, seed=2)
    return placed(np.ones(LINKS - 1), np.full((count, LINKS - 2), np.cos(BEND_HELD)), torsions)


def moved(of: Case, starts: np.ndarray, steps: int) -> tuple[np.ndarray, float]:
    """Where the library's sampler takes each of the chains, and the share of moves that it accepts."""
    out, tallies = np.empty_like(starts), []
    for number, balls in enumerate(starts):
        given = replace(of, recipe=replace(of.recipe, positions=balls)).library()
        chain = given["chain"]
        if of.energy is not None:
            chain.set_energy(given["energy"])
        sampler = _core.Sampler(chain, 1, number)
        for rule in of.rules:
            sampler.add_move(rule.kind, rule.weight, rule.size, np.array(rule.at, dtype=np.int64))
        sampler.set_temperature(of.temperature)
        sampler.run(steps, steps)
        out[number] = chain.positions()
        tallies.append(sampler.tallies[0])
    tried, _, accepted = np.sum(tallies, axis=0)
    return out, float(accepted / tried)


def test_the_library_stays_spread_along_a_curve() -> None:
    of = curve_case(0.6)
    balls, accepted = moved(of, spread_along_it(3000), 12)
    assert accepted > 0.3
    assert of.doubt(balls) > FALSE_ALARM


@pytest.mark.parametrize("kind", [SlowSampler, Unweighted, OneWay])
def test_a_slow_crowd_stays_so_only_if_it_is_right(kind: type[SlowSampler]) -> None:
    of = curve_case(0.6)
    crowd = of.slow(kind, 1500)
    crowd.balls = spread_along_it(1500)
    assert of.doubt(crowd.balls) > FALSE_ALARM
    assert (of.doubt(crowd.run(12)) > FALSE_ALARM) == (kind is SlowSampler)


def test_one_chain_goes_all_along_it() -> None:
    of, kept = curve_case(0.6), []
    er.sampling.sample(
        **of.library(), steps=60_000, every=15, seed=1, callback=lambda s: kept.append(s.chain.positions())
    )
    seen = on_the_curve(np.array(kept))
    assert np.ptp(seen) > 0.95 * np.ptp(held()[1].stretch())
    seen = seen[:: spacing(seen)]
    assert len(seen) > 300 and surprise(seen, of.truth) > FALSE_ALARM


# From exact draws.


def sweeps(balls: np.ndarray) -> np.ndarray:
    """The Jacobians of the three windows, in which a mistake shows first; the size of the chain; torsions."""
    columns = [np.linalg.norm(balls[:, -1] - balls[:, 0], axis=1), balls.std(axis=1).sum(axis=1)]
    axis = np.diff(balls, axis=1)
    for first in range(3):
        lines = screws(balls[:, first : first + 7], axis[:, first : first + 7])
        columns.append(np.abs(np.linalg.det(lines[:, :, 1:])))
    return np.concatenate([np.stack(columns, axis=1), torsions_of(balls)], axis=1)


def rebridge_case(radius: float, warmth: float, *more: Rule) -> tuple[Case, np.ndarray]:
    """Independent draws: half of them for truth, the others, by rejection, to begin with."""
    recipe, half = bent_chain(LINKS, BEND, radius, 2, np.full(LINKS - 3, 2.0)), 40_000
    rng = np.random.default_rng(4)
    torsions = rng.uniform(-np.pi, np.pi, (2 * half, LINKS - 3))
    balls = placed(np.ones(LINKS - 1), np.full((len(torsions), LINKS - 2), np.cos(BEND)), torsions)
    energy = None if np.isinf(warmth) else ATTRACTION
    weights = weights_of(balls, recipe, energy, warmth)
    starts = balls[:half][rng.random(half) < weights[:half] / weights.max()]
    truth = known(sweeps, balls[half:], weights[half:], draws=True)
    rules = (Rule("rebridge", size=1.0, at=range(LINKS - 1)), *more)
    return Case(recipe, rules, sweeps, truth, energy, warmth), starts[:3000]


@pytest.mark.parametrize(("radius", "warmth"), [(0.0, np.inf), (0.9, np.inf), (0.8, 6.0)])
def test_rebridging_keeps_what_is_right(radius: float, warmth: float) -> None:
    of, starts = rebridge_case(radius, warmth)
    assert len(starts) > 900 and of.doubt(starts) > FALSE_ALARM
    balls, accepted = moved(of, starts, 15)
    assert accepted > 0.15
    assert of.doubt(balls) > FALSE_ALARM


@pytest.mark.parametrize("kind", [SlowSampler, Unweighted])
def test_a_slow_crowd_keeps_it_only_with_its_jacobian(kind: type[SlowSampler]) -> None:
    of, starts = rebridge_case(0.0, np.inf)
    crowd = of.slow(kind, 2000)
    crowd.balls = starts[:2000].copy()
    assert (of.doubt(crowd.run(15)) > FALSE_ALARM) == (kind is SlowSampler)


# In mixes: rebridging and torsions draw what torsions alone draw.


def test_a_mix_draws_what_torsions_draw() -> None:
    of = rebridge_case(0.9, np.inf, Rule("torsion", size=2.5, at=range(LINKS - 1)))[0]
    for rules in (of.rules, of.rules[1:]):
        kept: list[np.ndarray] = []
        given = replace(of, rules=rules).library()
        er.sampling.sample(
            **given,
            steps=150_000,
            every=30,
            seed=3,
            callback=lambda s, to=kept: to.append(s.chain.positions()),
        )
        balls = np.array(kept[100:])
        balls = balls[:: spacing(sweeps(balls))]
        assert len(balls) > 500 and of.doubt(balls) > FALSE_ALARM
