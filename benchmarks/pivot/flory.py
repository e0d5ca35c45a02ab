"""The Flory exponent: how the size of chains of hard spheres grows with their number of links.

Balls of diameter 1, one bond apart, sampled by pivots. Every process samples every size on a chain of its
own; the mean squares of the distance of the ends and of the radius of gyration, with errors by blocking, are
fitted with corrections to scaling.

    python -m benchmarks.pivot.flory --minutes 5 --processes 2 --json flory.json --plot flory.png
    python -m benchmarks.pivot.flory --quick
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import Target, tabulate
from benchmarks.pivot.contest import MOVES, RADIUS
from elbowroom.sampling import ExponentFit, fit_exponent
from elbowroom.sampling.scaling import FLORY

SIZES = "100,316,1000,3162,10000,31623,100000,316228,1000000"
ENDS, GYRATION = "end_to_end", "radius_of_gyration"
EVERY = 25  # pivots from one sample to the next: a coil needs 10 to 40 to forget the distance of its ends
DISCARDED = 0.15  # of a size's time, before anything is measured
PILOT = 2000  # pivots from which the pace is guessed
FAVOURED = {316: 0.06, 3_162: 0.17, 1_000_000: 0.25}  # shares of the time beside those that all sizes have
QUICK = {"minutes": 0.3, "sizes": "100,200,400,800,1600,3200,6400"}


@dataclass(frozen=True)
class Measured:
    """One size, in one process or in all: mean squares, and what they rest on."""

    links: int
    ends: float
    ends_error: float
    gyration: float
    gyration_error: float
    samples: int
    discarded: int
    accepted: float
    time: float  # integrated autocorrelation time of the squared distance of the ends, in pivots
    microseconds: float
    converged: bool


def measure(task: tuple[int, float, int]) -> Measured:
    """A polymer is made, pivoted for a while, and then sampled for what is left of its seconds."""
    links, seconds, seed = task
    began = perf_counter()
    chain = er.sampling.polymer(links, spacing=2.0 * RADIUS, radius=RADIUS, seed=seed)
    pilot = _sampled(chain, PILOT, seed)
    discarded = _sampled(pilot.chain, int(DISCARDED * seconds * pilot.rate), seed + 1)
    left = began + seconds - perf_counter()
    run = _sampled(discarded.chain, int(left * discarded.rate), seed + 2)
    ends, gyration = run.estimate(ENDS, 2), run.estimate(GYRATION, 2)
    return Measured(
        links,
        *(ends.mean, ends.error, gyration.mean, gyration.error),
        run.samples,
        pilot.steps + discarded.steps,
        run.acceptance["pivot"],
        ends.time,
        1e6 / run.rate,
        ends.converged and gyration.converged,
    )


def _sampled(chain: er.Chain, steps: int, seed: int) -> er.sampling.Run:
    """At least a hundred samples, or nothing could be said; and no checkpoint before the end."""
    steps = EVERY * max(steps // EVERY, 100)
    return er.sampling.sample(
        chain, MOVES, steps=steps, every=EVERY, checkpoint=steps, seed=seed, progress=False
    )


def together(parts: list[Measured]) -> Measured:
    """Of independent chains of one size: means by their numbers of samples."""
    samples = sum(part.samples for part in parts)
    shares = [part.samples / samples for part in parts]

    def mean(name: str) -> float:
        return sum(share * getattr(part, name) for share, part in zip(shares, parts, strict=True))

    def error(name: str) -> float:
        return math.hypot(*(share * getattr(part, name) for share, part in zip(shares, parts, strict=True)))

    return Measured(
        parts[0].links,
        *(mean("ends"), error("ends_error"), mean("gyration"), error("gyration_error")),
        samples,
        min(part.discarded for part in parts),
        *(mean("accepted"), mean("time"), mean("microseconds")),
        all(part.converged for part in parts),
    )


def shares(sizes: list[int]) -> dict[int, float]:
    """Of the time: some to those sizes that tell most about the exponent, the rest to all alike."""
    extra = {links: FAVOURED.get(links, 0.0) for links in sizes}
    each = (1.0 - sum(extra.values())) / len(sizes)
    return {links: each + extra[links] for links in sizes}


def sample_all(sizes: list[int], settings: argparse.Namespace) -> list[list[Measured]]:
    """For each size what every process found; the long chains first."""
    seconds = {links: 60.0 * settings.minutes * share for links, share in shares(sizes).items()}
    tasks = [
        (links, seconds[links], settings.seed + 1000 * process)
        for links in sorted(sizes, reverse=True)
        for process in range(settings.processes)
    ]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(settings.processes, mp_context=context) as pool:
        done = list(pool.map(measure, tasks))
    return [[one for one in done if one.links == links] for links in sizes]


def fits(points: list[Measured], observable: str) -> list[tuple[int, ExponentFit]]:
    """(smallest size, fit): with two corrections and with one, with fewer and fewer of the small sizes."""
    name = "ends" if observable == ENDS else "gyration"
    found = []
    for terms in (2, 1):
        for first in range(len(points) - terms - 2):
            used = points[first:]
            values, errors = ([getattr(one, f"{name}{end}") for one in used] for end in ("", "_error"))
            fit = fit_exponent([one.links for one in used], values, errors, terms=terms)
            found.append((used[0].links, fit))
    return found


def fit_row(observable: str, smallest: int, fit: ExponentFit) -> dict[str, Any]:
    return {
        "observable": observable,
        "from links": smallest,
        "corrections": len(fit.terms),
        "nu": f"{fit.exponent:.6f}",
        "error": f"{fit.error:.6f}",
        "off, errors": fit.deviation(FLORY),
        "terms": ", ".join(f"{term:.3f}" for term in fit.terms),
        "chi2": fit.chi2,
        "freedom": fit.freedom,
        "chance": fit.chance,
    }


def options() -> argparse.Namespace:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--minutes", type=float, default=5.0, help="of each process, for all sizes together")
    made.add_argument("--processes", type=int, default=common.cores())
    made.add_argument("--sizes", default=SIZES, help="links of the chains")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--json", type=Path, metavar="FILE", help="also write everything to FILE")
    made.add_argument("--plot", type=Path, metavar="FILE", help="a picture of the fit")
    return common.parsed(made, QUICK)


def main() -> None:
    settings = options()
    began = perf_counter()
    parts = sample_all([int(float(word)) for word in settings.sizes.split(",")], settings)
    points = [together(some) for some in parts]
    seconds = perf_counter() - began
    common.show(tabulate(f"mean squares, {seconds:.0f} s", [asdict(one) for one in points]))
    found = {observable: fits(points, observable) for observable in (ENDS, GYRATION)}
    rows = [fit_row(name, *one) for name, some in found.items() for one in some]
    common.show(tabulate(f"R^2 = A N^(2 nu) (1 + a N^-0.528 + b / N); nu is {FLORY}", rows))
    best = found[ENDS][0][1]
    reached = [
        Target("error of nu, from the ends, all sizes", best.error, at_most=0.001).shown(),
        Target(f"errors from {FLORY}", abs(best.deviation(FLORY)), at_most=2.0).shown(),
    ]
    common.show(tabulate("targets", reached))
    if settings.plot is not None:
        best.plot(settings.plot)
    by_process = [asdict(one) for some in parts for one in some]
    whole = {"points": [asdict(one) for one in points], "by process": by_process, "fits": rows}
    common.save(settings.json, "flory", vars(settings), {**whole, "targets": reached, "seconds": seconds})


if __name__ == "__main__":
    main()
