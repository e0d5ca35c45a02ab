"""Worlds: many bodies, each with a name and a pose, that come, go and move."""

from __future__ import annotations

import copy
import os
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core
from elbowroom._arrays import shown
from elbowroom.articulated import Articulated
from elbowroom.body import Body
from elbowroom.chain import Chain
from elbowroom.necklace import Necklace
from elbowroom.pose import Pose

if TYPE_CHECKING:
    from typing import Self, TypeAlias

    from elbowroom._types import AnyBody, Floats, PoseLike
    from elbowroom.files.urdf_meshes import Packages

    #: A body by name, a link of one as (name, link), or several of these.
    WhoLike: TypeAlias = "str | Member | tuple[str, str] | Iterable[str | Member | tuple[str, str]]"

__all__ = ["Member", "World"]

#: Bodies that can change belong to one world: the worlds that have them.
_WORLDS: weakref.WeakKeyDictionary[Any, weakref.ref[World]] = weakref.WeakKeyDictionary()


class Member(_core.WorldMember):
    """A body of a World, which questions take in place of a body.

    Against its own world it is compared with all other bodies, but for those that it is excluded from;
    against any other body, at its pose.

    Examples
    --------
    >>> import elbowroom as er
    >>> world = er.World({"table": er.Box(2), "cup": (er.Sphere(0.5), er.Pose(translation=[0, 0, 1.75]))})
    >>> world["cup"]
    <'cup' of a World: Sphere(radius=0.5) at [0, 0, 1.75]>
    >>> er.distance(world["cup"], world).value
    0.25
    """

    @property
    def name(self) -> str:
        """Its name in the world."""
        name: str = self._world._slot(self._number)[0]
        return name

    @property
    def body(self) -> AnyBody:
        """The body itself."""
        body: AnyBody = self._world._slot(self._number)[1]
        return body

    @property
    def pose(self) -> Pose:
        """Where it is."""
        return Pose(self._world._pose(self._number))

    @property
    def attached_to(self) -> tuple[str, str | None] | None:
        """The body that it moves with, and the link of it or None; None if it is not attached."""
        attached_to: tuple[str, str | None] | None = self._world._attached_to(self._number)
        return attached_to

    def __repr__(self) -> str:
        at = ", ".join(f"{x:.6g}" for x in self.pose.translation + 0.0)
        return f"<{self.name!r} of a World: {self.body!r} at [{at}]{_hold(self.attached_to)}>"


class World(_core.World):
    """Many bodies of any kinds, each with a name and a pose, that come, go and move.

    Every question takes a world: alone (`er.self_collide`, `er.self_distance`, `er.self_within`), against a
    body or another world, or one of its bodies, `world["cup"]`, against all others. Answers name the bodies
    (`names`) and what it is of them (`parts`; `pairs` and `indices` are numbers): links, balls, primitives.
    Of each two bodies, or links of them, an answer names one pair, as it does for an articulated body.

    Rigid bodies are shared, and may be in a world many times. A Chain, Necklace or Articulated stays
    yours: move it as ever, and the world sees where it is. It belongs to one world, and is compared with
    itself, too.

    Parameters
    ----------
    bodies
        {name: body} or {name: (body, pose)}.

    Examples
    --------
    >>> import elbowroom as er
    >>> world = er.World()
    >>> world.add("table", er.Box([2, 1, 0.1]))
    >>> world.add("cup", er.Capsule(0.1, 0.2), er.Pose(translation=[0, 0, 0.3]))
    >>> world.add("plate", er.Box([0.4, 0.4, 0.02]), er.Pose(translation=[0.6, 0, 0.05]))
    >>> er.self_collide(world, every=True).names
    [('table', 'plate')]
    >>> nearest = er.distance(world["cup"], world)
    >>> nearest.names, round(nearest.value, 6)
    (('cup', 'table'), 0.05)
    >>> world.exclude("table", "plate")
    >>> bool(er.self_collide(world))
    False
    >>> world
    World(3 bodies: 'table' (Box), 'cup' (Capsule), 'plate' (Box); 1 pair excluded)
    """

    def __init__(self, bodies: Mapping[str, AnyBody | tuple[AnyBody, PoseLike | None]] | None = None) -> None:
        super().__init__()
        self._numbers: dict[str, int] = {}
        if bodies is None:
            return
        if not isinstance(bodies, Mapping):
            raise TypeError(f"bodies must map names to bodies, got {type(bodies).__name__}")
        try:
            self.add(bodies)
        except (TypeError, ValueError) as error:
            raise type(error)(f"bodies: {error}") from error

    @classmethod
    def load(
        cls,
        paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        units: str | None = None,
        assume: str | None = None,
        packages: Packages = None,
    ) -> Self:
        """The parts of an assembly: GLB, glTF, 3MF, OBJ with groups, STEP, IFC, or a folder of meshes.

        Parts keep their names and places; what is placed several times is shared. A URDF file is one
        articulated body, and a MoveIt scene adds its objects, attached to links where it says so, with its
        allowed collisions excluded. Notes, such as units that were converted, are warnings.

        Parameters
        ----------
        paths
            A file or folder, or a list of them.
        units
            Unit of the world: "mm", "cm", "m", "in", "ft" or "um". Files that state a unit are converted;
            others are taken to be in it. Without it, the unit of the first file that states one.
        assume
            Unit of the numbers in the files, whatever the files state.
        packages
            Where meshes of `package://name/...` are, for robots.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import elbowroom as er
        >>> text = '''o plate
        ... v 0 0 0
        ... v 1 0 0
        ... v 0 1 0
        ... f 1 2 3
        ... o lid
        ... f 3 2 1'''
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "box.obj")
        ...     _ = path.write_text(text)
        ...     world = er.World.load(path)
        >>> world
        World(2 bodies: 'plate' (Mesh), 'lid' (Mesh))
        """
        from elbowroom.files.assembly_world import load_world

        return load_world(cls, paths, units=units, assume=assume, packages=packages)

    # Bodies.

    def add(
        self,
        name: str | Sequence[str] | Mapping[str, AnyBody | tuple[AnyBody, PoseLike | None]],
        body: AnyBody | Sequence[AnyBody] | None = None,
        pose: PoseLike | Floats | None = None,
    ) -> None:
        """Adds a body under a new name, or many at once.

        Many are {name: body} or {name: (body, pose)}, or names with one rigid body for all or one for each,
        and poses (n, 4, 4), which is the fastest way. If one of them cannot be added, none is.

        Examples
        --------
        >>> import elbowroom as er
        >>> world = er.World()
        >>> world.add({"left": er.Sphere(1), "right": (er.Sphere(1), er.Pose(translation=[3, 0, 0]))})
        >>> er.self_distance(world).value
        1.0
        >>> poses = world.poses() @ er.Pose(translation=[0, 5, 0]).matrix
        >>> world.add(["far left", "far right"], er.Sphere(0.5), poses)
        >>> er.self_distance(world).names
        ('left', 'right')
        """
        if isinstance(name, Mapping):
            if body is not None or pose is not None:
                raise ValueError("body and pose must be left out where name is a mapping of bodies")
            self._add_many(name)
        elif isinstance(name, str) or not isinstance(name, Sequence):
            self._refuse_name(name)
            self._refuse_owned(name, body)
            self._call(name, self._add(name, body, pose))
            self._own(body)
        else:
            self._add_rows(list(name), body, pose)

    def remove(self, name: str) -> None:
        """Removes a body. What is attached to it stays where it is."""
        number = self._number_of(name)
        body = self._slot(number)[1]
        self._remove(number)
        self._numbers.pop(name, None)
        if not isinstance(body, Body):
            _WORLDS.pop(body, None)

    def move(
        self, name: str | Member | Mapping[str, PoseLike] | Floats, pose: PoseLike | None = None
    ) -> None:
        """Moves a body to a pose, several by {name: pose}, or all by an array (n, 4, 4) in their order.

        What is attached to a body moves with it. A body that is attached itself stays attached.

        Examples
        --------
        >>> import elbowroom as er
        >>> world = er.World({"a": er.Sphere(1), "b": er.Sphere(1)})
        >>> world.move("b", er.Pose(translation=[5, 0, 0]))
        >>> er.self_distance(world).value
        3.0
        >>> poses = world.poses()
        >>> poses[:, 1, 3] = [0, 4]
        >>> world.move(poses)
        >>> world["b"].pose.translation.tolist()
        [5.0, 4.0, 0.0]
        """
        if pose is not None:
            self._move(self._number_of(name), pose)
        elif isinstance(name, Mapping):
            numbers = [self._number_of(one) for one in name]
            poses = [_matrix(where, f"pose of {one!r}") for one, where in name.items()]
            self._move_many(numbers, np.array(poses).reshape(-1, 4, 4))
        elif isinstance(name, (str, Member)):
            raise ValueError(f"pose of {shown(name)} is missing")
        else:
            if np.shape(name) != (len(self), 4, 4):
                raise ValueError(
                    f"poses must have shape ({len(self)}, 4, 4), one for each body, got {np.shape(name)}"
                )
            self._move_many(list(self._numbers.values()), _checked_poses(name, self.names))

    def poses(self) -> Floats:
        """(n, 4, 4): where the bodies are, in their order."""
        poses: Floats = self._poses(np.fromiter(self._numbers.values(), np.int32, len(self)))
        return poses

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bodies, in the order in which they were added."""
        return tuple(self._numbers)

    @property
    def nbytes(self) -> int:
        """The memory that the world takes for its bodies, without their geometry."""
        return int(self._counts()["bytes"])

    def __getitem__(self, name: str) -> Member:
        return Member(self, self._number_of(name))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self._numbers)

    # What moves together.

    def attach(self, name: str, to: str, link: str | int | None = None) -> None:
        """From now on a body moves with another, or with a link of an articulated one.

        It stays where it is, and is still compared with what it is attached to: see `exclude`.

        Examples
        --------
        >>> import elbowroom as er
        >>> links = [er.Link("base", er.Box(1)), er.Link("hand", er.Box(1))]
        >>> above = er.Pose(translation=[0, 0, 2])
        >>> slide = er.Joint("slide", "prismatic", "base", "hand", above, axis=(0, 0, 1))
        >>> arm = er.Articulated(links, [slide])
        >>> world = er.World({"arm": arm, "cup": (er.Sphere(0.5), er.Pose(translation=[0, 0, 3]))})
        >>> world.attach("cup", to="arm", link="hand")
        >>> world.exclude(("arm", "hand"), "cup")
        >>> arm.move({"slide": 5})
        >>> world["cup"]
        <'cup' of a World: Sphere(radius=0.5) at [0, 0, 8], attached to 'arm', link 'hand'>
        >>> bool(er.self_collide(world))
        False
        """
        number, other = self._number_of(name), self._number_of(to, "to")
        which = -1 if link is None else self._link_number(to, link, "link")
        if self._hangs_on(other, number):
            how = "itself" if other == number else f"{to!r}, which moves with it"
            raise ValueError(f"{name!r} cannot be attached to {how}")
        self._attach(number, other, which)

    def detach(self, name: str) -> None:
        """The body stays where it is when what it was attached to moves."""
        number = self._number_of(name)
        if self._parent(number)[0] < 0:
            raise ValueError(f"{name!r} is not attached to anything")
        self._detach(number)

    # What is never compared.

    def exclude(self, a: WhoLike, b: WhoLike | None = None) -> None:
        """Never compares a with b: bodies by name, links as (body, link), or lists of these.

        With a list alone no two of it are compared. A body that can touch itself may be excluded from
        itself. What an articulated body excludes by itself stays excluded.

        Examples
        --------
        >>> import elbowroom as er
        >>> world = er.World({name: er.Sphere(1) for name in ("a", "b", "c")})
        >>> world.exclude("a", ["b", "c"])
        >>> world.excluded
        [('a', 'b'), ('a', 'c')]
        >>> er.self_collide(world, every=True).names
        [('b', 'c')]
        >>> world.include("a", "c")
        >>> er.self_collide(world, every=True).names
        [('a', 'c'), ('b', 'c')]
        """
        self._exclude(self._rows(a, b))

    def include(self, a: WhoLike, b: WhoLike | None = None) -> None:
        """Compares a with b again: the opposite of `exclude`."""
        self._include(self._rows(a, b))

    @property
    def excluded(self) -> list[tuple[str | tuple[str, str], str | tuple[str, str]]]:
        """What is never compared: pairs of names, or of (name, link) for links of articulated bodies."""
        return [
            (self._called(row[0], row[1]), self._called(row[2], row[3]))
            for row in self._excluded_rows().tolist()
        ]

    # Whole worlds.

    def validate(self) -> None:
        """Checks the tree and what follows what; raises AssertionError that says what is wrong."""
        fault = self._fault()
        if not fault:
            for name, number in self._numbers.items():
                if self._slot(number)[0] != name:
                    fault = f"{name!r} is not where it should be"
        if fault:
            raise AssertionError(fault)

    def copy(self) -> World:
        """Another world with the same bodies: those that can change, meshes too, are copied."""
        entries, attached, excluded = self._state()
        own: dict[int, Any] = {}  # a mesh that is there several times stays one
        fresh = [(name, own.setdefault(id(body), copy.copy(body)), pose) for name, body, pose in entries]
        return _restored(type(self), fresh, attached, excluded)

    def __copy__(self) -> World:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> World:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), *self._state())

    def __repr__(self) -> str:
        told = [
            f"{name!r} ({type(self._slot(number)[1]).__name__}){_hold(self._attached_to(number))}"
            for name, number in list(self._numbers.items())[:4]
        ]
        more = ["..."] if len(self) > 4 else []
        count = f"{len(self):,} bod{'y' if len(self) == 1 else 'ies'}"
        excluded = len(self._excluded_rows())
        left_out = f"; {excluded:,} pair{'' if excluded == 1 else 's'} excluded" if excluded else ""
        return f"World({count}{': ' if told else ''}{', '.join(told + more)}{left_out})"

    # Names and numbers.

    def _number_of(self, name: Any, argument: str = "name") -> int:
        if isinstance(name, Member):
            if name._world is not self:
                raise ValueError(f"{argument} is a body of another World: {name!r}")
            number: int = name._number
            return number
        try:
            return self._numbers[name]
        except (KeyError, TypeError):
            pass
        near = [one for one in self._numbers if isinstance(name, str) and one.lower() == name.lower()]
        hint = f"; is it {near[0]!r}?" if near else ""
        message = f"{argument} {shown(name)} is no body of this World{hint}"
        raise ValueError(message)

    def _link_number(self, name: str, link: Any, argument: str) -> int:
        body = self._slot(self._number_of(name))[1]
        if not isinstance(body, Articulated):
            raise ValueError(
                f"{argument} {shown(link)} cannot be: {name!r} is a {type(body).__name__}, without links"
            )
        if isinstance(link, str):
            return body._skeleton.link_number(link, argument)
        return int(_arrays.indices([link], None, len(body), argument)[0])

    def _called(self, number: int, link: int) -> str | tuple[str, str]:
        name, body = self._slot(number)
        return name if link < 0 or not isinstance(body, Articulated) else (name, body.link_names[link])

    def _attached_to(self, number: int) -> tuple[str, str | None] | None:
        parent, link = self._parent(number)
        if parent < 0:
            return None
        name, body = self._slot(parent)
        return name, body.link_names[link] if link >= 0 and isinstance(body, Articulated) else None

    def _refuse_name(self, name: Any) -> None:
        if not isinstance(name, str) or not name:
            raise ValueError(f"name must be a text that is not empty, got {shown(name)}")
        if name in self._numbers:
            raise ValueError(f"name {name!r} is there already: remove that body first, or take another name")

    def _refuse_owned(self, name: str, body: Any) -> None:
        """Bodies that can change are in one world, once."""
        if isinstance(body, Member):
            raise ValueError(f"{name!r} is a body of a World: add its .body")
        if not isinstance(body, (Chain, Necklace, Articulated)):
            return
        world = _WORLDS[body]() if body in _WORLDS else None
        if world is None:
            return
        there = next((one for one, n in world._numbers.items() if world._slot(n)[1] is body), None)
        if there is not None:
            whose = "this World" if world is self else "another World"
            raise ValueError(
                f"{name!r} is in {whose} already, as {there!r}: add a copy of the body, copy.copy(body)"
            )

    def _call(self, name: str, number: int) -> None:
        """Gives a name to what was added, unless another thread was faster."""
        if self._numbers.setdefault(name, number) != number:
            self._remove(number)
            self._refuse_name(name)

    def _call_all(self, names: Sequence[str], numbers: Sequence[int]) -> None:
        """The same for many: all of them or none."""
        both = list(zip(names, numbers, strict=True))
        if all(self._numbers.setdefault(name, number) == number for name, number in both):
            return
        for name, number in both:
            if self._numbers.get(name) == number:
                del self._numbers[name]
            self._remove(number)
        raise ValueError("a name was added by another thread meanwhile")

    def _own(self, body: Any) -> None:
        if not isinstance(body, Body):
            _WORLDS[body] = weakref.ref(self)

    def _add_many(self, bodies: Mapping[str, Any]) -> None:
        entries = []
        for name, value in bodies.items():
            self._refuse_name(name)
            body, pose = value if isinstance(value, tuple) and len(value) == 2 else (value, None)
            self._refuse_owned(name, body)
            matrix = np.eye(4) if pose is None else _matrix(pose, f"pose of {name!r}")
            entries.append((name, body, matrix))
        self._add_entries(entries)

    def _add_rows(self, names: list[Any], body: Any, pose: Any) -> None:
        bodies = [body] * len(names) if isinstance(body, Body) else _arrays.listed(body, "body")
        if pose is None:
            raise ValueError("pose is missing: (n, 4, 4), one for each name")
        poses = _checked_poses(pose, tuple(names))
        if not len(names) == len(bodies) == len(poses) or poses.ndim != 3:
            counts = f"{len(names)} names, {len(bodies)} bodies and poses {poses.shape}"
            raise ValueError(f"name, body and pose must be as many, got {counts}")
        if not all(isinstance(one, str) and one for one in names) or not self._numbers.keys().isdisjoint(
            names
        ):
            for one in names:
                self._refuse_name(one)
        if len(set(names)) != len(names):
            twice = next(one for i, one in enumerate(names) if one in names[:i])
            raise ValueError(f"name {twice!r} is there twice")
        if isinstance(body, Body) and all(_is_wide([body])):
            self._call_all(names, self._add_all(names, bodies, poses))
        else:
            self._add_entries(list(zip(names, bodies, poses, strict=True)))

    def _add_entries(self, entries: list[tuple[str, Any, Any]]) -> None:
        """All of them or, if one cannot be, none."""
        added: list[str] = []
        if entries and all(_is_wide({id(body): body for _, body, _ in entries}.values())):
            names, bodies, poses = zip(*entries, strict=True)
            self._call_all(names, self._add_all(list(names), list(bodies), np.array(poses)))
            return
        try:
            for name, body, pose in entries:
                self._refuse_owned(name, body)
                self._call(name, self._add(name, body, pose))
                added.append(name)
                self._own(body)
        except BaseException:
            for name in added:
                self.remove(name)
            raise

    def _move_many(self, numbers: list[int], poses: Floats) -> None:
        self._move_all(np.array(numbers, np.int32), np.ascontiguousarray(poses))

    def _who(self, value: Any, argument: str) -> list[tuple[int, int]]:
        if isinstance(value, (str, Member)):
            return [(self._number_of(value, argument), -1)]
        items = _arrays.listed(value, argument)
        if isinstance(value, tuple) and len(value) == 2 and self._is_link(value, argument):
            return [(self._number_of(value[0], argument), self._link_number(value[0], value[1], argument))]
        if not items:
            raise ValueError(f"{argument} is empty: it must name a body")
        return [who for i, item in enumerate(items) for who in self._who(item, f"{argument}[{i}]")]

    def _is_link(self, value: tuple[Any, Any], argument: str) -> bool:
        """Is it (body, link), and not two bodies?"""
        number = self._numbers.get(value[0]) if isinstance(value[0], str) else None
        body = None if number is None else self._slot(number)[1]
        if not isinstance(body, Articulated):
            return False
        is_link = not isinstance(value[1], (str, Member)) or value[1] in body.link_names
        if is_link and value[1] in self:
            raise ValueError(
                f"{argument} {shown(value)} may be a link or two bodies: write a list for two bodies, "
                "or give the number of the link"
            )
        return is_link or value[1] not in self

    def _rows(self, a: Any, b: Any) -> NDArray[np.int32]:
        first = self._who(a, "a")
        second = first if b is None else self._who(b, "b")
        if b is None and len(first) < 2:
            raise ValueError("b is missing: a names one body alone")
        rows = []
        for i, x in enumerate(first):
            for y in second[i + 1 :] if b is None else second:
                if x != y or (b is not None and len(first) == len(second) == 1):
                    rows.append((*x, *y))
                    self._refuse_rigid_itself(x, y)
        return np.array(rows, np.int32).reshape(-1, 4)

    def _refuse_rigid_itself(self, x: tuple[int, int], y: tuple[int, int]) -> None:
        if x == y and (isinstance(self._slot(x[0])[1], Body) or x[1] >= 0):
            raise ValueError(
                f"b names the same as a, {shown(self._called(*x))}, which is rigid and cannot touch itself"
            )

    def _state(self) -> tuple[list[Any], list[Any], NDArray[np.int32]]:
        numbers = dict(self._numbers)  # which another thread may change
        place = {number: i for i, number in enumerate(numbers.values())}
        poses = self._poses(np.array(list(place), np.int32))
        entries = [(name, self._slot(n)[1], poses[i]) for i, (name, n) in enumerate(numbers.items())]
        parents = [(i, *self._parent(number)) for number, i in place.items()]
        excluded: NDArray[np.int32] = self._excluded_rows()
        try:
            attached = [(i, place[parent], link) for i, parent, link in parents if parent >= 0]
            for column in (0, 2):
                excluded[:, column] = [place[n] for n in excluded[:, column].tolist()]
        except KeyError:
            raise RuntimeError("the world was changed by another thread while it was copied") from None
        return entries, attached, excluded


def _restored(
    cls: type[World], entries: list[Any], attached: list[Any], excluded: NDArray[np.int32]
) -> World:
    out = cls()
    out._add_entries(entries)
    numbers = list(out._numbers.values())
    for i, parent, link in attached:
        out._attach(numbers[i], numbers[parent], link)
    rows = np.array(excluded, np.int32).reshape(-1, 4)
    for column in (0, 2):
        rows[:, column] = [numbers[n] for n in rows[:, column].tolist()]
    out._exclude(np.ascontiguousarray(rows))
    return out


def _is_wide(bodies: Iterable[Any]) -> Iterator[bool]:
    """Are they rigid bodies that any other can be compared with?"""
    return (isinstance(body, Body) and (body.children == 8 or len(body) == 1) for body in bodies)


def _matrix(pose: Any, name: str) -> Floats:
    return _core.Pose._read(pose, name).matrix


def _checked_poses(value: Any, names: tuple[str, ...]) -> Floats:
    """Names the body whose pose is none."""
    try:
        return _arrays.poses(value, "poses")
    except ValueError:
        for name, pose in zip(names, value, strict=False):
            _arrays.pose(pose, f"pose of {name!r}")
        raise


def _hold(attached_to: tuple[str, str | None] | None) -> str:
    if attached_to is None:
        return ""
    name, link = attached_to
    return f", attached to {name!r}" + ("" if link is None else f", link {link!r}")
