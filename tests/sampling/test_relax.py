"""Chains that collide, turned until they do not."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from sampling_makers import ATTRACTION, beads, bonds, branched

import elbowroom as er
from elbowroom.sampling import relax, sample


def folded(chain: er.Chain, seed: int) -> er.Chain:
    """The chain with some joints turned until it collides."""
    rng, out = np.random.default_rng(seed), copy.copy(chain)
    while not er.self_collide(out):
        out.rotate(int(rng.integers(2, len(chain) - 3)), float(rng.uniform(-np.pi, np.pi)))
    return out


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", [beads, branched])
def test_it_is_free_and_its_bonds_are_as_they_were(make: object, seed: int) -> None:
    start = folded(make(), seed)  # type: ignore[operator]
    before = start.positions(side=True)
    out = relax(start, seed=seed)
    assert not er.self_collide(out) and er.self_collide(start)
    assert np.array_equal(start.positions(side=True), before)
    lengths = [np.linalg.norm(bonds(chain), axis=1) for chain in (out, start)]
    assert lengths[0] == pytest.approx(lengths[1], abs=1e-9)


def test_a_free_chain_stays_as_it_is_and_energies_come_back() -> None:
    chain = beads()
    assert np.array_equal(relax(chain).positions(), chain.positions())
    start = folded(chain, 1)
    start.set_energy(ATTRACTION)
    out = relax(start)
    fresh = er.Chain(out.positions(), out.radii)
    fresh.set_energy(ATTRACTION)
    assert out.energy() == pytest.approx(fresh.energy(), rel=1e-9)


def test_sampling_may_relax_its_start() -> None:
    start = folded(beads(), 2)
    with pytest.raises(ValueError, match="relax=True frees it"):
        sample(start, steps=10)
    assert not er.self_collide(sample(start, steps=100, relax=True).chain)


def test_what_no_torsion_frees_is_an_error() -> None:
    jammed = er.Chain([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]], 1.2)
    with pytest.raises(ValueError, match=r"after 50 turns: \d pairs overlap, such as link 0 and link"):
        relax(jammed, steps=50)
