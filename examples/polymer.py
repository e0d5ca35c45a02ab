"""The scaling exponent of a polymer: how the size of a chain that avoids itself grows with its length.

Chains of balls, one bond apart, are sampled by pivots. The mean square distance of their ends grows as
N^(2 nu), with corrections that shrink with N; nu is the same for all such chains.
"""

import elbowroom as er

KNOWN = 0.587597  # Clisby, 2010

links = [100, 200, 400, 800, 1600, 3200]
squares, errors = [], []
for n in links:
    chain = er.sampling.polymer(n, seed=n)
    run = er.sampling.sample(chain, {"pivot": 1.0}, steps=100_000, burn_in=5_000, every=20, seed=n)
    found = run.estimate("end_to_end", power=2)
    squares.append(found.mean)
    errors.append(found.error)
    share = run.acceptance["pivot"]
    print(f"{n:5} links: R^2 = {found.mean:8.1f} +- {found.error:5.1f}, {share:.0%} of the pivots accepted")

pure = er.sampling.fit_exponent(links, squares, errors, terms=0)
fit = er.sampling.fit_exponent(links, squares, errors, terms=1)
print(f"a pure power: nu = {pure.exponent:.4f} +- {pure.error:.4f}")
print(f"with a correction: nu = {fit.exponent:.4f} +- {fit.error:.4f}")
print(f"{abs(fit.deviation(KNOWN)):.1f} of its errors from {KNOWN}")
fit.plot("polymer.png")
