"""Where Pinocchio and we do not agree about a robot: which links, how far apart by each, and why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import elbowroom as er
from benchmarks.articulated.pinocchios import LinkPair, Model
from benchmarks.common import Array
from benchmarks.mesh.run import surface_distance

if TYPE_CHECKING:
    from benchmarks.articulated.robots import Question

TOUCHING = 1e-6  # Coal's own tolerance
OUTWARD = 0.005  # by this share of its radius the prism that we take for a cylinder may reach farther out
LISTED = 10


@dataclass(frozen=True)
class Difference:
    """A pair of links in one configuration; gaps below 0 are depths, NaN where none was measured."""

    contestant: str
    configuration: int
    links: LinkPair
    ours: bool
    our_gap: float
    their_gap: float
    reason: str


def link_names(body: er.Articulated, pair: Sequence[int]) -> LinkPair:
    a, b = sorted(body.link_names[k] for k in pair)
    return a, b


def explain(
    question: Question, model: Model, unlike: Iterable[tuple[str, int]], limit: int
) -> list[Difference]:
    """Every verdict that was unlike the first contestant's, at most `limit` of each contestant."""
    found: list[Difference] = []
    seen: Counter[str] = Counter()
    for contestant, index in unlike:
        seen[contestant] += 1
        if seen[contestant] <= limit:
            found += _why(question, model, contestant, index)
    return found


def _why(question: Question, model: Model, contestant: str, index: int) -> list[Difference]:
    """Pairs on which the two differ by fresh data; none: what differed was the memory of earlier ones."""
    pairs = pairs_at(question, model, index)
    if pairs:
        return [describe(question, model, contestant, index, pair) for pair in pairs]
    who = "elbowroom's" if contestant.startswith("elbowroom") else "Pinocchio's"
    reason = f"history: {who} answer to this configuration alone is another"
    return [Difference(contestant, index, ("", ""), False, math.nan, math.nan, reason)]


def pairwise(question: Question, model: Model, count: int) -> list[Difference]:
    """All pairs of links in the first configurations, which says more than one verdict on all of them."""
    count = min(count, len(question.configurations))
    found = []
    for index in range(count):
        for pair in pairs_at(question, model, index):
            found.append(describe(question, model, "pair by pair", index, pair))
    return found


def pairs_at(question: Question, model: Model, index: int) -> list[LinkPair]:
    """The pairs of links that one of the two alone finds, neither with a memory of other configurations."""
    body, configuration = question.body, question.configurations[index]
    body.move(configuration)
    mine = {link_names(body, pair) for pair in er.self_collide(body, every=True).pairs.tolist()}
    touching = model.touching(_theirs(question, model, index))
    theirs = {pair for pair, hit in zip(model.pairs(), touching, strict=True) if hit}
    return sorted(mine ^ theirs)


def _theirs(question: Question, model: Model, index: int) -> Array:
    row: Array = model.configurations(question.body.joint_names, question.configurations[index : index + 1])[
        0
    ]
    return row


def describe(question: Question, model: Model, contestant: str, index: int, links: LinkPair) -> Difference:
    """Gaps by both and the reason; `body` stands in that configuration."""
    body = question.body
    mine = {link_names(body, pair) for pair in er.self_collide(body, every=True).pairs.tolist()}
    row = _theirs(question, model, index)
    numbers = [k for k, pair in enumerate(model.pairs()) if pair == links]
    shapes = [_placed(body, name) for name in links]
    ours = min(_gap(a, b) for a in shapes[0] for b in shapes[1])
    theirs = min((model.gap(row, k) for k in numbers), default=math.nan)
    why = reason(links in mine, ours, theirs, shapes, model.radii(numbers))
    return Difference(contestant, index, links, links in mine, ours, theirs, why)


def reason(hit: bool, ours: float, theirs: float, shapes: Sequence[Any], radii: Sequence[float]) -> str:
    """Why one says that two links touch and the other that they do not."""
    free, who = (theirs, "Coal") if hit else (ours, "elbowroom")
    if free < -TOUCHING:
        return f"{who} contradicts itself: no collision, but a distance below 0"
    if all(isinstance(body, er.Mesh) for some in shapes for body, _ in some):
        exact = min(_surfaces(a, b) for a in shapes[0] for b in shapes[1])
        if 0.0 < exact <= TOUCHING:
            return f"touching: {TOUCHING:g} or nearer"
        return f"{'elbowroom' if hit != (exact == 0.0) else 'Coal'} is wrong: brute force has {exact:.3g}"
    if abs(free) <= TOUCHING:
        return f"touching: {TOUCHING:g} or nearer"
    if hit and radii and free <= max(radii) * OUTWARD:
        return "cylinder: the prism about it reaches farther out"
    return "unexplained"


def _placed(body: er.Articulated, link: str) -> list[tuple[er.Body, Array]]:
    """The shapes of a link with their poses in the world."""
    number = body.link_number(link)
    pose = body.link_poses()[number]
    return [(shape, pose @ own.matrix) for owner, shape, own in body.shapes if owner == number]


def _gap(a: tuple[er.Body, Array], b: tuple[er.Body, Array]) -> float:
    """Our distance of two shapes, or how deep they overlap, below 0."""
    apart = float(er.distance(a[0], b[0], a[1], b[1]).value)
    if apart > 0.0:
        return apart
    contacts = er.collide(a[0], b[0], a[1], b[1], depth=True).contacts
    return -float(np.max(contacts.depths, initial=0.0))


def _surfaces(a: tuple[Any, Array], b: tuple[Any, Array]) -> float:
    first, second = (m.vertices[m.faces] @ pose[:3, :3].T + pose[:3, 3] for m, pose in (a, b))
    return surface_distance(first, second)


def report(found: Sequence[Difference]) -> dict[str, Any]:
    """Print how often each reason was found, and the first few cases; all of them go into the JSON."""
    counts = Counter(one.reason for one in found)
    for why, times in counts.most_common():
        print(f"  {times} times {why}")
    for one in found[:LISTED]:
        print(f"    {one.contestant}, configuration {one.configuration}: {_sentence(one)}{one.reason}")
    return {"counts": dict(counts), "cases": [asdict(one) for one in found]}


def _sentence(one: Difference) -> str:
    if not any(one.links):
        return ""
    who = "elbowroom" if one.ours else "Pinocchio"
    gaps = f"gap {one.our_gap:.3g} by ours, {one.their_gap:.3g} by Coal"
    return f"{one.links[0]} and {one.links[1]}: only {who} says hit; {gaps}; "
