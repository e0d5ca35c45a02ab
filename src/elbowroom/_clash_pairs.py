"""The parts that are searched for clashes, and the pairs of them whose boxes are near each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from elbowroom._enclosure import Enclosure
from elbowroom.articulated import Articulated
from elbowroom.body import Body
from elbowroom.files.assembly import Assembly, Part
from elbowroom.files.assembly_parts import Geometry
from elbowroom.group import Group
from elbowroom.mesh import Mesh
from elbowroom.pose import Pose

Floats = NDArray[np.float64]
Say = Callable[[str, int, int], None]
#: Pairs that are held at once while they are sifted.
CHUNK = 4_000_000


@dataclass(frozen=True, eq=False)
class Item:
    """One part, or one link of a robot."""

    name: str
    body: Body
    pose: Pose
    box: Floats
    parents: tuple[str, ...] = ()
    enclosure: Enclosure | None = None
    robot: Articulated | None = None
    link: str = ""
    never: frozenset[tuple[str, str]] = frozenset()

    @cached_property
    def matrix(self) -> Floats:
        """The pose as an array."""
        return np.asarray(self.pose.matrix)

    @cached_property
    def inverse(self) -> Floats:
        """The pose that undoes it."""
        return np.asarray(self.pose.inverse().matrix)

    @property
    def representatives(self) -> Floats:
        """A point of each connected piece, in the frame of the part."""
        if self.enclosure is not None:
            return self.enclosure.representatives
        return np.asarray(self.body._points[self.body._first[:-1]])


def items_of(assembly: Assembly, said: Say | None) -> list[Item]:
    """All parts, with the trees over their triangles, which parts with the same triangles share."""
    items: list[Item] = []
    made: dict[int, Enclosure] = {}
    for k, part in enumerate(assembly.parts):
        if said is not None:
            said("building trees", k, len(assembly.parts))
        if isinstance(part.shape, Articulated):
            items += _links(part, part.shape)
            continue
        body = part.body
        assert isinstance(body, Body)
        if isinstance(body, Mesh) and id(body) not in made:
            made[id(body)] = Enclosure(body)
        items.append(Item(part.name, body, part.pose, _box(part, body), part.parents, made.get(id(body))))
    return items


def _links(part: Part, robot: Articulated) -> list[Item]:
    """Every link with a shape, at the configuration that the robot holds."""
    if robot.configuration is None:
        robot.move(robot.zero())
    poses, names = robot.link_poses(), robot.link_names
    pairs = robot.names(robot.excluded) if len(robot.excluded) else []
    never = frozenset(pair for a, b in pairs for pair in ((a, b), (b, a)))
    held: dict[int, list[tuple[Body, Pose]]] = {}
    for link, body, within in robot.shapes:
        held.setdefault(link, []).append((body, within))
    items = []
    for link, shapes in held.items():
        body = Group(shapes)
        pose = part.pose @ Pose.from_matrix(poses[link])
        box = _placed_box(body.bounds, pose)
        name = f"{part.name}/{names[link]}"
        parents = (*part.parents, part.name)
        items.append(Item(name, body, pose, box, parents, None, robot, names[link], never))
    return items


def _box(part: Part, body: Body) -> Floats:
    """The box in the world: of the corners of triangles, else of the part's own box."""
    if not body._is_bounded:
        return np.array([[-np.inf] * 3, [np.inf] * 3])
    if not isinstance(part.shape, Geometry):
        return _placed_box(body.bounds, part.pose)
    points = body._points @ part.pose.rotation.T + part.pose.translation
    return np.stack([points.min(axis=0), points.max(axis=0)])


def _placed_box(bounds: Floats, pose: Pose) -> Floats:
    middle, half = bounds.mean(axis=0), np.ptp(bounds, axis=0) / 2
    centre, reach = pose.rotation @ middle + pose.translation, np.abs(pose.rotation) @ half
    return np.stack([centre - reach, centre + reach])


def near_boxes(boxes: Floats, reach: float) -> NDArray[np.int64]:
    """(k, 2): pairs of boxes that are at most `reach` apart along each axis, sorted."""
    if len(boxes) < 2:
        return np.empty((0, 2), np.int64)
    grown = boxes + 1e-9 * np.abs(boxes).max(initial=0.0, where=np.isfinite(boxes)) * np.array(
        [[-1.0], [1.0]]
    )
    low, high = grown[:, 0], grown[:, 1] + reach
    axis = int(np.argmin([_touched(low[:, k], high[:, k]) for k in range(3)]))
    order = np.argsort(low[:, axis], kind="stable")
    low, high = low[order], high[order]
    ends = np.searchsorted(low[:, axis], high[:, axis], side="right")
    counts = ends - np.arange(len(order)) - 1
    found, start = [np.empty((0, 2), np.int64)], 0
    while start < len(order):
        stop = start + max(1, int(np.searchsorted(np.cumsum(counts[start:]), CHUNK)))
        first = np.repeat(np.arange(start, min(stop, len(order))), counts[start:stop])
        sums = np.cumsum(counts[start:stop])
        second = first + 1 + np.arange(len(first)) - np.repeat(sums - counts[start:stop], counts[start:stop])
        kept = ((low[second] <= high[first]) & (low[first] <= high[second])).all(axis=1)
        found.append(np.stack([order[first[kept]], order[second[kept]]], axis=1))
        start = stop
    pairs = np.sort(np.concatenate(found), axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _touched(low: Floats, high: Floats) -> int:
    """How many pairs of intervals overlap."""
    order = np.sort(low)
    return int((np.searchsorted(order, high, side="right") - np.searchsorted(order, low, side="left")).sum())
