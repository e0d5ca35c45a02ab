"""A chain of ten thousand links: random torsions, each tested before it is made, undone if it collides."""

import numpy as np

import elbowroom as er
from elbowroom import scenes

links, steps = 10_000, 5_000
chain = er.Chain(scenes.serpentine(links), radii=1.0)  # unit balls, 4 apart, folded into a cube
print("free at the start:", not chain.collides())

rng = np.random.default_rng(1)
accepted = tests = 0
for joint, angle in zip(rng.integers(0, links - 1, steps), rng.uniform(-0.17, 0.17, steps), strict=True):
    chain.rotate(joint, angle)  # only noted
    if chain.collides():  # tested
        chain.undo()  # forgotten
    else:
        accepted += 1  # made when the next change comes
    tests += chain.counters.volume_tests
print(f"{accepted} of {steps} torsions accepted, {tests / steps:.0f} volume tests a step")

# The same loop in one call, without Python in between.
free = chain.try_torsions(rng.integers(0, links - 1, steps), rng.uniform(-0.17, 0.17, steps))
print(f"{free.sum()} of {steps} more accepted")

nearest = er.self_distance(chain)
print(f"links {nearest.pair[0]} and {nearest.pair[1]} are nearest: {nearest.value:.4f} apart")
chain.validate()
