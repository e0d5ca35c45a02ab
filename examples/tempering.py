"""Parallel tempering of a sticky chain: cold chains swap with warm ones; and how a run goes on."""

import numpy as np

import elbowroom as er

chain = er.sampling.polymer(60, radius=0.4, seed=1)
sticky = er.energies.LennardJones(1.0, 1.0, cutoff=2.5, shift=True)
moves = {"pivot": 1.0, "crankshaft": 1.0}
temperatures = [0.8, 1.1, 1.5, 2.2, 3.2]
asked = {"energy": sticky, "temperature": temperatures, "swap_every": 100, "every": 100, "seed": 2}
run = er.sampling.sample(chain, moves, steps=60_000, out="sticky", **asked)

energies = np.asarray(run.observables["energy"])
sizes = np.asarray(run.observables["radius_of_gyration"])
later = energies.shape[1] // 2  # the first half is for getting there
for k, temperature in enumerate(temperatures):
    print(f"T = {temperature}: energy {energies[k, later:].mean():6.1f}, size {sizes[k, later:].mean():.2f}")

# Longer? The run goes on from its last checkpoint, as if it had not stopped.
longer = er.sampling.sample(chain, moves, steps=80_000, out="sticky", resume=True, **asked)
same = np.array_equal(np.asarray(longer.observables["energy"])[:, : energies.shape[1]], energies)
print(f"{longer.steps} steps now; the first {run.steps} are the same: {same}")
