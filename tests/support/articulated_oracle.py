"""An articulated body kept the slow and obvious way: what every answer of er.Articulated is judged by.

`SlowBody` multiplies 4 x 4 matrices from the root to every link. Gaps of links are the gaps of their shapes,
every shape of the one against every shape of the other, asked of rigid bodies. `Twin` moves an er.Articulated
and a SlowBody alike and compares the two.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from articulated_makers import Recipe, somewhere
from chain_oracle import about_axis

import elbowroom as er

ROUNDING = 1e-9  # verdicts are sure, and numbers agree, to this part of the size of the scene
VALUES = {"fixed": 0, "revolute": 1, "prismatic": 1, "spherical": 4, "free": 7}
WORLD = -1  # the frame of all links with a fixed joint to the world


def of_quaternion(q: np.ndarray) -> np.ndarray:
    """The rotation of a unit quaternion (w, x, y, z): 1 + 2 w K + 2 K K, where K v = (x, y, z) x v."""
    w, x, y, z = np.asarray(q, dtype=float) / np.linalg.norm(q)
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + 2.0 * w * skew + 2.0 * skew @ skew)


def motion(joint: er.Joint, value: np.ndarray) -> np.ndarray:
    """The joint's own part of the pose of its child."""
    pose, axis = np.eye(4), np.asarray(joint.axis)
    if joint.kind == "revolute":
        pose[:3, :3] = about_axis(axis, float(value[0]))
    elif joint.kind == "prismatic":
        pose[:3, 3] = axis / np.linalg.norm(axis) * value[0]
    elif joint.kind == "spherical":
        pose[:3, :3] = of_quaternion(value)
    elif joint.kind == "free":
        pose[:3, :3], pose[:3, 3] = of_quaternion(value[3:]), value[:3]
    return pose


# Rigid bodies.


def signed(a: Any, b: Any, pose_a: np.ndarray, pose_b: np.ndarray) -> float:
    """Distance of two bodies, or minus the depth of the deepest contact."""
    apart = er.distance(a, b, pose_a, pose_b).value
    if apart > 0.0:
        return float(apart)
    contacts = er.collide(a, b, pose_a, pose_b, depth=True).contacts
    return -float(contacts.depths.max(initial=0.0))


def signed_table(a: Any, b: Any, pose_a: Any, pose_b: Any, everything: float) -> np.ndarray:
    """The same for all pairs of primitives (or balls): (len(a), len(b)). `everything`: a reach beyond all."""
    near = er.within(a, b, everything, pose_a, pose_b)
    table = np.full((len(a), len(b)), np.inf)
    table[near.indices[:, 0], near.indices[:, 1]] = near.distances
    hits = er.collide(a, b, pose_a, pose_b, every=True, depth=True)
    if hits:
        np.minimum.at(table, (hits.pairs[:, 0], hits.pairs[:, 1]), -hits.contacts.depths)
    return table


class SlowBody:
    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.joint_to = {joint.child: joint for joint in recipe.joints}
        self.names: list[str] = []
        for name in recipe.names:
            self._number_after_parents(name)
        self.number = {name: i for i, name in enumerate(self.names)}
        self.parts = sorted(recipe.parts, key=lambda part: self.number[part.name])
        self.slices: dict[str, slice] = {}
        self.dof = 0
        for joint in recipe.joints:
            if joint.mimic is None and joint.kind != "fixed":
                self.slices[joint.name] = slice(self.dof, self.dof + VALUES[joint.kind])
                self.dof += VALUES[joint.kind]
        self.shapes = [(i, thing, pose) for i, part in enumerate(self.parts) for thing, pose in part.shapes]
        self.counted = self._counted()

    def _number_after_parents(self, name: str) -> None:
        """Links are numbered as given, but parents come before their children."""
        joint = self.joint_to.get(name)
        if joint is not None and joint.parent is not None:
            self._number_after_parents(joint.parent)
        if name not in self.names:
            self.names.append(name)

    # Which pairs count.

    def frame(self, link: str) -> int:
        """The link at the top of all that moves as one with this one, or the world."""
        while (joint := self.joint_to.get(link)) is not None and joint.kind == "fixed":
            if joint.parent is None:
                return WORLD
            link = joint.parent
        return self.number[link]

    def link_above(self, name: str) -> str | None:
        """The nearest link above that has a shape."""
        joint = self.joint_to.get(name)
        while joint is not None and joint.parent is not None:
            if self.parts[self.number[joint.parent]].shapes:
                return joint.parent
            joint = self.joint_to.get(joint.parent)
        return None

    def adjacent(self) -> set[tuple[int, int]]:
        """Links of one frame, and every link with the nearest one above it that has a shape."""
        frames = [self.frame(name) for name in self.names]
        pairs = {(i, j) for j in range(len(frames)) for i in range(j) if frames[i] == frames[j]}
        for name in self.names:
            above = self.link_above(name)
            if above is not None:
                pairs.add((self.number[above], self.number[name]))  # parents come first
        return pairs

    def _counted(self) -> np.ndarray:
        """(L, L), true for the pairs i < j of links with shapes that are compared."""
        exclude = self.recipe.exclude
        shaped = np.array([bool(part.shapes) for part in self.parts])
        counted = np.triu(shaped[:, None] & shaped[None, :], 1)
        pairs = self.adjacent() if exclude == "adjacent" else exclude or ()
        for p, q in pairs:
            i, j = (self.number[x] if isinstance(x, str) else x for x in (p, q))
            counted[i, j] = counted[j, i] = False
        return np.asarray(counted)

    # Where the links are.

    def value(self, joint: er.Joint, q: np.ndarray) -> np.ndarray:
        if joint.mimic is not None:
            leader = next(j for j in self.recipe.joints if j.name == joint.mimic.joint)
            return np.asarray(joint.mimic.multiplier * self.value(leader, q) + joint.mimic.offset)
        return np.asarray(q[self.slices.get(joint.name, slice(0, 0))])

    def poses(self, q: np.ndarray) -> np.ndarray:
        """(L, 4, 4): the pose of the parent, times the joint's origin, times its motion."""
        known: dict[str | None, np.ndarray] = {None: np.eye(4)}

        def pose(name: str | None) -> np.ndarray:
            if name not in known:
                joint = self.joint_to.get(str(name))
                known[name] = np.eye(4)
                if joint is not None:
                    known[name] = (
                        pose(joint.parent) @ joint.origin.matrix @ motion(joint, self.value(joint, q))
                    )
            return known[name]

        return np.array([pose(name) for name in self.names])

    def zero(self) -> np.ndarray:
        q = np.zeros(self.dof)
        for joint in self.recipe.joints:
            if joint.name in self.slices:
                part = self.slices[joint.name]
                if VALUES[joint.kind] > 1:
                    q[part.stop - 4] = 1.0
                elif joint.limits is not None:
                    q[part] = np.clip(0.0, *joint.limits)
        return q

    def random(self, rng: np.random.Generator, share: float = 1.0) -> np.ndarray:
        """Any configuration within the limits, or one that lies so near to zero."""
        q = self.zero()
        for joint in self.recipe.joints:
            if joint.name in self.slices:
                q[self.slices[joint.name]] = self.random_value(rng, joint, share)
        return q

    def random_value(self, rng: np.random.Generator, joint: er.Joint, share: float = 1.0) -> np.ndarray:
        if VALUES[joint.kind] == 1:
            low, high = joint.limits or (-np.pi, np.pi)
            middle = float(np.clip(0.0, low, high))
            return np.array([middle + share * (rng.uniform(low, high) - middle)])
        turn = np.array([1.0, 0.0, 0.0, 0.0]) + share * rng.normal(size=4)
        turn /= np.linalg.norm(turn)
        shift = rng.normal(size=3) * self.recipe.reach
        return turn if joint.kind == "spherical" else np.concatenate([shift, turn])

    # Gaps.

    def size(self, poses: np.ndarray) -> float:
        """Reach plus distances from the origin: what rounding is relative to."""
        return self.recipe.reach + float(np.linalg.norm(poses[:, :3, 3], axis=1).max())

    def shape_poses(self, poses: np.ndarray) -> list[np.ndarray]:
        return [poses[link] @ pose for link, _, pose in self.shapes]

    def shape_gaps(self, poses: np.ndarray) -> np.ndarray:
        """(S, S): signed distances of the shapes of pairs of links that count, i < j; infinite for others."""
        where, gaps = self.shape_poses(poses), np.full((len(self.shapes),) * 2, np.inf)
        for i, (p, a, _) in enumerate(self.shapes):
            for j, (q, b, _) in enumerate(self.shapes[i + 1 :], i + 1):
                if self.counted[min(p, q), max(p, q)]:
                    gaps[i, j] = signed(a.body, b.body, where[i], where[j])
        return gaps

    def gaps(self, poses: np.ndarray) -> np.ndarray:
        """(L, L): signed distances of the links that count, i < j; infinite for all others."""
        return self.link_gaps(self.shape_gaps(poses))

    def link_gaps(self, shape_gaps: np.ndarray) -> np.ndarray:
        """Of all shapes of the one and of the other the least."""
        out, owner = np.full((len(self.names),) * 2, np.inf), [link for link, _, _ in self.shapes]
        for i, j in np.argwhere(np.isfinite(shape_gaps)):
            p, q = sorted((owner[i], owner[j]))
            out[p, q] = min(out[p, q], shape_gaps[i, j])
        return out

    def gaps_to(self, other: Any, poses: np.ndarray, pose_b: np.ndarray, everything: float) -> np.ndarray:
        """(L, primitives or balls of the other body): signed distances of links that stand at `poses`."""
        out = np.full((len(self.names), len(other)), np.inf)
        for (link, thing, _), pose in zip(self.shapes, self.shape_poses(poses), strict=True):
            table = signed_table(thing.body, other, pose, pose_b, everything)
            out[link] = np.minimum(out[link], table.min(axis=0))
        return out

    def gaps_to_links(self, other: SlowBody, poses: np.ndarray, other_poses: np.ndarray) -> np.ndarray:
        out = np.full((len(self.names), len(other.names)), np.inf)
        theirs = list(zip(other.shapes, other.shape_poses(other_poses), strict=True))
        for (p, a, _), pose_a in zip(self.shapes, self.shape_poses(poses), strict=True):
            for (q, b, _), pose_b in theirs:
                out[p, q] = min(out[p, q], signed(a.body, b.body, pose_a, pose_b))
        return out


def made_free(recipe: Recipe, share: float = 0.05) -> Recipe:
    """The same body, where links that are nearer at rest than this share of the reach may overlap as well."""
    slow = SlowBody(dataclasses.replace(recipe, exclude=None))
    near = slow.gaps(slow.poses(slow.zero())) <= share * recipe.reach
    pairs = slow.adjacent() | {(int(i), int(j)) for i, j in np.argwhere(near)}
    return dataclasses.replace(recipe, exclude=sorted(pairs))


@dataclass
class Twin:
    """An er.Articulated and its slow twin at one configuration, with a count of the verdicts compared."""

    body: Any
    slow: SlowBody
    q: np.ndarray
    poses: np.ndarray = field(default_factory=lambda: np.zeros((0, 4, 4)))
    _shape_gaps: np.ndarray | None = None
    seen: dict[str, int] = field(default_factory=lambda: {"free": 0, "collision": 0, "in doubt": 0})

    @staticmethod
    def of(recipe: Recipe, **settings: Any) -> Twin:
        slow = SlowBody(recipe)
        twin = Twin(recipe.body(**settings), slow, slow.zero())
        twin.move(twin.q)
        return twin

    def move(self, q: np.ndarray) -> None:
        self.q = np.array(q, dtype=float)
        self._stand()
        self.body.move(self.q)

    def _stand(self) -> None:
        self.poses, self._shape_gaps = self.slow.poses(self.q), None

    def change(self, values: dict[str, np.ndarray]) -> None:
        """Some joints alone, by their names."""
        for name, value in values.items():
            self.q[self.slow.slices[name]] = value
        self._stand()
        self.body.move({k: v if len(v) > 1 else float(v[0]) for k, v in values.items()})

    def wander(self, rng: np.random.Generator, share: float = 1.0) -> None:
        """A whole new configuration, or a few joints of this one."""
        if rng.random() < 0.4 or not self.slow.slices:
            self.move(self.slow.random(rng, share))
            return
        names = rng.permutation(list(self.slow.slices))[: int(rng.integers(1, 4))]
        joints = [j for j in self.slow.recipe.joints if j.name in names]
        self.change({j.name: self.slow.random_value(rng, j, share) for j in joints})

    @property
    def shape_gaps(self) -> np.ndarray:
        """Worked out once for every place where the body stands."""
        if self._shape_gaps is None:
            self._shape_gaps = self.slow.shape_gaps(self.poses)
        return self._shape_gaps

    @property
    def gaps(self) -> np.ndarray:
        return self.slow.link_gaps(self.shape_gaps)

    @property
    def doubt(self) -> float:
        return ROUNDING * self.slow.size(self.poses)

    def check_poses(self) -> None:
        there, here = self.body.link_poses(), self.poses
        assert there.shape == here.shape
        assert np.abs(there[:, :3, :3] - here[:, :3, :3]).max() <= ROUNDING
        assert np.abs(there[:, :3, 3] - here[:, :3, 3]).max() <= self.doubt
        assert np.array_equal(there[:, 3], here[:, 3])

    def check_verdict(self) -> bool:
        """The body's verdict, compared unless the slow one hangs on rounding."""
        verdict, clearance = bool(er.self_collide(self.body)), float(self.gaps.min())
        sure = abs(clearance) > self.doubt
        assert not sure or verdict == (clearance < 0.0), f"{verdict}, but the clearance is {clearance}"
        self.seen["in doubt" if not sure else "collision" if verdict else "free"] += 1
        return verdict


def placed(rng: np.random.Generator, distance: float) -> np.ndarray:
    """A pose (4, 4) somewhere within that distance."""
    return somewhere(rng, distance * float(rng.random()))
