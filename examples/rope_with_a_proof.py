"""A rope rolls up into a spiral: is it free of itself in every frame, and by what proof?"""

import numpy as np

import elbowroom as er
from elbowroom import scenes

frames = scenes.spiral(500, frames=100)  # (100, 500, 2)
rope = er.Necklace(frames[0], radii=0.4, cages="wrapped")
proof = rope.separating_pairs()
gaps = []
for positions in frames:
    rope.move(positions)
    gaps.append(er.self_distance(rope).value)
    proof = rope.separating_pairs(start=proof)  # what still holds is not looked for again
    assert proof.free

print(f"{len(frames)} frames, the closest beads that are no neighbours were {min(gaps):.3f} apart")
print(f"{rope.counters.basis_changes} cages got another basis, of {rope.counters.cages} in each frame")
print(proof, proof.verify(frames[-1], 0.4, exclude=1))

squeezed = er.self_collide(er.Necklace(0.6 * frames[-1], 0.4), every=True)
print(f"squeezed to 60 percent: {len(squeezed.pairs)} pairs overlap")
diagram = rope.power_diagram()
print(diagram, "colliding" if diagram.collides() else "free", np.round(diagram.closest()[0], 3))
