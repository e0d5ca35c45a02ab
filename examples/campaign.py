"""Many runs at once: a grid of parameters, replicas of each, on all cores, and the results as one table.

It needs dask, Parquet and DuckDB: pip install 'elbowroom[campaign]'. Kill it and start it again: it goes on.
"""

from pathlib import Path

import elbowroom as er


def main() -> None:
    """Chains of two lengths and two thicknesses, each three times."""
    spec = {
        "chain": {"beads": 50},
        "run": {"steps": 20_000, "every": 20, "seed": 7},
        "output": {"frames": 0},
    }
    grid = {"chain.beads": [50, 100], "chain.radius": [0.1, 0.4]}
    found = er.sampling.campaign(spec, out="swelling", grid=grid, replicas=3, workers=2)
    print(found)
    for row in found.sql("""
        SELECT "chain.radius" AS radius, "chain.beads" AS beads, sqrt(avg(end_to_end ** 2)) AS size
        FROM results GROUP BY ALL ORDER BY ALL
    """).to_pylist():
        print(f"radius {row['radius']}, {row['beads']:3} beads: {row['size']:.1f} large")

    again = er.sampling.campaign(spec, out="swelling", grid=grid, replicas=3, workers=2)  # nothing left to do
    print("the same:", again.table() == found.table())
    print("in", *sorted(file.name for file in Path("swelling").glob("*.parquet")))


if __name__ == "__main__":  # the workers are processes of their own
    main()
