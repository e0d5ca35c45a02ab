"""A turn of torsions, looked at as a motion: no ball meets another on the way, and no bond passes another."""

import numpy as np

import elbowroom as er
from elbowroom import scenes

chain = er.Chain(scenes.coil(300, seed=4), radii=0.3)
rng = np.random.default_rng(1)
counts = {"free": 0, "free at the end only": 0, "not free at the end": 0}
shown = None
for _ in range(300):
    torsions = {int(joint): float(rng.uniform(-1.5, 1.5)) for joint in rng.choice(299, 2, replace=False)}
    trial = er.Chain(chain.positions(), 0.3)
    trial.change(torsions)
    certificate = er.check(chain, torsions)  # the chain itself is not changed
    if trial.collides():
        counts["not free at the end"] += 1
    elif certificate.free:
        counts["free"] += 1
    else:
        counts["free at the end only"] += 1
        shown = shown or certificate
for kind, count in counts.items():
    print(f"{kind}: {count} of 300")
if shown is not None:
    print(
        f"one that a test at the end would let through: links {shown.pair} meet at {shown.contact_time:.3f}"
    )
