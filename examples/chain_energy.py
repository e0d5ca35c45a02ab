"""Monte Carlo of a bead chain with a Lennard-Jones energy that the chain keeps up to date.

After a torsion only the pairs that it can have changed are looked at, and an undo brings the old sum back.
"""

import math

import numpy as np

import elbowroom as er
from elbowroom import scenes

chain = er.Chain(scenes.coil(400, seed=3), radii=0.4)
chain.set_energy(er.energies.LennardJones(epsilon=1.0, sigma=0.9, cutoff=2.5, shift=True))

rng = np.random.default_rng(7)
energy, temperature, accepted = chain.energy(), 1.0, 0
print(f"energy at the start: {energy:.3f}")
for _ in range(2_000):
    chain.rotate(int(rng.integers(len(chain) - 1)), float(rng.uniform(-1, 1)))
    after = math.inf if chain.collides() else chain.energy()
    if rng.random() < math.exp(min(0.0, (energy - after) / temperature)):
        energy, accepted = after, accepted + 1
    else:
        chain.undo()
print(f"energy after {accepted} accepted torsions: {chain.energy():.3f}")
print(f"pairs of beads within 1 of each other: {len(er.self_within(chain, 1.0))}")
