"""Does rounding add up? Millions of torsions on one chain, and what they do to its bonds and to its tree.

    python -m benchmarks.chain.drift [--changes 1e8] [--links 200] [--json FILE]

Every pair of balls may overlap, so every torsion is carried out, by any angle. After each power of ten: the
largest relative error of a bond length and of a bond angle's cosine, and how far the rotation between the two
ends is from orthonormal; at the end the tree is validated.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes

Array = NDArray[np.float64]
BATCH = 1_000_000


def shape(chain: er.Chain) -> tuple[Array, Array]:
    """Bond lengths, and cosines of bond angles: what no torsion may change."""
    bonds = np.diff(chain.positions(), axis=0)
    lengths = np.linalg.norm(bonds, axis=1)
    cosines = (bonds[1:] * bonds[:-1]).sum(axis=1) / (lengths[1:] * lengths[:-1])
    return lengths, cosines


def errors(chain: er.Chain, start: tuple[Array, Array]) -> dict[str, float]:
    """How far the chain is from one that was only ever bent at its joints."""
    lengths, cosines = shape(chain)
    rotation = chain.pose(0, len(chain) - 1).rotation
    return {
        "bond lengths, relative": float(np.abs(lengths / start[0] - 1).max()),
        "cosines of bond angles": float(np.abs(cosines - start[1]).max()),
        "rotation end to end": float(np.abs(rotation @ rotation.T - np.eye(3)).max()),
    }


def run(links: int, changes: int) -> list[dict[str, float]]:
    """A row for each power of ten of changes."""
    chain, rng = er.Chain(scenes.backbone(links), 0.0, exclude=links), np.random.default_rng(1)
    start, rows, done, next_row, began = shape(chain), [], 0, 100, time.perf_counter()
    while done < changes:
        count = min(BATCH, changes - done, next_row - done)
        chain.try_torsions(rng.integers(0, links - 1, count), rng.uniform(-np.pi, np.pi, count))
        done += count
        if done in (next_row, changes):
            rows.append({"changes": done, "seconds": time.perf_counter() - began, **errors(chain, start)})
            print("   ".join(f"{name} {value:.3g}" for name, value in rows[-1].items()), flush=True)
            next_row *= 10
    chain.validate()
    return rows


def main() -> None:
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=style)
    parser.add_argument("--links", type=int, default=200)
    parser.add_argument("--changes", type=lambda text: int(float(text)), default=10**7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = run(options.links, options.changes)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
