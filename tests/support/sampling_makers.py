"""Chains to sample, and what is measured of them the slow way."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import pdist, squareform

import elbowroom as er

RADIUS = 0.45
#: Attracts beads that are 1 to 2 apart.
ATTRACTION = er.energies.LennardJones(1.0, 0.9, cutoff=2.25)


def beads(n: int = 40) -> er.Chain:
    """A polymer that stands free, in no special shape."""
    return er.Chain(er.scenes.coil(n), RADIUS)


def branched(n: int = 30) -> er.Chain:
    """A polymer with two small balls on every link, which turn about an axis through the link."""
    links = er.scenes.coil(n, bond=2.0, diameter=2.0)
    away = np.array([[0.5, 0.3, 0.0], [0.5, 0.6, 0.3]])
    balls = (links[:, None] + away).reshape(-1, 3)
    torsions = [(i, n + 2 * i, [n + 2 * i + 1]) for i in range(n)]
    owner = np.repeat(np.arange(n, dtype=np.int32), 2)
    return er.Chain(links, 0.4, side=er.SideBalls(owner, balls, np.full(2 * n, 0.15), torsions))


def measured(chain: er.Chain, reach: float = 0.0) -> dict[str, float]:
    """The observables, from all pairs of balls."""
    links, balls = chain.positions(), chain.positions(side=True)
    side = chain.side
    owner = np.arange(len(links)) if side is None else np.concatenate([np.arange(len(links)), side.owner])
    radii = chain.radii if side is None else np.concatenate([chain.radii, side.radii])
    apart = squareform(pdist(balls)) - radii[:, None] - radii
    tested = np.triu(np.abs(owner[:, None] - owner) > chain.excluded_gap)
    return {
        "end_to_end": float(np.linalg.norm(links[-1] - links[0])),
        "radius_of_gyration": float(np.sqrt(((balls - balls.mean(axis=0)) ** 2).sum(axis=1).mean())),
        "hydrodynamic_radius": float(len(balls) ** 2 / (2 * (1 / pdist(balls)).sum())),
        "contacts": float((apart[tested] <= reach).sum()),
    }


def bonds(chain: er.Chain) -> np.ndarray:
    return np.diff(chain.positions(), axis=0)


def bond_angles(chain: er.Chain) -> np.ndarray:
    along = bonds(chain) / np.linalg.norm(bonds(chain), axis=1)[:, None]
    return np.arccos(np.clip((along[1:] * along[:-1]).sum(axis=1), -1, 1))


def torsion_angles(chain: er.Chain) -> np.ndarray:
    """(n - 3,): that of joint 1 comes first."""
    a, b, c = bonds(chain)[:-2], bonds(chain)[1:-1], bonds(chain)[2:]
    across, beyond = np.cross(a, b), np.cross(b, c)
    sine = (across * c).sum(axis=1) * np.linalg.norm(b, axis=1)
    return np.arctan2(sine, (across * beyond).sum(axis=1))


def assert_same(a: Any, b: Any) -> None:
    """Two runs, to the last bit; but for the time they took."""
    assert a.observables.keys() == b.observables.keys()
    for name, values in a.observables.items():
        assert values.tobytes() == b.observables[name].tobytes(), name
    assert a.steps_at.tobytes() == b.steps_at.tobytes()
    assert (a.steps, a.tallies, a.sizes) == (b.steps, b.tallies, b.sizes)
    for one, other in zip(a.chains, b.chains, strict=True):
        assert one.positions(side=True).tobytes() == other.positions(side=True).tobytes()
