"""Links and joints put in order: who hangs on whom, and where the values of a configuration go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core
from elbowroom._mimics import leaders
from elbowroom._pair_set import PairSet
from elbowroom.links import VALUES, Joint, Link

Floats = NDArray[np.float64]


class Skeleton:
    """The links of an articulated body, parents first, and its joints as given."""

    def __init__(self, links: Iterable[Link], joints: Iterable[Joint]) -> None:
        given = _all_of(links, Link, "links")
        self.joints = _all_of(joints, Joint, "joints")
        if not given:
            raise ValueError("links is empty: a body needs at least one link")
        names = _unique((link.name for link in given), "links")
        _unique((joint.name for joint in self.joints), "joints")
        self._above = self._joints_above(names)
        self.links: tuple[Link, ...] = tuple(given[i] for i in self._parents_first(list(names)))
        self._number = {link.name: i for i, link in enumerate(self.links)}
        self.moving = tuple(j for j in self.joints if VALUES[j.kind] and j.mimic is None)
        starts = np.cumsum([0] + [VALUES[j.kind] for j in self.moving])
        self._slices = {
            j.name: slice(int(a), int(b)) for j, a, b in zip(self.moving, starts, starts[1:], strict=False)
        }
        self.dof = int(starts[-1])
        self._single = {name: s.start for name, s in self._slices.items() if s.stop - s.start == 1}
        self._leader = leaders(self.joints)
        self._frames = self._frame_of_links()

    def _joints_above(self, names: dict[str, int]) -> dict[str, Joint]:
        """The joint of each link to its parent."""
        above: dict[str, Joint] = {}
        for joint in self.joints:
            for role, name in (("parent", joint.parent), ("child", joint.child)):
                if name is not None and name not in names:
                    raise ValueError(f"{role} of joint '{joint.name}' is '{name}', which is not among links")
            if joint.child in above:
                other = above[joint.child].name
                raise ValueError(f"link '{joint.child}' has two parents: joints '{other}' and '{joint.name}'")
            above[joint.child] = joint
        return above

    def _parent(self, name: str) -> str | None:
        return self._above[name].parent if name in self._above else None

    def _parents_first(self, names: list[str]) -> list[int]:
        """Numbers of the links as given, each after its parent, otherwise in their order."""
        order: dict[str, int] = {}
        for name in names:
            path: dict[str, None] = {}
            at: str | None = name
            while at is not None and at not in order:
                if at in path:
                    raise ValueError(f"joints form a loop through link '{at}'")
                path[at] = None
                at = self._parent(at)
            for step in reversed(path):
                order[step] = len(order)
        position = {name: i for i, name in enumerate(names)}
        return [position[name] for name in order]

    def _frame_of_links(self) -> list[int]:
        """Links that cannot move relative to each other have the same number."""
        frames: list[int] = []
        world = -1
        for i, link in enumerate(self.links):
            joint = self._above.get(link.name)
            if joint is None or joint.kind != "fixed":
                frames.append(i)
            elif joint.parent is not None:
                frames.append(frames[self._number[joint.parent]])
            else:
                world = i if world < 0 else world
                frames.append(world)
        return frames

    def arrays(self) -> tuple[NDArray[np.int32], Floats, Floats]:
        """Parent, kind and first value of each link; origins; axis, multiplier and offset."""
        numbers = np.zeros((len(self.links), 3), np.int32)
        reals = np.tile([0.0, 0.0, 1.0, 1.0, 0.0], (len(self.links), 1))
        origins = np.tile(np.eye(4), (len(self.links), 1, 1))
        kinds = list(VALUES)
        for i, link in enumerate(self.links):
            joint = self._above.get(link.name)
            if joint is None:
                numbers[i, 0] = -1
                continue
            leader, multiplier, offset = self._leader.get(joint.name, ("", 1.0, 0.0))
            first = self._slices[leader].start if leader else 0
            parent = -1 if joint.parent is None else self._number[joint.parent]
            numbers[i] = (parent, kinds.index(joint.kind), first)
            origins[i] = joint.origin.matrix
            reals[i] = (*joint.axis, multiplier, offset)
        return numbers, origins, reals

    def limits(self) -> Floats:
        """(dof, 2)."""
        out = np.tile([-np.inf, np.inf], (self.dof, 1))
        for joint in self.moving:
            if VALUES[joint.kind] > 1:
                out[self._slices[joint.name]][-4:] = (-1, 1)
            elif joint.limits is not None:
                out[self._slices[joint.name]] = joint.limits
        return out

    def zero(self) -> Floats:
        """Nothing turned, nothing shifted, as far as the limits allow."""
        out = np.zeros(self.dof)
        for joint in self.moving:
            if VALUES[joint.kind] > 1:
                out[self._slices[joint.name]][-4] = 1
        low, high = self.limits().T
        return np.clip(out, low, high)

    def random(self, count: int, rng: np.random.Generator) -> Floats:
        """(count, dof), uniform within the limits."""
        out = np.zeros((count, self.dof))
        for joint in self.moving:
            where = self._slices[joint.name]
            if VALUES[joint.kind] > 1:
                turn = rng.normal(size=(count, 4))
                out[:, where][:, -4:] = turn / np.linalg.norm(turn, axis=1, keepdims=True)
                continue
            low, high = _interval(joint)
            out[:, where] = rng.uniform(low, high, (count, 1))
        return out

    def seeded(self, count: int, seed: int) -> Floats:
        """The same from a seed; soon, where every joint has one value."""
        if any(VALUES[joint.kind] > 1 for joint in self.moving):
            return self.random(count, np.random.Generator(np.random.PCG64(seed)))
        low, width = self._intervals
        uniform = _core.uniform_numbers(seed, self.dof * count)
        return low + width * (uniform.reshape(self.dof, count).T if count != 1 else uniform[None])

    @cached_property
    def _intervals(self) -> tuple[Floats, Floats]:
        """Where the values of joints of one value are drawn: the least ones, and the widths."""
        low, high = np.array([_interval(joint) for joint in self.moving]).reshape(-1, 2).T
        return low, high - low

    def changed(self, values: list[float], change: Mapping[str, Any]) -> list[float] | None:
        """A configuration with other values for some joints; None if they must be looked at more closely."""
        single, largest = self._single, _arrays.LARGEST
        for name, value in change.items():
            if type(name) is not str or name not in single or type(value) not in (float, int):
                return None
            if not -largest <= value <= largest:
                return None
            values[single[name]] = value
        return values

    def index(self, joint: Any, name: str) -> slice:
        """Where the values of a joint are."""
        if joint not in self._slices:
            known = {j.name for j in self.joints}
            what = "takes no value of its own" if joint in known else "is not among the joints"
            raise ValueError(f"{name}: joint {_arrays.shown(joint)} {what}: {some(self._slices)}")
        return self._slices[joint]

    def values(self, joint: str, value: Any, name: str) -> Floats:
        """The values of one joint."""
        count = self._slices[joint].stop - self._slices[joint].start
        array = np.atleast_1d(_arrays.numbers(value, name))
        if array.shape != (count,):
            wanted = "a number" if count == 1 else f"{count} numbers"
            raise ValueError(f"{name} must be {wanted}, got shape {array.shape}")
        return array

    def configurations(self, value: Any, name: str) -> Floats:
        """One configuration (dof,) or many (n, dof), with unit quaternions."""
        array = _arrays.configurations(value, self.dof, name)
        for joint in self.moving:
            if VALUES[joint.kind] > 1:
                turn = array[..., self._slices[joint.name]][..., -4:]
                _arrays.unit_quaternions(turn, f"{name}: the quaternion of joint '{joint.name}'")
        return array

    def link_number(self, link: Any, name: str) -> int:
        """The number of a link, by name or number."""
        if isinstance(link, str):
            if link not in self._number:
                raise ValueError(f"{name}: link '{link}' is not among the links: {some(self._number)}")
            return self._number[link]
        return _arrays.count(link, name, 0, len(self.links) - 1)

    def pairs(self, value: Any, name: str) -> PairSet:
        """Pairs of different links, given by names or numbers."""
        if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
            found = _arrays.index_pairs(value, len(self.links), name).astype(np.int64)
            twice = np.flatnonzero(found[:, 0] == found[:, 1])
            if not len(twice):
                return PairSet.of(len(self.links), np.sort(found, axis=1))
        return self._set(list(self._each_pair(value, name)))

    def _set(self, pairs: list[tuple[int, int]]) -> PairSet:
        return PairSet.of(len(self.links), np.array(pairs, np.int64).reshape(-1, 2))

    def _each_pair(self, value: Iterable[Any], name: str) -> Iterator[tuple[int, int]]:
        """The smaller number first."""
        for k, pair in enumerate(_arrays.listed(value, name)):
            both = _arrays.listed(pair, f"{name}[{k}]")
            if len(both) != 2:
                raise ValueError(f"{name}[{k}] must be a pair of links, got {_arrays.shown(pair)}")
            i, j = (self.link_number(link, f"{name}[{k}]") for link in both)
            if i == j:
                raise ValueError(f"{name}[{k}] names one link twice: shapes of a link are never compared")
            yield min(i, j), max(i, j)

    def _bearing(self) -> dict[int, list[int]]:
        """The links with shapes, by the frame that they share."""
        found: dict[int, list[int]] = {}
        for i, link in enumerate(self.links):
            if link.shapes:
                found.setdefault(self._frames[i], []).append(i)
        return found

    def rigid_pairs(self) -> PairSet:
        """Links with shapes that cannot move relative to each other."""
        members = [np.array(each, np.int64) for each in self._bearing().values()]
        pairs = [each[np.stack(np.triu_indices(len(each), 1), axis=1)] for each in members]
        return PairSet.of(len(self.links), np.concatenate([np.empty((0, 2), np.int64), *pairs]))

    def adjacent_pairs(self) -> PairSet:
        """Those, and every link that has a shape with the nearest link above it that has one."""
        pairs: list[tuple[int, int]] = []
        nearest: list[int] = []  # of each link: itself or the nearest above it that has a shape, or -1
        for i, link in enumerate(self.links):
            parent = self._parent(link.name)
            above = -1 if parent is None else nearest[self._number[parent]]
            nearest.append(i if link.shapes else above)
            if link.shapes and above >= 0:
                pairs.append((above, i))
        return self.rigid_pairs() | self._set(pairs)

    def names(self) -> tuple[str, ...]:
        """Names of the links."""
        return tuple(link.name for link in self.links)


def _interval(joint: Joint) -> tuple[float, float]:
    """What the value of a joint is drawn from."""
    low, high = joint.limits if joint.limits is not None else (-np.inf, np.inf)
    if np.isfinite(high - low):
        return low, high
    if joint.kind == "prismatic":
        raise ValueError(f"joint '{joint.name}' is prismatic and has no limits to draw from")
    return max(low, -np.pi), min(high, np.pi)


def some(names: Iterable[str]) -> str:
    """A list of names that fits into a message."""
    all_names = list(names)
    return ", ".join(all_names[:12]) + (f" and {len(all_names) - 12} more" if len(all_names) > 12 else "")


def _all_of(values: Any, kind: type[Any], name: str) -> tuple[Any, ...]:
    out = tuple(_arrays.listed(values, name))
    for i, value in enumerate(out):
        if not isinstance(value, kind):
            raise ValueError(f"{name}[{i}] must be a {kind.__name__}, got {_arrays.shown(value)}")
    return out


def _unique(names: Iterable[str], what: str) -> dict[str, int]:
    out: dict[str, int] = {}
    for i, name in enumerate(names):
        if name in out:
            raise ValueError(f"{what} has the name '{name}' twice: at {out[name]} and {i}")
        out[name] = i
    return out
