"""Random pairs of every two kinds of rigid bodies, every answer judged by the oracle.

    python tests/support/fuzz_shapes.py --pairs 100000 --seconds 300 --seed 0 [--kinds box,convex]

Exit status 1 if any answer was wrong. All tolerances are relative to the sizes of the two bodies plus the
translations of their poses.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import fuzzing
import numpy as np
import oracle
from nasty import KIND_PAIRS, KINDS, Case, case
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import elbowroom as er

DISTANCE_TOLERANCE = 1e-9  # values, bounds and witness points
DEPTH_TOLERANCE = 1e-9  # depths, and what is left of them after moving b by depth * normal
# Depths, and points of overlapping bodies, are judged unless a body is finer than this part of the scene.
FINE = 1e-6
VERDICT_TOLERANCE = 1e-10  # a verdict is judged where the distance or depth is larger than this
POSES = 50  # poses of each random pair of bodies
CASES_PER_CHUNK = 40
SHOWN = 6  # different complaints shown for each pair of kinds
CONTACTS_MOVED = 4  # contacts of one answer that are moved apart


@dataclass
class Tally(fuzzing.Tally):
    """What was asked of one pair of kinds, and what came out wrong."""

    pairs: int = 0
    colliding: int = 0
    exact: int = 0
    depths: int = 0
    withins: int = 0
    everys: int = 0
    distance_error: float = 0.0
    depth_error: float = 0.0
    failures: dict[str, str] = field(default_factory=dict)  # the first reproduction of each complaint

    def expect(self, good: np.ndarray, what: str, case: Case, first: int = 0, counter: str = "other") -> None:
        """Count the poses that are not good (first + index) and keep a reproduction of the first one."""
        if not good.all():
            bad = np.flatnonzero(~good)
            setattr(self, counter, getattr(self, counter) + len(bad))
            k = first + int(bad[0])
            complaint = re.sub(r"\d.*|\(.*?\)", "", what)
            self.failures.setdefault(complaint, f"# {what} ({case.family}, {len(bad)} such)\n{case.code(k)}")


def check_verdicts(case: Case, truth: oracle.Nearest, tally: Tally) -> None:
    hits = er.collide(case.a.body, case.b.body, case.pose_a, case.pose_b).hits
    swapped = er.collide(case.b.body, case.a.body, case.pose_b, case.pose_a).hits
    doubt = VERDICT_TOLERANCE * case.scale
    must_hit = (truth.signed < -doubt) | case.touching
    tally.expect(hits | ~must_hit, "collide says free", case, counter="wrong_free")
    tally.expect(~hits | (truth.signed <= doubt), "collide says collision", case, counter="wrong_hit")
    tally.expect(hits == swapped, "collide(a, b) is not collide(b, a)", case)
    tally.colliding += int(hits.sum())
    tally.exact += len(hits) if case.touching else 0


def check_distances(case: Case, truth: oracle.Nearest, tally: Tally) -> Any:
    found = er.distance(case.a.body, case.b.body, case.pose_a, case.pose_b)
    true, slop = np.maximum(truth.signed, 0.0), DISTANCE_TOLERANCE * case.scale
    error = np.abs(found.values - true) / case.scale
    tally.distance_error = max(tally.distance_error, float(error.max()))
    tally.expect(error <= DISTANCE_TOLERANCE, f"distance is off by {error.max():.1e}", case)
    ordered = (found.lower <= found.values) & (found.values <= found.upper)
    tally.expect(ordered, "lower <= value <= upper", case)
    tally.expect((found.lower <= true + slop) & (true <= found.upper + slop), "lower <= true <= upper", case)
    touches = ~np.full(len(true), case.touching) | (found.values <= VERDICT_TOLERANCE * case.scale)
    tally.expect(touches, "distance of touching bodies is not 0", case)
    check_witnesses(case, found, slop, tally)
    return found


def check_witnesses(case: Case, found: Any, slop: np.ndarray, tally: Tally) -> None:
    """The two points lie on the primitives named by the pair, at the distance given."""
    span = np.linalg.norm(found.points[:, 1] - found.points[:, 0], axis=1)
    # Where the bodies overlap, any common point will do.
    judged = (found.values > 0) | (fineness(case) > FINE * case.scale)
    off = np.abs(span - found.values)
    tally.expect(~judged | (off <= slop), "witness points are not at the distance", case)
    for side, (thing, pose) in enumerate(((case.a, case.pose_a), (case.b, case.pose_b))):
        which = np.ascontiguousarray(found.pairs[:, side], dtype=np.int64)
        known = (which >= 0) & (which < len(thing.solid.radii))
        tally.expect(known, "no such primitive", case)
        off = off_primitives(found.points[:, side], thing.solid, pose, np.where(known, which, 0))
        what = f"witness point {side} is off its primitive by {off.max():.1e}"
        tally.expect(~judged | (off <= slop), what, case)


def fineness(case: Case) -> float:
    """The least width or thickness of any primitive of the two bodies; what is quite flat does not count."""
    widths = [case.a.reach, case.b.reach]
    for vertices, _, _, radius in (p for thing in (case.a, case.b) for p in thing.primitives):
        spread = np.linalg.svd(vertices - vertices.mean(axis=0), compute_uv=False) + radius
        widths += [w for w in spread if w > 1e-15 * max(case.a.reach, case.b.reach)]
    return float(min(widths))


def off_primitives(points: np.ndarray, solid: oracle.Solid, poses: np.ndarray, which: Any) -> np.ndarray:
    r, t = np.ascontiguousarray(poses[:, :3, :3]), np.ascontiguousarray(poses[:, :3, 3])
    return np.asarray(oracle.points_to_primitives(np.ascontiguousarray(points), solid, r, t, which))


def check_swapped_distances(case: Case, found: Any, tally: Tally) -> None:
    swapped = er.distance(case.b.body, case.a.body, case.pose_b, case.pose_a)
    tally.expect(found.values == swapped.values, "distance(a, b) is not distance(b, a)", case)
    if case.a is not case.b:  # a body and itself in one pose: the same call twice, nothing to swap
        same = (found.pairs == swapped.pairs[:, ::-1]).all(axis=1)
        tally.expect(same, "the pair of distance(a, b) is not that of distance(b, a)", case)


class Single(NamedTuple):
    """One pose of a case, with the signed distances of all primitive pairs."""

    case: Case
    k: int
    signed: np.ndarray
    tally: Tally

    @property
    def forward(self) -> tuple[Any, ...]:
        c = self.case
        return c.a.body, c.b.body, c.pose_a[self.k], c.pose_b[self.k]

    @property
    def backward(self) -> tuple[Any, ...]:
        c = self.case
        return c.b.body, c.a.body, c.pose_b[self.k], c.pose_a[self.k]

    @property
    def against_itself(self) -> bool:
        c = self.case
        return c.a.body is c.b.body and np.array_equal(c.pose_a[self.k], c.pose_b[self.k])

    @property
    def doubt(self) -> float:
        return float(VERDICT_TOLERANCE * self.case.scale[self.k])

    def expect(self, good: Any, what: str) -> None:
        if not np.all(good):
            self.tally.expect(np.array([False]), what, self.case, self.k)

    def expect_pairs(self, pairs: np.ndarray, limit: float, what: str) -> bool:
        """Exactly the pairs below the limit, but for those in doubt; sorted, none twice."""
        listed = np.zeros(self.signed.shape, dtype=bool)
        listed[pairs[:, 0], pairs[:, 1]] = True
        self.expect(listed[self.signed < limit - self.doubt], f"{what} misses a pair")
        self.expect(self.signed[listed] <= limit + self.doubt, f"{what} lists a pair too many")
        self.expect(np.array_equal(pairs, np.argwhere(listed)), f"{what} is not sorted or repeats a pair")
        return len(pairs) > 0


def single(case: Case, k: int, tally: Tally) -> Single:
    a, b = (
        oracle.moved(thing.solid, pose[k, :3, :3], pose[k, :3, 3])
        for thing, pose in ((case.a, case.pose_a), (case.b, case.pose_b))
    )
    return Single(case, k, oracle.signed_matrix(a, b), tally)


def same_rows(pairs: np.ndarray, swapped: np.ndarray) -> bool:
    """The same pairs once the columns are swapped back."""
    back = swapped[:, ::-1]
    return np.array_equal(pairs, back[np.lexsort((back[:, 1], back[:, 0]))])


def check_every(one: Single) -> None:
    found = er.collide(*one.forward, every=True)
    one.tally.everys += 1
    one.expect_pairs(found.pairs, 0.0, "collide(every=True)")
    swapped = er.collide(*one.backward, every=True)
    one.expect(same_rows(found.pairs, swapped.pairs), "collide(every=True) is not symmetric")
    one.expect(bool(found) == (len(found.pairs) > 0), "bool(collision) contradicts its pairs")
    one.expect(bool(er.collide(*one.forward)) == bool(found), "every=True changes the verdict")


def check_depth(one: Single) -> None:
    found = er.collide(*one.forward, every=True, depth=True)
    deepest = er.collide(*one.forward, depth=True)
    one.expect(bool(deepest) == bool(found), "every=True changes the verdict with depth=True")
    if not found:
        return
    pairs, contacts, scale = found.pairs, found.contacts, one.case.scale[one.k]
    error = np.abs(contacts.depths - np.maximum(-one.signed[pairs[:, 0], pairs[:, 1]], 0.0)) / scale
    if fineness(one.case) <= FINE * scale:
        return
    one.tally.depths += len(pairs)
    one.tally.depth_error = max(one.tally.depth_error, float(error.max()))
    one.expect(error <= DEPTH_TOLERANCE, f"depth is off by {error.max():.1e}")
    one.expect(np.abs(np.linalg.norm(contacts.normals, axis=1) - 1.0) <= 1e-12, "normal is no unit vector")
    one.expect(deepest.contacts.depths == [contacts.depths.max()], "depth=True alone is not the deepest pair")
    for n in range(min(len(pairs), CONTACTS_MOVED)):
        check_contact(one, pairs[n], contacts.points[n], contacts.normals[n], float(contacts.depths[n]))


def check_contact(one: Single, pair: np.ndarray, point: np.ndarray, normal: np.ndarray, depth: float) -> None:
    """Moving b by depth * normal parts the pair, and the point is near both primitives."""
    case, k, slop = one.case, one.k, DEPTH_TOLERANCE * one.case.scale[one.k]
    a, b = oracle.pack([case.a.primitives[pair[0]]]), oracle.pack([case.b.primitives[pair[1]]])
    pose_a, pose_b = case.pose_a[k : k + 1], case.pose_b[k : k + 1].copy()
    only = np.zeros(1, dtype=np.int64)
    for solid, pose in ((a, pose_a), (b, pose_b)):
        off = float(np.max(off_primitives(point[None], solid, pose, only)))
        one.expect(off <= depth + slop, f"contact point is off by {off - depth:.1e}")
    pose_b[0, :3, 3] += depth * normal
    left = oracle.nearest(a, b, pose_a, pose_b).signed[0]
    one.expect(left >= -slop, f"moving b by depth * normal leaves a depth of {-left:.1e}")


def check_within(one: Single, rng: np.random.Generator) -> None:
    reach = max(float(rng.choice(one.signed.ravel())), 0.0) * float(rng.choice([0.0, 0.5, 1.0, 1.5]))
    found = er.within(one.case.a.body, one.case.b.body, reach, *one.forward[2:])
    swapped = er.within(one.case.b.body, one.case.a.body, reach, *one.backward[2:])
    one.tally.withins += 1
    # Against itself swapping asks the same again, and (i, j) need not equal (j, i) to the last bit.
    if not one.against_itself:
        one.expect(same_rows(found.indices, swapped.indices), f"within({reach!r}) is not symmetric")
    if one.expect_pairs(found.indices, reach, f"within({reach!r})"):
        true = np.maximum(one.signed[found.indices[:, 0], found.indices[:, 1]], 0.0)
        off = np.abs(found.distances - true) / one.case.scale[one.k]
        one.expect(off <= DISTANCE_TOLERANCE, f"within({reach!r}) has a distance off by {off.max():.1e}")


def check_settings(one: Single, value: float, memory: Any, rng: np.random.Generator) -> None:
    """One by one, with a memory or with `enough`: the answers stay what they were."""
    one.expect(er.distance(*one.forward).value == value, "one distance differs from the same one among many")
    recalled = er.distance(*one.forward, memory=memory).value
    one.expect(abs(recalled - value) <= one.doubt, "a memory changes the distance")
    enough = value * float(rng.choice([0.5, 0.9999, 1.0, 1.0001, 2.0]))
    found = er.distance(*one.forward, enough=enough)
    one.expect(found.lower >= enough - one.doubt or found.upper <= enough, f"enough={enough!r} is left open")
    slop = DISTANCE_TOLERANCE * one.case.scale[one.k]
    one.expect(found.lower - slop <= value <= found.upper + slop, f"enough={enough!r} gives wrong bounds")


def check_case(case: Case, tally: Tally, rng: np.random.Generator, singles: int = 2) -> None:
    """All checks on all poses; those that take one call for each pose on the first few."""
    tally.pairs += len(case.pose_a)
    try:
        truth = oracle.nearest(case.a.solid, case.b.solid, case.pose_a, case.pose_b)
        check_verdicts(case, truth, tally)
        found = check_distances(case, truth, tally)
        check_swapped_distances(case, found, tally)
        memory = er.Memory()
        for k in range(min(singles, len(case.pose_a))):
            one = single(case, k, tally)
            check_every(one)
            check_depth(one)
            check_within(one, rng)
            check_settings(one, float(found.values[k]), memory, rng)
    except Exception:  # whatever the library raises on sound input is a failure to report
        trace = traceback.format_exc(limit=-2).replace("\n", "\n# ")
        tally.expect(np.array([False]), f"raised {trace}", case)


class Chunk(NamedTuple):
    kinds: tuple[str, str]
    cases: int
    seed: tuple[int, ...]
    deadline: float


def run_chunk(chunk: Chunk) -> tuple[tuple[str, str], Tally]:
    rng, tally = np.random.default_rng(chunk.seed), Tally()
    for _ in range(chunk.cases):
        if time.time() > chunk.deadline:
            break
        check_case(case(rng, chunk.kinds, POSES), tally, rng)
    return chunk.kinds, tally


def chunks(kind_pairs: list[tuple[str, str]], pairs: int, seed: int, deadline: float) -> Iterator[Chunk]:
    """Round after round over all kind pairs, so that a deadline cuts them all alike."""
    cases = -(-pairs // POSES)
    for done in range(0, cases, CASES_PER_CHUNK):
        for kinds in kind_pairs:
            number = KIND_PAIRS.index(kinds)
            yield Chunk(kinds, min(CASES_PER_CHUNK, cases - done), (seed, number, done), deadline)


def fuzz(kind_pairs: list[tuple[str, str]], pairs: int, seconds: float, seed: int) -> dict[Any, Tally]:
    tallies = {kinds: Tally() for kinds in kind_pairs}
    work = list(chunks(kind_pairs, pairs, seed, time.time() + seconds))
    with Progress() as progress, multiprocessing.get_context("spawn").Pool(2) as pool:
        bar = progress.add_task("pairs", total=sum(chunk.cases for chunk in work) * POSES)
        for kinds, tally in pool.imap_unordered(run_chunk, work):
            tallies[kinds].add(tally)
            wrong = sum(t.wrong for t in tallies.values())
            progress.update(bar, advance=tally.pairs, description=f"pairs ({wrong} wrong)")
    return tallies


def table(tallies: dict[Any, Tally]) -> Table:
    columns = ("pair of kinds", "pairs", "colliding", "exact touch", "wrong free", "wrong hit", "other wrong")
    counts = ("worst distance", "worst depth", "depths", "every", "within")
    result = Table(*columns, *counts, title="errors relative to sizes + translations")
    for (kind_a, kind_b), t in tallies.items():
        whole = (t.pairs, t.colliding, t.exact, t.wrong_free, t.wrong_hit, t.other)
        errors = (f"{t.distance_error:.1e}", f"{t.depth_error:.1e}")
        row = (f"{kind_a} {kind_b}", *whole, *errors, t.depths, t.everys, t.withins)
        result.add_row(*map(str, row), style="red" if t.wrong else None)
    return result


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--pairs", type=int, default=100_000, help="posed pairs for every pair of kinds")
    parser.add_argument("--seconds", type=float, default=300.0, help="stop after this time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(KINDS), help="only pairs of these kinds")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    args = arguments(argv)
    kinds = set(args.kinds.split(","))
    if unknown := kinds - set(KINDS):
        print(f"no such kind: {', '.join(sorted(unknown))}; choose from {', '.join(KINDS)}", file=sys.stderr)
        return 2
    chosen = [pair for pair in KIND_PAIRS if kinds.issuperset(pair)]
    tallies = fuzz(chosen, args.pairs, args.seconds, args.seed)
    console = Console(width=160)
    for (kind_a, kind_b), tally in tallies.items():
        for failure in list(tally.failures.values())[:SHOWN]:
            console.print(f"\n# {kind_a} {kind_b}\n{failure}", markup=False, highlight=False, soft_wrap=True)
    console.print(table(tallies))
    short = min(t.pairs for t in tallies.values())
    if short < args.pairs:
        console.print(f"--seconds {args.seconds:g} stopped the run: some kinds had only {short} pairs")
    return int(any(t.wrong for t in tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
