"""Table 2 of Lin and Li: unfinished checks of a roadmap by their confidence, and how many of them collide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table

from .budget_paint import bin_panels
from .budget_replay import BEST, DEPTH, GROUP, THRESHOLD, Answers, replay
from .budget_roadmap import BUDGET, FULL_CHECKS, SAMPLES, Recording, recorded
from .findings import REPRODUCED, Chapter, Comparison, Findings, Settings, Tell

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]

BINS = (*(f"{low}-{low + 10}" for low in range(0, 100, 10)), "100")
MIDDLES = np.array([*range(5, 100, 10), 100], dtype=float)
POINTS = 5.0  # percent within which a mean is reproduced
FEW = 50  # checks in a bin, with fewer of which nothing is said about it


@dataclass(frozen=True)
class Bins:
    """Unfinished checks by confidence: how many of each bin collide, and how many are free."""

    colliding: Counts
    free: Counts

    @property
    def all(self) -> Counts:
        """Both together."""
        return self.colliding + self.free

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share of each bin that collides, in percent; 0 if the bin is empty."""
        return 100 * self.colliding / np.maximum(self.all, 1)

    @property
    def share(self) -> float:
        """The share of all."""
        return 100 * float(self.colliding.sum()) / max(int(self.all.sum()), 1)

    @property
    def mean(self) -> float:
        """The mean confidence, as far as the bins show it."""
        return float(self.all @ MIDDLES) / max(int(self.all.sum()), 1)


PRINTED = {
    DEPTH: Bins(
        np.array([206, 47, 40, 26, 22, 27, 20, 8, 9, 2, 0]),
        np.array([28204, 5347, 5012, 5003, 4821, 4549, 5145, 5300, 5585, 4908, 6183]),
    ),
    BEST: Bins(
        np.array([447, 21, 9, 14, 10, 4, 3, 0, 0, 1, 0]),
        np.array([52772, 4380, 3250, 2782, 2343, 2197, 2135, 2033, 2193, 2609, 3363]),
    ),
}


def checks_of(settings: Settings) -> int:
    """How many checks the roadmap is to make, about."""
    return FULL_CHECKS if settings.full else settings.checks


def bins_of(answers: Answers, hits: Flags) -> Bins:
    """The unfinished checks by confidence."""
    chosen = answers.unfinished & answers.limited
    places = np.minimum((10 * answers.confidence[chosen] + 1e-12).astype(np.int64), 10)
    count = [np.bincount(places[hits[chosen] == kind], minlength=len(BINS)) for kind in (True, False)]
    return Bins(*count)


@cache
def replayed(checks: int, method: str, in_full: bool = True) -> Answers:
    """The checks of the roadmap by a method, which chapters share."""
    return replay(recorded(checks).motions, method, BUDGET, in_full=in_full, forget=in_full)


def run(settings: Settings, tell: Tell) -> Findings:
    """Record the roadmap, replay it by both methods."""
    checks = checks_of(settings)
    tell(f"a roadmap of {SAMPLES} samples, about {checks:,} checks")
    recording = recorded(checks)
    bins: dict[str, Bins] = {}
    for method in (DEPTH, BEST):
        tell(f"{len(recording):,} checks by {method}")
        bins[method] = bins_of(replayed(checks, method), recording.hits)
    return Findings(
        [*_counts(recording, bins), *_bins(bins)],
        [_bin_table(bins, DEPTH, "a", "basic"), _bin_table(bins, BEST, "b", "with priority")],
        [_share_picture(bins), _count_picture(bins)],
        {"recording": _figures(recording), "bins": {m: _plain(one) for m, one in bins.items()}},
    )


def _counts(recording: Recording, bins: Mapping[str, Bins]) -> list[Comparison]:
    """How many checks there are, and how many reach the limit."""
    total = int((~recording.begins).sum())
    rows = [Comparison("checks", len(recording), FULL_CHECKS, _size(len(recording)))]
    for method in (DEPTH, BEST):
        ours, paper = bins[method], PRINTED[method]
        share, theirs = (100 * float(b.all.sum()) / n for b, n in ((ours, total), (paper, FULL_CHECKS)))
        rows.append(Comparison(f"{method}: % that reach the limit", share, theirs, _near(share, theirs)))
    free, theirs = (one[BEST].free.sum() - one[DEPTH].free.sum() for one in (bins, PRINTED))
    same = f"{REPRODUCED}: a free check costs the same in any order" if free == 0 else "differs: not the same"
    rows.append(Comparison("free at the limit, best less depth", int(free), int(theirs), same))
    missed = {m: int(b.colliding.sum()) for m, b in bins.items()}
    ratio = missed[BEST] / max(missed[DEPTH], 1)
    paper = PRINTED[BEST].colliding.sum() / PRINTED[DEPTH].colliding.sum()
    verdict = "better: fewer collisions missed" if ratio < 1 else "no fewer collisions are missed"
    rows.append(Comparison("collisions missed, best / depth", ratio, float(paper), verdict))
    return rows


def _size(checks: int) -> str:
    return REPRODUCED if abs(checks / FULL_CHECKS - 1) < 0.05 else "--full makes as many as the paper"


def _near(ours: float, paper: float) -> str:
    near = paper / 2 <= ours <= 2 * paper
    return f"{REPRODUCED}: within a factor of 2" if near else "differs: the roadmap is ours"


def _bins(bins: Mapping[str, Bins]) -> list[Comparison]:
    """What the bins show: who is lower, whether shares fall, and the means that contradict Table 1."""
    rows = []
    for method in (DEPTH, BEST):
        ours, paper = bins[method].share, PRINTED[method].share
        rows.append(Comparison(f"{method}: % of unfinished that collide", ours, paper, _near(ours, paper)))
    lower, compared = lower_bins(bins[BEST], bins[DEPTH])
    theirs = lower_bins(PRINTED[BEST], PRINTED[DEPTH])
    most = lower > compared / 2
    verdict = f"{REPRODUCED if most else 'differs'}: lower in {lower} of {compared} bins"
    rows.append(Comparison("bins in which best-first is lower", lower, theirs[0], verdict))
    for method in (DEPTH, BEST):
        rows.append(_falls(method, bins[method]))
    for method in (DEPTH, BEST):
        ours, paper = bins[method].mean, PRINTED[method].mean
        words = "best-first below" if bins[BEST].mean < bins[DEPTH].mean else "best-first above"
        verdict = f"{REPRODUCED if abs(ours - paper) <= POINTS else 'differs'}: {words}"
        rows.append(Comparison(f"{method}: mean confidence by the bins", ours, paper, verdict))
    return rows


def lower_bins(best: Bins, depth: Bins) -> tuple[int, int]:
    """In how many bins fewer of the checks collide by the one than by the other, of how many.

    Bins of few checks are left out, and those in which nothing collides by either.
    """
    data = (np.minimum(best.all, depth.all) >= FEW) & (best.colliding + depth.colliding > 0)
    return int((best.shares < depth.shares)[data].sum()), int(data.sum())


def _falls(method: str, ours: Bins) -> Comparison:
    """The share of collisions above a confidence of 50 over that below it."""
    ratio, paper = (_ratio(one) for one in (ours, PRINTED[method]))
    verdict = f"{REPRODUCED}: it falls with confidence" if ratio < 1 else "differs: it does not fall"
    return Comparison(f"{method}: collisions, above 50 / below", ratio, paper, verdict)


def _ratio(bins: Bins) -> float:
    low, high = (
        bins.colliding[part].sum() / max(bins.all[part].sum(), 1) for part in (slice(0, 5), slice(5, None))
    )
    return float(high / low) if low else 0.0


def _bin_table(bins: Mapping[str, Bins], method: str, letter: str, words: str) -> Table:
    ours, paper = bins[method], PRINTED[method]
    rows = []
    for k, name in enumerate(BINS):
        cells = [
            cell
            for one in (ours, paper)
            for cell in (f"{one.colliding[k]:,}", f"{one.free[k]:,}", f"{one.shares[k]:.2f}%")
        ]
        rows.append([name, *cells])
    total = [
        cell
        for one in (ours, paper)
        for cell in (f"{one.colliding.sum():,}", f"{one.free.sum():,}", f"{one.share:.2f}%")
    ]
    headings = ["confidence", "colliding", "free", "share", "paper: colliding", "free", "share"]
    return Table(f"Table 2 ({letter}): {words}, {method}", headings, [*rows, ["all", *total]])


def _share_picture(bins: Mapping[str, Bins]) -> Picture:
    panels = {
        "ours": {m: bins[m].shares.tolist() for m in (DEPTH, BEST)},
        "the paper's": {m: PRINTED[m].shares.tolist() for m in (DEPTH, BEST)},
    }
    alt = "Bars of the share of unfinished checks that collide, falling with confidence; best-first is lower."
    caption = "Table 2: what share of the unfinished checks collide in truth, by their confidence."
    return Picture(png(bin_panels(panels, BINS, "colliding, %")), alt, caption, wide=True)


def _count_picture(bins: Mapping[str, Bins]) -> Picture:
    def percents(one: Bins) -> list[float]:
        return [100 * float(count) / max(int(one.all.sum()), 1) for count in one.all]

    panels = {
        "ours": {m: percents(bins[m]) for m in (DEPTH, BEST)},
        "the paper's": {m: percents(PRINTED[m]) for m in (DEPTH, BEST)},
    }
    alt = "Bars of how many unfinished checks are in each bin of confidence; best-first has more low ones."
    caption = "How the unfinished checks are spread over the bins."
    return Picture(png(bin_panels(panels, BINS, "of the unfinished, %")), alt, caption, wide=True)


def _figures(recording: Recording) -> dict[str, object]:
    return {
        "checks": len(recording),
        "colliding": int(recording.hits.sum()),
        "in_full": int(recording.begins.sum()),
        "resolution": recording.resolution,
        "edges": recording.edges,
        "found": recording.found,
    }


def _plain(bins: Bins) -> dict[str, list[int]]:
    return {"colliding": bins.colliding.tolist(), "free": bins.free.tolist()}


CHAPTER = Chapter(
    "Table 2: the unfinished checks of a roadmap",
    f"A probabilistic roadmap of {SAMPLES} samples, each connected with all before it, and then asked for a "
    f"path; {BUDGET} tests for each check. All checks are recorded with their exact answers, which decide "
    "how the roadmap grows, and then made again on the budget, by the basic search and with priority. Shown "
    "are those that reached the limit without a hit, by their confidence, and how many of them collide. "
    "Random samples and the first check of a motion follow no other and are made in full; they are not in "
    f"the table. Groups of {GROUP}, threshold {THRESHOLD:g}. The paper has 327,679 checks; this makes about "
    "30,000, and --full as many as the paper, on the same motions in shorter steps: confidence, a product "
    "over the steps, then becomes as small as in the paper (means by the bins of 35.9 and 22.3, beside its "
    "40.9 and 22.3; how near they come hangs on the steps and the scene, which are ours). A motion ends at "
    "its first collision, so shorter steps add free checks alone, and the share that collides falls. The "
    "paper's two tables have the same 80,057 free checks, for to prove a configuration free takes the same "
    "tests in any order. The 102 checks that its second table has more all collide: its best-first missed "
    "more collisions than its depth-first. Ours misses fewer.",
    run,
)
