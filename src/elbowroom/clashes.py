"""Which parts of an assembly overlap, touch, enclose each other, or come nearer than a clearance.

>>> import elbowroom as er
>>> from elbowroom.clashes import find_clashes
>>> places = {"left": 0.0, "right": 1.5, "far": 4.5}
>>> world = er.World({name: (er.Box(2), er.Pose(translation=[x, 0, 0])) for name, x in places.items()})
>>> find_clashes(world, clearance=1.0).clashes
(Clash(left and right overlap, at least 0.5 deep), Clash(far and right near, 1 apart))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom._clash_filter import Filter, Sieve
from elbowroom._clash_pairs import Item, items_of, near_boxes
from elbowroom._enclosure import deepest
from elbowroom.body import Body
from elbowroom.files.assembly import Assembly
from elbowroom.files.assembly_world import assembly_of
from elbowroom.group import Group
from elbowroom.pose import Pose
from elbowroom.questions import collide, distance, self_within
from elbowroom.world import World

__all__ = ["KINDS", "Clash", "Clashes", "Filter", "find_clashes"]

Floats = NDArray[np.float64]
Kind: TypeAlias = Literal["overlap", "inside", "touch", "near"]
#: All kinds, the worst first.
KINDS: tuple[Kind, ...] = ("overlap", "inside", "touch", "near")
#: The default tolerance as a share of the assembly's diagonal: the rounding of files in single precision.
ROUNDING = 1e-6
#: Contacts between which two parts may be in each other.
HINTS = 24
#: Pairs between two reports of progress.
STRIDE = 200


@dataclass(frozen=True, eq=False, repr=False)
class Clash:
    """Two parts that clash.

    Attributes
    ----------
    kind
        "overlap": the parts cut into each other by more than the tolerance. "inside": `a` lies inside `b`, or
        some piece of it does, without meeting its surface. "touch": the gap or the depth is at most the
        tolerance. "near": the gap is at most the clearance.
    a, b
        Names of the parts.
    gap
        Distance between the surfaces; 0 if they meet.
    depth
        A translation that separates the parts is at least this long; 0 if they are apart. It is measured at
        contacts and at sampled points, so the true depth may be larger.
    point
        Where: halfway between the nearest points, in the middle of the contacts, or in both parts.
    points
        (2, 3): the nearest points, of parts that are apart.
    box
        (2, 3): the box about the contacts, or about the nearest points.
    duplicate
        The same triangles in the same place.
    """

    kind: Kind
    a: str
    b: str
    gap: float
    depth: float
    point: Floats
    points: Floats | None
    box: Floats
    duplicate: bool = False

    def __repr__(self) -> str:
        how = f"at least {self.depth:g} deep" if self.kind in ("overlap", "inside") else f"{self.gap:g} apart"
        joined = (
            f"{self.a} inside {self.b}" if self.kind == "inside" else f"{self.a} and {self.b} {self.kind}"
        )
        return f"Clash({joined}, {how})"


@dataclass(frozen=True, eq=False, repr=False)
class Clashes:
    """What `find_clashes` has found.

    Attributes
    ----------
    clashes
        The worst kind first, of one kind the deepest and then the nearest.
    bodies
        Name, body and pose of all parts; links of a robot are parts of their own.
    pairs
        How many pairs of parts had to be measured, because their boxes are near each other.
    ignored
        How many such pairs were left out, because a filter or the file says so.
    unused
        Patterns of the filter that no part matches.
    open
        Names of parts whose surface is not closed: what is wholly inside them is not found, and their
        overlaps may be deeper than is said.
    clearance, tolerance
        As used.
    """

    clashes: tuple[Clash, ...]
    bodies: tuple[tuple[str, Body, Pose], ...]
    pairs: int
    ignored: int
    unused: tuple[str, ...]
    open: tuple[str, ...]
    clearance: float
    tolerance: float

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of all parts."""
        return tuple(name for name, _, _ in self.bodies)

    def counts(self) -> dict[str, int]:
        """How many clashes there are of each kind."""
        many = Counter(clash.kind for clash in self.clashes)
        return {kind: many[kind] for kind in KINDS if many[kind]}

    def place(self, clash: Clash) -> list[float]:
        """Where a clash is, with 0 for coordinates below the tolerance."""
        return [float(x) if abs(x) > self.tolerance else 0.0 for x in clash.point]

    def by_part(self) -> dict[str, int]:
        """How many clashes each part has that has any, the most first."""
        many = Counter(name for clash in self.clashes for name in (clash.a, clash.b))
        return dict(sorted(many.items(), key=lambda each: (-each[1], each[0])))

    def __bool__(self) -> bool:
        return bool(self.clashes)

    def __repr__(self) -> str:
        found = ", ".join(f"{many} {kind}" for kind, many in self.counts().items()) or "free"
        return f"Clashes of {len(self.bodies):,} parts: {found}"


@dataclass
class _Search:
    clearance: float
    tolerance: float
    found: list[Clash] = field(default_factory=list)
    open: dict[str, None] = field(default_factory=dict)


def find_clashes(
    assembly: Assembly | World,
    *,
    clearance: float = 0.0,
    tolerance: float | None = None,
    only: Filter | None = None,
    touching: bool = True,
    said: Callable[[str, int, int], None] | None = None,
) -> Clashes:
    """All pairs of parts that overlap, touch, enclose each other, or come nearer than `clearance`.

    Links of a robot are parts of their own; those that it excludes are not compared.

    Parameters
    ----------
    assembly
        From `elbowroom.files.assembly.read_assembly`, or a World of rigid and articulated bodies.
    clearance
        Pairs whose gap is at most this are near.
    tolerance
        Gaps and depths up to this count as touching. Default: 1e-6 of the diagonal of the assembly.
    only
        Which pairs are compared; all if not given.
    touching
        Report parts that touch.
    said
        Called with what is being done, and how much of how much is done.
    """
    if isinstance(assembly, World):
        assembly = assembly_of(assembly)
    reach = _arrays.length(clearance, "clearance")
    items = items_of(assembly, said)
    boxes = np.array([item.box for item in items]).reshape(-1, 2, 3)
    finite = boxes[np.isfinite(boxes).all(axis=(1, 2))]
    diagonal = (
        float(np.linalg.norm(finite[:, 1].max(axis=0) - finite[:, 0].min(axis=0))) if len(finite) else 0.0
    )
    slack = ROUNDING * diagonal if tolerance is None else _arrays.length(tolerance, "tolerance")
    search = _Search(reach, slack)
    near = near_boxes(boxes, max(reach, slack))
    chosen, unused = _chosen(items, near, assembly, only or Filter())
    gaps = _gaps(items, max(reach, slack)) if chosen else {}
    for done, (i, j) in enumerate(chosen):
        if said is not None and done % STRIDE == 0:
            said("comparing parts", done, len(chosen))
        first, second = sorted((i, j), key=lambda k: items[k].name)
        nearest = gaps.get((i, j))
        if nearest is not None and first != i:
            nearest = nearest[0], nearest[1][::-1]
        clash = _examined(items[first], items[second], nearest, search)
        if clash is not None and (touching or clash.kind != "touch"):
            search.found.append(clash)
    search.found.sort(key=_order)
    bodies = tuple((item.name, item.body, item.pose) for item in items)
    left = len(near) - len(chosen)
    return Clashes(tuple(search.found), bodies, len(chosen), left, unused, tuple(search.open), reach, slack)


def _order(clash: Clash) -> tuple[int, float, float, str, str]:
    return KINDS.index(clash.kind), -clash.depth, clash.gap, clash.a, clash.b


def _chosen(
    items: list[Item], near: NDArray[np.int64], assembly: Assembly, only: Filter
) -> tuple[list[tuple[int, int]], tuple[str, ...]]:
    """The pairs that are compared, and the patterns of the filter that no part matches."""
    whole = {item.link: item.name for item in items if item.link}
    whole |= {part.name: part.name for part in assembly.parts}
    allowed = Filter(ignore=[(whole.get(a, a), whole.get(b, b)) for a, b in assembly.allowed])
    wanted, stated = Sieve(only, items), Sieve(allowed, items)
    kept = []
    for i, j in near.tolist():
        a, b = items[i], items[j]
        together = a.robot is not None and a.robot is b.robot
        if not (together and (a.link, b.link) in a.never) and stated.admits(i, j) and wanted.admits(i, j):
            kept.append((i, j))
    return kept, wanted.unused


def _gaps(items: list[Item], reach: float) -> dict[tuple[int, int], tuple[float, Floats]]:
    """Of pairs of parts that are at most `reach` apart: the gap, and the nearest points."""
    world = World()
    world.add({str(k): (item.body, item.pose) for k, item in enumerate(items)})
    found = self_within(world, reach, points=True)
    points = found.points
    assert points is not None
    pairs = [(int(str(a)), int(str(b))) for a, b in found.names]
    return {
        (min(pair), max(pair)): (gap, ends if pair[0] < pair[1] else ends[::-1])
        for pair, gap, ends in zip(pairs, found.distances.tolist(), points, strict=True)
    }


def _examined(a: Item, b: Item, nearest: tuple[float, Floats] | None, search: _Search) -> Clash | None:
    """The clash of two parts, of which the nearest points are known if they are near each other."""
    for item in (a, b):
        if isinstance(item.body, Group) or (item.enclosure is not None and not item.enclosure.closed):
            search.open[item.name] = None
    gap, points = nearest or (np.inf, np.empty((0, 2, 3)))
    if gap == 0:
        return _meeting(a, b, search)
    inner = _enclosed(a, b)
    if inner is not None:
        return _inside(inner, b if inner is a else a)
    if nearest is None:
        return None
    kind: Kind = "touch" if gap <= search.tolerance else "near"
    return Clash(kind, a.name, b.name, gap, 0.0, points.mean(axis=0), points, _box(points))


def _meeting(a: Item, b: Item, search: _Search) -> Clash:
    """Two parts whose surfaces meet: do they only touch?"""
    contacts = collide(a.body, b.body, a.pose, b.pose, every=True, depth=True).contacts
    assert contacts is not None
    points, depth = np.asarray(contacts.points), float(np.max(contacts.depths))
    point, duplicate = _box(points).mean(axis=0), False
    if _boxes_share(a, b, search.tolerance):
        if a.enclosure is not None and b.enclosure is not None:
            hints = (_between(points) - b.matrix[:3, 3]) @ b.matrix[:3, :3]
            more, place = deepest(a.enclosure, b.enclosure, b.inverse @ a.matrix, hints)
            if place is not None and more > depth:
                depth = more
                if depth > search.tolerance and np.ptp(points, axis=0).max() == 0:
                    point = b.matrix[:3, :3] @ place + b.matrix[:3, 3]
        duplicate = a.body is b.body and np.allclose(
            a.matrix, b.matrix, rtol=0, atol=max(search.tolerance, 1e-12)
        )
    kind: Kind = "overlap" if depth > search.tolerance or duplicate else "touch"
    return Clash(kind, a.name, b.name, 0.0, depth, point, None, _box(points), duplicate)


def _between(points: Floats) -> Floats:
    """The middle of the contacts, and points halfway between some of them, which may be in both parts."""
    some = points[np.linspace(0, len(points) - 1, min(len(points), HINTS)).astype(int)]
    return np.concatenate(
        [
            points.mean(axis=0)[None],
            (some + np.roll(some, len(some) // 2, axis=0)) / 2,
            (some + np.roll(some, len(some) // 3, axis=0)) / 2,
        ]
    )


def _boxes_share(a: Item, b: Item, tolerance: float) -> bool:
    """Do the boxes share more than a layer, in the world and in the frame of either?"""
    bounded = np.isfinite(a.box).all() and np.isfinite(b.box).all()
    if not bounded or not _overlap(a.box, b.box, tolerance):
        return False
    for one, other in ((a, b), (b, a)):
        moved = _corners(other.body.bounds) @ (one.inverse @ other.matrix)[:3, :3].T
        moved = moved + (one.inverse @ other.matrix)[:3, 3]
        if not _overlap(one.body.bounds, _box(moved), tolerance):
            return False
    return True


def _overlap(one: Floats, other: Floats, tolerance: float) -> bool:
    return bool((np.minimum(one[1], other[1]) - np.maximum(one[0], other[0]) > tolerance).all())


def _corners(box: Floats) -> Floats:
    return np.array([[box[i, 0], box[j, 1], box[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])


def _box(points: Floats) -> Floats:
    return np.stack([points.min(axis=0), points.max(axis=0)])


def _enclosed(a: Item, b: Item) -> Item | None:
    """Which of two parts whose surfaces do not meet lies inside the other, or a piece of it does."""
    for inner, outer in ((a, b), (b, a)):
        if outer.enclosure is None:
            continue
        points = inner.representatives @ (outer.inverse @ inner.matrix)[:3, :3].T
        points = points + (outer.inverse @ inner.matrix)[:3, 3]
        if outer.enclosure.holds(points):
            return inner
    return None


def _inside(inner: Item, outer: Item) -> Clash:
    nearest = distance(inner.body, outer.body, inner.pose, outer.pose)
    points, gap, depth = np.asarray(nearest.points), float(nearest.value), 0.0
    if inner.enclosure is not None and outer.enclosure is not None:
        across = outer.inverse @ inner.matrix
        hints = inner.representatives @ across[:3, :3].T + across[:3, 3]
        depth, _ = deepest(inner.enclosure, outer.enclosure, across, hints)
    middle = inner.box.mean(axis=0)
    return Clash("inside", inner.name, outer.name, gap, max(depth, gap), middle, points, inner.box)
