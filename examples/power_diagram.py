"""The power diagram of beads in motion: space divided among them, and kept from frame to frame by flips."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle

import elbowroom as er
from elbowroom import scenes

# A rope of beads of many sizes rolls up in the plane.
frames = scenes.spiral(200, frames=60)
radii = np.random.default_rng(1).uniform(0.05, 0.25, 200)
rope = er.Necklace(frames[0], radii, cages="power")
for positions in frames:
    rope.move(positions)
    diagram = rope.power_diagram()
print(diagram)
print(f"{len(diagram.edges)} edges; {len(diagram.candidates())} of {200 * 199 // 2} pairs are worth a look")
print(f"{diagram.flips} flips in {len(frames)} frames, {diagram.rebuilds} diagrams made anew")

gap, pair = diagram.closest()
assert np.isclose(gap, er.self_distance(rope).value)  # the same answer by the tree of boxes
print(f"beads {pair[0]} and {pair[1]} are closest: {gap:.4f} apart, free: {not diagram.collides()}")

# The dual triangulation, and the beads.
figure = Figure(figsize=(5, 5), layout="constrained")
axes = figure.subplots()
x, y = diagram.positions.T
axes.triplot(x, y, diagram.simplices, linewidth=0.4, color="#9aa3ad")
for (u, v), r in zip(diagram.positions, radii, strict=True):
    axes.add_patch(Circle((u, v), r, color="#4f8fd0"))
axes.set_aspect("equal")
axes.axis("off")
figure.savefig("power.png", dpi=110)
