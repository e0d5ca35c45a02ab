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
from sampling_exact import Features, bent_chain, known, placed, torsions_of, weights_of
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
@pytest.mark.statistics
def test_a_slow_crowd_stays_so_only_if_it_is_right(kind: type[SlowSampler]) -> None:
    of = curve_case(0.6)
    crowd = of.slow(kind, 1000)
    crowd.balls = spread_along_it(1000)
    assert of.doubt(crowd.balls) > FALSE_ALARM
    assert (of.doubt(crowd.run(12)) > FALSE_ALARM) == (kind is SlowSampler)


@pytest.mark.statistics
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


EVERY_JOINT = tuple(range(LINKS - 1))
NO_OMEGA = (0, 1, 3, 4, 6, 7, 9, 10)  # as in a backbone, where every third torsion stays flat

# The radius, the temperature and the joints.
SETTINGS: dict[str, tuple[float, float, tuple[int, ...]]] = {
    "thin": (0.0, np.inf, EVERY_JOINT),
    "thick": (0.9, np.inf, EVERY_JOINT),
    "attracted": (0.8, 6.0, EVERY_JOINT),
    "backbone": (0.7, np.inf, NO_OMEGA),
}


def seen_in_windows(joints: tuple[int, ...]) -> Features:
    """The Jacobian of every window, in which a mistake shows first; the size of the chain; torsions."""

    def features(balls: np.ndarray) -> np.ndarray:
        columns = [np.sqrt(balls.var(axis=1).sum(axis=1))]
        for first in range(len(joints) - 6):
            window = np.array(joints[first : first + 7])
            lines = screws(balls[:, window], balls[:, window + 1] - balls[:, window])
            columns.append(np.abs(np.linalg.det(lines[:, :, 1:])))
        free = [joint - 1 for joint in joints if 0 < joint < balls.shape[1] - 2]
        return np.concatenate([np.stack(columns, axis=1), torsions_of(balls)[:, free]], axis=1)

    return features


@cache
def rebridge_case(name: str) -> tuple[Case, np.ndarray]:
    """Independent draws: half of them for truth, the others, by rejection, to begin with."""
    (radius, warmth, joints), half = SETTINGS[name], 30_000
    links, rng = joints[-1] + 2, np.random.default_rng(4)
    torsions = rng.uniform(-np.pi, np.pi, (2 * half, links - 3))
    torsions[:, [joint - 1 for joint in range(1, links - 2) if joint not in joints]] = np.pi
    balls = placed(np.ones(links - 1), np.full((len(torsions), links - 2), np.cos(BEND)), torsions)
    recipe, energy = Recipe(balls[0], np.full(links, radius), 2), None if np.isinf(warmth) else ATTRACTION
    weights = weights_of(balls, recipe, energy, warmth)
    starts = balls[:half][rng.random(half) < weights[:half] / weights.max()][:3000]
    features = seen_in_windows(joints)
    truth = known(features, balls[half:], weights[half:], draws=True)
    rules = (Rule("rebridge", size=1.0, at=joints),)
    return Case(replace(recipe, positions=starts[0]), rules, features, truth, energy, warmth), starts


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.statistics
def test_rebridging_keeps_what_is_right(name: str) -> None:
    of, starts = rebridge_case(name)
    assert len(starts) > 700 and of.doubt(starts) > FALSE_ALARM
    balls, accepted = moved(of, starts, 15)
    assert accepted > 0.15
    assert of.doubt(balls) > FALSE_ALARM


@pytest.mark.parametrize("kind", [SlowSampler, Unweighted])
@pytest.mark.statistics
def test_a_slow_crowd_keeps_it_only_with_its_jacobian(kind: type[SlowSampler]) -> None:
    of, starts = rebridge_case("thin")
    crowd = of.slow(kind, 1500)
    crowd.balls = starts[:1500].copy()
    assert (of.doubt(crowd.run(15)) > FALSE_ALARM) == (kind is SlowSampler)


# In mixes: rebridging and torsions draw what torsions alone draw.


@pytest.mark.parametrize("weight", [1.0, 0.0])
@pytest.mark.statistics
def test_a_mix_draws_what_torsions_draw(weight: float) -> None:
    of, kept = rebridge_case("thick")[0], []
    rules = (replace(of.rules[0], weight=weight), Rule("torsion", size=2.5, at=EVERY_JOINT))
    given = replace(of, rules=rules).library() | {"steps": 150_000, "every": 30, "seed": 3}
    er.sampling.sample(**given, callback=lambda state: kept.append(state.chain.positions()))
    balls = np.array(kept[100:])
    balls = balls[:: spacing(of.features(balls))]
    assert len(balls) > 500 and of.doubt(balls) > FALSE_ALARM
