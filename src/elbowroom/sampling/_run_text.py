"""What a run says of itself: in a line, and as tables of text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ._angles import is_angle, scalars
from ._telling import told

if TYPE_CHECKING:
    from .run import Run
    from .series import Estimate

Row = Sequence[str]


def story(run: Run) -> str:
    """How far it went, how fast, what was accepted and what was found."""
    found = "; ".join(part for part in (_moves_in_words(run), _means_in_words(run)) if part)
    return f"{_length(run)}, {_speed(run)}" + (f"; {found}" if found else "")


def summary(run: Run) -> str:
    """A few lines of words, then a table of observables, one of moves, and with tempering one of swaps."""
    lines = [_length(run), _speed(run), f"{_samples(run)}; seed {run.seed}"]
    if run.folder is not None:
        lines.append(f"folder: {run.folder}")
    if any(map(is_angle, run.observables)):
        lines.append(f"torsions: {sum(map(is_angle, run.observables))} in each sample, without means")
    parts = ["\n".join(lines), _observable_table(run), _move_table(run), _swap_table(run)]
    doubts = (
        [name for name in scalars(run.observables) if not _all_converged(run, name)] if run.samples else []
    )
    if doubts:
        parts.append(
            f"Not converged: {', '.join(doubts)}.\nTheir errors are lower bounds: "
            "take more steps, or a longer burn_in."
        )
    return "\n\n".join(part for part in parts if part)


def labels(run: Run) -> list[Row]:
    """What rows of tables begin with: the temperature, or the number of the chain; of one chain nothing."""
    if run.several:
        return [[f"{k}"] for k in range(run._copies)]
    return [[f"{heat:g}"] for heat in run.temperatures] if run.tempered else [[]]


def _head(run: Run) -> Row:
    return ["chain"] if run.several else ["T"] if run.tempered else []


def spread(values: Any, form: str = ".0%") -> str:
    """A number, or the least and the greatest of several."""
    known = [one for one in np.ravel(np.asarray(values, float)).tolist() if not math.isnan(one)]
    if not known:
        return "none"
    low, high = format(min(known), form), format(max(known), form)
    return low if low == high else f"{low} to {high}"


def _length(run: Run) -> str:
    asked = run.steps if run.asked is None else run.asked
    taken = f"{run.steps:,}" if run.steps == asked else f"{run.steps:,} of {asked:,}"
    if isinstance(run.links, tuple):
        size = f" of each of {len(run.links)} chains, of {' and '.join(f'{n:,}' for n in run.links)} links"
    else:
        size = f" of {run.links:,} links" if run.links else ""
    if run.tempered:
        return f"{taken} steps{size} at {len(run.temperatures)} temperatures, {spread(run.temperatures, 'g')}"
    heat = f" at temperature {run.temperatures[0]:g}" if run.temperatures else ""
    return f"{taken} steps{size}{heat}"


def _speed(run: Run) -> str:
    pace = "" if math.isnan(run.rate) else f", {run.rate:,.0f} steps per second"
    return f"{_duration(run.seconds)}{pace}"


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def _samples(run: Run) -> str:
    if not run.samples:
        return f"no samples, one every {run.every:,} steps"
    burn = f" after {run.burn_in:,} steps of burn-in" if run.burn_in else ""
    return f"{run.samples:,} samples, one every {run.every:,} steps{burn}"


def _moves_in_words(run: Run) -> str:
    shares = [f"{move} {spread(share)}" for move, share in run.acceptance.items()]
    return f"accepted {', '.join(shares)}" if shares else ""


def _means_in_words(run: Run) -> str:
    if not run.samples:
        return "no samples"
    if run.tempered:
        return f"swapped {spread(run.swaps)}"
    means = []
    for name in [] if run.several else scalars(run.observables):
        found = run.estimate(name)
        doubt = "" if found.converged else " (not converged)"
        means.append(f"{name} {told(found.mean, found.error)}{doubt}")
    return ", ".join(means)


def _all_converged(run: Run, name: str) -> bool:
    return all(run.estimate(name, **which).converged for which in run._numbers())


def _observable_table(run: Run) -> str:
    if not run.samples or not scalars(run.observables):
        return ""
    head = ["observable", "mean", "time (steps)", "independent", "converged"]
    rows = [
        [*label, *_observable_row(run, name, which)]
        for name in scalars(run.observables)
        for label, which in zip(labels(run), run._numbers(), strict=True)
    ]
    return table([*_head(run), *head], rows, 1 + len(_head(run)))


def _observable_row(run: Run, name: str, which: dict[str, int]) -> Row:
    found: Estimate = run.estimate(name, **which)
    known = not math.isnan(found.time)
    return [
        name,
        told(found.mean, found.error),
        f"{found.time:,.4g}" if known else "unknown",
        f"{found.independent:,.0f}" if known else "unknown",
        "yes" if found.converged else "no",
    ]


def _move_table(run: Run) -> str:
    crossing = ["crossing"] if run.crossings else []
    head = ["move", "attempted", "collided", *crossing, "rejected", "accepted", "size"]
    rows = [row for move in run.tallies for row in _move_rows(run, move)]
    return table([*_head(run), *head], rows, 1 + len(_head(run)))


def _move_rows(run: Run, move: str) -> Iterator[Row]:
    counts = np.asarray(run.tallies[move]).reshape(-1, 3).tolist()
    sizes = run.sizes.get(move)
    each = sizes if isinstance(sizes, tuple) else [sizes] * len(counts)
    crossed = [[n] for n in np.ravel(run.crossings[move]).tolist()] if run.crossings else [[]] * len(counts)
    for label, (tried, collided, accepted), crossing, size in zip(
        labels(run), counts, crossed, each, strict=True
    ):
        parts = (collided, *crossing, tried - collided - sum(crossing) - accepted, accepted)
        shares = [f"{part / tried:.1%}" if tried else "" for part in parts]
        yield [*label, move, f"{tried:,}", *shares, "any" if size is None else f"{size:.3g}"]


def _swap_table(run: Run) -> str:
    if run.swaps is None:
        return ""
    heats = [f"{heat:g}" for heat in run.temperatures]
    shares = ["" if math.isnan(share) else f"{share:.1%}" for share in run.swaps.tolist()]
    rows = [[f"{a} and {b}", share] for (a, b), share in zip(pairwise(heats), shares, strict=True)]
    return table(["temperatures", "swapped"], rows, 1)


def table(head: Row, rows: Sequence[Row], words: int) -> str:
    """Columns under their headings; the first ones, `words` of them, to the left, numbers to the right."""
    if not rows:
        return ""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k < words else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
