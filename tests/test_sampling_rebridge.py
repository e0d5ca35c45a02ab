"""Concerted rotations must leave torsions uniform: along a curve of closed states, from exact draws, in mixes.

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
from sampling_cases import ATTRACTION, BEND, Case, as_move
from sampling_curve import Curve, closure_curve
from sampling_exact import Known, bent_chain, gaps, placed, torsions_of, weights_of
from sampling_judge import FALSE_ALARM, spacing, surprise
from sampling_wrong import OneWay, Unweighted
from slow_sampler import Rule, SlowSampler, screws

import elbowroom as er

LINKS = 10
WINDOW = range(1, 8)


# Along a curve.


@cache
def held() -> tuple[Recipe, Curve]:
    """A chain without thickness, and the curve of its states while links 0 to 2 and from 8 on are held."""
    torsions = np.random.default_rng(1).uniform(-np.pi, np.pi, LINKS - 3)
    recipe = bent_chain(LINKS, np.radians(112.0), 0.0, 2, torsions)
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


def test_the_library_follows_the_density_along_a_curve() -> None:
    of, kept = curve_case(0.6), []
    er.sampling.sample(
        **of.library(), steps=90_000, every=15, seed=1, callback=lambda s: kept.append(s.chain.positions())
    )
    seen = on_the_curve(np.array(kept))
    seen = seen[:: spacing(seen)]
    assert len(seen) > 1000 and np.ptp(seen) > 0.95 * np.ptp(held()[1].stretch())
    assert surprise(seen, of.truth) > FALSE_ALARM


@pytest.mark.parametrize("kind", [SlowSampler, Unweighted])
def test_the_slow_sampler_follows_it_only_with_its_jacobian(kind: type[SlowSampler]) -> None:
    of = curve_case(1.0)
    doubt = of.doubt(of.slow(kind, crowd=800).run(40))
    assert (doubt > FALSE_ALARM) == (kind is SlowSampler)
