"""Articulated bodies: trees of rigid links with joints, of which every link may move."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom._arrays import shown
from elbowroom._deprecated import renamed
from elbowroom._hulls import hull_of
from elbowroom._pair_set import PairSet
from elbowroom._skeleton import Skeleton, some
from elbowroom.body import Body
from elbowroom.links import VALUES, Joint, Link
from elbowroom.pose import Pose
from elbowroom.questions import self_collide

if TYPE_CHECKING:
    from elbowroom._types import LinkPairList
    from elbowroom.files.urdf_meshes import Packages
    from elbowroom.link_pairs import LinkPairs

__all__ = ["Articulated", "Refit"]

Refit = Literal["auto", "cab", "cab-sum", "obb", "aabb", "aabb-all", "none"]


class Articulated(_core.Articulated):
    """A tree (or several) of rigid links with joints: an arm, a hand, a robot, a person.

    Parameters
    ----------
    links
        `Link` objects. They are kept in this order, except that parents come before their children.
    joints
        `Joint` objects. A link without a joint to a parent is a root and stands at the body's origin.
    refit
        How the links that may touch are found. "auto": boxes in blocks of sixteen, the fastest. The others
        are those of [Schmidl2004]_, over a binary tree that follows the joints: "cab" (its method),
        "cab-sum" (its reviewer's variant), "obb" (principal axes), "aabb" (eight corners), "aabb-all" (all
        vertices) and "none" (all pairs).
    exclude
        Pairs of links that are never tested against each other. "adjacent": links that are fixed to each
        other, and every link with the nearest link above it that has a shape; None: nothing is excluded;
        or a list of pairs of names or numbers: exactly these.

    Attributes
    ----------
    link_names, joint_names
        Names of the links, and of the joints that take values, in the order of a configuration.
    shapes
        (link number, body, pose in the link) of every shape.
    motion, frame_time
        Configurations (n, dof) that came with a file of motion capture, and the seconds between them.

    Examples
    --------
    >>> import elbowroom as er
    >>> bone = [(er.Capsule(0.1, 0.8), er.Pose(translation=[0, 0, 0.5]))]
    >>> links = [er.Link(f"bone {i}", bone) for i in range(4)]
    >>> joints = [er.Joint(f"joint {i}", "revolute", f"bone {i}", f"bone {i + 1}",
    ...                    ([1, 0, 0, 0], [0, 0, 1]), axis=(0, 1, 0)) for i in range(3)]
    >>> finger = er.Articulated(links, joints)
    >>> bool(er.self_collide(finger))
    False
    >>> finger.move([1.6, 1.6, 1.6])
    >>> er.self_collide(finger, every=True).pairs.tolist()
    [[0, 3]]
    """

    def __init__(
        self,
        links: Iterable[Link],
        joints: Iterable[Joint] = (),
        *,
        refit: Refit = "auto",
        exclude: Literal["adjacent"] | LinkPairList | None = "adjacent",
    ) -> None:
        if not isinstance(refit, str) or refit not in get_args(Refit):
            raise ValueError(f"refit must be one of {', '.join(get_args(Refit))}, got {shown(refit)}")
        self._skeleton = Skeleton(links, joints)
        self.motion: NDArray[np.float64] | None = None
        self.frame_time: float | None = None
        self.refit: Refit = refit
        self.shapes: tuple[tuple[int, Body, Pose], ...] = tuple(
            (i, body, pose) for i, link in enumerate(self._skeleton.links) for body, pose in link.shapes
        )
        if len(self.shapes) > 65_536:
            raise ValueError(f"links must have at most 65,536 shapes, got {len(self.shapes)}")
        self._excluded = self._pairs_argument(exclude, "exclude")
        found = [hull_of(body) for _, body, _ in self.shapes]
        super().__init__(
            *self._skeleton.arrays(),
            [body for _, body, _ in self.shapes],
            np.array([link for link, _, _ in self.shapes], np.int32),
            np.array([pose.matrix for _, _, pose in self.shapes]).reshape(-1, 4, 4),
            [points for points, _ in found],
            np.array([radius for _, radius in found], np.float64),
            self._excluded_array(),
            self.zero(),
            get_args(Refit).index(refit),
        )

    @classmethod
    def from_urdf(
        cls,
        path: str | os.PathLike[str],
        srdf: str | os.PathLike[str] | None = None,
        refit: Refit = "auto",
        *,
        packages: Packages = None,
        exclude: Literal["adjacent"] | LinkPairList | None = "adjacent",
    ) -> Articulated:
        """A robot from a URDF file, with its collision shapes as they are.

        Parameters
        ----------
        path
            The URDF file.
        srdf
            An SRDF file: its disabled pairs are excluded, and links that cannot move relative to each
            other, and nothing else. `exclude` must then be left alone.
        packages
            Where `package://name` is: a mapping from names to folders, or a folder, or several, to search.
        refit, exclude
            As for `Articulated`.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import elbowroom as er
        >>> ball = '<collision><geometry><sphere radius="1"/></geometry></collision>'
        >>> text = f'''<robot name="lift"><link name="base">{ball}</link><link name="car">{ball}</link>
        ... <joint name="rise" type="prismatic"><parent link="base"/><child link="car"/>
        ... <axis xyz="0 0 1"/><limit lower="0" upper="9"/></joint></robot>'''
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "lift.urdf")
        ...     _ = path.write_text(text)
        ...     lift = er.Articulated.from_urdf(path)
        >>> lift.joint_names, lift.limits.tolist()
        (('rise',), [[0.0, 9.0]])
        """
        from elbowroom.files import srdf as srdf_reader
        from elbowroom.files import urdf
        from elbowroom.files.opening import blaming

        parts = urdf.read_urdf(path, packages=packages)
        if srdf is not None and exclude != "adjacent":
            raise ValueError("exclude must be left alone where srdf says which pairs are excluded")
        with blaming(path, "refit", "exclude"):
            body = cls(parts.links, parts.joints, refit=refit, exclude=exclude if srdf is None else None)
        if srdf is None:
            return body
        body.exclude(body._skeleton.rigid_pairs().array())
        disabled = srdf_reader.read_srdf(srdf, links=body.link_names)
        if not disabled:
            text = f"{os.fspath(srdf)} disables no pair of links: neighbours are compared too"
            warnings.warn(text, UserWarning, stacklevel=2)
        unknown = sorted({name for pair in disabled for name in pair} - set(body.link_names))
        if unknown:
            raise ValueError(
                f"srdf {os.fspath(srdf)} names links that {os.fspath(path)} lacks: {', '.join(unknown)}"
            )
        body.exclude(disabled)
        return body

    @classmethod
    def from_bvh(
        cls,
        path: str | os.PathLike[str],
        *,
        radii: float | Mapping[str, float] | None = None,
        radius_scale: float = 1.0,
        refit: Refit = "auto",
    ) -> Articulated:
        """A figure from a BVH file of motion capture: a capsule for each bone.

        The body stands in the first frame; `motion` holds all of them, one configuration each, and
        `frame_time` the seconds between two. Bones that meet, and those that overlap in the rest pose, are
        excluded.

        Parameters
        ----------
        path
            The BVH file, plain or .gz.
        radii
            One radius for all bones, or a mapping from joint names to radii; none: by the lengths of the
            bones, as `elbowroom.files.bvh` says.
        radius_scale
            Factor on all radii, those given too.
        refit
            As for `Articulated`.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import elbowroom as er
        >>> text = '''HIERARCHY
        ... ROOT arm
        ... {
        ...   OFFSET 0 0 0
        ...   CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
        ...   JOINT hand
        ...   {
        ...     OFFSET 0 3 0
        ...     CHANNELS 3 Zrotation Yrotation Xrotation
        ...     End Site
        ...     {
        ...       OFFSET 0 1 0
        ...     }
        ...   }
        ... }
        ... MOTION
        ... Frames: 2
        ... Frame Time: 0.01
        ... 0 0 0 0 0 0 0 0 0
        ... 0 0 0 0 0 0 90 0 0'''
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "wave.bvh")
        ...     _ = path.write_text(text)
        ...     er.Articulated.from_bvh(path, radii=0.2)
        Articulated(2 links, 2 shapes, 2 joints, refit='auto', 1 pair excluded)
        """
        from elbowroom.files import bvh
        from elbowroom.files.opening import blaming

        parts = bvh.read_bvh(path, radii=radii, radius_scale=radius_scale)
        with blaming(path, "refit"):
            body = cls(parts.links, parts.joints, refit=refit, exclude=parts.exclude)
            body.motion, body.frame_time = parts.motion, parts.frame_time
            body.move(parts.motion[0])
        return body

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of the links; parents come before their children."""
        return self._skeleton.names()

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints that take values, in the order of a configuration."""
        return tuple(joint.name for joint in self._skeleton.moving)

    @property
    def links(self) -> tuple[str, ...]:
        """Deprecated: `link_names`."""
        renamed("Articulated.links", "link_names")
        return self.link_names

    @property
    def joints(self) -> tuple[str, ...]:
        """Deprecated: `joint_names`."""
        renamed("Articulated.joints", "joint_names")
        return self.joint_names

    @property
    def dof(self) -> int:
        """The length of a configuration."""
        return self._skeleton.dof

    @property
    def limits(self) -> NDArray[np.float64]:
        """(dof, 2): least and greatest values; infinite where there are none. They are not enforced."""
        return self._skeleton.limits()

    @property
    def configuration(self) -> NDArray[np.float64] | None:
        """The values of the joints (dof,), or of many configurations (n, dof); None after `place`."""
        return None if self._placed else self._values()

    @property
    def excluded(self) -> NDArray[np.int32]:
        """(k, 2), sorted: pairs of links that are never tested against each other."""
        return self._excluded_array()

    def index(self, joint: str) -> slice:
        """Where the values of a joint are in a configuration."""
        return self._skeleton.index(joint, "joint")

    def names(self, pairs: ArrayLike) -> list[tuple[str, str]]:
        """Pairs of link numbers (k, 2) as names, for reading.

        Examples
        --------
        >>> import elbowroom as er
        >>> body = er.Articulated([er.Link("left", er.Box(1)), er.Link("right", er.Box(1))], exclude=None)
        >>> body.names(er.self_collide(body, every=True).pairs)
        [('left', 'right')]
        """
        known = self.link_names
        return [(known[i], known[j]) for i, j in _arrays.index_pairs(pairs, len(known), "pairs").tolist()]

    def link_number(self, name: str) -> int:
        """The number of a link."""
        return self._skeleton.link_number(name, "name")

    def zero(self) -> NDArray[np.float64]:
        """The configuration with all values zero, or as near as the limits allow, and nothing turned."""
        return self._skeleton.zero()

    def random(self, n: int | None = None, *, seed: int) -> NDArray[np.float64]:
        """Configurations at random within the limits: (dof,), or (n, dof).

        Joints without limits turn by any angle; quaternions are uniform over all rotations; free joints
        stay where they are and turn. A prismatic joint must have limits.
        """
        count = 1 if n is None else _arrays.count(n, "n", 1)
        out = self._skeleton.seeded(count, _arrays.count(seed, "seed", 0))
        return out[0] if n is None else out

    def link_poses(self) -> NDArray[np.float64]:
        """Where the links are: (links, 4, 4), or (n, links, 4, 4) for many configurations."""
        return self._link_poses()

    def exclude(self, pairs: LinkPairList | LinkPairs) -> None:
        """Also leaves out these pairs of links, given by names or numbers.

        Of a `LinkPairs`, as `sample_pairs` gives it, those pairs that never collided and those that always
        did.
        """
        from elbowroom.link_pairs import LinkPairs

        if isinstance(pairs, LinkPairs):
            if pairs.link_names != self.link_names:
                raise ValueError("pairs were sampled on a body with other links")
            pairs = [*pairs.never.tolist(), *pairs.always.tolist()]
        self._leave_out(self._excluded | self._skeleton.pairs(pairs, "pairs"))

    def include(self, pairs: LinkPairList) -> None:
        """Tests these pairs of links again."""
        self._leave_out(self._excluded - self._skeleton.pairs(pairs, "pairs"))

    def allow(self, pairs: LinkPairList) -> None:
        """Deprecated: `include`."""
        renamed("Articulated.allow", "include")
        self.include(pairs)

    def sample_pairs(self, samples: int = 10_000, *, seed: int = 0) -> LinkPairs:
        """Which links collided with which, in random configurations within the limits.

        This tells what happened in the samples, and is not a proof: a pair that never collided in them may
        collide in others. `exclude` takes the result.

        Examples
        --------
        >>> import elbowroom as er
        >>> links = [er.Link(name, er.Box(1)) for name in "abc"]
        >>> beside = er.Pose(translation=[2, 0, 0])
        >>> joints = [er.Joint(p + c, "revolute", p, c, beside) for p, c in ("ab", "bc")]
        >>> er.Articulated(links, joints, exclude=None).sample_pairs(1000)
        <LinkPairs: 3 compared in 1000 samples: 1 collided at times, 0 always, 2 never; no proof>
        """
        from elbowroom.link_pairs import LinkPairs

        count = _arrays.count(samples, "samples", 1)
        found = LinkPairs.start(self, count, _arrays.count(seed, "seed", 0))
        rng = np.random.default_rng(seed)
        for begin in range(0, count, 10_000):
            values = self._skeleton.random(min(10_000, count - begin), rng)
            found.add(self_collide(self, every=True, configurations=values))
        return found

    def candidates(self, other: Articulated | Body | None = None) -> NDArray[np.int32]:
        """The pairs of shapes whose boxes overlap: each costs an exact query.

        (k, 2) numbers into `shapes`; for many configurations (k, 3), the number of the configuration
        first. With `other`, an articulated or rigid body, pairs of a shape of this and one of that.
        """
        return self._candidates(other)

    def measure(self, other: Articulated | Body | None = None, *, depth: bool = True) -> dict[str, float]:
        """Seconds that the parts of a question take, over all configurations held, in one thread.

        "kinematics", "update" (the refit), "test" (of the boxes), "query" (the exact queries, with normals
        and depths if `depth`); "exact" is the number of exact queries, "hits" how many of them overlap.
        `other`: an articulated body with as many configurations, or a rigid one; none: the body itself.
        """
        return self._measure(other, bool(depth))

    def boxes(self, level: int) -> list[_core.ObbVolume] | list[_core.AabbVolume]:
        """The boxes at a level of the hierarchy (0: the topmost); leaves that lie higher are included.

        With refit="auto" level 0 holds the blocks, in single precision, and level 1 the shapes.
        """
        if self.many:
            raise ValueError("boxes are those of one configuration: the body holds many")
        return self._boxes(_arrays.count(level, "level", 0, _core.limits.largest_level))

    def validate(self) -> None:
        """Checks the boxes; raises AssertionError that says what is wrong with them."""
        fault = self._fault()
        if fault:
            raise AssertionError(fault)

    def _shared(self) -> Articulated:
        """Another body with the same links and shapes and all that is made of them, not yet moved."""
        out = Articulated.__new__(Articulated)
        _core.Articulated.__init__(out, self, self.zero())
        vars(out).update(vars(self))
        return out

    def _at(self, configurations: Any, name: str) -> Articulated:
        values = self._skeleton.configurations(configurations, name)
        if values.ndim != 2:
            raise ValueError(f"{name} must have shape (n, {self.dof}), got {values.shape}")
        out = self._shared()
        out.move(values)
        return out

    def __copy__(self) -> Articulated:
        out = self._shared()
        out._put((self._values(), self._placed, self._count))
        return out

    def __deepcopy__(self, memo: dict[int, Any]) -> Articulated:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        state = (self._values(), self._placed, self._count)
        made = (self._skeleton.links, self._skeleton.joints, self.refit, self._excluded_array())
        return _rebuild, (*made, state, self.motion, self.frame_time)

    def __repr__(self) -> str:
        counts = {"link": len(self), "shape": len(self.shapes), "joint": len(self.joint_names)}
        counts["pair"] = len(self._excluded)
        counts["configuration"] = self._count if self.many else 1
        told = {name: f"{n} {name}{'' if n == 1 else 's'}" for name, n in counts.items()}
        held = f", {told['configuration']}" if self.many else ""
        return (
            f"Articulated({told['link']}, {told['shape']}, {told['joint']}, refit={self.refit!r}, "
            f"{told['pair']} excluded{held})"
        )

    def _put(self, state: tuple[NDArray[np.float64], bool, int]) -> None:
        """To a configuration, or to poses of the links; one or many."""
        values, placed, count = state
        if placed:
            self.place(values.reshape(*((count,) if count >= 0 else ()), len(self), 4, 4))
        else:
            self.move(values)

    def _checked_configuration(self, value: Any) -> NDArray[np.float64] | list[float]:
        """What `move` takes when it is not an array of the right shape already."""
        if not isinstance(value, Mapping):
            return self._skeleton.configurations(value, "configuration")
        out = self._start(value)
        quick = self._skeleton.changed(out.tolist(), value)
        if quick is not None:
            return quick
        for name, values in value.items():
            where = self._skeleton.index(name, "configuration")
            out[where] = self._skeleton.values(name, values, f"configuration[{name!r}]")
        return self._skeleton.configurations(out, "configuration")

    def _start(self, change: Mapping[str, Any]) -> NDArray[np.float64]:
        """What a mapping changes: the configuration held, or any where every joint is named."""
        if not self.many and not self._placed:
            return self._values()
        missing = [name for name in self.joint_names if name not in change]
        if not missing:
            return self.zero()
        held = "many configurations are held" if self.many else "the links were placed"
        raise ValueError(
            f"configuration must be an array or name every joint: {held}, and there is no one configuration "
            f"to change; it lacks {some(missing)}"
        )

    def _pairs_argument(self, value: Any, name: str) -> PairSet:
        if value is None:
            return self._skeleton.pairs([], name)
        if isinstance(value, str):
            if value != "adjacent":
                raise ValueError(f'{name} must be "adjacent", None or a list of pairs, got {shown(value)}')
            return self._skeleton.adjacent_pairs()
        return self._skeleton.pairs(value, name)

    def _leave_out(self, pairs: PairSet) -> None:
        self._exclude(pairs.array())  # refused while another thread uses the body
        self._excluded = pairs

    def _excluded_array(self) -> NDArray[np.int32]:
        return self._excluded.array()


def _rebuild(
    links: tuple[Link, ...],
    joints: tuple[Joint, ...],
    refit: Refit,
    excluded: NDArray[np.int32],
    state: tuple[NDArray[np.float64], bool, int],
    motion: NDArray[np.float64] | None,
    frame_time: float | None,
) -> Articulated:
    body = Articulated(links, joints, refit=refit, exclude=excluded)
    body._put(state)
    body.motion, body.frame_time = motion, frame_time
    return body


assert tuple(VALUES) == ("fixed", "revolute", "prismatic", "spherical", "free")  # the order of the core
