"""Bounds of the energy: that it lies within, and that sampling by them goes the way of sampling without."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from chain_makers import MAKERS, Recipe, rng_of

import elbowroom as er
from elbowroom import _core

energies = er.energies
INF = float("inf")
DEPTHS = np.array([[0.5, 0.1, 0.2], [0.1, 1.0, 0.0], [0.2, 0.0, 2.0]])
SIGMAS = np.array([[0.8, 0.4, 0.9], [0.4, 0.2, 1.0], [0.9, 1.0, 0.7]])


def numbers(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Charges, and depths and sizes of five types."""
    kind = rng.integers(0, 5, n)
    return rng.normal(size=n), rng.uniform(0, 1, 5)[kind], rng.uniform(0.3, 1.0, 5)[kind]


def all_terms(rng: np.random.Generator, n: int) -> Any:
    """What a force field has: pairs that are left out, others that are scaled, and torsions."""
    q, depth, sigma = numbers(rng, n)
    rule: dict[str, Any] = {
        "exclude": np.stack([np.arange(n - 1), np.arange(1, n)], axis=1),
        "scaled": (np.stack([np.arange(n - 3), np.arange(3, n)], axis=1), 0.5),
    }
    return energies.Sum(
        energies.LennardJones(depth, sigma, INF, **rule),
        energies.Coulomb(q, INF, **rule),
        energies.Torsions(np.arange(n - 3)[:, None] + np.arange(4), k=1.0, n=3),
    )


MADE: dict[str, Callable[[np.random.Generator, int], Any]] = {
    "one type": lambda rng, n: energies.LennardJones(0.5, 0.8, INF),
    "kinds": lambda rng, n: energies.LennardJones(DEPTHS, SIGMAS, INF),
    "mixed": lambda rng, n: energies.LennardJones(*numbers(rng, n)[1:], INF),
    "geometric": lambda rng, n: energies.LennardJones(*numbers(rng, n)[1:], INF, mixing="geometric"),
    "charges": lambda rng, n: energies.Coulomb(numbers(rng, n)[0], INF, exclude=[]),
    "all terms": all_terms,
}


def with_energy(recipe: Recipe, name: str, rng: np.random.Generator) -> Any:
    chain = recipe.chain()
    n = len(chain.positions(side=True))
    chain.set_energy(MADE[name](rng, n), rng.integers(0, 3, n) if name == "kinds" else None)
    return chain


def check(chain: Any, rng: np.random.Generator, moves: int) -> list[tuple[float, float, float]]:
    """Bounds and energies of random moves, of which some are taken back."""
    found = []
    for _ in range(moves):
        chain.rotate(int(rng.integers(0, len(chain) - 1)), float(rng.normal()))
        low, high = chain.energy_bounds()
        found.append((low, chain.energy(), high))
        if rng.random() < 0.5:
            chain.undo()
    return found


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("maker", ["coil", "branched", "serpentine", "tangle"])
def test_the_energy_lies_between_its_bounds(name: str, maker: str) -> None:
    for n in (4, 40, 300):
        rng = rng_of("bounds", name, maker, n)
        recipe = MAKERS[maker](rng, n)
        points = recipe.positions + rng.uniform(-0.1, 0.1, recipe.positions.shape)  # no torsion along a line
        chain = with_energy(replace(recipe, positions=points), name, rng)
        for low, energy, high in check(chain, rng, 12):
            assert low <= energy <= high


@pytest.mark.parametrize("name", MADE)
def test_the_bounds_are_narrow(name: str) -> None:
    """Where no balls are so near that their energies hide all others."""
    rng = rng_of("narrow", name)
    points = np.cumsum(np.eye(3)[rng.integers(0, 3, 600)] * 1.5, axis=0)
    chain = with_energy(Recipe(points, np.full(600, 0.1), exclude=0), name, rng)
    widths = []
    for _ in range(10):
        chain.rotate(int(rng.integers(100, 500)), 0.1)
        low, high = chain.energy_bounds()
        widths.append(high - low)
    assert 0 < np.median(widths) < 0.5  # of charges in kcal/mol, of which the pairs add up to 1e6


@pytest.mark.parametrize("scale", [1e-9, 1e-4, 1e6])
def test_units_do_not_matter(scale: float) -> None:
    """The same chain in other units: charges alone, as energies are then the same but for a factor."""
    rng = rng_of("units")
    recipe = MAKERS["coil"](rng, 300)
    q = rng.normal(size=300)
    chains = []
    for s in (1.0, scale):
        chain = er.Chain(recipe.positions * s, recipe.radii * s)
        chain.set_energy(energies.Coulomb(q, INF, constant=s))
        chain.rotate(150, 0.3)
        chains.append(chain)
    (low, high), (low_scaled, high_scaled) = (chain.energy_bounds() for chain in chains)
    assert low_scaled <= chains[1].energy() <= high_scaled
    assert high_scaled - low_scaled < 1.1 * (high - low)


def test_numbers_too_large_for_single_precision_are_no_bounds() -> None:
    chain = er.Chain(er.scenes.coil(200), 0.3)
    chain.set_energy(energies.LennardJones(1e15, 1e9, INF))
    chain.rotate(100, 0.1)
    low, high = chain.energy_bounds()
    assert low <= chain.energy() <= high


def test_other_energies_are_their_own_bounds() -> None:
    chain = er.Chain(er.scenes.coil(200), 0.3)
    with pytest.raises(RuntimeError, match="no energy"):
        chain.energy_bounds()
    for energy in (energies.LennardJones(1.0, 0.9, 2.5), energies.Clashes()):
        chain.set_energy(energy)
        chain.rotate(100, 0.1)
        assert chain.energy_bounds() == (chain.energy(),) * 2


def sampled(energy: Any, bounds: bool, temperature: float, size: float) -> tuple[Any, ...]:
    """A walk: where it ends, what was accepted, its energy, and how moves were decided."""
    chain = er.Chain(er.scenes.coil(400), 0.3)
    chain.set_energy(energy)
    sampler = _core.Sampler(chain, 3)
    sampler.use_bounds(bounds)
    joints = np.arange(399)
    sampler.add_move("pivot", 1.0, size, joints)
    sampler.add_move("torsion", 1.0, size, joints)
    sampler.add_move("crankshaft", 0.2, size, np.empty(0, np.int64), 2, 20)
    sampler.set_temperature(temperature)
    sampler.run(4000, 4000)
    return chain.positions(), sampler.tallies, sampler.energy, sampler.decisions


@pytest.mark.parametrize("temperature", [0.1, 1.0, 100.0])
def test_sampling_by_bounds_goes_the_same_way(temperature: float) -> None:
    rng = rng_of("sampled", temperature)
    q, depth, sigma = numbers(rng, 400)
    energy = energies.Sum(energies.LennardJones(depth, sigma, INF), energies.Coulomb(q, INF, constant=1.0))
    by_bounds, by_sums = (sampled(energy, bounds, temperature, 1.0) for bounds in (True, False))
    assert np.array_equal(by_bounds[0], by_sums[0])
    assert np.array_equal(by_bounds[1], by_sums[1])
    assert by_bounds[2] == by_sums[2]
    assert by_bounds[3][0] > (0 if temperature > 10 else 300) and by_sums[3][0] == 0
    assert sum(by_bounds[3]) == sum(by_sums[3])
