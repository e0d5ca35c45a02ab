"""All pairs within reach: neighbour lists of a chain, a cloud of beads and two bodies."""

import numpy as np

import elbowroom as er
from elbowroom import scenes

# A chain keeps the list up to date from change to change: only what a torsion can have changed is looked at.
chain = er.Chain(scenes.coil(2_000, seed=1), radii=0.4)
for joint in (300, 1_200, 1_700):
    chain.rotate(joint, 0.1)
    near = er.self_within(chain, 1.5)
    print(f"joint {joint} turned: {len(near)} pairs at most 1.5 apart, {near.counters.volume_tests} tests")

# A necklace: every bead moves in every frame. Distances are between surfaces.
start = scenes.long_coil(5_000)
rope = er.Necklace(start, radii=0.3)
for frame in scenes.brownian(start, frames=3, step=0.05):
    rope.move(frame)
    near = er.self_within(rope, 1.0)
    degree = np.bincount(near.indices.ravel(), minlength=len(rope))
    print(f"{len(near)} pairs; a bead has {degree.mean():.1f} neighbours on average, {degree.max()} at most")

# The same of two bodies: which triangles of a spring are near a ring, and how near.
spring, ring = er.Mesh(*scenes.spring()), er.Mesh(*scenes.torus(radius=3.0, tube=0.4))
near = er.within(spring, ring, 0.6, None, er.Pose(translation=[0, 0, 0.4]))
touched = np.unique(near.indices[:, 0])
print(f"{len(near)} pairs of triangles within 0.6, the nearest {near.distances.min():.3f} apart")
print(f"{len(touched)} of {len(spring.faces)} triangles of the spring are near the ring")
