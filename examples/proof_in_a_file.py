"""A proof that somebody else can check: a rope is free of itself; saved, loaded, and verified in fractions.

The file holds balls about stretches of the rope and pairs of them that are apart. Checking it takes no search
and none of the code that found it. Whoever checks it says where the beads are and which may touch, so a
forged file proves nothing.
"""

import numpy as np

import elbowroom as er
from elbowroom import scenes

rope = er.Necklace(scenes.long_coil(2_000), radii=0.4)
proof = rope.separating_pairs()
print(proof)
proof.save("rope.npz")

# Elsewhere, by somebody who has the positions from another source; only neighbours may touch:
again = er.SeparatingPairs.load("rope.npz")
print("the rope:", again.verify(rope.positions(), 0.4, exclude=1))

moved = rope.positions()
moved[700] += 50.0
try:
    again.verify(moved, 0.4, exclude=1)
except er.ProofError as error:
    print("another rope is not proved free:", error)

# In the next frame most of it still holds: what does not is looked for, and the rest is kept.
shaken = rope.positions() + np.random.default_rng(1).normal(0, 1e-3, moved.shape)
rope.move(shaken)
print("shaken:", rope.separating_pairs(start=again).verify(shaken, 0.4, exclude=1))
